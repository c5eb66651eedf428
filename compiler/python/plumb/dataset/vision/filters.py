"""Operations that normalise, blur or transform all pixels of an image linearly."""

import numpy as np

from plumb.common.dtype import as_dtype
from plumb.dataset._errors import Operation
from plumb.dataset.vision import images
from plumb.dataset.vision.colours import of_type
from plumb.dataset.vision.transforms import ImageOperation, pair


def _gauss(size, sigma):
    """A Gaussian kernel's weights; where sigma is None, OpenCV's deviation for the size."""
    sigma = sigma or ((size - 1) * 0.5 - 1) * 0.3 + 0.8
    weights = np.exp(-0.5 * ((np.arange(size) - (size - 1) / 2) / sigma) ** 2)
    return weights / weights.sum()


def _blurred(image, weights, axis):
    """Weighted sums along an axis; beyond the edges the image is reflected without repeating its last pixel."""
    room = len(weights) // 2
    wide = np.pad(image, [(room, room) if at == axis else (0, 0) for at in range(image.ndim)], "reflect")
    extent = image.shape[axis]
    return sum(weight * np.take(wide, np.arange(begin, begin + extent), axis) for begin, weight in enumerate(weights))


class GaussianBlur(ImageOperation):
    """A Gaussian kernel over an image, reflected at its edges. Bytes may differ by 1 from those of MindSpore 2.0.0,
    whose weights have 8 bits.

    Args:
      kernel_size: an odd int, or (width, height).
      sigma: the deviation in pixels, a number or (of x, of y); None takes one that fits the size.
    """

    def __init__(self, kernel_size, sigma=None):
        self.size = pair(kernel_size, "GaussianBlur", "kernel_size")
        if not all(extent % 2 for extent in self.size):
            raise ValueError(f"Input kernel_size must be odd, but got {kernel_size}.")
        self.sigma = (sigma, sigma) if sigma is None or isinstance(sigma, (int, float)) else tuple(sigma)
        if any(value is not None and value < 0 for value in self.sigma):
            raise ValueError(f"For 'GaussianBlur', sigma must be at least 0, but got {sigma}.")

    def changed(self, image):
        result = image.astype(np.float64)
        for axis, size, sigma in zip((1, 0), self.size, self.sigma):
            result = _blurred(result, _gauss(size, sigma or None), axis)
        return of_type(result, image)


class NormalizePad(ImageOperation):
    """(x - mean) / std by channel, and one more channel of zeros.

    MindSpore 2.0.0 writes the values of images with the channels last one after another, and all zeros behind them.

    Args:
      mean, std: a number for each channel.
      dtype: "float32" or "float16".
      is_hwc: whether the channels stand last.
    """

    def __init__(self, mean, std, dtype="float32", is_hwc=True):
        if len(mean) != len(std) or any(value <= 0 for value in std):
            raise ValueError(f"mean and std must have equal lengths and std be positive, but got {mean} and {std}.")
        if dtype not in ("float32", "float16"):
            raise ValueError(f"dtype should be float32 or float16, but got {dtype}.")
        self.mean, self.std = np.asarray(mean, np.float32), np.asarray(std, np.float32)
        self.dtype, self.axis = np.dtype(dtype), 2 if is_hwc else 0

    def changed(self, image):
        image = np.expand_dims(image, self.axis) if image.ndim == 2 else image
        if image.shape[self.axis] != len(self.mean):
            raise ValueError(f"For 'NormalizePad', there are {len(self.mean)} means, but the image has the shape {list(image.shape)}.")
        extents = [-1 if at == self.axis else 1 for at in range(3)]
        result = (image.astype(np.float32) - self.mean.reshape(extents)) / self.std.reshape(extents)
        return np.pad(result, [(0, 1) if at == self.axis else (0, 0) for at in range(3)]).astype(self.dtype)


class LinearTransformation(Operation):
    """An image's elements in order, less `mean_vector` (D,), times `transformation_matrix` (D, D)."""

    def __init__(self, transformation_matrix, mean_vector):
        self.matrix, self.mean = np.asarray(transformation_matrix), np.asarray(mean_vector)
        if self.matrix.ndim != 2 or self.matrix.shape[0] != self.matrix.shape[1] or self.mean.shape != self.matrix.shape[:1]:
            raise ValueError(f"For 'LinearTransformation', the matrix must be square and the vector as long, but got the shapes "
                             f"{list(self.matrix.shape)} and {list(self.mean.shape)}.")

    def __call__(self, image):
        image = np.asarray(image)
        if image.size != len(self.mean):
            raise ValueError(f"For 'LinearTransformation', an image of {len(self.mean)} elements is needed, but got the shape "
                             f"{list(image.shape)}.")
        return ((image.reshape(1, -1) - self.mean) @ self.matrix).reshape(image.shape)


class ToType(Operation):
    """Elements of another type."""

    def __init__(self, data_type):
        self.dtype = as_dtype(data_type).numpy

    def __call__(self, image):
        return np.asarray(image).astype(self.dtype)


class ToNumpy(Operation):
    """An array as it is, and an image of Pillow as one."""

    def __call__(self, image):
        return np.asarray(image)


class ToPIL(Operation):
    """An image of bytes as Pillow's, for functions of programs that take those; operations take either, see `pillow.py`."""

    def __call__(self, image):
        return images.as_pillow(image, "ToPIL")
