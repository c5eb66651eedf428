"""Sorting, searching and counting, with MindSpore's signatures, in the parsable subset.

Functions whose result's extent depends on values (`unique`, `nonzero`, `masked_select` …) work outside of compiled functions,
where a tensor's values are known; inside, the compiler says so at the place of use.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.index import gather_elements


# -- sorting


def sort(input_x, axis=-1, descending=False):
    """The elements sorted along an axis, and the place that each had, int32; equal ones keep their order, NaN is the largest."""
    return F.sort(input_x, _checks.one_axis("sort", axis, input_x.ndim), descending)


def argsort(input, axis=-1, descending=False):
    """The places of the elements along an axis in sorted order, int32."""
    return sort(input, axis, descending)[1]


def msort(input):
    """The elements sorted along axis 0."""
    return sort(input, 0)[0]


def topk(input, k, dim=None, largest=True, sorted=True):
    """The k largest (smallest) elements along an axis, by default the last, in order, and their places, int32."""
    axis = _checks.one_axis("topk", -1 if dim is None else dim, input.ndim)
    if k > input.shape[axis]:
        raise ValueError(f"For 'topk', 'k' must be at most {input.shape[axis]}, but got {k}")
    values, places = F.sort(input, axis, largest)
    return F.part(values, axis, 0, k), F.part(places, axis, 0, k)


def top_k(input_x, k, sorted=True):
    """The k largest elements of the last axis in order, and their places, int32."""
    return topk(input_x, k)


def nth_element(x, n, reverse=False):
    """The element of the last axis that has the number n in ascending (descending) order."""
    number = n.item() if isinstance(n, _checks.Tensor) else n
    values = F.sort(x, x.ndim - 1, reverse)[0]
    return F.squeeze(F.part(values, x.ndim - 1, number, number + 1), (-1,))


def _picked(x, places, axis, keepdims):
    """Elements of x at places along an axis, which is kept or not."""
    found = F.take_along(x, F.expand_dims(places, axis), axis)
    return found if keepdims else F.squeeze(found, (axis,))


def _median(who, input, axis, keepdims, skips_nan):
    axis = _checks.one_axis(who, axis, input.ndim)
    values, places = F.sort(input, axis)
    missing = F.not_equal(input, input)
    count = F.reduce_sum(F.cast(F.logical_not(missing), mstype.int32), (axis,))
    total = F.fill(mstype.int32, count.shape, input.shape[axis])
    middle = F.floor_div(F.maximum(count if skips_nan else total, 1) - 1, 2)
    if not skips_nan:
        # A NaN makes the median one: NaN are sorted last.
        middle = F.select(F.equal(count, total), middle, count)
    return _picked(values, middle, axis, keepdims), F.cast(_picked(places, middle, axis, keepdims), mstype.int64)


def median(input, axis=-1, keepdims=False):
    """The lower one of the elements in the middle of sorted order along an axis, and its place, int64; NaN if one is NaN."""
    return _median("median", input, axis, keepdims, False)


def nanmedian(input, axis=-1, keepdims=False):
    """`median` of what is no NaN; NaN where all are."""
    return _median("nanmedian", input, axis, keepdims, True)


def global_median(x):
    """The lower one of the elements in the middle of sorted order among all, and 0, int64."""
    return median(F.reshape(x, (-1,)), 0)[0], F.fill(mstype.int64, (), 0)


def quantile(input, q, axis=None, keepdims=False):
    """Quantiles along an axis, of all elements when it is None, between two elements by linear interpolation.

    Args:
      q: a number from 0 to 1, or a vector of them, which gives a new first axis.
    """
    return _quantile("quantile", input, q, axis, keepdims, False)


def nanquantile(input, q, axis=None, keepdims=False):
    """`quantile` of what is no NaN; NaN where all are."""
    return _quantile("nanquantile", input, q, axis, keepdims, True)


def quantile_of(x, q, axis=None, keepdims=False, ignore_nan=False):
    """`nanquantile` if `ignore_nan`, else `quantile`."""
    return _quantile("Quantile", x, q, axis, keepdims, ignore_nan)


def _quantile(who, input, q, axis, keepdims, skips_nan):
    x = _checks.floating(who, input)
    shape = x.shape if axis is None else x.shape[:_checks.one_axis(who, axis, x.ndim)] + (1,) + x.shape[_checks.one_axis(
        who, axis, x.ndim) + 1:]
    kept = tuple([1 for _ in x.shape]) if axis is None else shape
    x = F.reshape(x, (-1,)) if axis is None else x
    axis = 0 if axis is None else _checks.one_axis(who, axis, x.ndim)
    shares = q if isinstance(q, _checks.Tensor) else F.fill(x.dtype, (), q)
    single, shares = shares.ndim == 0, F.reshape(F.cast(shares, x.dtype), (-1,))
    values = F.sort(x, axis)[0]
    valid = F.reduce_sum(F.cast(F.equal(x, x), mstype.int32), (axis,), True)
    extent = F.zeros_like(valid) + x.shape[axis]
    last = F.maximum((valid if skips_nan else extent) - 1, 0)
    results = ()
    for number in range(shares.shape[0]):
        place = F.part(shares, 0, number, number + 1)
        place = F.reshape(place, (1,) * x.ndim) * F.cast(last, x.dtype)
        low = F.cast(F.floor(F.stop_gradient(place)), mstype.int32)
        high = F.minimum(low + 1, last)
        first, second = F.take_along(values, low, axis), F.take_along(values, high, axis)
        found = first + (second - first) * (place - F.cast(low, x.dtype))
        if not skips_nan:
            found = F.select(F.equal(valid, extent), found, F.fill(x.dtype, (), float("nan")))
        found = F.reshape(found, kept) if keepdims else F.squeeze(found, (axis,))
        results = results + (found,)
    return results[0] if single else F.stack(results, 0)


# -- searching


def searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None):
    """How many elements of a sorted sequence are below each value (not above it if `right`), as int64 or int32.

    Args:
      sorted_sequence: a vector, or one in the last axis for each of the values' leading axes.
      side: "right" is as `right`, "left" as its default.
      sorter: where the elements stand in order, in the sequence's shape, if it is not sorted.
    """
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ValueError(f"For 'searchsorted', 'side' must be 'left' or 'right', and not against 'right', but got {side}")
    right = right or side == "right"
    if sorter is not None:
        sorted_sequence = gather_elements(sorted_sequence, -1, sorter)
    if not isinstance(values, _checks.Tensor):
        values = F.fill(sorted_sequence.dtype, (), values)
    if sorted_sequence.ndim > 1 and sorted_sequence.shape[:-1] != values.shape[:-1]:
        raise ValueError(f"For 'searchsorted', {sorted_sequence.shape} and {values.shape} differ before the last axis")
    return F.cast(_counted(sorted_sequence, values, right), mstype.int32 if out_int32 else mstype.int64)


def _counted(sequence, values, right):
    """How many elements of the sequences are below (not above) each value."""
    beside = F.expand_dims(values, -1)
    sequence = sequence if sequence.ndim == 1 else F.expand_dims(sequence, -2)
    below = F.less_equal(sequence, beside) if right else F.less(sequence, beside)
    return F.reduce_sum(F.cast(below, mstype.int32), (-1,))


def bound_below(sorted_x, values, out_type):
    """For each row: how many elements are below each value."""
    return F.cast(_counted(sorted_x, values, False), out_type)


def bound_above(sorted_x, values, out_type):
    """For each row: how many elements are not above each value."""
    return F.cast(_counted(sorted_x, values, True), out_type)


def bucketize(input, boundaries, *, right=False):
    """How many of sorted boundaries are below each element (not above it if `right`), as int32."""
    kind = input.dtype if input.dtype in _checks.FLOATS else mstype.float32
    return _counted(_checks.Tensor(tuple(boundaries), kind), input, right)


def buckets_of(x, boundaries):
    """How many of sorted boundaries are not above each element, as int32."""
    return bucketize(x, boundaries, right=True)


def intopk(x1, x2, k):
    """Whether fewer than k scores of each row are above that of its class."""
    scores = F.take_along(x1, F.expand_dims(x2, 1), 1)
    above = F.reduce_sum(F.cast(F.greater(x1, scores), mstype.int32), (1,))
    finite = F.equal(F.sub(scores, scores), 0)
    return F.logical_and(F.less(above, k), F.squeeze(finite, (1,)))


# -- counting


def histc(input, bins=100, min=0.0, max=0.0):
    """How many elements fall into each of `bins` equal parts of [min, max], int32; of the elements' own range when both are 0.

    Elements outside are not counted; `max` falls into the last part.
    """
    if bins <= 0 or min > max:
        raise ValueError(f"For 'histc', 'bins' must be positive and 'min' at most 'max', but got {bins}, {min}, {max}")
    x = F.cast(F.reshape(input, (-1,)), mstype.float32)
    low, high = F.fill(mstype.float32, (), min), F.fill(mstype.float32, (), max)
    if min == max:
        low, high = (F.reduce_min(x), F.reduce_max(x)) if min == 0.0 else (low, high)
        single = F.equal(low, high)
        low, high = F.select(single, low - 1.0, low), F.select(single, high + 1.0, high)
    places = F.cast(F.floor((x - low) * (1.0 * bins) / (high - low)), mstype.int32)
    places = F.select(F.equal(x, high), bins - 1, places)
    places = F.select(F.logical_and(F.greater_equal(x, low), F.less_equal(x, high)), places, -1)
    return _tally(places, bins)


def _tally(places, count):
    return F.scatter(F.fill(mstype.int32, (count,), 0), places, F.ones_like(places), "add")


def histogram_fixed_width(x, range, nbins, dtype=mstype.int32):
    """How many elements fall into each of `nbins` equal parts of a range of two; those outside count at its ends."""
    low, high = F.squeeze(F.part(range, 0, 0, 1), (0,)), F.squeeze(F.part(range, 0, 1, 2), (0,))
    places = F.cast(F.floor((F.reshape(x, (-1,)) - low) * (1.0 * nbins) / (high - low)), mstype.int32)
    return F.cast(_tally(F.minimum(F.maximum(places, 0), nbins - 1), nbins), dtype)


def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on occurs, or the sum of its weights, float32 or wider; up to the largest, at least `minlength`.

    How many there are depends on values, so it cannot be compiled with a gradient, which MindSpore 2.0.0 gives by the weights;
    `ops.unsorted_segment_sum` can.
    """
    _checks.integers("bincount", input)
    extent = F.reduce_max(input).item() + 1 if input.size > 0 else 0
    extent = extent if extent > minlength else minlength
    kind = mstype.float32 if weights is None or weights.dtype == mstype.float16 else weights.dtype
    shares = F.fill(kind, input.shape, 1) if weights is None else F.cast(weights, kind)
    return F.scatter(F.fill(kind, (extent,), 0), input, shares, "add")


