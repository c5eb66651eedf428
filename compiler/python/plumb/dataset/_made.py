"""Keeps how datasets and samplers were made, for `serialize`: the arguments of their classes and of the methods that chain them."""

import functools
import inspect

from plumb.dataset import _arguments


class Made:
    """Base of what can be made again from the arguments of its class; `in_memory` in a class says that they hold the rows themselves."""

    _made = None

    def __new__(cls, *args, **kwargs):
        made = object.__new__(cls)
        if "in_memory" not in vars(cls):
            made._made = (args, kwargs)
        return made


def arguments_of(made):
    """The arguments by name that an object was made with; raises TypeError where they are not known."""
    kept = vars(made).get("_made")
    if kept is None:
        raise TypeError(f"{type(made).__name__} holds rows that are no arguments, or had its sampler replaced")
    bound = inspect.signature(type(made).__init__).bind(made, *kept[0], **kept[1])
    bound.apply_defaults()
    return dict(list(bound.arguments.items())[1:])


def recorded(method):
    """A method of datasets whose result knows the call."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def called(self, *args, **kwargs):
        _arguments.check(method.__name__, method, (self, *args), kwargs)
        result = method(self, *args, **kwargs)
        if result is not self:
            bound = signature.bind(self, *args, **kwargs)
            bound.apply_defaults()
            result._made_by = (method.__name__, self, dict(list(bound.arguments.items())[1:]))
        return result

    return called
