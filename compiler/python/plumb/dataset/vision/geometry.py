"""Operations that move pixels: rotation, affine and perspective maps.

Places are counted in 32nds of a pixel (nearest ones of affine maps in 1024ths), as OpenCV's `warpAffine` and `warpPerspective` do,
so results are MindSpore's; cubic ones may differ by 1, as its weights have 15 bits.
"""

import math

import numpy as np

from plumb.dataset.operations import Inter
from plumb.dataset.vision.colours import of_type
from plumb.dataset.vision.transforms import ImageOperation, RandomImageOperation, share_of

_OFFERED = (Inter.NEAREST, Inter.BILINEAR, Inter.BICUBIC)


def _method(value, who):
    if value not in _OFFERED:
        raise ValueError(f"For '{who}', Inter.NEAREST, Inter.BILINEAR and Inter.BICUBIC are offered, but got {value!r}.")
    return Inter(value)


def _fill(value, who):
    values = (value,) * 3 if isinstance(value, int) else tuple(value)
    if len(values) != 3 or not all(isinstance(item, int) and 0 <= item <= 255 for item in values):
        raise ValueError(f"For '{who}', fill_value must be an int or three of them from 0 to 255, but got {value}.")
    return values


def _angle(value, who):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -180 <= value <= 180:
        raise ValueError(f"For '{who}', an angle must be a number from -180 to 180, but got {value}.")
    return float(value)


# -- maps


def _taps(method, parts):
    """(offset, weight) pairs along one axis for fractions in 32nds."""
    t = parts / 32.0
    if method == Inter.BILINEAR:
        return [(0, 1 - t), (1, t)]
    a = -0.75  # OpenCV's cubic kernel
    outer = lambda x: ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    inner = lambda x: ((a + 2) * x - (a + 3)) * x * x + 1
    first, second, third = outer(t + 1), inner(t), inner(1 - t)
    return [(-1, first), (0, second), (1, third), (2, 1 - first - second - third)]


def _gathered(image, rows, columns, fill):
    """Pixels at places, `fill` beyond the edges."""
    inside = (rows >= 0) & (rows < image.shape[0]) & (columns >= 0) & (columns < image.shape[1])
    found = image[np.where(inside, rows, 0), np.where(inside, columns, 0)]
    return np.where(inside[..., np.newaxis], found, fill)


def _sampled(image, x, y, method, fill):
    """An image at places x and y: whole pixels for NEAREST, else 32nds."""
    flat = image.ndim == 2
    image = image[..., np.newaxis] if flat else image
    fill = np.resize(np.asarray(fill, image.dtype), image.shape[2])
    if method == Inter.NEAREST:
        result = _gathered(image, y, x, fill)
    else:
        total = 0.0
        for down, by_row in _taps(method, y & 31):
            for right, by_column in _taps(method, x & 31):
                found = _gathered(image, (y >> 5) + down, (x >> 5) + right, fill).astype(np.float64)
                total = total + found * (by_row * by_column)[..., np.newaxis]
        # Bytes are rounded halves up here, where sums of weights of 15 bits are shifted.
        result = of_type(np.floor(total + 0.5) if image.dtype == np.uint8 else total, image)
    return result[..., 0] if flat else result


def affine_map(image, matrix, method, fill, size=None):
    """An image under x' = matrix (x, y, 1), of (height, width)."""
    height, width = size or image.shape[:2]
    (a, b, c), (d, e, f) = np.asarray(matrix, np.float64)
    share = 1 / (a * e - b * d) if a * e != b * d else 0.0
    inverse = np.asarray([[e * share, -b * share], [-d * share, a * share]])
    moved = -inverse @ np.asarray([c, f])
    whole = lambda value: np.rint(value * 1024).astype(np.int64)
    columns, rows = np.arange(width), np.arange(height)[:, np.newaxis]
    half, bits = (512, 10) if method == Inter.NEAREST else (16, 5)
    x = (whole(inverse[0, 0] * columns) + whole(inverse[0, 1] * rows + moved[0]) + half) >> bits
    y = (whole(inverse[1, 0] * columns) + whole(inverse[1, 1] * rows + moved[1]) + half) >> bits
    return _sampled(image, x, y, method, fill)


def perspective_map(image, start, end, method):
    """An image under the perspective map that takes four points to four others; black beyond."""
    rows, sums = [], []
    for (x, y), (u, v) in zip(end, start):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        sums += [u, v]
    numbers = np.append(np.linalg.solve(np.asarray(rows, np.float64), np.asarray(sums, np.float64)), 1.0).reshape(3, 3)
    x, y = np.meshgrid(np.arange(image.shape[1]), np.arange(image.shape[0]))
    u, v, w = (row[0] * x + row[1] * y + row[2] for row in numbers)
    scale = (1 if method == Inter.NEAREST else 32) / np.where(w == 0, np.inf, w)
    limit = lambda value: np.rint(np.clip(value * scale, -2 ** 31, 2 ** 31 - 1)).astype(np.int64)
    return _sampled(image, limit(u), limit(v), method, (0, 0, 0))


