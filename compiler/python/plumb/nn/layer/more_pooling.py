"""Pooling of one and three axes, adaptive, by norms, and its reverse. What each computes stands with `ops.function.pooling`."""

from plumb.common._docs import described_by
from plumb.nn.cell import Cell
from plumb.nn.layer.pooling import AvgPool2d, MaxPool2d, without
from plumb.ops import _functions as F
from plumb.ops import _windows as W
from plumb.ops.function.fractional import fractional_max_pool2d, fractional_max_pool3d
from plumb.ops.function.pooling import (adaptive_avg_pool1d, adaptive_avg_pool3d, adaptive_max_pool1d, adaptive_max_pool2d,
                                        adaptive_max_pool3d, avg_pool3d, lp_pool1d, lp_pool2d, max_pool3d, max_unpool1d,
                                        max_unpool2d, max_unpool3d)


class MaxPool1d(MaxPool2d):
    """Largest element of each window of (N, C, L) or (C, L); arguments as in MaxPool2d, with ints for one axis."""

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False,
                 ceil_mode=False):
        super().__init__((1, kernel_size), (1, stride), pad_mode, (0, padding), (1, dilation), return_indices, ceil_mode)
        self.shown = f"kernel_size={kernel_size}, stride={stride}, pad_mode={pad_mode.upper()}"

    def construct(self, x):
        """Compiled body."""
        return along_one(self, x)


class AvgPool1d(AvgPool2d):
    """Mean of each window of (N, C, L) or (C, L); arguments as in AvgPool2d, with ints for one axis."""

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__((1, kernel_size), (1, stride), pad_mode, (0, padding), ceil_mode, count_include_pad)
        self.shown = f"kernel_size={kernel_size}, stride={stride}, pad_mode={pad_mode.upper()}"

    def construct(self, x):
        """Compiled body."""
        return along_one(self, x)


def along_one(pool, x):
    """Pools (N, C, L) or (C, L) as images of one row."""
    if x.ndim != 2 and x.ndim != 3:
        raise ValueError(f"pooling of one axis takes (N, C, L) or (C, L), but got {x.shape}")
    batched = x if x.ndim == 3 else F.expand_dims(x, 0)
    pooled = without(pool.pooled(F.expand_dims(batched, 2)), 2)
    return pooled if x.ndim == 3 else without(pooled, 0)


class _Pool3d(Cell):
    """Options of pooling of volumes.

    Args:
      kernel_size, stride: an int, or one for each axis.
      pad_mode: "valid"; "same", for ceil(extent / stride) windows along each axis; or "pad", by `padding`.
      padding: an int, or one for each axis, 0 except with "pad".
      ceil_mode: whether a last window that begins inside, but ends outside, counts.

    Called with volumes (N, C, D, H, W) or (C, D, H, W); the result has as many axes.

    Raises:
      ValueError: for options that do not go together.
    """

    def take(self, kernel_size, stride, pad_mode, padding):
        """Checks and keeps them."""
        who = type(self).__name__
        if pad_mode.lower() not in ("same", "valid", "pad"):
            raise ValueError(f"For '{who}', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
        sides = (padding,) * 3 if isinstance(padding, int) else tuple(padding)
        if pad_mode.lower() != "pad" and any(sides):
            raise ValueError(f"For '{who}', 'padding' must be zero when 'pad_mode' is '{pad_mode}', but got {padding}.")
        self.kernel_size, self.stride = _three(kernel_size), _three(stride)
        self.pad_mode, self.padding = pad_mode.lower(), sides
        self.shown = f"kernel_size={kernel_size}, stride={stride}, pad_mode={pad_mode.upper()}"

    def extend_repr(self):
        """What `repr` shows."""
        return self.shown


class MaxPool3d(_Pool3d):
    """Largest element of each window.

    Args:
      dilation: the distance between a window's elements, an int or one for each axis; "same" takes 1 alone.
      return_indices: whether its place in the volume comes beside it, int64; not with "same".
    """

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False,
                 ceil_mode=False):
        super().__init__()
        self.take(kernel_size, stride, pad_mode, padding)
        self.dilation, self.return_indices, self.ceil_mode = dilation, bool(return_indices), bool(ceil_mode)
        if self.pad_mode == "same" and (dilation != 1 or return_indices or ceil_mode):
            raise ValueError("For 'MaxPool3d', pad_mode='same' goes without 'dilation', 'return_indices' and 'ceil_mode'.")

    def construct(self, x):
        """Compiled body."""
        if self.pad_mode == "same":
            pads, before = W.volume_pads(x.shape[x.ndim - 3:], self.kernel_size, self.stride), (0,) * (x.ndim - 3)
            x = F.pad(x, before + pads[::2], before + pads[1::2], float("-inf"))
        return max_pool3d(x, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices)


