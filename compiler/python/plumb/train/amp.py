"""`mindspore.train.amp`: mixed precision under the r1.x name."""

from plumb.amp import (DynamicLossScaleManager, LossScaleManager, auto_mixed_precision, build_train_network,
                       custom_mixed_precision, get_black_list, get_white_list)