def bincount_of(array, size, weights):
    """The sums of the weights of each number below `size`, a tensor of one element; of the numbers if there are no weights."""
    extent = size.item() if isinstance(size, _checks.Tensor) else size
    shares = F.fill(weights.dtype, array.shape, 1) if weights.size == 0 else weights
    return F.scatter(F.fill(weights.dtype, (extent,), 0), array, shares, "add")


# -- results of an extent that depends on values


def _places_where(flags):
    """The places of a vector where flags hold."""
    count = F.reduce_sum(F.cast(flags, mstype.int32)).item()
    # Sorting keeps the order of equal ones.
    return F.part(F.sort(F.cast(flags, mstype.int32), 0, True)[1], 0, 0, count)


def nonzero(input, *, as_tuple=False):
    """The places of what is not 0: rows of numbers, int64; of each axis a vector with `as_tuple`."""
    places = _places_where(F.reshape(F.not_equal(input, 0), (-1,)))
    columns, stride = (), 1
    for axis in range(input.ndim - 1, -1, -1):
        columns = (F.floor_mod(F.floor_div(places, stride), input.shape[axis]),) + columns
        stride = stride * input.shape[axis]
    if as_tuple:
        return tuple([F.cast(column, mstype.int64) for column in columns])
    return F.cast(F.stack(columns, 1), mstype.int64)


