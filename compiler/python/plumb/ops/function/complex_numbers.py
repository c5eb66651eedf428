"""Complex numbers: made of two parts or in polar form, taken apart; in the parsable subset.

Real numbers count as complex ones without an imaginary part. Gradients of a real number by z = x + iy are dL/dx + i dL/dy, the
conjugate of what complex analysis calls the derivative where there is one.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def _parts(who, first, second):
    """Two tensors of float32 or two of float64."""
    first, second = _checks.both(who, first, second)
    for x in (first, second):
        if x.dtype not in (mstype.float32, mstype.float64):
            raise TypeError(f"For '{who}', the inputs must be of float32 or float64, but got {x.dtype}")
    if first.dtype != second.dtype:
        raise TypeError(f"For '{who}', the inputs must be of one type, but got {first.dtype} and {second.dtype}")
    return first, second


def complex_of(real, imag):
    """real + i imag, of two tensors of float32 or of float64; the result is of complex64 or complex128."""
    real, imag = _parts("Complex", real, imag)
    return F.complex(real, imag)


def complex_magnitude(x):
    """|z| of complex numbers; raises TypeError for others."""
    if _checks.tensor("ComplexAbs", x).dtype not in _checks.COMPLEX:
        raise TypeError(f"For 'ComplexAbs', the input must be of complex64 or complex128, but got {x.dtype}")
    return F.complex_abs(x)


def real(input):
    """The real parts; real numbers as they are."""
    return F.real(input) if _checks.tensor("real", input).dtype in _checks.COMPLEX else input


def imag(input):
    """The imaginary parts: zeros of real numbers."""
    return F.imag(input) if _checks.tensor("imag", input).dtype in _checks.COMPLEX else F.zeros_like(input)


def conj(input):
    """x - iy of z = x + iy; real numbers as they are."""
    return F.conj(input) if _checks.tensor("conj", input).dtype in _checks.COMPLEX else input


def angle(input):
    """Angles from -pi to pi: of real numbers 0, or pi below zero, and NaN of NaN."""
    if _checks.tensor("angle", input).dtype in _checks.COMPLEX:
        return F.angle(input)
    x = _checks.real("angle", input)
    turned = F.select(F.less(x, 0.0), F.fill(x.dtype, x.shape, 3.141592653589793), F.zeros_like(x))
    return F.select(F.not_equal(x, x), x, turned)


def polar(abs, angle):
    """abs · e^(i angle), of two tensors of float32 or of float64."""
    abs, angle = _parts("polar", abs, angle)
    return F.complex(F.mul(abs, F.cos(angle)), F.mul(abs, F.sin(angle)))


def view_as_real(input):
    """The real and imaginary parts side by side on a new last axis; raises TypeError for real numbers."""
    if _checks.tensor("view_as_real", input).dtype not in _checks.COMPLEX:
        raise TypeError(f"For 'view_as_real', the input must be of complex64 or complex128, but got {input.dtype}")
    return F.stack((F.real(input), F.imag(input)), input.ndim)


def is_complex(input):
    """Whether the elements are complex numbers."""
    return _checks.tensor("is_complex", input).dtype in _checks.COMPLEX


def isreal(input):
    """Whether each has no imaginary part: real numbers have none."""
    if input.dtype in _checks.COMPLEX:
        return F.equal(F.imag(input), 0.0)
    return F.fill(mstype.bool_, input.shape, 1)


__all__ = offered(globals())
