"""Differences, gradients, integrals by trapezes; in the parsable subset."""

from plumb import ops as O
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy import array_ops as A
from plumb.ops import _functions as F


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times, with `prepend` and `append` at its ends before."""
    x = C.tensor(a)
    place = C.one_axis("diff", axis, x.ndim)
    ends = [None if end is None else _end(end, x, place) for end in (prepend, append)]
    kind = C.literal_type([x] + [end for end in ends if end is not None])
    before, after = [None if end is None else C.converted(end, kind) for end in ends]
    return O.diff(C.converted(x, kind), n, place, before, after)


def _end(value, x, axis):
    end = C.tensor(value)
    return F.broadcast_to(end, x.shape[:axis] + (1,) + x.shape[axis + 1:]) if end.ndim == 0 else end


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours of all elements in order, between `to_begin` and `to_end`."""
    result = diff(A.ravel(ary))
    if to_begin is not None:
        result = F.concat((A.ravel(C.tensor(to_begin, result.dtype)), result), 0)
    if to_end is not None:
        result = F.concat((result, A.ravel(C.tensor(to_end, result.dtype))), 0)
    return result


def trapz(y, x=None, dx=1.0, axis=-1):
    """The integral along an axis by trapezes, over `x` or in steps of `dx`."""
    heights = C.inexact(y)
    points = None if x is None else C.converted(C.tensor(x), heights.dtype)
    return O.trapz(heights, points, dx=dx, dim=axis)


def _slope(x, axis, spacing):
    """Central differences within, one-sided ones at the ends."""
    length = x.shape[axis]
    if length < 2:
        raise ValueError("For 'gradient', an axis must have two elements at least")
    after, before = F.part(x, axis, 1, length), F.part(x, axis, 0, length - 1)
    steps = after - before
    if not isinstance(spacing, (int, float)) and C.tensor(spacing).ndim == 1:
        gaps = F.reshape(diff(C.converted(C.tensor(spacing), x.dtype)), (-1,) + (1,) * (x.ndim - axis - 1))
        slopes = steps / gaps
        if length == 2:
            return F.concat((slopes, slopes), axis)
        count = length - 1
        left, right = F.part(slopes, axis, 0, count - 1), F.part(slopes, axis, 1, count)
        low, high = F.part(gaps, 0, 0, count - 1), F.part(gaps, 0, 1, count)
        middle = (left * high + right * low) / (low + high)
        return F.concat((F.part(slopes, axis, 0, 1), middle, F.part(slopes, axis, count - 1, count)), axis)
    ends = (F.part(steps, axis, 0, 1), F.part(steps, axis, length - 2, length - 1))
    if length == 2:
        return F.concat(ends, axis) / spacing
    middle = (F.part(x, axis, 2, length) - F.part(x, axis, 0, length - 2)) / 2.0
    return F.concat((ends[0], middle, ends[1]), axis) / spacing


def gradient(f, *varargs, axis=None, edge_order=1):
    """Slopes along the axes: a tensor for one axis, a list for several.

    varargs: the distance between elements, a number or the coordinates: for all axes, or for each one.
    """
    if edge_order != 1:
        raise ValueError("For 'gradient', only edge_order=1 is offered")
    x = C.inexact(f)
    axes = tuple(range(x.ndim)) if axis is None else tuple([C.one_axis("gradient", a, x.ndim) for a in C.extents(axis)])
    if len(varargs) not in (0, 1, len(axes)):
        raise ValueError(f"For 'gradient', there must be one distance, or one for each of {len(axes)} axes")
    spacings = (1.0,) * len(axes) if len(varargs) == 0 else varargs * len(axes) if len(varargs) == 1 else varargs
    slopes = [_slope(x, axes[number], spacings[number]) for number in range(len(axes))]
    return slopes[0] if len(slopes) == 1 else slopes


__all__ = offered(globals())
