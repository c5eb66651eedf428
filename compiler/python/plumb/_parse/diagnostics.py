"""Errors that point into the user's source."""

import linecache


class CompileError(Exception):
    """A program that the compiler cannot take; the message shows place, source line and caret.

    Attributes:
      message: one sentence on what is wrong and what to do instead.
      filename, line, column: where; line and column count from 1.
    """

    unusable = False

    def __init__(self, message, filename=None, line=None, column=None, end_column=None):
        self.message = message
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
