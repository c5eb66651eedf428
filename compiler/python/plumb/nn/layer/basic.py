"""Dense, BiDense, Flatten, Unflatten, the dropouts and Identity."""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as
from plumb.common.initializer import Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.nn._draws import DrawingCell
from plumb.nn._operations import Operation
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.nn.layer.activation import get_activation
from plumb.ops import _functions as F
from plumb.ops.function.products import bidense
from plumb.ops.function.shape import flatten, unflatten
from plumb.ops.operations.array_ops import Reshape
from plumb.ops.operations.math_ops import MatMul
from plumb.ops.operations.nn_ops import BiasAdd, Dropout as DropoutOperation
from plumb.ops.operations.other_ops import Shape


@typed
class Dense(Cell):
    """A fully connected layer: activation(x @ weight.T + bias).

    Args:
      in_channels, out_channels: extents of the last axis before and after.
      weight_init, bias_init: first values; by default normal with deviation 0.01, and zeros, as MindSpore 1.x and 2.0 have
        them (2.1 and later draw both uniformly).
      has_bias: whether a bias is added.
      activation: a cell, or its name, applied to the result.
    """

    # The operations that MindSpore's layer computes with: subclasses with a `construct` of their own call them.
    matmul, bias_add, reshape, shape_op = MatMul(transpose_b=True), BiasAdd(), Reshape(), Shape()

    def __init__(self, in_channels, out_channels, weight_init="normal", bias_init="zeros", has_bias=True,
                 activation=None):
        super().__init__()
        self.in_channels, self.out_channels = _positive("in_channels", in_channels), _positive("out_channels",
                                                                                              out_channels)
        self.has_bias = has_bias
        shape = (out_channels, in_channels)
        self.weight = Parameter(initializer(weight_init, shape), name="weight")
        self.bias = Parameter(initializer(bias_init, (out_channels,)), name="bias") if has_bias else None
        self.activation = get_activation(activation)
        self.activation_flag = self.activation is not None

    def construct(self, x):
        """Compiled body."""
        shape = x.shape
        if len(shape) != 2:
            x = F.reshape(x, (-1, shape[-1]))
        x = F.matmul(x, self.weight, transpose_b=True)
        if self.has_bias:
            x = x + self.bias
        if len(shape) != 2:
            x = F.reshape(x, shape[:-1] + (self.out_channels,))
        if self.activation_flag:
            x = self.activation(x)
        return x

    def extend_repr(self):
        """What `repr` shows."""
        shown = f"input_channels={self.in_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"
        return f"{shown}, activation={self.activation}" if self.activation_flag else shown


