"""Bessel functions, with MindSpore's names, in the parsable subset. They take integers and booleans as float32.

Near 0 they are Chebyshev series (`_bessel_tables`), far out series of their asymptotic forms (Abramowitz and Stegun, 9.2 and
9.7). A series is cut where its terms are below what the element type resolves.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function import _bessel_tables as T


def _series(coefficients, x, dtype):
    """The Chebyshev series at x in [-1, 1], by Clenshaw's recurrence."""
    finest = 1e-17 if dtype == mstype.float64 else 1e-9
    count = len(coefficients)
    largest = max([abs(number) for number in coefficients])
    while count > 2 and abs(coefficients[count - 1]) < finest * largest:
        count = count - 1
    twice, later, last = x * 2.0, coefficients[count - 1], 0.0
    for number in range(count - 2, 0, -1):
        later, last = twice * later - last + coefficients[number], later
    return x * later - last + coefficients[0]


def _below(x, limit):
    """x where it is below a limit, the limit elsewhere; no gradient passes there."""
    return F.select(F.less(x, limit), x, F.fill(x.dtype, x.shape, limit))


def _above(x, limit):
    """x where it is not below a limit, the limit elsewhere; no gradient passes there."""
    return F.select(F.greater_equal(x, limit), x, F.fill(x.dtype, x.shape, limit))


# -- modified, of the first kind


def _scaled_i(x, near, far):
    """exp(-x) I0(x), and I1's without its factor x near 0, for x of at least 0."""
    inner, outer = _below(x, 8.0), _above(x, 8.0)
    series = _series(far, 16.0 / outer - 1.0, x.dtype) * F.rsqrt(outer)
    return _series(near, inner * 0.25 - 1.0, x.dtype), series


def bessel_i0e(x):
    """exp(-|x|) I0(x)."""
    size = F.abs(_checks.real("bessel_i0e", x))
    near, far = _scaled_i(size, T.I0_NEAR, T.I0_FAR)
    return F.select(F.less(size, 8.0), near, far)


def bessel_i0(x):
    """The modified Bessel function I0."""
    size = F.abs(_checks.real("bessel_i0", x))
    return F.exp(size) * bessel_i0e(size)


def bessel_i1e(x):
    """exp(-|x|) I1(x)."""
    x = _checks.real("bessel_i1e", x)
    size = F.abs(x)
    near, far = _scaled_i(size, T.I1_NEAR, T.I1_FAR)
    return F.select(F.less(size, 8.0), near * x, far * F.sign(x))


def bessel_i1(x):
    """The modified Bessel function I1."""
    x = _checks.real("bessel_i1", x)
    return F.exp(F.abs(x)) * bessel_i1e(x)


def i0(input):
    """The modified Bessel function I0."""
    return bessel_i0(input)


# -- modified, of the second kind


def _scaled_far(x, far):
    """exp(x) K(x) for x from 2 on."""
    outer = _above(x, 2.0)
    return _series(far, 4.0 / outer - 1.0, x.dtype) * F.rsqrt(outer)


def _k0_near(x):
    inner = _below(x, 2.0)
    square = F.square(inner) * 0.5 - 1.0
    return _series(T.K0_NEAR, square, x.dtype) - F.log(inner * 0.5) * bessel_i0(inner)


def _k1_near(x):
    inner = _below(x, 2.0)
    square = F.square(inner) * 0.5 - 1.0
    return _series(T.K1_NEAR, square, x.dtype) / inner + F.log(inner * 0.5) * bessel_i1(inner)


def _at_zero(x, value, result):
    """A result for x above 0; `value` at 0, NaN below."""
    outside = F.fill(x.dtype, x.shape, math.nan)
    return F.select(F.greater(x, 0.0), result, F.select(F.equal(x, 0.0), F.fill(x.dtype, x.shape, value), outside))


def bessel_k0(x):
    """The modified Bessel function K0; NaN below 0."""
    x = _checks.real("bessel_k0", x)
    far = _scaled_far(x, T.K0_FAR) * F.exp(-_above(x, 2.0))
    return _at_zero(x, math.inf, F.select(F.less(x, 2.0), _k0_near(_positive(x)), far))


