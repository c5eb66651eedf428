"""Discrete Fourier transforms, with MindSpore's signatures, in the parsable subset.

y[k] = sum of x[j] e^(-2 pi i j k / n); the inverse has a positive exponent. `n` and `s` are the extents of the result's axes:
longer inputs are cut, shorter ones continued by zeros; -1 leaves an extent. `norm` says which direction is divided: "backward"
(or None) the inverse by n, "forward" the other by n, "ortho" both by the root of n. Integers and float16 are computed with in
float32. Transforms of real numbers yield the first n // 2 + 1 elements of the last axis: the others are their conjugates.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.shape import flip, roll


def _input(who, x):
    """A tensor of float32, float64 or complex numbers."""
    x = _checks.real(who, x)
    return F.cast(x, mstype.float32) if x.dtype == mstype.float16 or x.dtype == mstype.bfloat16 else x


def _real_input(who, x):
    x = _input(who, x)
    if x.dtype in _checks.COMPLEX:
        raise TypeError(f"For '{who}', the input must be of real numbers, but got {x.dtype}")
    return x


def _complex_input(who, x):
    x = _input(who, x)
    if x.dtype in _checks.COMPLEX:
        return x
    return F.cast(x, mstype.complex64 if x.dtype == mstype.float32 else mstype.complex128)


def _axes(who, x, s, dim):
    """The axes to transform: those of `dim`, else as many last ones as `s` has extents, else all."""
    if s is not None and dim is not None and len(s) != len(dim):
        raise ValueError(f"For '{who}', 's' and 'dim' must be equally long, but got {s} and {dim}")
    if dim is not None:
        return _checks.all_axes(who, dim, x.ndim)
    count = x.ndim if s is None else len(s)
    if count > x.ndim:
        raise ValueError(f"For '{who}', 's' must have at most {x.ndim} extents, but got {s}")
    return tuple(range(x.ndim - count, x.ndim))


def _sized(who, x, axis, n):
    """x cut or continued by zeros to `n` elements along an axis."""
    have = x.shape[axis]
    if n < 1:
        raise ValueError(f"For '{who}', an extent must be at least 1, but got {n}")
    if n < have:
        return F.part(x, axis, 0, n)
    if n == have:
        return x
    return F.pad(x, (0,) * x.ndim, (0,) * axis + (n - have,) + (0,) * (x.ndim - axis - 1), 0)


def _all_sized(who, x, axes, s):
    """x with the extents `s` on the axes; None or -1 leave them."""
    if s is not None:
        for number in range(len(axes)):
            if s[number] != -1:
                x = _sized(who, x, axes[number], s[number])
    return x


def _extents(x, axes):
    count = 1
    for axis in axes:
        count = count * x.shape[axis]
    return count


def _scaled(who, x, count, norm, inverse):
    """The transform of `count` elements as `norm` has it."""
    if norm not in (None, "backward", "forward", "ortho"):
        raise ValueError(f"For '{who}', 'norm' must be 'backward', 'forward' or 'ortho', but got {norm}")
    if norm == "ortho":
        return x * (1.0 / math.sqrt(count))
    return x * (1.0 / count) if (norm == "forward") != inverse else x


def _transformed(who, input, s, dim, norm, inverse):
    x = _input(who, input)
    axes = _axes(who, x, s, dim)
    x = _all_sized(who, x, axes, s)
    return _scaled(who, F.fft(x, axes, inverse), _extents(x, axes), norm, inverse)


def _half(who, input, s, dim, norm):
    """The first half of the last axis of a transform of real numbers."""
    x = _real_input(who, input)
    axes = _axes(who, x, s, dim)
    x = _all_sized(who, x, axes, s)
    last = axes[len(axes) - 1]
    y = F.part(F.fft(x, (last,)), last, 0, x.shape[last] // 2 + 1)
    return _scaled(who, F.fft(y, axes[:-1]) if len(axes) > 1 else y, _extents(x, axes), norm, False)


def _of_half(who, input, s, dim, norm):
    """The real numbers whose transform has a given half; by default an even number of them."""
    x = _complex_input(who, input)
    axes = _axes(who, x, s, dim)
    last = axes[len(axes) - 1]
    n = 2 * (x.shape[last] - 1) if s is None or s[len(s) - 1] == -1 else s[len(s) - 1]
    if n < 1:
        raise ValueError(f"For '{who}', an extent must be at least 1, but got {n}")
    if len(axes) > 1:
        x = _all_sized(who, x, axes[:-1], None if s is None else s[:-1])
        x = F.fft(x, axes[:-1], True)
    x = _sized(who, x, last, n // 2 + 1)
    if n > 2:
        x = F.concat((x, F.conj(flip(F.part(x, last, 1, (n + 1) // 2), (last,)))), last)
    y = F.real(F.fft(_sized(who, x, last, n), (last,), True))
    return _scaled(who, y, _extents(y, axes), norm, True)


def _other(norm):
    """The scaling of the other direction."""
    if norm == "ortho":
        return norm
    return "backward" if norm == "forward" else "forward" if norm in (None, "backward") else norm


def _one(n):
    return None if n is None else (n,)


def fft(input, n=None, dim=-1, norm=None):
    """The transform along one axis."""
    return _transformed("fft", input, _one(n), (dim,), norm, False)


def ifft(input, n=None, dim=-1, norm=None):
    """The inverse transform along one axis."""
    return _transformed("ifft", input, _one(n), (dim,), norm, True)


def fft2(input, s=None, dim=(-2, -1), norm=None):
    """The transform along two axes."""
    return _transformed("fft2", input, s, dim, norm, False)


def ifft2(input, s=None, dim=(-2, -1), norm=None):
    """The inverse transform along two axes."""
    return _transformed("ifft2", input, s, dim, norm, True)


def fftn(input, s=None, dim=None, norm=None):
    """The transform along several axes, all of them by default."""
    return _transformed("fftn", input, s, dim, norm, False)


def ifftn(input, s=None, dim=None, norm=None):
    """The inverse transform along several axes, all of them by default."""
    return _transformed("ifftn", input, s, dim, norm, True)


def rfft(input, n=None, dim=-1, norm=None):
    """The transform of real numbers along one axis: n // 2 + 1 elements."""
    return _half("rfft", input, _one(n), (dim,), norm)


