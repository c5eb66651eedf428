"""Random numbers, in the parsable subset."""

from plumb.common._offers import offered
from plumb.ops import _functions as F

random_uniform = F.random_uniform

__all__ = offered(globals())
