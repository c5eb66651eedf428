"""Operations on any column, under their r1.x place."""

from plumb.common._offers import not_offered
from plumb.dataset.operations import OneHot, TypeCast
from plumb.dataset.transforms.transforms import (Compose, Concatenate, Duplicate, Fill, Mask, PadEnd, RandomApply, RandomChoice,
                                                 RandomOrder, Relational, Slice, Unique)

__getattr__ = not_offered(__name__)