def argwhere(input):
    """The places of what is not 0: rows of numbers, int64."""
    return nonzero(input)


def masked_select(input, mask):
    """The elements where the mask holds, in order; both broadcast."""
    if mask.dtype != mstype.bool_:
        raise TypeError(f"For 'masked_select', 'mask' must be of bool, but got {mask.dtype}")
    shape = F.add(F.cast(mask, mstype.int32), F.cast(F.zeros_like(input), mstype.int32)).shape
    places = _places_where(F.reshape(F.broadcast_to(mask, shape), (-1,)))
    return F.gather(F.reshape(F.broadcast_to(input, shape), (-1,)), places, 0)


def unique(input):
    """The elements without repetition, in the order in which they come first, and in the shape of the input their places there."""
    x = F.reshape(input, (-1,))
    values, places = F.sort(x, 0)
    begins = _changes(values, 0)
    starts = F.cummax(F.select(begins, F.arange(x.size), 0), 0)[0]
    zeros = F.zeros_like(places)
    # Of each element the place of its first like; which places are a first one; and their numbers.
    firsts = F.scatter(zeros, places, F.gather(places, starts, 0), "update")
    is_first = F.equal(firsts, F.arange(x.size))
    numbers = F.cumsum(F.cast(is_first, mstype.int32), 0) - 1
    inverse = F.reshape(F.gather(numbers, firsts, 0), input.shape)
    return F.gather(x, _places_where(is_first), 0), F.cast(inverse, mstype.int64 if x.dtype == mstype.int64 else mstype.int32)


