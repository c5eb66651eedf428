"""Classes of convolutions, pooling and windows of signals."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _functions as F
from plumb.ops import _windows as W
from plumb.ops import function as f
from plumb.ops._primitive import Composite, Named, Only, function_classes
from plumb.ops.function import patches, pooling

TABLE = {
    "AdaptiveAvgPool2D": (f.adaptive_avg_pool2d, {"output_size": ...}),
    "AdaptiveAvgPool3D": (f.adaptive_avg_pool3d, {"output_size": ...}),
    "BartlettWindow": (f.bartlett_window, {"periodic": True, "dtype": mstype.float32}),
    "BlackmanWindow": (f.blackman_window, {"periodic": True, "dtype": mstype.float32}),
    "Dilation2D": (patches.dilation2d, {"stride": ..., "dilation": ..., "pad_mode": "SAME", "data_format": "NCHW"}),
    "HammingWindow": (f.hamming_window, {"periodic": True, "alpha": 0.54, "beta": 0.46, "dtype": mstype.float32}),
    "MaxUnpool2D": (f.max_unpool2d, {"ksize": Named(..., "kernel_size"), "strides": Named(0, "stride"), "pads": Named(0, "padding"),
                                     "output_shape": Named((), "output_size"), "data_format": Only("NCHW")}),
    "MaxUnpool3D": (f.max_unpool3d, {"ksize": Named(..., "kernel_size"), "strides": Named(0, "stride"), "pads": Named(0, "padding"),
                                     "output_shape": Named((), "output_size"), "data_format": Only("NCDHW")}),
}

globals().update(function_classes(TABLE))


class AdaptiveMaxPool2D(Composite):
    """The largest of windows that cover the last two axes, and their places in the images, int64."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, x):
        """Compiled body."""
        return f.adaptive_max_pool2d(x, self.output_size, True)


class AdaptiveMaxPool3D(Composite):
    """The largest of windows that cover the last three axes, and their places in the images, int32; sizes are an input."""

    def construct(self, x, output_size):
        """Compiled body."""
        sizes = tuple(output_size.tolist()) if f.is_tensor(output_size) else output_size
        values, places = f.adaptive_max_pool3d(x, sizes, True)
        return values, F.cast(places, mstype.int32)


class _Pool(Composite):
    """What pooling classes of images share: extents, strides and a mode of pads."""

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        super().__init__()
        if data_format != "NCHW":
            raise ValueError(f"For '{type(self).__name__}', only data_format='NCHW' is offered, but got '{data_format}'.")
        self.kernel_size, self.strides = W.pair("kernel_size", kernel_size), W.pair("strides", strides)
        self.pad_mode = pad_mode.lower()

    def pads(self, x):
        """Top, bottom, left and right."""
        return W.conv_pads("pooling", self.pad_mode, 0, x.shape[2:], self.kernel_size, self.strides)


class MaxPool(_Pool):
    """The largest element of each window of images."""

    def construct(self, x):
        """Compiled body."""
        return F.max_pool2d(x, self.kernel_size, self.strides, self.pads(x))


class AvgPool(_Pool):
    """The mean of each window of images, without the pads of mode "same"."""

    def construct(self, x):
        """Compiled body."""
        return F.avg_pool2d(x, self.kernel_size, self.strides, self.pads(x), False)


