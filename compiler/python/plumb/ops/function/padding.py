"""Padding, with MindSpore's signatures, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def _ends(who, padding, rank):
    """(before, after) for each axis, of pairs that begin at the last axis."""
    if isinstance(padding, _checks.Tensor):
        padding = padding.tolist()
    if isinstance(padding, int) or len(padding) % 2 != 0 or len(padding) > 2 * rank:
        raise ValueError(f"For '{who}', 'padding' must be pairs of ints, at most one for each axis")
    rest = (0,) * (rank - len(padding) // 2)
    return rest + tuple(padding[::2])[::-1], rest + tuple(padding[1::2])[::-1]


def _cropped(x, before, after):
    """x without what negative numbers take away at its ends, and what is left of the numbers."""
    low, high = (), ()
    for axis in range(x.ndim):
        first = -before[axis] if before[axis] < 0 else 0
        last = x.shape[axis] + (after[axis] if after[axis] < 0 else 0)
        if first > 0 or last < x.shape[axis]:
            x = F.part(x, axis, first, last)
        low, high = low + (before[axis] if before[axis] > 0 else 0,), high + (after[axis] if after[axis] > 0 else 0,)
    return x, low, high


def _gathered(x, before, after, place):
    """x with, along each axis, the elements that `place` names for positions before, in and after it."""
    for axis in range(x.ndim):
        extent, low = x.shape[axis], before[axis]
        if low > 0 or after[axis] > 0:
            numbers = F.arange(low + extent + after[axis]) - low
            x = F.gather(x, place(numbers, extent), axis)
    return x


def _reflected(numbers, extent):
    return (extent - 1) - F.abs((extent - 1) - F.abs(numbers))


def _mirrored(numbers, extent):
    below = F.select(F.less(numbers, 0), -1 - numbers, numbers)
    return F.select(F.less(below, extent), below, 2 * extent - 1 - below)


def _nearest(numbers, extent):
    return F.minimum(F.maximum(numbers, 0), extent - 1)


def _wrapped(numbers, extent):
    return F.floor_mod(numbers, extent)


def pad(input_x, padding, mode="constant", value=None):
    """Adds elements at both ends of axes: padding is (before, after) of the last axis, then of the one before it, and so on.

    Args:
      padding: an even number of ints; negative ones take elements away.
      mode: "constant", "reflect" (without the edge), "replicate" (the edge) or "circular".
      value: what "constant" adds; 0 when None.
    """
    before, after = _ends("pad", padding, input_x.ndim)
    cut, low, high = _cropped(input_x, before, after)
    if mode == "constant":
        number = 0.0 if value is None else value
        if cut.dtype == mstype.bool_:
            return F.cast(F.pad(F.cast(cut, mstype.int32), low, high, number), mstype.bool_)
        return F.pad(cut, low, high, number)
    if value is not None and value != 0:
        raise ValueError(f"For 'pad', 'value' is for mode 'constant', not for '{mode}'")
    if mode == "reflect":
        for axis in range(cut.ndim):
            if low[axis] >= cut.shape[axis] and low[axis] > 0 or high[axis] >= cut.shape[axis] and high[axis] > 0:
                raise ValueError(f"For 'pad', 'reflect' takes less than the extent of an axis, but got {padding} for "
                                 f"{input_x.shape}")
        return _gathered(cut, low, high, _reflected)
    if mode == "replicate":
        return _gathered(cut, low, high, _nearest)
    if mode != "circular":
        raise ValueError(f"For 'pad', 'mode' must be 'constant', 'reflect', 'replicate' or 'circular', but got '{mode}'")
    return _gathered(cut, low, high, _wrapped)


def mirror_pad(input_x, paddings, mode):
    """Adds the elements beside both ends of each axis in reverse order: "REFLECT" without the edge, "SYMMETRIC" with it.

    Args:
      paddings: (before, after) for each axis, a tensor or tuples.
    """
    rows = paddings.tolist() if isinstance(paddings, _checks.Tensor) else paddings
    before, after = tuple([row[0] for row in rows]), tuple([row[1] for row in rows])
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"For 'mirror_pad', 'mode' must be 'REFLECT' or 'SYMMETRIC', but got '{mode}'")
    return _gathered(input_x, before, after, _reflected if mode == "REFLECT" else _mirrored)


def padding(x, pad_dim_size=8):
    """The last axis, of extent 1, filled up with zeros to `pad_dim_size`."""
    if x.ndim < 2 or x.shape[-1] != 1:
        raise ValueError(f"For 'padding', the last axis of at least two must have the extent 1, but got {x.shape}")
    return F.pad(x, (0,) * x.ndim, (0,) * (x.ndim - 1) + (pad_dim_size - 1,), 0.0)


def pad_all(x, paddings):
    """Zeros at both ends of each axis: `paddings` is (before, after) for each."""
    return F.pad(x, tuple([pair[0] for pair in paddings]), tuple([pair[1] for pair in paddings]), 0.0)


__all__ = [name for name in offered(globals()) if name != "pad_all"]
