"""The texts of tensors as `repr` and sparse tensors show them: MindSpore's, down to the column.

Floats are written with an exponent, in a fixed width; integers in that of the longest. A tensor of one axis is shown whole up to 1000
elements, in lines of 12 or, of integers, 24; of several axes, each shows its first and last three when it has more than six.
"""

import numpy as np

_MAX_SHOWN, _MAX_AXIS, _EDGE = 1000, 6, 3
_MAX_PLAIN = 30


def tensor_text(array, dtype):
    """Returns the text of a tensor."""
    if array.size == 0:
        values = " " if array.ndim == 1 else "\n"
    else:
        values = f" {_scalar(array)}" if array.ndim == 0 else (" " if array.ndim == 1 else "\n") + _values(array)
    return f"Tensor(shape={list(array.shape)}, dtype={dtype}, value={values})"


def _scalar(array):
    if array.dtype.kind == "f":
        return f"{float(array):g}"
    if array.dtype.kind == "c":
        return _element(array[()])
    return str(array.item())


def plain_text(array):
    """Returns the text of a sparse tensor's part: without commas, and only "[...]" for 30 elements and more."""
    if array.size >= _MAX_PLAIN:
        return "[...]"
    text = _values(array, "")
    is_full = array.ndim == 1 and array.size and array.size % _line_length(array) == 0
    return ("\n" if array.ndim > 1 else "") + (text[:-1] + "\n ]" if is_full else text)


def _values(array, comma=","):
    shown = array
    if array.ndim == 1:
        cut = [array.size > _MAX_SHOWN]
    else:
        cut = [extent > _MAX_AXIS for extent in array.shape]
    for axis, is_cut in enumerate(cut):
        if is_cut:
            shown = np.take(shown, [*range(_EDGE), *range(-_EDGE, 0)], axis)
    texts = [_element(value) for value in shown.reshape(-1)]
    width = max((len(text) for text in texts), default=0) if array.dtype.kind in "iu" else 0
    cells = np.array([text.rjust(width) for text in texts], object).reshape(shown.shape)
    return _rows(cells, cut, 1, comma, _line_length(array))


def _element(value):
    kind = value.dtype.kind
    if kind == "f":
        return f"{float(value):11.4e}" if value.dtype.itemsize == 2 else f"{float(value):15.8e}"
    if kind == "c":
        return f"{value.real:g}{value.imag:+g}j"
    return f"{value!s:>5}" if kind == "b" else str(value)


def _rows(cells, cut, depth, comma, length):
    if cells.ndim > 1:
        rows = [_rows(row, cut[1:], depth + 1, comma, length) for row in cells]
        before = comma + "\n" + " " * depth
        if cut[0]:
            edges = before.join(rows[:_EDGE]), before.join(rows[_EDGE:])
            return "[" + (before + "...\n" + " " * depth).join(edges) + "]"
        return "[" + before.join(rows) + "]"
    comma += " "
    if cut[0]:
        return "[" + comma.join(cells[:_EDGE]) + " ... " + comma.join(cells[_EDGE:]) + "]"
    # Lines of at most `length` cells; all but the last end with a comma, if any, and a blank.
    return "[" + (comma + "\n ").join(comma.join(cells[start:start + length]) for start in range(0, len(cells), length)) + "]"


def _line_length(array):
    return 24 if array.dtype.kind in "iu" else 12
