"""What a row of a MindRecord file holds: the fields of its schema, and their bytes.

A field without a shape and of a number's or a string's type is *raw*: it stands in a MessagePack object of the row. Bytes and
arrays are *blobs*: they stand one behind another in the order of their names, each behind its length (8 bytes, the highest
first), which is left out where a row has one blob only. Arrays of integers are packed (see `packed`).
"""

import re
import struct

import numpy as np

_NUMBERS = {"int32": np.int32, "int64": np.int64, "float32": np.float32, "float64": np.float64}
#: The types of the index's columns.
SQL_TYPES = {"string": "TEXT", "int32": "INTEGER", "int64": "INTEGER", "float32": "NUMERIC", "float64": "NUMERIC"}
_WIDTHS = np.array([1, 2, 4, 8])


class Schema:
    """The fields of a row.

    Args:
      content: {name: {"type": …}}, where a type is "int32", "int64", "float32", "float64", "string" or "bytes"; a field of
        numbers that has a "shape" is an array, one of whose extents may be -1.
    """

    def __init__(self, content):
        if not isinstance(content, dict) or not content:
            raise ValueError(f"The schema must be a dict from field to {{'type': …}} with at least one field, but got {content!r}.")
        for name, field in content.items():
            _check_field(name, field)
        self.fields = {name: dict(sorted(content[name].items())) for name in sorted(content)}
        self.blobs = [name for name, field in self.fields.items() if field["type"] == "bytes" or "shape" in field]
        self.raws = [name for name in self.fields if name not in self.blobs]

    def raw_of(self, row):
        """Returns the object of a row's raw fields, which is never empty."""
        return {name: self._raw_value(name, _value(row, name)) for name in self.raws} or {"id": 0}

    def blob_of(self, row):
        """Returns (the bytes of a row's blobs, how many bytes packing saved)."""
        parts, saved = [], 0
        for name in self.blobs:
            content, whole = self._blob_value(name, _value(row, name))
            parts.append(content)
            saved += whole - len(content)
        if len(parts) == 1:
            return parts[0], saved
        return b"".join(struct.pack(">Q", len(part)) + part for part in parts) or bytes(4), saved

    def _raw_value(self, name, value):
        kind = self.fields[name]["type"]
        if kind == "string":
            if not isinstance(value, str):
                raise TypeError(f"Field '{name}' is of strings, but got {type(value).__name__}.")
            return str(value)
        whole = kind.startswith("int")
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer) if whole else (int, float, np.number)):
            raise TypeError(f"Field '{name}' is of type {kind}, but got {value!r}.")
        if whole and not np.iinfo(kind).min <= value <= np.iinfo(kind).max:
            raise ValueError(f"Field '{name}' is of type {kind}, which cannot hold {value}.")
        return int(value) if whole else float(value)

    def _blob_value(self, name, value):
        field = self.fields[name]
        if "shape" not in field:
            if not isinstance(value, (bytes, bytearray)):
                raise TypeError(f"Field '{name}' is of bytes, but got {type(value).__name__}.")
            return bytes(value), len(value)
        array, dtype = np.asarray(value), np.dtype(_NUMBERS[field["type"]])
        if array.dtype != dtype:
            raise TypeError(f"Field '{name}' is of type {dtype}, but got an array of {array.dtype}.")
        if array.ndim != len(field["shape"]) or any(want not in (-1, have) for want, have in zip(field["shape"], array.shape)):
            raise ValueError(f"Field '{name}' has the shape {field['shape']}, but got an array of {list(array.shape)}.")
        content = array.astype(dtype.newbyteorder("<")).tobytes()
        return (packed(array.reshape(-1)) if dtype.kind == "i" else content), len(content)

    def blob_values(self, content, names):
        """Returns the values of the named blobs: bytes and arrays, by name."""
        found, at = {}, 0
        for name in self.blobs:
            length = len(content)
            if len(self.blobs) > 1:
                length = struct.unpack_from(">Q", content, at)[0]
                at += 8
            if at + length > len(content):
                raise ValueError(f"the field '{name}' reaches over the end of its row")
            if name in names:
                found[name] = self._read_blob(name, content[at:at + length])
            at += length
        return found

    def _read_blob(self, name, content):
        field = self.fields[name]
        if "shape" not in field:
            return bytes(content)
        dtype = np.dtype(_NUMBERS[field["type"]]).newbyteorder("<")
        array = unpacked(content, dtype) if dtype.kind == "i" else np.frombuffer(content, dtype)
        return array.astype(dtype.newbyteorder("=")).reshape(field["shape"])

    def as_array(self, name, value):
        """Returns a field's value as an array: bytes as uint8, numbers in the schema's type."""
        if isinstance(value, bytes):
            return np.frombuffer(value, np.uint8)
        if isinstance(value, np.ndarray):
            return value
        kind = self.fields[name]["type"]
        return np.asarray(value, np.str_ if kind == "string" else _NUMBERS[kind])


