"""`mindspore.train.loss_scale_manager`: how a loss is scaled, under the r1.x name."""

from plumb.amp.loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