def affine_matrix(shape, degrees, translate, scale, shear):
    """Rotation, scaling and shears around an image's middle, then a translation by pixels."""
    angle, shear_x, shear_y = (math.radians(value) for value in (degrees, shear[0], -shear[1]))
    turned = math.cos(angle + shear_y) / math.cos(shear_y), math.sin(angle + shear_y) / math.cos(shear_y)
    a, b = scale * turned[0], scale * (-turned[0] * math.tan(shear_x) - math.sin(angle))
    d, e = scale * turned[1], scale * (-turned[1] * math.tan(shear_x) + math.cos(angle))
    x, y = (shape[1] - 1) / 2, (shape[0] - 1) / 2
    return np.asarray([[a, b, (1 - a) * x - b * y + translate[0]], [d, e, (1 - e) * y - d * x + translate[1]]], np.float32)


def rotated(image, degrees, method, expand, center, fill):
    """An image rotated against the clock around a point (x, y), or its middle; enlarged to hold all of it with `expand`."""
    height, width = image.shape[:2]
    x, y = center or ((width - 1) / 2, (height - 1) / 2)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = np.asarray([[cosine, sine, (1 - cosine) * x - sine * y], [-sine, cosine, sine * x + (1 - cosine) * y]])
    if not expand:
        return affine_map(image, matrix, method, fill)
    wide = abs(width * cosine) + abs(height * sine), abs(width * sine) + abs(height * cosine)
    wide = np.float32(wide[0]), np.float32(wide[1])
    matrix[:, 2] += wide[0] / 2 - width / 2, wide[1] / 2 - height / 2
    return affine_map(image, matrix, method, fill, tuple(int(np.rint(extent)) for extent in wide[::-1]))


# -- operations


class Affine(ImageOperation):
    """Rotation, scaling, shears and a translation; the middle stays in place without one.

    Args:
      degrees: the angle, with the clock.
      translate: shares of the width and of the height.
      scale: a factor above 0.
      shear: degrees along x, or along x and y.
      resample: Inter.NEAREST, BILINEAR or BICUBIC.
      fill_value: colour beyond the image.
    """

    def __init__(self, degrees, translate, scale, shear, resample=Inter.NEAREST, fill_value=0):
        self.degrees, self.translate = _angle(degrees, "Affine"), tuple(translate)
        self.shear = (_angle(shear, "Affine"), 0.0) if isinstance(shear, (int, float)) else tuple(
            _angle(value, "Affine") for value in shear)
        if len(self.translate) != 2 or len(self.shear) != 2 or scale <= 0:
            raise ValueError(f"For 'Affine', translate and shear must be two numbers and scale be positive, but got {translate}, "
                             f"{shear} and {scale}.")
        self.scale, self.method, self.fill = scale, _method(resample, "Affine"), _fill(fill_value, "Affine")

    def changed(self, image):
        moved = self.translate[0] * image.shape[1], self.translate[1] * image.shape[0]
        matrix = affine_matrix(image.shape, self.degrees, moved, self.scale, self.shear)
        return affine_map(image, matrix, self.method, self.fill)


class Rotate(ImageOperation):
    """Rotation against the clock.

    Args:
      degrees: the angle.
      resample: Inter.NEAREST, BILINEAR or BICUBIC.
      expand: whether the result is as large as it must be to hold all of the image.
      center: the point (x, y) that stays in place; the middle where None.
      fill_value: colour beyond the image.
    """

    takes_videos = True

    def __init__(self, degrees, resample=Inter.NEAREST, expand=False, center=None, fill_value=0):
        self.degrees, self.method, self.expand = float(degrees), _method(resample, "Rotate"), expand
        self.center, self.fill = center, _fill(fill_value, "Rotate")

    def changed(self, image):
        return rotated(image, self.degrees, self.method, self.expand, self.center, self.fill)


class Perspective(ImageOperation):
    """The perspective map that takes four points (x, y) to four others; black beyond.

    Args:
      start_points, end_points: top left, top right, bottom right and bottom left.
      interpolation: Inter.NEAREST, BILINEAR or BICUBIC.
    """

    def __init__(self, start_points, end_points, interpolation=Inter.BILINEAR):
        self.start, self.end = [tuple(point) for point in start_points], [tuple(point) for point in end_points]
        if [len(point) for point in self.start + self.end] != [2] * 8 or len(self.start) != 4:
            raise ValueError(f"For 'Perspective', start_points and end_points must be four points each, but got {start_points} and "
                             f"{end_points}.")
        self.method = _method(interpolation, "Perspective")

    def changed(self, image):
        return perspective_map(image, self.start, self.end, self.method)