def _value(row, name):
    if name not in row:
        raise ValueError(f"A row has no field '{name}', but {', '.join(map(str, row)) or 'none'}.")
    return row[name]


def _check_field(name, field):
    if not isinstance(name, str) or not re.fullmatch("[0-9a-zA-Z_]+", name):
        raise ValueError(f"A field's name has letters, digits and '_' only, but got {name!r}.")
    if not isinstance(field, dict) or "type" not in field or set(field) - {"type", "shape"}:
        raise ValueError(f"Field '{name}' must be {{'type': …}} or {{'type': …, 'shape': […]}}, but got {field!r}.")
    shape = field.get("shape")
    if field["type"] not in (_NUMBERS if "shape" in field else SQL_TYPES) and (field["type"] != "bytes" or "shape" in field):
        offered = ", ".join(_NUMBERS if "shape" in field else [*SQL_TYPES, "bytes"])
        raise ValueError(f"Field '{name}'{' with a shape' if shape is not None else ''} must have one of the types {offered}, but "
                         f"got {field['type']!r}.")
    if "shape" in field and (not isinstance(shape, list) or not all(isinstance(extent, int) and extent >= -1 for extent in shape)
                             or shape.count(-1) > 1):
        raise ValueError(f"Field '{name}': its shape must be a list of ints, of which one may be -1, but got {shape!r}.")


def packed(array):
    """The bytes of integers, each in as few bytes as hold it.

    Their number (4 bytes, the highest first); for each integer two bits that say whether it has 1, 2, 4 or 8 bytes, from the
    highest bit of a byte on; the integers, the lowest byte first.
    """
    limits = 1 << (8 * _WIDTHS[:3].astype(np.int64) - 1)
    codes = np.sum([(array < -limit) | (array >= limit) for limit in limits], axis=0, dtype=np.int64).reshape(-1)
    rows = np.pad(codes, (0, -len(codes) % 4)).reshape(-1, 4)
    heads = (rows << [6, 4, 2, 0]).sum(axis=1).astype(np.uint8)
    spread = array.astype("<i8").view(np.uint8).reshape(-1, 8)
    kept = np.arange(8) < _WIDTHS[codes][:, np.newaxis]
    return struct.pack(">I", len(array)) + heads.tobytes() + spread[kept].tobytes()


def unpacked(content, dtype):
    """The integers of which `content` has the bytes."""
    count = struct.unpack_from(">I", content)[0]
    heads = np.frombuffer(content, np.uint8, -(-count // 4), 4)
    codes = ((heads[:, np.newaxis] >> [6, 4, 2, 0]) & 3).reshape(-1)[:count]
    ends = 4 + len(heads) + np.cumsum(_WIDTHS[codes])
    if (ends[-1] if count else 4) != len(content):
        raise ValueError(f"{count} integers do not fit {len(content)} bytes")
    data, values = np.frombuffer(content, np.uint8), np.empty(count, dtype)
    for code, width in enumerate(_WIDTHS):
        chosen = codes == code
        places = (ends[chosen] - width)[:, np.newaxis] + np.arange(width)
        values[chosen] = np.ascontiguousarray(data[places]).view(f"<i{width}").reshape(-1)
    return values
