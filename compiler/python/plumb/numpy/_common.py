"""What the functions of `plumb.numpy` share: operands as tensors, element types, axes, shapes; in the parsable subset.

Numbers and nested lists become tensors of NumPy's kinds at 32 bits: bool, int32 or float32.
"""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops._checks import COMPLEX, FLOATS, all_axes, one_axis


def literal_type(value):
    """The element type of a number, or of nested lists of numbers and tensors; numbers are of 32 bits."""
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, (list, tuple)):
        if len(value) == 0:
            return mstype.float32
        kind = mstype.bool_
        for item in value:
            kind = joined_type(kind, literal_type(item))
        return kind
    return mstype.bool_ if isinstance(value, bool) else mstype.int32 if isinstance(value, int) else mstype.float32


_UNSIGNED, _SIGNED = (mstype.uint8, mstype.uint16, mstype.uint32), (mstype.int8, mstype.int16, mstype.int32, mstype.int64)


def joined_type(left, right):
    """The element type in which tensors of two types meet; with unsigned ones as NumPy has it, one that holds both."""
    if left in _UNSIGNED and right in _UNSIGNED:
        return _UNSIGNED[max(_UNSIGNED.index(left), _UNSIGNED.index(right))]
    for unsigned, signed in ((left, right), (right, left)):
        if unsigned in _UNSIGNED and signed in _SIGNED:
            return _SIGNED[max(_UNSIGNED.index(unsigned) + 1, _SIGNED.index(signed))]
    return left if left == right else (Tensor(0, left) + Tensor(0, right)).dtype


def holds_tensors(value):
    """Whether a tensor stands in nested lists."""
    if isinstance(value, (list, tuple)):
        for item in value:
            if holds_tensors(item):
                return True
        return False
    return isinstance(value, Tensor)


def tensor(value, dtype=None):
    """A tensor of a tensor, number or nested list, converted to `dtype` when that is given."""
    if isinstance(value, Tensor):
        return converted(value, dtype)
    if holds_tensors(value):
        kind = literal_type(value) if dtype is None else known_type(dtype)
        return F.stack(tuple([tensor(item, kind) for item in value]))
    return Tensor(value, literal_type(value) if dtype is None else known_type(dtype))


def known_type(dtype):
    """A dtype given as such, by name, or as Python's int (int32), float (float32) or bool; None stays."""
    if dtype is None:
        return None
    if dtype is int:
        return mstype.int32
    if dtype is float:
        return mstype.float32
    return Tensor(0, dtype).dtype


def converted(x, dtype):
    """`x` converted to `dtype`, or as it is when that is None."""
    if dtype is None:
        return x
    kind = known_type(dtype)
    return x if x.dtype == kind else F.cast(x, kind)


def floating(value):
    """A tensor of real numbers in floating point: integers and booleans become float32."""
    x = inexact(value)
    if x.dtype in COMPLEX:
        raise TypeError(f"a tensor of real numbers is needed here, but this one is of {x.dtype}")
    return x


def inexact(value):
    """A tensor of floating point, real or complex: integers and booleans become float32."""
    x = tensor(value)
    return x if x.dtype in FLOATS or x.dtype in COMPLEX else F.cast(x, mstype.float32)


def without_truths(value):
    """A tensor in which booleans are int32."""
    x = tensor(value)
    return F.cast(x, mstype.int32) if x.dtype == mstype.bool_ else x


def together(values):
    """Tensors of one element type: that in which all meet."""
    tensors = tuple([tensor(value) for value in values])
    kind = literal_type(tensors)
    return tuple([converted(x, kind) for x in tensors])


def count_up(number, dtype=mstype.int32):
    """The numbers 0, 1, … before `number`."""
    return F.arange(number, dtype)


def extents(shape):
    """A shape given as an int or a sequence, as a tuple."""
    return (shape,) if isinstance(shape, int) else tuple(shape)


def numbers(count):
    """0, 1, … before `count`: for functions with a parameter called `range`."""
    return tuple(range(count))


def product(numbers):
    """The product of ints."""
    result = 1
    for number in numbers:
        result = result * number
    return result


def common_shape(who, shapes):
    """The shape to which all shapes broadcast; raises ValueError when there is none."""
    rank = 0
    for shape in shapes:
        rank = len(shape) if len(shape) > rank else rank
    result = (1,) * rank
    for shape in shapes:
        longer = (1,) * (rank - len(shape)) + tuple(shape)
        for place in range(rank):
            if longer[place] != result[place] and longer[place] != 1 and result[place] != 1:
                raise ValueError(f"For '{who}', the shapes {shapes} cannot be broadcast to one")
        result = tuple([longer[place] if result[place] == 1 else result[place] for place in range(rank)])
    return result
