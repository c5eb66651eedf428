"""Layers of `mint.nn` with Parameters: PyTorch's arguments, names and initial values."""

import math

import numpy as np

from plumb import nn, ops
from plumb.common import dtype as mstype
from plumb.common._offers import only_defaults
from plumb.common.initializer import HeUniform, Normal, Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.mint.nn import functional
from plumb.nn import Cell
from plumb.nn._typed import floating
from plumb.nn.layer.conv import check_channels, several
from plumb.ops import _functions as F
from plumb.ops.function import normalization as N


def _uniform(inputs):
    """PyTorch's initial weights and biases of a layer with that many inputs of each output."""
    return HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(inputs) if inputs else 0.0)


def _made(rule, shape, name, dtype, wanted=True, trained=True):
    """A Parameter, or None where none is wanted; raises TypeError for weights of no type of floating point."""
    if dtype is not None:
        floating("mint.nn", dtype)
    return Parameter(initializer(rule, shape, dtype or mstype.float32), name, requires_grad=trained) if wanted else None


def _each(value, axes):
    """A number for each of the axes."""
    return (value,) * axes if isinstance(value, int) else tuple(value)


class Linear(nn.Dense):
    """x @ weight.T + bias; both uniform within 1 / sqrt(in_features) at first.

    Args:
      in_features, out_features: the extents of the last axis.
      bias: whether there is one.
      weight_init, bias_init: other initial values.
      dtype: of the Parameters, float32 by default.
    """

    def __init__(self, in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None):
        weights, biases = _uniform(in_features)
        super().__init__(in_features, out_features, weights if weight_init is None else weight_init,
                         biases if bias_init is None else bias_init, bias, dtype=dtype)


