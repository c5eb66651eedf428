"""Operations on images, under their r1.x place."""

from plumb.common._offers import not_offered
from plumb.dataset.operations import HWC2CHW, Inter, Normalize, Rescale, Resize
from plumb.dataset.vision.transforms import (CenterCrop, Crop, CutOut, Decode, Grayscale, HorizontalFlip, Invert, MixUpBatch, Pad,
                                             RandomColorAdjust, RandomCrop, RandomHorizontalFlip, RandomResizedCrop,
                                             RandomVerticalFlip, ToTensor, VerticalFlip)
from plumb.dataset.vision.utils import Border

__getattr__ = not_offered(__name__)
