"""Windows with more to them than a sum or a largest element; with MindSpore's signatures, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _windows as W
from plumb.ops.function import sampling
from plumb.ops.function.convolution import conv2d
from plumb.ops.function.pooling import windows_of


def _inner(who, name, value, rank):
    """The last `rank` of an int or a tuple of them, or of one for each axis of (N, C, …), of which the first two are 1."""
    values = (value,) * rank if isinstance(value, int) else tuple(value)
    if len(values) == rank + 2 and values[:2] == (1, 1):
        values = values[2:]
    if len(values) != rank or min(values) < 1:
        raise ValueError(f"For '{who}', '{name}' must be {rank} ints above 0, behind (1, 1) or not, but got {value}")
    return values


def _pads(who, pad_mode, extents, kernel, stride, dilation):
    """Numbers before and after each axis for "same" and "valid"."""
    if pad_mode.lower() not in ("same", "valid"):
        raise ValueError(f"For '{who}', the pad mode must be 'same' or 'valid', but got '{pad_mode}'")
    low, high = (0,) * len(kernel), (0,) * len(kernel)
    if pad_mode.lower() == "same":
        ends = tuple([W.same_pads(extents[i], kernel[i], stride[i], dilation[i]) for i in range(len(kernel))])
        low, high = tuple([end[0] for end in ends]), tuple([end[1] for end in ends])
    return low, high


def _as_channels(who, x, kernel, steps, gaps, padding):
    """The windows of images or volumes as channels, those of one place side by side."""
    low, high = _pads(who, padding, x.shape[2:], kernel, steps, gaps)
    windows, rank = windows_of(x, kernel, steps, low, high, gaps, False, 0.0), len(kernel)
    windows = F.transpose(windows, (0,) + tuple(range(2 + rank, 2 + 2 * rank)) + tuple(range(1, 2 + rank)))
    return F.reshape(windows, (x.shape[0], -1) + windows.shape[2 + rank:])


@Whole
def extract_volume_patches(input_x, kernel_size, strides, padding):
    """The windows of volumes (N, C, D, H, W) as channels: (N, kernel's elements * C, places…), those of one place side by side.

    Args:
      kernel_size, strides: an int, three, or five of which the first two are 1.
      padding: "same" (zeros stand outside) or "valid", in any case.

    Raises:
      ValueError: for other settings, or an input of another number of axes.
    """
    who = "ExtractVolumePatches"
    if input_x.ndim != 5:
        raise ValueError(f"For '{who}', the input must have 5 axes, but got {input_x.shape}")
    kernel, steps = _inner(who, "kernel_size", kernel_size, 3), _inner(who, "strides", strides, 3)
    return _as_channels(who, input_x, kernel, steps, (1, 1, 1), padding)


@Whole
def dilation2d(x, filter, stride, dilation, pad_mode="SAME", data_format="NCHW"):
    """Grey dilation: the largest sum of each window of images (N, C, H, W) with a filter (C, rows, columns).

    Args:
      stride, dilation: an int, two, or four of which the first two are 1.
      pad_mode: "same" (what stands outside is never the largest) or "valid", in any case.
      data_format: "NCHW".

    Raises:
      ValueError: for other settings and shapes.
    """
    who = "Dilation2D"
    if x.ndim != 4 or filter.ndim != 3 or filter.shape[0] != x.shape[1] or data_format != "NCHW":
        raise ValueError(f"For '{who}', data_format must be 'NCHW', the input (N, C, H, W) and the filter (C, rows, columns), but got "
                         f"{x.shape} and {filter.shape}")
    kernel, steps, gaps = filter.shape[1:], _inner(who, "stride", stride, 2), _inner(who, "dilation", dilation, 2)
    low, high = _pads(who, pad_mode, x.shape[2:], kernel, steps, gaps)
    image, x = x, F.pad(x, (0, 0) + low, (0, 0) + high, float("-inf"))
    windows = windows_of(x, kernel, steps, (0, 0), (0, 0), gaps, False, float("-inf"))
    sums = windows + F.reshape(filter, (x.shape[1], 1, 1) + kernel)
    if x.dtype in _checks.INTEGERS:  # Their smallest and a number below zero would wrap around.
        inside = F.pad(F.ones_like(image), (0, 0) + low, (0, 0) + high, 0.0)
        inside = windows_of(inside, kernel, steps, (0, 0), (0, 0), gaps, False, 0.0)
        sums = F.select(F.equal(inside, 1), sums, F.fill(x.dtype, (), float("-inf")))
    flat = F.reshape(sums, sums.shape[:4] + (-1,))
    # Of equal sums the first has the gradient.
    return F.squeeze(F.take_along(flat, F.expand_dims(F.argmax(flat, -1), -1), 4), (-1,))


# -- convolution at places that are inputs


def _taps(extent, kernel, step, before, gap):
    """Where an axis's windows are read: places (windows, kernel), float32."""
    first = F.expand_dims(F.arange(extent) * step - before, 1)
    return F.cast(first + F.arange(kernel) * gap, mstype.float32)


@Whole
def deformable_conv2d(x, weight, offsets, kernel_size, strides, padding, bias=None, dilations=(1, 1, 1, 1), groups=1, deformable_groups=1,
                      modulated=True):
    """2-D convolution whose windows' elements are each read at a place of their own (Zhu et al. 2018), between elements by two.

    Args:
      x: images (N, C, H, W).
      weight: (O, C / groups, rows, columns).
      offsets: (N, 3 * deformable_groups * rows * columns, height, width) of the result: shifts along x, shifts along y, and what
        the elements are multiplied by.
      kernel_size: the rows and columns.
      strides, dilations: four ints, of which the first two are 1.
      padding: zeros at the top, bottom, left and right.
      deformable_groups: into how many groups, each with its offsets, channels are divided.
      modulated: True.

    Raises:
      ValueError: for other settings, and for shapes that do not fit.
    """
    if tuple(kernel_size) != weight.shape[2:]:
        raise ValueError(f"For 'deformable_conv2d', 'kernel_size' must be {weight.shape[2:]}, as the weight's, but got {kernel_size}")
    read = deformed_windows(x, offsets, strides, padding, kernel_size, dilations, "NCHW", deformable_groups, modulated, "deformable_conv2d")
    return conv2d(read, weight, bias, tuple(kernel_size), "valid", 0, 1, groups)


def deformed_windows(x, offsets, strides, pads, ksize, dilations=(1, 1, 1, 1), data_format="NCHW", deformable_groups=1, modulated=True,
                     who="DeformableOffsets"):
    """The windows' elements of `deformable_conv2d`, window beside window: (N, C, height * rows, width * columns).

    A convolution with the kernel's extents as strides, and without padding, is the deformable one.

    Args:
      x: images (N, C, H, W).
      offsets: as for `deformable_conv2d`.
      strides, dilations: four ints, of which the first two are 1.
      pads: zeros at the top, bottom, left and right.
      ksize: the rows and columns of a window.
      data_format: "NCHW".
      deformable_groups: into how many groups, each with its offsets, channels are divided.
      modulated: True.

    Raises:
      ValueError: for other settings, and for shapes that do not fit.
    """
    if not modulated or data_format != "NCHW" or x.ndim != 4 or x.shape[1] % deformable_groups != 0:
        raise ValueError(f"For '{who}', 'modulated' must be True, 'data_format' 'NCHW', and 'deformable_groups' must divide the channels of "
                         f"an input (N, C, H, W), but got {x.shape}")
    kernel, steps, gaps = tuple(ksize), _inner(who, "strides", strides, 2), _inner(who, "dilations", dilations, 2)
    count, space = kernel[0] * kernel[1], x.shape[2:]
    sizes = tuple([(space[i] + pads[2 * i] + pads[2 * i + 1] - gaps[i] * (kernel[i] - 1) - 1) // steps[i] + 1 for i in range(2)])
    if offsets.shape != (x.shape[0], 3 * deformable_groups * count) + sizes:
        raise ValueError(f"For '{who}', the offsets must be of {(x.shape[0], 3 * deformable_groups * count) + sizes}, but got {offsets.shape}")
    parts = F.reshape(F.cast(offsets, mstype.float32), (x.shape[0], 3, deformable_groups) + kernel + sizes)
    parts = F.transpose(parts, (1, 0, 2, 5, 3, 6, 4))
    rows, columns = _taps(sizes[0], kernel[0], steps[0], pads[0], gaps[0]), _taps(sizes[1], kernel[1], steps[1], pads[2], gaps[1])
    places = (F.reshape(parts[1] + F.reshape(rows, (sizes[0], kernel[0], 1, 1)), (-1,)),
              F.reshape(parts[0] + columns, (-1,)))
    # Each group of channels is an image of its own.
    grouped = F.reshape(F.cast(x, mstype.float32), (x.shape[0] * deformable_groups, -1) + space)
    images = sampling.numbers_like(grouped, (sizes[0] * kernel[0], sizes[1] * kernel[1]))
    read = sampling.between(sampling._rows_of(grouped), images, places, space) * F.reshape(parts[2], (-1, 1))
    read = F.reshape(read, (grouped.shape[0], sizes[0] * kernel[0], sizes[1] * kernel[1], -1))
    read = F.reshape(F.transpose(read, (0, 3, 1, 2)), (x.shape[0], x.shape[1]) + (sizes[0] * kernel[0], sizes[1] * kernel[1]))
    return F.cast(read, x.dtype)


@Whole
def extract_image_patches(x, ksizes, strides, rates, padding="valid"):
    """The windows of images (N, C, H, W) as channels: (N, rows * columns * C, places…), those of one place side by side.

    Args:
      ksizes, strides, rates: extents of a window, steps between windows and between a window's elements: (1, 1, rows, columns).
      padding: "same" (zeros stand outside) or "valid", in any case.

    Raises:
      ValueError: for other settings, or an input of another number of axes.
    """
    who = "ExtractImagePatches"
    if x.ndim != 4:
        raise ValueError(f"For '{who}', the input must be (N, C, H, W), but got {x.shape}")
    kernel, steps, gaps = _inner(who, "ksizes", ksizes, 2), _inner(who, "strides", strides, 2), _inner(who, "rates", rates, 2)
    return _as_channels(who, x, kernel, steps, gaps, padding)


__all__ = ["deformable_conv2d"]
