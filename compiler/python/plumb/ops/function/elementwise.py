"""Elementwise arithmetic and elementary functions, with MindSpore's signatures, in the parsable subset.

Functions of real analysis take integers and booleans as float32; two tensors' element types meet as operators' do.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F

neg, abs, square, sign, mul, maximum, minimum = F.neg, F.abs, F.square, F.sign, F.mul, F.maximum, F.minimum
add, sub, floor_div, floor_mod = F.add, F.sub, F.floor_div, F.floor_mod


# -- arithmetic


def subtract(input, other, *, alpha=1):
    """input - alpha * other."""
    return F.sub(input, other if alpha == 1 else other * alpha)


def div(input, other, *, rounding_mode=None):
    """Quotients; with `rounding_mode` "floor" rounded down, with "trunc" towards zero."""
    if rounding_mode == "floor":
        return F.floor_div(input, other)
    if rounding_mode is None:
        return F.div(input, other)
    if rounding_mode != "trunc":
        raise ValueError("For 'div', 'rounding_mode' must be None, 'floor' or 'trunc'")
    return truncate_div(input, other)


def true_divide(dividend, divisor):
    """Quotients."""
    return F.div(dividend, divisor)


def truncate_div(x, y):
    """Quotients rounded towards zero; integers stay integers."""
    # x - rem(x, y) is a multiple of y: its quotient rounded down is exact, of whatever sign.
    if _is_whole(x) and _is_whole(y):
        return F.floor_div(F.sub(x, F.mod(x, y)), y)
    return F.trunc(F.stop_gradient(F.div(x, y)))


def _is_whole(x):
    """Whether `x` is a tensor or number of integers."""
    if isinstance(x, (int, float)):
        return isinstance(x, int)
    return x.dtype in _checks.INTEGERS


def truncate_mod(x, y):
    """The remainder of division towards zero: its sign is that of x. Integers modulo 0 are 0."""
    return F.mod(x, y)


def mod(x, y):
    """The remainder of division towards zero, as C's `%`. Integers modulo 0 are 0."""
    return F.mod(x, y)


def fmod(input, other):
    """The remainder of division towards zero: its sign is that of `input`."""
    return F.mod(input, other)


def remainder(input, other):
    """The remainder of division rounded down: its sign is that of `other`."""
    return F.floor_mod(input, other)


def div_no_nan(x1, x2):
    """x1 / x2, and 0 where x2 is 0."""
    x1, x2 = _checks.both("div_no_nan", x1, x2)
    zero = F.equal(x2, 0)
    quotient = F.div(x1, F.select(zero, F.ones_like(x2), x2))
    return F.select(F.broadcast_to(zero, quotient.shape), F.zeros_like(quotient), quotient)


def mul_no_nan(x, y):
    """x * y, and 0 where y is 0, whatever x is."""
    x, y = _checks.both("mul_no_nan", x, y)
    zero = F.equal(y, 0)
    product = F.mul(F.select(zero, F.zeros_like(F.mul(x, y)), x), y)
    return F.select(F.broadcast_to(zero, product.shape), F.zeros_like(product), product)


def squared_difference(x, y):
    """(x - y)²."""
    return F.square(F.sub(x, y))


def addcmul(input, tensor1, tensor2, value=1):
    """input + value * tensor1 * tensor2.

    Of integers with a `value` of float, or f16 with one of f32, it is of float32; MindSpore 2.0.0 cuts it to the type of `input`.
    """
    return F.add(input, F.mul(F.mul(tensor1, tensor2), value))


def addcdiv(input, tensor1, tensor2, value=1):
    """input + value * tensor1 / tensor2.

    Of integers, or f16 with a `value` of f32, it is of float32; MindSpore 2.0.0 cuts it to the type of `input`.
    """
    return F.add(input, F.mul(F.div(tensor1, tensor2), value))


def addn(x):
    """The sum of a list of tensors."""
    if len(x) == 0:
        raise ValueError("For 'addn', the list must hold a tensor")
    total = x[0]
    for term in x[1:]:
        total = F.add(total, term)
    return total


def accumulate_n(x):
    """The sum of a list of tensors of one shape."""
    for term in x:
        if term.shape != x[0].shape:
            raise ValueError(f"For 'accumulate_n', the shapes must be equal, but got {x[0].shape} and {term.shape}")
    return addn(x)


def lerp(input, end, weight):
    """input + weight * (end - input), of a number or a tensor as weight."""
    _checks.inexact("lerp", input)
    return F.add(input, F.mul(F.sub(end, input), weight))


def positive(input):
    """The input itself; raises TypeError for booleans."""
    if input.dtype == mstype.bool_:
        raise TypeError("For 'positive', the input cannot be of bool")
    return input


def fmax(input, other):
    """The larger of two; the other one where one is NaN."""
    x, y = _checks.both("fmax", input, other)
    return F.select(_is_nan(x), y, F.select(_is_nan(y), x, F.maximum(_held(x), _held(y))))


