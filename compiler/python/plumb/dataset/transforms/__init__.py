"""Operations on any column."""

from plumb.common._offers import not_offered
from plumb.dataset.operations import OneHot, TypeCast

__getattr__ = not_offered(__name__)
