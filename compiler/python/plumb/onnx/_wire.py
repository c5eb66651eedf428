"""The wire format of protocol buffers, as far as ONNX files need it: messages in, no writing, no generated code.

The format: https://protobuf.dev/programming-guides/encoding. A file is hostile until it is checked: a length that leads behind the
end, a number of more than ten bytes, a wire type that does not fit its field and messages that hold each other too deeply are a
ValueError with the byte's position.
"""

import struct

import numpy as np

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MAX_DEPTH = 64


class Schema:
    """A kind of message.

    Args:
      name: what errors call it.
      fields: by number, (attribute, kind); kinds are "int", "float", "double", "bytes", "text", "uint64" or a Schema (or a function that
        returns one, where messages hold their own kind). Several values, packed or not, where the attribute's name stands in a list.
    """

    def __init__(self, name, fields):
        self.name = name
        self.fields = {number: (entry[0][0] if isinstance(entry[0], list) else entry[0], entry[1], isinstance(entry[0], list))
                       for number, entry in fields.items()}


class Message:
    """What was read: an attribute per field of its schema, None, 0 or "" where the file says nothing, lists where it may repeat."""

    def __init__(self, schema):
        self.schema, self.given = schema, set()
        for name, kind, repeated in schema.fields.values():
            setattr(self, name, [] if repeated else _DEFAULTS.get(kind) if isinstance(kind, str) else None)

    def __repr__(self):
        return f"{self.schema.name}({', '.join(sorted(self.given))})"


_DEFAULTS = {"int": 0, "uint64": 0, "float": 0.0, "double": 0.0, "bytes": b"", "text": ""}
_WIRE_TYPES = {"int": _VARINT, "uint64": _VARINT, "float": _FIXED32, "double": _FIXED64}


def read(data, schema):
    """The Message of a kind that `data`, a bytes-like object, holds; raises ValueError where it is damaged."""
    return _Reader(memoryview(data)).message(0, len(data), schema, 0)


class _Reader:
    def __init__(self, data):
        self.data = data

    def varint(self, at, end):
        """(number, position behind it)."""
        value = 0
        for count in range(10):
            if at + count >= end:
                raise ValueError(f"byte {at}: a number is cut off")
            byte = self.data[at + count]
            value |= (byte & 127) << (7 * count)
            if byte < 128:
                return value & (2 ** 64 - 1), at + count + 1
        raise ValueError(f"byte {at}: a number has more than ten bytes")

    def value(self, at, end, wire):
        """(number or (begin, end), position behind it)."""
        if wire == _VARINT:
            return self.varint(at, end)
        if wire == _BYTES:
            size, at = self.varint(at, end)
            if size > end - at:
                raise ValueError(f"byte {at}: {size} bytes are announced, {end - at} are left")
            return (at, at + size), at + size
        size = {_FIXED64: 8, _FIXED32: 4}.get(wire)
        if size is None or size > end - at:
            raise ValueError(f"byte {at}: " + (f"wire type {wire} is unknown" if size is None else "a number is cut off"))
        return (at, at + size), at + size

    def message(self, at, end, schema, depth):
        """The Message between two positions."""
        if depth > _MAX_DEPTH:
            raise ValueError(f"byte {at}: messages hold each other more than {_MAX_DEPTH} deep")
        found = Message(schema)
        while at < end:
            tag, behind = self.varint(at, end)
            value, behind = self.value(behind, end, tag & 7)
            if tag >> 3 in schema.fields:
                self.enter(found, tag >> 3, tag & 7, value, at, depth)
            at = behind
        return found

    def enter(self, found, number, wire, value, at, depth):
        """Keeps one field's value."""
        name, kind, repeated = found.schema.fields[number]
        expected = _WIRE_TYPES.get(kind, _BYTES) if isinstance(kind, str) else _BYTES
        found.given.add(name)
        if wire == _BYTES and repeated and expected != _BYTES:
            getattr(found, name).extend(self.packed(value, kind))
        elif wire != expected:
            raise ValueError(f"byte {at}: the field {name} of {found.schema.name} has wire type {wire}, not {expected}")
        else:
            one = self.one(value, kind, depth)
            getattr(found, name).append(one) if repeated else setattr(found, name, one)

    def one(self, value, kind, depth):
        """A single value."""
        if kind == "int":
            return value - 2 ** 64 if value >= 2 ** 63 else value
        if kind == "uint64":
            return value
        content = self.data[value[0]:value[1]]
        if kind in ("float", "double"):
            return struct.unpack("<f" if kind == "float" else "<d", content)[0]
        if kind == "bytes":
            return content
        if kind == "text":
            return bytes(content).decode("utf-8", "replace")
        return self.message(*value, kind if isinstance(kind, Schema) else kind(), depth + 1)

    def packed(self, span, kind):
        """The values of a packed field."""
        at, end = span
        if kind in ("float", "double"):
            size = 4 if kind == "float" else 8
            if (end - at) % size:
                raise ValueError(f"byte {at}: {end - at} bytes are no whole number of {size}-byte numbers")
            return np.frombuffer(self.data[at:end], "<f4" if kind == "float" else "<f8").tolist()
        values = []
        while at < end:
            value, at = self.varint(at, end)
            values.append(self.one(value, kind, 0))
        return values