class AvgPool3D(Composite):
    """The mean of each window of volumes; pads by the modes "valid", "same" and "pad"."""

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", pad=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=0, data_format="NCDHW"):
        super().__init__()
        if data_format != "NCDHW" or pad_mode.lower() not in ("valid", "same", "pad"):
            raise ValueError("For 'AvgPool3D', only data_format='NCDHW' and pad_mode='valid', 'same' and 'pad' are offered")
        self.kernel_size, self.strides = (pooling.several_of("AvgPool3D", name, value, 3)
                                          for name, value in (("kernel_size", kernel_size), ("strides", strides)))
        self.pad_mode, self.pad, self.ceil_mode = pad_mode.lower(), pad, bool(ceil_mode)
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def construct(self, x):
        """Compiled body."""
        pads = W.volume_pads(x.shape[2:], self.kernel_size, self.strides) if self.pad_mode == "same" else self.pad
        return f.avg_pool3d(x, self.kernel_size, self.strides, pads, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class MaxPool3D(Composite):
    """The largest element of each window of volumes; pads by the modes "valid", "same" and "pad"."""

    def __init__(self, kernel_size=1, strides=1, pad_mode="VALID", pad_list=0, ceil_mode=None, data_format="NCDHW"):
        super().__init__()
        if data_format != "NCDHW" or pad_mode.lower() not in ("valid", "same", "pad"):
            raise ValueError("For 'MaxPool3D', only data_format='NCDHW' and pad_mode='valid', 'same' and 'pad' are offered")
        self.kernel_size, self.strides = (pooling.several_of("MaxPool3D", name, value, 3)
                                          for name, value in (("kernel_size", kernel_size), ("strides", strides)))
        self.pad_mode, self.pad_list, self.ceil_mode = pad_mode.lower(), pad_list, bool(ceil_mode)

    def construct(self, x):
        """Compiled body."""
        if self.pad_mode == "same":
            pads = W.volume_pads(x.shape[2:], self.kernel_size, self.strides)
            padded = F.pad(x, (0, 0) + pads[::2], (0, 0) + pads[1::2], float("-inf"))
            return f.max_pool3d(padded, self.kernel_size, self.strides)
        return f.max_pool3d(x, self.kernel_size, self.strides, self.pad_list, 1, self.ceil_mode)


class MaxPoolWithArgmax(Composite):
    """The largest element of each window of images, and its place in the image with all its channels, int32.

    It pads by the modes "valid" and "same". With "same" MindSpore 2.0.0's windows begin at the edge, unlike those of its `MaxPool`.
    """

    def __init__(self, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        super().__init__()
        if data_format != "NCHW" or pad_mode.lower() not in ("valid", "same"):
            raise ValueError("For 'MaxPoolWithArgmax', only data_format='NCHW' and pad_mode='valid' and 'same' are offered")
        self.kernel_size, self.strides = W.pair("kernel_size", kernel_size), W.pair("strides", strides)
        self.pad_mode = pad_mode.lower()

    def construct(self, x):
        """Compiled body."""
        pads = W.conv_pads("pooling", self.pad_mode, 0, x.shape[2:], self.kernel_size, self.strides)
        values, places = pooling.padded_max_pool2d(x, self.kernel_size, self.strides, pads)
        channels = F.iota((1, x.shape[1], 1, 1), 1, mstype.int32) * (x.shape[2] * x.shape[3])
        return values, F.cast(places, mstype.int32) + channels


class MaxPoolWithArgmaxV2(Composite):
    """The largest element of each window of images, and its place in the image.

    Places are of the image without pads. MindSpore 2.0.0's places are wrong with pads, and its gradient misses windows.
    """

    def __init__(self, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False, argmax_type=mstype.int64):
        super().__init__()
        self.kernel_size, self.strides, self.pads, self.dilation = kernel_size, strides, pads, dilation
        self.ceil_mode, self.argmax_type = ceil_mode, argmax_type

    def construct(self, x):
        """Compiled body."""
        values, places = f.max_pool2d(x, self.kernel_size, self.strides, self.pads, self.dilation, True, self.ceil_mode)
        return values, F.cast(places, self.argmax_type)


class MaxPool3DWithArgmax(Composite):
    """The largest element of each window of volumes (N, C, D, H, W), and its place in the volume without pads.

    MindSpore 2.0.0 gives 0 for a window of negative integers.

    Args:
      ksize, strides, pads, dilation: an int or three each.
      ceil_mode: whether a last window that begins inside, but ends outside, counts.
      data_format: "NCDHW".
      argmax_type: the places' element type, int32 or int64.
    """

    def __init__(self, ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW", argmax_type=mstype.int64):
        super().__init__()
        if data_format != "NCDHW" or argmax_type not in (mstype.int32, mstype.int64):
            raise ValueError("For 'MaxPool3DWithArgmax', data_format must be 'NCDHW' and argmax_type int32 or int64")
        self.ksize, self.strides, self.pads, self.dilation = ksize, strides, pads, dilation
        self.ceil_mode, self.argmax_type = bool(ceil_mode), argmax_type

    def construct(self, x):
        """Compiled body."""
        values, places = f.max_pool3d(x, self.ksize, self.strides, self.pads, self.dilation, self.ceil_mode, True)
        return values, F.cast(places, self.argmax_type)


class Conv2D(Composite):
    """Convolution of images with kernels of (out_channel, channels / group, rows, columns)."""

    def __init__(self, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1,
                 data_format="NCHW"):
        super().__init__()
        if mode != 1 or data_format != "NCHW":
            raise ValueError("For 'Conv2D', only mode=1 and data_format='NCHW' are offered")
        self.out_channel, self.kernel_size, self.pad_mode, self.pad = out_channel, W.pair("kernel_size", kernel_size), pad_mode, pad
        self.stride, self.dilation, self.group = stride, dilation, group

    def construct(self, x, weight):
        """Compiled body."""
        if weight.shape[0] != self.out_channel or weight.shape[2:] != self.kernel_size:
            raise ValueError(f"For 'Conv2D', the weight of {weight.shape} does not fit out_channel and kernel_size")
        return f.conv2d(x, weight, None, self.stride, self.pad_mode, self.pad, self.dilation, self.group)


class Conv2DTranspose(Composite):
    """The adjoint of a convolution of images: from its results, kernels (O, C / group, …) and the extents (N, C, H, W) to images."""

    def __init__(self, out_channel, kernel_size, pad_mode="valid", pad=0, pad_list=None, mode=1, stride=1, dilation=1, group=1,
                 data_format="NCHW"):
        super().__init__()
        if mode != 1 or data_format != "NCHW":
            raise ValueError(f"For '{type(self).__name__}', only mode=1 and data_format='NCHW' are offered")
        self.out_channel, self.kernel_size = out_channel, W.pair("kernel_size", kernel_size)
        self.pad_mode, self.pad = pad_mode.lower(), pad if pad_list is None else tuple(pad_list)
        self.stride, self.dilation, self.group = W.pair("stride", stride), W.pair("dilation", dilation), group

    def construct(self, dout, weight, input_size):
        """Compiled body."""
        shape = tuple(input_size.tolist()) if f.is_tensor(input_size) else tuple(input_size)
        pads = W.conv_pads(self.name, self.pad_mode, self.pad, shape[2:], self.kernel_size, self.stride, self.dilation)
        return F.conv2d_input_grad(dout, weight, shape, self.stride, pads, self.dilation, self.group)


class Conv2DBackpropInput(Conv2DTranspose):
    """The older name of `Conv2DTranspose`."""


class DepthwiseConv2dNative(Composite):
    """Convolution of each channel of images by kernels of its own, (channel_multiplier, C, rows, columns)."""

    def __init__(self, channel_multiplier, kernel_size, mode=3, pad_mode="valid", pad=0, stride=1, dilation=1, group=1):
        super().__init__()
        if mode != 3 or group != 1:
            raise ValueError("For 'DepthwiseConv2dNative', only mode=3 and group=1 are offered")
        self.channel_multiplier, self.kernel_size = channel_multiplier, W.pair("kernel_size", kernel_size)
        self.pad_mode, self.pad, self.stride, self.dilation = pad_mode.lower(), pad, stride, dilation

    def construct(self, x, weight):
        """Compiled body."""
        if weight.shape != (self.channel_multiplier, x.shape[1]) + self.kernel_size:
            raise ValueError(f"For 'DepthwiseConv2dNative', the weight of {weight.shape} does not fit the input of {x.shape}")
        kernels = F.reshape(F.transpose(weight, (1, 0, 2, 3)), (-1, 1) + self.kernel_size)
        return f.conv2d(x, kernels, None, self.stride, self.pad_mode, self.pad, self.dilation, x.shape[1])


class Conv3D(Composite):
    """Convolution of volumes with kernels of (out_channel, channels / group, depth, rows, columns)."""

    def __init__(self, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1, data_format="NCDHW"):
        super().__init__()
        if mode != 1 or data_format != "NCDHW":
            raise ValueError("For 'Conv3D', only mode=1 and data_format='NCDHW' are offered")
        self.out_channel, self.kernel_size = out_channel, pooling.several_of("Conv3D", "kernel_size", kernel_size, 3)
        self.pad_mode, self.pad, self.stride, self.dilation, self.group = pad_mode.lower(), pad, stride, dilation, group

    def construct(self, x, weight):
        """Compiled body."""
        if weight.shape[0] != self.out_channel or weight.shape[2:] != self.kernel_size:
            raise ValueError(f"For 'Conv3D', the weight of {weight.shape} does not fit out_channel and kernel_size")
        return f.conv3d(x, weight, None, self.stride, self.pad_mode, self.pad, self.dilation, self.group)


class Conv3DTranspose(Composite):
    """Transposed convolution of volumes with kernels of (in_channel, out_channel / group, …); see `ops.conv3d_transpose`."""

    def __init__(self, in_channel, out_channel, kernel_size, mode=1, pad_mode="valid", pad=0, stride=1, dilation=1, group=1,
                 output_padding=0, data_format="NCDHW"):
        super().__init__()
        if mode != 1 or data_format != "NCDHW":
            raise ValueError("For 'Conv3DTranspose', only mode=1 and data_format='NCDHW' are offered")
        self.shape = (in_channel, out_channel // group) + pooling.several_of("Conv3DTranspose", "kernel_size", kernel_size, 3)
        self.pad_mode, self.pad, self.stride, self.dilation, self.group = pad_mode.lower(), pad, stride, dilation, group
        self.output_padding = output_padding

    def construct(self, dout, weight):
        """Compiled body."""
        if weight.shape != self.shape:
            raise ValueError(f"For 'Conv3DTranspose', the weight must be of {self.shape}, but got {weight.shape}")
        return f.conv3d_transpose(dout, weight, self.pad_mode, self.pad, self.stride, self.dilation, self.group, self.output_padding)


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("F", "W", "TABLE", "Composite", "Named", "Only")]
