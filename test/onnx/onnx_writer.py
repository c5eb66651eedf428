"""Small ONNX files for tests: the wire format by hand, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto."""

import struct

import numpy as np

_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11}


def varint(number):
    """A number in the wire format."""
    number, data = number & (2 ** 64 - 1), bytearray()
    while number > 127:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes(data + bytes([number]))


def field(number, content):
    """A field: of bytes, text or an int."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def tensor(array, name=""):
    """A Tensor message."""
    array = np.asarray(array)
    dims = b"".join(field(1, extent) for extent in array.shape)
    return dims + field(2, _TYPES[str(array.dtype)]) + (field(8, name) if name else b"") + field(9, array.tobytes())


def attribute(name, value):
    """An Attribute message: of a number, text, tuple of numbers, array, bytes (a graph), or ("ref", the attribute of a function)."""
    if isinstance(value, tuple) and value[:1] == ("ref",):
        return field(1, name) + field(21, value[1]) + field(20, 1)
    if isinstance(value, float):
        return field(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + field(20, 1)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    if isinstance(value, np.ndarray):
        return field(1, name) + field(5, tensor(value)) + field(20, 4)
    if isinstance(value, bytes):
        return field(1, name) + field(6, value) + field(20, 5)
    return field(1, name) + b"".join(field(8, one) for one in value) + field(20, 7)


def node(kind, inputs, outputs, domain="", /, **attributes):
    """A Node message; inputs and outputs are names, parted by spaces."""
    names = b"".join(field(1, one) for one in inputs.split()) + b"".join(field(2, one) for one in outputs.split())
    made = b"".join(field(5, attribute(name, value)) for name, value in attributes.items())
    return names + field(3, f"the {kind}") + field(4, kind) + made + (field(7, domain) if domain else b"")


def value(name, kind="", shape=None):
    """A ValueInfo message."""
    if not kind:
        return field(1, name)
    dims = b"" if shape is None else field(2, b"".join(field(1, field(1, extent)) for extent in shape))
    return field(1, name) + field(2, field(1, field(1, _TYPES[kind]) + dims))


def graph(nodes, inputs, outputs, held=None):
    """A Graph message; inputs are ValueInfo messages or names, outputs names, `held` arrays by name."""
    parts = [field(1, one) for one in nodes] + [field(5, tensor(array, name)) for name, array in (held or {}).items()]
    parts += [field(11, value(one) if isinstance(one, str) else one) for one in inputs]
    return b"".join(parts) + b"".join(field(12, value(one)) for one in outputs.split())


def function(name, inputs, outputs, nodes, attributes=()):
    """A Function message of the domain "own"."""
    head = field(1, name) + b"".join(field(4, one) for one in inputs.split()) + b"".join(field(5, one) for one in outputs.split())
    return head + b"".join(field(6, one) for one in attributes) + b"".join(field(7, one) for one in nodes) + field(9, field(2, 13)) + field(10, "own")


def model(content, version=13, functions=()):
    """A model of a graph."""
    own = field(8, field(1, "own") + field(2, 1)) if functions else b""
    return field(1, 8) + field(7, content) + field(8, field(2, version)) + own + b"".join(field(25, one) for one in functions)
