"""Operators of Python's numbers, strings and containers, as functions; in the parsable subset."""

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


def scalar_ne(x, y):
    """Whether x differs from y."""
    return x != y


def bool_not(x):
    """not x."""
    return not x


def bool_and(x, y):
    """x and y."""
    return x and y


def bool_or(x, y):
    """x or y."""
    return x or y


def bool_eq(x, y):
    """Whether x equals y."""
    return x == y


def string_eq(x, y):
    """Whether x equals y."""
    return x == y


def string_concat(x, y):
    """x + y."""
    return x + y


def is_(x, y):
    """Whether x is y."""
    return x is y


def is_not(x, y):
    """Whether x is not y."""
    return x is not y


def in_dict(x, y):
    """Whether x is a key of y."""
    return x in y


def not_in_dict(x, y):
    """Whether x is no key of y."""
    return x not in y


def make_range(*bounds):
    """The numbers of range(*bounds), a tuple."""
    return tuple(range(*bounds))


def make_tuple(*items):
    """The arguments, a tuple."""
    return items


def make_list(*items):
    """The arguments, a list."""
    return list(items)


def tuple_len(x):
    """The number of items."""
    return len(x)


def list_len(x):
    """The number of items."""
    return len(x)


def tuple_getitem(x, index):
    """x[index]."""
    return x[index]


def list_getitem(x, index):
    """x[index]."""
    return x[index]


def dict_getitem(x, key):
    """x[key]."""
    return x[key]


def tuple_setitem(x, index, item):
    """The tuple with another item at `index`."""
    index = index + len(x) if index < 0 else index
    return x[:index] + (item,) + x[index + 1:]


def tuple_equal(x, y):
    """Whether x equals y."""
    return x == y


def list_equal(x, y):
    """Whether x equals y."""
    return x == y


def tuple_reversed(x):
    """The items from the last to the first."""
    return x[::-1]


__all__ = offered(globals())
