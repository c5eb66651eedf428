"""`mint.nn.functional`: functions of layers with PyTorch's arguments, in the parsable subset."""

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered
from plumb.mint._functions import log_softmax, softmax
from plumb.ops.function.normalization import layer_norm_of
from plumb.ops import (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, batch_norm, binary_cross_entropy, cosine_similarity,
                       cross_entropy, dropout, fold, gelu, grid_sample, hardsigmoid, hardswish, hardtanh, kl_div, l1_loss,
                       logsigmoid, margin_ranking_loss, mish, mse_loss, pixel_shuffle, prelu, relu, relu6, selu, sigmoid, silu,
                       softplus, softsign, tanh, tanhshrink, threshold, unfold)


def _pads(padding):
    """Both pads of each of two axes."""
    pair = padding if isinstance(padding, tuple) else (padding, padding)
    return (pair[0], pair[0], pair[1], pair[1])


def linear(input, weight, bias=None):
    """input @ weight.T + bias."""
    return ops.dense(input, weight, bias)


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """1-D convolution; `padding` is an int, "valid" or "same"."""
    if isinstance(padding, str):
        return ops.conv1d(input, weight, bias, stride, padding, 0, dilation, groups)
    return ops.conv1d(input, weight, bias, stride, "pad", padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """2-D convolution; `padding` is an int, two of them, "valid" or "same"."""
    if isinstance(padding, str):
        return ops.conv2d(input, weight, bias, stride, padding, 0, dilation, groups)
    return ops.conv2d(input, weight, bias, stride, "pad", _pads(padding), dilation, groups)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Largest of windows, which are `stride` apart: None means their extent; with `return_indices`, and where they are."""
    return ops.max_pool2d(input, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Mean of windows, which are `stride` apart: None means their extent."""
    return ops.avg_pool1d(input, kernel_size, kernel_size if stride is None else stride, padding, ceil_mode, count_include_pad)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """Mean of windows, which are `stride` apart: None means their extent."""
    return ops.avg_pool2d(input, kernel_size, kernel_size if stride is None else stride, padding, ceil_mode, count_include_pad,
                          0 if divisor_override is None else divisor_override)


def avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    """Mean of windows, which are `stride` apart: None means their extent."""
    return ops.avg_pool3d(input, kernel_size, kernel_size if stride is None else stride, padding, ceil_mode, count_include_pad,
                          0 if divisor_override is None else divisor_override)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """The elements less their mean over the last axes, by their deviation, times `weight`, plus `bias`."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    first = input.ndim - len(shape)
    gamma = ops.ones(shape, input.dtype) if weight is None else weight
    beta = ops.zeros(shape, input.dtype) if bias is None else bias
    return layer_norm_of(input, gamma, beta, first, first, eps)[0]


def embedding(input, weight, padding_idx=None, max_norm=None):
    """The rows of a table; `padding_idx` and `max_norm` take None only."""
    if padding_idx is not None or max_norm is not None:
        raise ValueError("For 'embedding', padding_idx and max_norm are not offered.")
    return ops.reshape(ops.gather(weight, ops.reshape(input, (-1,)), 0), input.shape + weight.shape[1:])


def one_hot(tensor, num_classes):
    """Rows of 0 with a 1 at each number, int64."""
    return ops.cast(ops.one_hot(tensor, num_classes, 1, 0, -1), mstype.int64)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """An image, sequence or volume at another size."""
    return ops.interpolate(input, size, scale_factor, mode, align_corners)


def pad(input, pad, mode="constant", value=None):
    """A tensor with more elements at the ends of its last axes: pairs, the last axis first."""
    return ops.pad(input, pad, mode, value)


def elu(input, alpha=1.0):
    """x where that is more than 0, else alpha * (exp(x) - 1)."""
    return ops.where(input > 0, input, ops.expm1(input) * alpha)


def leaky_relu(input, negative_slope=0.01):
    """x where that is more than 0, else x * negative_slope."""
    return ops.leaky_relu(input, negative_slope)


def glu(input, dim=-1):
    """The first half along `dim`, times the sigmoid of the second."""
    return ops.glu(input, dim)


def hardshrink(input, lambd=0.5):
    """0 where |x| is at most lambd, else x."""
    return ops.hardshrink(input, lambd)


def softshrink(input, lambd=0.5):
    """x moved towards 0 by lambd."""
    return ops.softshrink(input, lambd)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """The negative of each row's element at its target."""
    return ops.nll_loss(input, target, weight, ignore_index, reduction)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    """Squares where distances are less than beta, else distances."""
    return ops.smooth_l1_loss(input, target, beta, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    """Cross entropy of the sigmoid of `input`."""
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Vectors along `dim` by their norm, at least eps."""
    return input / ops.maximum(ops.vector_norm(input, p, dim, True), eps)


__getattr__ = not_offered(__name__)
