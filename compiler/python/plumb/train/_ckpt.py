"""MindSpore's `.ckpt` files: a Protocol Buffers message of tensors by name.

    message Checkpoint  { repeated Value value = 1; }
    message Value       { string tag = 1; TensorProto tensor = 2; }
    message TensorProto { repeated int64 dims = 1; string tensor_type = 2; bytes tensor_content = 3; }

A scalar has the one extent 0. A text is a scalar of the type "str", of four bytes for each letter. A large tensor may stand in several values of one tag, whose contents follow each other.
"""

import math
import os
import tempfile
import zlib
from types import SimpleNamespace

import numpy as np

from plumb.common import _bfloat, dtype as mstype
from plumb.common._protobuf import content, fields, packed, written

_SPELLED = {"uint": "UInt", "int": "Int", "float": "Float", "bfloat": "BFloat", "bool": "Bool", "complex": "Complex"}


def _spelling(kind):
    """The name of an element type in a file: `UInt8` for uint8."""
    letters = kind.name.rstrip("0123456789")
    return _SPELLED[letters] + kind.name[len(letters):]


_SUM = b"crc_num"  # stands before the checksum
_TEXT = "str"

#: Element types by their spelling in a file.
TYPES = {_spelling(kind): kind for kind in mstype._ALL}


def looks_like(head):
    """Whether a file that begins with these bytes may be one."""
    return head[:1] == b"\x0a"


def values(path, check=False):
    """Yields name, extents, element type's spelling and content of each value of a file.

    Raises ValueError for unknown fields, and where the file ends in a checksum, for another one if `check` is set.
    """
    with open(path, "rb") as file:
        data = file.read()
    if data[-17:-10] == _SUM:
        if check and zlib.crc32(data[:-17]) != int.from_bytes(data[-10:], "big"):
            raise ValueError("its checksum is another")
        data = data[:-17]
    for number, value in fields(memoryview(data)):
        if number != 1:
            raise ValueError(f"field {number} is not known")
        yield _value(value)


def message(path, check=False):
    """A file as the Protocol Buffers message that programs of their own read it by: `value`, a list of `tag` and `tensor`.

    Raises ValueError where the file is damaged, or holds what is no tensor.
    """
    try:
        return SimpleNamespace(value=[SimpleNamespace(tag=tag, tensor=_Tensor(dims, kind, held))
                                      for tag, dims, kind, held in values(path, check)])
    except (ValueError, IndexError, OverflowError) as problem:
        raise _unsound(path, problem) from None


class _Tensor:
    """One tensor of a message, by the names of its fields."""

    def __init__(self, dims, tensor_type, tensor_content):
        self.dims, self.tensor_type, self.tensor_content = dims, tensor_type, tensor_content

    def ByteSize(self):  # pylint: disable=invalid-name
        """How many bytes the fields take in the file."""
        return len(_fields(self.dims, self.tensor_type, self.tensor_content))


def _unsound(path, problem):
    return ValueError(f"cannot read '{path}': it is no sound MindSpore checkpoint ({problem})")


def read(path, check=False):
    """Returns the arrays of a file by name; bfloat16 becomes float32. Raises ValueError where the file is damaged.

    Args:
      check: whether a checksum at its end is looked at.
    """
    arrays, parts = {}, {}
    try:
        for tag, dims, kind, data_of_value in values(path, check):
            parts.setdefault(tag, (dims, kind, []))[2].append(data_of_value)
        for tag, (dims, kind, contents) in parts.items():
            arrays[tag] = _array(dims, kind, b"".join(contents))
    except (ValueError, IndexError, OverflowError) as problem:
        raise _unsound(path, problem) from None
    return arrays


def _value(data):
    tag, dims, kind, held = None, [], None, b""
    for number, value in fields(data):
        if number == 1:
            tag = content(value).decode("utf-8")
        elif number == 2:
            for inner, part in fields(value):
                if inner == 1 and isinstance(part, int):
                    dims.append(part)
                elif inner == 1:
                    dims += packed(part)
                elif inner == 2:
                    kind = content(part).decode("utf-8")
                elif inner == 3:
                    held = content(part)
    if tag is None or kind is None:
        raise ValueError("a value has no name or no type")
    return tag, dims, kind, held


def _array(dims, kind, data):
    if kind == _TEXT:
        return np.array(data.decode("utf-32-le").rstrip("\0"))
    if kind not in TYPES:
        raise ValueError(f"the element type '{kind}' is not known")
    shape = () if dims == [0] else tuple(dims)
    values = _bfloat.widened(np.frombuffer(data, TYPES[kind].numpy))
    if values.size != math.prod(shape) and not (shape == (1,) and values.size == 1):
        raise ValueError(f"there are {values.size} elements for the shape {shape}")
    return values.reshape(shape).copy()


def write(path, arrays, checksum=False):
    """Writes arrays by name, the file whole or not at all, with a checksum if wanted; raises OSError where it cannot be written."""
    if os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path)):
        raise OSError(f"cannot write '{path}': it is no regular file")
    folder = os.path.dirname(os.path.abspath(path))
    try:
        handle, temporary = tempfile.mkstemp(prefix=os.path.basename(path) + ".", suffix=".tmp", dir=folder)
    except OSError as problem:
        raise OSError(f"cannot write '{path}': {problem.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            total = 0
            for name, array in arrays.items():
                data = written(1, written(1, name.encode()) + written(2, _tensor(array)))
                total = zlib.crc32(data, total) if checksum else total
                file.write(data)
            if checksum:
                file.write(_SUM + total.to_bytes(10, "big"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _tensor(array):
    if array.dtype.kind == "U":
        return _fields((0,), _TEXT, array.item().encode("utf-32-le"))
    return _fields(array.shape or (0,), _spelling(mstype.as_dtype(array.dtype)), np.ascontiguousarray(array).tobytes())


def _fields(dims, kind, held):
    return b"".join(written(1, extent) for extent in dims) + written(2, kind.encode()) + written(3, held)
