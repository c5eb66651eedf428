"""Texts that show tensors which only the running program knows: what CPython makes of them, in pieces with the tensors between.

CPython formats a mark in the place of each tensor. It does so twice, with marks of two lengths: only where both texts have the
same pieces around the marks does the text not depend on how long a tensor is shown.
"""

import operator
import re
import threading

from plumb.common._refusals import refused

_OPERATIONS = {"str": str, "repr": repr, "ascii": lambda value: (repr if hasattr(type(value), "is_text") else ascii)(value),
               "format": format, "mod": operator.mod, "str.format": str.format, "str.format_map": str.format_map, "str.join": str.join}
_FIRST = 0x100000  # of a plane of Unicode that is for private use
_LENGTHS = 1, 4096
_active = threading.local()


class _Marks:
    """The marks of one text, with what each stands for."""

    def __init__(self, length):
        self.length, self.shown = length, []

    def enter(self, token, is_repr):
        """Returns the mark of one tensor, or a text with the marks of its own."""
        if token.kind == "text":
            if is_repr:
                raise refused(TypeError, "a text of a tensor that is computed cannot be shown in quotes by a compiled function")
            return "".join(piece if isinstance(piece, str) else self.enter(*piece) for piece in token.pieces)
        self.shown.append((token, is_repr))
        return chr(_FIRST + len(self.shown) - 1) * self.length

    def split(self, text):
        """Returns the pieces of a text: strings, and (token, whether `repr` shows it); None where a mark is missing or broken."""
        parts = re.split(f"([\U00100000-\U0010fffd])\\1{{{self.length - 1}}}", text)
        numbers = [ord(mark) - _FIRST for mark in parts[1::2]]
        if sorted(numbers) != list(range(len(self.shown))) or any(ord(letter) >= _FIRST for letter in "".join(parts[::2])):
            return None
        pieces = [self.shown[numbers[place // 2]] if place % 2 else part for place, part in enumerate(parts)]
        return [piece for piece in pieces if piece != ""]


def pieces_of(operation, first, args, kwargs):
    """Returns the pieces of what an operation makes of values that hold tokens.

    Args:
      operation: a function of the builtins, "mod", or a method of strings as "str.join".
      first: its first operand; `args` and `kwargs` are the others.
    """
    pieces = _marked(_LENGTHS[0], operation, first, args, kwargs)
    if pieces is None or any(not isinstance(piece, str) for piece in pieces) and \
            pieces != _marked(_LENGTHS[1], operation, first, args, kwargs):
        raise _refusal()
    return pieces


FORMAT_REFUSED = ("a compiled function shows a tensor that is computed by its numbers alone: a width, a precision or another format of it "
                  "cannot be compiled; return the tensor, and format it there")


def _refusal():
    return refused(TypeError, FORMAT_REFUSED)


def _marked(length, operation, first, args, kwargs):
    """The pieces of the text with marks of one length; None where they are not whole."""
    outer, _active.marks = getattr(_active, "marks", None), _Marks(length)
    try:
        if operation == "mod" or operation.startswith("str."):
            first = _as_string(first)
        if operation == "str.join":
            args = [list(map(_as_string, args[0]))]
        return _active.marks.split(_OPERATIONS[operation](first, *args, **kwargs))
    finally:
        _active.marks = outer


def _as_string(value):
    """A text as the string that it is; anything else as it is."""
    return str(value) if getattr(type(value), "is_text", False) else value


def mark(token, is_repr, spec=""):
    """The mark of a token in the text that is being made; None where none is."""
    if not is_made() or token.kind not in ("tensor", "parameter", "text"):
        return None
    if spec:
        raise _refusal()
    return _active.marks.enter(token, is_repr)


def is_made():
    """Whether a text is being made."""
    return getattr(_active, "marks", None) is not None
