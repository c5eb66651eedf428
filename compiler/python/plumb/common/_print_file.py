"""What programs print, in a file: `set_context(print_file_path=…)`, and `parse_print`, which reads it.

The file holds messages one behind another: Print {repeated Value value = 1}, Value {string desc = 1 | TensorProto tensor = 2},
TensorProto {repeated int64 dims = 1, string tensor_type = 2, bytes tensor_content = 3}. A message is what one `print` says.
"""

import os
import time

import numpy as np

from plumb.common import _bfloat
from plumb.common._protobuf import content, fields, written

#: The names of element types in the file.
_TYPES = {"Int8": "int8", "UInt8": "uint8", "Int16": "int16", "UInt16": "uint16", "Int32": "int32", "UInt32": "uint32", "Int64": "int64",
          "UInt64": "uint64", "Float16": "float16", "Float32": "float32", "Float64": "float64", "Bool": "bool"}


class PrintFile:
    """Takes what programs print, as the runtime hands it over. A file that exists is kept: the time is put behind the name."""

    def __init__(self, path):
        self._path = os.path.abspath(path)
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        if os.path.exists(self._path):
            self._path += f".{time.time_ns()}"

    def __call__(self, parts):
        values = b"".join(value for part in parts for value in _values(part))
        with open(self._path, "ab") as file:
            file.write(values)


def _values(part):
    """Yields the bytes of the values that a part stands for: each line of a text, or a tensor."""
    if isinstance(part, str):
        for line in part.split("\n"):
            if line:
                yield written(1, written(1, line))
        return
    array = _bfloat.widened(part)
    kind = next(name for name, dtype in _TYPES.items() if array.dtype == dtype)
    dims = b"".join(written(1, extent) for extent in array.shape)
    yield written(1, written(2, dims + written(2, kind) + written(3, array.tobytes())))


def parse_print(print_file_name):
    """Returns what a file of `set_context(print_file_path=…)` holds: a list of strings and Tensors.

    Raises ValueError where there is no such file, or it is empty, or holds something else.
    """
    from plumb.common.tensor import Tensor
    path = os.path.realpath(os.fspath(print_file_name))
    if not os.path.isfile(path) or not os.path.getsize(path):
        raise ValueError(f"For 'parse_print', the file {print_file_name} does not exist or is empty.")
    with open(path, "rb") as file:
        data = memoryview(file.read())
    try:
        return [_parsed(value, Tensor) for number, value in fields(data) if number == 1]
    except (ValueError, IndexError, KeyError, StopIteration) as problem:
        raise ValueError(f"For 'parse_print', the file {print_file_name} cannot be read: {problem}") from None


def _parsed(value, make):
    number, inner = next(fields(value))
    if number == 1:
        return content(inner).decode()
    dims, kind, elements = [], None, b""
    for number, field in fields(inner):
        if number == 1:
            dims.append(field)
        elif number == 2:
            kind = content(field).decode()
        else:
            elements = content(field)
    return make(np.frombuffer(elements, _TYPES[kind]).reshape(dims))
