"""Operations on the colours of images: uint8 [height, width, 3] or [height, width], where nothing else is said.

Bytes are rounded as OpenCV rounds them (halves to even), so results are MindSpore's. Sources of formulas: OpenCV's documentation of
`cvtColor`, `equalizeHist` and `filter2D`; Pillow's of `ImageOps.autocontrast`.
"""

import numpy as np

from plumb.dataset._errors import Operation
from plumb.dataset.vision import images
from plumb.dataset.vision.transforms import ImageOperation, RandomImageOperation, share_of
from plumb.dataset.vision.utils import ConvertMode


def of_type(values, image):
    """Float values in the element type of `image`; those of bytes are rounded and cut to their range."""
    return np.clip(np.rint(values), 0, 255).astype(np.uint8) if image.dtype == np.uint8 else values.astype(image.dtype)


def grey_of(image):
    """An RGB image's brightness in its element type; that of bytes by OpenCV's weights of 15 bits."""
    if image.dtype != np.uint8:
        return images.grey(image).astype(image.dtype)
    return ((image[..., :3].astype(np.int32) @ np.asarray([9798, 19235, 3735], np.int32) + (1 << 14)) >> 15).astype(np.uint8)


def _factor(value, who, what):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise ValueError(f"For '{who}', {what} must be a number of at least 0, but got {value}.")
    return float(np.float32(value))


def _range(value, who):
    low, high = value
    if not 0 <= low <= high:
        raise ValueError(f"For '{who}', degrees must be two numbers of at least 0 in order, but got {value}.")
    return float(low), float(high)


def colour(image, who):
    """Returns an image; raises ValueError where it has not three channels."""
    if image.ndim != 3 or image.shape[2] != 3:
        raise ValueError(f"{who} works on images of shape [height, width, 3], but got the shape {list(image.shape)}.")
    return image


def by_channel(function, image):
    """A function of one channel (bytes [height, width]) applied to each channel of an image."""
    if image.dtype != np.uint8:
        raise TypeError(f"The operation works on uint8, but got {image.dtype}.")
    if image.ndim == 2:
        return function(image)
    return np.stack([function(image[..., channel]) for channel in range(image.shape[2])], axis=2)


# -- what operations compute


def contrasted(image, factor):
    """An image moved from its mean brightness by a factor."""
    mean = of_type(np.asarray(grey_of(image).mean(dtype=np.float64)), image)
    return images.moved(image, mean, factor) if image.dtype == np.uint8 else images.blended(image, mean, factor)


def saturated(image, factor):
    """An image moved from its grey one by a factor."""
    if image.dtype == np.uint8:
        return images.moved(image, grey_of(image)[..., np.newaxis], factor)
    return images.blended(image, grey_of(image)[..., np.newaxis].astype(np.float32), factor)


def sharpened(image, factor):
    """An image moved from a smoothed one by a factor; its outermost pixels stay."""
    wide = image.astype(np.float64)
    smooth = wide.copy()
    near = sum(wide[i:image.shape[0] - 2 + i, j:image.shape[1] - 2 + j] for i in range(3) for j in range(3))
    smooth[1:-1, 1:-1] = (near + 4 * wide[1:-1, 1:-1]) / 13
    return (images.fused if image.dtype == np.uint8 else images.blended)(image, of_type(smooth, image), factor)


