"""Convolutions of one to three axes, and transposed ones."""

from plumb.common._docs import described_by
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops import _windows as W
from plumb.ops.operations.array_ops import ExpandDims, Squeeze
from plumb.ops.operations.nn_ops import BiasAdd
from plumb.ops.operations.other_ops import Shape
from plumb.ops.operations.pool_ops import Conv2D, Conv3D
from plumb.ops.function.convolution import conv2d_transpose, conv3d, conv3d_adjoint, transposed_extents


def _check_input_3d(input_shape, op_name="Conv1d"):
    """Refuses shapes of other than three axes; subclasses of layers call it."""
    if len(input_shape) != 3:
        raise ValueError(f"For '{op_name}', the input must have 3 axes, but got the shape {input_shape}.")


def _deconv_output_length(pad_mode, input_length, filter_size, stride_size, dilation_size, padding):
    """The extent of a transposed convolution's result along an axis; subclasses of layers call it."""
    reach = dilation_size * (filter_size - 1) + 1
    if pad_mode == "pad":
        return (input_length - 1) * stride_size + reach - padding
    return input_length * stride_size + (max(reach - stride_size, 0) if pad_mode == "valid" else 0)


def check_channels(who, group_name, in_channels, out_channels, group):
    """Raises ValueError for channels that are no positive ints, or not divisible by the groups."""
    for name, value in (("in_channels", in_channels), ("out_channels", out_channels), (group_name, group)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"For '{who}', the '{name}' must be a positive int, but got {value}.")
    if in_channels % group or out_channels % group:
        raise ValueError(f"For '{who}', 'in_channels' {in_channels} and 'out_channels' {out_channels} must be "
                         f"divisible by '{group_name}' {group}.")


class _Conv(Cell):
    """What convolutions share: the weight, the bias and their options.

    Args:
      in_channels, out_channels: extents of axis 1 before and after.
      kernel_size, stride, dilation: an int, or one for each axis.
      pad_mode: "same", "valid" or "pad" (zeros by `padding`: an int, or one for each end of each axis).
      group: number of channel groups.
      weight_init, bias_init: first values; by default normal with deviation 0.01, and zeros, as MindSpore 1.x and 2.0 have
        them (2.1 and later draw both uniformly).
    """

    rank, data_format = 2, "NCHW"

    # The operations that MindSpore's layers compute with, here and below: subclasses with a `construct` of their own call them.
    bias_add, shape = BiasAdd(), Shape()

    def take(self, in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias,
             weight_init, bias_init, data_format=None, transposed=False):
        """Checks and keeps the options, makes the parameters."""
        who = type(self).__name__
        if data_format not in (None, self.data_format):
            raise ValueError(f"For '{who}', only data_format='{self.data_format}' is offered, but got '{data_format}'.")
        if pad_mode not in ("same", "valid", "pad"):
            raise ValueError(f"For '{who}', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
        check_channels(who, "group", in_channels, out_channels, group)
        self.in_channels, self.out_channels, self.group, self.pad_mode = in_channels, out_channels, group, pad_mode
        self.kernel_size = self.spread("kernel_size", kernel_size)
        self.stride, self.dilation = self.spread("stride", stride), self.spread("dilation", dilation)
        self.padding = self.sides(padding)
        if pad_mode != "pad" and any(self.padding):
            raise ValueError(f"For '{who}', 'padding' must be zero when 'pad_mode' is '{pad_mode}', but got {padding}.")
        self.has_bias = bool(has_bias)
        self.__dict__.update(weight_init=weight_init, bias_init=bias_init)  # one may be a Parameter, which is no part of the cell
        self.shown = f"padding={padding}", f"weight_init={weight_init}, bias_init={bias_init}, format={self.data_format}"
        ends = (in_channels, out_channels // group) if transposed else (out_channels, in_channels // group)
        if self.rank == 1 and isinstance(weight_init, Tensor) and weight_init.ndim == 3:
            weight_init = F.expand_dims(weight_init, 2)  # programs give it without the axis of the images' rows
        self.weight = Parameter(initializer(weight_init, ends + self.kernel_size), name="weight")
        self.bias = Parameter(initializer(bias_init, (out_channels,)), name="bias") if has_bias else None

    def spread(self, name, value):
        """A value for each axis; of one axis, beside 1 for the images' rows."""
        if self.rank == 1:
            return (1, several(name, value, 1)[0])
        return W.pair(name, value) if self.rank == 2 else several(name, value, self.rank)

    def sides(self, padding):
        """Zeros at each end of each axis."""
        if self.rank == 1:
            return (0, 0) + (several("padding", padding, 2, 0) if not isinstance(padding, int) else (padding,) * 2)
        if self.rank == 2:
            return W.image_pads(padding)
        return (padding,) * 6 if isinstance(padding, int) else tuple(padding)

    def biased(self, x):
        """x, with the bias of each channel."""
        if self.has_bias:
            return x + F.reshape(self.bias, (1, self.out_channels) + (1,) * (x.ndim - 2))
        return x

    def extend_repr(self):
        """What `repr` shows."""
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
                f"{self.shown[0]}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}, {self.shown[1]}")


@typed
class Conv2d(_Conv):
    """2-D convolution of NCHW input with an OIHW weight."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init="normal", bias_init="zeros", data_format="NCHW"):
        super().__init__()
        self.take(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                  bias_init, data_format)
        self.conv2d = Conv2D(out_channels, self.kernel_size, pad_mode=pad_mode, pad=padding, stride=self.stride,
                             dilation=self.dilation, group=group)

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 4, "Conv2d takes batches of images, a tensor of four axes (N, C, H, W)"
        pads = W.conv_pads("Conv2d", self.pad_mode, self.padding, x.shape[2:], self.kernel_size, self.stride, self.dilation)
        return self.biased(F.conv2d(x, self.weight, self.stride, pads, self.dilation, self.group))


@typed
class Conv1d(_Conv):
    """1-D convolution of (N, C, L); the weight is (out_channels, in_channels / group, 1, kernel_size)."""

    rank, expand_dims, squeeze = 1, ExpandDims(), Squeeze(2)

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init="normal", bias_init="zeros"):
        super().__init__()
        self.take(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                  bias_init)
        self.conv2d = Conv2D(out_channels, self.kernel_size, pad_mode=pad_mode, pad=self.padding, stride=self.stride,
                             dilation=self.dilation, group=group)

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 3, "Conv1d takes batches of sequences, a tensor of three axes (N, C, L)"
        x = F.expand_dims(x, 2)
        pads = W.conv_pads("Conv1d", self.pad_mode, self.padding, x.shape[2:], self.kernel_size, self.stride, self.dilation)
        return F.squeeze(self.biased(F.conv2d(x, self.weight, self.stride, pads, self.dilation, self.group)), (2,))


@typed
class Conv3d(_Conv):
    """3-D convolution of (N, C, D, H, W)."""

    rank, data_format = 3, "NCDHW"

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init="normal", bias_init="zeros", data_format="NCDHW"):
        super().__init__()
        self.take(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                  bias_init, data_format)
        self.conv3d = Conv3D(out_channels, self.kernel_size, pad_mode=pad_mode, pad=padding, stride=self.stride,
                             dilation=self.dilation, group=group)

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 5, "Conv3d takes a tensor of five axes (N, C, D, H, W)"
        return self.biased(conv3d(x, self.weight, None, self.stride, self.pad_mode, self.padding, self.dilation, self.group))


class _Transposed(_Conv):
    """Adjoints of convolutions."""

    def transposed(self, x, more):
        """What a convolution would make x of."""
        sizes, pads = transposed_extents(self.pad_mode, x.shape[2:], self.kernel_size, self.stride, self.padding, self.dilation, more)
        adjoint = conv3d_adjoint if self.rank == 3 else conv2d_transpose
        return self.biased(adjoint(x, self.weight, sizes, self.stride, pads, self.dilation, self.group))

    def check_more(self, output_padding, count):
        """Returns `output_padding` as a tuple; raises ValueError where it does not fit."""
        who, more = type(self).__name__, several("output_padding", output_padding, count, 0)
        if self.pad_mode != "pad" and any(more):
            raise ValueError(f"For '{who}', 'output_padding' needs pad_mode='pad'.")
        if any(number >= max(stride, dilation) for number, stride, dilation in zip(more, self.stride, self.dilation)):
            raise ValueError(f"For '{who}', 'output_padding' must be below 'stride' or 'dilation'.")
        return more


@typed
class Conv2dTranspose(_Transposed):
    """Transposed 2-D convolution of NCHW input; the weight is (in_channels, out_channels / group, height, width).

    Results have the extents in * stride ("same"), in * stride + max(kernel - stride, 0) ("valid"), or with "pad"
    (in - 1) * stride + kernel - padding + output_padding.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, output_padding=0,
                 dilation=1, group=1, has_bias=False, weight_init="normal", bias_init="zeros"):
        super().__init__()
        self.take(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                  bias_init, transposed=True)
        self.output_padding = self.check_more(output_padding, 2)

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 4, "Conv2dTranspose takes batches of images, a tensor of four axes (N, C, H, W)"
        return self.transposed(x, self.output_padding)


