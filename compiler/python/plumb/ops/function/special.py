"""Zeta, beta and gamma functions of two arguments, neighbours of numbers; in the parsable subset.

They take integers and booleans as float32.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F

# B(2k) / (2k)! for k = 1, 2, …: Abramowitz and Stegun, 23.1.
_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600)


def zeta(input, other):
    """Hurwitz' zeta function: the sum of (k + q)^-x over k = 0, 1, …, for x above 1 and q above 0.

    Below 0 it is finite where x is whole and q is not; inf at x = 1 and where q is 0, -1, …, else NaN. It is differentiated by both
    arguments; MindSpore 2.0.0's is by the second alone.
    """
    x, q = _checks.both("zeta", input, other)
    x, q = _checks.real("zeta", x), _checks.real("zeta", q)
    pole = F.logical_and(F.less_equal(q, 0.0), F.equal(q, F.floor(q)))
    below = F.logical_and(F.less(q, 0.0), F.equal(x, F.floor(x)))
    valid = F.logical_and(F.logical_and(F.greater(x, 1.0), F.logical_or(F.greater(q, 0.0), below)), F.logical_not(pole))
    infinite = F.logical_or(F.equal(x, 1.0), F.logical_and(F.greater(x, 1.0), pole))
    limit = F.select(infinite, F.fill(x.dtype, (), math.inf), F.fill(x.dtype, (), math.nan))
    x, q = F.select(valid, x, F.fill(x.dtype, (), 2.0)), F.select(valid, q, F.fill(q.dtype, (), 1.0))
    # The terms of k + q below 0 are, but for their sign, those from the fraction of -q to -q.
    fraction = F.select(below, -q - F.floor(-q), F.fill(q.dtype, (), 0.5))
    sign = 1.0 - 2.0 * (x - 2.0 * F.floor(x * 0.5))
    first = _zeta_of_positive(x, F.select(below, 1.0 - fraction, q))
    negative = sign * (_zeta_of_positive(x, fraction) - _zeta_of_positive(x, F.select(below, 1.0 - q, F.fill(q.dtype, (), 1.0))))
    return F.select(valid, F.select(below, first + negative, first), limit)


def _zeta_of_positive(x, q):
    """Ten terms, and Euler and Maclaurin's formula for the rest (Abramowitz and Stegun, 23.2)."""
    total = F.pow(q, -x)
    for number in range(1, 10):
        total = total + F.pow(q + float(number), -x)
    start = q + 10.0
    power = F.pow(start, -x)
    total = total + power * start / (x - 1.0) + power * 0.5
    factor, square = power * x / start, F.square(start)
    for number in range(len(_BERNOULLI)):
        total = total + factor * _BERNOULLI[number]
        step = 2.0 * number + 1.0
        factor = factor * ((x + step) * (x + (step + 1.0)) / square)
    return total


def mvlgamma(input, p):
    """The logarithm of the multivariate gamma function of dimension p, an int of at least 1; for x above (p - 1) / 2."""
    if not isinstance(p, int) or p < 1:
        raise ValueError(f"For 'mvlgamma', 'p' must be an int of at least 1, but got {p}")
    x = _checks.real("mvlgamma", input)
    total = F.lgamma(x) + 0.25 * p * (p - 1) * math.log(math.pi)
    for number in range(1, p):
        total = total + F.lgamma(x - 0.5 * number)
    return total


def nextafter(input, other):
    """The number next to each of float32 or float64 in the direction of `other`. No gradient passes.

    MindSpore 2.0.0 passes one to the input.
    """
    if input.dtype not in (mstype.float32, mstype.float64) or other.dtype != input.dtype:
        raise TypeError(f"For 'nextafter', the inputs must be of float32 or float64, but got {input.dtype} and {other.dtype}")
    kind = mstype.int32 if input.dtype == mstype.float32 else mstype.int64
    x, y = F.stop_gradient(input) + F.zeros_like(other), F.stop_gradient(other) + F.zeros_like(input)
    bits = F.bitcast(x, kind)
    # Numbers of one sign are in the order of their bits.
    away = F.equal(F.greater(y, x), F.greater(x, 0.0))
    moved = F.bitcast(F.select(away, bits + 1, bits - 1), input.dtype)
    least = F.bitcast(F.ones_like(bits), input.dtype)
    from_zero = F.select(F.greater(y, 0.0), least, -least)
    same = F.logical_or(F.equal(x, y), F.not_equal(x, x))
    result = F.select(same, y, F.select(F.equal(x, 0.0), from_zero, moved))
    return F.select(F.not_equal(x, x), x, F.select(F.not_equal(y, y), y, result))


__all__ = offered(globals())
