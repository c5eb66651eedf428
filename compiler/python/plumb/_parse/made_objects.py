"""Objects of the program's classes that its constructors make while compiling: which of their attributes the interpreter keeps."""

import collections
import dataclasses
import enum
import inspect
import sys
import types

import numpy as np

from plumb._parse import iterators, letters
from plumb._parse.definitions import is_foreign_module
from plumb.common._refusals import refused
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell

_CONTAINERS = (list, dict, set)
_PLAIN = (bool, int, float, str)  # classes of which == says whether two objects are interchangeable
_WITHOUT_STATE = (*_CONTAINERS, type(None), bool, int, float, complex, str, bytes, tuple, frozenset, range, slice, type, types.ModuleType, np.generic,
                  np.dtype, enum.Enum, BaseException, Tensor, Cell)  # the interpreter has the contents of containers


def keeps_tensors(kind):
    """Whether the attributes of a class's objects may be tensors of the interpreter's: a class of the program's, made as most are."""
    return isinstance(kind, type) and type(kind).__call__ is type.__call__ and kind.__new__ is object.__new__ \
        and (kind.__setattr__ is object.__setattr__ or _frozen_by(kind) is not None) and not issubclass(kind, (Cell, BaseException)) \
        and _is_of_program(kind)


def _is_of_package(kind):
    """Whether a class is one of this package's, under either of its names."""
    return (kind.__module__ or "").partition(".")[0] in ("plumb", "mindspore")


def _is_of_program(kind):
    """Whether a class is neither this package's nor a library's of Python's."""
    return not is_foreign_module(kind.__module__) and not _is_of_package(kind)


def _frozen_by(kind):
    """The frozen dataclass that a class is, or has its way of setting attributes from; None for others."""
    of = next((base for base in kind.__mro__ if "__setattr__" in vars(base)), kind)
    params = vars(of).get("__dataclass_params__")
    return of if params is not None and params.frozen else None


def has_state(value):
    """Whether an object may change where the interpreter sees nothing of it: one of Python's library, or of the program's classes."""
    return not isinstance(value, _WITHOUT_STATE) and not _is_of_package(type(value))


_BASES = (list, tuple, dict, set, frozenset)
_IN_PLACE = frozenset("""add append clear difference_update discard extend insert intersection_update pop popitem remove reverse setdefault sort
                         symmetric_difference_update update""".split())


def added_functions(kind):
    """The names of what a class of the program's adds to a list, tuple, dict or set; empty for others, and for named tuples, which the
    interpreter knows."""
    if kind in _BASES or not isinstance(kind, type) or not issubclass(kind, _BASES) or hasattr(kind, "_fields") or issubclass(kind, enum.Enum):
        return []
    return [name for of in kind.__mro__ if _is_of_program(of)
            for name, value in vars(of).items() if callable(value) or isinstance(value, (property, classmethod, staticmethod))]


def _base_of(kind):
    return next(base.__name__ for base in _BASES if issubclass(kind, base))


def check_container(kind):
    """Refuses to make an object of a class of the program's that adds functions to those of a list, tuple, dict or set: the interpreter
    would not know of them."""
    if own := added_functions(kind):
        raise refused(TypeError, f"a '{kind.__name__}', whose class adds {own[0]!r} to a {_base_of(kind)}, cannot be made in compiled functions; "
                                 f"write a class that keeps a {_base_of(kind)} in an attribute")


def check_own(value, is_any=False):
    """Refuses changes of objects that are not the request's own; with `is_any`, only of those that are lists, tuples, dicts or sets."""
    if not isinstance(value, (list, dict, set)) and not is_any or added_functions(type(value)):
        raise refused(TypeError, f"elements of a '{type(value).__name__}' cannot be assigned in compiled functions; build a new one")


def check_method(callee):
    """Refuses to change in place an object from outside of such a class, which Python would do once, while it compiles."""
    owner = getattr(callee, "__self__", None)
    if isinstance(callee, types.BuiltinMethodType) and callee.__name__ in _IN_PLACE and added_functions(type(owner)):
        raise refused(TypeError, f"a '{type(owner).__name__}', a {_base_of(type(owner))} that was made outside of the compiled function, cannot be "
                                 f"changed in it by '{callee.__name__}'; make a new one")


