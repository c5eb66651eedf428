"""Operations that take parts of an image, or cover them."""

import math

import numpy as np

from plumb.dataset._random import RandomOperation
from plumb.dataset.operations import Inter, Resize, fitted_size
from plumb.dataset.vision import images
from plumb.dataset.vision.transforms import Decode, ImageOperation, RandomImageOperation, RandomResizedCrop, pair, share_of
from plumb.dataset.vision.utils import Border, SliceMode


def _checked_size(size, who):
    pair(size, who, "size")
    return size if isinstance(size, int) else tuple(size)


def five(image, size):
    """The four corners, row by row, and the middle of an image, of `size` (height, width) each."""
    (height, width), (rows, columns) = size, image.shape[:2]
    if height > rows or width > columns:
        raise ValueError(f"For 'FiveCrop', a part of {size} is not inside an image of {image.shape[:2]}.")
    places = [(0, 0), (0, columns - width), (rows - height, 0), (rows - height, columns - width),
              (round((rows - height) / 2), round((columns - width) / 2))]
    return tuple(images.window(image, top, left, height, width) for top, left in places)


class FiveCrop(ImageOperation):
    """The four corners, row by row, and the middle, of `size` each: a tuple of five images."""

    def __init__(self, size):
        self.size = pair(size, "FiveCrop", "size")

    def changed(self, image):
        return five(image, self.size)


class TenCrop(ImageOperation):
    """What FiveCrop gives of an image and of it flipped, horizontally or vertically: a tuple of ten images."""

    def __init__(self, size, use_vertical_flip=False):
        self.size, self.vertical = pair(size, "TenCrop", "size"), use_vertical_flip

    def changed(self, image):
        return five(image, self.size) + five(image[::-1] if self.vertical else image[:, ::-1], self.size)


class ResizedCrop(ImageOperation):
    """The part of `height` and `width` at (top, left), resized to `size`: two ints, or one for the shorter side."""

    def __init__(self, top, left, height, width, size, interpolation=Inter.BILINEAR):
        if min(top, left) < 0 or min(height, width) < 1:
            raise ValueError(f"For 'ResizedCrop', the part must lie within an image, but got {(top, left, height, width)}.")
        self.part, self.size, self.interpolation = (top, left, height, width), _checked_size(size, "ResizedCrop"), interpolation
        Resize(1, interpolation)  # is it offered?

    def changed(self, image):
        top, left, height, width = self.part
        if top + height > image.shape[0] or left + width > image.shape[1]:
            raise ValueError(f"For 'ResizedCrop', the part {self.part} is not inside an image of {image.shape[:2]}.")
        part = images.window(image, *self.part)
        return images.resized(part, fitted_size(self.size, part.shape), self.interpolation)


class RandomResize(RandomImageOperation):
    """An image resized to `size`, two ints or one for the shorter side, by nearest or linear interpolation at random."""

    takes_videos = True

    def __init__(self, size):
        self.size = _checked_size(size, "RandomResize")

    def changed(self, rng, image):
        method = (Inter.NEAREST, Inter.BILINEAR)[int(rng.integers(2))]
        return images.resized(image, fitted_size(self.size, image.shape), method)


class RandomCropDecodeResize(RandomOperation):
    """A file's bytes decoded, and a random part of it resized: see RandomResizedCrop."""

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3. / 4., 4. / 3.), interpolation=Inter.BILINEAR, max_attempts=10):
        self.crop = RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def transform(self, rng, content):
        return self.crop.transform(rng, Decode()(content))


