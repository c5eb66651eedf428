"""Exceptions and contexts: `try`, `with` and `raise` to `net.python.*` operations."""

import ast
import builtins
import types

from plumb._parse import text
from plumb._parse.diagnostics import CompileError, error_at
from plumb.common._refusals import Refusal


class Handlers:
    """Mixin of FunctionPrinter."""

    def statement_Try(self, node):
        if node.finalbody and node.handlers:
            self._protected(lambda: self._handled(node), None, lambda: self.block(node.finalbody), node)
        elif node.finalbody:
            self._protected(lambda: self._attempted(node.body), None, lambda: self.block(node.finalbody), node)
        else:
            self._handled(node)

    def _handled(self, node):
        """Body, handlers and `else`, which runs where a name says that the body has come to its end."""
        done = f"@{node.lineno}:{node.col_offset}.done" if node.orelse else None
        if done:
            self.locals.add(done)
            self.store(done, self.constant("false", node), node)

        def body():
            self._attempted(node.body)
            if done:
                self.store(done, self.constant("true", node), node)

        self._protected(body, lambda: self._first_handler(node.handlers, node), None, node)
        if done:
            self.branch(self.load(done, node), lambda: self.block(node.orelse), None, node)

    def _protected(self, body, handler, last, node):
        """Prints `net.python.try`; no block of it is empty."""
        for start, content in (("net.python.try {", body), ("} except {", handler), ("} finally {", last)):
            if content:
                self.line(start, None)
                self.indented(lambda: self.constant("#net.none", node))
                self.indented(content)
        self.line("}", node)

    def _attempted(self, statements):
        """Prints the body of a `try`: a statement that cannot be printed for an exception of Python's raises it."""
        for statement in statements:
            self._printed(lambda statement=statement: self.statement(statement),
                          lambda problem, statement=statement: self._raised_instead(problem, statement))

    def _raised_instead(self, problem, statement):
        if problem.kind != "error":
            raise problem
        self.line(f"net.python.raise {text.string(problem.message)}", statement)
        imported = [alias for alias in getattr(statement, "names", ()) if isinstance(alias, ast.alias)]
        self._unset([alias.asname or alias.name.partition(".")[0] for alias in imported], statement)

    def where_reached(self, content, names=list):
        """Prints code that a condition decides about. If an exception of Python's stops the printing, the program raises it where it
        reaches that code: of `f = ops.f if hasattr(ops, "f") else g`, only one branch can be printed.

        Args:
          names: a function that gives the names that `content` assigns; called only if it cannot be printed.
        """
        self._printed(content, lambda problem: self._refused_instead(problem, names))

    def _refused_instead(self, problem, names):
        if problem.filename != self.filename:
            raise problem
        end = problem.end_column and problem.end_column - 1
        place = ast.Pass(lineno=problem.line, col_offset=problem.column - 1, end_lineno=problem.line if end else None, end_col_offset=end)
        if problem.kind != "error":
            parts = problem.message.partition(": ")
            self.builtin("refuse", [self.constant(text.string(part), place) for part in (parts[0], problem.kind, parts[2])], place)
        else:
            self.line(f"net.python.raise {text.string(problem.message)}", place)
        self._unset(names(), place)

    def _unset(self, names, node):
        """Makes names known that something behind what is left out reads."""
        for name in names:
            self.store(name, self.constant('#net.primitive<"builtins.unset">', node), node)

    def _printed(self, content, instead):
        """Prints `content`; where an exception of Python's stops that, nothing of it stays and `instead` prints."""
        kept = len(self.lines), len(self.broken), self.depth, self.handling, self.conditions, dict(self.renamed)
        try:
            content()
        except CompileError as problem:
            if not isinstance(getattr(builtins, problem.message.partition(": ")[0], None), type):
                raise
            lines, loops, self.depth, self.handling, self.conditions, self.renamed = kept
            del self.lines[lines:], self.broken[loops:]
            instead(problem)

    def _first_handler(self, handlers, node):
        """The first handler that catches the exception runs; where none does, it is raised again."""
        if not handlers:
            self.builtin("reraise", [], node)
            return
        first = handlers[0]

        def run():
            if first.name:
                self.store(self.renamed.get(first.name, first.name), self.builtin("exception", [], first), first)
            self.handling += 1
            self.block(first.body)
            self.handling -= 1

        if first.type is None:
            run()
            return
        caught = self.builtin("caught", [self.expression(first.type)], first)
        self.branch(caught, run, lambda: self._first_handler(handlers[1:], node), first)

    # -- raise

    def statement_Raise(self, node):
        if node.exc is None and self.handling:
            self.builtin("reraise", [], node)
        elif node.exc is None:
            raise error_at(node, self.filename, "RuntimeError: a bare 'raise' cannot be compiled outside of 'except'; raise an "
                                                "exception with a message")
        elif self._is_plain(node.exc):
            made = isinstance(node.exc, ast.Call)
            self._raise(ast.unparse(node.exc.func if made else node.exc), node.exc.args if made else [], node)
        else:
            self.builtin("raise_object", [self.expression(node.exc)], node)
            self._end(ast.unparse(node.exc), node)

    def _is_plain(self, node):
        """Whether an exception is a class, or made of values by a class without a constructor of its own: its text is known."""
        made = isinstance(node, ast.Call)
        kind = self._class_of(node.func if made else node)
        if not kind or isinstance(kind.__init__, types.FunctionType) or isinstance(kind.__new__, types.FunctionType):
            return False
        several = made and len(node.args) > 1
        return (not made or not node.keywords and not any(isinstance(item, ast.Starred) for item in node.args)) and \
            (not several or kind.__str__ is BaseException.__str__)

    def _class_of(self, node):
        """The class of exceptions that a name or attribute is; noted for handlers, which know it by its text."""
        live = self.live_value(node)
        kind = live[1] if live else None
        if not isinstance(kind, type) or not issubclass(kind, BaseException):
            return None
        self.module.exceptions[ast.unparse(node)] = kind
        return kind

    def _raise(self, kind, arguments, node):
        """Prints what raises an exception made of values that may be computed."""
        if issubclass(self.module.exceptions.get(kind, Exception), Refusal):
            known, of = self.module.exceptions[kind].__name__, self.module.exceptions[kind].kind
            self.builtin("refuse", [self.constant(text.string(item), node) for item in (known, of)] + self._text_of(arguments[0]), node)
            self._end(f"{known}: {ast.unparse(arguments[0])}", node)
            return
        known = not arguments or len(arguments) == 1 and isinstance(arguments[0], ast.Constant) and isinstance(arguments[0].value, str)
        if len(arguments) == 1 and isinstance(arguments[0], ast.JoinedStr):
            self.builtin("raise_text", [self.constant(text.string(kind), node)] + self.pieces(arguments[0]), node)
        elif not known:
            self.builtin("raise", [self.constant(text.string(kind), node)] + [self.expression(item) for item in arguments], node)
        self._end(f"{kind}: " + ", ".join(str(item.value) if known else ast.unparse(item) for item in arguments), node)

    def _text_of(self, node):
        """The pieces of a text."""
        return self.pieces(node) if isinstance(node, ast.JoinedStr) else [self.expression(node)]

    def _end(self, message, node):
        """Prints the end of a block that raises."""
        self.line(f"net.python.raise {text.string(message)}", node)

    # -- with

    def statement_With(self, node):
        self._with(node.items, node)

    def _with(self, items, node):
        """`__enter__`, the block, and `__exit__`, which is told of an exception and may take it."""
        if not items:
            self.block(node.body)
            return
        manager, raised = self.temporary(), self.temporary()
        self.store(manager, self.expression(items[0].context_expr), node)
        value = self.method(self.load(manager, node), "__enter__", [], node)
        if items[0].optional_vars is not None:
            self.assign(items[0].optional_vars, value)
        self.store(raised, self.constant("false", node), node)

        def leave(*details):
            nothing = self.constant("#net.none", node)
            return self.method(self.load(manager, node), "__exit__", [*details, *[nothing] * (3 - len(details))], node)

        def on_error():
            self.store(raised, self.constant("true", node), node)
            problem = self.builtin("exception", [], node)
            self.branch(leave(self.builtin("type", [problem], node), problem), None, lambda: self.builtin("reraise", [], node), node)

        self._protected(
            lambda: self._protected(lambda: self._with(items[1:], node), on_error, None, node), None,
            lambda: self.branch(self.load(raised, node), None, leave, node), node)
