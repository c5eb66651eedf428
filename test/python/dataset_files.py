"""Files in the forms of public data sets: for tests, and for comparisons with MindSpore, which run without this package."""

import os
import struct
import zlib

import numpy as np

#: Fields of a line of KITTI's labels behind its class.
KITTI_FIELDS = " 0.5 1 -1.5 10.5 20.25 30 40 1.5 1.75 3.5 -2.5 1.5 3.5 -1.25\n"

# A MAT-file's numbers of the class and of the stored type of an array.
_MAT_KINDS = {np.dtype(kind): (number, tag) for kind, number, tag in (
    ("f8", 6, 9), ("i1", 8, 1), ("u1", 9, 2), ("i2", 10, 3), ("u2", 11, 4), ("i4", 12, 5), ("u4", 13, 6), ("f4", 7, 7))}


class Files:
    """Writes files below `self.folder`."""

    def write(self, name, content):
        """One file of text or bytes."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def idx(self, name, array):
        """An IDX file of bytes, or of int32."""
        head = b"\0\0" + bytes([8 if array.dtype == np.uint8 else 12, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
        self.write(name, head + array.astype(array.dtype.newbyteorder(">")).tobytes())


def usps(labels, images):
    """A file of USPS: a line for each image of values from -1 to 1."""
    return "".join(f"{label} " + " ".join(f"{i + 1}:{value}" for i, value in enumerate(image)) + " \n" for label, image in zip(labels, images))


class Sparse:
    """A matrix that a MAT-file holds as a sparse one."""

    def __init__(self, full):
        self.full = full


def mat(compressed=False, **values):
    """A MAT-file of variables: arrays, each Sparse, lists (cells), dicts (structs) or strings."""
    parts = [_matrix(value, name) for name, value in values.items()]
    if compressed:
        parts = [struct.pack("<II", 15, len(packed)) + packed for packed in map(zlib.compress, parts)]
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + b"".join(parts)


def _element(kind, data):
    """An element of a MAT-file."""
    if 0 < len(data) <= 4 and kind != 14:
        return struct.pack("<HH", kind, len(data)) + data.ljust(4, b"\0")
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def _matrix(value, name=""):
    """A value as an element."""
    kind, shape, rest = _content(value)
    head = _element(6, struct.pack("<II", kind, 0)) + _element(5, np.array(shape, "<i4").tobytes()) + _element(1, name.encode())
    return _element(14, head + rest)


def _content(value):
    """The class of a value, its shape, and its elements."""
    if isinstance(value, dict):
        names = b"".join(key.encode().ljust(32, b"\0") for key in value)
        return 2, (1, 1), _element(5, struct.pack("<i", 32)) + _element(1, names) + b"".join(map(_matrix, value.values()))
    if isinstance(value, list):
        return 1, (len(value), 1), b"".join(map(_matrix, value))
    if isinstance(value, Sparse):
        return 5, value.full.shape, _sparse(value.full)
    if isinstance(value, str):
        return 4, (1, len(value)), _element(4, value.encode("utf-16-le"))
    kind, tag = _MAT_KINDS[value.dtype]
    return kind, value.shape, _element(tag, value.tobytes(order="F"))


def _sparse(full):
    """Rows of the numbers that are not 0, where each column's begin, and the numbers, which are small, as MATLAB stores them."""
    columns, rows = np.nonzero(full.T)
    starts = np.searchsorted(columns, np.arange(full.shape[1] + 1)).astype("<i4")
    return _element(5, rows.astype("<i4").tobytes()) + _element(5, starts.tobytes()) + _element(2, full[rows, columns].astype(np.uint8).tobytes())
