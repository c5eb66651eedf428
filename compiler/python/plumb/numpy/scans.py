"""Running sums and products, unwrapped angles; in the parsable subset."""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy import differences as _differences
from plumb.ops import _functions as F

_NARROW = (mstype.bool_, mstype.int8, mstype.int16)
_UNSIGNED = (mstype.uint8, mstype.uint16)


def cumsum(a, axis=None, dtype=None):
    """Sums of the first, the first two, … elements along an axis; of all in order when `axis` is None.

    Integers of less than 32 bits are summed as int32 unless `dtype` says otherwise.
    """
    x = C.tensor(a)
    return _running(F.cumsum, "cumsum", C.converted(x, mstype.int32 if x.dtype in _NARROW + _UNSIGNED else None), axis, dtype)


def cumprod(a, axis=None, dtype=None):
    """Products of the first, the first two, … elements along an axis; of all in order when `axis` is None.

    Integers of less than 32 bits are multiplied as int32, unsigned ones as uint32, unless `dtype` says otherwise.
    """
    x = C.tensor(a)
    wide = mstype.int32 if x.dtype in _NARROW else mstype.uint32 if x.dtype in _UNSIGNED else None
    return _running(F.cumprod, "cumprod", C.converted(x, wide), axis, dtype)


def nancumsum(a, axis=None, dtype=None):
    """`cumsum` with NaN as 0."""
    x = C.without_truths(a)
    return cumsum(F.select(F.equal(x, x), x, F.zeros_like(x)), axis, dtype)


def _running(scan, who, x, axis, dtype):
    x = C.converted(x, dtype)
    return scan(F.reshape(x, (-1,)), 0) if axis is None else scan(x, C.one_axis(who, axis, x.ndim))


def unwrap(p, discont=math.pi, axis=-1):
    """Angles with steps of more than `discont` made smaller by whole turns."""
    x = C.floating(p)
    place = C.one_axis("unwrap", axis, x.ndim)
    steps = _differences.diff(x, 1, place)
    turned = F.floor_mod(steps + math.pi, 2 * math.pi) - math.pi
    turned = F.select(F.logical_and(F.equal(turned, -math.pi), F.greater(steps, 0.0)), -turned, turned)
    change = F.select(F.less(F.abs(steps), discont), F.zeros_like(steps), turned - steps)
    total = F.cumsum(change, place)
    return F.concat((F.part(x, place, 0, 1), F.part(x, place, 1, x.shape[place]) + total), place)


__all__ = offered(globals())
