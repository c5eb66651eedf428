"""Errors that refuse what CPython can do and compiled functions cannot: no handler inside of a compiled function catches one."""


class Refusal(Exception):
    """What such errors have in common, beside the class that handlers outside know them by.

    Attributes:
      kind: "refusal", or "value" where a tensor's value would be needed while compiling, or "operation" where an operation of the
        package needs one, or runs on the host: Python runs a call for such a reason.
    """

    kind = "refusal"


_classes = {}


def refused_class(error, kind="refusal"):
    """Returns the class of exceptions of class `error` that are refusals of a kind."""
    if (error, kind) not in _classes:
        _classes[error, kind] = type(error.__name__, (Refusal, error), {"__module__": error.__module__, "kind": kind})
    return _classes[error, kind]


def refused(error, message, kind="refusal"):
    """Returns an exception of class `error` that is a refusal of a kind."""
    return refused_class(error, kind)(message)


# As a `raise` in the package's compiled code names them.
RefusedTypeError = refused_class(TypeError)
RefusedValueError = refused_class(ValueError)
NeededValueError = refused_class(TypeError, "value")
HostError = refused_class(NotImplementedError, "operation")
