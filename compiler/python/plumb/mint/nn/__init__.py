"""`mint.nn`: layers with PyTorch's arguments and initial values."""

from plumb import nn
from plumb.common._offers import known_as, not_offered, only_defaults
from plumb.mint._functions import flatten
from plumb.mint.nn import functional
from plumb.mint.nn._trained import (BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, ConvTranspose2d, Embedding, GroupNorm, LayerNorm,
                                     Linear, PReLU, SyncBatchNorm)
from plumb.nn import (BCELoss, Cell, CellList, CosineEmbeddingLoss, CrossEntropyLoss, Identity, L1Loss, LogSigmoid, Mish, MSELoss,
                      NLLLoss, PixelShuffle, ReLU, SequentialCell, Sigmoid, Softsign, Tanh)
from plumb.nn import HShrink as Hardshrink, HSigmoid as Hardsigmoid, HSwish as Hardswish, SeLU as SELU, SoftShrink as Softshrink
from plumb.nn import (AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, ConstantPad1d, ConstantPad2d, ConstantPad3d,
                      ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, ZeroPad2d)


class Dropout(nn.Dropout):
    """Elements dropped with probability p while training; `inplace` takes False only."""

    def __init__(self, p=0.5, inplace=False):
        only_defaults("Dropout", inplace=(inplace, False))
        super().__init__(p=p)


class Dropout2d(nn.Dropout2d):
    """Channels dropped with probability p while training; `inplace` takes False only."""

    def __init__(self, p=0.5, inplace=False):
        only_defaults("Dropout2d", inplace=(inplace, False))
        super().__init__(p=p)


class ZeroPad1d(nn.ConstantPad1d):
    """Zeros at the ends of the last axis."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad3d(nn.ConstantPad3d):
    """Zeros at the ends of the last three axes."""

    def __init__(self, padding):
        super().__init__(padding, 0.0)


class _Function(Cell):
    """A function with settings as a layer."""

    def __init__(self, *settings):
        super().__init__()
        self.settings = settings


class MaxPool2d(_Function):
    """Largest of windows."""

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__(kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    def construct(self, input):
        """Compiled body."""
        return functional.max_pool2d(input, *self.settings)


class AvgPool2d(_Function):
    """Mean of windows."""

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def construct(self, input):
        """Compiled body."""
        return functional.avg_pool2d(input, *self.settings)


class AvgPool1d(_Function):
    """Mean of windows."""

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)

    def construct(self, input):
        """Compiled body."""
        return functional.avg_pool1d(input, *self.settings)


class AvgPool3d(_Function):
    """Mean of windows."""

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def construct(self, input):
        """Compiled body."""
        return functional.avg_pool3d(input, *self.settings)


class AdaptiveMaxPool1d(_Function):
    """Largest of windows that cover the last axis."""

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size, return_indices)

    def construct(self, input):
        """Compiled body."""
        return functional.adaptive_max_pool1d(input, *self.settings)


class AdaptiveMaxPool2d(_Function):
    """Largest of windows that cover the last two axes."""

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size, return_indices)

    def construct(self, input):
        """Compiled body."""
        return functional.adaptive_max_pool2d(input, *self.settings)


class MaxUnpool2d(_Function):
    """Zeros with the elements at the positions that a MaxPool2d gave."""

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__(kernel_size, stride, padding)

    def construct(self, input, indices, output_size=None):
        """Compiled body."""
        return functional.max_unpool2d(input, indices, *self.settings, output_size)


class Fold(_Function):
    """The sum of patches at their positions in images."""

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(output_size, kernel_size, dilation, padding, stride)

    def construct(self, input):
        """Compiled body."""
        return functional.fold(input, *self.settings)


class Unfold(_Function):
    """The patches of images as columns."""

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__(kernel_size, dilation, padding, stride)

    def construct(self, input):
        """Compiled body."""
        return functional.unfold(input, *self.settings)


class Upsample(_Function):
    """Signals, images or volumes at another size."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        only_defaults("Upsample", recompute_scale_factor=(recompute_scale_factor, None))
        super().__init__(size, scale_factor, mode, align_corners)

    def construct(self, input):
        """Compiled body."""
        return functional.interpolate(input, *self.settings)


