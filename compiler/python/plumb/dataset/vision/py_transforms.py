"""Operations on images, under their second r1.x place: those of Pillow's images, which its `Decode` gives."""

import numpy as np

from plumb.common._offers import not_offered
from plumb.dataset.vision import *  # pylint: disable=wildcard-import
from plumb.dataset.vision import transforms


class Decode(transforms.Decode):
    """A file's bytes to an image of Pillow."""

    def __init__(self):
        super().__init__(to_pil=True)


class ToTensor(transforms.ToTensor):
    """Bytes 0 … 255 to the quotients by 255 with the channels first, in `output_type` (float32)."""

    scaled = staticmethod(lambda values: values / np.float32(255))


__getattr__ = not_offered(__name__)