class PadToSize(ImageOperation):
    """Pixels around an image up to `size`.

    Args:
      size: an int or (height, width), not below the image's.
      offset: (top, left), or an int for both: where the image stands; None takes the middle.
      fill_value, padding_mode: as of Pad.
    """

    def __init__(self, size, offset=None, fill_value=0, padding_mode=Border.CONSTANT):
        self.size, self.fill_value, self.mode = pair(size, "PadToSize", "size"), fill_value, Border(padding_mode).value
        self.offset = None if offset is None or offset == [] else pair(offset, "PadToSize", "offset", least=0)

    def changed(self, image):
        room = [wanted - there for wanted, there in zip(self.size, image.shape)]
        top, left = self.offset or (room[0] // 2, room[1] // 2)
        if min(room[0] - top, room[1] - left) < 0:
            raise ValueError(f"For 'PadToSize', an image of {image.shape[:2]} at {(top, left)} does not fit into {self.size}.")
        return images.padded(image, (left, top, room[1] - left, room[0] - top), self.fill_value, self.mode)


class SlicePatches(ImageOperation):
    """An image in `num_height` times `num_width` patches of one size, row by row: a tuple.

    Args:
      num_height, num_width: how many patches one over and beside another.
      slice_mode: SliceMode.PAD fills the last ones up with `fill_value`, DROP leaves pixels that are left over out.
    """

    def __init__(self, num_height=1, num_width=1, slice_mode=SliceMode.PAD, fill_value=0):
        self.counts = pair((num_height, num_width), "SlicePatches", "the number of patches")
        self.mode, self.fill_value = SliceMode(slice_mode), fill_value

    def changed(self, image):
        if any(count > extent for count, extent in zip(self.counts, image.shape)):
            raise ValueError(f"For 'SlicePatches', an image of {image.shape[:2]} has no {self.counts} patches.")
        up = self.mode == SliceMode.PAD
        height, width = (-(-extent // count) if up else extent // count for extent, count in zip(image.shape, self.counts))
        down, right = height * self.counts[0] - image.shape[0], width * self.counts[1] - image.shape[1]
        if up:
            image = images.padded(image, (0, 0, right, down), self.fill_value, "constant")
        patches = tuple(images.window(image, row * height, column * width, height, width)
                        for row in range(self.counts[0]) for column in range(self.counts[1]))
        return patches if len(patches) > 1 else patches[0]


class Erase(ImageOperation):
    """A rectangle of one colour.

    Args:
      top, left, height, width: the rectangle; what lies beyond the image counts for nothing.
      value: a number from 0 to 255, or three of them.
      inplace: whether the image itself is changed.
    """

    def __init__(self, top, left, height, width, value=0, inplace=False):
        if min(top, left) < 0 or min(height, width) < 1:
            raise ValueError(f"For 'Erase', the rectangle must lie within an image, but got {(top, left, height, width)}.")
        if not all(0 <= item <= 255 for item in ([value] if isinstance(value, (int, float)) else value)):
            raise ValueError(f"Input value is not within the required interval of [0, 255], but got {value}.")
        self.part, self.value, self.inplace = (top, left, height, width), value, inplace

    def changed(self, image):
        top, left, height, width = self.part
        image = image if self.inplace else image.copy()
        image[top:top + height, left:left + width] = self.value
        return image


class RandomErasing(RandomOperation):
    """A random rectangle of a [channels, height, width] image in one colour, with probability `prob` (Zhong et al. 2017).

    Args:
      prob: the probability.
      scale: the least and the greatest share of the area.
      ratio: the least and the greatest height by width.
      value: a number, one for each channel, or "random" for normal numbers.
      inplace: whether the image itself is changed.
      max_attempts: draws before the image is left as it is.
    """

    def __init__(self, prob=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False, max_attempts=10):
        if isinstance(value, str) and value != "random":
            raise ValueError(f"The value for erasing should be either a single value, or a string 'random', but got {value}.")
        self.prob, self.scale, self.ratio = share_of(prob, "RandomErasing"), tuple(scale), tuple(ratio)
        self.value, self.inplace, self.max_attempts = value, inplace, max_attempts

    def transform(self, rng, image):
        image = np.asarray(image)
        if image.ndim != 3:
            raise ValueError(f"RandomErasing works on images of shape [channels, height, width], but got {list(image.shape)}.")
        part = self._part(rng, *image.shape[1:]) if rng.random() < self.prob else None
        if part is None:
            return image
        top, left, height, width = part
        value = rng.normal(size=(image.shape[0], height, width)) if isinstance(self.value, str) else \
            np.asarray(self.value).reshape(-1, 1, 1)
        image = image if self.inplace else image.copy()
        image[:, top:top + height, left:left + width] = value
        return image

    def _part(self, rng, rows, columns):
        for _ in range(self.max_attempts):
            area = rows * columns * rng.uniform(*self.scale)
            ratio = math.exp(rng.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            height, width = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < height < rows and 0 < width < columns:
                return int(rng.integers(rows - height + 1)), int(rng.integers(columns - width + 1)), height, width
        return None