def _stretch_table(channel, cutoff, ignore):
    counts = np.bincount(channel.reshape(-1), minlength=256)
    counts[list(ignore)] = 0
    cut = int(counts.sum() * cutoff // 100)
    for order in (range(256), range(255, -1, -1)):
        left = cut
        for value in order:
            taken = min(left, int(counts[value]))
            counts[value] -= taken
            left -= taken
            if not left:
                break
    present = np.flatnonzero(counts)
    if not present.size or present[-1] <= present[0]:
        return np.arange(256, dtype=np.uint8)
    scale = np.float32(255) / np.float32(present[-1] - present[0])
    table = (np.arange(256, dtype=np.float32) * scale + np.float32(-present[0]) * scale).astype(np.int32)
    return np.clip(table, 0, 255).astype(np.uint8)


def stretched(image, cutoff=0.0, ignore=()):
    """An image whose channels reach from 0 to 255 each, `cutoff` percent of pixels left out at both ends."""
    return by_channel(lambda channel: _stretch_table(channel, cutoff, ignore)[channel], image)


def _equal_table(channel):
    counts = np.bincount(channel.reshape(-1), minlength=256)
    first = int(np.flatnonzero(counts)[0])
    if counts[first] == channel.size:
        return np.full(256, first, np.uint8)
    sums = np.cumsum(counts) - counts[first]
    sums[:first + 1] = 0
    scale = np.float32(255) / np.float32(channel.size - counts[first])
    return np.clip(np.rint(sums.astype(np.float32) * scale), 0, 255).astype(np.uint8)


def equalized(image):
    """An image whose channels have even histograms."""
    return by_channel(lambda channel: _equal_table(channel)[channel], image)


def posterized(image, bits):
    """The upper bits of bytes."""
    if image.dtype != np.uint8:
        raise TypeError(f"'Posterize' works on uint8, but got {image.dtype}.")
    return image & np.uint8(256 - (1 << (8 - bits)))


def solarized(image, low, high):
    """255 - x for pixels from `low` to `high`; from `low` on, where both are the same."""
    inside = image >= low if low == high else (image >= low) & (image <= high)
    return np.where(inside, 255 - image.astype(np.float64), image).astype(image.dtype)


# -- hue


def _hsv_bytes(image):
    """Hue, saturation and value of an RGB image of bytes, 0 … 255 each, by OpenCV's tables of 12 bits."""
    r, g, b = (image[..., channel].astype(np.int64) for channel in range(3))
    value = image.max(-1).astype(np.int64)
    span = value - image.min(-1)
    numbers = np.maximum(np.arange(256), 1)
    by_value, by_span = np.rint((255 << 12) / numbers).astype(np.int64), np.rint((256 << 12) / (6.0 * numbers)).astype(np.int64)
    by_value[0] = by_span[0] = 0
    saturation = (span * by_value[value] + (1 << 11)) >> 12
    hue = np.where(value == r, g - b, np.where(value == g, b - r + 2 * span, r - g + 4 * span))
    hue = (hue * by_span[span] + (1 << 11)) >> 12
    return np.where(hue < 0, hue + 256, hue) & 255, saturation, value


def _rgb_of_hsv(hue, saturation, value):
    """Red, green and blue of hue in sixths of a turn, saturation and value from 0 to 1."""
    sector = np.floor(hue)
    part = hue - sector
    choices = np.stack([value, value * (1 - saturation), value * (1 - saturation * part), value * (1 - saturation * (1 - part))])
    places = np.asarray([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]])[sector.astype(np.int64) % 6]
    return np.take_along_axis(np.moveaxis(choices, 0, -1), places, axis=-1)


def hue_moved(image, share):
    """An RGB image of bytes with its hue moved by a share of the circle, which OpenCV cuts in 256 on the way there, in 255 back."""
    hue, saturation, value = _hsv_bytes(image)
    hue = (hue + (int(np.float32(share) * 255) & 255)) & 255
    rgb = _rgb_of_hsv(hue * np.float32(6 / 255), saturation * np.float32(1 / 255), value * np.float32(1 / 255))
    return np.clip(np.rint(rgb * 255), 0, 255).astype(np.uint8)


# -- operations


class AdjustBrightness(ImageOperation):
    """Pixels times `brightness_factor`, at least 0."""

    def __init__(self, brightness_factor):
        self.factor = _factor(brightness_factor, "AdjustBrightness", "brightness_factor")

    def changed(self, image):
        return of_type(image.astype(np.float32) * np.float32(self.factor), image)


class AdjustContrast(ImageOperation):
    """The distance of an RGB image from its mean brightness times `contrast_factor`, at least 0."""

    def __init__(self, contrast_factor):
        self.factor = _factor(contrast_factor, "AdjustContrast", "contrast_factor")

    def changed(self, image):
        return contrasted(colour(image, "AdjustContrast"), self.factor)


class AdjustSaturation(ImageOperation):
    """The distance of an RGB image from its grey one times `saturation_factor`, at least 0."""

    def __init__(self, saturation_factor):
        self.factor = _factor(saturation_factor, "AdjustSaturation", "saturation_factor")

    def changed(self, image):
        return saturated(colour(image, "AdjustSaturation"), self.factor)


class AdjustSharpness(ImageOperation):
    """The distance of an image from a smoothed one times `sharpness_factor`, at least 0."""

    def __init__(self, sharpness_factor):
        self.factor = _factor(sharpness_factor, "AdjustSharpness", "sharpness_factor")

    def changed(self, image):
        return sharpened(image, self.factor)


class AdjustHue(ImageOperation):
    """The hue of an RGB image of bytes moved by `hue_factor`, a share of the circle from -0.5 to 0.5."""

    def __init__(self, hue_factor):
        if not -0.5 <= hue_factor <= 0.5:
            raise ValueError(f"Input hue_factor is not within the required interval of [-0.5, 0.5], but got {hue_factor}.")
        self.factor = hue_factor

    def changed(self, image):
        return hue_moved(colour(image, "AdjustHue"), self.factor)