def fmin(input, other):
    """The smaller of two; the other one where one is NaN."""
    x, y = _checks.both("fmin", input, other)
    return F.select(_is_nan(x), y, F.select(_is_nan(y), x, F.minimum(_held(x), _held(y))))


def _is_nan(x):
    return F.not_equal(x, x)


def _held(x):
    """x with zeros for NaN, so that no gradient of one passes."""
    return F.select(_is_nan(x), F.zeros_like(x), x)


def gcd(input, other):
    """Greatest common divisors of integers, by Euclid's algorithm."""
    return _common_divisor(_checks.integers("gcd", input), _checks.integers("gcd", other))


def _common_divisor(x, y):
    """Greatest common divisors of numbers, whole or not."""
    first, second = F.abs(x), F.abs(y)
    first, second = first + F.zeros_like(second), second + F.zeros_like(first)
    while F.any(F.not_equal(second, 0)):
        done = F.equal(second, 0)
        first, second = F.select(done, first, second), F.select(done, second, F.floor_mod(first, second))
    return first


def lcm(input, other):
    """Least common multiples of integers; 0 where one of them is 0."""
    return _common_multiple(_checks.integers("lcm", input), _checks.integers("lcm", other))


def _common_multiple(input, other):
    """Least common multiples of numbers, whole or not."""
    divisor = _common_divisor(input, other)
    zero = F.equal(divisor, 0)
    return F.mul(F.floor_div(F.abs(input), F.select(zero, F.ones_like(divisor), divisor)), F.abs(other))


# -- rounding


def floor(input):
    """The largest whole numbers not above; raises TypeError for integers."""
    return F.floor(_checks.floating("floor", input))


def ceil(input):
    """The smallest whole numbers not below; raises TypeError for integers."""
    return F.ceil(_checks.floating("ceil", input))


@known_as(input="x")
def frac(x):
    """x - trunc(x)."""
    return x - F.trunc(F.stop_gradient(_checks.floating("frac", x)))


# -- exponentials, logarithms and powers


def exp(input):
    """e^x."""
    return F.exp(_checks.real("exp", input))


def exp2(input):
    """2^x."""
    return F.pow(2.0, _checks.real("exp2", input))


def expm1(input):
    """e^x - 1, exact for small x."""
    return F.expm1(_checks.real("expm1", input))


def log(input):
    """Natural logarithms."""
    return F.log(_checks.real("log", input))


def log2(input):
    """Logarithms to base 2."""
    return F.log(_checks.real("log2", input)) * (1.0 / math.log(2.0))


def log10(input):
    """Logarithms to base 10."""
    return F.log(_checks.real("log10", input)) * (1.0 / math.log(10.0))


def log1p(input):
    """log(1 + x), exact for small x."""
    return F.log1p(_checks.real("log1p", input))


@known_as(input="x")
def sqrt(x):
    """Square roots."""
    return F.sqrt(_checks.real("sqrt", x))


def rsqrt(input):
    """1 / sqrt(x)."""
    return F.rsqrt(_checks.real("rsqrt", input))


def reciprocal(input):
    """1 / x."""
    return F.reciprocal(_checks.real("reciprocal", input))


def inv(x):
    """1 / x."""
    return reciprocal(x)


def pow(input, exponent):
    """Powers."""
    return F.pow(input, exponent)


def float_power(input, exponent):
    """Powers in float64, of complex numbers in complex128."""
    operands = [x for x in (input, exponent) if isinstance(x, _checks.Tensor)]
    kind = mstype.complex128 if [x for x in operands if x.dtype in _checks.COMPLEX] else mstype.float64
    base = F.cast(input, kind) if isinstance(input, _checks.Tensor) else input
    return F.pow(base, F.cast(exponent, kind) if isinstance(exponent, _checks.Tensor) else exponent)


def ldexp(x, other):
    """x * 2^other."""
    return F.mul(x, exp2(other))


def logaddexp(input, other):
    """log(exp(x) + exp(y)), without overflow."""
    larger = F.maximum(input, other)
    # Equal infinities have no difference.
    gap = F.select(F.equal(input, other), F.zeros_like(larger), F.abs(F.sub(input, other)))
    return larger + F.log1p(F.exp(-gap))


def logaddexp2(input, other):
    """log2(2^x + 2^y), without overflow."""
    base = math.log(2.0)
    return logaddexp(input * base, other * base) * (1.0 / base)


def hypot(input, other):
    """sqrt(x² + y²), without overflow."""
    first, second = _reals("hypot", input, other)
    first, second = F.abs(first), F.abs(second)
    larger, smaller = F.maximum(first, second), F.minimum(first, second)
    zero = F.equal(larger, 0.0)
    ratio = F.select(zero, F.zeros_like(larger), smaller / F.select(zero, F.ones_like(larger), larger))
    return larger * F.sqrt(ratio * ratio + 1.0)


def _reals(who, x, y):
    """Two tensors for two tensors or numbers, integers as float32."""
    x, y = _checks.both(who, x, y)
    return _checks.real(who, x), _checks.real(who, y)


