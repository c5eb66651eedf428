"""`mindspore._c_expression`: the kinds of element types, for programs that ask what a type is, and mixed precision."""

from plumb.common import dtype as mstype
from plumb.nn._settings import MixedPrecisionType


def _kind(name, members, summary):
    """A class whose instances are element types."""
    meta = type("Kind", (type,), {"__instancecheck__": lambda cls, value: isinstance(value, mstype.DType) and value in members})
    return meta(name, (), {"__doc__": summary})


_SIGNED = mstype.int_type
_UNSIGNED = (mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64)
_FLOATS = mstype.float_type


class typing:  # pylint: disable=invalid-name
    """Classes for `isinstance` of element types."""

    Bool = _kind("Bool", (mstype.bool_,), "Booleans.")
    Int = _kind("Int", _SIGNED, "Signed integers.")
    UInt = _kind("UInt", _UNSIGNED, "Integers of at least 0.")
    Float = _kind("Float", _FLOATS, "Floats.")
    Complex = _kind("Complex", mstype.complex_type, "Complex numbers.")
    Number = _kind("Number", (mstype.bool_,) + _SIGNED + _UNSIGNED + _FLOATS + mstype.complex_type, "All element types.")
    Type = mstype.DType
