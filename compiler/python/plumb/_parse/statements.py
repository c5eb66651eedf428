"""Statements: Python AST to `net.python.*` operations."""

import ast
import functools
import importlib
import sys

from plumb._parse import text
from plumb._parse.diagnostics import error_at
from plumb._parse.expressions import BINARY
from plumb._parse.outer_names import Holder, OuterName, seen_by_methods

_REFUSED = {
    ast.AsyncWith: "'async with' cannot be compiled; do it outside the compiled function",
    ast.AsyncFor: "'async for' cannot be compiled; use a plain 'for'",
    ast.AsyncFunctionDef: "'async def' cannot be compiled; use a plain function",
}
if hasattr(ast, "TryStar"):
    _REFUSED[ast.TryStar] = "'except*' cannot be compiled; use 'except'"


class Statements:
    """Mixin of FunctionPrinter."""

    def block(self, statements):
        """Prints statements one after another."""
        for statement in statements:
            if self.conditions:
                self.where_reached(functools.partial(self.statement, statement), functools.partial(self.assigned_by, statement))
            else:
                self.statement(statement)

    def statement(self, node):
        """Prints one statement."""
        message = _REFUSED.get(type(node))
        if message:
            raise error_at(node, self.filename, message)
        method = getattr(self, "statement_" + type(node).__name__, None)
        if method is None:
            raise error_at(node, self.filename, f"'{type(node).__name__}' statements cannot be compiled")
        method(node)

    def statement_Expr(self, node):
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, (str, type(Ellipsis)))):
            self.expression(node.value)

    def statement_Pass(self, node):
        pass

    statement_Nonlocal = statement_Pass  # See FunctionPrinter.boxed.

    def statement_Global(self, node):
        written = [name for name in node.names if name in self.locals]
        if written:
            raise error_at(node, self.filename, f"the global name '{written[0]}' is assigned in this function, which cannot be "
                                                f"compiled; keep state in a Parameter and use ops.assign")

    def statement_Return(self, node):
        value = self.expression(node.value) if node.value is not None else self.constant("#net.none", node)
        self.line(f"net.python.return {self.converted_result(value, node)}", node)

    def statement_Assign(self, node):
        if len(node.targets) == 1 and _are_pairs(node.targets[0], node.value):
            for target, value in zip(node.targets[0].elts, [self.expression(part) for part in node.value.elts]):
                self.assign(target, value)
            return
        value = self.expression(node.value)
        for target in node.targets:
            self.assign(target, value)

    def statement_AnnAssign(self, node):
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def assign(self, target, value):
        """Stores `value` into a name, attribute or tuple of targets."""
        if isinstance(target, ast.Name):
            self.store(self.renamed.get(target.id, target.id), value, target)
        elif isinstance(target, ast.Attribute):
            self.module.use_attribute(target.attr)
            base = self.expression(target.value)
            self.line(f"net.python.setattr {base}, {text.string(target.attr)}, {value}", target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Subscript) and self._holder_of_attributes(target.value):
            self.builtin("set_entry", [*self._named_attribute(target), value], target)
        elif isinstance(target, ast.Subscript):
            self._store_item(*self._item(target), value)
        else:
            raise error_at(target, self.filename, "this cannot be assigned to inside a compiled function")

    def _holder_of_attributes(self, node):
        """The object whose attributes `vars(object)` or `object.__dict__` has; None for other expressions."""
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            return node.value
        called = self.live_value(node.func) if isinstance(node, ast.Call) else None
        is_vars = called is not None and called[1] is vars
        return node.args[0] if is_vars and len(node.args) == 1 and not node.keywords else None

    def _named_attribute(self, target):
        """The object and the name behind `vars(object)[name]`."""
        self.note_attributes(target.slice)
        return self.expression(self._holder_of_attributes(target.value)), self.expression(target.slice)

    def _item(self, target):
        """Evaluates the parts of `a.b[i][j]`; returns the target at the bottom and (node, object, index) per level."""
        levels, node = [], target
        while isinstance(node, ast.Subscript):
            levels.insert(0, node)
            node = node.value
        parts, value = [], self.expression(node)
        for number, level in enumerate(levels):
            index = self.expression(level.slice)
            parts.append((level, value, index))
            if number + 1 < len(levels):
                value = self.emit(f"net.python.subscript {value}[{index}]", level)
        return node, parts

    def _store_item(self, bottom, parts, value):
        """Stores into the innermost level, and what a store returns into the next outer one: tensors are values."""
        if isinstance(bottom, ast.Name):
            name = self.renamed.get(bottom.id, bottom.id)
            kept = name in self.locals or name.startswith("$")
        else:
            kept = isinstance(bottom, ast.Attribute)
        for node, base, index in reversed(parts):
            self.check_operator("setitem", node)
            bare = "" if kept else " bare"
            value = self.emit(f"net.python.setitem {base}[{index}], {value}{bare}", node)
        if kept and isinstance(bottom, ast.Name):
            self.store(name, value, bottom)
        elif kept:
            self.assign(bottom, value)

    def _unpack(self, target, value):
        starred = [index for index, element in enumerate(target.elts) if isinstance(element, ast.Starred)]
        count = self.constant(f"{len(target.elts)} : i64", target)
        star = self.constant(f"{starred[0] if starred else -1} : i64", target)
        items = self.builtin("unpacked", [value, count, star], target)
        for index, element in enumerate(target.elts):
            position = self.constant(f"{index} : i64", element)
            item = self.emit(f"net.python.subscript {items}[{position}]", element)
            self.assign(element.value if isinstance(element, ast.Starred) else element, item)

    def statement_AugAssign(self, node):
        if isinstance(node.target, ast.Subscript) and self._holder_of_attributes(node.target.value):
            holder, name = self._named_attribute(node.target)
            old = self.emit(f"net.python.subscript {self.builtin('vars', [holder], node)}[{name}]", node.target)
            self.builtin("set_entry", [holder, name, self._augmented(node, old)], node)
            return
        if isinstance(node.target, ast.Subscript):
            bottom, parts = self._item(node.target)
            level, base, index = parts[-1]
            old = self.emit(f"net.python.subscript {base}[{index}]", level)
            self._store_item(bottom, parts, self._augmented(node, old))
            return
        load = ast.copy_location(_as_load(node.target, self.filename), node.target)
        self.assign(node.target, self._augmented(node, self.expression(load)))

    def _augmented(self, node, old):
        return self.augmented(BINARY[type(node.op)], old, self.expression(node.value), node)

    def statement_If(self, node):
        condition = self.expression(node.test)
        self.branch(condition, lambda: self.block(node.body),
                    (lambda: self.block(node.orelse)) if node.orelse else None, node)

    def statement_While(self, node):
        with _Otherwise(self, node):
            self.line("net.python.while {", None)
            self.indented(lambda: self.line(f"net.python.condition {self.expression(node.test)}", node.test))
            self.line("} do {", None)
            self.indented(lambda: self.block(node.body))
            self.line("}", node)

    def statement_For(self, node):
        with _Otherwise(self, node):
            self.loop(node.target, self.iterated(node.iter), lambda: self.block(node.body), node)

    def loop(self, target, iterable, body, node):
        """Prints a for loop; a target that is no plain name is unpacked from a temporary one."""
        name = self.renamed.get(target.id, target.id) if isinstance(target, ast.Name) else None
        plain = name is not None and name not in self.boxed and name not in self.seen_outside
        name = name if plain else self.temporary()
        self.assigned.add(name)

        def content():
            if not plain:
                self.assign(target, self.load(name, target))
            body()

        self.line(f"net.python.for {text.string(name)} in {iterable} {{", None)
        self.indented(content)
        self.line("}", node)

    def statement_Break(self, node):
        if self.broken and self.broken[-1]:
            self.store(self.broken[-1], self.constant("true", node), node)
        self.line("net.python.break", node)

    def statement_Continue(self, node):
        self.line("net.python.continue", node)

    def statement_Assert(self, node):
        if node.msg is not None and not isinstance(node.msg, ast.Constant):
            self.branch(self.expression(node.test), None, lambda: self._raise("AssertionError", [node.msg], node), node)
            return
        message = node.msg.value if isinstance(node.msg, ast.Constant) else ast.unparse(node.msg or node.test)
        condition = self.expression(node.test)
        self.line(f"net.python.assert {condition}, {text.string(str(message))}", node)

    def statement_FunctionDef(self, node):
        value = self.nested_function(node, node.name)
        for decorator in reversed(node.decorator_list):
            value = self.call(self.expression(decorator), [value], [], decorator)
        self.store(node.name, value, node)

    def statement_ClassDef(self, node):
        """A class is made here, by Python; its body sees the names of the module, its methods those of the function, too."""
        holder, known = Holder(), dict(self.globals)
        names = seen_by_methods(node, self.locals - {node.name}, self.filename)
        for name in names:
            if name in self.boxed:
                raise error_at(node, self.filename, f"methods of a class inside of a compiled function cannot use '{name}', which an inner "
                                                    f"function assigns; pass it to them")
            known[name] = OuterName(holder, name)
            self.seen_outside.setdefault(name, []).append(holder)
            held = self.renamed.get(name, name)
            if held in self.assigned or held in self.captured or held in self.argument_names:  # else where it is assigned
                self._show(name, holder, self.load(held, node), node)
        made = {}
        code = compile(ast.Module([node], []), self.filename, "exec")
        exec(code, known, made)  # pylint: disable=exec-used
        known[node.name] = made[node.name]
        self._store_live(node.name, made[node.name], node)

    def _show(self, name, holder, value, node):
        """Gives methods that see a name its value."""
        self.module.use_attribute(name)
        self.builtin("outer_name", [self._holder(holder, node), value], node)
        self.line(f"net.python.setattr {self._holder(holder, node)}, {text.string(name)}, {value}", node)

    def _holder(self, holder, node):
        return self.constant(self.module.attribute(holder, "a class", self.place(node)), node)

    def statement_Delete(self, node):
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                base, index = self.expression(target.value), self.expression(target.slice)
                self.builtin("delitem", [base, index], target)
            elif isinstance(target, ast.Name):
                self.store(self.renamed.get(target.id, target.id), self.constant('#net.primitive<"builtins.deleted">', target), target)
            else:
                raise error_at(target, self.filename, "deleting attributes cannot be compiled")

    def statement_Import(self, node):
        for alias in node.names:
            module = self._import(alias.name, node)
            value = module if alias.asname else sys.modules[alias.name.partition(".")[0]]
            self._store_live(alias.asname or alias.name.partition(".")[0], value, node)

    def statement_ImportFrom(self, node):
        package = self.function.__globals__.get("__package__") if self.function else None
        module = self._import("." * node.level + (node.module or ""), node, package)
        for alias in node.names:
            if not hasattr(module, alias.name):
                raise error_at(node, self.filename, f"ImportError: cannot import name '{alias.name}' from '{module.__name__}'")
            self._store_live(alias.asname or alias.name, getattr(module, alias.name), node)

    def _import(self, name, node, package=None):
        try:
            return importlib.import_module(name, package)
        except ImportError as problem:
            raise error_at(node, self.filename, f"{type(problem).__name__}: {problem}") from None

    def _store_live(self, name, value, node):
        self.store(name, self.constant(self.module.attribute(value, f"'{name}'", self.place(node)), node), node)


class _Otherwise:
    """The `else` of a loop: runs behind it unless a `break` has set a name, which no program can spell."""

    def __init__(self, printer, node):
        self.printer, self.node = printer, node
        self.name = f"@{node.lineno}:{node.col_offset}" if node.orelse else None

    def __enter__(self):
        if self.name:
            self.printer.locals.add(self.name)
            self.printer.store(self.name, self.printer.constant("false", self.node), self.node)
        self.printer.broken.append(self.name)

    def __exit__(self, kind, *_):
        printer, node = self.printer, self.node
        printer.broken.pop()
        if self.name and kind is None:
            printer.branch(printer.load(self.name, node), None, lambda: printer.block(node.orelse), node)


def _are_pairs(target, value):
    """Whether an assignment is one of each item to a target: `a, b = c, d`."""
    displays = all(isinstance(part, (ast.Tuple, ast.List)) for part in (target, value))
    return displays and len(target.elts) == len(value.elts) and \
        not any(isinstance(part, ast.Starred) for part in target.elts + value.elts)


def _as_load(target, filename):
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    raise error_at(target, filename, "this cannot be assigned to inside a compiled function")

