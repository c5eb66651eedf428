"""Polynomials, given by their coefficients, highest power first; in the parsable subset."""

from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy import array_ops as A
from plumb.numpy.products import convolve as _convolve
from plumb.ops import _functions as F


def _sum_of(a1, a2, sign):
    x, y = C.together((A.atleast_1d(a1), A.atleast_1d(a2)))
    length = x.shape[0] if x.shape[0] > y.shape[0] else y.shape[0]
    return F.pad(x, (length - x.shape[0],), (0,), 0) + F.pad(y, (length - y.shape[0],), (0,), 0) * sign


def polyadd(a1, a2):
    """The sum of two polynomials."""
    return _sum_of(a1, a2, 1)


def polysub(a1, a2):
    """The difference of two polynomials."""
    return _sum_of(a1, a2, -1)


def polymul(a1, a2):
    """The product of two polynomials.

    MindSpore 2.0.0's gradient by the second one is wrong.
    """
    return _convolve(A.atleast_1d(a1), A.atleast_1d(a2), "full")


def polyval(p, x):
    """The polynomial's value at `x`, by Horner's rule.

    Integers stay what they are; MindSpore 2.0.0 gives float32.
    """
    coefficients, at = A.atleast_1d(p), C.tensor(x)
    result = F.zeros_like(at)
    for number in range(coefficients.shape[0]):
        result = result * at + coefficients[number]
    return result


def polyder(p, m=1):
    """The derivative of order `m`; that of a constant has no coefficients."""
    x = A.atleast_1d(p)
    if m < 0:
        raise ValueError(f"For 'polyder', the order must be at least 0, but got {m}")
    for _ in range(m):
        if x.shape[0] == 1:
            return x[:0]
        x = x[:-1] * C.tensor(tuple(range(x.shape[0] - 1, 0, -1)), x.dtype)
    return x


def polyint(p, m=1, k=None):
    """The integral of order `m`, as float32 or wider; `k` are the constants, one for each integration, 0 by default."""
    x = C.inexact(A.atleast_1d(p))
    if m < 0:
        raise ValueError(f"For 'polyint', the order must be at least 0, but got {m}")
    constants = (0,) * m if k is None else (k,) * m if isinstance(k, (int, float)) else tuple(k)
    if len(constants) != m:
        raise ValueError(f"For 'polyint', there must be one constant for each of {m} integrations")
    for constant in constants:
        powers = C.tensor(tuple(range(x.shape[0], 0, -1)), x.dtype)
        x = F.concat((x / powers, F.fill(x.dtype, (1,), constant)), 0)
    return x


__all__ = offered(globals())
