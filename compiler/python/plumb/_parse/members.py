"""The members of cells and modules that printed functions name: attributes, methods, `construct`."""

import fnmatch
import types

from plumb._parse import text
from plumb._parse.definitions import Definitions
from plumb._parse.diagnostics import CompileError
from plumb._parse.source import converting, is_without_self, with_self
from plumb.common.api import Jit
from plumb.nn._hooks import has_hooks, hooked, hooks_of, of_class
from plumb.nn.cell import Cell
from plumb.ops._primitive import Composite, Primitive

# Classes whose members are the package's, not the program's.
_BASES = {*Cell.__mro__, *Composite.__mro__}


class Members(Definitions):
    """Mixin of ModulePrinter; see the file's head."""

    def use_attribute(self, name):
        """Notes that some printed function reads an attribute called `name`."""
        self.attribute_names.add(name)

    def use_attributes(self, pattern):
        """Notes that some printed function may read any attribute whose name fits a pattern."""
        self.attribute_patterns.add(pattern)

    def use_member(self, module, name, error):
        """Adds `module.name` to its namespace; reports at the place of use when it cannot be compiled."""
        self._module(module, module.__name__, error)
        members = self.namespaces[self.by_object[id(module)]][1]
        if name in members:
            return
        try:
            value = getattr(module, name)
        except AttributeError as problem:
            missing = error(f"AttributeError: {problem}")
            missing.kind = getattr(problem, "kind", "error")
            raise missing from None
        if self.is_primitive_class(value):
            return
        members[name] = self.attribute(value, f"'{module.__name__}.{name}'", error)

    def check_member(self, holder, name, error):
        """Reports a member of a cell that cannot be compiled, at the place of use."""
        if isinstance(holder, (Cell, Composite)) and id(holder) in self.by_object:
            self._member(self.by_object[id(holder)], name, error)

    @staticmethod
    def is_primitive_class(value):
        """Whether `value` is a class of operations."""
        return isinstance(value, type) and issubclass(value, Primitive)

    def _member(self, cell_symbol, name, error):
        cell, members, methods = self.cells[cell_symbol]
        if name in members or name in methods or name in ("__class__", "__dict__"):
            return
        try:
            value = getattr(cell, name)
        except AttributeError:
            return
        except Exception as problem:  # pylint: disable=broad-except
            if error is CompileError:
                return  # A property that nothing is known to read.
            raise error(f"{type(problem).__name__}: reading '{name}' of '{type(cell).__name__}' failed: {problem}") from problem
        if name == "construct" and isinstance(value, Jit):
            value = value.fn
        if name == "construct" and self._add_construct(cell, value, members, methods, error):
            return
        if is_without_self(value, cell):
            members[name] = self.attribute(with_self(value, cell), f"'{name}' of '{type(cell).__name__}'", error)
        elif isinstance(value, types.MethodType) and value.__self__ is cell:
            function = self._function(own := converting(value.__func__, cell, name), name, error, cell)
            if function is not None and id(own) not in self.unreadable:
                methods[name] = function
        else:
            if name in getattr(type(cell), "_hooks_of_gradients", ()):
                self.hooks.add(id(value))
            self.dependencies.note(cell, name, value)
            members[name] = self.attribute(value, f"'{name}' of '{type(cell).__name__}'", error,
                                           f"{cell_symbol}.{name}")

    def _add_construct(self, cell, construct, members, methods, error):
        """Adds a `construct` that is no plain method of a cell's class: one that is missing, has hooks, or is another object's. Returns whether it
        is such."""
        if getattr(construct, "__func__", None) is Cell.construct:
            symbol = self.unique(f"{type(cell).__name__}.construct")
            self.functions.append(_lines_without_construct(type(cell), symbol))
            methods["construct"] = text.symbol(symbol)
            return True
        if not isinstance(cell, Cell) or (not has_hooks(cell) and getattr(construct, "__self__", None) is cell):
            return False
        if has_hooks(cell):
            self.hooks.update(id(hook) for hook in hooks_of(cell))
            methods["construct"] = self._function(hooked, "construct", error, cell)
            methods["unhooked"] = self._function(self._bound(cell, members, construct, error), "unhooked", error, cell)
        else:
            methods["construct"] = self._function(self._bound(cell, members, construct, error), "construct", error, cell)
        return True

    def _bound(self, cell, members, construct, error):
        """The function of a cell and its inputs that a `construct` is, also where it is a static method or one of the class."""
        if getattr(construct, "__self__", None) is cell:
            return construct.__func__
        members["construct_of_class"] = self.attribute(construct, f"'construct' of '{type(cell).__name__}'", error)
        return of_class

    def _close(self):
        """Adds members until nothing new is reached."""
        done = set()
        progress = True
        while progress:
            progress = False
            for symbol in list(self.cells):
                for name in sorted(self.attribute_names | {"construct", "bprop"} | self._names_that_fit(self.cells[symbol][0])):
                    if (symbol, name) not in done:
                        done.add((symbol, name))
                        progress = True
                        self._member_if_possible(symbol, name)
            progress |= self._close_tensor_methods()

    def _names_that_fit(self, cell):
        names = [name for name in self._instance_names(cell) if not name.startswith("_")] if self.attribute_patterns else []
        return {name for name in names for pattern in self.attribute_patterns if fnmatch.fnmatchcase(name, pattern)}

    def _member_if_possible(self, symbol, name):
        strict = name == "construct"
        cell = self.cells[symbol][0]
        if not strict and name.startswith("_") and name not in self._instance_names(cell):
            return
        if not strict and name not in self._instance_names(cell) and not self._is_own_method(cell, name):
            return
        try:
            self._member(symbol, name, CompileError)
            function = getattr(type(cell), name, None)
            function = function.fn if isinstance(function, Jit) else function
            if (strict or name == "bprop") and id(function) in self.unreadable:
                raise self.unreadable[id(function)]
        except CompileError as problem:
            is_users = self._is_own_method(cell, name) and not self._is_of_package(cell, name)
            if strict or is_users or not (problem.unusable or self._is_of_package(cell, name)):
                raise
            # Only some other object's attribute of this name is used: if not, the compiler reports the place.

    @staticmethod
    def _instance_names(cell):
        names = set(vars(cell))
        for table in ("_cells", "_params"):
            names |= set(vars(cell).get(table, ()))
        for kind in type(cell).__mro__:
            if kind not in _BASES:
                names |= {name for name, value in vars(kind).items() if not isinstance(value, types.FunctionType)}
        return names

    @staticmethod
    def _is_own_method(cell, name):
        for kind in type(cell).__mro__:
            if kind in _BASES:
                return False
            if isinstance(vars(kind).get(name), types.FunctionType):
                return True
        return False

    @staticmethod
    def _is_of_package(cell, name):
        """Whether a cell's method comes with the package: its plain Python methods are never what compiled code calls."""
        return (getattr(getattr(type(cell), name, None), "__module__", None) or "").startswith("plumb.")

    def _close_tensor_methods(self):
        from plumb.common.tensor_methods import compiled_methods
        methods = compiled_methods()
        wanted = sorted(self.attribute_names & set(methods))
        if not wanted:
            return False
        symbol = "plumb.Tensor"
        if symbol not in self.namespaces:
            self.namespaces[self.unique(symbol)] = (None, {})
        members = self.namespaces[symbol][1]
        before = len(members)
        for name in wanted:
            if name not in members:
                members[name] = self.attribute(methods[name], f"'{name}'", CompileError)
        return len(members) > before


def _lines_without_construct(kind, symbol):
    """The lines of a function that says where it is called that a class of cells computes nothing."""
    other = getattr(kind, "forward", None)
    functions = [value for value in vars(kind).values() if isinstance(value, types.FunctionType)]
    message = f"AttributeError: '{kind.__name__}' has no method 'construct', in which a Cell computes"
    if isinstance(other, types.FunctionType):
        functions, message = [other], f"{message}; rename its 'forward'"
    code = functions[0].__code__ if functions else Cell.construct.__code__
    place = text.location(code.co_filename, code.co_firstlineno, 1)
    return [f'  net.python.func {text.symbol(symbol)}(self) names {{}} attributes {{star_args = "args", star_kwargs = "kwargs"}} {{',
            f"    net.python.raise {text.string(message)}{place}", "  }" + place]
