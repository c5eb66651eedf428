"""Comprehensions and generator expressions: loops that fill a new container.

A generator expression all items of which are taken at once is such a loop where it stands. Where `any`, `all`, `next` or `zip` takes
them, the loop is left as soon as they take no further one. One that a name or a loop keeps, or that a function of the program is
given, becomes a function that makes an item, or none, of an item that it goes through, called when an item is taken; of several loops the
function makes a generator of those behind the first one. Where functions inside see the names of its loop, these are nonlocal.
"""

import ast
import types

from plumb._parse import library, text
from plumb._parse.diagnostics import error_at
from plumb._parse.letters import is_of_program
from plumb._parse.uses import holds_functions, taken_at_once
from plumb.common.tensor import Tensor

_STOPPING = ((any, "any"), (all, "all"), (zip, "zip"))


class Comprehensions:
    """Mixin of FunctionPrinter; see the file's head."""

    def expression_ListComp(self, node):
        return self._comprehension(node, lambda: self.builtin("make_list", [], node), self._append_item(node))

    def expression_SetComp(self, node):
        return self.builtin("set", [self.expression_ListComp(node)], node)

    def expression_DictComp(self, node):
        def add(made):
            key, value = self.expression(node.key), self.expression(node.value)
            self.emit(f"net.python.setitem {made}[{key}], {value}", node)

        return self._comprehension(node, lambda: self.emit("net.python.dict []()", node), add)

    def expression_GeneratorExp(self, node):
        self.at_once = taken_at_once(self.node) if self.at_once is None else self.at_once
        return self._generated(node) if id(node) in self.at_once else self._computed_later(node)

    def _computed_later(self, node):
        """Prints a generator expression that computes its items when they are taken."""
        holds = holds_functions(node, self.at_once)
        named = next((part for part in ast.walk(node) if isinstance(part, ast.NamedExpr)), None)
        if named or holds and len(node.generators) > 1:
            what = "assigns a name" if named else "has several loops and makes functions that see their names"
            raise error_at(named or node, self.filename, f"a generator expression that {what} can be compiled only where all of its items "
                                                         f"are taken at once; make a list of the items")
        source = self.iterated(node.generators[0].iter)
        function = self.nested_function(_item_function(node, holds), "generator")
        if holds:
            function = self.call(function, [], [], node)
        return self._iterator(function, source, "generator" if len(node.generators) == 1 else "nested", node)

    def _generated(self, node, first=None, leave=None, may_be_empty=False):
        """Prints all items of a generator expression, or those up to where `leave` leaves the loop."""
        items = self._comprehension(node, lambda: self.builtin("make_list", [], node), self._append_item(node), first, leave, may_be_empty)
        return self.builtin("generated", [items, self.load(self.sources[node], node)], node)

    def mapped(self, node):
        """Prints map() or filter() that a name keeps, or a loop goes through; None of other calls."""
        if len(node.args) < 2 or node.keywords or any(isinstance(item, ast.Starred) for item in node.args) or not self.is_taken_later(node):
            return None
        if len(node.args) > 2 and node.func.id == "filter":
            return None
        function, columns = self.expression(node.args[0]), [self.iterated(item) for item in node.args[1:]]
        if len(columns) == 1:
            return self._iterator(function, columns[0], node.func.id, node)
        return self._iterator(function, self.builtin("zip", columns, node), "starmap", node)

    def _iterator(self, function, items, kind, node):
        """An iterator that calls a function for each item when it is taken."""
        source = self.builtin("iter", [items], node)
        return self.builtin("generator", [function, source, self.constant(text.string(kind), node)], node)

    def _append_item(self, node):
        return lambda made: self.method(made, "append", [self.expression(node.elt)], node)

    def note_taken_at_once(self, node):
        """Takes note that a function that is none of the program's, nor gives an iterator itself, as those of itertools do, is given
        generator expressions: it takes all items."""
        given = {id(argument) for argument in node.args if isinstance(argument, ast.GeneratorExp)}
        if self._is_iterator(node):
            return
        found = self.live_value(node.func) if given and isinstance(node.func, (ast.Name, ast.Attribute)) else None
        if found is None:
            return
        callee = found[1]
        kind = callee if isinstance(callee, (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType)) else type(callee)
        if not is_of_program(kind) and getattr(callee, "__module__", None) != "itertools" and self.goes_through(node) is None:
            self.at_once = (taken_at_once(self.node) if self.at_once is None else self.at_once) | given

    def stopping_arguments(self, node):
        """Prints the arguments of a function that takes items of a generator expression one by one; None of other calls."""
        generators = [argument for argument in node.args if isinstance(argument, ast.GeneratorExp)]
        kind = self._stopping(node) if len(generators) == 1 else None
        if kind is None or kind == "zip" and self._is_iterator(node) or kind in ("any", "all") and len(node.args) > 1:
            return None
        generator, place = generators[0], node.args.index(generators[0])
        values = [self.iterated(item.generators[0].iter) if item is generator else self.expression(item) for item in node.args]
        others = self.temporary()
        first = values.pop(place)
        self.store(others, self.emit(f"net.python.tuple({', '.join(values)})", node), node)

        def is_done(made):
            known = [self.constant(text.string(kind), node), made, self.load(others, node), self.constant(f"{place} : i64", node)]
            return self.builtin("is_done", known, node)

        values.insert(place, self._generated(generator, first, is_done, kind == "zip"))
        return values, [""] * len(values)

    def goes_through(self, node):
        """The function of the package's that a call of one of itertools is a call of; None of other calls."""
        found = self.live_value(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else None
        return library.ITERATORS.get(found[1]) if found is not None and isinstance(found[1], (type, types.BuiltinFunctionType)) else None

    def decided(self, node):
        """Prints any() or all() of a generator expression that may change something: a loop that the item which decides leaves, also
        where that is a tensor. None of other calls, where all items may be computed."""
        kind = self._stopping(node) if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) else None
        if kind not in ("any", "all") or not self._may_change(node.args[0]):
            return None
        generator, found = node.args[0], self.temporary()

        def note(is_found):
            self.store(found, self.constant("true" if is_found else "false", node), node)

        def test(_):
            self.branch(self.expression(generator.elt), lambda: note(kind == "any"), lambda: note(kind != "any"), generator.elt)

        note(False)
        self._comprehension(generator, lambda: self.builtin("make_list", [], node), test, leave=lambda _: self.load(found, node))
        decides = self.load(found, node)
        return decides if kind == "any" else self.operator("not", [decides], node)

    def _may_change(self, node):
        """Whether an item of a generator expression calls what may be a function of the program's, or assigns a name."""
        parts = [part for item in (node.elt, *(test for generator in node.generators for test in generator.ifs),
                                   *(generator.iter for generator in node.generators[1:])) for part in ast.walk(item)]
        own = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        own |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
        return any(isinstance(part, ast.NamedExpr) or isinstance(part, ast.Call) and self._is_of_program(part.func, own) for part in parts)

    def _is_of_program(self, function, own):
        """Whether what is called may be a function of the program's, as may what stands behind the names `own`, which the expression
        itself binds; a method is none if tensors have one of its name."""
        owner = function
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        is_own = isinstance(owner, ast.Name) and owner.id in own
        found = self.live_value(function) if isinstance(function, (ast.Name, ast.Attribute)) and not is_own else None
        if found is None:
            return not (isinstance(function, ast.Attribute) and hasattr(Tensor, function.attr))
        callee = found[1]
        known = isinstance(callee, (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType))
        return is_of_program(callee if known else type(callee))

    def _is_iterator(self, node):
        """Whether a call is a zip() or enumerate() whose rows are taken one by one."""
        self.at_once = taken_at_once(self.node) if self.at_once is None else self.at_once
        found = self.live_value(node.func) if isinstance(node.func, ast.Name) and node.func.id in ("zip", "enumerate") else None
        return found is not None and found[1] in (zip, enumerate) and id(node) not in self.at_once

    def _stopping(self, node):
        if node.keywords or any(isinstance(item, ast.Starred) for item in node.args) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            return None
        found = self.live_value(node.func)
        return next((name for callee, name in _STOPPING if found is not None and found[1] is callee), None)

    def is_first(self, node):
        """Whether a call is next() of an iterator that nothing else sees: `next(x for …)`, `next(iter(x), default)`."""
        def calls(call, name, counts):
            plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name and name not in self.locals
            return plain and len(call.args) in counts and not call.keywords and not any(isinstance(item, ast.Starred) for item in call.args)

        return calls(node, "next", (1, 2)) and (isinstance(node.args[0], ast.GeneratorExp) or calls(node.args[0], "iter", (1,)))

    def first(self, node):
        """Prints the first item, or else the default, or StopIteration."""
        items, result = self.temporary(), self.temporary()
        source = node.args[0]
        taken = self.expression(source.args[0]) if isinstance(source, ast.Call) else \
            self._generated(source, leave=lambda made: self.builtin("len", [made], node))
        self.store(items, self.builtin("list", [taken], node), node)
        default = self.expression(node.args[1]) if len(node.args) > 1 else None

        def first():
            self.store(result, self.emit(f"net.python.subscript {self.load(items, node)}[{self.constant('0 : i64', node)}]", node), node)

        def other():
            if default is None:
                self.line(f"net.python.raise {text.string('StopIteration: ')}", node)
            else:
                self.store(result, default, node)

        self.branch(self.builtin("len", [self.load(items, node)], node), first, other, node)
        return self.load(result, node)

    def _comprehension(self, node, empty, add, first=None, leave=None, may_be_empty=False):
        """Prints nested loops that add to a new container; their targets are names of their own. `first` is what the outermost one goes
        through, if it is printed already; `leave` prints whether the loops end here, with `may_be_empty` also before the first item."""
        result = self.temporary()
        left = self.temporary() if leave else None
        outer = dict(self.renamed)
        first = first or self.iterated(node.generators[0].iter)
        if isinstance(node, ast.GeneratorExp):
            self.sources[node] = self.temporary()
            self.store(self.sources[node], first, node)
        self.store(result, empty(), node)
        if leave:
            self.store(left, leave(self.load(result, node)), node)

        def loops(generators, iterable):
            generator = generators[0]
            for name in _target_names(generator.target):
                self.renamed[name] = f"{self.temporary()}.{name}"

            def inner():
                if generators[1:]:
                    loops(generators[1:], self.iterated(generators[1].iter))
                else:
                    add(self.load(result, node))
                    if leave:
                        self.store(left, leave(self.load(result, node)), node)
                if leave:
                    self.branch(self.load(left, node), lambda: self.line("net.python.break", node), None, node)

            self.loop(generator.target, iterable, lambda: self._conditions(generator.ifs, inner), node)

        if leave and may_be_empty:
            self.branch(self.load(left, node), None, lambda: loops(node.generators, first), node)
        else:
            loops(node.generators, first)
        self.renamed = outer
        return self.load(result, node)

    def _conditions(self, conditions, then):
        if not conditions:
            then()
            return
        condition = self.expression(conditions[0])
        self.branch(condition, lambda: self._conditions(conditions[1:], then), None, conditions[0])


