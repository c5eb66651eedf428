"""Operations on images, under their second r1.x place: those of Pillow's images, which its `Decode` gives."""

from plumb.common._offers import not_offered
from plumb.dataset.vision import *  # pylint: disable=wildcard-import
from plumb.dataset.vision import transforms


class Decode(transforms.Decode):
    """A file's bytes to an image of Pillow."""

    def __init__(self):
        super().__init__(to_pil=True)


__getattr__ = not_offered(__name__)
