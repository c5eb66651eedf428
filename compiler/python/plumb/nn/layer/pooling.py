"""MaxPool2d, AvgPool2d and AdaptiveAvgPool2d."""

from plumb.common._docs import described_by
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops.function.pooling import adaptive_avg_pool2d, avg_pool2d, max_pool2d
from plumb.ops._windows import conv_pads, image_pads, pair, pool_pads


class Pooling(Cell):
    """What both poolings share: kernel, stride and pad mode.

    Args:
      kernel_size, stride: an int, or one for each axis.
      pad_mode: "valid"; "same", for ceil(extent / stride) windows along each axis; or "pad", by `padding`.
      padding: an int or two: rows at top and bottom, columns left and right.
      data_format: "NCHW".

    Called with images (N, C, H, W) or (C, H, W); the result has as many axes.

    Raises:
      ValueError: for options that do not go together.
    """

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", data_format="NCHW", padding=0):
        super().__init__()
        who = type(self).__name__
        if data_format != "NCHW":
            raise ValueError(f"For '{who}', only data_format='NCHW' is offered, but got '{data_format}'.")
        if pad_mode.lower() not in ("same", "valid", "pad"):
            raise ValueError(f"For '{who}', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
        self.kernel_size, self.stride = kernel_size, stride  # as given, for programs that look at them
        self.extents, self.steps = pair("kernel_size", kernel_size), pair("stride", stride)
        self.pad_mode, self.padding = pad_mode.lower(), image_pads(padding)
        self.shown = f"kernel_size={kernel_size}, stride={stride}, pad_mode={pad_mode.upper()}"
        if self.pad_mode != "pad" and any(self.padding):
            raise ValueError(f"For '{who}', 'padding' must be zero when 'pad_mode' is '{pad_mode}', but got {padding}.")

    def pads(self, x):
        """Rows and columns around the image: top, bottom, left and right."""
        return conv_pads("pooling", self.pad_mode, self.padding, x.shape[2:], self.extents, self.steps)

    def construct(self, x):
        """Compiled body: images, or one without the axis of the batch."""
        if x.ndim == 3:
            return without(self.pooled(F.expand_dims(x, 0)), 0)
        return self.pooled(x)

    def extend_repr(self):
        """What `repr` shows."""
        return self.shown


def without(results, axis):
    """A tensor, or two, without an axis of extent 1."""
    if isinstance(results, tuple):
        return F.squeeze(results[0], (axis,)), F.squeeze(results[1], (axis,))
    return F.squeeze(results, (axis,))


class MaxPool2d(Pooling):
    """Largest element of each window; what lies outside of the image never wins.

    Args:
      dilation: the distance between a window's elements, an int or two; pad_mode "same" takes 1 alone.
      return_indices: whether its place in the image comes beside it, int64; not with pad_mode "same".
      ceil_mode: whether a last window that begins inside, but ends outside, counts.
    """

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False,
                 ceil_mode=False, data_format="NCHW"):
        super().__init__(kernel_size, stride, pad_mode, data_format, padding)
        self.dilation, self.return_indices = pair("dilation", dilation), bool(return_indices)
        if self.pad_mode == "same" and (self.dilation != (1, 1) or return_indices):
            raise ValueError("For 'MaxPool2d', pad_mode='same' goes without 'dilation' and 'return_indices'.")
        if ceil_mode and self.pad_mode != "pad":
            raise ValueError("For 'MaxPool2d', 'ceil_mode' needs pad_mode='pad'.")
        self.ceil_mode = bool(ceil_mode)

    def pooled(self, x):
        """The windows' largest elements, and their places where they are wanted."""
        if self.return_indices or self.dilation != (1, 1):
            padding = (self.padding[0], self.padding[2])
            return max_pool2d(x, self.extents, self.steps, padding, self.dilation, self.return_indices, self.ceil_mode)
        pads = pool_pads(x.shape[2:], self.extents, self.steps, self.pads(x), self.ceil_mode)
        return F.max_pool2d(x, self.extents, self.steps, pads)


class AvgPool2d(Pooling):
    """Mean of each window; with pad_mode "same" of what lies inside of the image.

    Args:
      ceil_mode: whether a last window that begins inside, but ends outside, counts; not with pad_mode "same".
      count_include_pad: whether with pad_mode "pad" the zeros outside count among the elements that a sum is divided by.
      divisor_override: what sums are divided by instead of the number of elements.
    """

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None, data_format="NCHW"):
        super().__init__(kernel_size, stride, pad_mode, data_format, padding)
        if ceil_mode and self.pad_mode == "same":
            raise ValueError("For 'AvgPool2d', pad_mode='same' goes without 'ceil_mode'.")
        self.ceil_mode = bool(ceil_mode)
        if divisor_override is not None and divisor_override <= 0:
            raise ValueError(f"For 'AvgPool2d', 'divisor_override' must be positive, but got {divisor_override}.")
        self.counts_pads = self.pad_mode == "valid" or (self.pad_mode == "pad" and bool(count_include_pad))
        self.divisor_override = divisor_override

    def pooled(self, x):
        """The windows' means."""
        if self.ceil_mode:
            return avg_pool2d(x, self.extents, self.steps, self.padding, True, self.counts_pads, self.divisor_override or 0)
        if self.divisor_override is None:
            return F.avg_pool2d(x, self.extents, self.steps, self.pads(x), self.counts_pads)
        elements = self.extents[0] * self.extents[1]
        return F.avg_pool2d(x, self.extents, self.steps, self.pads(x)) * (elements / self.divisor_override)


described_by(Pooling, MaxPool2d, AvgPool2d)


class AdaptiveAvgPool2d(Cell):
    """Means of `output_size` windows, equal ones where it divides the extents; 1 averages the whole image.

    Args:
      output_size: an int or a pair of ints; None keeps an extent.
    """

    def __init__(self, output_size):
        super().__init__()
        sizes = (output_size, output_size) if output_size is None or isinstance(output_size, int) else output_size
        self.kept = tuple(size is None for size in sizes)
        self.output_size = pair("output_size", tuple(1 if size is None else size for size in sizes))

    def construct(self, input):
        """Compiled body."""
        height, width = input.shape[-2], input.shape[-1]
        rows = height if self.kept[0] else self.output_size[0]
        columns = width if self.kept[1] else self.output_size[1]
        if height % rows != 0 or width % columns != 0:
            return adaptive_avg_pool2d(input, (rows, columns))
        if rows == 1 and columns == 1:
            return F.reduce_mean(input, (-2, -1), True)
        windows = input.shape[:-2] + (rows, height // rows, columns, width // columns)
        return F.reduce_mean(F.reshape(input, windows), (input.ndim - 1, input.ndim + 1))
