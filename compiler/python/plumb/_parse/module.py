"""Live objects to one `net` module at parse level.

`attribute(object)` gives the MLIR attribute that stands for a live object and queues what must be defined for it:
cells, parameters, functions, namespaces. A cell's members are printed only where some printed function names such an
attribute, so the module holds what the program's compiled functions can reach and nothing else.
"""

import builtins
import functools
import hashlib
import inspect
import re
import types
import weakref
from enum import Enum

import numpy as np

from plumb import context
from plumb._parse import text
from plumb._parse.alone import Made
from plumb._parse.diagnostics import CompileError
from plumb._parse.calls import CallPrinter, all_inputs
from plumb._parse.dependencies import Dependencies
from plumb._parse.functions import print_function
from plumb._parse.made_objects import added_functions
from plumb._parse.members import Members
from plumb._parse.nans import Nans, NumpyNumbers
from plumb.common._marks import mutable
from plumb.common._offers import NotOffered
from plumb.common._structures import Held, InCode, TensorStructure
from plumb.common.api import HostFunction, Jit
from plumb.common.dtype import DType
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor, is_own_method
from plumb.nn.cell import Cell
from plumb.nn.layer.container import CellDict, CellList
from plumb.ops import _of_structures
from plumb.ops._maps import partial
from plumb.ops._primitive import Composite, Primitive
from plumb.ops.grad import GradFunction, grad, value_and_grad

# Builtins that read or change what no compiled function has.
_REFUSED_BUILTINS = {eval, exec, compile, globals, locals, input, breakpoint, delattr, __import__}

_NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


