"""Element-wise mathematics; in the parsable subset.

Operands meet in one element type as those of operators do. Functions of real numbers take integers and booleans as
float32. `dtype` is the element type of the result.
"""

import math

from plumb import ops as O
from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy.logic_ops import _named
from plumb.ops import _functions as F
from plumb.ops.function import elementwise


def _divisor(x, y):
    if x.dtype == mstype.bool_ and y.dtype == mstype.bool_:
        return F.logical_or(x, y)
    return elementwise._common_divisor(x, y)


def _multiple(x, y):
    if x.dtype == mstype.bool_ and y.dtype == mstype.bool_:
        return F.logical_and(x, y)
    return elementwise._common_multiple(x, y)


def _of_one(name, compute, summary, operand=C.floating):
    def function(x, dtype=None):
        return C.converted(compute(operand(x)), dtype)

    return _named(function, name, summary)


def _of_two(name, compute, summary, operand=C.tensor):
    def function(x1, x2, dtype=None):
        x, y = C.together((operand(x1), operand(x2))) if operand is C.floating else (operand(x1), operand(x2))
        return C.converted(compute(x, y), dtype)

    return _named(function, name, summary)


def _step(x1, x2):
    x, y = C.together((x1, x2))
    return O.heaviside(x, y)


sqrt = _of_one("sqrt", F.sqrt, "Square roots.")
exp = _of_one("exp", F.exp, "e to the power of `x`.")
log = _of_one("log", F.log, "Natural logarithms.")
sin = _of_one("sin", F.sin, "Sines of angles in radians.")
cos = _of_one("cos", F.cos, "Cosines of angles in radians.")
tanh = _of_one("tanh", F.tanh, "Hyperbolic tangents.")
floor = _of_one("floor", F.floor, "Rounded down.")
ceil = _of_one("ceil", F.ceil, "Rounded up.")

absolute = _of_one("absolute", F.magnitudes, "Absolute values.", C.without_truths)
fabs = _of_one("fabs", F.magnitudes, "Absolute values.", C.without_truths)
sign = _of_one("sign", F.sign, "-1, 0 or 1 as numbers are negative, zero or positive.", C.without_truths)
square = _of_one("square", F.square, "Squares.", C.without_truths)
invert = _of_one("invert", F.invert, "All bits the other way; of booleans, the other one.", C.tensor)

add = _of_two("add", F.add, "Sums.")
subtract = _of_two("subtract", F.sub, "Differences.")
multiply = _of_two("multiply", F.mul, "Products.")
divide = _of_two("divide", F.div, "Quotients, of float32 for integers.")
true_divide = _of_two("true_divide", F.div, "Quotients, of float32 for integers.")
floor_divide = _of_two("floor_divide", F.floor_div, "Quotients rounded down.")
remainder = _of_two("remainder", F.floor_mod, "What a quotient that is rounded down leaves: of the divisor's sign.")
fmod = _of_two("fmod", F.mod, "What a quotient that is rounded towards zero leaves: of the dividend's sign.")
power = _of_two("power", F.pow, "`x1` to the power of `x2`.")
maximum = _of_two("maximum", F.maximum, "The larger of two.")
minimum = _of_two("minimum", F.minimum, "The smaller of two.")
bitwise_and = _of_two("bitwise_and", F.bitwise_and, "Bits that are set in both.")
bitwise_or = _of_two("bitwise_or", F.bitwise_or, "Bits that are set in one or both.")
bitwise_xor = _of_two("bitwise_xor", F.bitwise_xor, "Bits that are set in one and only one.")
hypot = _of_two("hypot", O.hypot, "The root of x1² + x2².", C.floating)
logaddexp = _of_two("logaddexp", O.logaddexp, "log(exp(x1) + exp(x2)) without overflow.", C.floating)
logaddexp2 = _of_two("logaddexp2", O.logaddexp2, "log2(2**x1 + 2**x2) without overflow.", C.floating)
heaviside = _of_two("heaviside", _step, "0 where `x1` is negative, 1 where it is positive, else `x2`.", C.without_truths)
gcd = _of_two("gcd", _divisor, "Greatest common divisors, also of floats.")
lcm = _of_two("lcm", _multiple, "Least common multiples, also of floats.")


