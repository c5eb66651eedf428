"""MLIR text for plain Python values: numbers, strings, tuples, dictionaries, arrays."""

import math
import re
import struct

import numpy as np

from plumb.common import dtype as mstype

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*\Z")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*\Z")
_PLAIN = re.compile(r'[ !#-\[\]-~]*\Z')


def string(text):
    """Returns an MLIR string literal."""
    if _PLAIN.match(text):
        return f'"{text}"'
    out = []
    for byte in text.encode("utf-8"):
        if byte in (0x22, 0x5C) or byte < 0x20 or byte > 0x7E:
            out.append("\\%02X" % byte)
        else:
            out.append(chr(byte))
    return '"' + "".join(out) + '"'


def symbol(name):
    """Returns a symbol reference, quoted where needed."""
    return "@" + (name if _BARE.match(name) else string(name))


def key(name):
    """Returns a dictionary key, quoted where needed."""
    return name if _KEY.match(name) else string(name)


def dictionary(entries):
    """Returns `{a = 1 : i64, …}` from (name, attribute text) pairs."""
    return "{" + ", ".join(f"{key(name)} = {text}" for name, text in entries) + "}"


def floating(value, kind="f64"):
    """Returns a float attribute; values without a short decimal form are written by their bits."""
    if kind == "f64":
        if math.isfinite(value):
            return f"{_decimal(value)} : f64"
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X} : f64"
    raise ValueError(kind)


def _decimal(value):
    text = repr(float(value))
    mantissa, _, exponent = text.partition("e")
    if "." not in mantissa:
        mantissa += ".0"
    return mantissa + ("e" + exponent if exponent else "")


def location(filename, line, column):
    """Returns a trailing ` loc("file":line:column)`."""
    return f" loc({string(filename)}:{line}:{column})"


def tensor_type(shape, dtype):
    """Returns `tensor<2x3xf32>`."""
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + dtype.mlir + ">"


def dense(array):
    """Returns a DenseElementsAttr with its type: a splat when all elements are equal, else raw bytes."""
    dtype = mstype.as_dtype(array.dtype)
    kind = tensor_type(array.shape, dtype)
    if array.size == 0:
        return f"dense<> : {kind}"
    flat = np.ascontiguousarray(array).reshape(-1)
    first = flat[0].tobytes()
    if flat.tobytes() == first * flat.size:
        return f"dense<{_element(flat[0], dtype)}> : {kind}"
    if dtype is mstype.bool_:
        return f"dense<{_nested(array)}> : {kind}"
    return f'dense<"0x{flat.tobytes().hex().upper()}"> : {kind}'


def resource(name, array):
    """Returns a DenseResourceElementsAttr with its type; the elements themselves travel apart."""
    kind = tensor_type(array.shape, mstype.as_dtype(array.dtype))
    return f"dense_resource<{key(name)}> : {kind}"


def _element(value, dtype):
    if dtype is mstype.bool_:
        return "true" if value else "false"
    if "complex" in dtype.name:
        part = mstype.float32 if dtype is mstype.complex64 else mstype.float64
        return f"({_element(value.real, part)},{_element(value.imag, part)})"
    if "float" in dtype.name:
        bits = int.from_bytes(value.tobytes(), "little")
        return f"0x{bits:0{dtype.numpy.itemsize * 2}X}"
    return str(int(value))


def _nested(array):
    if array.ndim == 0:
        return "true" if array else "false"
    return "[" + ", ".join(_nested(row) for row in array) + "]"
