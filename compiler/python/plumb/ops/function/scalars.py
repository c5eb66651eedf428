"""Arithmetic and comparison of Python's numbers, as functions; in the parsable subset."""

import math

from plumb.common._offers import offered


def scalar_add(x, y):
    """x + y."""
    return x + y


def scalar_sub(x, y):
    """x - y."""
    return x - y


def scalar_mul(x, y):
    """x * y."""
    return x * y


def scalar_div(x, y):
    """x / y."""
    return x / y


def scalar_floordiv(x, y):
    """x // y."""
    return x // y


def scalar_mod(x, y):
    """x % y."""
    return x % y


def scalar_pow(x, y):
    """x ** y."""
    return x ** y


def scalar_log(x):
    """The natural logarithm of x."""
    return math.log(x)


def scalar_uadd(x):
    """x."""
    return x


def scalar_usub(x):
    """-x."""
    return -x


def scalar_eq(x, y):
    """Whether x equals y."""
    return x == y


def scalar_lt(x, y):
    """Whether x is less than y."""
    return x < y


def scalar_gt(x, y):
    """Whether x is greater than y."""
    return x > y


def scalar_le(x, y):
    """Whether x is at most y."""
    return x <= y


def scalar_ge(x, y):
    """Whether x is at least y."""
    return x >= y


__all__ = offered(globals())