def _between(value, who, lowest=-math.inf):
    low, high = (-value, value) if isinstance(value, (int, float)) else tuple(value)
    if not lowest <= low <= high:
        raise ValueError(f"For '{who}', a range must be two numbers in order, but got {value}.")
    return float(low), float(high)


class RandomRotation(RandomImageOperation):
    """Rotation by a random angle.

    Args:
      degrees: a number n, for -n … n, or a range.
      resample, expand, center, fill_value: as of Rotate.
    """

    def __init__(self, degrees, resample=Inter.NEAREST, expand=False, center=None, fill_value=0):
        if isinstance(degrees, (int, float)) and degrees < 0:
            raise ValueError("If degrees is a single number, it cannot be negative.")
        self.degrees, self.method, self.expand = _between(degrees, "RandomRotation"), _method(resample, "RandomRotation"), expand
        self.center, self.fill = center, _fill(fill_value, "RandomRotation")

    def changed(self, rng, image):
        return rotated(image, rng.uniform(*self.degrees), self.method, self.expand, self.center, self.fill)


class RandomAffine(RandomImageOperation):
    """Rotation, translation, scaling and shears by random numbers.

    Args:
      degrees: a number n, for -n … n, or a range.
      translate: a range of shares of the width, and one of shares of the height, in a row; None does not translate.
      scale: a range of factors.
      shear: a number n, for -n … n along x; a range along x, or one along x and one along y, in a row.
      resample, fill_value: as of Affine.
    """

    def __init__(self, degrees, translate=None, scale=None, shear=None, resample=Inter.NEAREST, fill_value=0):
        self.degrees = _between(degrees, "RandomAffine")
        self.translate = self._two(translate, "translate") if translate is not None else [(0, 0), (0, 0)]
        if any(not -1 <= share <= 1 for part in self.translate for share in part):
            raise ValueError(f"For 'RandomAffine', translate must be shares from -1 to 1, but got {translate}.")
        self.scale = _between(scale, "RandomAffine", 0) if scale is not None else (1.0, 1.0)
        shear = (-shear, shear) if isinstance(shear, (int, float)) else shear
        self.shear = self._two(shear, "shear") if shear is not None else [(0, 0), (0, 0)]
        self.method, self.fill = _method(resample, "RandomAffine"), _fill(fill_value, "RandomAffine")

    @staticmethod
    def _two(values, what):
        values = tuple(values)
        if len(values) not in (2, 4):
            raise TypeError(f"For 'RandomAffine', {what} must be a list or tuple of length 2 or 4, but got {values}.")
        return [_between(values[:2], "RandomAffine"), _between(values[2:] or (0, 0), "RandomAffine")]

    def changed(self, rng, image):
        angle, scale = rng.uniform(*self.degrees), rng.uniform(*self.scale)
        moved = [rng.uniform(*part) * extent for part, extent in zip(self.translate, image.shape[1::-1])]
        matrix = affine_matrix(image.shape, angle, moved, scale, [rng.uniform(*part) for part in self.shear])
        return affine_map(image, matrix, self.method, self.fill)


class RandomPerspective(RandomImageOperation):
    """A perspective map of the corners to random points near them, with probability `prob`.

    Args:
      distortion_scale: the share of half the width and height within which the points are.
      prob: the probability.
      interpolation: Inter.NEAREST, BILINEAR or BICUBIC.
    """

    def __init__(self, distortion_scale=0.5, prob=0.5, interpolation=Inter.BICUBIC):
        self.scale, self.prob = share_of(distortion_scale, "RandomPerspective", "distortion_scale"), share_of(prob, "RandomPerspective")
        self.method = _method(interpolation, "RandomPerspective")

    def changed(self, rng, image):
        if rng.random() >= self.prob:
            return image
        return perspective_map(image, *self.points(rng, *image.shape[:2]), self.method)

    def points(self, rng, height, width):
        """The corners, (x, y) from the top left with the clock, and random points near them."""
        right, down = int(width / 2 * self.scale), int(height / 2 * self.scale)
        near = lambda most: int(rng.integers(most + 1))
        end = [(near(right), near(down)), (width - 1 - near(right), near(down)),
               (width - 1 - near(right), height - 1 - near(down)), (near(right), height - 1 - near(down))]
        return [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], end
