"""Reductions, with MindSpore's signatures, in the parsable subset.

An axis is an int, a tuple of ints, or None or () for all axes; a negative one counts from the end.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def _axes(axis):
    return () if axis is None else axis


# -- sums, means, products


def reduce_sum(x, axis=(), keep_dims=False):
    """Sum over the axes."""
    return F.reduce_sum(x, _axes(axis), keep_dims)


def reduce_mean(x, axis=(), keep_dims=False):
    """Mean over the axes."""
    return mean(x, axis, keep_dims)


def reduce_max(x, axis=(), keep_dims=False):
    """Largest over the axes."""
    return F.reduce_max(x, _axes(axis), keep_dims)


def reduce_min(x, axis=(), keep_dims=False):
    """Smallest over the axes."""
    return F.reduce_min(x, _axes(axis), keep_dims)


def reduce_prod(x, axis=(), keep_dims=False):
    """Product over the axes."""
    return F.reduce_prod(x, _axes(axis), keep_dims)


def sum(input, dim=None, keepdim=False, *, dtype=None):
    """Sum over the axes; of elements converted to `dtype` when that is given."""
    return F.reduce_sum(input if dtype is None else F.cast(input, dtype), _axes(dim), keepdim)


def mean(x, axis=None, keep_dims=False):
    """Mean over the axes; raises an error for integers, whose mean would lose its fraction."""
    return F.reduce_mean(x, _axes(axis), keep_dims)


def prod(input, axis=None, keep_dims=False, dtype=None):
    """Product over the axes; of elements converted to `dtype` when that is given."""
    return F.reduce_prod(input if dtype is None else F.cast(input, dtype), _axes(axis), keep_dims)


def nansum(input, axis=None, keepdims=False, *, dtype=None):
    """Sum of what is no NaN; of elements converted to `dtype` when that is given."""
    numbers = F.select(F.not_equal(input, input), F.zeros_like(input), input)
    return sum(numbers, axis, keepdims, dtype=dtype)


def nanmean(input, axis=None, keepdims=False, *, dtype=None):
    """Mean of what is no NaN; NaN where all are. Of elements converted to `dtype` when that is given."""
    numbers = _checks.floating("nanmean", input if dtype is None else F.cast(input, dtype))
    valid = F.equal(numbers, numbers)
    total = F.reduce_sum(F.select(valid, numbers, F.zeros_like(numbers)), _axes(axis), keepdims)
    return total / F.reduce_sum(F.cast(valid, numbers.dtype), _axes(axis), keepdims)


def count_nonzero(x, axis=(), keep_dims=False, dtype=mstype.int32):
    """How many elements over the axes are not 0, as `dtype`."""
    return F.cast(F.reduce_sum(F.cast(F.not_equal(x, 0), mstype.int32), _axes(axis), keep_dims), dtype)


@known_as(dim="axis", keepdim="keep_dims")
def logsumexp(input, axis, keep_dims=False):
    """log(sum(exp(x))) over the axes, without overflow."""
    axes = _checks.all_axes("logsumexp", axis, _checks.real("logsumexp", input).ndim)
    numbers = _checks.real("logsumexp", input)
    largest = F.stop_gradient(F.reduce_max(numbers, axes, True))
    # Where all are minus infinity, or one is infinite, the largest is no number to subtract.
    shift = F.select(F.equal(F.sub(largest, largest), 0.0), largest, F.zeros_like(largest))
    total = F.log(F.reduce_sum(F.exp(numbers - shift), axes, True)) + shift
    return total if keep_dims else F.squeeze(total, axes) if len(axes) > 0 else total


# -- truth


def any(input, axis=None, keep_dims=False):
    """Whether an element over the axes is not 0."""
    return F.any(input, axis, keep_dims)


def all(input, axis=None, keep_dims=False):
    """Whether no element over the axes is 0."""
    return F.all(input, axis, keep_dims)


# -- extrema


def _chosen(who, x, initial, where, lowest):
    """x with `initial` where `where` does not hold, and no smaller (larger) than `initial`."""
    if where is not None:
        if initial is None:
            raise ValueError(f"For '{who}', 'initial' must be given with 'where'")
        x = F.select(where, x, F.fill(x.dtype, (), initial))
    if initial is None:
        return x
    return F.maximum(x, initial) if lowest else F.minimum(x, initial)


def amax(input, axis=None, keepdims=False, *, initial=None, where=None):
    """Largest over the axes, of those for which `where` holds, and of `initial`."""
    return F.reduce_max(_chosen("amax", input, initial, where, True), _axes(axis), keepdims)


def amin(input, axis=None, keepdims=False, *, initial=None, where=None):
    """Smallest over the axes, of those for which `where` holds, and of `initial`."""
    return F.reduce_min(_chosen("amin", input, initial, where, False), _axes(axis), keepdims)


def aminmax(input, *, axis=0, keepdims=False):
    """Smallest and largest over an axis; over all axes when it is None."""
    return F.reduce_min(input, _axes(axis), keepdims), F.reduce_max(input, _axes(axis), keepdims)


def _with_place(x, axis, keepdims, places):
    """Elements at places along an axis, and the places, each with the axis kept or not."""
    picked = F.take_along(x, F.expand_dims(places, axis), axis)
    if keepdims:
        return picked, F.expand_dims(places, axis)
    return F.squeeze(picked, (axis,)), places


def max(input, axis=None, keepdims=False, *, initial=None, where=None):
    """Largest along an axis and the place of the first of them, int32; the largest of all, and 0, when `axis` is None."""
    chosen = _chosen("max", input, initial, where, True)
    if axis is None or input.ndim == 0:
        return F.reduce_max(chosen), F.fill(mstype.int32, (), 0)
    place = _checks.one_axis("max", axis, input.ndim)
    return _with_place(chosen, place, keepdims, F.argmax(chosen, place))


def min(input, axis=None, keepdims=False, *, initial=None, where=None):
    """Smallest along an axis and the place of the first of them, int32; the smallest of all, and 0, when `axis` is None."""
    chosen = _chosen("min", input, initial, where, False)
    if axis is None or input.ndim == 0:
        return F.reduce_min(chosen), F.fill(mstype.int32, (), 0)
    place = _checks.one_axis("min", axis, input.ndim)
    return _with_place(chosen, place, keepdims, F.argmin(chosen, place))


def argmax(input, dim=None, keepdim=False):
    """Place of the first largest element along an axis, as int64; among all elements in order when `dim` is None."""
    return _place_of(F.argmax, "argmax", input, dim, keepdim)


def argmin(input, axis=None, keepdims=False):
    """Place of the first smallest element along an axis, as int32; among all elements in order when `axis` is None."""
    return F.cast(_place_of(F.argmin, "argmin", input, axis, keepdims), mstype.int32)


def _place_of(find, who, x, axis, keepdims):
    if axis is None:
        return F.cast(find(F.reshape(x, (-1,)), 0), mstype.int64)
    axis = _checks.one_axis(who, axis, x.ndim)
    place = F.cast(find(F.reshape(x, (1,)) if x.ndim == 0 else x, axis), mstype.int64)
    if x.ndim == 0:
        return F.reshape(place, ())
    return F.expand_dims(place, axis) if keepdims else place


def argmax_with_value(x, axis=0, keep_dims=False):
    """The place of the first largest element along an axis, int32, and the element."""
    value, place = max(x, axis, keep_dims)
    return place, value


def argmin_with_value(x, axis=0, keep_dims=False):
    """The place of the first smallest element along an axis, int32, and the element."""
    value, place = min(x, axis, keep_dims)
    return place, value


def ptp(input, axis=None, keepdims=False):
    """Largest minus smallest over the axes."""
    return F.reduce_max(input, _axes(axis), keepdims) - F.reduce_min(input, _axes(axis), keepdims)


# -- variance


def _moments(who, x, axis, ddof, keepdims):
    """Variance and mean over the axes; the sum of squares is divided by the count less `ddof`, or is NaN when that is 0 or less.

    Those of elements of 16 bits are of float32: `_narrowed` rounds them last, for squares soon leave the range of float16.
    """
    if isinstance(ddof, bool):
        ddof = 1 if ddof else 0
    x = F.widened(_checks.inexact(who, x))
    of_complex = x.dtype in _checks.COMPLEX
    axes = _checks.all_axes(who, axis, x.ndim)
    count = 1
    for place in axes:
        count = count * x.shape[place]
    average = F.reduce_mean(x, axes, True)
    distances = x - average
    squares = F.square(F.real(distances)) + F.square(F.imag(distances)) if of_complex else F.square(distances)
    squares = F.reduce_sum(squares, axes, True)
    variance = squares / F.fill(squares.dtype, (), 1.0 * (count - ddof) if count > ddof else math.nan)
    if keepdims or len(axes) == 0:
        return variance, average
    return F.squeeze(variance, axes), F.squeeze(average, axes)


def _narrowed(moment, x):
    """A moment in the type of x, if that has 16 bits."""
    return F.cast(moment, x.dtype) if x.dtype in (mstype.float16, mstype.bfloat16) else moment


def var(input, axis=None, ddof=0, keepdims=False):
    """Variance over the axes: the sum of squares over the count less `ddof`, an int, or a bool for 1 and 0; real for complex numbers."""
    return _narrowed(_moments("var", input, axis, ddof, keepdims)[0], input)


def std(input, axis=None, ddof=0, keepdims=False):
    """Standard deviation over the axes; `ddof` as in `var`."""
    return _narrowed(F.sqrt(_moments("std", input, axis, ddof, keepdims)[0]), input)


def var_mean(input, axis=None, ddof=0, keepdims=False):
    """Variance and mean over the axes; `ddof` as in `var`."""
    variance, average = _moments("var_mean", input, axis, ddof, keepdims)
    return _narrowed(variance, input), _narrowed(average, input)


def std_mean(input, axis=None, ddof=0, keepdims=False):
    """Standard deviation and mean over the axes; `ddof` as in `var`."""
    variance, average = _moments("std_mean", input, axis, ddof, keepdims)
    return _narrowed(F.sqrt(variance), input), _narrowed(average, input)


__all__ = offered(globals())
