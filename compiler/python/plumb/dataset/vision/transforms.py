"""Operations on images that this process computes, row by row: arrays [height, width, channels] or [height, width]."""

import math

import numpy as np

from plumb.dataset._bases import ImageTensorOperation, PyTensorOperation, TensorOperation  # pylint: disable=unused-import
from plumb.dataset._errors import Operation
from plumb.dataset._random import RandomOperation
from plumb.dataset.operations import HWC2CHW, Inter, Normalize, Rescale, Resize
from plumb.dataset.vision import images
from plumb.dataset.vision.utils import Border


def pair(value, who, what, least=1):
    """(height, width) of an int or two of them."""
    pair = (value, value) if isinstance(value, int) else tuple(value)
    if len(pair) != 2 or not all(isinstance(extent, int) and extent >= least for extent in pair):
        raise ValueError(f"For '{who}', {what} must be a positive int or two of them, but got {value}.")
    return pair


def _padding(value, who):
    """(left, top, right, bottom) of an int, two or four of them."""
    padding = (value,) * 4 if isinstance(value, int) else tuple(value) * (2 if len(value) == 2 else 1)
    if len(padding) != 4 or not all(isinstance(extent, int) and extent >= 0 for extent in padding):
        raise ValueError(f"For '{who}', padding must be an int, two or four of them, at least 0, but got {value}.")
    return padding


def share_of(value, who, what="prob"):
    if not 0 <= value <= 1:
        raise ValueError(f"Input {what} is not within the required interval of [0.0, 1.0] (For '{who}'), but got {value}.")
    return value


def _is_video(operation, image):
    """Whether an operation that takes videos, too, gets frames [..., height, width, channels]."""
    return operation.takes_videos and getattr(image, "ndim", 0) > 3


class ImageOperation(Operation):
    """Base of operations on one image; of those that say so, on each frame of a video [..., height, width, channels], too."""

    takes_videos = False

    def __call__(self, image):
        if _is_video(self, image):
            return images.of_frames(np.asarray(image), self)
        action = images.action_of(self, image)
        return action(image) if action else self.changed(images.image_of(image, type(self).__name__))

    def changed(self, image):
        """Returns the operation's result."""
        raise NotImplementedError


class RandomImageOperation(RandomOperation):
    """Base of random operations on one image; of those that say so, on a video, all of whose frames change alike."""

    takes_videos = False

    def transform(self, rng, image):
        if _is_video(self, image):
            start = rng.bit_generator.state

            def change(frame):
                rng.bit_generator.state = start
                return self.transform(rng, frame)

            return images.of_frames(np.asarray(image), change)
        action = images.action_of(self, image)
        return action(rng, image) if action else self.changed(rng, images.image_of(image, type(self).__name__))

    def changed(self, rng, image):
        """Returns the operation's result for a row's generator."""
        raise NotImplementedError


class Decode(Operation):
    """A file's bytes (uint8, one axis) to an RGB image, uint8 [height, width, 3]; with `to_pil` Pillow's,
    for functions of programs that take those, and for operations to compute as Pillow does (`pillow.py`)."""

    def __init__(self, to_pil=False):
        self.to_pil = bool(to_pil)

    def __call__(self, content):
        image = images.decoded(content, "The column's value")
        return images.as_pillow(image, "Decode") if self.to_pil else image


class ToTensor(ImageOperation):
    """Bytes 0 … 255 to numbers 0 … 1 with the channels first, in `output_type` (float32)."""

    #: What changes values of float32: as MindSpore's does it, by the factor 1/255 in float32, which for half of the bytes is not
    #: the quotient by 255.
    scaled = staticmethod(lambda values: values * np.float32(1 / 255))

    def __init__(self, output_type=np.float32):
        from plumb.common.dtype import as_dtype
        self.output_type = as_dtype(output_type).numpy

    def changed(self, image):
        image = image[..., np.newaxis] if image.ndim == 2 else image
        return np.ascontiguousarray(self.scaled(image.astype(np.float32)).astype(self.output_type).transpose(2, 0, 1))


