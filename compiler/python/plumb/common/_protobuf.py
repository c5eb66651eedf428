"""Reading and writing Protocol Buffers messages without their descriptions: https://protobuf.dev/programming-guides/encoding.

Functions that read raise ValueError or IndexError where bytes are no message.
"""

import struct

import numpy as np

_VARINT, _FIXED64, BYTES, _FIXED32 = 0, 1, 2, 5  # how a field's value is written


def fields(data):
    """Yields (field number, value) of a message, a memoryview: ints, and slices of the bytes."""
    if isinstance(data, int):
        raise ValueError("a number stands where a message is due")
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == _VARINT:
            value, at = varint(data, at)
        else:
            size = 8 if kind == _FIXED64 else 4 if kind == _FIXED32 else -1
            if kind == BYTES:
                size, at = varint(data, at)
            if size < 0 or at + size > len(data):
                raise ValueError(f"a field at {at} reaches over the end")
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def content(value):
    """Returns a field's bytes."""
    if isinstance(value, int):  # of which `bytes` would make so many zeros
        raise ValueError("a number stands where bytes are due")
    return bytes(value)


def varint(data, at):
    """Returns (the number at `at`, the position behind it)."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at
        if shift > 63:
            raise ValueError(f"the number at {at} is too long")


def packed(data):
    """Returns the numbers that stand one behind another in a field's bytes."""
    numbers, at = [], 0
    while at < len(data):
        number, at = varint(data, at)
        numbers.append(number)
    return numbers


def written(number, value):
    """A field's bytes: a float as a double, NumPy's float32 as a float, an int as a varint, bytes and strings with their length."""
    if isinstance(value, np.float32):
        return _varint_bytes(number << 3 | _FIXED32) + struct.pack("<f", value)
    if isinstance(value, float):
        return _varint_bytes(number << 3 | _FIXED64) + struct.pack("<d", value)
    if isinstance(value, int):
        return _varint_bytes(number << 3 | _VARINT) + _varint_bytes(value & (1 << 64) - 1)
    content = value.encode() if isinstance(value, str) else bytes(value)
    return _varint_bytes(number << 3 | BYTES) + _varint_bytes(len(content)) + content


def _varint_bytes(value):
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
