"""Sums, means, extrema and moments over axes, with and without NaN; in the parsable subset.

Integers keep their type where MindSpore keeps it (sums, products, extrema); a mean, variance or average of integers is of
float32.
"""

import math

from plumb import ops as O
from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy.indexing import where as _where
from plumb.ops import _functions as F


def _axes(who, x, axis):
    """The axes to reduce, as the primitives take them."""
    return C.all_axes(who, axis, x.ndim)


def _whole(reduced, x, axes, keepdims):
    """A tensor without axes stays as it is."""
    return x if x.ndim == 0 else reduced(x, axes, keepdims)


def sum_(a, axis=None, dtype=None, keepdims=False, initial=None):
    """Sum over the axes, and of `initial`; of elements converted to `dtype` when that is given."""
    x = C.converted(C.without_truths(a), dtype)
    total = _whole(F.reduce_sum, x, _axes("sum", x, axis), keepdims)
    return total if initial is None else C.converted(total + initial, x.dtype)


def _extremum(reduce, join, who, a, axis, keepdims, initial, where):
    x = C.without_truths(a)
    axes = _axes(who, x, axis)
    if where is not True:
        if initial is None:
            raise ValueError(f"For '{who}', 'initial' must be given with 'where'")
        x = _where(where, x, C.tensor(initial, x.dtype))
    result = _whole(reduce, x, axes, keepdims)
    return result if initial is None else C.converted(join(result, initial), x.dtype)


def amax(a, axis=None, keepdims=False, initial=None, where=True):
    """Largest over the axes, of the elements for which `where` holds and of `initial`."""
    return _extremum(F.reduce_max, F.maximum, "amax", a, axis, keepdims, initial, where)


def amin(a, axis=None, keepdims=False, initial=None, where=True):
    """Smallest over the axes, of the elements for which `where` holds and of `initial`."""
    return _extremum(F.reduce_min, F.minimum, "amin", a, axis, keepdims, initial, where)


def ptp(x, axis=None, keepdims=False):
    """Largest less smallest over the axes."""
    return amax(x, axis, keepdims) - amin(x, axis, keepdims)


def mean(a, axis=None, keepdims=False, dtype=None):
    """Mean over the axes, of float32 for integers, else in the type of `a`; converted to `dtype` when that is given."""
    x = C.inexact(a)
    return C.converted(_whole(F.reduce_mean, x, _axes("mean", x, axis), keepdims), dtype)


def average(x, axis=None, weights=None, returned=False):
    """Mean over the axes, weighted when `weights` are given; with `returned`, the sum of the weights as well."""
    a = C.inexact(x)
    if weights is None:
        result = mean(a, axis)
        number = a.size // result.size
        return (result, F.fill(result.dtype, result.shape, number)) if returned else result
    factors = C.floating(weights)
    if factors.shape != a.shape:
        if isinstance(axis, int) and factors.ndim == 1 and factors.shape[0] == a.shape[axis]:
            place = C.one_axis("average", axis, a.ndim)
            factors = F.broadcast_to(F.reshape(factors, (-1,) + (1,) * (a.ndim - place - 1)), a.shape)
        else:
            raise ValueError("For 'average', 'weights' must have the shape of 'x', or one axis as long as 'axis'")
    total = sum_(factors, axis)
    result = sum_(a * factors, axis) / total
    return (result, total) if returned else result


def var(x, axis=None, ddof=0, keepdims=False):
    """Variance over the axes: squared distances from the mean over (number of elements - `ddof`)."""
    return O.var(C.inexact(x), axis, ddof, keepdims)


def std(x, axis=None, ddof=0, keepdims=False):
    """Standard deviation over the axes: the square root of the variance."""
    return O.std(C.inexact(x), axis, ddof, keepdims)


def count_nonzero(x, axis=None, keepdims=False):
    """The number of elements over the axes that are not zero, as int32."""
    return sum_(C.converted(C.converted(C.tensor(x), mstype.bool_), mstype.int32), axis, None, keepdims)


def _without_nan(a, instead):
    """`a`, a number in place of NaN."""
    x = C.without_truths(a)
    return F.select(F.equal(x, x), x, F.fill(x.dtype, x.shape, instead)) if x.dtype in C.FLOATS else x


def nansum(a, axis=None, dtype=None, keepdims=False):
    """Sum over the axes of what is not NaN."""
    return sum_(_without_nan(a, 0), axis, dtype, keepdims)


def _nan_extremum(extremum, edge, a, axis, dtype, keepdims):
    x = C.without_truths(a)
    result = extremum(_without_nan(x, edge), axis, keepdims)
    if x.dtype in C.FLOATS:
        some = _has_number(x, axis, keepdims)
        result = F.select(some, result, F.fill(result.dtype, result.shape, math.nan))
    return C.converted(result, dtype)


def _has_number(x, axis, keepdims):
    """Whether an element over the axes is not NaN."""
    return F.any(F.equal(x, x), axis, keepdims)


def nanmax(a, axis=None, dtype=None, keepdims=False):
    """Largest over the axes of what is not NaN; NaN where nothing is."""
    return _nan_extremum(amax, -math.inf, a, axis, dtype, keepdims)


def nanmin(a, axis=None, dtype=None, keepdims=False):
    """Smallest over the axes of what is not NaN; NaN where nothing is."""
    return _nan_extremum(amin, math.inf, a, axis, dtype, keepdims)


def nanmean(a, axis=None, dtype=None, keepdims=False):
    """Mean over the axes of what is not NaN, of float32 unless `a` or `dtype` say otherwise."""
    x = C.floating(a)
    number = sum_(F.cast(F.equal(x, x), x.dtype), axis, None, keepdims)
    return C.converted(nansum(x, axis, None, keepdims) / number, dtype)


def nanvar(a, axis=None, dtype=None, ddof=0, keepdims=False):
    """Variance over the axes of what is not NaN."""
    x = C.floating(a)
    known = F.equal(x, x)
    number = sum_(F.cast(known, x.dtype), axis, None, keepdims) - ddof
    distances = F.square(x - nanmean(x, axis, None, True))
    total = sum_(F.select(known, distances, F.zeros_like(distances)), axis, None, keepdims)
    return C.converted(total / F.select(F.greater(number, 0.0), number, F.fill(number.dtype, number.shape, math.nan)), dtype)


def nanstd(a, axis=None, dtype=None, ddof=0, keepdims=False):
    """Standard deviation over the axes of what is not NaN."""
    return C.converted(F.sqrt(nanvar(a, axis, None, ddof, keepdims)), dtype)


def _first(a, axis, largest):
    """Number of the first largest, or smallest, element."""
    x = C.without_truths(a)
    flat = F.reshape(x, (-1,)) if axis is None else x
    place = 0 if axis is None else C.one_axis("argmax" if largest else "argmin", axis, x.ndim)
    if largest:
        return F.argmax(flat, place)
    # The first smallest is the first largest of the opposite order; ~x reverses integers without overflow.
    return F.argmax(F.neg(flat) if x.dtype in C.FLOATS else F.invert(flat), place)


def argmax(a, axis=None):
    """Number of the first largest element along an axis, as int64; of all in order when `axis` is None."""
    return F.cast(_first(a, axis, True), mstype.int64)


def argmin(a, axis=None):
    """Number of the first smallest element along an axis, as int32; of all in order when `axis` is None."""
    return F.cast(_first(a, axis, False), mstype.int32)


__all__ = offered(globals())
