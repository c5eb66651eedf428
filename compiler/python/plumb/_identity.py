"""What a compiled program depends on, as a key: calls whose keys are equal run the same executable.

A function is told by its code, what its closure, defaults and the globals it names hold; so a function, or a gradient
function, that a training step makes anew each time is compiled once. Cells, Parameters, Tensors and arrays are told by
identity, numbers and strings by value. Objects told by identity are collected, to be kept as long as the key is.
"""

import functools
import types

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
# Longer sequences are told by identity: looking through them costs more than it finds.
_MAX_LENGTH = 64


class _Found:
    """What was found on the way: what must live as long as the key, and functions, each once however many others name it."""

    def __init__(self, kept):
        self.kept = kept
        self.functions = []
        self._numbers = {}

    def number(self, function):
        """The number of a function in the order of first uses."""
        if function not in self._numbers:
            self._numbers[function] = len(self.functions)
            self.functions.append(function)
        return self._numbers[function]


def identity(value, kept):
    """Returns the key of `value`; appends what must live as long as the key to `kept`.

    The key tells each function once, and elsewhere by its number: functions that call each other have as many ways through them as
    there are sequences of calls.
    """
    found = _Found(kept)
    key = [_told(value, found)]
    for function in found.functions:  # grows on the way
        key.append(_function(function, found))
    return tuple(key)


def _told(value, found):
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if isinstance(value, (tuple, list)) and len(value) <= _MAX_LENGTH:
        return type(value).__name__, tuple([_told(item, found) for item in value])
    from plumb.common.api import Jit
    from plumb._programs import Known
    from plumb.nn.cell import Cell
    from plumb.ops._primitive import Composite, Primitive
    from plumb.ops.grad import GradFunction
    if isinstance(value, Known):
        return "known", value.told()
    if isinstance(value, dict) and len(value) <= _MAX_LENGTH:
        return "dict", tuple((repr(name), _told(item, found)) for name, item in value.items())
    if isinstance(value, Jit):
        return _told(value.fn, found)
    if isinstance(value, Primitive) and not isinstance(value, Composite):
        return value.mnemonic, repr(value.config)
    if isinstance(value, GradFunction):
        options = (value.argnums, value.value, value.has_aux, value.sens, value.single, value.single_weight)
        return "gradient", _told(value.fn, found), tuple(_object(weight, found) for weight in value.weights), options
    if isinstance(value, Cell):
        return _object(value, found) + tuple(cell.compiled_state() for _, cell in value.cells_and_names())
    if isinstance(value, types.MethodType):
        return "method", _told(value.__func__, found), _told(value.__self__, found)
    if isinstance(value, types.FunctionType) and not (value.__module__ or "").startswith("plumb."):
        return "function", found.number(value)
    return _object(value, found)


def _object(value, found):
    found.kept.append(value)
    return (id(value),)


def _function(function, found):
    parts = [function.__code__, _told(function.__defaults__, found), _told(function.__kwdefaults__, found)]
    for cell in function.__closure__ or ():
        try:
            parts.append(_told(cell.cell_contents, found))
        except ValueError:  # assigned later, if ever
            parts.append(None)
    for name in _names_in_order(function.__code__):
        if name in function.__globals__:
            parts.append((name, _told(function.__globals__[name], found)))
    return tuple(parts)


@functools.lru_cache(maxsize=1024)
def _names_in_order(code):
    return sorted(_names(code))


def _names(code):
    """The names that a function's code, and that of functions inside, may look up among the globals."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names

