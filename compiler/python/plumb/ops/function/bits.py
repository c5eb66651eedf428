"""Bits of integers, with MindSpore's signatures, in the parsable subset; of booleans the logic of truth values."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F

bitwise_and, bitwise_or, bitwise_xor, invert = F.bitwise_and, F.bitwise_or, F.bitwise_xor, F.invert
bitwise_left_shift, bitwise_right_shift = F.bitwise_left_shift, F.bitwise_right_shift


def bitwise_not(input):
    """All bits the other way."""
    return F.invert(input)


def population_count(input_x):
    """How many bits of each integer are set, as uint8."""
    x = _checks.integers("population_count", input_x)
    count = F.zeros_like(x)
    for place in range(_width(x.dtype)):
        count = count + F.bitwise_and(F.bitwise_right_shift(x, place), 1)
    return F.cast(count, mstype.uint8)


def compare_and_bitpack(x, threshold):
    """Whether elements are above a threshold, eight of the last axis in the bits of one uint8, the first in the highest."""
    if x.shape[-1] % 8 != 0:
        raise ValueError(f"For 'CompareAndBitpack', the last extent of {x.shape} must be a multiple of 8")
    bits = F.reshape(F.cast(F.greater(x, threshold), mstype.int32), x.shape[:-1] + (x.shape[-1] // 8, 8))
    return F.cast(F.reduce_sum(F.bitwise_left_shift(bits, 7 - F.arange(8)), (-1,)), mstype.uint8)


def _width(dtype):
    """How many bits an integer has."""
    if dtype in (mstype.int8, mstype.uint8):
        return 8
    if dtype in (mstype.int16, mstype.uint16):
        return 16
    return 32 if dtype in (mstype.int32, mstype.uint32) else 64


__all__ = [name for name in offered(globals()) if name != "compare_and_bitpack"]
