"""One Python function to one `net.python.func`.

Names are resolved while printing: a name the function assigns is local; any other is looked up among the live
closure, globals and builtins, and listed in `names` as the attribute for its object.
"""

import ast
import collections
import os
import types

from plumb._parse import text
from plumb._parse.comprehensions import Comprehensions
from plumb._parse.diagnostics import error_at
from plumb._parse.element_types import ElementTypes
from plumb._parse.expressions import Expressions
from plumb._parse.handlers import Handlers
from plumb._parse.outer_names import OuterName
from plumb._parse.patterns import Patterns
from plumb._parse.source import function_ast, live_names
from plumb._parse.statements import Statements
from plumb._parse.uses import changed_in_place, needs_functions, read_first, read_late, taken_at_once
from plumb.common.tensor import replaced_specials
from plumb.ops import _of_structures

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_UNSET = '#net.primitive<"builtins.unset">'


class FunctionPrinter(Expressions, Comprehensions, Statements, Handlers, Patterns, ElementTypes):
    """Prints one function; `lines` holds the result after `run`."""

    def __init__(self, module, symbol_name, node, filename, lookup, function=None, bound_self=None):
        self.module = module
        self.symbol_name = symbol_name
        self.node = node
        self.filename = filename
        self.lookup = lookup
        self.function = function
        self.globals = function.__globals__ if function else {}
        self.bound_self = bound_self
        self.argument_names = _argument_names(node)
        self.locals = set(self.argument_names) | _assigned_names(node)
        self.boxed = _shared_names(node)  # names that inner functions assign too: each lives in a list of one element
        self.renamed = {}
        self.assigned = set()  # names that statements above assign
        self.seen_outside = {}  # by a name that methods of classes see which the function makes, their holders
        self.captured = []  # names of the outer function that this inner one sees, as parameters
        self.computed_defaults = {}  # parameter: captured name that holds its default
        self.names = {}
        self.lines = []
        self.depth = 2
        self.values = 0
        self.temporaries = 0
        self.broken = []  # per loop around, the name that says whether it was broken, where something asks
        self.handling = 0  # handlers of exceptions around
        self.conditions = 0  # branches around
        self.pattern_values = []  # what a pattern of a case compares, behind its structure
        self.sources = {}  # by a generator expression, the name of what it goes through
        self.at_once = None  # the ids of expressions all items of which are taken at once, where something asks
        self.prints = False  # whether the arguments of a print are being printed

    def run(self):
        """Prints the function and returns its lines."""
        header, attributes = self._header()
        self._take_positional()
        self._compute_defaults()
        self._make_boxes()
        if isinstance(self.node, ast.Lambda):
            self.line(f"net.python.return {self.expression(self.node.body)}", self.node)
        else:
            self._convert_inputs()
            self._take_over_globals()
            if self.module.copies_globals:
                self._copy_globals()
            self.block(self.node.body)
        names = text.dictionary(sorted(self.names.items()))
        first = f"  net.python.func {text.symbol(self.symbol_name)}{header} names {names}{attributes} {{"
        return [first] + self.lines + ["  }" + self.location(self.node)]

    def _take_over_globals(self):
        """Gives a name that the function reads before it assigns it the value of the global of that name, as MindSpore does."""
        for name, node in read_first(self.node).items():
            of_others = name in self.boxed or name in self.argument_names or name in self.captured or name in self.renamed
            if name in self.globals and name in self.locals and not of_others:
                value = self.module.attribute(self.globals[name], f"'{name}'", self.place(node))
                self.store(name, self.constant(value, node), node)

    def _copy_globals(self):
        """Gives names of lists and dicts from outside, which the function changes, copies, as MindSpore does."""
        for name, node in changed_in_place(self.node).items():
            value = None if name in self.locals or name in self.renamed else self.live(name, node)
            if isinstance(value, (list, dict)):
                self.locals.add(name)
                self.store(name, self._copy_of(value, name, node), node)

    def _copy_of(self, value, name, node):
        if type(value) is list:
            return self.builtin("make_list", [self._copy_of(item, name, node) for item in value], node)
        if type(value) is not dict:
            return self.constant(self.module.attribute(value, f"'{name}'", self.place(node)), node)
        made = self.emit("net.python.dict []()", node)
        for key, item in value.items():
            held = self._copy_of(item, name, node)
            self.emit(f"net.python.setitem {made}[{self._copy_of(key, name, node)}], {held}", node)
        return made

    def _header(self):
        arguments = self.node.args
        plain = arguments.posonlyargs + arguments.args
        values = list((self.function.__defaults__ if self.function else None) or ())
        if not self.function:
            values = arguments.defaults
        missing = len(plain) - len(values)
        parts = []
        for index, argument in enumerate(plain):
            part = argument.arg if index >= len(arguments.posonlyargs) else text.string(_positional(argument))
            if index >= missing:
                part += " = " + self._default(argument, values[index - missing])
            parts.append(part)
        live = (self.function.__kwdefaults__ if self.function else None) or {}
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
            given = default is not None
            parts.append(argument.arg + (" = " + self._default(argument, live.get(argument.arg, default)) if given else ""))
        parts += [text.string(name) for name in self.captured]
        extra = [("star_args", arguments.vararg), ("star_kwargs", arguments.kwarg)]
        extra = [(name, text.string(argument.arg)) for name, argument in extra if argument]
        if arguments.kwonlyargs or self.captured:
            extra.append(("keyword_only", f"{len(arguments.kwonlyargs) + len(self.captured)} : i64"))
        return f"({', '.join(parts)})", f" attributes {text.dictionary(extra)}" if extra else ""

    def _take_positional(self):
        """Gives parameters before a `/` their names, which no keyword of a call has."""
        for argument in self.node.args.posonlyargs:
            self._store_directly(argument.arg, self._load_directly(_positional(argument), argument), argument)

    def _default(self, argument, value):
        """Returns the attribute of a default: a live object, or what `_compute_defaults` replaces."""
        if isinstance(value, ast.AST):
            try:
                value = ast.literal_eval(value)
            except ValueError:
                return _UNSET
        return self.module.attribute(value, f"the default of '{argument.arg}'", self.place(argument))

    def _compute_defaults(self):
        """Gives parameters that were not passed the defaults that the outer function computed for them, before they get boxes."""
        node = self.node
        for name, held in self.computed_defaults.items():
            is_unset = self.operator("is", [self._load_directly(name, node), self.constant(_UNSET, node)], node)
            self.branch(is_unset, lambda name=name, held=held: self._store_directly(name, self.load(held, node), node), None, node)

    def _make_boxes(self):
        """Makes the lists behind the names that inner functions assign."""
        for name in sorted(_shared_names(self.node)):
            given = name in self.argument_names
            value = self._load_directly(name, self.node) if given else self.constant(_UNSET, self.node)
            self._store_directly(_box(name), self.builtin("make_list", [value], self.node), self.node)

    # -- lines and values

    def location(self, node):
        """Returns the trailing location for `node`."""
        return text.location(self.filename, node.lineno, node.col_offset + 1)

    def place(self, node):
        """Returns a maker of located errors for `node`."""
        return lambda message: error_at(node, self.filename, message)

    def line(self, content, node):
        """Adds one line; `node` gives its location."""
        self.lines.append("  " * self.depth + content + (self.location(node) if node is not None else ""))

    def emit(self, content, node):
        """Adds an operation with a result; returns the result's name."""
        name = f"%{self.values}"
        self.values += 1
        self.line(f"{name} = {content}", node)
        return name

    def indented(self, content):
        """Runs `content` one level deeper."""
        self.depth += 1
        content()
        self.depth -= 1

    def temporary(self):
        """Returns a new name that programs cannot spell."""
        self.temporaries += 1
        return f"${self.temporaries}"

    def constant(self, attribute, node):
        """Adds a constant."""
        return self.emit(f"net.python.constant {attribute}", node)

    def operator(self, name, values, node):
        """Adds an operator."""
        self.check_operator(name, node)
        if self._holds_structures() and name in _of_structures.OPERATORS:
            return self._called(_of_structures.OPERATORS[name], values, node)
        return self.emit(f"net.python.operator {text.string(name)}({', '.join(values)})", node)

    def augmented(self, name, old, value, node):
        """Adds `old += value`: a list or set changes in place, anything else becomes a new value."""
        self.check_operator(name, node, "i")
        if self._holds_structures() and name in _of_structures.IN_PLACE:
            return self._called(_of_structures.IN_PLACE[name], [old, value], node)
        return self.builtin("augmented", [self.constant(text.string(name), node), old, value], node)

    def _holds_structures(self):
        """Whether operators are those of structures of tensors: in the user's functions, where the program may hold some."""
        return self.module.structures and not self._is_of_package()

    def _is_of_package(self):
        return os.path.abspath(self.filename).startswith(_PACKAGE)

    def check_operator(self, name, node, prefix=""):
        """Refuses an operator of tensors that the program has replaced: the compiler has its own meaning for it."""
        replaced = replaced_specials()
        name = "contains" if name in ("in", "not_in") else name
        found = {f"__{form}{name}__" for form in ("", "r", prefix)} & replaced if replaced and not self._is_of_package() else ()
        if found:
            raise error_at(node, self.filename, f"the program has replaced Tensor.{min(found)}, which compiled functions do not call; "
                                                f"call a function or a method with another name")

    def _called(self, function, values, node):
        attribute = self.module.attribute(function, f"'{function.__name__}'", self.place(node))
        return self.emit(f"net.python.call {self.constant(attribute, node)}({', '.join(values)})", node)

    def store(self, name, value, node):
        """Stores into a local name."""
        if name in self.boxed:
            self._in_box("boxed", name, [value], node)
        else:
            self._store_directly(name, value, node)
        self.assigned.add(name)
        for holder in self.seen_outside.get(name, ()):
            self._show(name, holder, value, node)

    def assigned_by(self, statement):
        """The local names that a statement assigns."""
        return [self.renamed.get(name, name) for name in sorted(_assigned_names(ast.Module([statement], [])))]

    def branch(self, condition, then, otherwise, node):
        """Adds an if; `then` and `otherwise` print the branches and may be None."""
        self.line(f"net.python.if {condition} {{", None)
        self.conditions += 1
        if then:
            self.indented(lambda: self.where_reached(then))
        if otherwise:
            self.line("} else {", None)
            self.indented(lambda: self.where_reached(otherwise))
        self.conditions -= 1
        self.line("}", node)

    # -- names

    def load(self, name, node):
        """Loads a name; a name that is not local joins `names` with its live object's attribute."""
        if name in self.boxed:
            return self._in_box("unboxed", name, [], node)
        if name not in self.locals and not name.startswith("$") and name not in self.names:
            self.names[name] = self.module.attribute(self.live(name, node), f"'{name}'", self.place(node))
        return self._load_directly(name, node)

    def _load_directly(self, name, node):
        """Loads what stands under a local name: of a name in a box, before it has one, the argument."""
        return self.emit(f"net.python.load {text.string(name)}", node)

    def _store_directly(self, name, value, node):
        self.line(f"net.python.store {text.string(name)}, {value}", node)

    def _in_box(self, action, name, values, node):
        """Reads or stores a name that inner functions assign too."""
        box = self._load_directly(_box(name), node)
        return self.builtin(action, [box, self.constant(text.string(name), node), *values], node)

    def live(self, name, node):
        """Returns the live object a free name stands for."""
        try:
            return self.lookup(name)
        except (KeyError, ValueError):
            raise error_at(node, self.filename, f"NameError: the name '{name}' is not defined") from None

    def live_value(self, node):
        """Returns (object that holds the attribute, object) for a name or attribute chain that is live, else None."""
        if isinstance(node, ast.Name):
            return self._live_name(node)
        return self._live_attribute(node) if isinstance(node, ast.Attribute) else None

    def _live_name(self, node):
        if node.id in self.locals or node.id in self.renamed:
            return None
        found = self.live(node.id, node)
        return None if isinstance(found, OuterName) else (None, found)

    def _live_attribute(self, node):
        names_self = self.bound_self is not None and isinstance(node.value, ast.Name) and node.value.id in self.argument_names[:1]
        base = self.live_value(node.value) or ((None, self.bound_self) if names_self else None)
        if base is None:
            return None
        holder = base[1]
        if isinstance(holder, types.ModuleType):
            self.module.use_member(holder, node.attr, self.place(node))
        try:
            return holder, getattr(holder, node.attr)
        except Exception as problem:  # pylint: disable=broad-except
            # Compiled code may set it, another instance may have it, or a dead branch asks; a property may raise anything.
            if not isinstance(holder, types.ModuleType):
                return None
            raise error_at(node, self.filename, f"AttributeError: {problem}") from None

    @staticmethod
    def is_namespace(value):
        """Whether `value` is a module."""
        return isinstance(value, types.ModuleType)

    def check_member(self, node, holder):
        """Reports here, at the place of use, a member that cannot be compiled."""
        if holder is not None:
            self.module.check_member(holder, node.attr, self.place(node))

    def static_instance(self, node):
        """Makes the object of `ops.Fill()`-like calls while printing; returns its attribute, else None."""
        if not isinstance(node.func, (ast.Name, ast.Attribute)):
            return None
        live = self.live_value(node.func)
        if live is None or not self.module.is_primitive_class(live[1]):
            return None
        try:
            args = [ast.literal_eval(argument) for argument in node.args]
            kwargs = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords}
        except ValueError:
            return None  # the live process makes it, once the arguments are known
        try:
            made = live[1](*args, **kwargs)
        except (ValueError, TypeError) as problem:
            raise error_at(node, self.filename, f"{type(problem).__name__}: {problem}") from None
        return self.module.attribute(made, f"'{ast.unparse(node)}'", self.place(node))

    def owner_class(self):
        """Returns the class whose body the function stands in, from its `__class__` cell."""
        try:
            return self.lookup("__class__")
        except (KeyError, ValueError):
            return None

    def nested_function(self, node, name):
        """Prints an inner function or lambda as a function of its own; returns its value."""
        symbol_name = self.module.unique(f"{self.symbol_name}.{name}")
        printer = FunctionPrinter(self.module, symbol_name, node, self.filename, self.lookup)
        printer.globals = self.globals
        own = _assigned_names(node) | set(_argument_names(node))
        outer = {free: self.renamed.get(free, free) for free in sorted(_loaded_names(node) | _all_nonlocals(node) - own)
                 if free not in own and (free in self.locals or free in self.renamed)}
        printer.renamed = {free: held for free, held in outer.items() if free != held}
        shared = {held for held in outer.values() if held in self.boxed}
        printer.boxed |= shared
        printer.locals |= shared
        printer.captured = list(dict.fromkeys(_box(held) if held in shared else held for held in outer.values()))
        printer.computed_defaults = self._hold_defaults(node)
        printer.captured += printer.computed_defaults.values()
        printer.locals |= set(printer.captured)
        self.module.add_function(printer.run())
        parts = [text.symbol(symbol_name)] + [text.string(held) for held in printer.captured]
        return self.builtin("make_closure", [self.constant(part, node) for part in parts], node)

    def _hold_defaults(self, node):
        """Computes defaults that are no literals, now, as Python does; returns the names that hold them, "$=…"."""
        arguments = node.args
        plain = arguments.posonlyargs + arguments.args
        pairs = list(zip(plain[len(plain) - len(arguments.defaults):], arguments.defaults))
        pairs += [pair for pair in zip(arguments.kwonlyargs, arguments.kw_defaults) if pair[1] is not None]
        held = {}
        for argument, default in pairs:
            try:
                ast.literal_eval(default)
            except ValueError:
                held[argument.arg] = f"$={self.temporary()[1:]}.{argument.arg}"
                self.store(held[argument.arg], self.expression(default), default)
        return held


