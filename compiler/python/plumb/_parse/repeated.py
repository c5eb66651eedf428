"""Functions of Python's that call functions of the program, as compiled code runs them.

Some call one several times: compiled code calls them where a `try` may hear of what one of the calls raises, as whether the next call is
reached is then a branch.
"""

import enum
import types

import numpy as np

from plumb._parse.ordering import BY_KEYS
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell


def called(function, rows):
    """Returns a tuple of what `function` returns for each row of arguments."""
    made = []
    for row in rows:
        made.append(function(*row))
    return tuple(made)


def folded(function, first, items):
    """Returns functools.reduce(function, items, first)."""
    total = first
    for item in items:
        total = function(total, item)
    return total


def keyed(name, items, rows, key, options):
    """Returns sorted, min or max of `items` by the keys that `key` returns for the rows of arguments."""
    keys = called(key, rows)
    return BY_KEYS(name, items, keys, **options)


def cached(owner, name, getter):
    """Returns what a functools.cached_property gives that has not been read. What may change is kept; all else may be computed again, also
    under conditions on tensors."""
    made = getter(owner)
    if _may_change(made):
        vars(owner)[name] = made
    return made


def _may_change(value):
    if isinstance(value, tuple):
        return any([_may_change(part) for part in value])
    return not isinstance(value, _FIXED)


_FIXED = (bool, int, float, complex, str, bytes, type(None), enum.Enum, type, types.FunctionType, np.ndarray, np.generic, Tensor, Cell)
IN_CODE = {"called": called, "folded": folded, "keyed": keyed}
