"""Losses, with MindSpore's signatures, in the parsable subset.

`reduction` says what becomes of the losses of all elements or rows: "mean", "sum" or "none"; anything else is a
ValueError.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F

softmax_cross_entropy, sparse_softmax_cross_entropy = F.softmax_cross_entropy, F.sparse_softmax_cross_entropy


def mse_loss(input, target, reduction="mean"):
    """Squared differences; those of integers are of float32."""
    inexact = _checks.FLOATS + _checks.COMPLEX
    if input.dtype not in inexact and target.dtype not in inexact:
        input, target = F.cast(input, mstype.float32), F.cast(target, mstype.float32)
    return _checks.reduction("mse_loss", F.square(input - target), reduction)


def l1_loss(input, target, reduction="mean"):
    """Absolute differences."""
    return _checks.reduction("l1_loss", F.magnitudes(input - target), reduction)


def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    """(x - y)² / (2 * beta) where |x - y| is below `beta`, |x - y| - beta / 2 elsewhere; raises ValueError unless beta > 0."""
    if beta <= 0:
        raise ValueError("For 'smooth_l1_loss', 'beta' must be positive")
    distance = F.abs(_checks.floating("smooth_l1_loss", input) - target)
    near = F.less(distance, beta)
    losses = F.select(near, F.square(F.select(near, distance, 0.0)) * (0.5 / beta), distance - 0.5 * beta)
    return _checks.reduction("smooth_l1_loss", losses, reduction)


def huber_loss(input, target, reduction="mean", delta=1.0):
    """(x - y)² / 2 where |x - y| is at most `delta`, delta * (|x - y| - delta / 2) elsewhere."""
    if delta <= 0:
        raise ValueError("For 'huber_loss', 'delta' must be positive")
    distance = F.abs(_checks.floating("huber_loss", input) - target)
    near = F.less_equal(distance, delta)
    losses = F.select(near, F.square(F.select(near, distance, 0.0)) * 0.5, (distance - 0.5 * delta) * delta)
    return _checks.reduction("huber_loss", losses, reduction)


def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-y * x)) for labels y of -1 and 1."""
    return _checks.reduction("soft_margin_loss", F.softplus(-(target * _checks.floating("soft_margin_loss", input))),
                             reduction)


def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean"):
    """x where the label is 1, max(0, margin - x) where it is -1."""
    _checks.floating("hinge_embedding_loss", inputs)
    losses = F.select(F.greater(targets, 0), inputs, F.relu(margin - inputs))
    return _checks.reduction("hinge_embedding_loss", losses, reduction)


def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """max(0, -y * (x1 - x2) + margin) for labels y of -1 and 1."""
    losses = F.relu(margin - target * (_checks.floating("margin_ranking_loss", input1) - input2))
    return _checks.reduction("margin_ranking_loss", losses, reduction)


@known_as(input="logits", target="labels")
def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    """-(y * log(x) + (1 - y) * log(1 - x)) of probabilities x; 1e-12 under the logarithms keeps them finite.

    Args:
      weight: a factor for each loss; None is 1.
    """
    _checks.floating("binary_cross_entropy", logits)
    losses = -(labels * F.log(logits + 1e-12) + (1.0 - labels) * F.log(1.0 - logits + 1e-12))
    return _checks.reduction("binary_cross_entropy", losses if weight is None else losses * weight, reduction)


@known_as(input="logits", target="label")
def binary_cross_entropy_with_logits(logits, label, weight=None, pos_weight=None, reduction="mean"):
    """binary_cross_entropy of sigmoid(logits), without overflow.

    Args:
      weight: a factor for each loss; None is 1.
      pos_weight: a factor for the term of y; None is 1.
    """
    _checks.floating("binary_cross_entropy_with_logits", logits)
    share = label if pos_weight is None else label * pos_weight
    losses = share * F.softplus(-logits) + (1.0 - label) * F.softplus(logits)
    losses = losses if weight is None else losses * weight
    return _checks.reduction("binary_cross_entropy_with_logits", losses, reduction)


