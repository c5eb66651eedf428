"""Trigonometric and hyperbolic functions and their inverses, error and gamma functions, roundings; in the parsable subset.

They take integers and booleans as float32.
"""

from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def tan(input):
    """Tangents."""
    return F.tan(_checks.real("tan", input))


def asin(input):
    """Inverse sines; NaN beyond -1 and 1."""
    return F.asin(_checks.real("asin", input))


def acos(input):
    """Inverse cosines; NaN beyond -1 and 1."""
    return F.acos(_checks.real("acos", input))


def atan(input):
    """Inverse tangents."""
    return F.atan(_checks.real("atan", input))


def sinh(input):
    """Hyperbolic sines."""
    return F.sinh(_checks.real("sinh", input))


def cosh(input):
    """Hyperbolic cosines."""
    return F.cosh(_checks.real("cosh", input))


@known_as(input="x")
def asinh(x):
    """Inverse hyperbolic sines."""
    return F.asinh(_checks.real("asinh", x))


def acosh(input):
    """Inverse hyperbolic cosines; NaN below 1."""
    return F.acosh(_checks.real("acosh", input))


@known_as(input="x")
def atanh(x):
    """Inverse hyperbolic tangents; NaN beyond -1 and 1."""
    return F.atanh(_checks.real("atanh", x))


def erfc(input):
    """1 - erf(x), exact for large x."""
    return F.erfc(_checks.real("erfc", input))


def erfinv(input):
    """The inverse of the error function; NaN beyond -1 and 1."""
    return F.erfinv(_checks.real("erfinv", input))


def lgamma(input):
    """Logarithms of the gamma function's magnitude."""
    return F.lgamma(_checks.real("lgamma", input))


def digamma(input):
    """Derivatives of lgamma."""
    return F.digamma(_checks.real("digamma", input))


def round(input, *, decimals=0):
    """The nearest number of `decimals` decimal places, of halves the even one; integers stay as they are. It has no gradient.

    Where `decimals` is not 0, float16 and bfloat16 are scaled and rounded in float32.
    """
    if decimals != 0 and input.dtype in _checks.FLOATS:
        scale = 10.0 ** decimals
        return F.cast(F.round(F.stop_gradient(F.widened(input)) * scale) / scale, input.dtype)
    return F.round(F.stop_gradient(input)) if input.dtype in _checks.FLOATS else input


def trunc(input):
    """Without the fraction. Integers stay as they are."""
    return F.trunc(F.stop_gradient(input)) if input.dtype in _checks.FLOATS else input


def rint(input):
    """Rounded to the nearest whole number, halves to the even one."""
    return round(input)


def polygamma(n, input):
    """The derivative of digamma of order `n`, an int of at least 0 or a tensor of one, known while compiling."""
    order = n.item() if isinstance(n, _checks.Tensor) else n
    return F.polygamma(_checks.real("polygamma", input), order)


def atan2(input, other):
    """Angles of the points (other, input), from -pi to pi; a number stands beside a tensor."""
    y, x = _checks.both("atan2", input, other)
    y, x = _checks.real("atan2", y), _checks.real("atan2", x)
    kind = F.add(y, x).dtype
    return F.atan2(F.cast(y, kind), F.cast(x, kind))


def arcsin(x):
    """Inverse sines; NaN beyond -1 and 1."""
    return asin(x)


arccos, arctan, arctan2, arcsinh, arccosh, arctanh = acos, atan, atan2, asinh, acosh, atanh

__all__ = offered(globals())
