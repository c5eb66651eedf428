"""Objects of the program's classes that its constructors make while compiling: which of their attributes the interpreter keeps."""

from plumb._parse import letters
from plumb._parse.definitions import is_foreign_module
from plumb.nn.cell import Cell


def keeps_tensors(kind):
    """Whether the attributes of a class's objects may be tensors of the interpreter's: a class of the program's, made as most are."""
    return isinstance(kind, type) and type(kind).__call__ is type.__call__ and kind.__new__ is object.__new__ \
        and kind.__setattr__ is object.__setattr__ and not issubclass(kind, (Cell, BaseException)) \
        and not is_foreign_module(kind.__module__) and kind.__module__.partition(".")[0] not in ("plumb", "mindspore")


def moved_attributes(value, writer, attributes, is_new):
    """Takes tensors out of the attributes of an object that a constructor of Python's has made, and of a new one the lists, dicts and
    sets, which the program may change where nothing else refers to them; says what the interpreter sets beside the attributes that
    the program has set before."""
    kept = getattr(value, "__dict__", {}) if keeps_tensors(type(value)) else {}
    known = {name: item for (owner, name), item in attributes if owner is value}
    moved = {name: item for name, item in kept.items() if known.get(name) is not item and (
        letters.holds_token(item) or is_new and type(item) in (list, dict, set))}
    if moved:  # Numbers, too: where branches make such objects, they become tensors.
        moved = {name: item for name, item in kept.items() if name in moved or name not in known and type(item) in (bool, int, float)}
    for name in moved:
        del kept[name]
    return {"made": writer.write(value), "sets": writer.write(moved)} if moved else {}
