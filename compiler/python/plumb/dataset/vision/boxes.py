"""Operations on an image and its bounding boxes: a second column of rows (x, y, width, height, …) in pixels."""

import numpy as np

from plumb.dataset import _random
from plumb.dataset._random import RandomOperation
from plumb.dataset.operations import Inter, fitted_size
from plumb.dataset.vision import images
from plumb.dataset.vision.transforms import RandomCrop, RandomResizedCrop, pair, share_of


def _checked(image, boxes, who):
    image, boxes = images.image_of(image, who), np.asarray(boxes)
    if boxes.ndim != 2 or boxes.shape[1] < 4:
        raise ValueError(f"For '{who}', bounding boxes must have the shape [count, 4 or more], but got {list(boxes.shape)}.")
    height, width = image.shape[:2]
    beyond = (boxes[:, :2] < 0).any() or (boxes[:, 0] + boxes[:, 2] > width).any() or (boxes[:, 1] + boxes[:, 3] > height).any()
    if beyond:
        raise ValueError(f"For '{who}', bounding boxes must lie within the image of {(height, width)}.")
    return image, boxes


def _scaled(boxes, before, after):
    """Boxes of an image of one (height, width) in one of another."""
    factors = np.asarray([after[1] / before[1], after[0] / before[0]] * 2, np.float32)
    result = boxes.copy()
    result[:, :4] = (boxes[:, :4] * factors).astype(boxes.dtype)
    return result


def _within(boxes, left, top, width, height):
    """The parts of boxes inside a window, which are counted from its corner; boxes beyond fall away, all zeros stand for none."""
    begin = np.maximum(boxes[:, :2] - [left, top], 0)
    end = np.minimum(boxes[:, :2] + boxes[:, 2:4] - [left, top], [width, height])
    kept = (end > begin).all(axis=1)
    result = boxes[kept].copy()
    result[:, :2], result[:, 2:4] = begin[kept], (end - begin)[kept]
    return result if len(result) else np.zeros((1, boxes.shape[1]), boxes.dtype)


class _WithBoxes(RandomOperation):
    """Base of operations on an image and its boxes."""

    def transform(self, rng, image, bboxes):
        return self.changed(rng, *_checked(image, bboxes, type(self).__name__))

    def changed(self, rng, image, boxes):
        """Returns the image and the boxes."""
        raise NotImplementedError


class RandomHorizontalFlipWithBBox(_WithBoxes):
    """Left and right exchanged, with probability `prob`, boxes as well."""

    def __init__(self, prob=0.5):
        self.prob = share_of(prob, "RandomHorizontalFlipWithBBox")

    def changed(self, rng, image, boxes):
        if rng.random() >= self.prob:
            return image, boxes
        boxes = boxes.copy()
        boxes[:, 0] = image.shape[1] - boxes[:, 0] - boxes[:, 2]
        return np.ascontiguousarray(image[:, ::-1]), boxes


class RandomVerticalFlipWithBBox(_WithBoxes):
    """Top and bottom exchanged, with probability `prob`, boxes as well."""

    def __init__(self, prob=0.5):
        self.prob = share_of(prob, "RandomVerticalFlipWithBBox")

    def changed(self, rng, image, boxes):
        if rng.random() >= self.prob:
            return image, boxes
        boxes = boxes.copy()
        boxes[:, 1] = image.shape[0] - boxes[:, 1] - boxes[:, 3]
        return np.ascontiguousarray(image[::-1]), boxes


class ResizeWithBBox(_WithBoxes):
    """An image resized to `size`, two ints or one for the shorter side, and its boxes.

    Args:
      size: as above.
      interpolation: Inter.BILINEAR or Inter.NEAREST.
    """

    def __init__(self, size, interpolation=Inter.BILINEAR):
        pair(size, "ResizeWithBBox", "size")
        self.size, self.interpolation = size, interpolation
        images.resized(np.zeros((2, 2, 1), np.uint8), (1, 1), interpolation)  # is it offered?

    def changed(self, rng, image, boxes):
        size = fitted_size(self.size, image.shape)
        return images.resized(image, size, self.interpolation), _scaled(boxes, image.shape, size)


class RandomResizeWithBBox(_WithBoxes):
    """ResizeWithBBox by nearest or linear interpolation at random."""

    def __init__(self, size):
        self.operations = [ResizeWithBBox(size, method) for method in (Inter.NEAREST, Inter.BILINEAR)]

    def changed(self, rng, image, boxes):
        return self.operations[int(rng.integers(2))].changed(rng, image, boxes)


class RandomCropWithBBox(_WithBoxes):
    """RandomCrop, and what lies within the part of the boxes; all zeros where nothing does."""

    def __init__(self, size, padding=None, pad_if_needed=False, fill_value=0, padding_mode="constant"):
        self.crop = RandomCrop(size, padding, pad_if_needed, fill_value, padding_mode)

    def changed(self, rng, image, boxes):
        left, top, right, bottom = self.crop.padding or (0, 0, 0, 0)
        image = images.padded(image, (left, top, right, bottom), self.crop.fill_value, self.crop.mode)
        down, beside = (max(wanted - there, 0) for wanted, there in zip(self.crop.size, image.shape))
        if (down or beside) and not self.crop.pad_if_needed:
            raise ValueError(f"For 'RandomCropWithBBox', an image of {image.shape[:2]} is smaller than {self.crop.size}: give padding "
                             f"or pad_if_needed=True.")
        image = images.padded(image, (beside, down, beside, down), self.crop.fill_value, self.crop.mode)
        height, width = self.crop.size
        row, column = (int(rng.integers(there - wanted + 1)) for wanted, there in zip(self.crop.size, image.shape))
        boxes = _within(boxes, column - left - beside, row - top - down, width, height)
        return images.window(image, row, column, height, width), boxes


class RandomResizedCropWithBBox(_WithBoxes):
    """RandomResizedCrop, and what lies within the part of the boxes; all zeros where nothing does."""

    def __init__(self, size, scale=(0.08, 1.0), ratio=(3. / 4., 4. / 3.), interpolation=Inter.BILINEAR, max_attempts=10):
        self.crop = RandomResizedCrop(size, scale, ratio, interpolation, max_attempts)

    def changed(self, rng, image, boxes):
        top, left, height, width = self.crop.part_of(rng, *image.shape[:2])
        boxes = _scaled(_within(boxes, left, top, width, height), (height, width), self.crop.size)
        return images.resized(images.window(image, top, left, height, width), self.crop.size, self.crop.interpolation), boxes


class BoundingBoxAugment(_WithBoxes):
    """An operation on the parts of an image within its boxes, each with the probability `ratio`.

    Args:
      transform: an operation that keeps an image's size.
      ratio: the probability.
    """

    def __init__(self, transform, ratio=0.3):
        if not callable(transform):
            raise TypeError(f"For 'BoundingBoxAugment', transform must be an operation, but got {type(transform).__name__}.")
        self.operation, self.ratio = transform, share_of(ratio, "BoundingBoxAugment", "ratio")

    def changed(self, rng, image, boxes):
        image, chosen = image.copy(), np.flatnonzero(rng.random(len(boxes)) < self.ratio)
        for place in rng.permutation(chosen):
            left, top, width, height = (int(value) for value in boxes[place, :4])
            part = images.window(image, top, left, height, width)
            changed = np.asarray(_random.apply(self.operation, int(rng.integers(2 ** 63)), (part,)))
            if changed.shape != part.shape:
                changed = images.resized(changed, (height, width), Inter.BILINEAR)
            image[top:top + height, left:left + width] = changed
        return image, boxes
