"""Reads MATLAB's files of version 5 (and 7 up to 7.2, which pack elements by zlib): arrays, strings, cells, structs, sparse matrices.

Source: MathWorks, MAT-File Format (2019), chapter 1. A file is a head of 128 bytes and elements: a tag of the type and the number
of bytes, the data, filled up to 8 bytes; of up to 4 bytes, tag and data share 8 bytes. A matrix is an element of elements: flags,
dimensions, name, data.
"""

import struct
import zlib

import numpy as np

_MATRIX, _COMPRESSED = 14, 15
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8", 16: "u1", 17: "u2", 18: "u4"}
_CELL, _STRUCT, _CHAR, _SPARSE = 1, 2, 4, 5
_NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_LOGICAL, _COMPLEX = 0x200, 0x800
# Of a sparse matrix, nothing in the file bounds the dimensions.
_MAX_SPARSE, _MAX_DEPTH = 1 << 28, 16


def read_mat(path, *names):
    """The variables of a file: arrays by name, of cells arrays of objects, of structs dicts (or arrays of them).

    Args:
      names: the variables to return, as a tuple; raises ValueError where one is missing. Without them a dict of all.
    """
    with open(path, "rb") as file:
        content = file.read()
    try:
        found = dict(_variables(content))
    except (ValueError, struct.error, zlib.error, IndexError, TypeError, OverflowError, UnicodeDecodeError) as problem:
        raise ValueError(f"'{path}' is no MAT-file of version 5 that can be read: {problem}") from None
    missing = [name for name in names if name not in found]
    if missing:
        raise ValueError(f"'{path}' has no variable '{missing[0]}', but {', '.join(found) or 'none'}.")
    return tuple(found[name] for name in names) if names else found


def _variables(content):
    if content[:19] == b"MATLAB 7.3 MAT-file" or content[:4] == b"\x89HDF":
        raise ValueError("it is of version 7.3; save it by -v7")
    orders = {b"IM": "<", b"MI": ">"}
    if len(content) < 128 or content[126:128] not in orders:
        raise ValueError("the head is another one")
    order = orders[content[126:128]]
    for kind, data in _elements(memoryview(content)[128:], order):
        if kind == _COMPRESSED:
            kind, data = next(_elements(memoryview(zlib.decompress(data)), order))
        if kind == _MATRIX:
            yield _matrix(data, order, 0)


def _elements(view, order):
    """Yields (type, data) of each element."""
    at = 0
    while at < len(view):
        kind, size = struct.unpack(order + "II", view[at:at + 8])
        if kind >> 16:  # a small element
            kind, size, begin, after = kind & 0xffff, kind >> 16, at + 4, at + 8
        else:
            begin = at + 8
            after = begin + size + (-size % 8 if kind != _COMPRESSED else 0)
        if size > len(view) - begin or begin != at + 8 and size > 4:
            raise ValueError("it ends within an element")
        yield kind, view[begin:begin + size]
        at = after


def _values(element, order):
    kind, data = element
    return np.frombuffer(data, np.dtype(_TYPES[kind] if kind in _TYPES else _unknown("type", kind)).newbyteorder(order))


def _unknown(what, number):
    raise ValueError(f"the {what} {number} is not known")


def _matrix(data, order, depth):
    """(name, value) of a matrix."""
    if depth > _MAX_DEPTH:
        raise ValueError("cells and structs are nested too deeply")
    parts = _elements(data, order)
    if not len(data):
        return "", np.zeros((0, 0))
    flags = int(_values(_next(parts), order)[0])
    shape = tuple(int(extent) for extent in _values(_next(parts), order))
    if len(shape) < 2 or min(shape) < 0:
        raise ValueError(f"a matrix has the dimensions {shape}")
    name = bytes(_next(parts)[1]).decode("latin-1")
    kind = flags & 0xff
    if flags & _COMPLEX:
        raise ValueError(f"'{name}' is complex")
    if kind in (_CELL, _STRUCT):
        return name, _nested(kind, shape, parts, order, depth)
    if kind == _SPARSE:
        return name, _sparse(shape, parts, order)
    if kind not in _NUMBERS and kind != _CHAR:
        _unknown("class", kind)
    values = _values(_next(parts), order)
    if kind == _CHAR:
        return name, "".join(map(chr, values))
    wanted = np.bool_ if flags & _LOGICAL else np.dtype(_NUMBERS[kind])
    return name, values.reshape(shape, order="F").astype(wanted)


def _next(parts):
    found = next(parts, None)
    if found is None:
        raise ValueError("it ends within a matrix")
    return found


def _nested(kind, shape, parts, order, depth):
    """An array of cells' values, or of dicts; a struct of one element is a dict."""
    fields = [None]
    if kind == _STRUCT:
        width = int(_values(_next(parts), order)[0])
        names = bytes(_next(parts)[1])
        fields = [names[at:at + width].split(b"\0")[0].decode("latin-1") for at in range(0, len(names), max(width, 1))]
    made, count = [], 1
    for extent in shape:
        count *= extent
    for _ in range(count):
        values = [_inner(_next(parts), order, depth) for _ in fields]
        if kind == _STRUCT and not fields:
            raise ValueError("a struct has no fields")
        made.append(values[0] if kind == _CELL else dict(zip(fields, values)))
    if kind == _STRUCT and count == 1:
        return made[0]
    result = np.empty(count, object)
    for at, value in enumerate(made):
        result[at] = value
    return result.reshape(shape, order="F")


def _inner(element, order, depth):
    kind, data = element
    if kind != _MATRIX:
        _unknown("type within a cell", kind)
    return _matrix(data, order, depth + 1)[1]


def _sparse(shape, parts, order):
    """A sparse matrix as a full one: rows, where each column begins, and values."""
    rows, columns, values = (_values(_next(parts), order) for _ in range(3))
    height, width = shape
    if height * width > _MAX_SPARSE or len(columns) != width + 1:
        raise ValueError(f"a sparse matrix has the dimensions {shape}, but {len(columns) - 1} columns")
    counts = np.diff(columns.astype(np.int64))
    used = int(counts.sum())
    if np.any(counts < 0) or columns[0] or used > min(len(rows), len(values)) or np.any((rows[:used] < 0) | (rows[:used] >= height)):
        raise ValueError("a sparse matrix has rows or columns outside")
    full = np.zeros(shape, values.dtype.newbyteorder("="))
    full[rows[:used], np.repeat(np.arange(width), counts)] = values[:used]
    return full