@known_as(input="logits", target="labels")
def kl_div(logits, labels, reduction="mean"):
    """Kullback-Leibler divergence y * (log(y) - x) of log-probabilities x and probabilities y; 0 where y is 0.

    Args:
      reduction: "batchmean" besides: the sum over the extent of the first axis.
    """
    _checks.floating("kl_div", logits)
    positive = F.greater(labels, 0.0)
    logs = F.log(F.select(positive, labels, F.ones_like(labels)))
    losses = F.select(positive, labels * (logs - logits), F.zeros_like(labels * logits))
    if reduction == "batchmean":
        return F.reduce_sum(losses) / logits.shape[0]
    return _checks.reduction("kl_div", losses, reduction)


def gaussian_nll_loss(x, target, var, full=False, eps=1e-6, reduction="mean"):
    """(log(v) + (x - y)² / v) / 2 with v = max(var, eps), which passes no gradient below `eps`.

    Args:
      var: variances, in the shape of x, or without its last axis, or with an extent of 1 there.
      full: whether log(2 * pi) / 2 is added.
    """
    _checks.floating("gaussian_nll_loss", x)
    if var.shape != x.shape and var.shape == x.shape[:-1]:
        var = F.expand_dims(var, -1)
    if var.shape != x.shape and var.shape != x.shape[:-1] + (1,):
        raise ValueError(f"For 'gaussian_nll_loss', 'var' must fit {x.shape}, but got {var.shape}")
    var = var + F.stop_gradient(F.maximum(var, eps) - var)
    losses = (F.log(var) + F.square(x - target) / var) * 0.5
    return _checks.reduction("gaussian_nll_loss", losses + 0.9189385332046727 if full else losses, reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """sum(x1 * x2) / (max(|x1|, eps) * max(|x2|, eps)) along an axis."""
    first, second = F.reduce_sum(F.square(x1), (dim,)), F.reduce_sum(F.square(x2), (dim,))
    lengths = F.sqrt(F.maximum(first, eps * eps)) * F.sqrt(F.maximum(second, eps * eps))
    return F.reduce_sum(x1 * x2, (dim,)) / lengths


def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cos(x1, x2) where the label is 1, max(0, cos(x1, x2) - margin) where it is -1; the vectors lie on axis 1."""
    axis = input1.ndim - 1 if input1.ndim < 2 else 1
    product = F.reduce_sum(_checks.floating("cosine_embedding_loss", input1) * input2, (axis,))
    lengths = (F.reduce_sum(F.square(input1), (axis,)) + 1e-12) * (F.reduce_sum(F.square(input2), (axis,)) + 1e-12)
    cosine = product / F.sqrt(lengths)
    zeros = F.zeros_like(cosine)
    losses = F.select(F.equal(target, 1), 1.0 - cosine, zeros)
    losses = losses + F.select(F.equal(target, -1), F.relu(cosine - margin), zeros)
    return _checks.reduction("cosine_embedding_loss", losses, reduction)


def _distance(x, y, p, eps):
    """The p-norm of x - y + eps along the last axis."""
    difference = F.abs(x - y + eps)
    if p == 1:
        return F.reduce_sum(difference, (-1,))
    if p == 2:
        return F.sqrt(F.reduce_sum(F.square(difference), (-1,)))
    return F.pow(F.reduce_sum(F.pow(difference, p), (-1,)), 1.0 / p)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm's distance along the last axis.

    Args:
      eps: what is added to each difference.
      swap: whether the smaller of d(anchor, negative) and d(positive, negative) is taken.
    """
    _checks.floating("triplet_margin_loss", anchor)
    near, far = _distance(anchor, positive, p, eps), _distance(anchor, negative, p, eps)
    if swap:
        far = F.minimum(far, _distance(positive, negative, p, eps))
    return _checks.reduction("triplet_margin_loss", F.relu(near - far + margin), reduction)


# -- of scores and class indices


def _picked(rows, labels):
    """The element of each row that a label names."""
    return F.squeeze(F.take_along(rows, F.expand_dims(labels, 1), 1), (1,))


def multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction="mean"):
    """sum over the classes j other than y of weight[y] * max(0, margin - x[y] + x[j])^p, over the number of classes.

    Args:
      input: scores of shape (N, C).
      target: class indices of shape (N,).
      p: 1 or 2.
      weight: one factor for each class; None is 1.
    """
    if p not in (1, 2):
        raise ValueError("For 'multi_margin_loss', 'p' must be 1 or 2")
    _checks.floating("multi_margin_loss", input)
    classes = input.shape[1]
    gaps = F.relu(margin - F.expand_dims(_picked(input, target), 1) + input)
    gaps = gaps if p == 1 else F.square(gaps)
    if weight is not None:
        gaps = gaps * F.expand_dims(F.gather(weight, target, 0), 1)
    others = 1.0 - F.one_hot(target, classes, 1.0, 0.0, input.dtype)
    return _checks.reduction("multi_margin_loss", F.reduce_sum(gaps * others, (1,)) / classes, reduction)


