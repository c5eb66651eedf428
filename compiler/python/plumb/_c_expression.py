"""`mindspore._c_expression`: the kinds of element types, for programs that ask what a type is, and mixed precision."""

from plumb.common import dtype as mstype
from plumb.nn._settings import MixedPrecisionType


class typing:  # pylint: disable=invalid-name
    """Classes for `isinstance` of element types."""

    Bool, Int, UInt, Float = mstype.Bool, mstype.Int, mstype.UInt, mstype.Float
    Complex, Number, Type = mstype.Complex, mstype.Number, mstype.DType
