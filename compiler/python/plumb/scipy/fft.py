"""`mindspore.scipy.fft`: cosine transforms; in the parsable subset."""

import math as _math

from plumb.common._offers import not_offered as _not_offered
from plumb.common.api import Whole as _Whole
from plumb.ops import _checks
from plumb.ops import _functions as _F
from plumb.ops.function import fourier as _fourier
from plumb.ops.function.shape import flip as _flip
from plumb.ops.function.shape import swapaxes as _swapaxes


def _only(who, type, norm):
    if type != 2:
        raise ValueError(f"For '{who}', only 'type' 2 is offered, but got {type}")
    if norm not in (None, "ortho"):
        raise ValueError(f"For '{who}', only 'norm' \"ortho\" is offered, but got {norm}")


def _last(who, x, axis, n):
    """x in float32, float64 or complex numbers, with `n` elements along an axis, which is moved last."""
    x = _fourier._input(who, x)
    axis = _checks.one_axis(who, axis, x.ndim)
    return _swapaxes(_fourier._sized(who, x, axis, x.shape[axis] if n is None else n), axis, -1)


def _phases(x, sign, factor):
    """factor[0] and then factor[1], times e^(sign i pi k / 2n), for k along the last axis of x."""
    n = x.shape[-1]
    k = _F.iota((n,), 0, x.dtype)
    angles = k * (sign * _math.pi / (2.0 * n))
    sizes = _F.select(_F.equal(k, 0.0), _F.fill(x.dtype, (), factor[0]), _F.fill(x.dtype, (), factor[1]))
    return _F.complex(_F.cos(angles) * sizes, _F.sin(angles) * sizes)


def _cosines(x):
    """The orthonormal transform of real numbers along the last axis, by one Fourier transform of their even elements and then
    the odd ones backwards (Makhoul, 1980)."""
    n = x.shape[-1]
    order = _F.concat((x[..., 0::2], _flip(x[..., 1::2], (-1,))), x.ndim - 1)
    spectrum = _F.fft(order, (x.ndim - 1,))
    return _F.real(_F.mul(spectrum, _phases(x, -1.0, (1.0 / _math.sqrt(n), _math.sqrt(2.0 / n)))))


def _of_cosines(x):
    """The inverse of `_cosines`."""
    n, last = x.shape[-1], x.ndim - 1
    mirrored = _F.concat((_F.zeros_like(x[..., 0:1]), _flip(x[..., 1:n], (-1,))), last) if n > 1 else _F.zeros_like(x)
    spectrum = _F.mul(_F.complex(x, _F.neg(mirrored)), _phases(x, 1.0, (_math.sqrt(1.0 * n), _math.sqrt(n / 2.0))))
    order = _F.real(_F.fft(spectrum, (last,), True)) * (1.0 / n)
    half = (n + 1) // 2
    even, odd = order[..., 0:half], _flip(order[..., half:n], (-1,))
    if n % 2 == 1:
        odd = _F.pad(odd, (0,) * x.ndim, (0,) * last + (1,), 0)
    return _F.reshape(_F.stack((even, odd), x.ndim), x.shape[:-1] + (2 * half,))[..., 0:n]


def _along(who, x, n, axis, transform):
    place = _checks.one_axis(who, axis, x.ndim)
    moved = _last(who, x, place, n)
    if moved.dtype in _checks.COMPLEX:
        y = _F.complex(transform(_F.real(moved)), transform(_F.imag(moved)))
    else:
        y = transform(moved)
    return _swapaxes(y, place, -1)


def _along_all(who, x, s, axes, transform):
    places = _fourier._axes(who, x, s, axes)
    for number in range(len(places)):
        x = _along(who, x, None if s is None else s[number], places[number], transform)
    return x


def dct(x, type=2, n=None, axis=-1, norm=None):
    """The orthonormal cosine transform of type 2 along an axis, cut or continued by zeros to `n` elements."""
    _only("dct", type, norm)
    return _along("dct", x, n, axis, _cosines)


def idct(x, type=2, n=None, axis=-1, norm=None):
    """The inverse of `dct`."""
    _only("idct", type, norm)
    return _along("idct", x, n, axis, _of_cosines)


def dctn(x, type=2, s=None, axes=None, norm=None):
    """`dct` along several axes, all of them by default."""
    _only("dctn", type, norm)
    return _along_all("dctn", x, s, axes, _cosines)


def idctn(x, type=2, s=None, axes=None, norm=None):
    """The inverse of `dctn`."""
    _only("idctn", type, norm)
    return _along_all("idctn", x, s, axes, _of_cosines)


for _name in ("dct", "idct", "dctn", "idctn"):
    globals()[_name] = _Whole(globals()[_name], ("x",))

__getattr__ = _not_offered(__name__)