def _parts(value):
    """What a container holds, or an object of the program's in its attributes."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    if isinstance(value, dict):
        return [*value, *value.values()]
    return list(vars(value).values()) if is_object(value) else []


def is_object(value):
    """Whether a value is an object of the program's, whose attributes may be tensors of the interpreter's."""
    return keeps_tensors(type(value)) and hasattr(value, "__dict__")


def owned(value, known):
    """Returns the objects of the program's within `value`, which a constructor has just made, to which nothing outside of it refers.

    Args:
      value: the object.
      known: the objects that the interpreter has already, by identity.
    """
    found, counts, pending = {}, collections.Counter(), [value]
    while pending:
        for part in _parts(pending.pop()):
            counts[id(part)] += 1
            if id(part) not in found and part is not value and (isinstance(part, (*_CONTAINERS, tuple)) or is_object(part)):
                found[id(part)] = part
                pending.append(part)
    # One is referred to by what holds it, by `found`, by the name here and by the call below.
    part, shared = None, []
    for part in found.values():
        if id(part) in known or sys.getrefcount(part) > counts[id(part)] + 3:
            shared.append(part)
    for part in shared:
        del found[id(part)]
    while shared:  # What a shared one holds is shared.
        for part in _parts(shared.pop()):
            if found.pop(id(part), None) is not None:
                shared.append(part)
    return [part for part in found.values() if is_object(part)]


def moved_attributes(value, writer, attributes, others, is_new):
    """Takes tensors out of the attributes of an object that a constructor of Python's has made, and of a new one the lists, dicts and
    sets, which the program may change where nothing else refers to them; says what the interpreter sets beside the attributes that
    the program has set before. So it does of the `others` that only a new one refers to."""
    moved = _moved(value, attributes, others, is_new)
    more = [[writer.write(other), writer.write(found)] for other in others if (found := _moved(other, attributes, others, True))]
    return {**({"made": writer.write(value), "sets": writer.write(moved)} if moved else {}), **({"others": more} if more else {})}


def _moved(value, attributes, others, is_new):
    kept = getattr(value, "__dict__", {}) if keeps_tensors(type(value)) else {}
    known = {name: item for (owner, name), item in attributes if owner is value}
    moved = {name: item for name, item in kept.items() if known.get(name) is not item and (
        letters.holds_token(item) or is_new and _holds_own(item, others))}
    if moved:  # Numbers, too: where branches make such objects, they become tensors.
        moved = {name: item for name, item in kept.items() if name in moved or name not in known and type(item) in (bool, int, float)}
    for name in moved:
        del kept[name]
    return {name: iterators.taken_over(item) for name, item in moved.items()}


def _holds_own(item, others):
    """Whether an attribute of a new object is a list, dict or set, one of the objects that only it refers to, or a tuple with such."""
    return type(item) in _CONTAINERS or iterators.is_over_container(item) or any(item is other for other in others) or \
        type(item) is tuple and any(_holds_own(part, others) for part in item)


def are_alike(left, right):
    """Whether two attributes, which no other object has, are interchangeable: one object, or equal numbers, texts and containers."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(map(are_alike, left.values(), right.values()))
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(are_alike, left, right))
    return type(left) in _PLAIN and left == right


def _is_data_descriptor(found):
    """Whether an attribute of a class decides what objects have under its name: a property, a slot."""
    return hasattr(type(found), "__set__")


def setter(value, name, own):
    """Returns the function of a property that sets `value.name`; None for a plain attribute. `own(value, special)` is a method of Python's
    that a class of the program's defines.

    Raises:
      AttributeError: for a property that cannot be set.
      dataclasses.FrozenInstanceError: for a frozen dataclass.
      RefusedAttributeError: where the class sets attributes in its own way.
    """
    kind, found = type(value), inspect.getattr_static(type(value), name, None)
    frozen = _frozen_by(kind)
    if frozen is not None and (frozen is kind or name in frozen.__dataclass_fields__):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    if own(value, "__setattr__"):
        raise refused(AttributeError, f"attributes of a '{kind.__name__}', whose class has a __setattr__ of its own, cannot be set in compiled "
                                      f"functions; set them by a method with another name, or by vars(object)[name]")
    if isinstance(found, property) and found.fset is None:
        raise AttributeError(f"property {name!r} of {kind.__name__!r} object has no setter")
    if isinstance(found, property):
        return found.fset if isinstance(found.fset, types.FunctionType) and letters.is_of_program(found.fset) else None
    if isinstance(getattr(type(found), "__set__", None), types.FunctionType) and letters.is_of_program(type(found).__set__):
        raise refused(AttributeError, f"the attribute {name!r} of a '{kind.__name__}', which a descriptor sets, cannot be set in compiled "
                                      f"functions; write a property")
    return None


def entry_setter(value, name):
    """Checks that `vars(value)[name] = …` is what `value.name` reads then.

    Raises:
      AttributeError: for an object without such a dict.
      RefusedAttributeError: for a name that the class has a property or a slot for.
    """
    kind = type(value).__name__
    if not hasattr(value, "__dict__"):
        raise AttributeError(f"'{kind}' object has no attribute '__dict__'")
    if _is_data_descriptor(inspect.getattr_static(type(value), name, None)):
        raise refused(AttributeError, f"vars(object)[{name!r}] of a '{kind}', whose class has a property of that name, cannot be set in compiled "
                                      f"functions; choose another name")