def xlogy(input, other):
    """x * log(y), and 0 where x is 0 and y is no NaN."""
    first, second = _reals("xlogy", input, other)
    zero = F.logical_and(F.equal(first, 0.0), F.less_equal(second, 0.0))
    safe = F.select(zero, F.ones_like(second), second)
    return F.mul(first, F.log(safe))


def xdivy(x, y):
    """x / y, and 0 where x is 0."""
    first, second = _reals("xdivy", x, y)
    zero = F.logical_and(F.equal(first, 0.0), F.equal(second, 0.0))
    safe = F.select(zero, F.ones_like(second), second)
    return F.div(first, safe)


# -- trigonometry


def sin(input):
    """Sines, in radians."""
    return F.sin(_checks.real("sin", input))


def cos(input):
    """Cosines, in radians."""
    return F.cos(_checks.real("cos", input))


def tanh(input):
    """Hyperbolic tangents."""
    return F.tanh(_checks.real("tanh", input))


def sinc(input):
    """sin(pi * x) / (pi * x), 1 at 0."""
    scaled = _checks.real("sinc", input) * math.pi
    zero = F.equal(scaled, 0.0)
    safe = F.select(zero, F.ones_like(scaled), scaled)
    return F.select(zero, F.ones_like(scaled), F.sin(safe) / safe)


def deg2rad(x):
    """Degrees in radians."""
    return _checks.floating("deg2rad", x) * (math.pi / 180.0)


def rad2deg(x):
    """Radians in degrees."""
    return _checks.floating("rad2deg", x) * (180.0 / math.pi)


def erf(input):
    """The error function."""
    return F.erf(_checks.real("erf", input))


# -- signs and steps


def sgn(input):
    """-1, 0 or 1."""
    return F.sign(input)


def copysign(x, other):
    """|x| with the sign of `other`; integers become float32."""
    first = _checks.real("copysign", x)
    if isinstance(other, (int, float)):
        return -F.abs(first) if other < 0 else F.abs(first)
    sign = _negative(_checks.real("copysign", other))
    size = F.abs(first)
    return F.select(sign, -size, size)


def _negative(x):
    """Whether x is below zero, or minus zero."""
    return F.logical_or(F.less(x, 0.0), F.logical_and(F.equal(x, 0.0), F.less(F.reciprocal(x), 0.0)))


def heaviside(input, values):
    """0 below zero, 1 above, `values` at zero."""
    step = F.cast(F.greater(input, 0), values.dtype)
    return F.select(F.equal(input, 0), values, step)


def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """x, or each of a list, held between the two values; None is no limit. Raises ValueError when both are None.

    A NaN stays one. At a limit half of the gradient passes to x. Integers between limits of float become float32; MindSpore 2.0.0 cuts
    the limits to the integers' type.
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', 'clip_value_min' and 'clip_value_max' cannot both be None")
    if isinstance(x, (tuple, list)):
        return tuple([_held_between(part, clip_value_min, clip_value_max) for part in x])
    return _held_between(x, clip_value_min, clip_value_max)


def _held_between(x, low, high):
    if low is not None:
        x = F.maximum(x, low)
    if high is not None:
        x = F.minimum(x, high)
    return x


def clamp(input, min=None, max=None):
    """The input held between the two values, as by `clip_by_value`; None is no limit.

    Integers between limits of float become float32; MindSpore 2.0.0 cuts the limits to the integers' type.
    """
    return clip_by_value(input, min, max)


@known_as(input="x", xmin="min", xmax="max")
def clip(x, min=None, max=None):
    """x held between the two values, as by `clip_by_value`; None is no limit.

    Integers between limits of float become float32; MindSpore 2.0.0 cuts the limits to the integers' type.
    """
    return clip_by_value(x, min, max)


def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """The input with numbers for NaN and infinities; None is the largest and the smallest finite number."""
    _checks.floating("nan_to_num", input)
    largest = _largest(input.dtype)
    result = F.select(_is_nan(input), F.fill(input.dtype, input.shape, 0.0 if nan is None else nan), input)
    result = F.select(F.greater(input, largest),
                      F.fill(input.dtype, input.shape, largest if posinf is None else posinf), result)
    return F.select(F.less(input, -largest),
                    F.fill(input.dtype, input.shape, -largest if neginf is None else neginf), result)


def _largest(dtype):
    """The largest finite number of a type of floating point."""
    if dtype == mstype.float16:
        return 65504.0
    if dtype == mstype.bfloat16:
        return 3.3895313892515355e38
    return 3.4028234663852886e38 if dtype == mstype.float32 else 1.7976931348623157e308


absolute = abs
negative = neg
multiply = mul
divide = div
floordiv, floormod, floor_divide = floor_div, floor_mod, floor_div
tensor_add, tensor_sub, tensor_mul, tensor_div, tensor_pow, tensor_mod, tensor_floordiv = (
    add, sub, mul, div, pow, floor_mod, floor_div)
tensor_exp, tensor_expm1, neg_tensor = exp, expm1, neg
pows = pow

__all__ = offered(globals())
