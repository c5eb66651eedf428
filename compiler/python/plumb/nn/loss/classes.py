"""Losses of scores of classes: cross entropies, negative logarithms of likelihoods, focal loss."""

from plumb.common import dtype as mstype
from plumb.nn.loss.loss import LossBase
from plumb.ops import _functions as F
from plumb.ops.function import loss as L
from plumb.ops.function.ctc import ctc_losses


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
        return L.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """-w[y] * x[y] of log-probabilities (N, C) or (N, C, …) and class indices; "mean" divides by the sum of the factors w.

    Args:
      weight: one factor for each class.
      ignore_index: rows of this class index count nothing.
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__(reduction)
        self.weight, self.ignore_index = weight, ignore_index

    def construct(self, logits, labels):
        """Compiled body."""
        return L.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class FocalLoss(LossBase):
    """-w[y] * (1 - p)^gamma * log(p) with p the softmax of the label's class (Lin et al. 2017).

    Args:
      weight: one factor for each class.
      gamma: how much well classified rows lose.

    Scores are (N, C), (N, C, H) or (N, C, H, W); labels of the same axes, class indices with an extent of 1 on axis 1 or
    shares of all classes.
    """

    def __init__(self, weight=None, gamma=2.0, reduction="mean"):
        super().__init__(reduction)
        self.gamma = float(gamma)
        self.weight = weight

    def construct(self, logits, labels):
        """Compiled body."""
        if logits.ndim != labels.ndim or labels.shape[1] not in (1, logits.shape[1]):
            raise ValueError(f"For 'FocalLoss', labels of shape {labels.shape} do not fit scores of shape {logits.shape}")
        scores = F.reshape(logits, logits.shape[:2] + (-1,))
        classes = logits.shape[1]
        logs = F.log_softmax(scores, 1)
        losses = F.pow(1.0 - F.exp(logs), self.gamma) * -logs
        if self.weight is not None:
            losses = losses * F.reshape(F.cast(self.weight, losses.dtype), (1, classes, 1))
        if labels.shape[1] == 1:
            shares = F.transpose(F.one_hot(F.reshape(F.cast(labels, mstype.int32), (labels.shape[0], -1)), classes), (0, 2, 1))
        else:
            shares = F.reshape(labels, labels.shape[:2] + (-1,))
        return self.get_loss(F.reduce_sum(losses * F.cast(shares, losses.dtype), (1,)))


class CTCLoss(LossBase):
    """The negative logarithm of the probability of label sequences over all their alignments; see `ops.ctc_loss`.

    Inputs are logarithms of probabilities (T, N, C), or (T, C) of one row; targets (N, S), or (S,) of one row; and the numbers of
    steps and labels.

    Args:
      blank: the class that is no label.
      reduction: "mean" divides each loss by the number of labels before; "sum" or "none".
      zero_infinity: whether the loss of a row with more labels than steps can show is 0 instead of infinite.
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"For 'CTCLoss', the 'reduction' must be in ['mean', 'sum', 'none'], but got {reduction}.")
        self.blank, self.reduction, self.zero_infinity = blank, reduction, bool(zero_infinity)

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        """Compiled body."""
        single = log_probs.ndim == 2
        scores = F.expand_dims(log_probs, 1) if single else log_probs
        labels = F.expand_dims(targets, 0) if targets.ndim == 1 else targets
        loss = ctc_losses(scores, labels, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)[0]
        return F.reshape(loss, ()) if single else loss
