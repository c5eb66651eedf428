"""Statements: Python AST to `net.python.*` operations."""

import ast

from plumb._parse import text
from plumb._parse.diagnostics import error_at
from plumb._parse.expressions import BINARY

_REFUSED = {
    ast.Try: "'try' cannot be compiled; check the condition with 'if' before, or catch errors around the training call",
    ast.With: "'with' cannot be compiled; do it outside the compiled function",
    ast.AsyncWith: "'async with' cannot be compiled; do it outside the compiled function",
    ast.AsyncFor: "'async for' cannot be compiled; use a plain 'for'",
    ast.AsyncFunctionDef: "'async def' cannot be compiled; use a plain function",
    ast.Delete: "'del' cannot be compiled; let the name be, it costs nothing",
    ast.ClassDef: "'class' cannot be compiled; define the class at module level",
    ast.Import: "'import' cannot be compiled; import at the top of the module",
    ast.ImportFrom: "'import' cannot be compiled; import at the top of the module",
    ast.Global: "writing global names cannot be compiled; keep state in a Parameter and use ops.assign",
    ast.Nonlocal: "'nonlocal' cannot be compiled; return the value instead",
    ast.Match: "'match' cannot be compiled; use 'if' and 'elif'",
}
if hasattr(ast, "TryStar"):
    _REFUSED[ast.TryStar] = _REFUSED[ast.Try]


class Statements:
    """Mixin of FunctionPrinter."""

    def block(self, statements):
        """Prints statements one after another."""
        for statement in statements:
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

    def statement_Return(self, node):
        value = self.expression(node.value) if node.value is not None else self.constant("#net.none", node)
        self.line(f"net.python.return {self.converted_result(value, node)}", node)

    def statement_Assign(self, node):
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
        elif isinstance(target, ast.Subscript):
            self._store_item(*self._item(target), value)
        else:
            raise error_at(target, self.filename, "this cannot be assigned to inside a compiled function")

    def _item(self, target):
        """Evaluates the parts of `a.b[i][j]`; returns the target at the bottom and (node, object, index) per level."""
        levels, node = [], target
        while isinstance(node, ast.Subscript):
            levels.insert(0, node)
            node = node.value
        parts, value = [], self.expression(node)
        for number, level in enumerate(levels):
            index = self.index(level.slice)
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
            bare = "" if kept else " bare"
            value = self.emit(f"net.python.setitem {base}[{index}], {value}{bare}", node)
        if kept and isinstance(bottom, ast.Name):
            self.store(name, value, bottom)
        elif kept:
            self.assign(bottom, value)

    def _unpack(self, target, value):
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Starred):
                raise error_at(element, self.filename, "a starred target cannot be compiled; slice the tuple instead")
            position = self.constant(f"{index} : i64", element)
            self.assign(element, self.emit(f"net.python.subscript {value}[{position}]", element))

    def statement_AugAssign(self, node):
        if isinstance(node.target, ast.Subscript):
            bottom, parts = self._item(node.target)
            level, base, index = parts[-1]
            old = self.emit(f"net.python.subscript {base}[{index}]", level)
            new = self.operator(BINARY[type(node.op)], [old, self.expression(node.value)], node)
            self._store_item(bottom, parts, new)
            return
        load = ast.copy_location(_as_load(node.target, self.filename), node.target)
        result = self.operator(BINARY[type(node.op)], [self.expression(load), self.expression(node.value)], node)
        self.assign(node.target, result)

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
            self.loop(node.target, self.expression(node.iter), lambda: self.block(node.body), node)

    def loop(self, target, iterable, body, node):
        """Prints a for loop; a target that is no plain name is unpacked from a temporary one."""
        plain = isinstance(target, ast.Name)
        name = self.renamed.get(target.id, target.id) if plain else self.temporary()

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
            self.branch(self.expression(node.test), None, lambda: self._raise("AssertionError", node.msg, node), node)
            return
        message = node.msg.value if isinstance(node.msg, ast.Constant) else ast.unparse(node.msg or node.test)
        condition = self.expression(node.test)
        self.line(f"net.python.assert {condition}, {text.string(str(message))}", node)

    def statement_Raise(self, node):
        if node.exc is None:
            raise error_at(node, self.filename, "a bare 'raise' cannot be compiled; raise an exception with a message")
        if isinstance(node.exc, ast.Call) and len(node.exc.args) == 1:
            self._raise(ast.unparse(node.exc.func), node.exc.args[0], node)
        else:
            self.line(f"net.python.raise {text.string(ast.unparse(node.exc))}", node)

    def _raise(self, kind, message, node):
        """Prints what ends compilation with a message that may be computed."""
        if not isinstance(message, ast.Constant):
            function = self.constant('#net.primitive<"builtins.raise">', node)
            self.call(function, [self.constant(text.string(kind), node), self.expression(message)], ["", ""], node)
        known = message.value if isinstance(message, ast.Constant) else ast.unparse(message)
        self.line(f"net.python.raise {text.string(f'{kind}: {known}')}", node)

    def statement_FunctionDef(self, node):
        if node.decorator_list:
            raise error_at(node.decorator_list[0], self.filename, "decorators on inner functions cannot be compiled")
        self.store(node.name, self.nested_function(node, node.name), node)


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


def _as_load(target, filename):
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    raise error_at(target, filename, "this cannot be assigned to inside a compiled function")

