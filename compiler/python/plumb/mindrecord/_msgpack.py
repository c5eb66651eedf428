"""MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) of flat objects: a dict of strings, numbers and booleans.

`loads` reads lists and nested dicts, too. Functions that read raise ValueError where bytes are no message.
"""

import struct

_NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
#: The format of the length that follows a byte, by kind.
_STRINGS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_BYTES = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I"}
_LISTS = {0xDC: ">H", 0xDD: ">I"}
_DICTS = {0xDE: ">H", 0xDF: ">I"}


def dumps(value):
    """Returns the bytes of a value, each number in the fewest bytes that hold it."""
    if value is None or value is True or value is False:
        return bytes([next(byte for byte, constant in _CONSTANTS.items() if constant is value)])
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return _real(value)
    if isinstance(value, str):
        content = value.encode()
        return _head(len(content), 0xA0, 32, _STRINGS) + content
    if isinstance(value, dict):
        return _head(len(value), 0x80, 16, _DICTS) + b"".join(dumps(key) + dumps(value[key]) for key in value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be written")


def _integer(value):
    if -32 <= value < 128:
        return struct.pack(">b", value)
    kinds = (0xCC, 0xCD, 0xCE, 0xCF) if value >= 0 else (0xD0, 0xD1, 0xD2, 0xD3)
    for kind in kinds:
        try:
            return bytes([kind]) + struct.pack(_NUMBERS[kind], value)
        except struct.error:
            continue
    raise ValueError(f"{value} has more than 64 bits")


def _real(value):
    """A number of 32 bits where those hold it, else of 64."""
    try:
        short = struct.pack(">f", value)
    except OverflowError:
        short = b""
    if short and struct.unpack(">f", short)[0] == value:
        return b"\xca" + short
    return b"\xcb" + struct.pack(">d", value)


def _head(length, small, limit, kinds):
    """The bytes before a content: its kind and length."""
    if length < limit:
        return bytes([small | length])
    for kind, form in kinds.items():
        if length < 1 << 8 * struct.calcsize(form):
            return bytes([kind]) + struct.pack(form, length)
    raise ValueError(f"a content of {length} elements is too long")


def loads(data):
    """Returns the value whose bytes `data` are."""
    try:
        value, end = _read(bytes(data), 0)
    except (struct.error, IndexError, UnicodeDecodeError) as problem:
        raise ValueError(f"no MessagePack message: {problem}") from None
    if end != len(data):
        raise ValueError(f"no MessagePack message: {len(data) - end} bytes are left")
    return value


def _read(data, at):
    """(the value at `at`, the position behind it)."""
    kind, at = data[at], at + 1
    if kind < 0x80 or kind >= 0xE0:
        return kind - (256 if kind >= 0xE0 else 0), at
    if kind in _CONSTANTS:
        return _CONSTANTS[kind], at
    if kind in _NUMBERS:
        return struct.unpack_from(_NUMBERS[kind], data, at)[0], at + struct.calcsize(_NUMBERS[kind])
    length, at = _length(data, kind, at)
    if kind < 0x90 or kind in _DICTS:
        return _read_dict(data, at, length)
    if kind < 0xA0 or kind in _LISTS:
        return _read_list(data, at, length)
    content = data[at:at + length]
    if len(content) != length:
        raise IndexError("it ends within a string")
    return content if kind in _BYTES else content.decode(), at + length


def _length(data, kind, at):
    """(the length of a content, where it begins)."""
    if kind < 0xC0:
        return kind & (0x1F if kind >= 0xA0 else 0x0F), at
    form = {**_STRINGS, **_BYTES, **_LISTS, **_DICTS}.get(kind)
    if form is None:
        raise ValueError(f"no MessagePack message: the byte {kind:#x} begins no value")
    return struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)


def _read_list(data, at, length):
    values = []
    for _ in range(length):
        value, at = _read(data, at)
        values.append(value)
    return values, at


def _read_dict(data, at, length):
    found = {}
    for _ in range(length):
        key, at = _read(data, at)
        found[key], at = _read(data, at)
    return found, at
