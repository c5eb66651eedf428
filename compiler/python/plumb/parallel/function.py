"""`mindspore.parallel.function` of 2.6 and later."""

from plumb.common._offers import IN_PARTS, not_offered

__getattr__ = not_offered(__name__, instead=IN_PARTS)