class AdjustGamma(ImageOperation):
    """255 gain (x / 255)^gamma of bytes; of floats from 0 to 1, (x gain)^gamma, cut to that range."""

    takes_videos = True

    def __init__(self, gamma, gain=1):
        self.gamma, self.gain = _factor(gamma, "AdjustGamma", "gamma"), float(gain)

    def changed(self, image):
        if image.dtype.kind == "f":
            return np.clip((image * self.gain) ** self.gamma, 0, 1).astype(image.dtype)
        shares = (np.arange(256, dtype=np.float32) / np.float32(255)) ** np.float32(self.gamma)
        table = np.floor(np.minimum(shares * np.float32(256 - 1e-3) * np.float32(self.gain), np.float32(255)))
        return table.astype(np.uint8)[image]


class AutoContrast(ImageOperation):
    """Each channel stretched to reach from 0 to 255.

    Args:
      cutoff: percent of the lightest and of the darkest pixels left out, from 0 to below 50.
      ignore: a value, or several, that do not count.
    """

    def __init__(self, cutoff=0.0, ignore=None):
        if not 0 <= cutoff < 50:
            raise ValueError(f"Input cutoff is not within the required interval of [0, 50), but got {cutoff}.")
        self.cutoff = cutoff
        self.ignore = [ignore] if isinstance(ignore, int) else list(ignore or ())

    def changed(self, image):
        return stretched(image, self.cutoff, self.ignore)


class Equalize(ImageOperation):
    """Each channel with an even histogram."""

    def changed(self, image):
        return equalized(image)


class Posterize(ImageOperation):
    """The upper `bits` of bytes, from 0 to 8."""

    def __init__(self, bits):
        if not isinstance(bits, int) or not 0 <= bits <= 8:
            raise ValueError(f"Input bits is not within the required interval of [0, 8], but got {bits}.")
        self.bits = bits

    def changed(self, image):
        return posterized(image, self.bits)


class Solarize(ImageOperation):
    """255 - x for pixels from one `threshold` to another, or from a single one on."""

    def __init__(self, threshold):
        self.low, self.high = (threshold, threshold) if isinstance(threshold, (int, float)) else tuple(threshold)
        if not 0 <= self.low <= self.high <= 255:
            raise ValueError(f"For 'Solarize', threshold must be two numbers in order from 0 to 255, but got {threshold}.")

    def changed(self, image):
        return solarized(image, self.low, self.high)


_ORDERS = {0: "012a", 1: "012", 2: "210a", 3: "210", 4: "210", 5: "2103", 8: "000", 9: "000a"}


class ConvertColor(ImageOperation):
    """Channels in another order, one more, one less, or grey: see ConvertMode."""

    def __init__(self, convert_mode):
        if not isinstance(convert_mode, ConvertMode):
            raise TypeError(f"Argument convert_mode with value {convert_mode} is not of type [<enum 'ConvertMode'>].")
        self.mode = convert_mode

    def changed(self, image):
        image = image[..., np.newaxis] if image.ndim == 2 else image
        expected = {0: 3, 2: 3, 4: 3, 6: 3, 7: 3, 8: 1, 9: 1}.get(int(self.mode), 4)
        if image.shape[2] != expected:
            raise ValueError(f"For 'ConvertColor', {self.mode.name} takes {expected} channels, but got {image.shape[2]}.")
        if self.mode not in _ORDERS:
            return grey_of(image[..., :3] if self.mode in (7, 11) else image[..., 2::-1])
        full = np.full(image.shape[:2], 255 if image.dtype.kind in "iu" else 1, image.dtype)
        return np.stack([full if place == "a" else image[..., int(place)] for place in _ORDERS[self.mode]], axis=2)


class _OfChannels(Operation):
    """Base of conversions of one image or a batch, with the channels last (`is_hwc`) or before height and width."""

    def __init__(self, is_hwc=False):
        self.is_hwc = is_hwc

    def __call__(self, value):
        value = np.asarray(value)
        axis = -1 if self.is_hwc else -3
        if value.ndim not in (3, 4) or value.shape[axis] != 3:
            raise TypeError(f"'{type(self).__name__}' works on images of 3 channels, but got the shape {list(value.shape)}.")
        return np.moveaxis(self.converted(np.moveaxis(value.astype(np.float64), axis, -1)), -1, axis)

    def converted(self, image):
        """Returns the conversion of [..., 3]."""
        raise NotImplementedError


class RgbToHsv(_OfChannels):
    """Red, green and blue to hue and saturation, from 0 to 1, and value, as `colorsys.rgb_to_hsv`; float64."""

    def converted(self, image):
        r, g, b = np.moveaxis(image, -1, 0)
        value, low = image.max(-1), image.min(-1)
        span = np.where(value == low, 1.0, value - low)
        hue = np.where(value == r, (g - b) / span, np.where(value == g, 2 + (b - r) / span, 4 + (r - g) / span)) / 6 % 1
        saturation = np.where(value == low, 0, (value - low) / np.where(value == 0, 1, value))
        return np.stack([np.where(value == low, 0, hue), saturation, value], axis=-1)


