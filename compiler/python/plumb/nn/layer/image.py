"""Images: other sizes, differences of neighbours, middles, and how near one image is to another."""

import numpy as np

from plumb._checkparam import check_value_type
from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops import function as f
from plumb.ops.operations.image_ops import ResizeBilinearV2


class Upsample(Cell):
    """Signals, images or volumes (N, C, …) at another size; see `ops.interpolate`.

    Args:
      size: the extents, or one for all axes; or
      scale_factor: what the extents are multiplied by, rounded down.
      mode, align_corners, recompute_scale_factor: as in `ops.interpolate`.
    """

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        if (size is None) == (scale_factor is None):
            raise ValueError("For 'Upsample', give one of 'size' and 'scale_factor'.")
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x):
        """Compiled body."""
        return f.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)


class ResizeBilinear(Cell):
    """Images (N, C, H, W) at another size, by two elements along each axis.

    Inputs are the images and one of `size`, two ints, and `scale_factor`, an int that extents are multiplied by.

    Args:
      half_pixel_centers: whether the outer ends of the first and last elements coincide, instead of the first elements.
    """

    def __init__(self, half_pixel_centers=False):
        super().__init__()
        self.half_pixel_centers = bool(half_pixel_centers)

    def construct(self, x, size=None, scale_factor=None, align_corners=False):
        """Compiled body."""
        if (size is None) == (scale_factor is None):
            raise ValueError("For 'ResizeBilinear', give one of 'size' and 'scale_factor'.")
        extents = (x.shape[2] * scale_factor, x.shape[3] * scale_factor) if size is None else size
        return ResizeBilinearV2(align_corners, self.half_pixel_centers)(x, extents)


class ImageGradients(Cell):
    """How images (N, C, H, W) change from each row to the next, and from each column; 0 in the last one."""

    def construct(self, images):
        """Compiled body."""
        if images.ndim != 4:
            raise ValueError(f"For 'ImageGradients', images must have 4 axes, but got {images.shape}")
        made = ()
        for axis in (2, 3):
            extent = images.shape[axis]
            change = F.part(images, axis, 1, extent) - F.part(images, axis, 0, extent - 1) if extent > 1 else None
            last = F.zeros_like(F.part(images, axis, 0, 1))
            made = made + (last if change is None else F.concat((change, last), axis),)
        return made


class CentralCrop(Cell):
    """The middle of images (C, H, W) or (N, C, H, W): a share of their height and width.

    Args:
      central_fraction: the share, above 0 and at most 1.
    """

    def __init__(self, central_fraction):
        super().__init__()
        check_value_type("central_fraction", central_fraction, float, "CentralCrop")
        if not 0.0 < central_fraction <= 1.0:
            raise ValueError(f"For 'CentralCrop', 'central_fraction' must be a float above 0 and at most 1, but got {central_fraction}.")
        self.central_fraction = central_fraction

    def construct(self, image):
        """Compiled body."""
        for axis in (image.ndim - 2, image.ndim - 1):
            extent = image.shape[axis]
            first = int((extent - extent * self.central_fraction) / 2)
            image = F.part(image, axis, first, extent - first)
        return image


def _as_shares(image):
    """Elements as float32, those of integers over their type's largest number."""
    largest = {"uint8": 255, "uint16": 65535, "int8": 127, "int16": 32767, "int32": 2147483647}
    if image.dtype in (mstype.uint8, mstype.uint16, mstype.int8, mstype.int16, mstype.int32):
        return F.cast(image, mstype.float32) / (1.0 * largest[str(image.dtype).lower()])
    return F.cast(image, mstype.float32)


def _check_images(who, first, second):
    if first.dtype != second.dtype:
        raise TypeError(f"For '{who}', both images must be of one type, but got {first.dtype} and {second.dtype}")
    if first.ndim != 4 or first.shape != second.shape:
        raise ValueError(f"For '{who}', both images must be of one shape (N, C, H, W), but got {first.shape} and {second.shape}")


class PSNR(Cell):
    """The peak signal-to-noise ratio of images (N, C, H, W), one number for each: 10 * log10(max_val² / mean squared error).

    Args:
      max_val: the largest possible element. Both, of integers, count as shares of their type's largest number.
    """

    def __init__(self, max_val=1.0):
        super().__init__()
        _check_largest("PSNR", max_val)
        self.max_val = max_val

    def construct(self, img1, img2):
        """Compiled body."""
        _check_images("PSNR", img1, img2)
        largest = _as_shares(F.fill(img1.dtype, (), self.max_val))
        error = F.reduce_mean(F.square(_as_shares(img1) - _as_shares(img2)), (1, 2, 3))
        return F.log(F.square(largest) / error) * (10.0 / float(np.log(10.0)))


