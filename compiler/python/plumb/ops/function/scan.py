"""Scans along an axis and sums by segment, with MindSpore's signatures, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def _number(axis):
    """An axis of an int or a tensor of one element."""
    return axis.item() if isinstance(axis, _checks.Tensor) else axis


def _converted(x, dtype):
    return x if dtype is None else F.cast(x, dtype)


def cumsum(x, axis, dtype=None):
    """Sums of the elements up to each along an axis; of elements converted to `dtype` when that is given."""
    return F.cumsum(_converted(x, dtype), _checks.one_axis("cumsum", _number(axis), x.ndim))


def cumprod(input, dim, dtype=None):
    """Products of the elements up to each along an axis; of elements converted to `dtype` when that is given."""
    return F.cumprod(_converted(input, dtype), _checks.one_axis("cumprod", _number(dim), input.ndim))


def cummax(input, axis):
    """The largest of the elements up to each along an axis, and the place of the last such element, int64."""
    values, places = F.cummax(input, _checks.one_axis("cummax", axis, input.ndim))
    return values, F.cast(places, mstype.int64)


def cummin(input, axis):
    """The smallest of the elements up to each along an axis, and the place of the last such element, int32."""
    return F.cummin(input, _checks.one_axis("cummin", axis, input.ndim))


def scan_sum(x, axis, exclusive=False, reverse=False):
    """`cumsum` that leaves each element itself out (`exclusive`), or begins at the end (`reverse`)."""
    return F.cumsum(x, _checks.one_axis("CumSum", _number(axis), x.ndim), exclusive, reverse)


def scan_product(x, axis, exclusive=False, reverse=False):
    """`cumprod` that leaves each element itself out (`exclusive`), or begins at the end (`reverse`)."""
    return F.cumprod(x, _checks.one_axis("CumProd", _number(axis), x.ndim), exclusive, reverse)


def logcumsumexp(input, axis):
    """log(cumsum(exp(x))) along an axis, without overflow."""
    return scan_log(input, axis)


def scan_log(x, axis, exclusive=False, reverse=False):
    """`logcumsumexp` that leaves each element itself out (`exclusive`), or begins at the end (`reverse`).

    The largest element up to each is subtracted there. It changes at most once at each, and so does the factor by which the
    sum so far is scaled: s[k] = s[k-1] * exp(m[k-1] - m[k]) + exp(x[k] - m[k]), a linear recurrence.
    """
    axis = _checks.one_axis("logcumsumexp", _number(axis), _checks.floating("logcumsumexp", x).ndim)
    extent = x.shape[axis]
    if reverse:
        x = F.gather(x, extent - 1 - F.arange(extent), axis)
    largest = F.stop_gradient(F.cummax(x, axis)[0])
    # Infinities are no number to subtract.
    shift = F.select(F.equal(F.sub(largest, largest), 0.0), largest, F.zeros_like(largest))
    before = F.concat((F.part(shift, axis, 0, 1), F.part(shift, axis, 0, extent - 1)), axis)
    total = F.log(F.linear_recurrence(F.exp(before - shift), F.exp(x - shift), axis)) + shift
    if exclusive:
        first = F.fill(x.dtype, F.part(x, axis, 0, 1).shape, _lowest(x.dtype))
        total = F.concat((first, F.part(total, axis, 0, extent - 1)), axis)
    return F.gather(total, extent - 1 - F.arange(extent), axis) if reverse else total


def _lowest(dtype):
    """The smallest finite number of a type of floating point."""
    if dtype == mstype.float16:
        return -65504.0
    return -1.7976931348623157e308 if dtype == mstype.float64 else -3.4028234663852886e38


def diff(x, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times; `prepend` and `append` are put at the ends before.

    Of booleans it says where neighbours differ. Raises ValueError when no difference is left.
    """
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"For 'diff', 'n' must be an int of at least 0, but got {n}")
    axis = _checks.one_axis("diff", axis, x.ndim)
    parts = (() if prepend is None else (prepend,)) + (x,) + (() if append is None else (append,))
    x = F.concat(parts, axis) if len(parts) > 1 else x
    for _ in range(n):
        extent = x.shape[axis]
        if extent < 2:
            raise ValueError("For 'diff', no difference is left; tensors have one element at least")
        later, earlier = F.part(x, axis, 1, extent), F.part(x, axis, 0, extent - 1)
        x = F.not_equal(later, earlier) if x.dtype == mstype.bool_ else later - earlier
    return x


def trapz(y, x=None, *, dx=1.0, dim=-1):
    """The integral along an axis by the trapezoidal rule, at places `x` or `dx` apart; of f16 at places as f32."""
    axis = _checks.one_axis("trapz", dim, _checks.real("trapz", y).ndim)
    y = _checks.real("trapz", y)
    y = F.cast(y, mstype.float32) if y.dtype == mstype.float16 and x is not None else y
    extent = y.shape[axis]
    heights = (F.part(y, axis, 1, extent) + F.part(y, axis, 0, extent - 1)) * 0.5
    if x is None:
        return F.reduce_sum(heights * dx, (axis,))
    if x.ndim == 1:
        x = F.reshape(x, (-1,) + (1,) * (y.ndim - 1 - axis))
        return F.reduce_sum(heights * diff(x, 1, 0), (axis,))
    return F.reduce_sum(heights * diff(x, 1, axis - y.ndim), (axis,))


