"""Trigonometric, hyperbolic and inverse functions, logarithms and exponentials near 0, rounding; in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy.math_ops import _of_one, _of_two
from plumb.ops import _functions as F

tan = _of_one("tan", F.tan, "Tangents of angles in radians.")
sinh = _of_one("sinh", F.sinh, "Hyperbolic sines.")
cosh = _of_one("cosh", F.cosh, "Hyperbolic cosines.")
arcsin = _of_one("arcsin", F.asin, "Angles in [-π/2, π/2] with these sines.")
arctan = _of_one("arctan", F.atan, "Angles in [-π/2, π/2] with these tangents.")
arcsinh = _of_one("arcsinh", F.asinh, "Inverse hyperbolic sines.")
arccosh = _of_one("arccosh", F.acosh, "Inverse hyperbolic cosines.")
arctanh = _of_one("arctanh", F.atanh, "Inverse hyperbolic tangents.")
log1p = _of_one("log1p", F.log1p, "Natural logarithms of 1 + `x`, exact for small `x`.")
expm1 = _of_one("expm1", F.expm1, "exp(`x`) - 1, exact for small `x`.")
rint = _of_one("rint", F.round, "Rounded to the nearest whole number, halves to the even one.")
trunc = _of_one("trunc", F.trunc, "Rounded towards zero.")
arctan2 = _of_two("arctan2", F.atan2, "The angle in [-π, π] of the point (`x2`, `x1`).", C.floating)


def arccos(input, dtype=None):
    """Angles in [0, π] with these cosines."""
    return C.converted(F.acos(C.floating(input)), dtype)


def fix(x):
    """Rounded towards zero."""
    return F.trunc(C.floating(x))


def around(a, decimals=0):
    """Rounded to a number of decimals, halves to the even neighbour; integers stay.

    MindSpore and NumPy scale in f16 where `a` is, which takes numbers near a half to the other side.
    """
    x = C.tensor(a)
    if decimals == 0:
        return F.round(x) if x.dtype in C.FLOATS else x
    scale = 10.0 ** decimals
    return C.converted(F.round(C.floating(x) * scale) / scale, x.dtype)


def signbit(x, dtype=None):
    """Whether the sign is negative; -0.0 and negative NaN have it too."""
    a = C.tensor(x)
    if a.dtype in C.FLOATS:
        bits = F.bitcast(F.cast(a, mstype.float32), mstype.int32)
        return C.converted(F.less(bits, 0), dtype)
    return C.converted(F.less(a, 0), dtype)


__all__ = offered(globals())