def _label_marks(target):
    """Of rows of labels that end at the first -1: which places count, and which classes are named."""
    classes = target.shape[-1]
    numbers = F.arange(classes)
    ended = F.expand_dims(F.less(target, 0), -2)  # (N, 1, C): whether place k ends the row
    before = F.greater_equal(F.expand_dims(numbers, 1), numbers)  # (C, C): whether k is at or before the place
    counts = F.logical_not(F.any(F.logical_and(ended, before), -1))
    named = F.logical_and(F.expand_dims(counts, -1), F.equal(F.expand_dims(target, -1), numbers))
    return counts, named


def multilabel_margin_losses(input, target):
    """Losses of `multilabel_margin_loss` by rows, and which classes are named, in the element type of `target`."""
    rows = F.reshape(_checks.floating("multilabel_margin_loss", input), (-1, input.shape[-1]))
    labels = F.reshape(target, rows.shape)
    counts, named = _label_marks(labels)
    is_target = F.any(named, 1)
    scores = F.reduce_sum(F.expand_dims(rows, 1) * F.cast(named, rows.dtype), (2,))  # x of each place's class
    gaps = F.relu(1.0 - F.expand_dims(scores, 2) + F.expand_dims(rows, 1))
    kept = F.logical_and(F.expand_dims(counts, 2), F.expand_dims(F.logical_not(is_target), 1))
    losses = F.reduce_sum(gaps * F.cast(kept, rows.dtype), (1, 2)) / input.shape[-1]
    return F.reshape(losses, input.shape[:-1]), F.cast(F.reshape(is_target, target.shape), target.dtype)


def multilabel_margin_loss(input, target, reduction="mean"):
    """sum over named classes y and others j of max(0, 1 - x[y] + x[j]), over the number of classes.

    Args:
      input: scores of shape (N, C) or (C,).
      target: class indices in the same shape; a row's end at its first -1.
    """
    return _checks.reduction("multilabel_margin_loss", multilabel_margin_losses(input, target)[0], reduction)


def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """The mean over the classes of the binary cross entropy of sigmoid(x) against labels of 0 and 1.

    Args:
      input, target: of shape (N, C).
      weight: one factor for each class; None is 1.
    """
    _checks.floating("multilabel_soft_margin_loss", input)
    losses = target * F.softplus(-input) + (1.0 - target) * F.softplus(input)
    losses = losses if weight is None else losses * weight
    return _checks.reduction("multilabel_soft_margin_loss", F.reduce_mean(losses, (-1,)), reduction)


