"""Mixed precision: networks that compute in 16 bits where that is safe, and losses scaled so that gradients stay in range."""

from plumb.amp.auto_mixed_precision import (auto_mixed_precision, build_train_network, custom_mixed_precision,
                                            get_black_list, get_white_list)
from plumb.amp.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from plumb.amp.loss_scaler import DynamicLossScaler, LossScaler, StaticLossScaler
from plumb.common._offers import not_offered
from plumb.nn.wrap.loss_scale import all_finite

__getattr__ = not_offered(__name__)