def print_function(module, symbol_name, function, bound_self=None):
    """Returns the lines of the `net.python.func` for a live Python function."""
    node, filename = function_ast(function)
    if isinstance(node, ast.AsyncFunctionDef):
        raise error_at(node, filename, "'async def' cannot be compiled; use a plain function")
    return FunctionPrinter(module, symbol_name, node, filename, live_names(function), function, bound_self).run()


def _positional(argument):
    return argument.arg + "/"


def _argument_names(node):
    arguments = node.args
    every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
    every += [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    return [argument.arg for argument in every]


def _own_nodes(node):
    """Walks a function's nodes without those of inner functions and comprehensions' own targets."""
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    pending = list(body)
    while pending:
        current = pending.pop()
        yield current
        if isinstance(current, (ast.FunctionDef, ast.Lambda)):  # Defaults are computed outside of it.
            pending += current.args.defaults + [default for default in current.args.kw_defaults if default]
        if isinstance(current, (ast.FunctionDef, ast.Lambda, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(current, (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            pending += [generator.iter for generator in current.generators]
            pending += [inner.target for inner in ast.walk(current) if isinstance(inner, ast.NamedExpr)]  # names of the function
            continue
        pending += list(ast.iter_child_nodes(current))


def _assigned_names(node):
    found, elsewhere = set(), set()
    for current in _own_nodes(node):
        if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store):
            found.add(current.id)
        elif isinstance(current, (ast.FunctionDef, ast.ClassDef)):
            found.add(current.name)
        elif isinstance(current, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in current.names}
        elif isinstance(current, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and current.name:
            found.add(current.name)
        elif isinstance(current, ast.MatchMapping) and current.rest:
            found.add(current.rest)
        elif isinstance(current, ast.Nonlocal):
            elsewhere |= set(current.names)
    return found - elsewhere


def _box(name):
    """The name of the list behind a name, which no program can spell."""
    return f"@{name}.box"


def _nonlocals(node):
    return {name for current in _own_nodes(node) if isinstance(current, ast.Nonlocal) for name in current.names}


def _inner_functions(node):
    return [current for current in _own_nodes(node) if isinstance(current, (ast.FunctionDef, ast.Lambda))]


def _all_nonlocals(node):
    """The names that a function or one inside of it assigns in a function around."""
    return _nonlocals(node).union(*(_all_nonlocals(inner) - _assigned_names(inner) - set(_argument_names(inner))
                                    for inner in _inner_functions(node)))


def _free_reads(node):
    """The names that a function reads of those around it."""
    return _loaded_names(node) - _assigned_names(node) - set(_argument_names(node))


def _reassigned_names(node):
    """The names of a function that it assigns at several places, or again and again in a loop."""
    stores = [(current.id, current) for current in _own_nodes(node) if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Store)]
    counts = collections.Counter([name for name, _ in stores] + _argument_names(node))
    repeated = {current for loop in _own_nodes(node) if isinstance(loop, (ast.For, ast.While)) for current in ast.walk(loop)}
    return {name for name, store in stores if counts[name] > 1 or store in repeated}


def _shared_names(node):
    """The names of a function that functions inside of it assign, or see through another function before they are assigned again."""
    own, inner_functions = _assigned_names(node) | set(_argument_names(node)), _inner_functions(node)
    assigned = set().union(*map(_all_nonlocals, inner_functions))
    through = set().union(*(_free_reads(deeper) - _assigned_names(inner) - set(_argument_names(inner))
                            for inner in inner_functions for deeper in _inner_functions(inner)), *_read_by_generators(node, inner_functions))
    return own & (assigned | (through & _reassigned_names(node) if through else set()))


def _read_by_generators(node, inner_functions):
    """The names that generator expressions of a function see through another function, a set for each."""
    at_once = taken_at_once(node)
    for current in _own_nodes(node):
        if isinstance(current, ast.GeneratorExp) and id(current) not in at_once and needs_functions(current, at_once):
            yield read_late(current)
    for inner in inner_functions:
        for current in ast.walk(inner):
            if isinstance(current, ast.GeneratorExp) and id(current) not in at_once:
                yield read_late(current) - _assigned_names(inner) - set(_argument_names(inner))


def _loaded_names(node):
    return {current.id for current in ast.walk(node)
            if isinstance(current, ast.Name) and isinstance(current.ctx, ast.Load)}