class _Convolution(Cell):
    """A convolution; weight (out_channels, in_channels / groups, kernel…).

    Args:
      in_channels, out_channels: extents of axis 1 before and after.
      kernel_size, stride, dilation: an int, or one for each axis.
      padding: an int, one for each axis, "valid" or "same".
      groups: number of channel groups.
      bias: whether there is one.
      padding_mode: "zeros", "reflect", "replicate" or "circular": what stands in the padding.
      dtype: of the Parameters, float32 by default.
    """

    axes = 2

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", dtype=None):
        super().__init__()
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(f"For '{type(self).__name__}', 'padding_mode' must be 'zeros', 'reflect', 'replicate' or 'circular', but got "
                             f"{padding_mode!r}.")
        check_channels(type(self).__name__, "groups", in_channels, out_channels, groups)
        kernel, reach = several("kernel_size", kernel_size, self.axes), several("dilation", dilation, self.axes)
        stride = several("stride", stride, self.axes)
        padding = self._checked(padding, stride)
        weights, biases = _uniform(in_channels // groups * math.prod(kernel))
        self.weight = _made(weights, (out_channels, in_channels // groups, *kernel), "weight", dtype)
        self.bias = _made(biases, (out_channels,), "bias", dtype, bias)
        self.padding_mode, self.around = padding_mode, self._ends(padding, kernel, reach)
        self.settings = stride, padding if padding_mode == "zeros" else 0, dilation, groups

    def _checked(self, padding, stride):
        """The padding: a word, or a number for each axis; raises ValueError for others, and "same" between steps of more than 1."""
        if not isinstance(padding, str):
            return several("padding", padding, self.axes, 0)
        if padding not in ("same", "valid"):
            raise ValueError(f"For '{type(self).__name__}', 'padding' must be an int, one for each axis, 'same' or 'valid', but got {padding!r}.")
        if padding == "same" and stride != (1,) * self.axes:
            raise ValueError(f"For '{type(self).__name__}', padding='same' goes with a stride of 1 only, but got {stride}: give numbers.")
        return padding

    def _ends(self, padding, kernel, reach):
        """How many elements stand before and behind each axis, the last one first."""
        if padding == "same":
            return tuple(end for size, step in reversed(list(zip(kernel, reach)))
                         for end in (step * (size - 1) // 2, step * (size - 1) - step * (size - 1) // 2))
        pads = _each(0 if padding == "valid" else padding, self.axes)
        return tuple(pad for pad in reversed(pads) for _ in range(2))

    def padded(self, input):
        """The input with what `padding_mode` puts around it."""
        return input if self.padding_mode == "zeros" else ops.pad(input, self.around, self.padding_mode)


class Conv1d(_Convolution):
    """1-D convolution of (N, C, L)."""

    axes = 1

    def construct(self, input):
        """Compiled body."""
        return functional.conv1d(self.padded(input), self.weight, self.bias, *self.settings)


class Conv2d(_Convolution):
    """2-D convolution of (N, C, H, W)."""

    def construct(self, input):
        """Compiled body."""
        return functional.conv2d(self.padded(input), self.weight, self.bias, *self.settings)


class Conv3d(_Convolution):
    """3-D convolution of (N, C, D, H, W)."""

    axes = 3

    def construct(self, input):
        """Compiled body."""
        return functional.conv3d(self.padded(input), self.weight, self.bias, *self.settings)


class ConvTranspose2d(Cell):
    """Transposed 2-D convolution; weight (in_channels, out_channels / groups, height, width).

    Args:
      in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, dilation: as of functional.conv_transpose2d.
      bias: whether there is one.
      padding_mode: "zeros" only.
      dtype: of the Parameters, float32 by default.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", dtype=None):
        super().__init__()
        only_defaults("ConvTranspose2d", padding_mode=(padding_mode, "zeros"))
        check_channels("ConvTranspose2d", "groups", in_channels, out_channels, groups)
        self.kernel, stride, dilation = several("kernel_size", kernel_size, 2), several("stride", stride, 2), several("dilation", dilation, 2)
        padding, output_padding = several("padding", padding, 2, 0), several("output_padding", output_padding, 2, 0)
        weights, biases = _uniform(out_channels // groups * math.prod(self.kernel))
        self.settings = stride, padding, output_padding, groups, dilation
        self.weight = _made(weights, (in_channels, out_channels // groups, *self.kernel), "weight", dtype)
        self.bias = _made(biases, (out_channels,), "bias", dtype, bias)

    def construct(self, input, output_size=None):
        """Compiled body; `output_size`, height and width of the result, says what output_padding would."""
        stride, padding, more, groups, dilation = self.settings
        if output_size is not None:
            more = functional.missing_rows(input.shape[-2:], output_size[-2:], self.kernel, stride, padding, dilation)
        return functional.conv_transpose2d(input, self.weight, self.bias, stride, padding, more, groups, dilation)


class _BatchNorm(Cell):
    """Normalises every channel (axis 1) over the batch and all other axes.

    Args:
      num_features: number of channels.
      eps: added to the variance.
      momentum: the share of a batch's statistics in the running ones; None gives all batches the same.
      affine: whether there are `weight` and `bias`.
      track_running_stats: whether statistics run, and normalise outside of training; else batches are normalised by their own always.
      dtype: of the Parameters, float32 by default.
    """

    ranks = ()

    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, dtype=None):
        super().__init__()
        if isinstance(num_features, bool) or not isinstance(num_features, int) or num_features < 1:
            raise ValueError(f"For '{type(self).__name__}', 'num_features' must be a positive int, but got {num_features}.")
        self.layer = type(self).__name__
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = bool(affine), bool(track_running_stats)
        shape, runs = (num_features,), self.track_running_stats
        self.weight = _made("ones", shape, "weight", dtype, affine)
        self.bias = _made("zeros", shape, "bias", dtype, affine)
        self.running_mean = _made("zeros", shape, "running_mean", dtype, runs, False)
        self.running_var = _made("ones", shape, "running_var", dtype, runs, False)
        self.num_batches_tracked = Parameter(initializer("zeros", (), mstype.int64), "num_batches_tracked", requires_grad=False) if runs else None

    def construct(self, input):
        """Compiled body."""
        if input.ndim not in self.ranks or input.shape[1] != self.num_features:
            raise ValueError(f"For '{self.layer}', the input must have {self.num_features} channels in axis 1 and a number of axes of "
                             f"{self.ranks}, but got {input.shape}")
        x = F.widened(input)
        weight = self.weight if self.affine else F.fill(x.dtype, (self.num_features,), 1)
        bias = self.bias if self.affine else F.fill(x.dtype, (self.num_features,), 0)
        if self.track_running_stats and not self.training:
            return F.cast(N.by_average(x, weight, bias, self.running_mean, self.running_var, self.eps), input.dtype)
        result, mean, variance, unbiased = N.by_batch(x, weight, bias, self.eps)
        if self.track_running_stats:
            self.follow(mean, variance * unbiased)
        return F.cast(result, input.dtype)

    def follow(self, mean, variance):
        """Moves the running statistics towards those of a batch."""
        F.assign(self.num_batches_tracked, self.num_batches_tracked + 1)
        share = 1.0 / F.cast(self.num_batches_tracked, mstype.float32) if self.momentum is None else self.momentum
        F.assign(self.running_mean, F.cast(N.followed(self.running_mean, mean, share), self.running_mean.dtype))
        F.assign(self.running_var, F.cast(N.followed(self.running_var, variance, share), self.running_var.dtype))

    def extend_repr(self):
        """What `repr` shows."""
        return (f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"track_running_stats={self.track_running_stats}")


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of (N, C, D, H, W)."""

    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over the batches of all devices, of which there is one; `process_group` takes None only."""

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, process_group=None, dtype=None):
        only_defaults("SyncBatchNorm", process_group=(process_group, None))
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)


class LayerNorm(Cell):
    """Normalisation over the last axes, of the extents `normalized_shape`.

    Args:
      normalized_shape: an int, or one for each axis.
      eps: added to the variance.
      elementwise_affine: whether there are `weight` and, if `bias`, `bias`.
      dtype: of the Parameters, float32 by default.
    """

    def __init__(self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, dtype=None):
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, bool(elementwise_affine)
        self.weight = _made("ones", self.normalized_shape, "weight", dtype, elementwise_affine)
        self.bias = _made("zeros", self.normalized_shape, "bias", dtype, elementwise_affine and bias)

    def construct(self, input):
        """Compiled body."""
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self):
        """What `repr` shows."""
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Cell):
    """Normalisation over groups of channels (axis 1).

    Args:
      num_groups: number of groups; it divides `num_channels`.
      num_channels: number of channels.
      eps: added to the variance.
      affine: whether there are `weight` and `bias`.
      dtype: of the Parameters, float32 by default.
    """

    def __init__(self, num_groups, num_channels, eps=1e-05, affine=True, dtype=None):
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ValueError(f"For 'GroupNorm', 'num_channels' must be divisible by 'num_groups', but got {num_channels} and {num_groups}.")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, bool(affine)
        self.weight = _made("ones", (num_channels,), "weight", dtype, affine)
        self.bias = _made("zeros", (num_channels,), "bias", dtype, affine)

    def construct(self, input):
        """Compiled body."""
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self):
        """What `repr` shows."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, affine={self.affine}"


class Embedding(Cell):
    """Rows of a table by their numbers; normal numbers at first, or `_weight`, which `_freeze` keeps from training.

    Args:
      num_embeddings, embedding_dim: the table's extents.
      padding_idx: a row that begins as zeros and has no gradient.
      max_norm, norm_type: rows that are looked up are scaled down to that norm, in the table, too.
      scale_grad_by_freq: whether a row's gradient is divided by how often its number stands in the input.
      sparse: False only.
      dtype: of the table; by default that of `_weight`, else float32.

    Raises ValueError for a `padding_idx` that is no row, and a `_weight` of another shape.
    """

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 sparse=False, _weight=None, _freeze=False, dtype=None):
        super().__init__()
        only_defaults("Embedding", sparse=(sparse, False))
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"For 'Embedding', 'padding_idx' must be one of the {num_embeddings} rows, but got {padding_idx}.")
        self.settings = padding_idx, max_norm, norm_type, scale_grad_by_freq
        table = self.drawn(num_embeddings, embedding_dim, padding_idx) if _weight is None else _weight
        if tuple(table.shape) != (num_embeddings, embedding_dim):
            raise ValueError(f"For 'Embedding', '_weight' must be of the shape {(num_embeddings, embedding_dim)}, but got {table.shape}.")
        self.weight = Parameter(table if dtype is None else F.cast(table, dtype), "weight", requires_grad=not _freeze)

    @staticmethod
    def drawn(count, extent, padding_idx):
        """A float32 table of normal numbers; the row `padding_idx` is zero."""
        values = np.array(initializer(Normal(1.0), (count, extent), mstype.float32).asnumpy())
        if padding_idx is not None:
            values[padding_idx] = 0
        return Tensor(values)

    def construct(self, input):
        """Compiled body."""
        return functional.embedding(input, self.weight, *self.settings)


class PReLU(Cell):
    """x where that is more than 0, else x times a trained weight: one for all channels or for each."""

    def __init__(self, num_parameters=1, init=0.25, dtype=None):
        super().__init__()
        self.weight = Parameter(Tensor(np.full((num_parameters,), init), mstype.float32 if dtype is None else dtype), "weight")

    def construct(self, input):
        """Compiled body."""
        return functional.prelu(input, self.weight)


for _kind in (Conv1d, Conv2d, Conv3d):
    _kind.__doc__ += _Convolution.__doc__.partition("\n")[2]
for _kind in (BatchNorm1d, BatchNorm2d, BatchNorm3d):
    _kind.__doc__ += _BatchNorm.__doc__.partition("\n")[2]
