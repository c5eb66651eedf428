"""Operations on any column."""

from plumb.common._offers import not_offered
from plumb.dataset.operations import OneHot, TypeCast
from plumb.dataset.transforms.transforms import (Compose, Concatenate, Duplicate, Fill, Mask, PadEnd, RandomApply, RandomChoice,
                                                 RandomOrder, Relational, Slice, Unique, not_random)

__getattr__ = not_offered(__name__, instead={
    "Plugin": "it loads libraries of compiled operations: a function in `map` takes their place",
})