class UpsamplingNearest2d(Upsample):
    """Images at another size, each pixel that of the nearest."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """Images at another size, linearly between the pixels, corners on corners."""

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", True)


class Hardtanh(_Function):
    """Elements cut to min_val … max_val."""

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__(min_val, max_val, inplace)

    def construct(self, input):
        """Compiled body."""
        return functional.hardtanh(input, *self.settings)


class GLU(_Function):
    """The first half along `dim`, times the sigmoid of the second."""

    def __init__(self, dim=-1):
        super().__init__(dim)

    def construct(self, input):
        """Compiled body."""
        return functional.glu(input, *self.settings)


class ELU(_Function):
    """x where that is more than 0, else alpha * (exp(x) - 1)."""

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__(alpha, inplace)

    def construct(self, input):
        """Compiled body."""
        return functional.elu(input, *self.settings)


class ReLU6(_Function):
    """Elements cut to 0 … 6."""

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def construct(self, input):
        """Compiled body."""
        return functional.relu6(input, *self.settings)


class SiLU(_Function):
    """x * sigmoid(x)."""

    def __init__(self, inplace=False):
        super().__init__(inplace)

    def construct(self, input):
        """Compiled body."""
        return functional.silu(input, *self.settings)


class Threshold(_Function):
    """x where that is more than the threshold, else `value`."""

    def __init__(self, threshold, value, inplace=False):
        super().__init__(threshold, value, inplace)

    def construct(self, input):
        """Compiled body."""
        return functional.threshold(input, *self.settings)


class KLDivLoss(_Function):
    """Kullback-Leibler divergence of log-probabilities and probabilities, or two of log-probabilities where `log_target`."""

    def __init__(self, reduction="mean", log_target=False):
        super().__init__(reduction, log_target)

    def construct(self, input, target):
        """Compiled body."""
        return functional.kl_div(input, target, *self.settings)


class SoftMarginLoss(_Function):
    """log(1 + exp(-y * x)) for labels y of -1 and 1."""

    def __init__(self, reduction="mean"):
        super().__init__(reduction)

    def construct(self, input, target):
        """Compiled body."""
        return functional.soft_margin_loss(input, target, *self.settings)


class GELU(_Function):
    """x times the share of a normal distribution below x; approximate="tanh" by a formula."""

    def __init__(self, approximate="none"):
        super().__init__(approximate)

    def construct(self, input):
        """Compiled body."""
        return functional.gelu(input, *self.settings)


class Softmax(_Function):
    """exp(x) over its sum along `dim`."""

    def __init__(self, dim=None):
        super().__init__(dim)

    def construct(self, input):
        """Compiled body."""
        return functional.softmax(input, *self.settings)


class LogSoftmax(_Function):
    """The logarithm of softmax."""

    def __init__(self, dim=None):
        super().__init__(dim)

    @known_as(x="input")
    def construct(self, input):
        """Compiled body."""
        return functional.log_softmax(input, *self.settings)


class LeakyReLU(_Function):
    """x where that is more than 0, else x * negative_slope."""

    def __init__(self, negative_slope=0.01):
        super().__init__(negative_slope)

    def construct(self, input):
        """Compiled body."""
        return functional.leaky_relu(input, *self.settings)


class Flatten(_Function):
    """Axes start_dim … end_dim as one."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__(start_dim, end_dim)

    def construct(self, input):
        """Compiled body."""
        return flatten(input, *self.settings)


class SmoothL1Loss(_Function):
    """Squares where distances are less than beta, else distances."""

    def __init__(self, reduction="mean", beta=1.0):
        super().__init__(reduction, beta)

    def construct(self, input, target):
        """Compiled body."""
        return functional.smooth_l1_loss(input, target, *self.settings)


class BCEWithLogitsLoss(nn.BCEWithLogitsLoss):
    """Cross entropy of the sigmoid."""

    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__(reduction, weight, pos_weight)


__getattr__ = not_offered(__name__)
