"""Definitions of what a module mentions, printed once, whether in the program's module or in answers behind it; and live
objects by the attributes that stand for them."""

import builtins
import re
import sys
import types

import numpy as np

from plumb._parse import text
from plumb._parse.diagnostics import CompileError
from plumb.common import dtype as mstype
from plumb.common.dtype import DType
from plumb.common.tensor import Tensor

_SYMBOL = re.compile(r'@(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_$.][\w$.]*))')

# Libraries whose Python functions work on their own objects, never on tensors: naming them beats reading them.
_FOREIGN = (set(sys.stdlib_module_names) | {"numpy", "requests"}) - {"__main__", "test"}


def is_foreign_module(name):
    """Whether a module is one of Python's own libraries."""
    return (name or "").partition(".")[0] in _FOREIGN


def _number_of(value):
    """The attribute that says which number an object is beside what it is else, as a member of an IntEnum; none for others."""
    if isinstance(value, (np.generic, type)) or not isinstance(value, (int, float)):
        return []
    if isinstance(value, float):
        return [f"number = {text.floating(float(value))}"]
    return [f"number = {int(value)} : i64"] if -2 ** 63 <= value < 2 ** 63 else []


class Definitions:
    """Mixin of ModulePrinter; see the file's head."""

    @staticmethod
    def is_foreign_function(function):
        """Whether a function belongs to a library of Python's, which deals with its own objects, never with tensors."""
        return is_foreign_module(function.__module__)

    def function_symbol(self, function):
        """Returns the symbol of a Python function, or None when it cannot be read."""
        self.attribute(function, "the function", CompileError)
        return None if id(function) in self.unreadable else self.by_object.get(id(function))

    def live_attribute(self, value):
        """Returns the attribute that stands for an object which an answer mentions."""
        return self.attribute(value, "the result", CompileError)

    def container_of_program(self, value, hint, error):
        """Returns the attribute of an object of the program's class that adds functions to those of a list, tuple, dict or set; operations
        on tensors take one of numbers for the list or tuple that it is."""
        self.dependencies.note_contents(value)
        if isinstance(value, (list, tuple)) and all(type(item) in (bool, int, float) for item in value):
            self._items[id(value)] = self.attribute((list if isinstance(value, list) else tuple)(value), hint, error)
        return self._object(value, hint, error)

    def tensors_like(self, value):
        """The ids of the tensors from outside that are constants of the same elements."""
        return set(self._tensors.get(hash(text.dense(value._elements())), ()))

    def object_of(self, attribute):
        """Returns a tuple of the live object that an attribute's text stands for, or None."""
        symbol = _SYMBOL.fullmatch(attribute)
        if symbol:
            name = symbol[1] if symbol[1] is not None else symbol[2]
            return (self.by_symbol[name],) if name in self.by_symbol else None
        if attribute.replace(", {}>", ">") in self._texts:
            return (self._texts[attribute.replace(", {}>", ">")],)
        if attribute in ('#net.primitive<"builtins.Tensor">', '#net.primitive<"tensor">'):
            return (Tensor,)
        builtin = re.fullmatch(r'#net\.primitive<"builtins\.(\w+)"(?:, \{\})?>', attribute)
        if builtin and hasattr(builtins, builtin[1]):
            return (getattr(builtins, builtin[1]),)
        method = re.fullmatch(r"#net\.method<(@.*), self = (@.*)>", attribute)
        if method:
            parts = [self.object_of(part) for part in method.groups()]
            return (types.MethodType(parts[0][0], parts[1][0]),) if all(parts) else None
        types_of_elements = {dtype.mlir: dtype for dtype in vars(mstype).values() if isinstance(dtype, DType)}
        return (types_of_elements[attribute],) if attribute in types_of_elements else None

    def new_definitions(self):
        """Returns a module of what was defined since the last call or `render`, as text; empty when nothing was."""
        lines = self._definitions()
        return "module {\n" + "\n".join(lines) + "\n}\n" if lines else ""

    def _definitions(self):
        """The lines of all that no module has had yet."""
        closed = set(self._sent)
        while found := [symbol for symbol in self.cells if symbol not in closed]:  # Functions of cells reach further ones.
            closed.update(found)
            for symbol in found:
                for name in ("construct", "bprop"):
                    self._member_if_possible(symbol, name)
        lines = []
        for symbol, (_, members) in self.namespaces.items():
            if self._is_new(symbol):
                lines.append(f"  net.namespace {text.symbol(symbol)} {text.dictionary(sorted(members.items()))}")
        for symbol, (cell, members, methods) in self.cells.items():
            if self._is_new(symbol):
                lines.append(f"  net.cell {text.symbol(symbol)} class {text.string(type(cell).__name__)}"
                             f" members {text.dictionary(sorted(members.items()))}"
                             f" methods {text.dictionary(sorted(methods.items()))}")
        for symbol, value in self.objects.items():
            if self._is_new(symbol):
                marks = (["made"] if id(value) in self.made else []) + _number_of(value)
                marks += [f"items = {self._items[id(value)]}"] if id(value) in self._items else []
                made = f" attributes {{{', '.join(marks)}}}" if marks else ""
                lines.append(f"  net.cell {text.symbol(symbol)} class {text.string(type(value).__name__)} members {{}} "
                             f"methods {{}}{made}")
        lines += [self._parameter_line(parameter) for symbol, parameter in self.parameters.items() if self._is_new(symbol)]
        for function in self.functions[self._sent_functions:]:
            lines += function
        self._sent_functions = len(self.functions)
        return lines

    def _is_new(self, symbol):
        """Whether no module has had a symbol; from now on one has."""
        if symbol in self._sent:
            return False
        self._sent.add(symbol)
        return True

    def _parameter_line(self, parameter):
        kind = text.tensor_type(parameter.shape, parameter.dtype)
        start = f"  net.parameter {text.symbol(self.by_object[id(parameter)])} : {kind} = "
        flags = f" {{requires_grad = {'true' if parameter.requires_grad else 'false'}}}"
        if parameter.rule is None and self.leaves_values and "complex" not in parameter.dtype.name:
            self.left.add(self.by_object[id(parameter)])
            return start + "#net.init<\"zero\", [], stream = 0>" + flags
        if parameter.rule is None or "complex" in parameter.dtype.name:
            return start + text.dense(parameter._elements()) + flags
        name, numbers, stream = parameter.rule
        values = ", ".join(text.floating(number).removesuffix(" : f64") for number in numbers)
        return start + f"#net.init<{text.string(name)}, [{values}], stream = {stream}>" + flags
