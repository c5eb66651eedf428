"""The function that stands for one direct call from Python: `ops.concat((a, b), axis=1)` on tensors.

Its parameters are the tensors; everything else is a constant in its body.
"""

import inspect

from plumb._parse import text
from plumb._parse.diagnostics import CompileError
from plumb.common.api import Jit
from plumb.nn.cell import Cell


class CallPrinter:
    """Prints one call; see the file's head."""

    def __init__(self, module, columns, place):
        self.module, self.columns, self.place = module, columns, place
        self.lines = []
        self.containers = []

    def run(self, symbol, callee, args, kwargs):
        """Returns the lines of the function."""
        function = self._emit(f"net.python.constant {callee}")
        values = [self._value(value) for value in args] + [self._value(value) for _, value in kwargs]
        names = [""] * len(args) + [name for name, _ in kwargs]
        suffix = f" names [{', '.join(text.string(name) for name in names)}]" if kwargs else ""
        result = self._emit(f"net.python.call {function}({', '.join(values)}){suffix}")
        self.lines.append(f"    net.python.return {result}{self._location()}")
        return [f"  net.python.func {symbol}({', '.join(self.columns)}) names {{}} {{"] + self.lines + \
            ["  }" + self._location()]

    def _value(self, value):
        from plumb._programs import Again, Column, Structure
        if isinstance(value, Column):
            return self._emit(f"net.python.load {text.string(self.columns[value])}")
        if isinstance(value, Again):
            return self.containers[value]
        if isinstance(value, Structure):
            kind = self._value(value.kind)
            return self._emit(f"net.python.call {kind}({', '.join([self._value(item) for item in value.arguments])})")
        if type(value) is tuple:
            return self._emit(f"net.python.tuple({', '.join([self._value(item) for item in value])})")
        if type(value) in (list, dict):
            number = len(self.containers)
            self.containers.append(None)  # before those inside
            self.containers[number] = self._container(value)
            return self.containers[number]
        attribute = self.module.attribute(value, "the argument", lambda message: CompileError(message, *self.place, 1))
        return self._emit(f"net.python.constant {attribute}")

    def _container(self, value):
        if type(value) is list:
            items = [self._value(item) for item in value]
            make = self._emit('net.python.constant #net.primitive<"builtins.make_list">')
            return self._emit(f"net.python.call {make}({', '.join(items)})")
        pairs = [self._value(pair) for pair in value.items()]
        make = self._emit('net.python.constant #net.primitive<"builtins.dict">')
        pairs = self._emit(f"net.python.tuple({', '.join(pairs)})")
        return self._emit(f"net.python.call {make}({pairs})")

    def _emit(self, content):
        name = f"%{len(self.lines)}"
        self.lines.append(f"    {name} = {content}{self._location()}")
        return name

    def _location(self):
        return text.location(*self.place, 1)


def all_inputs(fn):
    """The positions of the inputs of a cell or function; [-1] where each call has as many as it gives, or none."""
    target = fn.construct if isinstance(fn, Cell) else fn
    target = target.fn if isinstance(target, Jit) else target
    kinds = [parameter.kind for parameter in inspect.signature(target).parameters.values()]
    return range(len(kinds)) if kinds and inspect.Parameter.VAR_POSITIONAL not in kinds else [-1]
