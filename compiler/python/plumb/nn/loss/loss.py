"""Losses: per-element losses and how they are reduced."""

from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class LossBase(Cell):
    """Base of losses: reduces by "mean", "sum" or "none"."""

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"For '{type(self).__name__}', the 'reduction' must be in ['mean', 'sum', 'none'], "
                             f"but got {reduction}.")
        self.reduction = reduction

    def get_loss(self, x):
        """Reduces the losses `x`."""
        if self.reduction == "mean":
            return F.reduce_mean(x)
        if self.reduction == "sum":
            return F.reduce_sum(x)
        return x


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Softmax cross entropy of logits.

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
    """Softmax cross entropy of logits against class indices."""

    def construct(self, logits, labels):
        """Compiled body."""
        return self.get_loss(F.sparse_softmax_cross_entropy(logits, labels))


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
