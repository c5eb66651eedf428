"""Errors that point into the user's source."""

import builtins
import linecache
import re
import types

_CLASS = re.compile(r"(?:\A|error: )((?:\w+\.)*[A-Z]\w*): ")
_NAMED = re.compile(r"[A-Za-z_]\w*Error: ")
_classes = {}


def _class_for(kind, message, others):
    """The subclass of `kind` that is also the exception, of Python's or of `others`, which a message begins with."""
    found = _CLASS.search(message.split("\n")[0]) if isinstance(message, str) else None
    named = others.get(found[1], getattr(builtins, found[1], None)) if found else None
    if not (isinstance(named, type) and issubclass(named, Exception)) or issubclass(kind, named):
        return kind
    if (kind, named) not in _classes:
        try:
            _classes[kind, named] = type(named.__name__, (kind, named), {"__module__": kind.__module__})
        except TypeError:  # the two hold different data
            _classes[kind, named] = kind
    return _classes[kind, named]


class CompileError(RuntimeError):
    """A program that the compiler cannot take; the message shows place, source line and caret.

    A message that begins with the name of one of Python's exceptions ("TypeError: …"), or of `exceptions`, makes an error that
    is one of those too, so that `except TypeError` catches it.

    Attributes:
      message: one sentence on what is wrong and what to do instead.
      filename, line, column: where; line and column count from 1.
      kind: "error" where CPython raises, too; else what CPython can do is refused, so that no handler in the function catches it:
        "refusal", "value" where a tensor's value would be needed while compiling, or "operation" where an operation of the package
        needs one, or runs on the host.
      unreadable: whether it is a function's source that cannot be read, or holds what compiled code does not have.
    """

    unusable = unreadable = False

    def __new__(cls, message="", *args, exceptions=types.MappingProxyType({}), **kwargs):
        chosen = _class_for(cls, message, exceptions)
        if issubclass(chosen, OSError):  # these hold data of their own
            return OSError.__new__(chosen, message)
        return super().__new__(chosen, message, *args, **kwargs)

    def __str__(self):
        return self.args[0] if self.args else ""

    def __init__(self, message, filename=None, line=None, column=None, end_column=None, exceptions=None):
        del exceptions  # which have told the class
        self.message = message
        self.kind = "error" if isinstance(message, str) and _NAMED.match(message) else "refusal"
        self.filename, self.line, self.column = filename, line, column
        self.end_column = end_column
        super().__init__(self.render())

    def render(self):
        """Returns `file:line:column: error: message`, the source line and a caret line."""
        if self.filename is None:
            return f"error: {self.message}"
        text = f"{self.filename}:{self.line}:{self.column}: error: {self.message}"
        source = linecache.getline(self.filename, self.line).rstrip("\n")
        if not source:
            return text
        last = min(self.end_column or self.column + 1, len(source) + 1)
        underline = "^" + "~" * max(last - self.column - 1, 0)
        return f"{text}\n{source}\n{' ' * (self.column - 1)}{underline}"


def error_at(node, filename, message):
    """Returns the CompileError for an AST node."""
    same_line = getattr(node, "end_lineno", None) == node.lineno
    end_column = node.end_col_offset + 1 if same_line else None
    return CompileError(message, filename, node.lineno, node.col_offset + 1, end_column)
