"""Tensors made of nothing but numbers, with MindSpore's signatures, in the parsable subset."""

import builtins
import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def fill(type, shape, value):
    """A tensor of `type` and `shape` filled with `value`."""
    return _checks.filled(type, shape, value)


def fills(x, value):
    """The shape and element type of `x`, filled with a number or a tensor of one element."""
    return _checks.filled(x.dtype, x.shape, value)


def eps(x):
    """A tensor in the shape of x that holds MindSpore's small number of its type: 2^-14, 2^-16, 2^-52 for f16, f32, f64."""
    _checks.floating("eps", x)
    size = 2.0 ** -14 if x.dtype == mstype.float16 else 2.0 ** -16
    return fills(x, 2.0 ** -52 if x.dtype == mstype.float64 else size)


def full(size, fill_value, *, dtype=None):
    """A tensor of a shape filled with a number, or a tensor of one; of its type by default: int64, float32 or bool for numbers.

    MindSpore 2.0.0 takes int64 by default and cuts 1.5 to 1.
    """
    return _checks.filled(_type_of(fill_value) if dtype is None else dtype, size, fill_value)


def full_like(input, fill_value, *, dtype=None):
    """The shape of `input` filled with a number, of its element type by default."""
    return _checks.filled(input.dtype if dtype is None else dtype, input.shape, fill_value)


def _type_of(number):
    if isinstance(number, _checks.Tensor):
        return number.dtype
    if isinstance(number, bool):
        return mstype.bool_
    return mstype.int64 if isinstance(number, int) else mstype.float32


def ones(shape, dtype=None):
    """A tensor of ones, of float32 by default."""
    return _checks.filled(mstype.float32 if dtype is None else dtype, shape, 1)


def zeros(size, dtype=None):
    """A tensor of zeros, of float32 by default."""
    return _checks.filled(mstype.float32 if dtype is None else dtype, size, 0)


def ones_like(input, *, dtype=None):
    """Ones in the shape of `input`, of its element type by default."""
    return F.fill(input.dtype if dtype is None else dtype, input.shape, 1)


def zeros_like(input, *, dtype=None):
    """Zeros in the shape of `input`, of its element type by default."""
    return F.fill(input.dtype if dtype is None else dtype, input.shape, 0)


def eye(n, m=None, dtype=None):
    """A matrix of `n` rows and `m` columns (`n` by default) with ones on the diagonal, of float32 by default."""
    return F.eye(n, n if m is None else m, mstype.float32 if dtype is None else dtype)


def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """Rows of `depth` elements, on an axis put in at `axis`: `on_value` at the index, `off_value` elsewhere.

    The values are tensors or numbers; the result has their element type (float32 for numbers).
    """
    if isinstance(on_value, (int, float)):
        rows = F.one_hot(indices, depth, on_value, off_value)
    else:
        rows = F.select(F.greater(F.one_hot(indices, depth), 0.5), on_value, off_value)
    last = indices.ndim
    if axis < 0 or axis == last:
        return rows
    return F.transpose(rows, tuple(builtins.range(axis)) + (last,) + tuple(builtins.range(axis, last)))


def _scalar(x):
    """The number in a tensor of one element; a number as it is."""
    return x.item() if isinstance(x, _checks.Tensor) else x


def _steps(start, step, count, dtype):
    """start + i * step for `count` numbers i."""
    if dtype in _checks.FLOATS:
        return F.cast(F.cast(F.arange(count), mstype.float64) * (1.0 * step) + 1.0 * start, dtype)
    return F.arange(count, dtype) * step + start


