"""Incomplete gamma and beta functions, in the parsable subset.

They are computed in float64, whatever the arguments' type, by series and continued fractions whose loops end where no element's
term counts any more. Sources: Abramowitz and Stegun, 6.5.29, 6.5.31 and 26.5.8; Lentz (1976) for the fractions.
"""

from plumb.common import dtype as mstype
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops._primitive import Composite
from plumb.ops.function.shape import broadcast_shapes

_FINEST, _TINY = 1e-16, 1e-290
_MAX_STEPS = 100000


def _held(valid, x, other):
    """x where `valid`, a number elsewhere."""
    return F.select(valid, x, F.fill(x.dtype, (), other))


def _head(a, x):
    """x^a exp(-x) / Gamma(a)."""
    return F.exp(a * F.log(x) - x - F.lgamma(a))


def _series(a, x):
    """P(a, x) and its derivative by a, for x up to about a + 1."""
    term = 1.0 / a
    psi = F.digamma(a) + term
    total, weighted = term, term * psi
    number = F.fill(a.dtype, (), 1.0)
    while F.logical_and(F.any(F.greater(term, total * _FINEST)), F.less(number, _MAX_STEPS)):
        place = a + number
        term = term * x / place
        psi = psi + 1.0 / place
        total, weighted = total + term, weighted + term * psi
        number = number + 1.0
    head = _head(a, x)
    return head * total, head * (F.log(x) * total - weighted)


def _fraction(a, x):
    """1 - P(a, x) and its derivative by a, for x from about a + 1 on."""
    b = x + 1.0 - a
    c, d = F.fill(a.dtype, a.shape, 1.0 / _TINY), 1.0 / b
    h = d
    by_c, by_d, by_h = F.zeros_like(a), d * d, d * d  # derivatives by a
    number, step = F.fill(a.dtype, (), 1.0), F.fill(a.dtype, a.shape, 2.0)
    while F.logical_and(F.any(F.greater(F.abs(step - 1.0), _FINEST * 8.0)), F.less(number, _MAX_STEPS)):
        part = number * (a - number)
        b = b + 2.0
        new = 1.0 / (part * d + b)
        by_d = -F.square(new) * (number * d + part * by_d - 1.0)
        by_c = number / c - part * by_c / F.square(c) - 1.0
        c, d = b + part / c, new
        step = c * d
        by_h = by_h * step + h * (by_c * d + c * by_d)
        h = h * step
        number = number + 1.0
    head = _head(a, x)
    return head * h, head * (h * (F.log(x) - F.digamma(a)) + by_h)


def _both(who, input, other):
    """The arguments in one element type and shape."""
    a, x = _checks.both(who, input, other)
    a, x = _checks.real(who, a), _checks.real(who, x)
    shape, kind = broadcast_shapes(a.shape, x.shape), F.add(a, x).dtype
    return F.broadcast_to(F.cast(a, kind), shape), F.broadcast_to(F.cast(x, kind), shape)


def _shares(a, x):
    """P(a, x), 1 - P(a, x) and the derivative of P by a, in float64; NaN beyond a >= 0 and x >= 0."""
    a, x = F.cast(a, mstype.float64), F.cast(x, mstype.float64)
    inside = F.logical_and(F.logical_and(F.greater(a, 0.0), F.greater(x, 0.0)), F.less(F.maximum(a, x), float("inf")))
    below = F.logical_and(inside, F.less_equal(x, a + 1.0))
    above = F.logical_and(inside, F.greater(x, a + 1.0))
    lower, by_a = _series(_held(below, a, 1.0), _held(below, x, 0.5))
    upper, less_by_a = _fraction(_held(above, a, 1.0), _held(above, x, 3.0))
    p, q = F.select(below, lower, 1.0 - upper), F.select(below, 1.0 - lower, upper)
    by_a = F.select(below, by_a, -less_by_a)
    # The limits: all at x = inf and a = 0, nothing at x = 0 and a = inf.
    full = F.logical_or(F.greater(x, a), F.equal(x, float("inf")))
    valid = F.logical_and(F.greater_equal(a, 0.0), F.greater_equal(x, 0.0))
    unclear = F.logical_or(F.logical_not(valid), F.logical_and(F.equal(a, x), F.logical_not(inside)))
    edge = F.select(full, F.ones_like(p), F.zeros_like(p))
    nan = F.fill(p.dtype, (), float("nan"))
    edge = F.select(unclear, nan, edge)
    return F.select(inside, p, edge), F.select(inside, q, 1.0 - edge), F.select(inside, by_a, F.zeros_like(p))


