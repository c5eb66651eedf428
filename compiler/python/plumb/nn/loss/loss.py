"""Losses: per-element losses and how they are reduced."""

from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops.function.loss import cross_entropy


class LossBase(Cell):
    """Base of losses: reduces by "mean", "sum" or "none"."""

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"For '{type(self).__name__}', the 'reduction' must be in ['mean', 'sum', 'none'], "
                             f"but got {reduction}.")
        self.reduction = reduction

    def get_loss(self, x, weights=1.0):
        """Reduces the losses `x`, each multiplied by its weight."""
        x = x * weights
        if self.reduction == "mean":
            return F.reduce_mean(x)
        if self.reduction == "sum":
            return F.reduce_sum(x)
        return x


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Softmax cross entropy of logits. Probabilities have their gradient too (MindSpore gives zeros for it).

    Args:
      sparse: whether labels are class indices instead of probabilities.
      reduction: "none", "mean" or "sum" over the rows.
    """

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = bool(sparse)

    def construct(self, logits, labels):
        """Compiled body."""
        if self.sparse:
            x = F.sparse_softmax_cross_entropy(logits, labels)
        else:
            x = F.softmax_cross_entropy(logits, labels)
        return self.get_loss(x)


class CrossEntropyLoss(LossBase):
    """Softmax cross entropy of scores (C,), (N, C) or (N, C, …) against class indices or, in the same shape, probabilities.

    Args:
      weight: one factor for each class; "mean" divides by the sum of the factors of the rows' classes.
      ignore_index: rows of this class index count nothing, neither in the sum nor in what "mean" divides by.
      label_smoothing: this share of each target is spread evenly over all classes.
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(reduction)
        if not 0.0 <= label_smoothing <= 1.0:
            raise ValueError(f"For 'CrossEntropyLoss', 'label_smoothing' must be in [0, 1], but got {label_smoothing}.")
        self.weight, self.ignore_index, self.label_smoothing = weight, ignore_index, float(label_smoothing)

    def construct(self, logits, labels):
        """Compiled body."""
        return cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class MSELoss(LossBase):
    """Squared difference."""

    def construct(self, logits, labels):
        """Compiled body."""
        return self.get_loss(F.square(logits - labels))


class L1Loss(LossBase):
    """Absolute difference."""

    def construct(self, logits, labels):
        """Compiled body."""
        return self.get_loss(F.abs(logits - labels))


MAELoss = L1Loss
