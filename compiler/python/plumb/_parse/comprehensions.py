"""Comprehensions and generator expressions: loops that fill a new container.

A generator expression all items of which are taken at once is such a loop where it stands. Where `any`, `all`, `next`, `zip` or `islice`
takes them, the loop is left as soon as they take no further one. One that a name or a loop keeps, or that a function of the program is
given, becomes a function that makes an item, or none, of an item that it goes through, called when an item is taken.
"""

import ast
import itertools
import types

from plumb._parse import text
from plumb._parse.diagnostics import error_at
from plumb._parse.letters import is_of_program
from plumb._parse.uses import taken_at_once

_STOPPING = ((any, "any"), (all, "all"), (zip, "zip"), (itertools.islice, "islice"))


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
        if self._is_taken_later(node):
            source = self.iterated(node.generators[0].iter)
            return self._iterator(self.nested_function(_item_function(node), "generator"), source, "generator", node)
        return self._generated(node)

    def _generated(self, node, first=None, leave=None, may_be_empty=False):
        """Prints all items of a generator expression, or those up to where `leave` leaves the loop."""
        changed = self.late_generators.get(node)
        if changed is not None:
            raise error_at(node, self.filename, f"this generator expression would see the value that '{changed.id}' gets in line "
                                                f"{changed.lineno}, but is computed where it stands; make a list of the items")
        items = self._comprehension(node, lambda: self.builtin("make_list", [], node), self._append_item(node), first, leave, may_be_empty)
        return self.builtin("generated", [items, self.load(self.sources[node], node)], node)

    def mapped(self, node):
        """Prints map() or filter() of one iterable that a name keeps, or a loop goes through; None of other calls."""
        if len(node.args) != 2 or node.keywords or isinstance(node.args[1], ast.Starred) or not self.is_taken_later(node):
            return None
        function = self.expression(node.args[0])
        return self._iterator(function, self.iterated(node.args[1]), node.func.id, node)

    def _iterator(self, function, items, kind, node):
        """An iterator that calls a function for each item when it is taken."""
        source = self.builtin("iter", [items], node)
        return self.builtin("generator", [function, source, self.constant(text.string(kind), node)], node)

    def _append_item(self, node):
        return lambda made: self.method(made, "append", [self.expression(node.elt)], node)

    def _is_taken_later(self, node):
        """Whether the items of a generator expression are computed one by one. What lambdas and other generators in it see, or what it
        assigns, is another function's, and is computed where it stands."""
        self.at_once = taken_at_once(self.node) if self.at_once is None else self.at_once
        parts = [part for part in ast.walk(node) if part is not node]
        seen = {part.id for part in parts if isinstance(part, ast.Name)}
        return id(node) not in self.at_once and len(node.generators) == 1 and not seen & set(self.captured) and not any(
            isinstance(part, (ast.Lambda, ast.NamedExpr)) or isinstance(part, ast.GeneratorExp) and id(part) not in self.at_once for part in parts)

    def note_taken_at_once(self, node):
        """Takes note that a function that is none of the program's, nor gives an iterator itself, is given generator expressions: it takes
        all items."""
        given = {id(argument) for argument in node.args if isinstance(argument, ast.GeneratorExp)}
        if self._is_iterator(node):
            return
        found = self.live_value(node.func) if given and isinstance(node.func, (ast.Name, ast.Attribute)) else None
        if found is None:
            return
        callee = found[1]
        kind = callee if isinstance(callee, (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType)) else type(callee)
        if not is_of_program(kind):
            self.at_once = (taken_at_once(self.node) if self.at_once is None else self.at_once) | given

    def stopping_arguments(self, node):
        """Prints the arguments of a function that takes items of a generator expression one by one; None of other calls."""
        generators = [argument for argument in node.args if isinstance(argument, ast.GeneratorExp)]
        kind = self._stopping(node) if len(generators) == 1 else None
        if kind is None or kind == "zip" and self._is_iterator(node) or kind in ("any", "all") and len(node.args) > 1 or kind == "islice" and node.args[0] is not generators[0]:
            return None
        generator, place = generators[0], node.args.index(generators[0])
        values = [self.iterated(item.generators[0].iter) if item is generator else self.expression(item) for item in node.args]
        others = self.temporary()
        first = values.pop(place)
        self.store(others, self.emit(f"net.python.tuple({', '.join(values)})", node), node)

        def is_done(made):
            known = [self.constant(text.string(kind), node), made, self.load(others, node), self.constant(f"{place} : i64", node)]
            return self.builtin("is_done", known, node)

        values.insert(place, self._generated(generator, first, is_done, kind in ("zip", "islice")))
        return values, [""] * len(values)

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


def _item_function(node):
    """The function behind a generator expression: it gives a tuple of the item that it makes, empty where a condition fails."""
    generator = node.generators[0]
    is_plain = isinstance(generator.target, ast.Name)
    argument = generator.target.id if is_plain else "item$"

    def placed(part):
        return ast.copy_location(part, node)

    made = placed(ast.Tuple([node.elt], ast.Load()))
    if generator.ifs:
        test = generator.ifs[0] if len(generator.ifs) == 1 else placed(ast.BoolOp(ast.And(), generator.ifs))
        made = placed(ast.IfExp(test, made, placed(ast.Tuple([], ast.Load()))))
    unpacked = [] if is_plain else [placed(ast.Assign([generator.target], placed(ast.Name(argument, ast.Load()))))]
    arguments = ast.arguments(posonlyargs=[], args=[placed(ast.arg(argument))], kwonlyargs=[], kw_defaults=[], defaults=[])
    return placed(ast.FunctionDef("generator", arguments, unpacked + [placed(ast.Return(made))], []))
