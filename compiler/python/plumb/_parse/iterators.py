"""Iterators of Python's that a computation gives: what the interpreter goes on with in their place."""

import itertools
import types

from plumb.common._refusals import refused

_MAX_ITEMS = 20000  # that an iterator may yield


def is_iterator(value):
    """Whether a value is one of Python's iterators, not an object whose class says in Python what the next item is."""
    advance = getattr(type(value), "__next__", None)
    return advance is not None and not isinstance(advance, types.FunctionType)


def items_of(value):
    """A tuple of what iterating over `value` yields, at most 20000."""
    items = []
    for item in value:
        items.append(item)
        if len(items) > _MAX_ITEMS:
            raise refused(ValueError, f"a loop over more than {_MAX_ITEMS} values cannot be unrolled; use `while` with a tensor as "
                                      f"its condition")
    return tuple(items)


def exhausted(function, *args, **kwargs):
    """What a computation gives; an iterator runs to its end here, where what it reads is seen and its time is limited."""
    value = function(*args, **kwargs)
    return items_of(value) if is_iterator(value) else value


class Items:
    """What an iterator gives that a call has returned: the interpreter takes the items one by one."""

    def __init__(self, items):
        self.items = items


_OVER_CONTAINERS = tuple(type(iter(kind())) for kind in (list, tuple, dict, set, str)) + (type(iter(range(0))), type({}.items().__iter__()),
                                                                                    type({}.values().__iter__()), itertools.count)


def is_over_container(value):
    """Whether a value is an iterator of a list, dict, range and so on, or itertools.count."""
    return isinstance(value, _OVER_CONTAINERS)


def taken_over(value):
    """What the interpreter goes on with in the place of such an iterator."""
    return Counter.of(value) or value


class Counter:
    """A new itertools.count, of numbers, which the interpreter goes on with.

    Attributes:
      start: the next number.
      step: what is added to it.
    """

    def __init__(self, start, step=1):
        self.start, self.step = start, step

    @classmethod
    def of(cls, value):
        """The Counter that an itertools.count is; None for all else."""
        counter = cls(*value.__reduce__()[1]) if type(value) is itertools.count else None
        return counter if counter and {type(counter.start), type(counter.step)} <= {int, float} else None