def irfft(input, n=None, dim=-1, norm=None):
    """The inverse of `rfft`: `n` real numbers, by default twice as many as the input's elements but one."""
    return _of_half("irfft", input, _one(n), (dim,), norm)


def rfft2(input, s=None, dim=(-2, -1), norm=None):
    """The transform of real numbers along two axes."""
    return _half("rfft2", input, s, dim, norm)


def irfft2(input, s=None, dim=(-2, -1), norm=None):
    """The inverse of `rfft2`."""
    return _of_half("irfft2", input, s, dim, norm)


def rfftn(input, s=None, dim=None, norm=None):
    """The transform of real numbers along several axes, all of them by default."""
    return _half("rfftn", input, s, dim, norm)


def irfftn(input, s=None, dim=None, norm=None):
    """The inverse of `rfftn`."""
    return _of_half("irfftn", input, s, dim, norm)


def hfft(input, n=None, dim=-1, norm=None):
    """The transform, real numbers, of a signal whose second half is the conjugate of its first, which is given."""
    return _of_half("hfft", _conjugate(input), _one(n), (dim,), _other(norm))


def ihfft(input, n=None, dim=-1, norm=None):
    """The inverse of `hfft`."""
    return F.conj(_half("ihfft", input, _one(n), (dim,), _other(norm)))


def hfft2(input, s=None, dim=(-2, -1), norm=None):
    """`hfft` along two axes."""
    return _of_half("hfft2", _conjugate(input), s, dim, _other(norm))


def ihfft2(input, s=None, dim=(-2, -1), norm=None):
    """The inverse of `hfft2`."""
    return F.conj(_half("ihfft2", input, s, dim, _other(norm)))


def hfftn(input, s=None, dim=None, norm=None):
    """`hfft` along several axes, all of them by default."""
    return _of_half("hfftn", _conjugate(input), s, dim, _other(norm))


def ihfftn(input, s=None, dim=None, norm=None):
    """The inverse of `hfftn`."""
    return F.conj(_half("ihfftn", input, s, dim, _other(norm)))


def _conjugate(x):
    return F.conj(x) if x.dtype in _checks.COMPLEX else x


def fftfreq(n, d=1.0, dtype=None):
    """The frequencies of a transform's `n` elements for samples at distances `d`: 0, 1, …, -2, -1, over n d."""
    if n < 1:
        raise ValueError(f"For 'fftfreq', 'n' must be at least 1, but got {n}")
    k = F.iota((n,), 0, mstype.float32 if dtype is None else dtype)
    return F.select(F.less(k, (n + 1) // 2), k, k - n) * (1.0 / (n * d))


def rfftfreq(n, d=1.0, dtype=None):
    """The frequencies of the first half of a transform's elements: 0, 1, …, n // 2, over n d."""
    if n < 1:
        raise ValueError(f"For 'rfftfreq', 'n' must be at least 1, but got {n}")
    return F.iota((n // 2 + 1,), 0, mstype.float32 if dtype is None else dtype) * (1.0 / (n * d))


def fftshift(input, dim=None):
    """The element of frequency zero moved to the middle of axes, of all by default."""
    axes = _checks.all_axes("fftshift", dim, input.ndim)
    return roll(input, tuple([input.shape[axis] // 2 for axis in axes]), axes)


def ifftshift(input, dim=None):
    """The inverse of `fftshift`."""
    axes = _checks.all_axes("ifftshift", dim, input.ndim)
    return roll(input, tuple([-(input.shape[axis] // 2) for axis in axes]), axes)


def fft_with_size(x, signal_ndim, inverse, real, norm="backward", onesided=True, signal_sizes=()):
    """The transform of the last `signal_ndim` axes, forward or inverse, of complex numbers or, with `real`, from or to real ones.

    `onesided`: transforms of real numbers have the first half of the last axis only; `signal_sizes` is then the real signal's
    shape for the inverse, whose last extent is even by default.
    """
    if signal_ndim not in (1, 2, 3):
        raise ValueError(f"For 'FFTWithSize', 'signal_ndim' must be 1, 2 or 3, but got {signal_ndim}")
    if x.ndim < signal_ndim:
        raise ValueError(f"For 'FFTWithSize', the input must have {signal_ndim} axes or more, but got {x.shape}")
    if (not real or inverse) and x.dtype not in _checks.COMPLEX:
        raise TypeError(f"For 'FFTWithSize', the input must be of complex64 or complex128, but got {x.dtype}")
    axes = tuple(range(x.ndim - signal_ndim, x.ndim))
    if not real:
        return _transformed("FFTWithSize", x, None, axes, norm, inverse)
    if not inverse:
        x = _real_input("FFTWithSize", x)
        return _half("FFTWithSize", x, None, axes, norm) if onesided else _transformed("FFTWithSize", x, None, axes, norm, False)
    if not onesided:
        return F.real(_transformed("FFTWithSize", x, None, axes, norm, True))
    return _of_half("FFTWithSize", x, signal_sizes if len(signal_sizes) > 0 else None, axes, norm)


__all__ = offered(globals())
