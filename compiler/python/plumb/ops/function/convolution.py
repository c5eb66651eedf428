"""Convolutions and pooling, with MindSpore's signatures, in the parsable subset."""

from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _windows as W

bias_add = F.bias_add


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


__all__ = offered(globals())
