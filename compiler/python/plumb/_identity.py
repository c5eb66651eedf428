"""What a compiled program depends on, as a key: calls whose keys are equal run the same executable.

A function is told by its code, what its closure, defaults and the globals it names hold; so a function, or a gradient
function, that a training step makes anew each time is compiled once. Cells, Parameters, Tensors and arrays are told by
identity, numbers and strings by value. Objects told by identity are collected, to be kept as long as the key is.
"""

import functools
import types

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
# Longer sequences are told by identity: looking through them costs more than it finds.
_LONGEST = 64


def identity(value, kept, visiting=()):
    """Returns the key of `value`; appends what must live as long as the key to `kept`."""
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if isinstance(value, (tuple, list)) and len(value) <= _LONGEST:
        return type(value).__name__, tuple([identity(item, kept, visiting) for item in value])
    from plumb.common.api import Jit
    from plumb._programs import Known
    from plumb.nn.cell import Cell
    from plumb.ops._primitive import Composite, Primitive
    from plumb.ops.grad import GradFunction
    if isinstance(value, Known):
        return "known", value.told()
    if isinstance(value, dict) and len(value) <= _LONGEST:
        return "dict", tuple((repr(name), identity(item, kept, visiting)) for name, item in value.items())
    if isinstance(value, Jit):
        return identity(value.fn, kept, visiting)
    if isinstance(value, Primitive) and not isinstance(value, Composite):
        return value.mnemonic, repr(value.config)
    if isinstance(value, GradFunction):
        options = (value.argnums, value.value, value.has_aux, value.sens, value.single, value.single_weight)
        return "gradient", identity(value.fn, kept, visiting), tuple(_object(weight, kept) for weight in value.weights), options
    if isinstance(value, Cell):
        return _object(value, kept) + tuple(cell.compiled_state() for _, cell in value.cells_and_names())
    if isinstance(value, types.MethodType):
        return "method", identity(value.__func__, kept, visiting), identity(value.__self__, kept, visiting)
    if isinstance(value, types.FunctionType):
        return _function(value, kept, visiting)
    return _object(value, kept)


def _object(value, kept):
    kept.append(value)
    return (id(value),)


def _function(function, kept, visiting):
    if function in visiting or (function.__module__ or "").startswith("plumb."):
        return _object(function, kept)
    visiting = visiting + (function,)
    parts = [function.__code__, identity(function.__defaults__, kept, visiting), identity(function.__kwdefaults__, kept, visiting)]
    for cell in function.__closure__ or ():
        try:
            parts.append(identity(cell.cell_contents, kept, visiting))
        except ValueError:  # assigned later, if ever
            parts.append(None)
    for name in _names_in_order(function.__code__):
        if name in function.__globals__:
            parts.append((name, identity(function.__globals__[name], kept, visiting)))
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

