"""`mint.nn.functional`: functions of layers with PyTorch's arguments, in the parsable subset."""

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered
from plumb.mint._functions import log_softmax, softmax
from plumb.ops.function import convolution
from plumb.ops import (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, batch_norm, binary_cross_entropy, cosine_similarity,
                       cosine_embedding_loss, cross_entropy, dropout, fold, gelu, grid_sample, group_norm, hardsigmoid, hardswish,
                       hardtanh, kl_div, l1_loss, layer_norm, logsigmoid, margin_ranking_loss, max_unpool2d, mish, mse_loss,
                       pixel_shuffle, prelu, relu, relu6, selu, sigmoid, silu, soft_margin_loss, softplus, softsign, tanh, tanhshrink,
                       threshold, unfold)


def _pads(padding):
    """Both pads of each of two axes."""
    pair = _pair(padding)
    return (pair[0], pair[0], pair[1], pair[1])


def _pair(value):
    """A number for each of two axes."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


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


def conv3d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """3-D convolution; `padding` is an int, three of them, "valid" or "same"."""
    if isinstance(padding, str):
        return ops.conv3d(input, weight, bias, stride, padding, 0, dilation, groups)
    return ops.conv3d(input, weight, bias, stride, "pad", padding, dilation, groups)


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Transposed 2-D convolution of (N, C, H, W) or (C, H, W); the weight is (C, O / groups, height, width).

    The results have the extents (in - 1) * stride - 2 * padding + dilation * (kernel - 1) + output_padding + 1.
    """
    images = ops.expand_dims(input, 0) if input.ndim == 3 else input
    steps, reach, more = _pair(stride), _pair(dilation), _pair(output_padding)
    output, pads = convolution.transposed_extents("pad", images.shape[2:], weight.shape[2:], steps, _pads(padding), reach, more)
    result = convolution.conv2d_transpose(images, weight, output, steps, pads, reach, groups)
    result = result if bias is None else result + ops.reshape(bias, (1, -1, 1, 1))
    return ops.squeeze(result, 0) if input.ndim == 3 else result


def adaptive_max_pool1d(input, output_size, return_indices=False):
    """The largest of windows that cover the last axis, and if wanted their positions, int64."""
    size = output_size if isinstance(output_size, int) else output_size[0]
    if not return_indices:
        return ops.adaptive_max_pool1d(input, size)
    values, indices = ops.adaptive_max_pool2d(ops.expand_dims(input, -2), (1, size), True)
    return ops.squeeze(values, -2), ops.squeeze(indices, -2)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest of windows that cover the last two axes, and if wanted their positions in the images, int64."""
    return ops.adaptive_max_pool2d(input, output_size, return_indices)


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


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """`interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """In training, whole channels are zeroed with probability `p` and the others divided by 1 - p; `inplace` must be False."""
    if inplace:
        raise ValueError("For 'dropout2d', inplace=True is not offered.")
    return ops.dropout2d(input, p, training)


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
