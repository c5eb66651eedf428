"""Objects of the program's classes that compiled functions make.

The attributes that the program sets of them are the interpreter's. A computation sees them, so a question brings along those of all objects
that it may reach. An object that nothing but the interpreter refers to, it can only reach from the question's own values: such ones are
`alone`, and the interpreter is told which. Where many attributes are left, it asks first without them: much is decided by an object's
class, as which function a method is. It asks again where the answer is `AttributesNeeded`.
"""

import contextlib
import sys
import types
import weakref

from plumb._parse import text
from plumb._parse.letters import is_of_program
from plumb._parse.made_objects import is_object

# Actions that raise AttributesNeeded themselves, where they read an attribute.
MAY_DO_WITHOUT = frozenset(("call", "getattr", "setter", "operator", "truth", "getitem", "setitem", "next", "inplace"))
_MISSING = object()
_QUESTIONS = (isinstance, issubclass, type, callable)


class AttributesNeeded(BaseException):
    """A computation may look at attributes that the question has not brought along."""


def is_method_of_class(value, name, raw):
    """Whether `value.name` is a method of the class of an object of the program's, `raw` being what the class has under that name."""
    return isinstance(raw, types.FunctionType) and is_object(value) and name not in vars(value) \
        and type(value).__getattribute__ is object.__getattribute__


def may_be_left(callee):
    """Whether a callable is one of the program's, the calls of which may be the interpreter's: its class says so."""
    is_named = isinstance(callee, (type, types.FunctionType, types.MethodType))
    return is_of_program(callee if is_named else type(callee)) and (is_named or type(callee).__eq__ is object.__eq__)


def is_about_classes(callee, args):
    """Whether a call asks what the class of an object is, and no class has a say in the answer."""
    if not args or not any(callee is question for question in _QUESTIONS) or any("__class__" in vars(kind) for kind in type(args[0]).__mro__[:-1]):
        return False
    kinds = args[1] if len(args) == 2 and isinstance(args[1], tuple) else args[1:]
    return all(type(kind) is type for kind in kinds)


@contextlib.contextmanager
def attributes_set(entries):
    """Sets the attributes that the program has set so far, while a computation may look at them."""
    before = []
    try:
        for (owner, name), value in entries:
            before.append((owner, name, getattr(owner, "__dict__", {}).get(name, _MISSING)))
            object.__setattr__(owner, name, value)
        yield
    finally:
        for owner, name, value in reversed(before):
            if value is _MISSING:
                object.__delattr__(owner, name)
            else:
                object.__setattr__(owner, name, value)


class Made(dict):
    """The objects by identity."""

    def __init__(self):
        super().__init__()
        self._counts = {}  # of references to those that are alone, but for those of a question
        self._new, self._read = [], set()

    def add(self, value, is_alone):
        """Adds a new object; `is_alone` says that nothing else refers to it."""
        self[id(value)] = value
        if is_alone and not weakref.getweakrefcount(value):
            self._new.append(id(value))

    def note_read(self, value):
        """Notes that a computation is given a value."""
        value = value.__self__ if isinstance(value, types.MethodType) else value
        if id(value) in self._counts:
            self._read.add(id(value))

    def take(self, symbols):
        """What an answer says behind a computation: which new objects are alone, and which are it no more, by their `symbols`."""
        kept = [key for key in self._read if sys.getrefcount(self[key]) != self._counts[key] or weakref.getweakrefcount(self[key])]
        for key in kept:
            del self._counts[key]
        new = [key for key in self._new if key in symbols]
        self._counts.update((key, sys.getrefcount(self[key])) for key in new)
        self._new, self._read = [], set()
        return {name: [text.symbol(symbols[key]) for key in keys] for name, keys in (("alone", new), ("kept", kept)) if keys}
