"""Operations on images, under their r1.x place."""

from plumb.common._offers import not_offered
from plumb.dataset.vision import *  # pylint: disable=wildcard-import

__getattr__ = not_offered(__name__)