def _changes(x, axis):
    """Whether each slice along an axis differs from the one before; the first does."""
    extent = x.shape[axis]
    first = F.fill(mstype.bool_, (1,), 1)
    if extent == 1:
        return first
    differs = F.not_equal(F.part(x, axis, 1, extent), F.part(x, axis, 0, extent - 1))
    others = tuple([place for place in range(x.ndim) if place != axis])
    differs = F.any(differs, others) if len(others) > 0 else differs
    return F.concat((first, differs), 0)


@known_as(return_inverse="return_idx", dim="axis")
def unique_consecutive(input, return_idx=False, return_counts=False, axis=None):
    """The elements, or slices along an axis, without those that equal the one before.

    Args:
      return_idx: whether each element's place among them comes behind, int32.
      return_counts: whether the lengths of the runs come behind, int32.
    """
    x = F.reshape(input, (-1,)) if axis is None else input
    place = 0 if axis is None else _checks.one_axis("unique_consecutive", axis, input.ndim)
    begins = _changes(x, place)
    starts = _places_where(begins)
    results = (F.gather(x, starts, place),)
    if return_idx:
        numbers = F.cumsum(F.cast(begins, mstype.int32), 0) - 1
        results = results + (F.reshape(numbers, input.shape) if axis is None else numbers,)
    if return_counts:
        ends = F.concat((F.part(starts, 0, 1, starts.shape[0]), F.fill(mstype.int32, (1,), x.shape[place])), 0) if (
            starts.shape[0] > 1) else F.fill(mstype.int32, (1,), x.shape[place])
        results = results + (ends - starts,)
    return results if len(results) > 1 else results[0]


def unique_runs(x, return_idx=False, return_counts=False, axis=None):
    """`unique_consecutive` with places and lengths behind in any case: vectors of no elements where they are not wanted."""
    values = unique_consecutive(x, True, True, axis)
    none = F.fill(mstype.int32, (0,), 0)
    return values[0], values[1] if return_idx else none, values[2] if return_counts else none


def unique_with_pad(x, pad_num):
    """`unique` with the elements filled up with `pad_num` to the extent of x."""
    values, inverse = unique(x)
    missing = x.size - values.shape[0]
    if missing > 0:
        values = F.concat((values, F.fill(x.dtype, (missing,), pad_num)), 0)
    return values, inverse


__all__ = [name for name in offered(globals()) if name not in (
    "bincount_of", "bound_above", "bound_below", "buckets_of", "global_median", "histogram_fixed_width", "nth_element",
    "quantile_of", "unique_runs")]
