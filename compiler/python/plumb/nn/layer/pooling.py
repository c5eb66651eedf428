"""MaxPool2d, AvgPool2d and AdaptiveAvgPool2d."""

from plumb.nn.cell import Cell
from plumb.nn.layer.conv import pair, same_pads
from plumb.ops import _functions as F


class Pooling(Cell):
    """What both poolings share: kernel, stride and pad mode."""

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", data_format="NCHW"):
        super().__init__()
        if data_format != "NCHW":
            raise ValueError(f"Pooling is offered for data_format='NCHW' only, but got '{data_format}'.")
        if pad_mode.lower() not in ("same", "valid"):
            raise ValueError(f"The 'pad_mode' of pooling must be 'same' or 'valid', but got '{pad_mode}'.")
        self.kernel_size, self.stride = pair("kernel_size", kernel_size), pair("stride", stride)
        self.pad_mode = pad_mode.lower()

    def pads(self, x):
        """Zeros at the top, bottom, left and right."""
        if self.pad_mode == "same":
            return (same_pads(x.shape[2], self.kernel_size[0], self.stride[0], 1)
                    + same_pads(x.shape[3], self.kernel_size[1], self.stride[1], 1))
        return (0, 0, 0, 0)

    def extend_repr(self):
        """What `repr` shows."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode.upper()}"


class MaxPool2d(Pooling):
    """Largest element of each window."""

    def construct(self, x):
        """Compiled body."""
        return F.max_pool2d(x, self.kernel_size, self.stride, self.pads(x))


class AvgPool2d(Pooling):
    """Mean of each window."""

    def construct(self, x):
        """Compiled body."""
        return F.avg_pool2d(x, self.kernel_size, self.stride, self.pads(x))


class AdaptiveAvgPool2d(Cell):
    """Means of equal windows, so many that the result has `output_size` positions; 1 averages the whole image.

    Args:
      output_size: an int or a pair of ints, divisors of the input's extents.
    """

    def __init__(self, output_size):
        super().__init__()
        self.output_size = pair("output_size", output_size)

    def construct(self, x):
        """Compiled body."""
        rows, columns = self.output_size
        if x.shape[2] % rows != 0 or x.shape[3] % columns != 0:
            raise ValueError("nn.AdaptiveAvgPool2d is offered for extents that 'output_size' divides")
        if rows == 1 and columns == 1:
            return F.reduce_mean(x, (2, 3), True)
        windows = x.shape[:2] + (rows, x.shape[2] // rows, columns, x.shape[3] // columns)
        return F.reduce_mean(F.reshape(x, windows), (3, 5))
