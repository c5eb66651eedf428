"""Operations chosen at random from sets of them, and mixtures of images with their labels."""

import math

import numpy as np

from plumb.dataset import _random
from plumb.dataset._random import RandomOperation
from plumb.dataset.operations import Inter
from plumb.dataset.vision import colours, geometry
from plumb.dataset.vision.transforms import RandomImageOperation, share_of
from plumb.dataset.vision.utils import AutoAugmentPolicy, ImageBatchFormat

_SIGNED = ("ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast", "Sharpness")


def applied(name, size, image, method, fill):
    """The image changed by the operation called `name`: shears in tangents, translations in pixels, bits kept, factors less 1."""
    if name in ("ShearX", "ShearY", "TranslateX", "TranslateY"):
        shear, moved = [0.0, 0.0], [0.0, 0.0]
        (shear if name.startswith("Shear") else moved)[name.endswith("Y")] = math.degrees(size) if name.startswith("S") else size
        return geometry.affine_map(image, geometry.affine_matrix(image.shape, 0.0, moved, 1.0, shear), method, fill)
    actions = {"Rotate": lambda: geometry.rotated(image, size, method, False, None, fill),
               "Brightness": lambda: colours.of_type(image.astype(np.float64) * (1 + size), image),
               "Color": lambda: colours.saturated(image, 1 + size), "Contrast": lambda: colours.contrasted(image, 1 + size),
               "Sharpness": lambda: colours.sharpened(image, 1 + size),
               "Posterize": lambda: colours.posterized(image, int(size)), "Solarize": lambda: colours.solarized(image, size, size),
               "AutoContrast": lambda: colours.stretched(image), "Equalize": lambda: colours.equalized(image),
               "Invert": lambda: 255 - image, "Identity": lambda: image}
    return actions[name]()


def _sizes(shape, bins, shear, turn, factor, lost_bits, moved, brightest):
    """For each operation its sizes from the weakest to the strongest."""
    found = {name: np.linspace(0, most, bins) for name, most in (
        ("ShearX", shear), ("ShearY", shear), ("TranslateX", moved[1]), ("TranslateY", moved[0]), ("Rotate", turn),
        ("Brightness", factor), ("Color", factor), ("Contrast", factor), ("Sharpness", factor))}
    found["Posterize"] = 8 - np.round(np.arange(bins) * (lost_bits / (bins - 1)))
    found["Solarize"] = np.linspace(brightest, 0, bins)
    return found


class _Augment(RandomImageOperation):
    """Base of operations that choose among those of `applied`."""

    def __init__(self, interpolation, fill_value):
        who = type(self).__name__
        self.method, self.fill = geometry._method(interpolation, who), geometry._fill(fill_value, who)

    def _changed(self, rng, image, name, sizes, place):
        size = float(sizes[name][place]) if name in sizes else 0.0
        size = -size if name in _SIGNED and rng.integers(2) else size
        return applied(name, size, image, self.method, self.fill)


_CHOICES = ("Identity", *_SIGNED, "Posterize", "Solarize", "AutoContrast", "Equalize")


class RandAugment(_Augment):
    """`num_ops` random operations of one strength, one after another, on an RGB image (Cubuk et al. 2019, RandAugment).

    Args:
      num_ops: how many.
      magnitude: the strength, from 0 to below `num_magnitude_bins`.
      num_magnitude_bins: how many strengths there are.
      interpolation: Inter.NEAREST, BILINEAR or BICUBIC.
      fill_value: colour beyond the image.
    """

    def __init__(self, num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation=Inter.NEAREST, fill_value=0):
        super().__init__(interpolation, fill_value)
        if num_ops < 0 or num_magnitude_bins < 2 or not 0 <= magnitude < num_magnitude_bins:
            raise ValueError(f"For 'RandAugment', magnitude must be at least 0 and below num_magnitude_bins, which is at least 2, but got "
                             f"{magnitude} and {num_magnitude_bins}.")
        self.num_ops, self.magnitude, self.bins = num_ops, magnitude, num_magnitude_bins

    def changed(self, rng, image):
        shape = colours.colour(image, "RandAugment").shape
        moved = [150 / 331 * extent for extent in shape[:2]]
        sizes = _sizes(shape, self.bins, 0.3, 30, 0.9, 4, moved, 255)
        for _ in range(self.num_ops):
            image = self._changed(rng, image, _CHOICES[int(rng.integers(len(_CHOICES)))], sizes, self.magnitude)
        return image


