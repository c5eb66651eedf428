"""Places in sorted numbers, counts, histograms, interpolation; in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C
from plumb.numpy import array_ops as A
from plumb.numpy import reductions as R
from plumb.numpy.array_creations import linspace as _linspace
from plumb.ops import _functions as F


def searchsorted(a, v, side="left", sorter=None):
    """Before which element of the sorted vector `a` each of `v` would stand, behind equal ones for side "right".

    sorter: numbers that put `a` in order. One comparison for each bit of its length, for all of `v` at once.
    """
    if side not in ("left", "right"):
        raise ValueError(f"For 'searchsorted', 'side' must be 'left' or 'right', but got {side}")
    numbers, values = C.together((a, v))
    if numbers.ndim != 1:
        raise ValueError("For 'searchsorted', 'a' must have one axis")
    if sorter is not None:
        numbers = F.gather(numbers, C.tensor(sorter), 0)
    length, step = numbers.shape[0], 1
    while step * 2 <= length:
        step = step * 2
    passed = F.fill(mstype.int32, values.shape, 0)
    while step > 0:
        further = passed + step
        element = F.gather(numbers, F.minimum(further, length) - 1, 0)
        goes = F.less(element, values) if side == "left" else F.less_equal(element, values)
        passed = F.select(F.logical_and(goes, F.less_equal(further, length)), further, passed)
        step = step // 2
    return passed


def digitize(x, bins, right=False):
    """The number of the bin of each element; edges may rise or fall, and belong to the bin above, or below if `right`."""
    edges, values = C.together((bins, x))
    if edges.shape[0] == 0 or values.size == 0:
        return F.fill(mstype.int32, values.shape, 0)
    side = "left" if right else "right"
    rising = F.less_equal(edges[0], edges[-1])
    falls = edges.shape[0] - searchsorted(A.flip(edges), values, side)
    return F.select(F.broadcast_to(rising, values.shape), searchsorted(edges, values, side), falls)


def _counts(places, number, weights):
    """For 0, 1, … before `number`, the sum of weights of the elements of `places` that are equal to it; others count nothing."""
    return F.scatter(F.fill(weights.dtype, (number,), 0), places, weights, "add")


def bincount(x, weights=None, minlength=0, length=None):
    """How often 0, 1, … occur, or the sums of their weights, as float32.

    length: how many numbers are counted; by default one more than the largest and at least `minlength`, which compiled
      functions do not know.
    """
    numbers = A.ravel(C.tensor(x))
    if length is None:
        length = int(F.reduce_max(numbers).asnumpy()) + 1
        length = length if length > minlength else minlength
    factors = F.fill(mstype.float32, numbers.shape, 1) if weights is None else A.ravel(C.floating(weights))
    return _counts(numbers, length, factors)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Edges of `bins` bins of equal width from the least to the largest element, or over `range`; `bins` may be the edges."""
    if not isinstance(bins, int):
        return C.tensor(bins)
    if bins <= 0:
        raise ValueError("For 'histogram_bin_edges', there must be one bin at least")
    if range is not None:
        low, high = C.tensor(range[0], mstype.float32), C.tensor(range[1], mstype.float32)
    else:
        x = C.floating(a)
        low, high = R.amin(x), R.amax(x)
    margin = F.cast(F.equal(low, high), low.dtype) * 0.5
    return _linspace(low - margin, high + margin, bins + 1)


def _bin(values, edges):
    """The bin of each value, -1 outside; the last edge belongs to the last bin."""
    number = edges.shape[0] - 1
    place = searchsorted(edges, values, "right") - 1
    place = F.select(F.equal(values, edges[-1]), F.fill(place.dtype, place.shape, number - 1), place)
    return F.select(F.less(place, number), place, F.fill(place.dtype, place.shape, -1))


def histogram(a, bins=10, range=None, weights=None, density=False):
    """(how many elements fall into each bin, or their weights, as float32; the edges); with `density`, of integral 1."""
    values = A.ravel(C.floating(a))
    edges = histogram_bin_edges(values, bins, range)
    factors = F.fill(mstype.float32, values.shape, 1) if weights is None else A.ravel(C.floating(weights))
    counts = _counts(_bin(values, edges), edges.shape[0] - 1, factors)
    if density:
        counts = counts / ((edges[1:] - edges[:-1]) * F.reduce_sum(counts))
    return counts, edges


def histogramdd(sample, bins=10, range=None, weights=None, density=False):
    """(counts over a grid of bins, as float32; a list of the edges along each axis) of points, the rows of `sample`.

    sample: a tensor (N, D), or a list of D vectors. bins: an int, or ints or edges, one for each axis.
    """
    points = F.stack(C.together(sample), 1) if isinstance(sample, (list, tuple)) else C.floating(sample)
    points = C.floating(points)
    axes = points.shape[1]
    each = (bins,) * axes if isinstance(bins, int) else bins
    edges, place, inside, number = [], 0, True, 1
    for axis in C.numbers(axes)[::-1]:
        along = points[:, axis]
        bounds = histogram_bin_edges(along, each[axis], None if range is None else range[axis])
        found = _bin(along, bounds)
        inside = F.logical_and(F.greater_equal(found, 0), inside)
        place = found * number + place
        number = number * (bounds.shape[0] - 1)
        edges = [bounds] + edges
    place = F.select(inside, place, F.fill(place.dtype, place.shape, -1))
    factors = F.fill(mstype.float32, place.shape, 1) if weights is None else A.ravel(C.floating(weights))
    counts = F.reshape(_counts(place, number, factors), tuple([bounds.shape[0] - 1 for bounds in edges]))
    if density:
        counts = counts / F.reduce_sum(counts)
        for axis, bounds in enumerate(edges):
            counts = counts / F.reshape(bounds[1:] - bounds[:-1], (-1,) + (1,) * (axes - axis - 1))
    return counts, edges


def histogram2d(x, y, bins=10, range=None, weights=None, density=False):
    """(counts over bins of `x` and `y`, as float32; edges along x; edges along y).

    Numbers of f16 at an edge may count in the bin beside the one where MindSpore counts them.
    """
    if isinstance(bins, _Tensor) or isinstance(bins, (list, tuple)) and len(bins) > 2:
        bins = (bins, bins)
    counts, edges = histogramdd((x, y), bins, range, weights, density)
    return counts, edges[0], edges[1]


def interp(x, xp, fp, left=None, right=None):
    """Values at `x` of the lines that join the points (xp, fp), where `xp` rises; `left` and `right` outside, else the ends'.

    Outside, the gradient is 0; MindSpore 2.0.0 has NaN there.
    """
    values, points, heights = C.together((C.floating(x), C.floating(xp), C.floating(fp)))
    last = points.shape[0] - 1
    if last == 0:
        inside = F.broadcast_to(heights[0], values.shape)
    else:
        place = F.minimum(F.maximum(searchsorted(points, values, "right") - 1, 0), last - 1)
        start, base = F.gather(points, place, 0), F.gather(heights, place, 0)
        share = (values - start) / (F.gather(points, place + 1, 0) - start)
        inside = base + (F.gather(heights, place + 1, 0) - base) * share
    low, high = heights[0] if left is None else left, heights[-1] if right is None else right
    result = F.select(F.less(values, points[0]), low, inside)
    return F.select(F.greater(values, points[-1]), high, result)


__all__ = offered(globals())
