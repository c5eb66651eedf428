"""Cells that move elements: pixel and channel shuffles, patches, triangles, one-hot rows."""

from plumb.common import dtype as mstype
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops import _windows as W
from plumb.ops.function.creation import one_hot
from plumb.ops.function.diagonal import tril, triu
from plumb.ops.function.products import matmul
from plumb.ops.function.shape import channel_shuffle, pixel_shuffle, pixel_unshuffle, roll, swapaxes


class PixelShuffle(Cell):
    """(…, C * r^2, H, W) as (…, C, H * r, W * r): channels become pixels."""

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input):
        """Compiled body."""
        return pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """(…, C, H * r, W * r) as (…, C * r^2, H, W): pixels become channels."""

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input):
        """Compiled body."""
        return pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """The channels of each group, in turns."""

    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def construct(self, x):
        """Compiled body."""
        return channel_shuffle(x, self.groups)


class Roll(Cell):
    """Elements moved on along axes; those that leave at the end come in at the start.

    Args:
      shift: how far, an int, or one for each of `axis`; towards the start when negative.
      axis: an int, or several.
    """

    def __init__(self, shift, axis):
        super().__init__()
        for name, value in (("shift", shift), ("axis", axis)):
            every = value if isinstance(value, (list, tuple)) else (value,)
            if not all(isinstance(number, int) and not isinstance(number, bool) for number in every):
                raise TypeError(f"For 'Roll', the '{name}' must be an int, or a list or tuple of them, but got {value!r}.")
        if isinstance(shift, int) != isinstance(axis, int) or not isinstance(shift, int) and len(shift) != len(axis):
            raise ValueError(f"For 'Roll', 'shift' and 'axis' must be equally long, but got {shift} and {axis}.")
        self.shift, self.axis = shift, axis

    def construct(self, input_x):
        """Compiled body."""
        return roll(input_x, self.shift, self.axis)


class Unfold(Cell):
    """Patches of images (N, C, H, W) as channels: (N, height * width * C, rows, columns).

    Args:
      ksizes, strides, rates: extents of a patch, steps between patches and between a patch's elements: [1, rows, columns, 1].
      padding: "valid", or "same" for ceil(extent / stride) patches, zeros outside.
    """

    def __init__(self, ksizes, strides, rates, padding="valid"):
        super().__init__()
        for name, value in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                raise ValueError(f"For 'Unfold', '{name}' must be [1, rows, columns, 1], but got {value}.")
        if padding.lower() not in ("valid", "same"):
            raise ValueError(f"For 'Unfold', 'padding' must be 'valid' or 'same', but got {padding!r}.")
        self.ksizes, self.strides, self.rates = tuple(ksizes[1:3]), tuple(strides[1:3]), tuple(rates[1:3])
        self.padding = padding.lower()

    def construct(self, input_x):
        """Compiled body."""
        pads = W.conv_pads("Unfold", self.padding, 0, input_x.shape[2:], self.ksizes, self.strides, self.rates)
        input_x = F.pad(input_x, (0, 0, pads[0], pads[2]), (0, 0, pads[1], pads[3]))
        places = tuple([(input_x.shape[2 + i] - (self.ksizes[i] - 1) * self.rates[i] - 1) // self.strides[i] + 1 for i in range(2)])
        patches = ()
        for row in range(self.ksizes[0]):
            for column in range(self.ksizes[1]):
                top, left = row * self.rates[0], column * self.rates[1]
                patches = patches + (F.strided_slice(
                    input_x, (0, 0, top, left), input_x.shape[:2] + (top + (places[0] - 1) * self.strides[0] + 1,
                                                         left + (places[1] - 1) * self.strides[1] + 1),
                    (1, 1) + self.strides),)
        return F.concat(patches, 1)


class Tril(Cell):
    """The lower triangles of the last two axes, up to and with the diagonal `k`."""

    def construct(self, x, k=0):
        """Compiled body."""
        return tril(x, k)


class Triu(Cell):
    """The upper triangles of the last two axes, from the diagonal `k` on."""

    def construct(self, x, k=0):
        """Compiled body."""
        return triu(x, k)


class OneHot(Cell):
    """Rows of `depth` elements, on an axis put in at `axis`: `on_value` at the index, `off_value` elsewhere."""

    def __init__(self, axis=-1, depth=1, on_value=1.0, off_value=0.0, dtype=mstype.float32):
        super().__init__()
        self.axis, self.depth, self.on_value, self.off_value, self.dtype = axis, depth, on_value, off_value, dtype

    def construct(self, indices):
        """Compiled body."""
        return F.cast(one_hot(indices, self.depth, float(self.on_value), float(self.off_value), self.axis), self.dtype)


class MatMul(Cell):
    """Matrix product; `transpose_x1` and `transpose_x2` transpose the last two axes of an operand."""

    def __init__(self, transpose_x1=False, transpose_x2=False):
        super().__init__()
        self.transpose_x1, self.transpose_x2 = bool(transpose_x1), bool(transpose_x2)

    def construct(self, x1, x2):
        """Compiled body."""
        if self.transpose_x1:
            x1 = swapaxes(x1, -1, -2)
        if self.transpose_x2:
            x2 = swapaxes(x2, -1, -2)
        return matmul(x1, x2)


class L1Regularizer(Cell):
    """scale * sum(|weights|), in float32 at least."""

    def __init__(self, scale):
        super().__init__()
        if isinstance(scale, bool) or not isinstance(scale, (int, float)):
            raise TypeError(f"For 'L1Regularizer', the 'scale' must be an int or a float, but got {type(scale).__name__}.")
        if not 0 < scale < float("inf"):
            raise ValueError(f"For 'L1Regularizer', the 'scale' must be positive and finite, but got {scale}.")
        self.scale = float(scale)

    def construct(self, weights):
        """Compiled body."""
        wide = F.cast(weights, mstype.float32) if weights.dtype != mstype.float64 else weights
        return F.reduce_sum(F.abs(wide)) * self.scale


class TimeDistributed(Cell):
    """One layer for every step along `time_axis`: (N, T, …).

    Args:
      reshape_with_axis: an axis next to `time_axis` with which it is merged, so that the layer is called once; by default
        it is called for each step.
    """

    def __init__(self, layer, time_axis, reshape_with_axis=None):
        super().__init__()
        self.layer, self.time_axis, self.reshape_with_axis = layer, time_axis, reshape_with_axis

    def construct(self, inputs):
        """Compiled body."""
        axis = self.time_axis if self.time_axis >= 0 else self.time_axis + inputs.ndim
        if self.reshape_with_axis is None:
            outputs = ()
            for step in range(inputs.shape[axis]):
                outputs = outputs + (self.layer(F.gather(inputs, step, axis)),)
            return F.stack(outputs, axis)
        other = self.reshape_with_axis if self.reshape_with_axis >= 0 else self.reshape_with_axis + inputs.ndim
        if other - axis not in (1, -1):
            raise ValueError("For 'TimeDistributed', 'reshape_with_axis' must be next to 'time_axis'")
        first = min(axis, other)
        pair = inputs.shape[first:first + 2]
        outputs = self.layer(F.reshape(inputs, inputs.shape[:first] + (pair[0] * pair[1],) + inputs.shape[first + 2:]))
        return F.reshape(outputs, outputs.shape[:first] + pair + outputs.shape[first + 1:])