class TrivialAugmentWide(_Augment):
    """One random operation of random strength on an RGB image (Müller and Hutter 2021, TrivialAugment).

    Args:
      num_magnitude_bins: how many strengths there are.
      interpolation, fill_value: as of RandAugment.
    """

    def __init__(self, num_magnitude_bins=31, interpolation=Inter.NEAREST, fill_value=0):
        super().__init__(interpolation, fill_value)
        if num_magnitude_bins < 2:
            raise ValueError(f"For 'TrivialAugmentWide', num_magnitude_bins must be at least 2, but got {num_magnitude_bins}.")
        self.bins = num_magnitude_bins

    def changed(self, rng, image):
        shape = colours.colour(image, "TrivialAugmentWide").shape
        sizes = _sizes(shape, self.bins, 0.99, 135, 0.99, 6, (32, 32), 255)
        return self._changed(rng, image, _CHOICES[int(rng.integers(len(_CHOICES)))], sizes, int(rng.integers(self.bins)))


# Tables 7 to 9 of Cubuk et al. 2018, AutoAugment: two operations a line, each with ten times its probability and its strength.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: """
        Posterize 4 8 Rotate 6 9; Solarize 6 5 AutoContrast 6 0; Equalize 8 0 Equalize 6 0; Posterize 6 7 Posterize 6 6;
        Equalize 4 0 Solarize 2 4; Equalize 4 0 Rotate 8 8; Solarize 6 3 Equalize 6 0; Posterize 8 5 Equalize 10 0;
        Rotate 2 3 Solarize 6 8; Equalize 6 0 Posterize 4 6; Rotate 8 8 Color 4 0; Rotate 4 9 Equalize 6 0;
        Equalize 0 0 Equalize 8 0; Invert 6 0 Equalize 10 0; Color 6 4 Contrast 10 8; Rotate 8 8 Color 10 2;
        Color 8 8 Solarize 8 7; Sharpness 4 7 Invert 6 0; ShearX 6 5 Equalize 10 0; Color 4 0 Equalize 6 0;
        Equalize 4 0 Solarize 2 4; Solarize 6 5 AutoContrast 6 0; Invert 6 0 Equalize 10 0; Color 6 4 Contrast 10 8;
        Equalize 8 0 Equalize 6 0""",
    AutoAugmentPolicy.CIFAR10: """
        Invert 1 0 Contrast 2 6; Rotate 7 2 TranslateX 3 9; Sharpness 8 1 Sharpness 9 3; ShearY 5 8 TranslateY 7 9;
        AutoContrast 5 0 Equalize 9 0; ShearY 2 7 Posterize 3 7; Color 4 3 Brightness 6 7; Sharpness 3 9 Brightness 7 9;
        Equalize 6 0 Equalize 5 0; Contrast 6 7 Sharpness 6 5; Color 7 7 TranslateX 5 8; Equalize 3 0 AutoContrast 4 0;
        TranslateY 4 3 Sharpness 2 6; Brightness 9 6 Color 2 8; Solarize 5 2 Invert 0 0; Equalize 2 0 AutoContrast 6 0;
        Equalize 2 0 Equalize 6 0; Color 9 9 Equalize 6 0; AutoContrast 8 0 Solarize 2 8; Brightness 1 3 Color 7 0;
        Solarize 4 5 AutoContrast 9 0; TranslateY 9 9 TranslateY 7 9; AutoContrast 9 0 Solarize 8 3; Equalize 8 0 Invert 1 0;
        TranslateY 7 9 AutoContrast 9 0""",
    AutoAugmentPolicy.SVHN: """
        ShearX 9 4 Invert 2 0; ShearY 9 8 Invert 7 0; Equalize 6 0 Solarize 6 6; Invert 9 0 Equalize 6 0;
        Equalize 6 0 Rotate 9 3; ShearX 9 4 AutoContrast 8 0; ShearY 9 8 Invert 4 0; ShearY 9 5 Solarize 2 6;
        Invert 9 0 AutoContrast 8 0; Equalize 6 0 Rotate 9 3; ShearX 9 4 Solarize 3 3; ShearY 8 8 Invert 7 0;
        Equalize 9 0 TranslateY 6 6; Invert 9 0 Equalize 6 0; Contrast 3 3 Rotate 8 4; Invert 8 0 TranslateY 0 2;
        ShearY 7 6 Solarize 4 8; Invert 6 0 Rotate 8 4; ShearY 3 7 TranslateX 9 3; ShearX 1 6 Invert 6 0;
        Solarize 7 2 TranslateY 6 7; ShearY 8 4 Invert 8 0; ShearX 7 9 TranslateY 8 3; ShearY 8 5 AutoContrast 7 0;
        ShearX 7 2 Invert 1 0"""}


def policy_of(policy):
    """A policy's pairs of (name, probability, strength)."""
    words = [line.split() for line in _POLICIES[policy].split(";")]
    return [[(line[at], int(line[at + 1]) / 10, int(line[at + 2])) for at in (0, 3)] for line in words]


