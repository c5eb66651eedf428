"""What a compiled program has taken for constant: attributes of objects, contents of lists and dicts, values of tensors that
Python has read, element types of Parameters.

A program is compiled once and called often. Before each call `Dependencies.hold` says, in some microseconds, whether the
attributes that compiling has read still have the values that it saw.
"""

import types

from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor

_MADE_ANEW = (types.ModuleType, types.FunctionType, types.MethodType)
_ABSENT = object()
_MOVING = (*_MADE_ANEW, Parameter, Tensor)


class Dependencies:
    """Attributes that were read, with their values."""

    def __init__(self):
        self._seen = {}

    def note(self, owner, name, value):
        """Notes that `owner.name` was taken for `value`."""
        if isinstance(owner, _MOVING) or isinstance(value, _MADE_ANEW) or (id(owner), name) in self._seen:
            return
        table = _holder(owner, name)
        if table is not None and table.get(name) is value:
            self._seen[id(owner), name] = (table, name, value, _contents(value), owner)

    def note_absent(self, owner, name):
        """Notes that the object itself had no attribute of that name."""
        self._seen.setdefault((id(owner), name, None), (vars(owner), name, _ABSENT, None, owner))

    def note_contents(self, value):
        """Notes that the items of a list or dict, to which a class adds functions, were taken for what they are."""
        self._seen[id(value), None] = ({None: value}, None, value, _contents(value), value)

    def note_value(self, tensor):
        """Notes that the value of a tensor was taken for what it is."""
        self._note_own(tensor, "_array")

    def note_type(self, parameter):
        """Notes that the element type of a Parameter was taken for what it is."""
        self._note_own(parameter, "_dtype")

    def _note_own(self, tensor, name):
        if (id(tensor), name) not in self._seen:
            self._seen[id(tensor), name] = (vars(tensor), name, vars(tensor)[name], None, tensor)

    def values(self):
        """What was taken for constant, with the contents of lists and sets."""
        return [part for _, _, value, contents, _ in self._seen.values() for part in (value, *(contents or ()))]

    def drop(self, owner, name):
        """Notes that calls set `owner.name` themselves."""
        self._seen.pop((id(owner), name), None)

    def hold(self):
        """Whether every attribute still is the object that it was, with the contents that it had."""
        for table, name, value, contents, _ in self._seen.values():
            if table.get(name, _ABSENT) is not value or contents is not None and not _is_same(value, contents):
                return False
        return True


def _holder(owner, name):
    """The dict that holds the attribute: the object's own, a cell's of its children or Parameters, or its class's."""
    own = getattr(owner, "__dict__", {})
    for table in (own, own.get("_cells"), own.get("_params")):
        if isinstance(table, dict) and name in table:
            return table
    for kind in type(owner).__mro__:
        if name in vars(kind):
            return vars(kind)
    return None


def _contents(value):
    if isinstance(value, dict):
        return list(value.items())
    return list(value) if isinstance(value, (list, set)) else None


def _is_same(value, contents):
    if len(value) != len(contents):
        return False
    if isinstance(value, dict):
        return all(name is known and item is kept for (name, item), (known, kept) in zip(value.items(), contents))
    return all(item is kept for item, kept in zip(value, contents))
