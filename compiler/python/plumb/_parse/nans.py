"""Numbers that are more than their value: NaNs, and those of NumPy.

Containers of Python's take a NaN for equal to itself, but for no other one: each has bits of its own while compiling.
"""

import struct

import numpy as np

from plumb.common._refusals import refused

_QUIET = 0x7FF8 << 48


class Nans:
    """The NaN objects that a program and its interpreter have, by their bits. The first has the usual ones; the interpreter makes others.

    Bits that tell NaNs apart are among those that a float32 does not have.
    """

    def __init__(self):
        self._by_bits, self._bits = {}, {}

    def bits(self, value):
        """Returns the bits of a NaN, an int, which are those of no other object."""
        if id(value) not in self._bits:
            self._enter(_QUIET + len(self._bits), value)
        return self._bits[id(value)]

    def value(self, number):
        """Returns the object of a float that was read from a letter."""
        if number == number:
            return number
        bits, = struct.unpack("<Q", struct.pack("<d", number))
        if bits not in self._by_bits:
            self._enter(bits, number)
        return self._by_bits[bits]

    def number(self, value):
        """Returns a float as letters have it."""
        return float(value) if value == value else struct.unpack("<d", struct.pack("<Q", self.bits(value)))[0]

    def _enter(self, bits, value):
        self._by_bits[bits], self._bits[id(value)] = value, bits  # which keeps it alive, so that its id stays its own


# Of a NumPy number, what depends on its type.
_OF_TYPE = ("base", "byteswap", "data", "dtype", "dump", "dumps", "flags", "getfield", "itemsize", "nbytes", "newbyteorder", "strides", "tobytes",
            "view")


class NumpyNumbers:
    """NumPy's numbers are Python's in compiled code; numbers that NumPy has given, and those equal to one, have NumPy's methods."""

    def __init__(self):
        self._types = {}

    def noted(self, value):
        """Returns a NumPy number as Python's, and other values as they are."""
        if not isinstance(value, (np.bool_, np.integer, np.floating)):
            return value
        number = bool(value) if isinstance(value, np.bool_) else int(value) if isinstance(value, np.integer) else float(value)
        if type(number) is int and not -2 ** 63 <= number < 2 ** 63:
            return value
        self._types.setdefault((type(number), repr(number)), set()).add(type(value))
        return number

    def owner(self, value, name):
        """Returns what has the attribute `name`: a value, or the NumPy number that it may have been."""
        if not self._types or type(value) not in (bool, int, float) or hasattr(value, name):
            return value
        kinds = self._types.get((type(value), repr(value)), ())
        if name in _OF_TYPE and len(kinds) > 1:
            raise refused(AttributeError, f"{name!r} of {value}, which NumPy has given in several element types, is not known in compiled "
                                          f"functions; ask the array for it")
        if not kinds:
            return value
        return next(iter(kinds))(value) if len(kinds) == 1 else np.asarray(value)[()]