def _check_largest(who, max_val):
    check_value_type("max_val", max_val, (int, float), who)
    if max_val <= 0:
        raise ValueError(f"For '{who}', 'max_val' must be a number above 0, but got {max_val}.")


class SSIM(Cell):
    """The structural similarity of images (N, C, H, W), one number for each, 1 for equal ones (Wang et al. 2004).

    Means, variances and covariances are those under a normal window; their formula's mean over places and channels.

    Args:
      max_val: the largest possible element. Both, of integers, count as shares of their type's largest number.
      filter_size, filter_sigma: the window's extent and deviation. It is no Parameter here, which it is in MindSpore.
      k1, k2: the constants (k * max_val)² that keep the quotients stable.
    """

    def __init__(self, max_val=1.0, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03):
        super().__init__()
        _check_largest(type(self).__name__, max_val)
        check_value_type("filter_size", filter_size, int, type(self).__name__)
        if filter_size < 1 or filter_sigma <= 0:
            raise ValueError(f"For '{type(self).__name__}', 'filter_size' must be an int above 0 and 'filter_sigma' above 0, but got "
                             f"{filter_size} and {filter_sigma}.")
        self.max_val, self.k1, self.k2 = max_val, k1, k2
        places = np.arange(filter_size) - 0.5 * (filter_size - 1)
        window = np.exp(-0.5 * np.square(places / filter_sigma))
        self.filter_size = filter_size
        self.window = Tensor((window / window.sum()).astype(np.float32))

    def averaged(self, x):
        """The window's mean around each place where it fits: (N * C, 1, …), along rows and columns in turn."""
        x = F.conv2d(x, F.reshape(self.window, (1, 1, -1, 1)), (1, 1), (0, 0, 0, 0), (1, 1), 1)
        return F.conv2d(x, F.reshape(self.window, (1, 1, 1, -1)), (1, 1), (0, 0, 0, 0), (1, 1), 1)

    def compared(self, first, second, largest):
        """The similarity of each channel, and that of its contrast and structure alone: (N, C) each."""
        shape = first.shape
        if shape[2] < self.filter_size or shape[3] < self.filter_size:
            raise ValueError(f"the window of {self.filter_size} does not fit into images of {shape}")
        c1, c2 = F.square(largest * self.k1), F.square(largest * self.k2)
        x, y = F.reshape(first, (-1, 1) + shape[2:]), F.reshape(second, (-1, 1) + shape[2:])
        mean_x, mean_y = self.averaged(x), self.averaged(y)
        both, squares = mean_x * mean_y, F.square(mean_x) + F.square(mean_y)
        spread = (self.averaged(x * y) * 2.0 - both * 2.0 + c2) / (self.averaged(F.square(x) + F.square(y)) - squares + c2)
        alike = (both * 2.0 + c1) / (squares + c1) * spread
        return tuple([F.reshape(F.reduce_mean(each, (1, 2, 3)), shape[:2]) for each in (alike, spread)])

    def construct(self, img1, img2):
        """Compiled body."""
        _check_images("SSIM", img1, img2)
        largest = _as_shares(F.fill(img1.dtype, (), self.max_val))
        return F.reduce_mean(self.compared(_as_shares(img1), _as_shares(img2), largest)[0], (1,))


class MSSSIM(SSIM):
    """SSIM over several sizes, each half of the one before: contrast and structure of all, the whole of the last (Wang et al. 2003).

    The window is no Parameter here, which it is in MindSpore.

    Args:
      power_factors: the exponents of the sizes; negative similarities count as 0.
    """

    def __init__(self, max_val=1.0, power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333), filter_size=11, filter_sigma=1.5, k1=0.01,
                 k2=0.03):
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        self.power_factors = tuple(float(power) for power in power_factors)

    def construct(self, img1, img2):
        """Compiled body."""
        _check_images("MSSSIM", img1, img2)
        largest, total = _as_shares(F.fill(img1.dtype, (), self.max_val)), None
        first, second = _as_shares(img1), _as_shares(img2)
        for number in range(len(self.power_factors)):
            alike, spread = self.compared(first, second, largest)
            is_last = number == len(self.power_factors) - 1
            part = F.pow(F.relu(alike if is_last else spread), self.power_factors[number])
            total = part if total is None else total * part
            if not is_last:
                first = F.avg_pool2d(first, (2, 2), (2, 2), (0, 0, 0, 0))
                second = F.avg_pool2d(second, (2, 2), (2, 2), (0, 0, 0, 0))
        return F.reduce_mean(total, (1,))
