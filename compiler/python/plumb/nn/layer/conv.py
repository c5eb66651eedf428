"""Conv2d."""

from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops._windows import conv_pads, image_pads, pair


class Conv2d(Cell):
    """2-D convolution of NCHW input with an OIHW weight.

    Args:
      pad_mode: "same", "valid" or "pad" (zeros by `padding`: an int or top, bottom, left, right).
      group: number of channel groups.
      weight_init, bias_init: first values; by default normal with deviation 0.01, and zeros, as MindSpore 1.x and 2.0 have
        them (2.1 and later draw both uniformly).
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init="normal", bias_init="zeros", data_format="NCHW"):
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
        self.padding = image_pads(padding)
        if pad_mode != "pad" and any(self.padding):
            raise ValueError(f"For 'Conv2d', 'padding' must be zero when 'pad_mode' is '{pad_mode}', "
                             f"but got {padding}.")
        self.has_bias = has_bias
        self.shown = f"padding={padding}", f"weight_init={weight_init}, bias_init={bias_init}, format={data_format}"
        shape = (out_channels, in_channels // group) + self.kernel_size
        self.weight = Parameter(initializer(weight_init, shape), name="weight")
        if has_bias:
            self.bias = Parameter(initializer(bias_init, (out_channels,)), name="bias")

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 4, "Conv2d takes batches of images, a tensor of four axes (N, C, H, W)"
        pads = conv_pads("Conv2d", self.pad_mode, self.padding, x.shape[2:], self.kernel_size, self.stride, self.dilation)
        x = F.conv2d(x, self.weight, self.stride, pads, self.dilation, self.group)
        if self.has_bias:
            x = x + F.reshape(self.bias, (1, self.out_channels, 1, 1))
        return x

    def extend_repr(self):
        """What `repr` shows."""
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
                f"{self.shown[0]}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}, {self.shown[1]}")
