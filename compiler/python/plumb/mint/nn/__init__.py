"""`mint.nn`: layers with PyTorch's arguments and initial values."""

import math

import numpy as np

from plumb import nn
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered, only_defaults
from plumb.common.initializer import HeUniform, Normal, Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.mint._functions import flatten
from plumb.mint.nn import functional
from plumb.nn import (BCELoss, Cell, CellList, CosineEmbeddingLoss, CrossEntropyLoss, Identity, KLDivLoss, L1Loss, LogSigmoid, Mish,
                      MSELoss, NLLLoss, PixelShuffle, ReLU, ReLU6, SequentialCell, Sigmoid, SiLU, Softsign, Tanh)
from plumb.nn import HShrink as Hardshrink, HSigmoid as Hardsigmoid, HSwish as Hardswish, SeLU as SELU, SoftShrink as Softshrink
from plumb.nn import (AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, ConstantPad1d, ConstantPad2d, ConstantPad3d, ELU,
                      ReflectionPad1d, ReflectionPad2d, ReflectionPad3d, ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, Threshold,
                      ZeroPad2d)


def _uniform(inputs):
    """PyTorch's initial weights and biases of a layer with that many inputs of each output."""
    return HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(inputs) if inputs else 0.0)


class Linear(nn.Dense):
    """x @ weight.T + bias; both uniform within 1 / sqrt(in_features) at first.

    Args:
      in_features, out_features: the extents of the last axis.
      bias: whether there is one.
      weight_init, bias_init: other initial values.
    """

    def __init__(self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None):
        only_defaults("Linear", dtype=(dtype, None))
        weights, biases = _uniform(in_features)
        super().__init__(in_features, out_features, weights if weight_init is None else weight_init,
                         biases if bias_init is None else bias_init, bias)


def _convolution(base, axes, name):
    """A layer of convolution with PyTorch's arguments."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", dtype=None):
        only_defaults(name, padding_mode=(padding_mode, "zeros"), dtype=(dtype, None))
        extents = (kernel_size,) * axes if isinstance(kernel_size, int) else tuple(kernel_size)
        weights, biases = _uniform(in_channels // groups * math.prod(extents))
        mode = padding if isinstance(padding, str) else "pad"
        pads = 0 if isinstance(padding, str) else padding if isinstance(padding, int) else tuple(p for p in padding for _ in range(2))
        base.__init__(self, in_channels, out_channels, extents[0] if axes == 1 else extents, stride, mode, pads, dilation, groups, bias,
                      weights, biases)

    text = f"{name[-2:].upper()[0]}-D convolution; `padding` is an int, one for each axis, \"valid\" or \"same\"; a bias by default."
    return type(name, (base,), {"__init__": __init__, "__doc__": text, "__module__": __name__})


Conv1d = _convolution(nn.Conv1d, 1, "Conv1d")
Conv2d = _convolution(nn.Conv2d, 2, "Conv2d")
Conv3d = _convolution(nn.Conv3d, 3, "Conv3d")


def _batch_norm(base, name):
    """A layer of batch normalisation with PyTorch's arguments."""

    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, dtype=None):
        only_defaults(name, track_running_stats=(track_running_stats, True), dtype=(dtype, None))
        base.__init__(self, num_features, eps, 1 - momentum, affine)

    text = "Batch normalisation; `momentum` is the share of the new statistics in the running ones."
    return type(name, (base,), {"__init__": __init__, "__doc__": text, "__module__": __name__})


BatchNorm1d = _batch_norm(nn.BatchNorm1d, "BatchNorm1d")
BatchNorm2d = _batch_norm(nn.BatchNorm2d, "BatchNorm2d")
BatchNorm3d = _batch_norm(nn.BatchNorm3d, "BatchNorm3d")


class LayerNorm(nn.LayerNorm):
    """Normalisation over the last axes, `normalized_shape`."""

    def __init__(self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, dtype=None):
        only_defaults("LayerNorm", elementwise_affine=(elementwise_affine, True), bias=(bias, True), dtype=(dtype, None))
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        super().__init__(shape, -len(shape), -len(shape), epsilon=eps)


class GroupNorm(nn.GroupNorm):
    """Normalisation over groups of channels."""

    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, dtype=None):
        only_defaults("GroupNorm", dtype=(dtype, None))
        super().__init__(num_groups, num_channels, eps, affine)


class Embedding(nn.Embedding):
    """Rows of a table by their numbers; normal numbers at first."""

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 dtype=None):
        only_defaults("Embedding", max_norm=(max_norm, None), norm_type=(norm_type, 2.0), scale_grad_by_freq=(scale_grad_by_freq, False),
                      dtype=(dtype, None))
        super().__init__(num_embeddings, embedding_dim, embedding_table=Normal(1.0), padding_idx=padding_idx)


class Dropout(nn.Dropout):
    """Elements dropped with probability p while training."""

    def __init__(self, p=0.5):
        super().__init__(p=p)


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
        only_defaults("Hardtanh", inplace=(inplace, False))
        super().__init__(min_val, max_val)

    def construct(self, input):
        """Compiled body."""
        return functional.hardtanh(input, *self.settings)


class PReLU(Cell):
    """x where that is more than 0, else x times a trained weight: one for all channels or for each."""

    def __init__(self, num_parameters=1, init=0.25, dtype=None):
        super().__init__()
        self.weight = Parameter(Tensor(np.full((num_parameters,), init), mstype.float32 if dtype is None else dtype), "weight")

    def construct(self, input):
        """Compiled body."""
        return functional.prelu(input, self.weight)


class SoftMarginLoss(_Function):
    """log(1 + exp(-y * x)) for labels y of -1 and 1."""

    def __init__(self, reduction="mean"):
        super().__init__(reduction)

    def construct(self, input, target):
        """Compiled body."""
        return functional.soft_margin_loss(input, target, *self.settings)


class ConvTranspose2d(Cell):
    """Transposed 2-D convolution; weight (in_channels, out_channels / groups, height, width).

    Args:
      in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, dilation: as of functional.conv_transpose2d.
      bias: whether there is one.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", dtype=None):
        super().__init__()
        only_defaults("ConvTranspose2d", padding_mode=(padding_mode, "zeros"))
        extents = (kernel_size,) * 2 if isinstance(kernel_size, int) else tuple(kernel_size)
        kind = mstype.float32 if dtype is None else dtype
        weights, biases = _uniform(out_channels // groups * math.prod(extents))
        self.settings = stride, padding, output_padding, groups, dilation
        self.weight = Parameter(initializer(weights, (in_channels, out_channels // groups, *extents), kind), "weight")
        self.bias = Parameter(initializer(biases, (out_channels,), kind), "bias") if bias else None

    def construct(self, input):
        """Compiled body."""
        return functional.conv_transpose2d(input, self.weight, self.bias, *self.settings)


class GELU(_Function):
    """x times the share of a normal distribution below x; approximate="tanh" by a formula."""

    def __init__(self, approximate="none"):
        super().__init__(approximate)

    def construct(self, input):
        """Compiled body."""
        return functional.gelu(input, *self.settings)


class Softmax(_Function):
    """exp(x) over its sum along `dim`."""

    def __init__(self, dim):
        super().__init__(dim)

    def construct(self, input):
        """Compiled body."""
        return functional.softmax(input, *self.settings)


class LogSoftmax(_Function):
    """The logarithm of softmax."""

    def __init__(self, dim):
        super().__init__(dim)

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
