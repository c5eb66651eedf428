"""ONNX operators on quantised numbers, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.onnx._contractions import centred, conv_integer, product_of_integers, rows_beside
from plumb.onnx._registry import operator
from plumb.onnx._values import positive, tensor

_LIMITS = {mstype.uint8: (0, 255), mstype.int8: (-128, 127), mstype.uint16: (0, 65535), mstype.int16: (-32768, 32767)}


def _beside(value, x, axis):
    """Scales or zero points of slices along an axis, as they stand beside x."""
    value = tensor(value)
    return F.reshape(value, (-1,) + (1,) * (x.ndim - positive(axis, x.ndim) - 1)) if value.ndim == 1 and value.shape[0] > 1 else F.reshape(value, ())


def _saturated(x, dtype):
    """Whole floats as integers within the limits of a type."""
    low, high = _LIMITS[dtype]
    return F.cast(F.cast(F.maximum(F.minimum(x, 1.0 * high), 1.0 * low), mstype.int32), dtype)


@operator("QuantizeLinear")
def quantize_linear(x, scale, zero_point=None, axis=1):
    """round(x / scale) + zero point, halves to even, within the limits of its type."""
    x = tensor(x)
    dtype = mstype.uint8 if zero_point is None else tensor(zero_point).dtype
    made = F.round(F.cast(x, mstype.float32) / _beside(scale, x, axis))
    return _saturated(made if zero_point is None else made + F.cast(_beside(zero_point, x, axis), mstype.float32), dtype)


@operator("DequantizeLinear")
def dequantize_linear(x, scale, zero_point=None, axis=1):
    """(x - zero point) * scale."""
    x = tensor(x)
    made = F.cast(x, mstype.int32)
    made = made if zero_point is None else made - F.cast(_beside(zero_point, x, axis), mstype.int32)
    return F.cast(made, tensor(scale).dtype) * _beside(scale, x, axis)


@operator("DynamicQuantizeLinear")
def dynamic_quantize_linear(x):
    """x as uint8 with the scale and zero point of its own range, which takes in 0: all three."""
    low, high = F.minimum(F.reduce_min(x), 0.0), F.maximum(F.reduce_max(x), 0.0)
    scale = (high - low) / 255.0
    zero = F.round(F.maximum(F.minimum(0.0 - low / scale, 255.0), 0.0))
    return _saturated(F.round(x / scale) + zero, mstype.uint8), scale, F.cast(F.cast(zero, mstype.int32), mstype.uint8)


def _scaled(sums, scale, zero_point):
    """int32 sums by a scale, as integers of the zero point's type."""
    zero = tensor(zero_point)
    return _saturated(F.round(F.cast(sums, mstype.float32) * scale) + F.cast(zero, mstype.float32), zero.dtype)


@operator("QLinearMatMul")
def quantised_matmul(a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point):
    """The product of quantised matrices, quantised."""
    sums = product_of_integers(centred(a, rows_beside(a_zero_point, a)), centred(b, b_zero_point))
    return _scaled(sums, rows_beside(a_scale, a) * tensor(b_scale) / tensor(y_scale), y_zero_point)


@operator("QLinearConv")
def quantised_conv(x, x_scale, x_zero_point, weight, w_scale, w_zero_point, y_scale, y_zero_point, bias=None, auto_pad="NOTSET", dilations=None,
                   group=1, kernel_shape=None, pads=None, strides=None):
    """A convolution of quantised images, quantised; the bias is of the scale x_scale * w_scale."""
    own = (-1,) + (1,) * (weight.ndim - 2)
    sums = conv_integer(x, weight, x_zero_point, w_zero_point, auto_pad, dilations, group, kernel_shape, pads, strides)
    sums = sums if bias is None else F.bias_add(sums, tensor(bias))
    factor = F.reshape(tensor(w_scale), own if tensor(w_scale).size > 1 else ())
    return _scaled(sums, factor * F.reshape(tensor(x_scale), ()) / F.reshape(tensor(y_scale), ()), y_zero_point)
