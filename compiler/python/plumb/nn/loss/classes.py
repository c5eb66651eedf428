"""Losses of scores of classes: cross entropies, negative logarithms of likelihoods, focal loss."""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as
from plumb.nn.loss.loss import LossBase
from plumb.ops import _functions as F
from plumb.ops.function import loss as L
from plumb.ops.function.candidates import log_uniform_candidate_sampler
from plumb.ops.function.ctc import ctc_losses


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Softmax cross entropy of logits. Probabilities have their gradient too (MindSpore gives zeros for it), and that of the
    logits is right for any of them, where MindSpore's supposes that each row's sum is 1.

    Args:
      sparse: whether labels are class indices instead of probabilities. An index that is no class is an error with
        "mean"; otherwise its row counts zero, as the row of zeros that a one-hot table has for it does.
      reduction: "none", "mean" or "sum" over the rows.
    """

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = bool(sparse)

    def construct(self, logits, labels):
        """Compiled body."""
        if not self.sparse:
            return self.get_loss(F.softmax_cross_entropy(logits, labels))
        if self.reduction == "mean":
            return self.get_loss(F.sparse_softmax_cross_entropy(logits, labels))
        known = F.logical_and(F.greater_equal(labels, 0), F.less(labels, logits.shape[1]))
        x = F.sparse_softmax_cross_entropy(logits, F.select(known, labels, F.zeros_like(labels)))
        return self.get_loss(F.select(known, x, F.zeros_like(x)))


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

    @known_as(input="logits", target="labels")
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

    @known_as(input="logits", target="labels")
    def construct(self, logits, labels):
        """Compiled body."""
        return L.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class FocalLoss(LossBase):
    """-w[y] * (1 - p)^gamma * log(p) with p the softmax of the label's class (Lin et al. 2017).

    Args:
      weight: one factor for each class.
      gamma: how much well classified rows lose.

    Scores are (N, C), (N, C, H) or (N, C, H, W); labels of the same axes, class indices with an extent of 1 on axis 1 or
    shares of all classes. The losses of a row are their mean over H and W: (N,) of indices and (N, C) of shares, which
    the reduction takes.
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
            losses = F.reduce_sum(losses * F.cast(shares, losses.dtype), (1,))
        else:
            losses = losses * F.cast(F.reshape(labels, labels.shape[:2] + (-1,)), losses.dtype)
        return self.get_loss(F.reduce_mean(losses, (-1,)))


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


class SampledSoftmaxLoss(LossBase):
    """The cross entropy of softmax over the true classes of a row and some that are drawn, for large numbers of classes (Jean et al. 2015).

    From each score the logarithm of how often its class is expected among those drawn is subtracted. MindSpore 2.0.0 on a CPU neither
    reduces nor removes hits.

    Args:
      num_sampled: how many classes are drawn, for all rows alike.
      num_classes: how many there are.
      num_true: true classes of a row, which share its probability evenly.
      sampled_values: classes, and how often true and drawn ones are expected, as `ops.log_uniform_candidate_sampler` gives them, which
        draws them by default.
      remove_accidental_hits: whether drawn classes that are true ones of a row do not count there.
      seed: of a stream of the loss's own; 0 draws from the program's.

    Inputs:
      weights (classes, D) and biases (classes,), labels (N, num_true), or (N,) for one, inputs (N, D).
    """

    def __init__(self, num_sampled, num_classes, num_true=1, sampled_values=None, remove_accidental_hits=True, seed=0, reduction="none"):
        super().__init__(reduction)
        if not 1 <= num_true <= num_classes or not 1 <= num_sampled <= num_classes:
            raise ValueError(f"For 'SampledSoftmaxLoss', 'num_true' and 'num_sampled' must be from 1 to 'num_classes', {num_classes}, but "
                             f"got {num_true} and {num_sampled}.")
        if sampled_values is not None and (not isinstance(sampled_values, (list, tuple)) or len(sampled_values) != 3):
            raise ValueError("For 'SampledSoftmaxLoss', 'sampled_values' must be three tensors: classes, and expected counts of true and "
                             "of drawn ones.")
        self.num_sampled, self.num_classes, self.num_true = num_sampled, num_classes, num_true
        self.sampled_values, self.seed = sampled_values, seed
        self.remove_accidental_hits = bool(remove_accidental_hits)

    @known_as(logits="inputs")
    def construct(self, weights, biases, labels, inputs):
        """Compiled body."""
        labels = F.expand_dims(labels, 1) if labels.ndim == 1 and self.num_true == 1 else labels
        if labels.ndim != 2 or labels.shape[1] != self.num_true:
            raise ValueError(f"For 'SampledSoftmaxLoss', labels must be (N, {self.num_true}), but got {labels.shape}")
        if self.sampled_values is None:
            drawn, true_counts, drawn_counts = log_uniform_candidate_sampler(labels, self.num_true, self.num_sampled, True,
                                                                             self.num_classes, self.seed)
        else:
            drawn, true_counts, drawn_counts = self.sampled_values
        true_scores = F.reduce_sum(F.gather(weights, labels, 0) * F.expand_dims(inputs, 1), (2,)) + F.gather(biases, labels, 0)
        scores = F.matmul(inputs, F.gather(weights, drawn, 0), transpose_b=True) + F.gather(biases, drawn, 0) - F.log(drawn_counts)
        if self.remove_accidental_hits:
            hits = F.equal(F.expand_dims(F.cast(labels, mstype.int32), 2), F.cast(drawn, mstype.int32))
            count = F.reduce_sum(F.cast(hits, mstype.int32), (1,))
            scores = F.select(F.greater(count, 0), -3.4e38, scores)
        logs = F.log_softmax(F.concat((true_scores - F.log(true_counts), scores), 1), 1)
        return self.get_loss(-F.reduce_mean(F.part(logs, 1, 0, self.num_true), (1,)))