class AvgPool3d(_Pool3d):
    """Mean of each window.

    Args:
      count_include_pad: whether the zeros outside count among the elements that a sum is divided by.
      divisor_override: what sums are divided by instead of the number of elements.
    """

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None):
        super().__init__()
        self.take(kernel_size, stride, pad_mode, padding)
        self.ceil_mode, self.counts, self.divisor = bool(ceil_mode), bool(count_include_pad), divisor_override or 0

    def construct(self, x):
        """Compiled body."""
        pads = self.padding
        if self.pad_mode == "same":
            pads = W.volume_pads(x.shape[x.ndim - 3:], self.kernel_size, self.stride)
        return avg_pool3d(x, self.kernel_size, self.stride, pads, self.ceil_mode, self.counts, self.divisor)


described_by(_Pool3d, MaxPool3d, AvgPool3d)


def _three(value):
    return (value,) * 3 if isinstance(value, int) else tuple(value)


class _Adaptive(Cell):
    """Pools into `output_size` positions along each axis: window i is from floor(i * in / out) to ceil((i + 1) * in / out)."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size


class AdaptiveAvgPool1d(_Adaptive):
    """Means of (N, C, L) in `output_size` windows."""

    def construct(self, input):
        """Compiled body."""
        return adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool3d(_Adaptive):
    """Means of (N, C, D, H, W) in `output_size` windows: an int or three; None keeps an extent."""

    def construct(self, input):
        """Compiled body."""
        return adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool1d(_Adaptive):
    """Largest elements of (N, C, L) in `output_size` windows."""

    def construct(self, x):
        """Compiled body."""
        return adaptive_max_pool1d(x, self.output_size)


class AdaptiveMaxPool2d(_Adaptive):
    """Largest elements of images in `output_size` windows, and with `return_indices` their places."""

    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = bool(return_indices)

    def construct(self, input):
        """Compiled body."""
        return adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(AdaptiveMaxPool2d):
    """Largest elements of (N, C, D, H, W) in `output_size` windows, and with `return_indices` their places."""

    def construct(self, input):
        """Compiled body."""
        return adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _LPPool(Cell):
    """(sum of x^p)^(1/p) over each window.

    Args:
      norm_type: p, not 0.
      kernel_size: an int, or one for each axis.
      stride: the same; `kernel_size` when None.
      ceil_mode: whether a last window that begins inside, but ends outside, counts.
    """

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, bool(ceil_mode)


class LPPool1d(_LPPool):
    """(sum of x^p)^(1/p) over windows of (N, C, L) or (C, L)."""

    def construct(self, x):
        """Compiled body."""
        return lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPool):
    """(sum of x^p)^(1/p) over windows of images (N, C, H, W) or (C, H, W)."""

    def construct(self, x):
        """Compiled body."""
        return lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


described_by(_LPPool, LPPool1d, LPPool2d)


class _Unpool(Cell):
    """Puts elements back to the places that max pooling took them from; zeros elsewhere.

    Args:
      kernel_size, stride, padding: as of the pooling; `stride` is `kernel_size` when None.

    Called with what the pooling gave, the largest elements and their places, and the extents wanted, where several pool to the same.
    """

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding


class MaxUnpool1d(_Unpool):
    """Reverses MaxPool1d with `return_indices`."""

    def construct(self, x, indices, output_size=None):
        """Compiled body."""
        return max_unpool1d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_Unpool):
    """Reverses MaxPool2d with `return_indices`."""

    def construct(self, x, indices, output_size=None):
        """Compiled body."""
        return max_unpool2d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_Unpool):
    """Reverses MaxPool3d with `return_indices`."""

    def construct(self, x, indices, output_size=None):
        """Compiled body."""
        return max_unpool3d(x, indices, self.kernel_size, self.stride, self.padding, output_size)


described_by(_Unpool, MaxUnpool1d, MaxUnpool2d, MaxUnpool3d)


class FractionalMaxPool2d(Cell):
    """The largest of windows of images at random places; see `ops.fractional_max_pool2d`."""

    pool = staticmethod(fractional_max_pool2d)

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        if output_size is None and output_ratio is None:
            raise ValueError(f"For '{type(self).__name__}', give 'output_size' or 'output_ratio'.")
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices, self.samples = return_indices, _random_samples

    def construct(self, input):
        """Compiled body."""
        return self.pool(input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self.samples)


class FractionalMaxPool3d(FractionalMaxPool2d):
    """The largest of windows of volumes at random places; see `ops.fractional_max_pool3d`."""

    pool = staticmethod(fractional_max_pool3d)