class ModulePrinter(Members):
    """Collects what live objects reach and prints it as one module.

    Attributes:
      unreadable: why a function that compiled code mentions cannot be read, by the function's id. Python can still call it.
      structures: whether operators and gradients are printed as those of structures of tensors, see `ops/_of_structures.py`.
      mentions_structures: whether the program can hold such.
      leaves_values: whether Parameters whose values no rule gives begin at zero: the session takes them over. `left` are their symbols.
    """

    def __init__(self, structures=False):
        self.structures, self.mentions_structures = structures, False
        self.symbols = set()
        self.by_object = {}
        self.keep_alive = []
        self.places = {}  # the symbols that child cells take from their places in the tree
        self.cells = {}
        self.namespaces = {}
        self.parameters = {}
        self.parameter_names = {}
        self.functions, self.entries = [], []
        self.attribute_names, self.attribute_patterns = set(), set()
        self.leaves_values, self.left = False, set()
        self._call_symbol = None
        self.by_symbol = {}
        self.unreadable = {}
        self.dependencies = Dependencies()
        self.hooks = set()  # identities of functions that are hooks of cells and of gradients
        self.is_operation = False  # whether it is an operation of the package's that plain Python calls, and no graph
        self.copies_globals = False  # whether functions change copies of the lists and dicts from outside that they change
        self.exceptions = {}  # classes of exceptions that functions raise, by the text that names them
        self.objects = {}
        self.nans = Nans()
        self.numpy_numbers = NumpyNumbers()
        self.inner_functions = weakref.WeakValueDictionary()  # those that see no names and objects keep: tokens by text and number
        self.made = Made()
        self._texts, self._tensors, self._items, self._wrappers, self._held = {}, {}, {}, {}, {}
        self._sent = set()
        self._sent_functions = 0

    # -- symbols

    def unique(self, name):
        """Returns `name`, or `name_1`, … when it is taken, and takes it; `name$1`, … once the compiler works, whose copies of functions
        are `name_1`, …."""
        candidate, serial, mark = name, 0, "$" if self._sent else "_"
        while candidate in self.symbols:
            serial += 1
            candidate = f"{name}{mark}{serial}"
        self.symbols.add(candidate)
        return candidate

    def _define(self, value, name, key=None):
        key = id(value) if key is None else key
        self.keep_alive.append(value)
        symbol = self.by_object[key] = self.unique(name)
        self.by_symbol[symbol] = value
        return symbol

    # -- attributes

    def plain(self, value):
        """Returns the attribute of a number, string or None."""
        value = self.numpy_numbers.noted(value)
        if value is None:
            return "#net.none"
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, (int, np.integer)):
            if not -2 ** 63 <= int(value) < 2 ** 63:  # NumPy's compare as floats
                raise CompileError(f"the number {value} does not fit in 64 bits")
            return f"{int(value)} : i64"
        if isinstance(value, (float, np.floating)):
            return text.floating(self.nans.number(value))
        return text.string(value)

    def attribute(self, value, what, error, hint=None):
        """Returns the attribute that stands for a live object.

        Args:
          value: the object.
          what: how to call it in an error.
          error: makes the located error from a message.
          hint: the symbol it would like to have.
        """
        number = isinstance(value, (bool, int, float, str, np.bool_, np.integer, np.floating)) and not isinstance(value, Enum)
        if value is None or number and not (type(value) is int and not -2 ** 63 <= value < 2 ** 63):
            return self.plain(value)
        if isinstance(value, NotOffered):
            raise error(f"NotImplementedError: {value}")
        found = self._known_object(value, hint or _short(what), error)
        if isinstance(value, (Primitive, type, types.BuiltinFunctionType)) and found and found[0] == "#":
            self._texts[found.replace(", {}>", ">")] = value
        if found is None and isinstance(value, types.BuiltinFunctionType) and value in _REFUSED_BUILTINS:
            raise _unusable(error(f"{what} is a '{_kind(value)}', which cannot be used in compiled functions; use "
                                  f"values that are passed as arguments"))
        return found or self._object(value, hint or _short(what), error)

    def _known_object(self, value, hint, error):
        if isinstance(value, (list, tuple, dict, set)) and added_functions(type(value)):
            return self.container_of_program(value, hint, error)
        for kind, method in self._KINDS:
            if issubclass(type(value), kind):  # what stands for a tensor says that it is one
                return method(self, value, hint, error)
        if isinstance(value, (type, types.BuiltinFunctionType)):
            return self._class_or_builtin(value)
        return None

    def _sequence(self, value, hint, error):
        parts = [self.attribute(item, f"element {index} of '{hint}'", error, f"{hint}.{index}")
                 for index, item in enumerate(value)]
        return "[" + ", ".join(parts) + "]"

    def _list(self, value, hint, error):
        return f'#net.primitive<"builtins.list", {{items = {self._sequence(value, hint, error)}}}>'

    def _slice(self, value, hint, error):
        return f'#net.primitive<"builtins.slice", {{items = {self._sequence((value.start, value.stop, value.step), hint, error)}}}>'

    def _set(self, value, hint, error):
        return f'#net.primitive<"builtins.set", {{items = {self._sequence(value, hint, error)}}}>'

    def _tuple(self, value, hint, error):
        return self._object(value, hint, error) if hasattr(value, "_fields") else self._sequence(value, hint, error)

    def _object(self, value, hint, error):
        """An object that only the live process knows: the compiler has it compute all that is done with the object."""
        kind = value if isinstance(value, type) else type(value)
        self.mentions_structures |= issubclass(kind, TensorStructure)
        if id(value) not in self.by_object:
            name = inspect.getattr_static(value, "__name__", None)  # a __getattr__ may raise anything
            name = name if isinstance(name, str) else getattr(value, "__name__", "object") if isinstance(value, _NAMED) else type(value).__name__
            self.objects[self._define(value, f"{name}.object")] = value
        return text.symbol(self.by_object[id(value)])

    def _cell_list(self, value, hint, error):
        self.dependencies.note(value, "_cells", vars(value)["_cells"])
        return self._sequence(list(value), hint, error)

    def _cell_dict(self, value, hint, error):
        self.dependencies.note(value, "_cells", vars(value)["_cells"])
        return self._dictionary(dict(value.items()), hint, error)

    def _dictionary(self, value, hint, error):
        items = [self.attribute(item, f"'{hint}[{name!r}]'", error, f"{hint}.{name}") for name, item in value.items()]
        keys = [self.attribute(name, f"a key of '{hint}'", error) for name in value]
        return f'#net.primitive<"builtins.dict", {{items = [{", ".join(items)}], keys = [{", ".join(keys)}]}}>'

    def _ellipsis(self, value, hint, error):
        return '#net.primitive<"builtins.Ellipsis">'

    def _element_type(self, value, hint, error):
        return value.mlir

    def _parameter(self, value, hint, error):
        if id(value) not in self.by_object:
            known = self.parameter_names.setdefault(value.name, value)
            # A graph's Parameters are known by name. State that is not trained, as that of two optimizers, and what networks of
            # PyNative mode hold, such as a GAN's two, are told apart by number.
            is_graph = context.get_context("mode") == context.GRAPH_MODE and not self.is_operation
            if is_graph and known is not value and value.requires_grad and known.requires_grad:
                raise error(f"ValueError: two Parameters are called '{value.name}'; give each its own name")
            self.parameters[self._define(value, value.name)] = value
        return text.symbol(self.by_object[id(value)])

    def _tensor(self, value, hint, error):
        value._constant_of = hint
        dense = text.dense(value._elements())
        self._tensors.setdefault(hash(dense), {})[id(value)] = value
        return dense

    def _cell(self, value, hint, error):
        if id(value) not in self.by_object:
            name = self._define(value, self.places.get(id(value), hint))
            self.cells[name] = (value, {}, {})
            for child_name, child in vars(value).get("_cells", {}).items():
                self.places.setdefault(id(child), f"{name}.{child_name}")
        return text.symbol(self.by_object[id(value)])

    def _grad_function(self, value, hint, error):
        fn = self.attribute(self._function_of(value.fn), "the function to differentiate", error, f"{hint}.fn")
        positions = all_inputs(value.fn) if value.argnums is None else value.argnums
        argnums = "[" + ", ".join(str(n) for n in positions) + "]"
        weights = self._sequence(value.weights, hint, error)
        flags = [("value", value.value), ("has_aux", value.has_aux), ("sens", value.sens), ("single", value.single),
                 ("single_weight", value.single_weight), ("return_ids", value.return_ids)]
        flags = ", ".join(f"{name} = {'true' if flag else 'false'}" for name, flag in flags)
        return f"#net.grad<fn = {fn}, argnums = {argnums}, weights = {weights}, {flags}>"

    def _primitive(self, value, hint, error):
        if self.structures and value.mnemonic == "grad_operation" and type(value) is not Primitive:
            return self.attribute(self._wrapper(value, _of_structures.grad_operation), f"'{hint}'", error, hint)
        config = [(name, self.attribute(item, f"'{name}'", error)) for name, item in value.config.items()]
        return f"#net.primitive<{text.string(value.mnemonic)}, {text.dictionary(config)}>"

    def held(self, tensor):
        """The one Held of constant tensors of these values."""
        array = tensor._elements()
        key = array.shape, array.dtype.str, hashlib.sha256(np.ascontiguousarray(array).data).digest()
        return self._held.setdefault(key, Held(tensor))

    def _wrapper(self, value, make):
        """The one function that `make` gives for an object."""
        if id(value) not in self._wrappers:
            self._wrappers[id(value)] = (make(value), value)
        return self._wrappers[id(value)][0]

    def _jit(self, value, hint, error):
        return self.attribute(self._function_of(value.fn), f"'{hint}'", error, hint)

    def _function_of(self, value):
        """A callable, as a function where only its call shows what code makes of it."""
        return self._wrapper(value, _as_function) if isinstance(value, (InCode, functools.partial)) else value

    def _function(self, value, hint, error, bound_self=None):
        if value in (grad, value_and_grad):
            if self.structures:
                return self._function(getattr(_of_structures, value.__name__), hint, error)
            return f'#net.primitive<"{value.__name__}">'
        if value is mutable:
            return '#net.primitive<"identity">'
        if bound_self is None and is_own_method(value):
            from plumb.common.tensor_methods import by_name
            return self._function(by_name(value.__name__), hint, error)
        if self.is_foreign_function(value):
            return None
        if id(value) in self.unreadable:
            return self._object(value, hint, error)
        # A cell with an element type of its own has functions of its own, in which its Parameters are converted.
        converts = isinstance(bound_self, Cell) and (bound_self._float_type or bound_self._result_type) is not None
        key = (id(value), id(bound_self)) if converts else id(value)
        if key not in self.by_object:
            name = self._define(value, _function_name(value), key)
            place = len(self.functions)
            self.functions.append([])
            try:
                self.functions[place] = print_function(self, name, value, bound_self)
            except CompileError as problem:
                del self.by_symbol[self.by_object.pop(key)]
                problem.unreadable = True
                self.unreadable[id(value)] = problem.with_traceback(None)
                problem.__cause__ = problem.__context__ = None  # whose frames may hold tokens
                return self._object(value, hint, error)
        return text.symbol(self.by_object[key])

    def function_of(self, value, holder, hint, error):
        """Returns the attribute of a function that is called as a method of `holder`."""
        return self._function(value, hint, error, holder)

    def _method(self, value, hint, error):
        if not isinstance(value.__func__, types.FunctionType) or self.is_foreign_function(value.__func__):
            return None
        fn = self._function(value.__func__, hint, error, value.__self__)
        if id(value.__func__) in self.unreadable:
            return self._object(value, hint, error)
        owner = self.attribute(value.__self__, f"the owner of '{hint}'", error, hint)
        return f"#net.method<{fn}, self = {owner}>"

    def _host_function(self, value, hint, error):
        raise _unusable(error(f"'{value.__name__}' cannot be called in compiled functions: {value.reason}"))

    def _module(self, value, hint, error):
        if id(value) not in self.by_object:
            self.namespaces[self._define(value, value.__name__)] = (value, {})
        return text.symbol(self.by_object[id(value)])

    def _class_or_builtin(self, value):
        if value is functools.reduce:
            return '#net.primitive<"builtins.reduce">'
        if value in _REFUSED_BUILTINS:
            return None
        if value is functools.partial:  # one that may hold tensors
            return self.attribute(partial, "'partial'", CompileError)
        if value.__module__ == "builtins" and getattr(builtins, value.__name__, None) is value:
            return f'#net.primitive<"builtins.{value.__name__}">'
        if value is Tensor:  # isinstance() takes the operation that makes one for the class
            return '#net.primitive<"tensor">'
        if isinstance(value, type) and issubclass(value, Parameter):
            return f'#net.primitive<"builtins.{value.__name__}">'
        if getattr(value, "__module__", None) == "math":
            return f'#net.primitive<"math.{value.__name__}">'
        return None

    _KINDS = (
        (ParameterTuple, _sequence), ((tuple, range), _tuple), (list, _list), (dict, _dictionary), (set, _set), (slice, _slice),
        (DType, _element_type), (type(Ellipsis), _ellipsis), (Parameter, _parameter), (Tensor, _tensor), (CellList, _cell_list), (CellDict, _cell_dict),
        ((Cell, Composite), _cell), (GradFunction, _grad_function), (Primitive, _primitive), (Jit, _jit),
        (HostFunction, _host_function),
        (types.FunctionType, _function), (types.MethodType, _method), (types.ModuleType, _module),
    )

    # -- the module

    def add_function(self, lines):
        """Adds an inner function's lines."""
        self.functions.append(lines)

    def add_call(self, target, columns, args, kwargs, place, hint):
        """Adds a function of tensors that calls `target` with them and with constants: a direct call from Python.

        Args:
          target: the callable.
          columns: names of the tensors.
          args, kwargs: the arguments; an instance of `_programs.Column` stands for a tensor.
          place: (file, line) of the call.
          hint: the symbol `target` would like.
        """
        callee = self.attribute(self._function_of(target), f"'{hint}'", lambda message: CompileError(message, *place, 1), hint)
        self._call_symbol = text.symbol(self.unique("call"))
        self.add_function(CallPrinter(self, columns, place).run(self._call_symbol, callee, args, kwargs))

    def add_entry(self, name, target, types_text, attributes, hint, place=None):
        """Adds `net.entry`.

        Args:
          name: the entry's name ("train").
          target: the callable: a cell, function or gradient; None for what `add_call` added last.
          types_text: texts of the tensor types it is called with.
          attributes: (name, attribute text) pairs.
          hint: the symbol `target` would like.
          place: (file, line) of the user's call that the program is compiled for, if it is known.
        """
        name = self.unique(name)
        calls = self._call_symbol if target is None else self.attribute(self._function_of(target), f"'{hint}'", CompileError, hint)
        while isinstance(target, GradFunction):
            target = target.fn
        function = getattr(target, "__func__", target)
        if id(function) in self.unreadable:
            raise self.unreadable[id(function)]
        self.entries.append(f"  net.entry {text.symbol(name)} calls {calls} ({', '.join(types_text)}) "
                            f"{text.dictionary(attributes)}{text.location(*place, 1) if place else ''}")

    def parameters_by_symbol(self):
        """Returns the parameters reached, by the symbols they have in the module."""
        return {self.by_object[id(parameter)]: parameter for parameter in self.parameters.values()}

    def render(self, seed=0):
        """Returns the module's text; `seed` is the program's own."""
        self._close()
        depth = context.get_context("max_call_depth")
        depth = "" if depth == 1000 else f"net.max_call_depth = {depth} : i64, "
        lines = [f"module attributes {{{depth}net.seed = {seed} : i64}} {{"]
        lines += self._definitions()
        return "\n".join(lines + self.entries + ["}"]) + "\n"


def _as_function(callee):
    return lambda *args, **kwargs: callee(*args, **kwargs)


def _unusable(problem):
    """Marks an error that only says an object cannot be compiled: no harm where the object is not used."""
    problem.unusable = True
    return problem


def _short(what):
    return what.strip("'").split("'")[0] or "object"


def _kind(value):
    if isinstance(value, type):
        return f"class {value.__module__}.{value.__qualname__}"
    name = getattr(value, "__name__", None)
    owner = getattr(value, "__module__", None)
    return f"{owner}.{name}" if name and owner else f"{type(value).__module__}.{type(value).__name__}"


def _function_name(function):
    name = function.__qualname__.replace("<locals>.", "").replace("<lambda>", "lambda")
    module = function.__module__ or ""
    if module.startswith("plumb.") and "." not in name:
        return re.sub(r"^plumb\.ops\.(_functions|function\.\w+)", "plumb.ops", f"{module}.{name}")
    return name