@typed
class Conv1dTranspose(_Transposed):
    """Transposed 1-D convolution of (N, C, L); the weight is (in_channels, out_channels / group, 1, kernel_size)."""

    rank = 1

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
                 has_bias=False, weight_init="normal", bias_init="zeros"):
        super().__init__()
        self.take(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                  bias_init, transposed=True)

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 3, "Conv1dTranspose takes batches of sequences, a tensor of three axes (N, C, L)"
        return F.squeeze(self.transposed(F.expand_dims(x, 2), (0, 0)), (2,))


@typed
class Conv3dTranspose(_Transposed):
    """Transposed 3-D convolution of (N, C, D, H, W); the weight is (in_channels, out_channels / group, depth, height, width).

    Results have the extents in * stride ("same"), in * stride + max(kernel - stride, 0) ("valid"), or with "pad"
    (in - 1) * stride + kernel - padding + output_padding.
    """

    rank, data_format = 3, "NCDHW"

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1,
                 output_padding=0, has_bias=False, weight_init="normal", bias_init="zeros", data_format="NCDHW"):
        super().__init__()
        self.take(in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init,
                  bias_init, data_format, transposed=True)
        self.output_padding = self.check_more(output_padding, 3)

    def construct(self, x):
        """Compiled body."""
        assert len(x.shape) == 5, "Conv3dTranspose takes a tensor of five axes (N, C, D, H, W)"
        return self.transposed(x, self.output_padding)


def several(name, value, count, least=1):
    """An int for each of `count` axes, given as one or as a tuple; raises ValueError for others, and those below `least`."""
    values = (value,) * count if isinstance(value, int) else tuple(value)
    if len(values) == 1:
        values = values * count
    if len(values) != count or any(isinstance(each, bool) or not isinstance(each, int) or each < least for each in values):
        raise ValueError(f"The '{name}' must be an int of at least {least} or {count} of them, but got {value}.")
    return values


described_by(_Conv, Conv1d, Conv2d, Conv3d, Conv1dTranspose, Conv2dTranspose, Conv3dTranspose)