def _classes_last(x):
    """Scores of shape (C,), (N, C) or (N, C, …) as rows of classes."""
    if x.ndim == 1:
        return F.reshape(x, (1, -1))
    if x.ndim == 2:
        return x
    order = (0,) + tuple(range(2, x.ndim)) + (1,)
    return F.reshape(F.transpose(x, order), (-1, x.shape[1]))


def _shares(labels, kept, weight, dtype):
    """What each row's loss counts: 0 where it is ignored, else its class's weight."""
    shares = F.cast(kept, dtype)
    return shares if weight is None else shares * F.gather(weight, labels, 0)


def _of_classes(who, losses, spread, shares, classes, reduction, label_smoothing, shape):
    """Losses of rows smoothed and reduced; "mean" divides by what the rows count."""
    if label_smoothing > 0.0:
        losses = losses * (1.0 - label_smoothing) + spread * (label_smoothing / classes)
    if reduction == "mean":
        return F.reduce_sum(losses) / F.reduce_sum(shares)
    return _checks.reduction(who, F.reshape(losses, shape) if reduction == "none" else losses, reduction)


def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """-weight[y] * x[y] of log-probabilities x (C,), (N, C) or (N, C, …) and class indices y.

    Args:
      weight: one factor for each class; "mean" divides by the sum of the factors of the rows' classes.
      ignore_index: rows of this class index count nothing, neither in the sum nor in what "mean" divides by.
      label_smoothing: this share of each target is spread evenly over all classes.
    """
    rows, labels = _classes_last(_checks.floating("nll_loss", inputs)), F.reshape(target, (-1,))
    kept = F.not_equal(labels, ignore_index)
    labels = F.select(kept, labels, F.zeros_like(labels))
    shares = _shares(labels, kept, weight, rows.dtype)
    scores = F.reduce_sum(rows if weight is None else rows * weight, (1,))
    spread = F.select(kept, -scores, F.zeros_like(scores))
    losses = F.select(kept, -_picked(rows, labels), F.zeros_like(scores)) * shares
    return _of_classes("nll_loss", losses, spread, shares, rows.shape[1], reduction, label_smoothing, target.shape)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Softmax cross entropy of scores (C,), (N, C) or (N, C, …) against class indices or, in the same shape, probabilities.

    Args:
      weight: one factor for each class; "mean" divides by the sum of the factors of the rows' classes.
      ignore_index: rows of this class index count nothing, neither in the sum nor in what "mean" divides by.
      label_smoothing: this share of each target is spread evenly over all classes.
    """
    if input.shape == target.shape:
        return _by_probabilities(input, target, weight, reduction, label_smoothing)
    rows, labels = _classes_last(input), F.reshape(target, (-1,))
    kept = F.not_equal(labels, ignore_index)
    labels = F.select(kept, labels, F.zeros_like(labels))
    shares = _shares(labels, kept, weight, rows.dtype)
    losses = F.sparse_softmax_cross_entropy(rows, labels) * shares
    spread = shares
    if label_smoothing > 0.0:
        scores = F.log_softmax(rows, -1)
        spread = -F.reduce_sum(scores if weight is None else scores * weight, (1,)) * F.cast(kept, rows.dtype)
    return _of_classes("cross_entropy", losses, spread, shares, rows.shape[1], reduction, label_smoothing, target.shape)


def _by_probabilities(input, target, weight, reduction, label_smoothing):
    classes = input.shape[0] if input.ndim == 1 else input.shape[1]
    rows, targets = _classes_last(input), _classes_last(target)
    if label_smoothing > 0.0:
        targets = targets * (1.0 - label_smoothing) + label_smoothing / classes
    if weight is not None:
        targets = targets * weight
    losses = F.softmax_cross_entropy(rows, targets)
    if reduction == "none":
        return F.reshape(losses, input.shape[:1] + input.shape[2:] if input.ndim > 1 else ())
    return _checks.reduction("cross_entropy", losses, reduction)


__all__ = [name for name in offered(globals()) if name != "multilabel_margin_losses"]
