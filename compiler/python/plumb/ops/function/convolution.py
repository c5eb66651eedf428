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


def conv1d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """1-D convolution of (N, C, L) or (C, L) with a weight (O, C / groups, K); see `conv2d`."""
    if input.ndim == 2:
        return F.squeeze(conv1d(F.expand_dims(input, 0), weight, bias, stride, pad_mode, padding, dilation, groups), (0,))
    sides = _both("padding", padding, 2)
    result = conv2d(F.expand_dims(input, 2), F.expand_dims(weight, 2), bias, (1, _both("stride", stride, 1)[0]), pad_mode,
                    (0, 0) + sides, (1, _both("dilation", dilation, 1)[0]), groups)
    return F.squeeze(result, (2,))


def _both(name, value, count):
    """An int, or a tuple of one, as a tuple of `count`."""
    values = (value,) if isinstance(value, int) else tuple(value)
    if len(values) == 1:
        values = values * count
    if len(values) != count:
        raise ValueError(f"The '{name}' must be an int or {count} of them, but got {value}")
    return values


__all__ = offered(globals())