class AutoAugment(_Augment):
    """A random pair of operations that were learned for a data set, on an RGB image (Cubuk et al. 2018, AutoAugment).

    Args:
      policy: an AutoAugmentPolicy.
      interpolation, fill_value: as of RandAugment.
    """

    def __init__(self, policy=AutoAugmentPolicy.IMAGENET, interpolation=Inter.NEAREST, fill_value=0):
        super().__init__(interpolation, fill_value)
        if not isinstance(policy, AutoAugmentPolicy):
            raise TypeError(f"Argument policy with value {policy} is not of type [<enum 'AutoAugmentPolicy'>].")
        self.pairs = policy_of(policy)

    def changed(self, rng, image):
        shape = colours.colour(image, "AutoAugment").shape
        sizes = _sizes(shape, 10, 0.3, 30, 0.9, 4, [150 / 331 * extent for extent in shape[:2]], 256)
        for name, probability, place in self.pairs[int(rng.integers(len(self.pairs)))]:
            if rng.random() < probability:
                image = self._changed(rng, image, name, sizes, place)
        return image


class UniformAugment(RandomOperation):
    """`num_ops` of the operations in `transforms`, chosen at random, each with a random probability (LingChen et al. 2020)."""

    def __init__(self, transforms, num_ops=2):
        if not transforms or not all(map(callable, transforms)) or not 1 <= num_ops <= len(transforms):
            raise ValueError(f"For 'UniformAugment', num_ops must be from 1 to the number of operations, but got {num_ops} of "
                             f"{len(transforms)}.")
        self.transforms, self.num_ops = list(transforms), num_ops

    def transform(self, rng, image):
        for place in rng.choice(len(self.transforms), self.num_ops, replace=False):
            if rng.random() < rng.random():
                image = _random.apply(self.transforms[place], int(rng.integers(2 ** 63)), (image,))
        return image


class RandomSelectSubpolicy(RandomOperation):
    """One of several lists of (operation, probability), whose operations are applied one after another with their probabilities."""

    def __init__(self, policy):
        if not policy or not all(policy):
            raise ValueError("For 'RandomSelectSubpolicy', policy must be a list of lists that are not empty.")
        self.policy = [[(operation, share_of(prob, "RandomSelectSubpolicy")) for operation, prob in part] for part in policy]

    def transform(self, rng, image):
        for operation, prob in self.policy[int(rng.integers(len(self.policy)))]:
            if rng.random() < prob:
                image = _random.apply(operation, int(rng.integers(2 ** 63)), (image,))
        return image


