"""`mint.nn.functional`: functions of layers with PyTorch's arguments, in the parsable subset."""

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered
from plumb.mint._functions import log_softmax, softmax
from plumb.ops import _checks
from plumb.ops.function import convolution
from plumb.ops import (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, binary_cross_entropy, cosine_similarity,
                       cosine_embedding_loss, cross_entropy, fold, gelu, group_norm, hardsigmoid, hardswish, l1_loss, layer_norm,
                       logsigmoid, margin_ranking_loss, max_unpool2d, mish, mse_loss, pixel_shuffle, prelu, selu, sigmoid,
                       soft_margin_loss, softplus, softsign, tanh, tanhshrink, unfold)


def _pads(padding):
    """Both pads of each of two axes; raises ValueError for another number of them."""
    pair = _pair(padding)
    if len(pair) != 2:
        raise ValueError(f"the 'padding' must be an int or two of them, but got {padding}")
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


def missing_rows(inputs, outputs, kernel, stride, padding, dilation):
    """The output_padding that a transposed convolution needs for results of these extents; raises ValueError where none gives them."""
    steps, pads, reach = _pair(stride), _pair(padding), _pair(dilation)
    more = tuple([outputs[i] - ((inputs[i] - 1) * steps[i] - 2 * pads[i] + reach[i] * (kernel[i] - 1) + 1) for i in range(2)])
    if min(more) < 0 or more[0] >= max(steps[0], reach[0]) or more[1] >= max(steps[1], reach[1]):
        raise ValueError(f"no results of the extents {tuple(outputs)} come of inputs of {tuple(inputs)}")
    return more


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


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False):
    """The rows of a table by their numbers; see `ops.embedding`, whose arguments these are."""
    return ops.embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)


def one_hot(tensor, num_classes=-1):
    """Rows of 0 with a 1 at each number, int64; -1 classes are as many as the largest number needs, not in compiled functions."""
    classes = ops.reduce_max(tensor).item() + 1 if num_classes == -1 else num_classes
    return ops.cast(ops.one_hot(tensor, classes, 1, 0, -1), mstype.int64)


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """An image, sequence or volume at another size."""
    return ops.interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Elements of images or volumes at places in -1 … 1."""
    return ops.grid_sample(input, grid, mode, padding_mode, False if align_corners is None else align_corners)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Batch normalisation; without `weight` or `bias`, ones or zeros."""
    kind = mstype.float32 if input.dtype in (mstype.float16, mstype.bfloat16) else input.dtype
    scale = ops.ones((input.shape[1],), kind) if weight is None else weight
    shift = ops.zeros((input.shape[1],), kind) if bias is None else bias
    return ops.batch_norm(input, running_mean, running_var, scale, shift, training, momentum, eps)


def kl_div(input, target, reduction="mean", log_target=False):
    """Kullback-Leibler divergence of log-probabilities and probabilities, or two of log-probabilities where `log_target`."""
    if not log_target:
        return ops.kl_div(input, target, reduction)
    losses = ops.exp(target) * (target - input)
    if reduction == "batchmean":
        return ops.sum(losses) / input.shape[0]
    return _checks.reduction("kl_div", losses, reduction)


def dropout(input, p=0.5, training=True, inplace=False):
    """In training, elements are zeroed with probability `p` and the others divided by 1 - p."""
    return _given(input, ops.dropout(input, p, training), inplace)


def _given(input, result, inplace):
    """The result, or the input with it as its value."""
    return input.copy_(result) if inplace else result


def relu(input, inplace=False):
    """x where that is more than 0, else 0."""
    return _given(input, ops.relu(input), inplace)


def relu6(input, inplace=False):
    """x cut to 0 … 6."""
    return _given(input, ops.relu6(input), inplace)


def silu(input, inplace=False):
    """x * sigmoid(x)."""
    return _given(input, ops.silu(input), inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x cut to min_val … max_val."""
    return _given(input, ops.hardtanh(input, min_val, max_val), inplace)


def threshold(input, threshold, value, inplace=False):
    """x where that is more than the threshold, else `value`."""
    return _given(input, ops.threshold(input, threshold, value), inplace)


def relu_(input):
    """`relu` that changes the tensor; returns it."""
    return relu(input, True)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    """`hardtanh` that changes the tensor; returns it."""
    return hardtanh(input, min_val, max_val, True)


def threshold_(input, threshold, value):
    """`threshold` that changes the tensor; returns it."""
    return _given(input, ops.threshold(input, threshold, value), True)


def sigmoid_(input):
    """`sigmoid` that changes the tensor; returns it."""
    return _given(input, ops.sigmoid(input), True)


def elu_(input, alpha=1.0):
    """`elu` that changes the tensor; returns it."""
    return elu(input, alpha, True)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """`interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def dropout2d(input, p=0.5, training=True, inplace=False):
    """In training, whole channels are zeroed with probability `p` and the others divided by 1 - p."""
    return _given(input, ops.dropout2d(input, p, training), inplace)


def pad(input, pad, mode="constant", value=None):
    """A tensor with more elements at the ends of its last axes: pairs, the last axis first."""
    return ops.pad(input, pad, mode, value)


def elu(input, alpha=1.0, inplace=False):
    """x where that is more than 0, else alpha * (exp(x) - 1)."""
    return _given(input, ops.where(input > 0, input, ops.expm1(input) * alpha), inplace)


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