def bessel_k0e(x):
    """exp(x) K0(x); NaN below 0."""
    x = _checks.real("bessel_k0e", x)
    near = _k0_near(_positive(x)) * F.exp(_below(x, 2.0))
    return _at_zero(x, math.inf, F.select(F.less(x, 2.0), near, _scaled_far(x, T.K0_FAR)))


def bessel_k1(x):
    """The modified Bessel function K1; NaN below 0."""
    x = _checks.real("bessel_k1", x)
    far = _scaled_far(x, T.K1_FAR) * F.exp(-_above(x, 2.0))
    return _at_zero(x, math.inf, F.select(F.less(x, 2.0), _k1_near(_positive(x)), far))


def bessel_k1e(x):
    """exp(x) K1(x); NaN below 0."""
    x = _checks.real("bessel_k1e", x)
    near = _k1_near(_positive(x)) * F.exp(_below(x, 2.0))
    return _at_zero(x, math.inf, F.select(F.less(x, 2.0), near, _scaled_far(x, T.K1_FAR)))


def _positive(x):
    """x where it is above 0, 1 elsewhere."""
    return F.select(F.greater(x, 0.0), x, F.ones_like(x))


# -- of the first and the second kind


def _near(x, table, zeros):
    """A series in x² times (x² - a²) (x² - b²), for x up to 8."""
    result = _series(table, F.square(x) * 0.03125 - 1.0, x.dtype)
    for zero in zeros:
        result = result * ((x - zero) * (x + zero))
    return result


def _far(x, p, q):
    """sqrt(1 / (pi x)) P and sqrt(1 / (pi x)) Q, for x from 8 on, and sin(x) and cos(x)."""
    outer = _above(x, 8.0)
    square = F.square(8.0 / outer) * 2.0 - 1.0
    size = F.rsqrt(outer) * (1.0 / math.sqrt(math.pi))
    return (_series(p, square, x.dtype) * size, _series(q, square, x.dtype) * (8.0 / outer) * size, F.sin(outer), F.cos(outer))


def bessel_j0(x):
    """The Bessel function J0."""
    size = F.abs(_checks.real("bessel_j0", x))
    p, q, s, c = _far(size, T.P0, T.Q0)
    return F.select(F.less(size, 8.0), _near(_below(size, 8.0), T.J0_NEAR, T.J0_ZEROS), p * (c + s) - q * (s - c))


def bessel_j1(x):
    """The Bessel function J1."""
    x = _checks.real("bessel_j1", x)
    size = F.abs(x)
    p, q, s, c = _far(size, T.P1, T.Q1)
    near = _near(_below(size, 8.0), T.J1_NEAR, T.J1_ZEROS) * x
    return F.select(F.less(size, 8.0), near, (p * (s - c) + q * (s + c)) * F.sign(x))


def bessel_y0(x):
    """The Bessel function Y0; NaN below 0."""
    x = _checks.real("bessel_y0", x)
    inner = _below(_positive(x), 8.0)
    near = _near(inner, T.Y0_NEAR, ()) + F.log(inner) * _near(inner, T.J0_NEAR, T.J0_ZEROS) * (2.0 / math.pi)
    p, q, s, c = _far(x, T.P0, T.Q0)
    return _at_zero(x, -math.inf, F.select(F.less(x, 8.0), near, p * (s - c) + q * (c + s)))


def bessel_y1(x):
    """The Bessel function Y1; NaN below 0."""
    x = _checks.real("bessel_y1", x)
    inner = _below(_positive(x), 8.0)
    first = _near(inner, T.J1_NEAR, T.J1_ZEROS) * inner
    near = _near(inner, T.Y1_NEAR, ()) * inner + (F.log(inner) * first - 1.0 / inner) * (2.0 / math.pi)
    p, q, s, c = _far(x, T.P1, T.Q1)
    return _at_zero(x, -math.inf, F.select(F.less(x, 8.0), near, q * (s - c) - p * (s + c)))


__all__ = offered(globals())