class Flatten(Cell):
    """The axes from `start_dim` to `end_dim` on one axis: by default all but the first."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x):
        """Compiled body."""
        return flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Identity(Cell):
    """Its input."""

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return x


class Dropout(DrawingCell):
    """In training zeroes each element with probability p and divides the others by 1 - p; else its input.

    Which elements fall depends on the seed, on the cell, and on how often it was called: not on how the steps are
    launched, and a run that is resumed from its checkpoint goes on with the same numbers.

    Args:
      p: probability of zeroing, at least 0 and below 1.
      keep_prob: 1 - p, as MindSpore 1.x has it; `p` counts when both are given.
      dtype: any type of floating point; the result is of the input's.
    """

    def __init__(self, keep_prob=0.5, p=None, dtype=mstype.float32):
        if mstype.as_dtype(dtype) not in mstype.float_type:
            raise TypeError(f"For 'Dropout', the 'dtype' must be a type of floating point, but got {dtype}.")
        super().__init__()
        self.p = p if p is not None else 1.0 - keep_prob
        if not 0 <= self.p < 1:
            raise ValueError(f"For 'Dropout', 'p' must be at least 0 and below 1, but got {self.p}.")
        self.keep_prob, self._by_keep_prob = 1.0 - self.p, p is None

    dropout = Operation("dropout", lambda self: DropoutOperation(self.keep_prob))

    def construct(self, x):
        """Compiled body."""
        if not self.training or self.p == 0:
            return x
        return self.thinned(x, x.shape)

    def thinned(self, x, shape):
        """x with elements zeroed, drawn in a shape that broadcasts to that of x."""
        return x * F.cast(F.select(F.less(self.drawn(shape), self.p), 0.0, 1.0 / (1.0 - self.p)), x.dtype)

    def extend_repr(self):
        """What `repr` shows."""
        return f"keep_prob={self.keep_prob}" if self._by_keep_prob else f"p={self.p}"


class _ChannelDropout(Dropout):
    """In training zeroes each channel as a whole with probability p, and divides the others by 1 - p.

    Inputs are (N, C, …), or (C, …) without the axis of the batch.
    """

    rank = 1

    def __init__(self, p=0.5):
        if not 0 <= p <= 1:
            raise ValueError(f"For '{type(self).__name__}', 'p' must be in [0, 1], but got {p}.")
        super().__init__(p=0.0 if p == 1 else p)
        self.all = p == 1

    def construct(self, x):
        """Compiled body."""
        if x.ndim != self.rank + 2 and x.ndim != self.rank + 1:
            raise ValueError(f"a dropout of channels got an input of a rank that does not fit: {x.shape}")
        if not self.training or (self.p == 0 and not self.all):
            return x
        if self.all:
            return F.zeros_like(x)
        return self.thinned(x, x.shape[:x.ndim - self.rank] + (1,) * self.rank)


class Dropout1d(_ChannelDropout):
    """Dropout of the channels of (N, C, L)."""


class Dropout2d(_ChannelDropout):
    """Dropout of the channels of (N, C, H, W)."""

    rank = 2


class Dropout3d(_ChannelDropout):
    """Dropout of the channels of (N, C, D, H, W)."""

    rank = 3


class Unflatten(Cell):
    """One axis in place of which there are several, of the extents `unflattened_size`."""

    def __init__(self, axis, unflattened_size):
        super().__init__()
        if isinstance(axis, bool) or not isinstance(axis, int) or not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(f"For 'Unflatten', 'axis' must be an int and 'unflattened_size' a tuple or list, but got {axis} and "
                            f"{unflattened_size}.")
        self.axis, self.unflattened_size = axis, tuple(unflattened_size)

    def construct(self, input_x):
        """Compiled body."""
        return unflatten(input_x, self.axis, self.unflattened_size)


@typed
class BiDense(Cell):
    """x1 @ A @ x2 + b for each result: a bilinear layer of (…, in1) and (…, in2).

    Args:
      weight_init, bias_init: first values; by default even between -1/sqrt(in1_channels) and 1/sqrt(in1_channels).
    """

    def __init__(self, in1_channels, in2_channels, out_channels, weight_init=None, bias_init=None, has_bias=True):
        super().__init__()
        self.in1_channels, self.in2_channels = _positive("in1_channels", in1_channels), _positive("in2_channels", in2_channels)
        self.out_channels, self.has_bias = _positive("out_channels", out_channels), bool(has_bias)
        even = Uniform(in1_channels ** -0.5)
        self.weight = Parameter(initializer(even if weight_init is None else weight_init,
                                            (out_channels, in1_channels, in2_channels)), name="weight")
        if has_bias:
            self.bias = Parameter(initializer(even if bias_init is None else bias_init, (out_channels,)), name="bias")

    def construct(self, input1, input2):
        """Compiled body."""
        return bidense(input1, input2, self.weight, self.bias if self.has_bias else None)

    def extend_repr(self):
        """What `repr` shows."""
        return (f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, output_channels={self.out_channels}, "
                f"has_bias={self.has_bias}")


def _positive(name, value):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"The '{name}' must be an int, but got {type(value).__name__}.")
    if value <= 0:
        raise ValueError(f"The '{name}' must be positive, but got {value}.")
    return value
