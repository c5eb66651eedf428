"""Public functions of arithmetic and reductions, with MindSpore's signatures, in the parsable subset.

Tensors come first and are passed by position; every other parameter has MindSpore's name and default.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _functions as F

neg, abs, exp, log, sqrt, rsqrt, square, reciprocal = (F.neg, F.abs, F.exp, F.log, F.sqrt, F.rsqrt, F.square,
                                                       F.reciprocal)
erf, floor, ceil, sign, sin, cos, tanh = F.erf, F.floor, F.ceil, F.sign, F.sin, F.cos, F.tanh
add, mul, pow, maximum, minimum, floor_div, mod, floor_mod = (F.add, F.mul, F.pow, F.maximum, F.minimum, F.floor_div,
                                                              F.mod, F.floor_mod)
equal, not_equal, less, less_equal, greater, greater_equal = (F.equal, F.not_equal, F.less, F.less_equal, F.greater,
                                                              F.greater_equal)
logical_and, logical_or, logical_not, any, all = F.logical_and, F.logical_or, F.logical_not, F.any, F.all
bitwise_and, bitwise_or, bitwise_xor, invert = F.bitwise_and, F.bitwise_or, F.bitwise_xor, F.invert
bitwise_left_shift, bitwise_right_shift = F.bitwise_left_shift, F.bitwise_right_shift
sub = F.sub


def subtract(input, other, *, alpha=1):
    """input - alpha * other."""
    return F.sub(input, other if alpha == 1 else other * alpha)


def div(input, other, *, rounding_mode=None):
    """Quotients; with `rounding_mode` "floor" rounded down, with "trunc" towards zero."""
    if rounding_mode == "floor":
        return F.floor_div(input, other)
    quotient = F.div(input, other)
    if rounding_mode is None:
        return quotient
    if rounding_mode != "trunc":
        raise ValueError("For 'div', 'rounding_mode' must be None, 'floor' or 'trunc'")
    return F.select(F.less(quotient, 0.0), F.ceil(quotient), F.floor(quotient))


def true_divide(dividend, divisor):
    """Quotients."""
    return F.div(dividend, divisor)


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """x held between the two values; None is no limit."""
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', 'clip_value_min' and 'clip_value_max' cannot both be None")
    if clip_value_max is not None:
        x = F.minimum(x, clip_value_max)
    if clip_value_min is not None:
        x = F.maximum(x, clip_value_min)
    return x


def matmul(input, other, transpose_a=False, transpose_b=False):
    """Matrix product as NumPy's: vectors are rows on the left and columns on the right, leading axes broadcast.

    Args:
      transpose_a, transpose_b: whether a matrix is transposed first; MindSpore has them in `ops.MatMul` alone.
    """
    if input.ndim > 1 and other.ndim > 1:
        return F.matmul(input, other, transpose_a, transpose_b)
    left = F.expand_dims(input, 0) if input.ndim == 1 else input
    right = F.expand_dims(other, 1) if other.ndim == 1 else other
    product = F.matmul(left, right, transpose_a and input.ndim > 1, transpose_b and other.ndim > 1)
    axes = ((-1,) if other.ndim == 1 else ()) + ((-2,) if input.ndim == 1 else ())
    return F.squeeze(product, axes)


def bmm(input_x, mat2):
    """Matrix products of a batch."""
    return F.matmul(input_x, mat2)


def reduce_sum(x, axis=(), keep_dims=False):
    """Sum over the axes; over all of them when `axis` is empty."""
    return F.reduce_sum(x, axis, keep_dims)


def reduce_mean(x, axis=(), keep_dims=False):
    """Mean over the axes; over all of them when `axis` is empty."""
    return F.reduce_mean(x, axis, keep_dims)


def reduce_max(x, axis=(), keep_dims=False):
    """Largest over the axes; over all of them when `axis` is empty."""
    return F.reduce_max(x, axis, keep_dims)


def reduce_min(x, axis=(), keep_dims=False):
    """Smallest over the axes; over all of them when `axis` is empty."""
    return F.reduce_min(x, axis, keep_dims)


def reduce_prod(x, axis=(), keep_dims=False):
    """Product over the axes; over all of them when `axis` is empty."""
    return F.reduce_prod(x, axis, keep_dims)


def mean(x, axis=None, keep_dims=False):
    """Mean over the axes; over all of them when `axis` is None or empty."""
    return F.reduce_mean(x, () if axis is None else axis, keep_dims)


def sum(input, dim=None, keepdim=False, *, dtype=None):
    """Sum over the axes, over all of them when `dim` is None; of elements converted to `dtype` when that is given."""
    if dtype is not None:
        input = F.cast(input, dtype)
    return F.reduce_sum(input, () if dim is None else dim, keepdim)


def argmax(input, dim=None, keepdim=False):
    """Place of the first largest element along an axis, as int64; among all elements in order when `dim` is None."""
    if dim is None:
        return F.cast(F.argmax(F.reshape(input, (-1,)), 0), mstype.int64)
    place = F.cast(F.argmax(input, dim), mstype.int64)
    return F.expand_dims(place, dim) if keepdim else place


__all__ = offered(globals())