def negative(a, dtype=None):
    """Opposite numbers."""
    return C.converted(F.neg(C.without_truths(a)), dtype)


def copysign(x1, x2, dtype=None):
    """The magnitude of `x1` with the sign of `x2`, in the type of `x1`."""
    x = C.without_truths(x1)
    return C.converted(O.copysign(C.floating(x), C.floating(x2)), x.dtype if dtype is None else dtype)


def positive(a, dtype=None):
    """The numbers themselves."""
    return C.converted(C.without_truths(a), dtype)


def reciprocal(x, dtype=None):
    """1 / x; of integers, rounded towards zero."""
    a = C.without_truths(x)
    if a.dtype in C.FLOATS:
        return C.converted(F.reciprocal(a), dtype)
    one = F.equal(F.abs(a), 1)
    return C.converted(F.select(one, a, F.zeros_like(a)), dtype)


def cbrt(x, dtype=None):
    """Cube roots, of negative numbers as well.

    That of 0 is 0; MindSpore 2.0.0 gives NaN for integers of 0.
    """
    a = C.floating(x)
    return C.converted(F.sign(a) * F.pow(F.abs(a), 1.0 / 3.0), dtype)


def exp2(x, dtype=None):
    """2 to the power of `x`."""
    a = C.without_truths(x)
    return C.converted(F.pow(C.tensor(2, a.dtype), a), dtype)


def log2(x, dtype=None):
    """Logarithms to base 2."""
    return C.converted(F.log(C.inexact(x)) * (1.0 / math.log(2.0)), dtype)


def log10(x, dtype=None):
    """Logarithms to base 10."""
    return C.converted(F.log(C.inexact(x)) * (1.0 / math.log(10.0)), dtype)


def deg2rad(x, dtype=None):
    """Angles in degrees as radians."""
    return C.converted(C.floating(x) * (math.pi / 180.0), dtype)


def rad2deg(x, dtype=None):
    """Angles in radians as degrees."""
    return C.converted(C.floating(x) * (180.0 / math.pi), dtype)


def float_power(x1, x2, dtype=None):
    """`x1` to the power of `x2`, both as float32 at least."""
    return C.converted(F.pow(C.inexact(x1), C.inexact(x2)), dtype)


def divmod_(x1, x2, dtype=None):
    """(quotients rounded down, what they leave)."""
    return floor_divide(x1, x2, dtype), remainder(x1, x2, dtype)


def clip(x, xmin, xmax, dtype=None):
    """`x` held between `xmin` and `xmax`, in the type of `x`; None is no limit."""
    a = C.tensor(x)
    if a.dtype == mstype.bool_:
        return C.converted(clip(C.floating(a), xmin, xmax), mstype.bool_ if dtype is None else dtype)
    if xmin is None and xmax is None:
        raise ValueError("For 'clip', 'xmin' and 'xmax' cannot both be None")
    result = a
    if xmin is not None:
        result = F.maximum(result, _bound(xmin, a.dtype))
    if xmax is not None:
        result = F.minimum(result, _bound(xmax, a.dtype))
    return C.converted(result, dtype)


def _bound(value, kind):
    """A limit in the type of what it limits."""
    return C.tensor(value, kind)


def promote_types(type1, type2):
    """The element type in which two meet."""
    return C.joined_type(C.known_type(type1), C.known_type(type2))


def result_type(*arrays_and_dtypes):
    """The element type in which tensors, numbers and element types meet."""
    kind = None
    for value in arrays_and_dtypes:
        own = C.literal_type(value) if isinstance(value, (bool, int, float, list, tuple)) or hasattr(value, "shape") else \
            C.known_type(value)
        kind = own if kind is None else C.joined_type(kind, own)
    return kind


__all__ = offered(globals())