def arange(start=0, end=None, step=1, *, dtype=None):
    """The numbers from `start` to before `end` in steps; from 0 to before `start` when `end` is None.

    Where `dtype` is None: of float64 if one is a Tensor of that, else of float32 if one is a float; of int32 if all three are
    Tensors of that, else of int64.
    """
    given = (start, end, step) if end is not None else (start,)
    if end is None:
        start, end = 0, start
    first, last, gap = _scalar(start), _scalar(end), _scalar(step)
    if gap == 0 or gap > 0 and first > last or gap < 0 and first < last:
        raise ValueError(f"For 'arange', 'step' must lead from 'start' to 'end', but got {first}, {last}, {gap}")
    whole = isinstance(first, int) and isinstance(last, int) and isinstance(gap, int)
    if dtype is None:
        dtype = _type_of_steps(given, whole)
    count = -((first - last) // gap) if whole else math.ceil((last - first) / gap)
    return _steps(first, gap, count, dtype)


def _type_of_steps(given, whole):
    """The element type of numbers from, to and by which one counts."""
    kinds = [number.dtype if isinstance(number, _checks.Tensor) else mstype.int64 for number in given]
    if whole:
        return mstype.int32 if all(kind == mstype.int32 for kind in kinds) else mstype.int64
    return mstype.float64 if mstype.float64 in kinds else mstype.float32


def range(start, end, step, maxlen=1000000):
    """The numbers from `start` to before `end` in steps: of int64 when all three are ints, else of float32.

    Tensors of one element give their own element type. Raises ValueError for more than `maxlen` numbers.
    """
    numbers = (start, end, step)
    kinds = [number.dtype for number in numbers if isinstance(number, _checks.Tensor)]
    found = arange(start, end, step, dtype=kinds[0] if len(kinds) > 0 else None)
    if found.shape[0] > maxlen:
        raise ValueError(f"For 'range', there are {found.shape[0]} numbers, more than 'maxlen' {maxlen}")
    return found


def linspace(start, end, steps):
    """`steps` numbers from `start` to `end`, both included, evenly apart; of float32 for numbers.

    Tensors of any shape give a new last axis, of their element type.
    """
    if isinstance(steps, _checks.Tensor):
        steps = steps.item()
    if steps < 1:
        raise ValueError(f"For 'linspace', 'steps' must be positive, but got {steps}")
    kind = mstype.float32
    if isinstance(start, _checks.Tensor) or isinstance(end, _checks.Tensor):
        start, end = _checks.both("linspace", start, end)
        kind = start.dtype
        start, end = F.expand_dims(start, -1), F.expand_dims(end, -1)
    if steps == 1:
        return F.add(start, F.fill(kind, (1,), 0))
    shares = F.cast(F.arange(steps), mstype.float64) / (steps - 1.0)
    # Of both ends, so that neither is missed by rounding.
    line = F.add(F.mul(1.0 - shares, start), F.mul(shares, end))
    return F.cast(line, kind)


def logspace(start, end, steps, base=10, *, dtype=mstype.float32):
    """base^x for `steps` numbers x from `start` to `end`, evenly apart."""
    shares = F.cast(F.arange(steps), mstype.float64) / (steps - 1.0 if steps > 1 else 1.0)
    return F.cast(F.pow(1.0 * base, F.add(F.mul(1.0 - shares, start), F.mul(shares, end))), dtype)


def sequence_mask(lengths, maxlen=None):
    """Rows of bool, true at as many first places as each length says.

    Args:
      maxlen: the extent of the rows; by default the largest length, which must then be known before compilation.
    """
    extent = F.reduce_max(lengths).item() if maxlen is None else maxlen
    return F.less(F.arange(extent), F.expand_dims(lengths, -1))


def vander(x, N=None):
    """Rows of powers of a vector's elements, from N - 1 down to 0; N is its extent by default."""
    count = x.shape[0] if N is None else N
    powers = F.cast(count - 1 - F.arange(count), x.dtype)
    return F.pow(F.expand_dims(x, 1), powers)


def tuple_to_array(input_x):
    """A tensor of a tuple of numbers: int64 or float32.

    MindSpore 2.0.0 gives int32 for ints.
    """
    kind = mstype.int64
    for number in input_x:
        kind = mstype.float32 if isinstance(number, float) else kind
    return _checks.Tensor(input_x, kind)


def scalar_to_tensor(input_x, dtype=mstype.float32):
    """A tensor of one number."""
    return _checks.filled(dtype, (), input_x)


def scalar_to_array(input_x):
    """A tensor of one number, of the number's type.

    An int becomes int64; MindSpore 2.0.0 gives int32.
    """
    return _checks.filled(_type_of(input_x), (), input_x)


def scalar_cast(input_x, input_y):
    """A number converted to an element type: an int, a float or a bool."""
    if input_y in _checks.FLOATS:
        return float(input_x)
    return bool(input_x) if input_y == mstype.bool_ else int(input_x)


__all__ = offered(globals())
