"""Errors that refuse what CPython can do and compiled functions cannot: no handler inside of a compiled function catches one."""


class Refusal(Exception):
    """What such errors have in common, beside the class that handlers outside know them by."""


_classes = {}


def refused_class(kind):
    """Returns the class of exceptions of class `kind` that are refusals."""
    if kind not in _classes:
        _classes[kind] = type(kind.__name__, (Refusal, kind), {"__module__": kind.__module__})
    return _classes[kind]


def refused(kind, message):
    """Returns an exception of class `kind` that is a refusal."""
    return refused_class(kind)(message)


# As a `raise` in the package's compiled code names them.
RefusedTypeError, RefusedValueError = refused_class(TypeError), refused_class(ValueError)
