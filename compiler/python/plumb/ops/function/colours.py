"""Colours of images whose last axis holds red, green and blue, in the parsable subset."""

from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F


def _channels(who, images):
    if _checks.floating(who, images).shape[-1] != 3:
        raise ValueError(f"For '{who}', the last axis must have 3 channels, but got {images.shape}")
    last = images.ndim - 1
    return tuple([F.part(images, last, place, place + 1) for place in range(3)])


def rgb_to_hsv(images):
    """Hue, saturation and value, all from 0 to 1, of red, green and blue (Smith 1978); grey has the hue 0.

    Saturations of f16 are finite; MindSpore 2.0.0 has infinite ones.
    """
    red, green, blue = _channels("RGBToHSV", images)
    value = F.maximum(F.maximum(red, green), blue)
    spread = value - F.minimum(F.minimum(red, green), blue)
    ones = F.ones_like(spread)
    scale = F.select(F.greater(spread, 0.0), spread, ones) * 6.0
    hue = F.select(F.equal(value, red), (green - blue) / scale, F.select(F.equal(value, green), (blue - red) / scale + 1.0 / 3.0,
                                                                         (red - green) / scale + 2.0 / 3.0))
    hue = F.select(F.greater(spread, 0.0), F.select(F.less(hue, 0.0), hue + 1.0, hue), F.zeros_like(hue))
    coloured = F.greater(value, 0.0)
    saturation = F.select(coloured, spread / F.select(coloured, value, ones), F.zeros_like(spread))
    return F.concat((hue, saturation, value), images.ndim - 1)


def hsv_to_rgb(x):
    """Red, green and blue of hue, saturation and value, all from 0 to 1."""
    hue, saturation, value = _channels("HSVToRGB", x)
    made = ()
    for offset in (5.0, 3.0, 1.0):
        place = hue * 6.0 + offset
        place = place - F.floor(F.stop_gradient(place / 6.0)) * 6.0
        share = F.maximum(F.minimum(F.minimum(place, 4.0 - place), 1.0), 0.0)
        made = made + (value - value * saturation * share,)
    return F.concat(made, x.ndim - 1)


def _factor(number, channel):
    return F.cast(number, channel.dtype) if isinstance(number, _checks.Tensor) else number


def adjust_hue(image, delta):
    """Images whose hue is rotated by `delta`, a share of the whole circle."""
    hue, saturation, value = _channels("AdjustHue", rgb_to_hsv(image))
    moved = hue + _factor(delta, hue)
    return hsv_to_rgb(F.concat((moved - F.floor(F.stop_gradient(moved)), saturation, value), image.ndim - 1))


def adjust_saturation(image, scale):
    """Images whose saturation is multiplied by `scale` and held between 0 and 1."""
    hue, saturation, value = _channels("AdjustSaturation", rgb_to_hsv(image))
    return hsv_to_rgb(F.concat((hue, F.minimum(F.maximum(saturation * _factor(scale, saturation), 0.0), 1.0), value), image.ndim - 1))


rgb_to_hsv, hsv_to_rgb, adjust_hue, adjust_saturation = Whole(rgb_to_hsv), Whole(hsv_to_rgb), Whole(adjust_hue), Whole(adjust_saturation)

__all__ = []
