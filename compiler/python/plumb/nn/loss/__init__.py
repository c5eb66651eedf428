"""Losses."""

from plumb.common._offers import offered
from plumb.nn.loss.classes import CrossEntropyLoss, CTCLoss, FocalLoss, NLLLoss, SampledSoftmaxLoss, SoftmaxCrossEntropyWithLogits
from plumb.nn.loss.loss import (BCELoss, BCEWithLogitsLoss, CosineEmbeddingLoss, DiceLoss, GaussianNLLLoss,
                                HingeEmbeddingLoss, HuberLoss, KLDivLoss, L1Loss, LossBase, MAELoss, MarginRankingLoss,
                                MSELoss, MultiClassDiceLoss, MultilabelMarginLoss, MultiLabelMarginLoss,
                                MultiLabelSoftMarginLoss, MultiMarginLoss, PoissonNLLLoss, RMSELoss, SmoothL1Loss,
                                SoftMarginLoss, TripletMarginLoss, TripletMarginWithDistanceLoss)

__all__ = offered(globals())
