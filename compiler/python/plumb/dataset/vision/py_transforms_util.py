"""`mindspore.dataset.vision.py_transforms_util`: functions of Pillow's images, which programs' own transforms call.

They are Pillow's operations, and give images of Pillow, as the classes of `vision` do of such images (`pillow.py`).
"""

import random

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

from plumb.common._offers import not_offered
from plumb.dataset.operations import Inter
from plumb.dataset.vision.utils import Border

augment_error_message = "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."

_RESAMPLES = {Inter.NEAREST: Image.NEAREST, Inter.BILINEAR: Image.BILINEAR, Inter.LINEAR: Image.BILINEAR, Inter.CUBIC: Image.BICUBIC,
              Inter.BICUBIC: Image.BICUBIC, Inter.ANTIALIAS: Image.LANCZOS}
_BORDERS = {Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


def resample_of(interpolation):
    """Pillow's number of a way to interpolate; raises ValueError where it has none."""
    if interpolation not in _RESAMPLES:
        raise ValueError(f"Images of Pillow are not resampled by {interpolation!r}; use one of {[one.name for one in _RESAMPLES]}.")
    return _RESAMPLES[interpolation]


def is_pil(img):
    """Whether something is an image of Pillow."""
    return isinstance(img, Image.Image)


def is_numpy(img):
    """Whether something is an array."""
    return isinstance(img, np.ndarray)


def _image(img):
    if not is_pil(img):
        raise TypeError(augment_error_message.format(type(img)))
    return img


def hwc_to_chw(img):
    """An array of three axes with its last axis first; other arrays as they are."""
    if not is_numpy(img):
        raise TypeError(f"img should be NumPy array. Got {type(img)}.")
    return img.transpose(2, 0, 1).copy() if img.ndim == 3 else img


def to_pil(img):
    """An image of Pillow from an array; one of Pillow as it is."""
    return img if is_pil(img) else Image.fromarray(img)


def adjust_brightness(img, brightness_factor):
    """An image between black (0) and itself (1), or beyond."""
    return ImageEnhance.Brightness(_image(img)).enhance(brightness_factor)


def adjust_contrast(img, contrast_factor):
    """An image between its mean grey (0) and itself (1), or beyond."""
    return ImageEnhance.Contrast(_image(img)).enhance(contrast_factor)


def adjust_saturation(img, saturation_factor):
    """An image between shades of grey (0) and itself (1), or beyond."""
    return ImageEnhance.Color(_image(img)).enhance(saturation_factor)


def adjust_hue(img, hue_factor):
    """An image whose hues are moved by a share of the circle, from -0.5 to 0.5; images without colours as they are."""
    mode = _image(img).mode
    if mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, value = img.convert("HSV").split()
    moved = (np.asarray(hue).astype(np.int32) + int(hue_factor * 255)) % 256
    return Image.merge("HSV", (Image.fromarray(moved.astype(np.uint8), "L"), saturation, value)).convert(mode)


def adjust_gamma(img, gamma, gain):
    """An image of gain * value ** gamma, of values from 0 to 1."""
    mode = _image(img).mode
    table = [(255 + 1 - 1e-3) * gain * (value / 255) ** gamma for value in range(256)]
    colours = img.convert("RGB") if mode not in ("L", "RGB") else img
    return colours.point(table * len(colours.getbands())).convert(mode)


def auto_contrast(img, cutoff, ignore):
    """An image whose values reach from 0 to 255."""
    return ImageOps.autocontrast(_image(img), cutoff, ignore)


def equalize(img):
    """An image whose values are as frequent as each other."""
    return ImageOps.equalize(_image(img))


def invert_color(img):
    """An image of 255 - value."""
    return ImageOps.invert(_image(img))


def grayscale(img, num_output_channels):
    """Shades of grey, in one or three channels."""
    grey = _image(img).convert("L")
    if num_output_channels not in (1, 3):
        raise ValueError(f"num_output_channels should be either 1 or 3. Got {num_output_channels}.")
    return grey if num_output_channels == 1 else Image.merge("RGB", (grey,) * 3)


def horizontal_flip(img):
    """An image with left and right exchanged."""
    return _image(img).transpose(Image.FLIP_LEFT_RIGHT)


def vertical_flip(img):
    """An image with top and bottom exchanged."""
    return _image(img).transpose(Image.FLIP_TOP_BOTTOM)


def crop(img, top, left, height, width):
    """A part of an image; what lies outside is black."""
    return _image(img).crop((left, top, left + width, top + height))


def center_crop(img, size):
    """The middle of an image, (height, width)."""
    height, width = (size, size) if isinstance(size, int) else size
    left, top = round((_image(img).width - width) / 2), round((img.height - height) / 2)
    return crop(img, top, left, height, width)


def pad(img, padding, fill_value, padding_mode):
    """An image with more pixels: an int, or those of (left and right, top and bottom), or of (left, top, right, bottom)."""
    _image(img)
    sides = (padding,) * 4 if isinstance(padding, int) else tuple(padding) * (2 if len(padding) == 2 else 1)
    if padding_mode == Border.CONSTANT:
        return ImageOps.expand(img, border=sides, fill=fill_value)
    left, top, right, bottom = sides
    array = np.asarray(img)
    widths = ((top, bottom), (left, right)) + ((0, 0),) * (array.ndim - 2)
    return Image.fromarray(np.pad(array, widths, _BORDERS[padding_mode]))


def resize(img, size, interpolation=Inter.BILINEAR):
    """An image of (height, width), or whose shorter side is `size`."""
    if isinstance(size, int):
        shorter = min(_image(img).size)
        size = (int(size * img.height / shorter), int(size * img.width / shorter))
    return _image(img).resize(size[::-1], resample_of(interpolation))


def rotate(img, angle, resample, expand, center, fill_value):
    """An image rotated against the clock by degrees; an int fills all channels."""
    if isinstance(fill_value, int) and len(_image(img).getbands()) == 3:
        fill_value = (fill_value,) * 3
    return _image(img).rotate(angle, resample_of(resample), expand, center, fillcolor=fill_value)


def random_crop(img, size, padding, pad_if_needed, fill_value, padding_mode):
    """A part of an image, (height, width), at a random position."""
    height, width = (size, size) if isinstance(size, int) else size
    if padding is not None:
        img = pad(img, padding, fill_value, padding_mode)
    if pad_if_needed and _image(img).width < width:
        img = pad(img, (width - img.width, 0), fill_value, padding_mode)
    if pad_if_needed and img.height < height:
        img = pad(img, (0, height - img.height), fill_value, padding_mode)
    if _image(img).width < width or img.height < height:
        raise ValueError(f"Crop size {(height, width)} is larger than input image size {(img.height, img.width)}.")
    return crop(img, random.randint(0, img.height - height), random.randint(0, img.width - width), height, width)


def random_horizontal_flip(img, prob):
    """An image, with left and right exchanged in a share of calls."""
    return horizontal_flip(img) if prob > random.random() else _image(img)


def random_vertical_flip(img, prob):
    """An image, with top and bottom exchanged in a share of calls."""
    return vertical_flip(img) if prob > random.random() else _image(img)


def random_rotation(img, degrees, resample, expand, center, fill_value):
    """An image rotated by an angle between two, in degrees, or by at most `degrees`."""
    low, high = (-degrees, degrees) if isinstance(degrees, (int, float)) else degrees
    return rotate(img, random.uniform(low, high), resample, expand, center, fill_value)


__getattr__ = not_offered(__name__)
