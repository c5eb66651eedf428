"""NaN by identity: containers of Python's take a NaN for equal to itself, but for no other one. Each has bits of its own while compiling."""

import struct

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
