"""`mindspore.numpy.fft`: discrete Fourier transforms with NumPy's signatures; see `ops/function/fourier.py`."""

from plumb.common._offers import not_offered as _not_offered
from plumb.common.api import Whole as _Whole
from plumb.ops.function import fourier as _fourier


def fft(a, n=None, axis=-1, norm=None):
    """The transform along one axis."""
    return _fourier.fft(a, n, axis, norm)


def ifft(a, n=None, axis=-1, norm=None):
    """The inverse of `fft`."""
    return _fourier.ifft(a, n, axis, norm)


def rfft(a, n=None, axis=-1, norm=None):
    """The transform of real numbers along one axis: its first half."""
    return _fourier.rfft(a, n, axis, norm)


def irfft(a, n=None, axis=-1, norm=None):
    """The inverse of `rfft`."""
    return _fourier.irfft(a, n, axis, norm)


def hfft(a, n=None, axis=-1, norm=None):
    """The transform, real numbers, of a signal of which half is given; the other half is its conjugate."""
    return _fourier.hfft(a, n, axis, norm)


def ihfft(a, n=None, axis=-1, norm=None):
    """The inverse of `hfft`."""
    return _fourier.ihfft(a, n, axis, norm)


def fft2(a, s=None, axes=(-2, -1), norm=None):
    """The transform along two axes."""
    return _fourier.fft2(a, s, axes, norm)


def ifft2(a, s=None, axes=(-2, -1), norm=None):
    """The inverse of `fft2`."""
    return _fourier.ifft2(a, s, axes, norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None):
    """The transform of real numbers along two axes: the first half of the last one."""
    return _fourier.rfft2(a, s, axes, norm)


def irfft2(a, s=None, axes=(-2, -1), norm=None):
    """The inverse of `rfft2`."""
    return _fourier.irfft2(a, s, axes, norm)


def hfft2(a, s=None, axes=(-2, -1), norm=None):
    """`hfft` along two axes."""
    return _fourier.hfft2(a, s, axes, norm)


def ihfft2(a, s=None, axes=(-2, -1), norm=None):
    """The inverse of `hfft2`."""
    return _fourier.ihfft2(a, s, axes, norm)


def fftn(a, s=None, axes=None, norm=None):
    """The transform along several axes, all of them by default."""
    return _fourier.fftn(a, s, axes, norm)


def ifftn(a, s=None, axes=None, norm=None):
    """The inverse of `fftn`."""
    return _fourier.ifftn(a, s, axes, norm)


def rfftn(a, s=None, axes=None, norm=None):
    """The transform of real numbers along several axes: the first half of the last one."""
    return _fourier.rfftn(a, s, axes, norm)


def irfftn(a, s=None, axes=None, norm=None):
    """The inverse of `rfftn`."""
    return _fourier.irfftn(a, s, axes, norm)


def hfftn(a, s=None, axes=None, norm=None):
    """`hfft` along several axes, all of them by default."""
    return _fourier.hfftn(a, s, axes, norm)


def ihfftn(a, s=None, axes=None, norm=None):
    """The inverse of `hfftn`."""
    return _fourier.ihfftn(a, s, axes, norm)


def fftfreq(n, d=1.0, dtype=None):
    """The frequencies of a transform's elements."""
    return _fourier.fftfreq(n, d, dtype)


def rfftfreq(n, d=1.0, dtype=None):
    """The frequencies of the first half of a transform's elements."""
    return _fourier.rfftfreq(n, d, dtype)


def fftshift(x, axes=None):
    """The element of frequency zero moved to the middle of axes, of all by default."""
    return _fourier.fftshift(x, axes)


def ifftshift(x, axes=None):
    """The inverse of `fftshift`."""
    return _fourier.ifftshift(x, axes)


for _name, _function in list(globals().items()):
    if not _name.startswith("_"):
        globals()[_name] = _Whole(_function, ("a", "x"))

__getattr__ = _not_offered(__name__)
