"""Public functions of networks: activations, windows and losses, with MindSpore's signatures, in the parsable subset.

Tensors come first and are passed by position; every other parameter has MindSpore's name and default.
"""

from plumb.common._offers import offered
from plumb.ops import _functions as F
from plumb.ops import _windows as W

relu, relu6, sigmoid, silu, elu, leaky_relu, softplus, bias_add = (
    F.relu, F.relu6, F.sigmoid, F.silu, F.elu, F.leaky_relu, F.softplus, F.bias_add)
random_uniform = F.random_uniform
softmax_cross_entropy, sparse_softmax_cross_entropy = F.softmax_cross_entropy, F.sparse_softmax_cross_entropy


def gelu(input_x, approximate="none"):
    """Gaussian error linear unit; `approximate` "tanh" takes a tanh for the error function."""
    if approximate not in ("none", "tanh"):
        raise ValueError("For 'gelu', 'approximate' must be 'none' or 'tanh'")
    return F.gelu(input_x, approximate == "tanh")


def softmax(x, axis=-1, *, dtype=None):
    """exp(x) over its sum along `axis`; of elements converted to `dtype` when that is given."""
    return F.softmax(x if dtype is None else F.cast(x, dtype), axis)


def log_softmax(logits, axis=-1):
    """Logarithm of the softmax along `axis`."""
    return F.log_softmax(logits, axis)


def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """2-D convolution of NCHW images with an OIHW weight; `bias` is added to each channel.

    Args:
      pad_mode: "valid", "same", or "pad" (zeros by `padding`: an int, or top, bottom, left, right).
    """
    stride, dilation = W.pair("stride", stride), W.pair("dilation", dilation)
    pads = W.conv_pads("conv2d", pad_mode, padding, input.shape[2:], weight.shape[2:], stride, dilation)
    result = F.conv2d(input, weight, stride, pads, dilation, groups)
    return result if bias is None else F.bias_add(result, bias)


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Largest element of each window.

    Args:
      stride: `kernel_size` when None.
      padding: an int or two: rows at top and bottom, columns left and right; they never win.
      ceil_mode: whether a last window that begins inside, but ends outside, counts.
    """
    if dilation != 1 or return_indices:
        raise ValueError("For 'max_pool2d', only dilation=1 and return_indices=False are offered")
    kernel = W.pair("kernel_size", kernel_size)
    stride = kernel if stride is None else W.pair("stride", stride)
    return F.max_pool2d(x, kernel, stride, W.pool_pads(x.shape[2:], kernel, stride, W.image_pads(padding), ceil_mode))


def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """Mean of each window.

    Args:
      padding: an int, two (rows, columns) or four (top, bottom, left, right): zeros around the image.
      count_include_pad: whether they count among the elements that a sum is divided by.
      divisor_override: what a sum is divided by instead; 0 is none.
    """
    if ceil_mode:
        raise ValueError("For 'avg_pool2d', only ceil_mode=False is offered")
    kernel, stride, pads = W.pair("kernel_size", kernel_size), W.pair("stride", stride), W.image_pads(padding)
    if divisor_override:
        return F.avg_pool2d(input_x, kernel, stride, pads) * (kernel[0] * kernel[1] / divisor_override)
    return F.avg_pool2d(input_x, kernel, stride, pads, count_include_pad)


def mse_loss(input, target, reduction="mean"):
    """Squared difference, averaged, summed or as it is ("none")."""
    return _reduced(F.square(input - target), reduction)


def _reduced(losses, reduction):
    if reduction == "mean":
        return F.reduce_mean(losses)
    if reduction == "sum":
        return F.reduce_sum(losses)
    return losses


def _classes_last(x):
    """Scores of shape (C,), (N, C) or (N, C, …) as rows of classes."""
    if x.ndim == 1:
        return F.reshape(x, (1, -1))
    if x.ndim == 2:
        return x
    order = (0,) + tuple(range(2, x.ndim)) + (1,)
    return F.reshape(F.transpose(x, order), (-1, x.shape[1]))


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Softmax cross entropy of scores (C,), (N, C) or (N, C, …) against class indices or, in the same shape, probabilities.

    Args:
      weight: one factor for each class; "mean" divides by the sum of the factors of the rows' classes.
      ignore_index: rows of this class index count nothing, neither in the sum nor in what "mean" divides by.
      reduction: "mean", "sum" or "none".
      label_smoothing: this share of each target is spread evenly over all classes.
    """
    if input.shape == target.shape:
        return _by_probabilities(input, target, weight, reduction, label_smoothing)
    rows, labels = _classes_last(input), F.reshape(target, (-1,))
    kept = F.not_equal(labels, ignore_index)
    labels = F.select(kept, labels, F.zeros_like(labels))
    shares = F.cast(kept, rows.dtype)
    if weight is not None:
        shares = shares * F.gather(weight, labels, 0)
    losses = F.sparse_softmax_cross_entropy(rows, labels) * shares
    if label_smoothing > 0.0:
        scores = F.log_softmax(rows, -1)
        spread = F.reduce_sum(scores if weight is None else scores * weight, (1,)) * F.cast(kept, rows.dtype)
        losses = losses * (1.0 - label_smoothing) - spread * (label_smoothing / rows.shape[1])
    if reduction == "mean":
        return F.reduce_sum(losses) / F.reduce_sum(shares)
    return F.reduce_sum(losses) if reduction == "sum" else F.reshape(losses, target.shape)


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
    return _reduced(losses, reduction)


__all__ = offered(globals())
