"""Losses."""

from plumb.nn.loss.loss import (CrossEntropyLoss, L1Loss, LossBase, MAELoss, MSELoss, SoftmaxCrossEntropyWithLogits)