# -- mixtures, behind `batch`


class CutMixBatch(RandomOperation):
    """Behind `batch`: a random part of each image replaced by that of another, and the labels mixed by area (Yun et al. 2019).

    Args:
      image_batch_format: ImageBatchFormat.NHWC or NCHW.
      alpha: the share's distribution is Beta(alpha, alpha).
      prob: the probability for each image.
    """

    def __init__(self, image_batch_format, alpha=1.0, prob=1.0):
        if not isinstance(image_batch_format, ImageBatchFormat):
            raise TypeError(f"Argument image_batch_format with value {image_batch_format} is not of type [<enum 'ImageBatchFormat'>].")
        if alpha <= 0:
            raise ValueError(f"For 'CutMixBatch', alpha must be positive, but got {alpha}.")
        self.front = 1 if image_batch_format == ImageBatchFormat.NHWC else 2
        self.alpha, self.prob = alpha, share_of(prob, "CutMixBatch")

    def transform(self, rng, image, label):
        image, label = np.asarray(image), np.asarray(label)
        if image.ndim != 4 or label.ndim not in (2, 3):
            raise ValueError(f"For 'CutMixBatch', images must be batched and labels one-hot, but got the shapes "
                             f"{list(image.shape)} and {list(label.shape)}.")
        mixed, shares, order = image.copy(), np.ones(len(image), np.float32), rng.permutation(len(image))
        extents = image.shape[self.front:self.front + 2]
        for number, other in enumerate(order):
            part = self._part(rng, extents)
            if rng.random() < self.prob:
                inside = (number,) + (slice(None),) * (self.front - 1) + part
                mixed[inside] = image[(other,) + inside[1:]]
                area = math.prod(piece.stop - piece.start for piece in part)
                shares[number] = 1 - area / math.prod(extents)
        shares = shares.reshape((-1,) + (1,) * (label.ndim - 1))
        return mixed, (shares * label + (1 - shares) * label[order]).astype(np.float32)

    def _part(self, rng, extents):
        """Slices of a rectangle around a random pixel, whose area has the random share as long as it is inside."""
        size = math.sqrt(1 - rng.beta(self.alpha, self.alpha))
        found = []
        for extent in extents:
            middle, half = int(rng.integers(extent)), int(extent * size) // 2
            found.append(slice(max(middle - half, 0), min(middle + half, extent)))
        return tuple(found)


class MixUp(RandomOperation):
    """Behind `batch`: each image and its one-hot label mixed with the next one's, by a share of Beta(alpha, alpha) of its own.

    Args:
      batch_size: how many images a batch has.
      alpha: above 0.
      is_single: True; mixing with the batch before, which depends on the order of workers, is not offered.
    """

    def __init__(self, batch_size, alpha, is_single=True):
        if batch_size < 1 or alpha <= 0:
            raise ValueError(f"For 'MixUp', batch_size and alpha must be positive, but got {batch_size} and {alpha}.")
        if not is_single:
            raise ValueError("For 'MixUp', is_single=False is not offered: images are mixed within their batch.")
        self.batch_size, self.alpha = batch_size, alpha

    def transform(self, rng, image, label):
        image, label = np.asarray(image), np.asarray(label)
        if len(image) != self.batch_size or len(label) != self.batch_size:
            raise ValueError(f"For 'MixUp', a batch of {self.batch_size} is needed, but got {len(image)} images and {len(label)} labels.")
        shares = rng.beta(self.alpha, self.alpha, self.batch_size)
        wide = lambda value: shares.reshape((-1,) + (1,) * (value.ndim - 1))
        mixed = [wide(value) * value + (1 - wide(value)) * np.roll(value, -1, axis=0) for value in (image, label)]
        return tuple(mixed)
