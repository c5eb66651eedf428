"""What public functions share: which element types they take, which axes they mean; in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F

FLOATS = (mstype.float16, mstype.float32, mstype.float64, mstype.bfloat16)
SIGNED = (mstype.int8, mstype.int16, mstype.int32, mstype.int64)
UNSIGNED = (mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64)
INTEGERS = SIGNED + UNSIGNED
COMPLEX = (mstype.complex64, mstype.complex128)


def tensor(who, x):
    """Returns `x`; raises TypeError when it is no tensor."""
    if not isinstance(x, Tensor):
        raise TypeError(f"For '{who}', the input must be a Tensor, but got {x}")
    return x


def beside(x, other):
    """Returns the tensor that `x`, a tensor or number, is beside the tensor `other`."""
    if isinstance(x, Tensor):
        return x
    if isinstance(x, float) and other.dtype not in FLOATS + COMPLEX:
        return F.fill(mstype.float32, (), x)
    if other.dtype == mstype.bool_ and not isinstance(x, bool):
        return F.fill(mstype.int32, (), x)
    return F.fill(other.dtype, (), x)


def both(who, x, y):
    """Returns two tensors for two tensors or numbers; raises TypeError when neither is a tensor."""
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        raise TypeError(f"For '{who}', one of the inputs must be a Tensor, but got {x} and {y}")
    return (x if isinstance(x, Tensor) else beside(x, y)), (y if isinstance(y, Tensor) else beside(y, x))


def real(who, x):
    """Returns `x`, integers and booleans converted to float32; raises TypeError when it is no tensor.

    Complex numbers stay: what is not offered for them is refused by the primitives.
    """
    tensor(who, x)
    return x if x.dtype in FLOATS or x.dtype in COMPLEX else F.cast(x, mstype.float32)


def floating(who, x):
    """Returns `x`; raises TypeError when it is no tensor of floating point."""
    tensor(who, x)
    if x.dtype not in FLOATS:
        raise TypeError(f"For '{who}', the input must be of float16, float32, float64 or bfloat16, but got {x.dtype}")
    return x


def inexact(who, x):
    """Returns `x`; raises TypeError when it is no tensor of floating point, real or complex."""
    return x if tensor(who, x).dtype in COMPLEX else floating(who, x)


def integers(who, x):
    """Returns `x`; raises TypeError when it is no tensor of integers."""
    tensor(who, x)
    if x.dtype not in INTEGERS:
        raise TypeError(f"For '{who}', the input must be of integers, but got {x.dtype}")
    return x


def one_axis(who, axis, rank):
    """Returns `axis` counted from the front; raises TypeError or ValueError when there is no such axis."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise TypeError(f"For '{who}', the axis must be an int, but got {axis}")
    extents = rank if rank > 0 else 1
    if axis < -extents or axis >= extents:
        raise ValueError(f"For '{who}', the axis must be in [{-extents}, {extents}), but got {axis}")
    return axis if axis >= 0 else axis + extents


def all_axes(who, axis, rank):
    """Returns the axes that an int, a tuple, or None or () for all of them means, counted from the front, each once."""
    if axis is None or isinstance(axis, (tuple, list)) and len(axis) == 0:
        return tuple(range(rank))
    given = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    found = ()
    for number in given:
        place = one_axis(who, number, rank)
        if place in found:
            raise ValueError(f"For '{who}', the axes must differ, but got {axis}")
        found = found + (place,)
    return found


def reduction(who, losses, how):
    """Losses averaged ("mean"), summed ("sum") or as they are ("none"); raises ValueError for another word."""
    if how not in ("mean", "sum", "none"):
        raise ValueError(f"For '{who}', the 'reduction' must be in ['mean', 'sum', 'none'], but got {how}")
    if how == "mean":
        return F.reduce_mean(losses)
    return F.reduce_sum(losses) if how == "sum" else losses


def extents(shape):
    """A shape that is an int, ints in a tuple or list, or a tensor of ints whose values are known."""
    if isinstance(shape, Tensor):
        shape = shape.tolist()
    return (shape,) if isinstance(shape, int) else tuple(shape)


def filled(dtype, shape, value):
    """A tensor filled with a number, or with a tensor of one. Ints of more than 53 bits are put together of halves, since `fill`
    takes an f64."""
    if isinstance(shape, Tensor):
        shape = extents(shape)
    if isinstance(value, Tensor):
        return F.broadcast_to(F.cast(F.reshape(value, ()), dtype), extents(shape))
    if isinstance(value, bool) or not isinstance(value, int) or dtype in FLOATS or -2 ** 53 <= value <= 2 ** 53:
        return F.fill(dtype, shape, value)
    return F.fill(dtype, shape, value // 2 ** 32) * 2 ** 32 + F.fill(dtype, shape, value % 2 ** 32)
