"""Enumerations of operations on images, under their r1.x place."""

import enum

from plumb.dataset.operations import Inter


class Border(str, enum.Enum):
    """How pixels outside of an image are filled."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class ConvertMode(enum.IntEnum):
    """Orders of channels to convert from and to."""

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


class ImageBatchFormat(enum.IntEnum):
    """Where the channels of a batch of images stand."""

    NHWC = 0
    NCHW = 1


class ImageReadMode(enum.IntEnum):
    """What an image file is read as."""

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


class SliceMode(enum.IntEnum):
    """What becomes of pixels that make no full patch: they are filled up, or dropped."""

    PAD = 0
    DROP = 1


class AutoAugmentPolicy(str, enum.Enum):
    """The data set for which a policy of AutoAugment was learned."""

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"
