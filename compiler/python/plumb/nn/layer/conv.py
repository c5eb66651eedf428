"""Conv2d."""

import math

from plumb.common.initializer import HeUniform, Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


def same_pads(extent, kernel, stride, dilation):
    """Zeros before and after one axis so that the result has ceil(extent / stride) positions."""
    reach = (kernel - 1) * dilation + 1
    total = max((-(-extent // stride) - 1) * stride + reach - extent, 0)
    return (total // 2, total - total // 2)


def pair(name, value):
    """Turns an int or a pair of ints into a pair; raises when an element is not a positive int."""
    values = (value, value) if isinstance(value, int) else tuple(value)
    if len(values) == 4 and values[:2] == (1, 1):
        values = values[2:]
    if len(values) != 2 or not all(isinstance(item, int) and item > 0 for item in values):
        raise ValueError(f"The '{name}' must be a positive int or two of them, but got {value}.")
    return values


class Conv2d(Cell):
    """2-D convolution of NCHW input with an OIHW weight.

    Args:
      pad_mode: "same", "valid" or "pad" (zeros by `padding`: an int or top, bottom, left, right).
      group: number of channel groups.
      weight_init, bias_init: first values; by default uniform as MindSpore 2.x has them.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCHW"):
        super().__init__()
        if data_format != "NCHW":
            raise ValueError(f"For 'Conv2d', only data_format='NCHW' is offered, but got '{data_format}'.")
        if pad_mode not in ("same", "valid", "pad"):
            raise ValueError(f"For 'Conv2d', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
        if in_channels % group or out_channels % group:
            raise ValueError(f"For 'Conv2d', 'in_channels' {in_channels} and 'out_channels' {out_channels} must be "
                             f"divisible by 'group' {group}.")
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride = pair("kernel_size", kernel_size), pair("stride", stride)
        self.dilation, self.group = pair("dilation", dilation), group
        self.pad_mode = pad_mode
        self.padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        if pad_mode != "pad" and any(self.padding):
            raise ValueError(f"For 'Conv2d', 'padding' must be zero when 'pad_mode' is '{pad_mode}', "
                             f"but got {padding}.")
        self.has_bias = has_bias
        shape = (out_channels, in_channels // group) + self.kernel_size
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)) if weight_init is None else weight_init, shape),
                                name="weight")
        if has_bias:
            bound = 1 / math.sqrt(shape[1] * shape[2] * shape[3])
            self.bias = Parameter(initializer(Uniform(bound) if bias_init is None else bias_init, (out_channels,)),
                                  name="bias")

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 4, "Conv2d takes batches of images, a tensor of four axes (N, C, H, W)"
        pads = self.padding
        if self.pad_mode == "same":
            pads = (same_pads(x.shape[2], self.kernel_size[0], self.stride[0], self.dilation[0])
                    + same_pads(x.shape[3], self.kernel_size[1], self.stride[1], self.dilation[1]))
        x = F.conv2d(x, self.weight, self.stride, pads, self.dilation, self.group)
        if self.has_bias:
            x = x + F.reshape(self.bias, (1, self.out_channels, 1, 1))
        return x

    def extend_repr(self):
        """What `repr` shows."""
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
                f"padding={self.padding}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}")
