"""Differences, gradients, integrals by trapezes; in the parsable subset."""

from plumb import ops as O
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy import array_ops as A
from plumb.ops import _functions as F


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times, with `prepend` and `append` at its ends before; `a` as it is for no times."""
    x = C.tensor(a)
    place = C.one_axis("diff", axis, x.ndim)
    if n == 0:
        return x
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
    return C.converted(O.trapz(heights, points, dx=dx, dim=axis), heights.dtype)


def _slope(x, axis, spacing, edge_order):
    """Central differences within; at the ends those of one side, or with `edge_order` 2 the slopes of parabolas."""
    length = x.shape[axis]
    if length < edge_order + 1:
        raise ValueError(f"For 'gradient', an axis must have {edge_order + 1} elements at least")
    steps = F.part(x, axis, 1, length) - F.part(x, axis, 0, length - 1)
    even = isinstance(spacing, (int, float)) or C.tensor(spacing).ndim != 1
    if even:
        gaps, slopes = F.fill(x.dtype, (length - 1,) + (1,) * (x.ndim - axis - 1), 1.0), steps / spacing
    else:
        gaps = F.reshape(diff(C.converted(C.tensor(spacing), x.dtype)), (-1,) + (1,) * (x.ndim - axis - 1))
        slopes = steps / gaps
    count = length - 1
    ends = (F.part(slopes, axis, 0, 1), F.part(slopes, axis, count - 1, count))
    if length == 2:
        return F.concat(ends, axis)
    left, right = F.part(slopes, axis, 0, count - 1), F.part(slopes, axis, 1, count)
    low, high = F.part(gaps, 0, 0, count - 1), F.part(gaps, 0, 1, count)
    if edge_order == 2:
        first, last = low[:1] / (low[:1] + high[:1]), high[count - 2:] / (low[count - 2:] + high[count - 2:])
        ends = (ends[0] + (ends[0] - F.part(slopes, axis, 1, 2)) * first,
                ends[1] + (ends[1] - F.part(slopes, axis, count - 2, count - 1)) * last)
    if even:
        middle = (F.part(x, axis, 2, length) - F.part(x, axis, 0, length - 2)) / 2.0 / spacing
    else:
        middle = (left * high + right * low) / (low + high)
    return F.concat((ends[0], middle, ends[1]), axis)


def gradient(f, *varargs, axis=None, edge_order=1):
    """Slopes along the axes: a tensor for one axis, a list for several.

    Args:
      varargs: the distance between elements, a number or the coordinates: for all axes, or for each one.
      edge_order: 1, or 2 for the slopes of parabolas at the ends, which MindSpore 2.0.0 refuses.
    """
    if edge_order not in (1, 2):
        raise ValueError(f"For 'gradient', 'edge_order' must be 1 or 2, but got {edge_order}")
    x = C.inexact(f)
    axes = tuple(range(x.ndim)) if axis is None else tuple([C.one_axis("gradient", a, x.ndim) for a in C.extents(axis)])
    if len(varargs) not in (0, 1, len(axes)):
        raise ValueError(f"For 'gradient', there must be one distance, or one for each of {len(axes)} axes")
    spacings = (1.0,) * len(axes) if len(varargs) == 0 else varargs * len(axes) if len(varargs) == 1 else varargs
    slopes = [_slope(x, axes[number], spacings[number], edge_order) for number in range(len(axes))]
    return slopes[0] if len(slopes) == 1 else slopes


__all__ = offered(globals())
