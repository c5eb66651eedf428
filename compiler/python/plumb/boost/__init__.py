"""`boost`: of it, the accumulation of gradients over several batches."""

from plumb.boost import grad_accumulation
from plumb.boost.grad_accumulation import GradientAccumulation
from plumb.common._offers import not_offered

__getattr__ = not_offered(__name__)
