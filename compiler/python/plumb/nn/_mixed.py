"""Element types of computation: what a cell that has one (`Cell.to_float`) does with what comes in."""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F


def in_type(value, dtype):
    """Floating-point tensors, also those in tuples, as `dtype`; anything else as it is."""
    if isinstance(value, tuple):
        converted = ()
        for part in value:
            converted = converted + (in_type(part, dtype),)
        return converted
    if isinstance(value, Tensor) and value.dtype in (mstype.float16, mstype.bfloat16, mstype.float32, mstype.float64):
        return F.cast(value, dtype)
    return value
