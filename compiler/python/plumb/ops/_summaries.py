"""What the summary operations of compiled functions have seen: by kind and name a Parameter with the newest value.

The Parameters live on the device with the others, so that sunk steps note their values without a stop; `SummaryRecord.record` reads
what has changed since it last looked.
"""

import functools

from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter

_held = []  # (kind, name, Parameter)
_seen = {}  # the version of each that was read last


@functools.lru_cache(maxsize=None)
def holder(kind, name, shape, dtype):
    """The Parameter for values of a kind, name, shape and element type. The cache makes it a function that Python runs while compiling."""
    if not isinstance(name, str) or not name:
        raise TypeError(f"The name of a summary must be a string that is not empty, but got {name!r}.")
    made = Parameter(initializer("zeros", shape, dtype), name=f"summary.{kind}.{name}", requires_grad=False)
    _held.append((kind, name, made))
    _seen[id(made)] = made.version
    return made


def changed():
    """Yields (kind, name, array) of what was noted since the last call."""
    for kind, name, parameter in _held:
        if parameter.version != _seen[id(parameter)]:
            _seen[id(parameter)] = parameter.version
            yield kind, name, parameter.asnumpy()


def forget():
    """Forgets what was noted until now."""
    for _, _, parameter in _held:
        _seen[id(parameter)] = parameter.version
