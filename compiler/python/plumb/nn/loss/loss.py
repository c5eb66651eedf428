"""Losses of elements and of rows, and how they are reduced. Formulas stand with the functions in `plumb.ops`."""

from plumb.common._offers import known_as
from plumb.nn.cell import Cell
from plumb.nn.layer.activation import get_activation
from plumb.ops import _functions as F
from plumb.ops.operations import Cast, Mul, ReduceMean, ReduceSum
from plumb.ops.function import loss as L


class LossBase(Cell):
    """Base of losses: reduces by "mean", "sum" or "none"."""

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"For '{type(self).__name__}', the 'reduction' must be in ['mean', 'sum', 'none'], "
                             f"but got {reduction}.")
        self.reduction = reduction
        # What subclasses of programs' own call.
        self.average, self.reduce = reduction == "mean", reduction != "none"
        self.reduce_mean, self.reduce_sum, self.mul, self.cast = ReduceMean(), ReduceSum(), Mul(), Cast()

    def get_axis(self, x):
        """All axes of x."""
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0):
        """Reduces the losses `x`, each multiplied by its weight."""
        x = x * weights
        if self.reduction == "mean":
            return F.reduce_mean(x)
        if self.reduction == "sum":
            return F.reduce_sum(x)
        return x


class L1Loss(LossBase):
    """Absolute differences."""

    def construct(self, logits, labels):
        """Compiled body."""
        return self.get_loss(F.abs(logits - labels))


class MAELoss(L1Loss):
    """L1Loss."""


class MSELoss(LossBase):
    """Squared differences."""

    @known_as(input="logits", target="labels")
    def construct(self, logits, labels):
        """Compiled body."""
        return self.get_loss(F.square(logits - labels))


class RMSELoss(LossBase):
    """The root of the mean squared difference."""

    def __init__(self):
        super().__init__()

    def construct(self, logits, label):
        """Compiled body."""
        return F.sqrt(F.reduce_mean(F.square(logits - label)))


class SmoothL1Loss(LossBase):
    """(x - y)^2 / (2 * beta) where |x - y| is below `beta`, |x - y| - beta / 2 elsewhere."""

    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        self.beta = _positive("SmoothL1Loss", "beta", beta)

    def construct(self, logits, labels):
        """Compiled body."""
        return L.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """(x - y)^2 / 2 where |x - y| is at most `delta`, delta * (|x - y| - delta / 2) elsewhere."""

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta  # checked where it is used, as MindSpore does

    def construct(self, logits, labels):
        """Compiled body."""
        return L.huber_loss(logits, labels, self.reduction, self.delta)