class HsvToRgb(_OfChannels):
    """Hue and saturation, from 0 to 1, and value to red, green and blue, as `colorsys.hsv_to_rgb`; float64."""

    def converted(self, image):
        hue, saturation, value = np.moveaxis(image, -1, 0)
        return _rgb_of_hsv(hue * 6, saturation, value)


# -- at random


class RandomColor(RandomImageOperation):
    """The saturation times a factor between `degrees`."""

    def __init__(self, degrees=(0.1, 1.9)):
        self.degrees = _range(degrees, "RandomColor")

    def changed(self, rng, image):
        image, factor = colour(image, "RandomColor"), rng.uniform(*self.degrees)
        if image.dtype != np.uint8:
            return saturated(image, factor)
        return images.fused(image, grey_of(image)[..., np.newaxis], factor)


class RandomSharpness(RandomImageOperation):
    """The sharpness times a factor between `degrees`."""

    def __init__(self, degrees=(0.1, 1.9)):
        self.degrees = _range(degrees, "RandomSharpness")

    def changed(self, rng, image):
        return sharpened(image, rng.uniform(*self.degrees))


class RandomAdjustSharpness(RandomImageOperation):
    """The sharpness times `degree`, with probability `prob`."""

    def __init__(self, degree, prob=0.5):
        self.degree, self.prob = _factor(degree, "RandomAdjustSharpness", "degree"), share_of(prob, "RandomAdjustSharpness")

    def changed(self, rng, image):
        return sharpened(image, self.degree) if rng.random() < self.prob else image


class RandomAutoContrast(RandomImageOperation):
    """AutoContrast by `cutoff` and `ignore`, with probability `prob`."""

    def __init__(self, cutoff=0.0, ignore=None, prob=0.5):
        self.operation, self.prob = AutoContrast(cutoff, ignore), share_of(prob, "RandomAutoContrast")

    def changed(self, rng, image):
        return self.operation(image) if rng.random() < self.prob else image


class RandomEqualize(RandomImageOperation):
    """Equalize, with probability `prob`."""

    def __init__(self, prob=0.5):
        self.prob = share_of(prob, "RandomEqualize")

    def changed(self, rng, image):
        return equalized(image) if rng.random() < self.prob else image


class RandomInvert(RandomImageOperation):
    """255 - image, with probability `prob`."""

    def __init__(self, prob=0.5):
        self.prob = share_of(prob, "RandomInvert")

    def changed(self, rng, image):
        return (255 - image).astype(image.dtype) if rng.random() < self.prob else image


class RandomPosterize(RandomImageOperation):
    """The upper bits of bytes, as many as a number of `bits`, from 1 to 8, or between two of them."""

    def __init__(self, bits=(8, 8)):
        self.bits = (bits, bits) if isinstance(bits, int) else tuple(bits)
        if not 1 <= self.bits[0] <= self.bits[1] <= 8:
            raise ValueError(f"For 'RandomPosterize', bits must be in order from 1 to 8, but got {bits}.")

    def changed(self, rng, image):
        return posterized(image, int(rng.integers(self.bits[0], self.bits[1] + 1)))


class RandomSolarize(RandomImageOperation):
    """255 - x for pixels in a random range within `threshold`, two numbers in order; from it on where both are the same."""

    def __init__(self, threshold=(0, 255)):
        self.low, self.high = threshold
        if not 0 <= self.low <= self.high <= 255:
            raise ValueError(f"For 'RandomSolarize', threshold must be two numbers in order from 0 to 255, but got {threshold}.")

    def changed(self, rng, image):
        low, high = sorted(int(rng.integers(self.low, self.high + 1)) for _ in range(2))
        return solarized(image, low, high)


class RandomGrayscale(RandomImageOperation):
    """An RGB image in grey, with three equal channels, with probability `prob`."""

    def __init__(self, prob=0.1):
        self.prob = share_of(prob, "RandomGrayscale")

    def changed(self, rng, image):
        if rng.random() >= self.prob:
            return image
        return np.repeat(grey_of(colour(image, "RandomGrayscale"))[..., np.newaxis], 3, axis=2)


class RandomLighting(RandomImageOperation):
    """Noise along the principal components of ImageNet's colours (Krizhevsky et al. 2012), of deviation `alpha`."""

    _COMPONENTS = np.asarray([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
    _SIZES = np.asarray([55.46, 4.794, 1.148])

    def __init__(self, alpha=0.05):
        self.alpha = _factor(alpha, "RandomLighting", "alpha")

    def changed(self, rng, image):
        noise = self._COMPONENTS @ (self._SIZES * rng.normal(0, self.alpha, 3))
        return of_type(colour(image, "RandomLighting") + noise, image)