# -- segments


def _segments(x, segment_ids, num_segments, mode, start):
    """`start` in as many segments, changed by each slice of x at the segment that it belongs to; others change nothing."""
    count = _number(num_segments)
    rank = segment_ids.ndim
    if x.shape[:rank] != segment_ids.shape:
        raise ValueError(f"The shape of 'segment_ids', {segment_ids.shape}, must be the first extents of {x.shape}")
    rest = x.shape[rank:]
    rows, numbers = F.reshape(x, (-1,) + rest), F.reshape(segment_ids, (-1,))
    return F.scatter(F.broadcast_to(start, (count,) + rest), numbers, rows, mode)


def _least(dtype):
    """The smallest number of an element type."""
    if dtype in _checks.FLOATS:
        return _lowest(dtype)
    if dtype in _checks.UNSIGNED:
        return 0
    if dtype in (mstype.int8, mstype.int16):
        return -128 if dtype == mstype.int8 else -32768
    return -2147483648 if dtype == mstype.int32 else -2 ** 62 * 2


def _greatest(dtype):
    """The largest number of an element type, as a tensor; the bits of the smallest integer inverted, since 2^63 - 1 is no f64."""
    least = F.fill(dtype, (), _least(dtype))
    return F.neg(least) if dtype in _checks.FLOATS else F.invert(least)


def unsorted_segment_sum(input_x, segment_ids, num_segments):
    """The sums of the slices of each segment; 0 in an empty one. Slices of no segment are left out."""
    return _segments(input_x, segment_ids, num_segments, "add", F.fill(input_x.dtype, (), 0))


def unsorted_segment_prod(x, segment_ids, num_segments):
    """The products of the slices of each segment; 1 in an empty one."""
    return _segments(x, segment_ids, num_segments, "mul", F.fill(x.dtype, (), 1))


def unsorted_segment_max(x, segment_ids, num_segments):
    """The largest of the slices of each segment; the element type's smallest number in an empty one.

    MindSpore 2.0.0 has an infinity there for float16.
    """
    return _segments(x, segment_ids, num_segments, "max", F.fill(x.dtype, (), _least(x.dtype)))


def unsorted_segment_min(x, segment_ids, num_segments):
    """The smallest of the slices of each segment; the element type's largest number in an empty one.

    MindSpore 2.0.0 has an infinity there for float16.
    """
    return _segments(x, segment_ids, num_segments, "min", _greatest(x.dtype))


def count_of(segment_ids):
    """One more than the last of sorted segment numbers, which must be known before compilation."""
    return F.reduce_max(segment_ids).item() + 1


def _or_zero(found, x, segment_ids, count):
    """Results with zeros in empty segments."""
    sizes = F.scatter(F.fill(mstype.int32, (count,), 0), segment_ids, F.ones_like(F.cast(segment_ids, mstype.int32)), "add")
    filled = F.reshape(F.greater(sizes, 0), (count,) + (1,) * (x.ndim - 1))
    return F.select(filled, found, F.zeros_like(found))


def segment_sum(input_x, segment_ids):
    """The sums of the slices of each of sorted segments; 0 in an empty one."""
    return unsorted_segment_sum(input_x, segment_ids, count_of(segment_ids))


def segment_prod(input_x, segment_ids):
    """The products of the slices of each of sorted segments; 1 in an empty one."""
    return unsorted_segment_prod(input_x, segment_ids, count_of(segment_ids))


def segment_max(input_x, segment_ids):
    """The largest of the slices of each of sorted segments; 0 in an empty one."""
    count = count_of(segment_ids)
    return _or_zero(unsorted_segment_max(input_x, segment_ids, count), input_x, segment_ids, count)


def segment_min(input_x, segment_ids):
    """The smallest of the slices of each of sorted segments; 0 in an empty one."""
    count = count_of(segment_ids)
    return _or_zero(unsorted_segment_min(input_x, segment_ids, count), input_x, segment_ids, count)


def segment_mean(input_x, segment_ids):
    """The means of the slices of each of sorted segments; 0 in an empty one."""
    count = count_of(segment_ids)
    sizes = F.scatter(F.fill(input_x.dtype, (count,), 0), segment_ids, F.ones_like(F.cast(segment_ids, input_x.dtype)), "add")
    sizes = F.reshape(F.maximum(sizes, 1), (count,) + (1,) * (input_x.ndim - 1))
    return unsorted_segment_sum(input_x, segment_ids, count) / sizes


__all__ = [name for name in offered(globals()) if name[:5] != "scan_" and name[:8] != "segment_" and name != "count_of"]
