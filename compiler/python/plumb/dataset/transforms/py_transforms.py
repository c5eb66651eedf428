"""Operations on any column, under their second r1.x place."""

from plumb.common._offers import not_offered
from plumb.dataset.operations import OneHot, TypeCast
from plumb.dataset.transforms.transforms import (Compose, Concatenate, Duplicate, Fill, Mask, PadEnd, RandomApply, RandomChoice,
                                                 RandomOrder, Relational, Slice, Unique)



class PyTensorOperation:
    """Base of operations that programs write in Python."""


__getattr__ = not_offered(__name__)