class _Share(Composite):
    """P(a, x), or 1 - P(a, x), of tensors of one shape and element type, with its derivatives."""

    def __init__(self, upper):
        super().__init__()
        self.upper = upper

    def construct(self, a, x):
        """Compiled body."""
        return F.cast(_shares(a, x)[1 if self.upper else 0], a.dtype)

    def bprop(self, a, x, out, dout):
        """The rule of its gradients."""
        by_a = _shares(a, x)[2]
        wide_a, wide_x = F.cast(a, mstype.float64), F.cast(x, mstype.float64)
        at_zero = F.less_equal(F.minimum(wide_a, wide_x), 0.0)
        # The density of the gamma distribution; at x = 0 that of a = 1 alone is neither 0 nor infinite, and 0 is taken.
        by_x = F.select(at_zero, F.zeros_like(wide_x), _head(_held(F.logical_not(at_zero), wide_a, 1.0),
                                                           _held(F.logical_not(at_zero), wide_x, 1.0)) / wide_x)
        sign = -1.0 if self.upper else 1.0
        return dout * F.cast(sign * by_a, a.dtype), dout * F.cast(sign * by_x, x.dtype)


_LOWER, _UPPER = _Share(False), _Share(True)


def igamma(input, other):
    """The regularised lower incomplete gamma function P(a, x) of a = `input` and x = `other`, both at least 0."""
    a, x = _both("igamma", input, other)
    return _LOWER(a, x)


def igammac(input, other):
    """The regularised upper incomplete gamma function 1 - P(a, x) of a = `input` and x = `other`, both at least 0."""
    a, x = _both("igammac", input, other)
    return _UPPER(a, x)


def igamma_by_order(a, x):
    """The derivative of P(a, x) by a."""
    a, x = _both("IgammaGradA", a, x)
    return F.cast(_shares(a, x)[2], a.dtype)


def _beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function, for x up to (a + 1) / (a + b + 2)."""
    c = F.ones_like(x)
    d = 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    h = d
    number, step = F.fill(a.dtype, (), 1.0), F.fill(a.dtype, a.shape, 2.0)
    while F.logical_and(F.any(F.greater(F.abs(step - 1.0), _FINEST * 8.0)), F.less(number, _MAX_STEPS)):
        place = a + 2.0 * number
        part = number * (b - number) * x / ((place - 1.0) * place)
        d, c = 1.0 / (1.0 + part * d), 1.0 + part / c
        h = h * c * d
        part = -(a + number) * (a + b + number) * x / (place * (place + 1.0))
        d, c = 1.0 / (1.0 + part * d), 1.0 + part / c
        step = c * d
        h = h * step
        number = number + 1.0
    return h


def betainc(a, b, x):
    """The regularised incomplete beta function I_x(a, b), for a and b above 0 and x from 0 to 1; NaN elsewhere.

    All three have gradients; of MindSpore 2.0.0's the one by x alone.
    """
    a, x = _both("betainc", a, x)
    b, x = _both("betainc", b, x)
    kind, shape = x.dtype, x.shape
    a, b, x = [F.cast(F.broadcast_to(value, shape), mstype.float64) for value in (a, b, x)]
    inside = F.logical_and(F.logical_and(F.greater(a, 0.0), F.greater(b, 0.0)),
                           F.logical_and(F.greater(x, 0.0), F.less(x, 1.0)))
    p, q, place = _held(inside, a, 1.0), _held(inside, b, 1.0), _held(inside, x, 0.25)
    # I_x(a, b) = 1 - I_(1 - x)(b, a)
    swapped = F.greater(place, (p + 1.0) / (p + q + 2.0))
    first, second = F.select(swapped, q, p), F.select(swapped, p, q)
    near = F.select(swapped, 1.0 - place, place)
    log_beta = F.lgamma(p) + F.lgamma(q) - F.lgamma(p + q)
    share = F.exp(p * F.log(place) + q * F.log1p(-place) - log_beta) * _beta_fraction(first, second, near) / first
    share = F.select(swapped, 1.0 - share, share)
    valid = F.logical_and(F.logical_and(F.greater(a, 0.0), F.greater(b, 0.0)),
                          F.logical_and(F.greater_equal(x, 0.0), F.less_equal(x, 1.0)))
    edge = F.select(valid, F.stop_gradient(x), F.fill(x.dtype, (), float("nan")))
    return F.cast(F.select(inside, share, edge), kind)


__all__ = ["betainc", "igamma", "igammac"]
