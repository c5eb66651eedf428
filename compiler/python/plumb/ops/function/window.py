"""Windows for signals, with MindSpore's signatures, in the parsable subset."""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.bessel import bessel_i0


def _positions(who, window_length, periodic):
    """The numbers of a window's elements over that of the last, in float64: from 0 to 1, or to before 1 when it repeats."""
    length = window_length.item() if isinstance(window_length, _checks.Tensor) else window_length
    if not isinstance(length, int) or length < 0:
        raise ValueError(f"For '{who}', 'window_length' must be an int of at least 0, but got {window_length}")
    if length == 1:
        return None
    return F.cast(F.arange(length), mstype.float64) / (1.0 * (length if periodic else length - 1))


def _cosines(who, window_length, periodic, factors, dtype):
    """a0 - a1 * cos(2 pi t) + a2 * cos(4 pi t)."""
    t = _positions(who, window_length, periodic)
    if t is None:
        return F.fill(dtype, (1,), 1)
    total = F.zeros_like(t) + factors[0]
    for number in range(1, len(factors)):
        total = total + F.cos(t * (2.0 * math.pi * number)) * (factors[number] if number % 2 == 0 else -factors[number])
    return F.cast(total, dtype)


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None):
    """alpha - beta * cos(2 pi n / N); of float32 by default.

    MindSpore 2.0.0 gives float64 for a window of one.
    """
    return _cosines("hamming_window", window_length, periodic, (alpha, beta), mstype.float32 if dtype is None else dtype)


def hann_window(window_length, periodic=True, *, dtype=None):
    """(1 - cos(2 pi n / N)) / 2; of float64 by default."""
    return _cosines("hann_window", window_length, periodic, (0.5, 0.5), mstype.float64 if dtype is None else dtype)


def blackman_window(window_length, periodic=True, *, dtype=None):
    """0.42 - 0.5 * cos(2 pi n / N) + 0.08 * cos(4 pi n / N); of float32 by default."""
    return _cosines("blackman_window", window_length, periodic, (0.42, 0.5, 0.08), mstype.float32 if dtype is None else dtype)


def bartlett_window(window_length, periodic=True, *, dtype=None):
    """1 - |2 n / N - 1|; of float32 by default."""
    kind = mstype.float32 if dtype is None else dtype
    t = _positions("bartlett_window", window_length, periodic)
    return F.fill(kind, (1,), 1) if t is None else F.cast(1.0 - F.abs(t * 2.0 - 1.0), kind)


def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None):
    """I0(beta * sqrt(1 - (2 n / N - 1)²)) / I0(beta); of float64 by default."""
    kind = mstype.float64 if dtype is None else dtype
    t = _positions("kaiser_window", window_length, periodic)
    if t is None:
        return F.fill(kind, (1,), 1)
    inside = F.sqrt(F.maximum(1.0 - F.square(t * 2.0 - 1.0), 0.0)) * beta
    return F.cast(bessel_i0(inside) / bessel_i0(F.fill(mstype.float64, (), 1.0 * beta)), kind)


__all__ = [name for name in offered(globals()) if name != "bessel_i0"]
