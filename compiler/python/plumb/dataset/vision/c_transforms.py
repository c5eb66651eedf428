"""Operations on images, under their r1.x place."""

from plumb.common._offers import not_offered
from plumb.dataset.operations import HWC2CHW, Inter, Normalize, Rescale, Resize

__getattr__ = not_offered(__name__)