class CenterCrop(ImageOperation):
    """The middle of an image, `size` or (height, width); black beyond its edges, an odd row or column before it."""

    takes_videos = True

    def __init__(self, size):
        self.size = pair(size, "CenterCrop", "size")

    def changed(self, image):
        height, width = self.size
        lacking = (max(height - image.shape[0], 0), max(width - image.shape[1], 0))
        image = images.padded(image, (-(-lacking[1] // 2), -(-lacking[0] // 2), lacking[1] // 2, lacking[0] // 2), 0, "constant")
        return images.window(image, (image.shape[0] - height) // 2, (image.shape[1] - width) // 2, height, width)


class Crop(ImageOperation):
    """The part at `coordinates` (top, left) of `size`."""

    def __init__(self, coordinates, size):
        self.coordinates = pair(coordinates, "Crop", "coordinates", least=0)
        self.size = pair(size, "Crop", "size")

    def changed(self, image):
        if any(begin + extent > whole for begin, extent, whole in zip(self.coordinates, self.size, image.shape)):
            raise ValueError(f"For 'Crop', the part of {self.size} at {self.coordinates} is not inside an image of "
                             f"{image.shape[:2]}.")
        return images.window(image, *self.coordinates, *self.size)


class HorizontalFlip(ImageOperation):
    """Left and right exchanged."""

    takes_videos = True

    def changed(self, image):
        return np.ascontiguousarray(image[:, ::-1])


class VerticalFlip(ImageOperation):
    """Top and bottom exchanged."""

    takes_videos = True

    def changed(self, image):
        return np.ascontiguousarray(image[::-1])


class Pad(ImageOperation):
    """Pixels around an image: `padding` on all sides, (left and right, top and bottom), or (left, top, right, bottom)."""

    def __init__(self, padding, fill_value=0, padding_mode=Border.CONSTANT):
        self.padding, self.fill_value, self.mode = _padding(padding, "Pad"), fill_value, Border(padding_mode).value

    def changed(self, image):
        return images.padded(image, self.padding, self.fill_value, self.mode)


class Grayscale(ImageOperation):
    """An RGB image in grey, with 1 or 3 equal channels."""

    def __init__(self, num_output_channels=1):
        if num_output_channels not in (1, 3):
            raise ValueError(f"For 'Grayscale', num_output_channels must be 1 or 3, but got {num_output_channels}.")
        self.channels = num_output_channels

    def changed(self, image):
        grey = np.round(images.grey(image)).astype(image.dtype)
        return grey if self.channels == 1 else np.repeat(grey[..., np.newaxis], 3, axis=2)


class Invert(ImageOperation):
    """255 - image."""

    def changed(self, image):
        return (255 - image).astype(image.dtype)


class RandomHorizontalFlip(RandomImageOperation):
    """Left and right exchanged, with probability `prob`."""

    takes_videos = True

    def __init__(self, prob=0.5):
        self.prob = share_of(prob, "RandomHorizontalFlip")

    def changed(self, rng, image):
        return np.ascontiguousarray(image[:, ::-1]) if rng.random() < self.prob else image


class RandomVerticalFlip(RandomImageOperation):
    """Top and bottom exchanged, with probability `prob`."""

    takes_videos = True

    def __init__(self, prob=0.5):
        self.prob = share_of(prob, "RandomVerticalFlip")

    def changed(self, rng, image):
        return np.ascontiguousarray(image[::-1]) if rng.random() < self.prob else image


class RandomCrop(RandomImageOperation):
    """A part of `size` at a random place.

    Args:
      size: an int or (height, width).
      padding: pixels added first, as of `Pad`; None adds none.
      pad_if_needed: whether smaller images are padded; otherwise they are an error.
      fill_value, padding_mode: as of `Pad`.
    """

    takes_videos = True

    def __init__(self, size, padding=None, pad_if_needed=False, fill_value=0, padding_mode=Border.CONSTANT):
        self.size, self.pad_if_needed = pair(size, "RandomCrop", "size"), pad_if_needed
        self.padding = None if padding is None else _padding(padding, "RandomCrop")
        self.fill_value, self.mode = fill_value, Border(padding_mode).value

    def changed(self, rng, image):
        if self.padding:
            image = images.padded(image, self.padding, self.fill_value, self.mode)
        down, right = (max(wanted - there, 0) for wanted, there in zip(self.size, image.shape))
        if (down or right) and not self.pad_if_needed:
            raise ValueError(f"For 'RandomCrop', an image of {image.shape[:2]} is smaller than {self.size}: give padding or "
                             f"pad_if_needed=True.")
        image = images.padded(image, (right, down, right, down), self.fill_value, self.mode) if down or right else image
        top, left = (int(rng.integers(there - wanted + 1)) for wanted, there in zip(self.size, image.shape))
        return images.window(image, top, left, *self.size)


class RandomResizedCrop(RandomImageOperation):
    """A part of random area and shape, resized to `size`.

    Args:
      size: an int or (height, width).
      scale: the least and the greatest share of the image's area.
      ratio: the least and the greatest width by height.
      interpolation: as of Resize.
      max_attempts: draws before the middle is taken.
    """

    takes_videos = True

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3. / 4., 4. / 3.), interpolation=Inter.BILINEAR, max_attempts=10):
        self.size, self.scale, self.ratio = pair(size, "RandomResizedCrop", "size"), tuple(scale), tuple(ratio)
        self.interpolation, self.max_attempts = interpolation, max_attempts
        Resize(self.size, interpolation)  # is it offered?

    def changed(self, rng, image):
        return images.resized(images.window(image, *self.part_of(rng, *image.shape[:2])), self.size, self.interpolation)

    def part_of(self, rng, height, width):
        """(top, left, height, width) of a random part of an image."""
        for _ in range(self.max_attempts):
            area = height * width * rng.uniform(*self.scale)
            ratio = math.exp(rng.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            part = round(math.sqrt(area / ratio)), round(math.sqrt(area * ratio))
            if 0 < part[0] <= height and 0 < part[1] <= width:
                return (int(rng.integers(height - part[0] + 1)), int(rng.integers(width - part[1] + 1))) + part
        ratio = min(max(width / height, self.ratio[0]), self.ratio[1])
        part = (height, min(round(height * ratio), width)) if width / height > ratio else (min(round(width / ratio), height), width)
        return ((height - part[0]) // 2, (width - part[1]) // 2) + part


class RandomColorAdjust(RandomImageOperation):
    """Brightness, contrast and saturation times random factors, and the hue moved, in random order.

    Args:
      brightness, contrast, saturation: the factors: a number n, for 1 - n … 1 + n, or a range.
      hue: shares of the circle: a number n up to 0.5, for -n … n, or a range.
    """

    UNCHANGED = ((1, 1),) * 3 + ((0, 0),)

    def __init__(self, brightness=(1, 1), contrast=(1, 1), saturation=(1, 1), hue=(0, 0)):
        self.ranges = [self._range(value) for value in (brightness, contrast, saturation)]
        if hue not in (0, (0, 0), [0, 0]):
            self.ranges.append(self._hues(hue))

    @staticmethod
    def _range(value):
        low, high = (max(0, 1 - value), 1 + value) if isinstance(value, (int, float)) else value
        if not 0 <= low <= high:
            raise ValueError(f"For 'RandomColorAdjust', a range must be of two numbers at least 0 in order, but got {value}.")
        return low, high

    @staticmethod
    def _hues(value):
        low, high = (-value, value) if isinstance(value, (int, float)) else value
        if not -0.5 <= low <= high <= 0.5:
            raise ValueError(f"For 'RandomColorAdjust', 'hue' must be a number from 0 to 0.5, or two in order from -0.5 to 0.5, but got "
                             f"{value}.")
        return low, high

    def changed(self, rng, image):
        factors = [rng.uniform(low, high) for low, high in self.ranges]
        for part in rng.permutation(len(self.ranges)):
            if self.ranges[part] == self.UNCHANGED[part]:
                continue
            image = self._OPERATIONS[part](image, factors[part])
        return image

    _OPERATIONS = (lambda image, factor: images.blended(image, np.float32(0), factor),
                   lambda image, factor: images.blended(image, np.float32(np.floor(images.grey_bytes(image).mean() + 0.5)), factor),
                   lambda image, factor: images.moved(image, images.grey_bytes(image)[..., np.newaxis], factor),
                   lambda image, share: _hue_moved(image, share))


def _hue_moved(image, share):
    from plumb.dataset.vision.colours import hue_moved  # which needs this file's classes
    return hue_moved(image, share)


class CutOut(RandomImageOperation):
    """`num_patches` squares of `length` pixels in black, around random pixels."""

    def __init__(self, length, num_patches=1, is_hwc=True):
        if length < 1 or num_patches < 1:
            raise ValueError(f"For 'CutOut', length and num_patches must be positive, but got {length} and {num_patches}.")
        self.length, self.num_patches, self.is_hwc = length, num_patches, is_hwc

    def changed(self, rng, image):
        result = image.copy()
        view = result if self.is_hwc or image.ndim == 2 else result.transpose(1, 2, 0)
        for _ in range(self.num_patches):
            row, column = (int(rng.integers(extent)) - self.length // 2 for extent in view.shape[:2])
            view[max(row, 0):max(row + self.length, 0), max(column, 0):max(column + self.length, 0)] = 0
        return result


class MixUpBatch(RandomOperation):
    """Behind `batch`: each image and its one-hot label mixed with another of the batch, by a share of Beta(alpha, alpha)."""

    def __init__(self, alpha=1.0):
        if alpha <= 0:
            raise ValueError(f"For 'MixUpBatch', alpha must be positive, but got {alpha}.")
        self.alpha = alpha

    def transform(self, rng, image, label):
        image, label = np.asarray(image), np.asarray(label)
        if image.ndim != 4 or label.ndim not in (2, 3):
            raise ValueError(f"For 'MixUpBatch', images must be batched and labels one-hot, but got the shapes "
                             f"{list(image.shape)} and {list(label.shape)}.")
        share, order = rng.beta(self.alpha, self.alpha), rng.permutation(len(image))
        mixed = np.float32(share) * label + np.float32(1 - share) * label[order]
        return images.blended(image, image[order].astype(np.float32), share), mixed.astype(np.float32)
