"""Reading Protocol Buffers messages without their descriptions: https://protobuf.dev/programming-guides/encoding.

Every function raises ValueError or IndexError where bytes are no message.
"""

_VARINT, _FIXED64, BYTES, _FIXED32 = 0, 1, 2, 5  # how a field's value is written


def fields(data):
    """Yields (field number, value) of a message, a memoryview: ints, and slices of the bytes."""
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
