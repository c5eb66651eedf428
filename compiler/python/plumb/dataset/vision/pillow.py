"""What operations on images do to those of Pillow: Pillow's own arithmetic, whose results are images of Pillow.

`Decode(to_pil=True)` and `ToPIL` give such images, and so do these operations until `ToTensor` or `ToNumpy`. The other operations
take them for arrays, and give arrays. Images of Pillow that become smaller are smoothed by `Resize`, and colours round otherwise
than those of arrays, which OpenCV's rules hold for.
"""

import math

import numpy as np
from PIL import Image, ImageEnhance

from plumb.dataset.vision import images, py_transforms_util as pillow
from plumb.dataset.vision.utils import Border


def _five(image, size):
    """The four corners, row by row, and the middle."""
    height, width = size
    if width > image.width or height > image.height:
        raise ValueError(f"For 'FiveCrop', a part of {size} is not inside an image of {(image.height, image.width)}.")
    right, down = image.width - width, image.height - height
    corners = tuple(pillow.crop(image, top, left, height, width) for top, left in ((0, 0), (0, right), (down, 0), (down, right)))
    return corners + (pillow.center_crop(image, size),)


def _ten(operation, image):
    flip = pillow.vertical_flip if operation.vertical else pillow.horizontal_flip
    return _five(image, operation.size) + _five(flip(image), operation.size)


def _perspective(image, start, end, method):
    """The perspective map that takes the points `start` to `end`: Pillow takes the coefficients of its inverse."""
    rows, sums = [], []
    for (x, y), (u, v) in zip(end, start):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        sums += [u, v]
    coefficients = np.linalg.lstsq(np.asarray(rows, np.float64), np.asarray(sums, np.float64), rcond=None)[0]
    return image.transform(image.size, Image.PERSPECTIVE, coefficients.tolist(), pillow.resample_of(method))


_FIXED = {
    "AdjustBrightness": lambda op, image: pillow.adjust_brightness(image, op.factor),
    "AdjustContrast": lambda op, image: pillow.adjust_contrast(image, op.factor),
    "AdjustGamma": lambda op, image: pillow.adjust_gamma(image, op.gamma, op.gain),
    "AdjustHue": lambda op, image: pillow.adjust_hue(image, op.factor),
    "AdjustSaturation": lambda op, image: pillow.adjust_saturation(image, op.factor),
    "AutoContrast": lambda op, image: pillow.auto_contrast(image, op.cutoff, op.ignore or None),
    "CenterCrop": lambda op, image: pillow.center_crop(image, op.size),
    "Equalize": lambda op, image: pillow.equalize(image),
    "FiveCrop": lambda op, image: _five(image, op.size),
    "Grayscale": lambda op, image: pillow.grayscale(image, op.channels),
    "Invert": lambda op, image: pillow.invert_color(image),
    "Pad": lambda op, image: pillow.pad(image, op.padding, op.fill_value, Border(op.mode)),
    "Perspective": lambda op, image: _perspective(image, op.start, op.end, op.method),
    "Resize": lambda op, image: pillow.resize(image, op.size, op.interpolation),
    "TenCrop": _ten,
}


# -- at random


def _affine(op, rng, image):
    """Rotation and shears around the middle: MindSpore turns each axis by its own angle, which changes areas."""
    angle, scale = rng.uniform(*op.degrees), rng.uniform(*op.scale)
    moved = [round(rng.uniform(*part) * extent) for part, extent in zip(op.translate, image.size)]
    shear = [rng.uniform(*part) for part in op.shear]
    return _mapped(image, angle, moved, scale, shear, op)


def _mapped(image, degrees, moved, scale, shear, op):
    turned, (shear_x, shear_y) = math.radians(degrees), (math.radians(value) for value in shear)
    x, y = image.width * 0.5 + 0.5, image.height * 0.5 + 0.5
    forward = [[math.cos(turned + shear_y), -math.sin(turned + shear_x)], [math.sin(turned + shear_y), math.cos(turned + shear_x)]]
    inverse = np.linalg.inv(scale * np.asarray(forward))
    rest = np.asarray([x, y]) - inverse @ np.asarray([x + moved[0], y + moved[1]])
    numbers = [*inverse[0], rest[0], *inverse[1], rest[1]]
    fill = op.fill if len(image.getbands()) == 3 else op.fill[0]
    return image.transform(image.size, Image.AFFINE, numbers, pillow.resample_of(op.method), fillcolor=fill)


def _color_adjust(op, rng, image):
    """All four in random order: also a factor of 1 goes through Pillow's rounding."""
    actions = (pillow.adjust_brightness, pillow.adjust_contrast, pillow.adjust_saturation, pillow.adjust_hue)
    ranges = op.ranges + list(op.UNCHANGED[len(op.ranges):])
    sizes = [rng.uniform(low, high) for low, high in ranges]
    for part in rng.permutation(len(sizes)):
        image = actions[part](image, sizes[part])
    return image


def _crop(op, rng, image):
    if op.padding:
        image = pillow.pad(image, op.padding, op.fill_value, Border(op.mode))
    height, width = op.size
    down, right = max(height - image.height, 0), max(width - image.width, 0)
    if (down or right) and not op.pad_if_needed:
        raise ValueError(f"For 'RandomCrop', an image of {(image.height, image.width)} is smaller than {op.size}: give padding or "
                         f"pad_if_needed=True.")
    if down or right:
        image = pillow.pad(image, (right, down, right, down), op.fill_value, Border(op.mode))
    top, left = int(rng.integers(image.height - height + 1)), int(rng.integers(image.width - width + 1))
    return pillow.crop(image, top, left, height, width)


def _resized_crop(op, rng, image):
    part = op.part_of(rng, image.height, image.width)
    return pillow.resize(pillow.crop(image, *part), op.size, op.interpolation)


def _grey(op, rng, image):
    return pillow.grayscale(image, len(image.getbands())) if rng.random() < op.prob else image


def _lighting(op, rng, image):
    return images.as_pillow(op.changed(rng, np.asarray(image)), "RandomLighting")


def _random_perspective(op, rng, image):
    return _perspective(image, *op.points(rng, image.height, image.width), op.method) if rng.random() < op.prob else image


_RANDOM = {
    "RandomAffine": _affine,
    "RandomColor": lambda op, rng, image: pillow.adjust_saturation(image, rng.uniform(*op.degrees)),
    "RandomColorAdjust": _color_adjust,
    "RandomCrop": _crop,
    "RandomGrayscale": _grey,
    "RandomHorizontalFlip": lambda op, rng, image: pillow.horizontal_flip(image) if rng.random() < op.prob else image,
    "RandomLighting": _lighting,
    "RandomPerspective": _random_perspective,
    "RandomResizedCrop": _resized_crop,
    "RandomRotation": lambda op, rng, image: pillow.rotate(image, rng.uniform(*op.degrees), op.method, op.expand, op.center, op.fill),
    "RandomSharpness": lambda op, rng, image: ImageEnhance.Sharpness(image).enhance(rng.uniform(*op.degrees)),
    "RandomVerticalFlip": lambda op, rng, image: pillow.vertical_flip(image) if rng.random() < op.prob else image,
}


_ACTIONS = {**_FIXED, **_RANDOM}


def action_of(operation):
    """What an operation does to an image of Pillow, a function of the image, or of a generator and it; None where it takes arrays."""
    for kind in type(operation).__mro__:
        if kind.__name__ in _ACTIONS:
            return _ACTIONS[kind.__name__].__get__(operation)
    return None