class SoftMarginLoss(LossBase):
    """log(1 + exp(-y * x)) for labels y of -1 and 1."""

    def construct(self, logits, labels):
        """Compiled body."""
        return L.soft_margin_loss(logits, labels, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """x where the label is 1, max(0, margin - x) where it is -1."""

    def __init__(self, margin=1.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = float(margin)

    def construct(self, logits, labels):
        """Compiled body."""
        return L.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """max(0, -y * (x1 - x2) + margin) for labels y of -1 and 1."""

    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = float(margin)

    @known_as(input1="logits1", input2="logits2", target="labels")
    def construct(self, logits1, logits2, labels):
        """Compiled body."""
        return L.margin_ranking_loss(logits1, logits2, labels, self.margin, self.reduction)


class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where the label is 1, max(0, cos(x1, x2) - margin) where it is -1."""

    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        if not -1.0 <= margin <= 1.0:
            raise ValueError(f"For 'CosineEmbeddingLoss', 'margin' must be in [-1, 1], but got {margin}.")
        self.margin = float(margin)

    def construct(self, logits_x1, logits_x2, labels):
        """Compiled body."""
        return L.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class TripletMarginLoss(LossBase):
    """max(0, d(a, p) - d(a, n) + margin) with the distance of the `p` norm; `swap` takes the nearer of d(a, n) and d(p, n)."""

    def __init__(self, p=2, swap=False, eps=1e-6, reduction="mean", margin=1.0):
        super().__init__(reduction)
        self.p, self.swap, self.eps = p, bool(swap), float(eps)
        self.margin = _positive("TripletMarginLoss", "margin", margin)

    def construct(self, x, positive, negative, margin=None):
        """Compiled body; `margin` replaces the layer's."""
        margin = self.margin if margin is None else margin
        return L.triplet_margin_loss(x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """max(0, d(a, p) - d(a, n) + margin) with the user's distance; `swap` takes the nearer of d(a, n) and d(p, n).

    Args:
      distance_function: a function or cell of two tensors that gives one distance for each row; the Euclidean one by
        default.
    """

    def __init__(self, distance_function=None, swap=False, reduction="mean", margin=1.0):
        super().__init__(reduction)
        self.distance_function = euclidean if distance_function is None else distance_function
        self.swap, self.margin = bool(swap), _positive("TripletMarginWithDistanceLoss", "margin", margin)

    def construct(self, x, positive, negative):
        """Compiled body."""
        near, far = self.distance_function(x, positive), self.distance_function(x, negative)
        if self.swap:
            far = F.minimum(far, self.distance_function(positive, negative))
        return self.get_loss(F.relu(near - far + self.margin))


def euclidean(x, y):
    """Distances along the last axis."""
    return F.sqrt(F.reduce_sum(F.square(x - y), (-1,)))


class KLDivLoss(LossBase):
    """y * (log(y) - x) of log-probabilities x and probabilities y; "batchmean" divides the sum by the extent of axis 0."""

    def __init__(self, reduction="mean"):
        super().__init__("mean" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    @known_as(input="logits", target="labels")
    def construct(self, logits, labels):
        """Compiled body."""
        return L.kl_div(logits, labels, self.reduction)


class BCELoss(LossBase):
    """-(y * log(x) + (1 - y) * log(1 - x)) of probabilities x, each times its `weight` if that is given."""

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    @known_as(input="logits", target="labels")
    def construct(self, logits, labels):
        """Compiled body."""
        return L.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """BCELoss of sigmoid(x), without overflow; `pos_weight` multiplies the term of y."""

    def __init__(self, reduction="mean", weight=None, pos_weight=None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    @known_as(input="logits", target="labels")
    def construct(self, logits, labels):
        """Compiled body."""
        return L.binary_cross_entropy_with_logits(logits, labels, self.weight, self.pos_weight, self.reduction)


class GaussianNLLLoss(LossBase):
    """(log(v) + (x - y)^2 / v) / 2 with v = max(var, eps), and log(2 * pi) / 2 with `full`."""

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction)
        self.full, self.eps = bool(full), _positive("GaussianNLLLoss", "eps", eps)

    def construct(self, logits, labels, var):
        """Compiled body."""
        return L.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """exp(x) - y * x, or x - y * log(x) without `log_input`; with `full` Stirling's y * log(y) - y + log(2 * pi * y) / 2 for y > 1.

    Args:
      eps: what x is at least under the logarithm.
    """

    def __init__(self, log_input=True, full=False, eps=1e-8, reduction="mean"):
        super().__init__(reduction)
        self.log_input, self.full, self.eps = bool(log_input), bool(full), _positive("PoissonNLLLoss", "eps", eps)

    def construct(self, input, target):
        """Compiled body."""
        losses = F.exp(input) - target * input if self.log_input else input - target * F.log(F.maximum(input, self.eps))
        if self.full:
            large = F.maximum(target, 1.0)
            rest = large * F.log(large) - large + F.log(large * 6.283185307179586) * 0.5
            losses = losses + F.select(F.greater(target, 1.0), rest, F.zeros_like(rest))
        return self.get_loss(losses)


class MultiMarginLoss(LossBase):
    """The sum over other classes of max(0, margin - x[y] + x[i])^p over their number, for each row."""

    def __init__(self, p=1, margin=1.0, reduction="mean", weight=None):
        super().__init__(reduction)
        if p not in (1, 2):
            raise ValueError(f"For 'MultiMarginLoss', 'p' must be 1 or 2, but got {p}.")
        self.p, self.margin, self.weight = p, float(margin), weight

    def construct(self, x, target, weight=None):
        """Compiled body."""
        weight = self.weight if weight is None else weight
        return L.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class MultilabelMarginLoss(LossBase):
    """The sum over the row's classes j and all others i of max(0, 1 - (x[j] - x[i])) over the number of classes."""

    def construct(self, x, target):
        """Compiled body."""
        return L.multilabel_margin_loss(x, target, self.reduction)


class MultiLabelMarginLoss(MultilabelMarginLoss):
    """MultilabelMarginLoss, as later versions call it."""


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over classes of the binary cross entropies of sigmoid(x)."""

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x, target):
        """Compiled body."""
        return L.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class DiceLoss(LossBase):
    """1 - 2 * sum(x * y) / (sum(x^2) + sum(y^2) + smooth)."""

    def __init__(self, smooth=1e-5):
        super().__init__()
        self.smooth = _positive("DiceLoss", "smooth", smooth)

    def construct(self, logits, label):
        """Compiled body."""
        return dice_loss(logits, label, self.smooth)


def dice_loss(x, y, smooth):
    """DiceLoss."""
    squares = F.reduce_sum(F.square(x)) + F.reduce_sum(F.square(y))
    return 1.0 - F.reduce_sum(x * y) * 2.0 / (squares + smooth)


class MultiClassDiceLoss(LossBase):
    """The mean over classes (axis 1) of their Dice losses.

    Args:
      weights: a row of factors for each class's loss.
      ignore_indiex: a class that is left out of the sum.
      activation: what is applied to the scores first: a cell, or its name.
    """

    def __init__(self, weights=None, ignore_indiex=None, activation="softmax"):
        super().__init__()
        self.weights, self.ignore_indiex = weights, ignore_indiex
        self.activation = get_activation(activation)
        self.has_activation = self.activation is not None

    def construct(self, logits, label):
        """Compiled body."""
        if self.has_activation:
            logits = self.activation(logits)
        total = F.fill(logits.dtype, (), 0.0)
        for i in range(label.shape[1]):
            if i != self.ignore_indiex:
                loss = dice_loss(logits[:, i], label[:, i], 1e-5)
                total = total + (loss if self.weights is None else loss * self.weights[i])
        return total / label.shape[1]


def _positive(who, name, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        raise ValueError(f"For '{who}', the '{name}' must be positive, but got {value}.")
    return float(value)


_Loss = LossBase  # its name in MindSpore 1.x
