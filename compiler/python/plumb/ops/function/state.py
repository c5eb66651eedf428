"""Functions with effects: parameters and output."""

from plumb.common._offers import offered
from plumb.ops import _functions as F

assign, assign_add, assign_sub = F.assign, F.assign_add, F.assign_sub
print_ = F.print_

__all__ = offered(globals())