def _target_names(target):
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _item_function(node, holds):
    """The function behind a generator expression: it gives a tuple of the item that it makes, or a generator of the loops behind the
    first one; empty where a condition fails. Where functions inside see its names (`holds`), it is what another function makes, in which
    these names stand."""
    generator, *others = node.generators
    is_plain = isinstance(generator.target, ast.Name) and not holds
    argument = generator.target.id if is_plain else "item$"

    def placed(part):
        return ast.copy_location(part, node)

    def function(parameters, body):
        arguments = ast.arguments(posonlyargs=[], args=[placed(ast.arg(name)) for name in parameters], kwonlyargs=[], kw_defaults=[], defaults=[])
        return placed(ast.FunctionDef("generator", arguments, body, []))

    made = placed(ast.GeneratorExp(node.elt, others) if others else ast.Tuple([node.elt], ast.Load()))
    if generator.ifs:
        test = generator.ifs[0] if len(generator.ifs) == 1 else placed(ast.BoolOp(ast.And(), generator.ifs))
        made = placed(ast.IfExp(test, made, placed(ast.Tuple([], ast.Load()))))
    body = [] if is_plain else [placed(ast.Assign([generator.target], placed(ast.Name(argument, ast.Load()))))]
    body.append(placed(ast.Return(made)))
    if not holds:
        return function([argument], body)
    names = _target_names(generator.target)
    begun = [placed(ast.Assign([placed(ast.Name(name, ast.Store()))], placed(ast.Constant(None)))) for name in names]
    inner = function([argument], [placed(ast.Nonlocal(names))] + body)
    return function([], begun + [inner, placed(ast.Return(placed(ast.Name("generator", ast.Load()))))])
