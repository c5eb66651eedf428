"""Cells by NumPy, for running a program's networks by CPython: the layers that drawn networks are built of.

A Parameter is a tensor that an assignment changes in place, wherever it is known by another name.
"""

import types

import numpy as np

from stand_in import Mode, Tensor, floating, given, made, ops


class Parameter(Tensor):
    """A tensor whose elements change."""

    __slots__ = ("name",)

    def __init__(self, value, name=None, requires_grad=True):
        super().__init__(value)
        self.name = name

    def set(self, value):
        """Takes over another tensor's elements."""
        if not isinstance(value, Tensor) or value.kind != self.kind or value.shape != self.shape:
            raise ValueError("a Parameter keeps its shape and element type")
        self.array = Mode.kept(value.array)

    def __setitem__(self, index, value):
        self.array = Mode.kept(self.with_item(index, value).array)


def assign(parameter, value):
    """Changes a Parameter."""
    parameter.set(value)
    return parameter


ops.assign = assign
ops.matmul = lambda x, y: x @ y


class Cell:
    """A network or layer."""

    def __call__(self, *args, **kwargs):
        return self.construct(*args, **kwargs)

    def __setattr__(self, name, value):
        old = self.__dict__.get(name)
        if isinstance(old, Parameter) and not isinstance(value, Parameter):
            old.set(value)
        else:
            self.__dict__[name] = value


class CellList(Cell):
    """Cells in a list."""

    def __init__(self, cells):
        self.cells = list(cells)

    def __len__(self):
        return len(self.cells)

    def __iter__(self):
        return iter(self.cells)

    def __getitem__(self, index):
        return type(self)(self.cells[index]) if isinstance(index, slice) else self.cells[index]


class SequentialCell(CellList):
    """Cells one after another."""

    def __init__(self, *cells):
        super().__init__(cells[0] if len(cells) == 1 and isinstance(cells[0], (list, tuple)) else cells)

    def construct(self, x):
        """One after another."""
        for cell in self.cells:
            x = cell(x)
        return x


def _of_elements(function, checked):
    """The class of a layer that computes each element by itself."""
    return type("Elements", (Cell,), {"construct": lambda self, x: made(function(checked(x).array), x.kind)})


ReLU, Tanh = _of_elements(lambda x: np.maximum(x, 0), given), _of_elements(np.tanh, floating)
Sigmoid = _of_elements(lambda x: 1 / (1 + np.exp(-x)), floating)
_ACTIVATIONS = {"relu": ReLU, "tanh": Tanh, "sigmoid": Sigmoid}


class Flatten(Cell):
    """All axes but the first in one."""

    def construct(self, x):
        """Reshaped."""
        return x.reshape(x.shape[0], -1)


class Dense(Cell):
    """A fully connected layer."""

    def __init__(self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True, activation=None):
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        self.weight, self.bias = Parameter(weight_init), Parameter(bias_init) if has_bias else None
        self.activation = _ACTIVATIONS[activation]() if activation else None

    def construct(self, x):
        """Multiplied, shifted, activated."""
        if given(x).shape[-1] != self.in_channels:
            raise ValueError("channels")
        x = x @ self.weight.T
        x = x + self.bias if self.has_bias else x
        return self.activation(x) if self.activation else x


def _ends(mode, extent, kernel, stride):
    """Elements before and behind an axis."""
    more = max((-(-extent // stride) - 1) * stride + kernel - extent, 0) if mode == "same" else 0
    return more // 2, more - more // 2


def _windows(array, kernel, stride, dilation, mode, outside):
    """(N, C, rows, columns, kernel, kernel): the windows of images."""
    reach = (kernel - 1) * dilation + 1
    array = np.pad(array, [(0, 0), (0, 0)] + [_ends(mode, extent, reach, stride) for extent in array.shape[2:]], constant_values=outside)
    shape = [(extent - reach) // stride + 1 for extent in array.shape[2:]]
    if min(shape) <= 0:
        raise ValueError("a window larger than the image")
    rows, columns = [np.arange(count)[:, None] * stride + np.arange(kernel)[None] * dilation for count in shape]
    return array[:, :, rows[:, None, :, None], columns[None, :, None, :]]


class Conv2d(Cell):
    """A convolution, of floats."""

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1, group=1, has_bias=False,
                 weight_init=None, bias_init=None):
        self.options, self.group = (kernel_size, stride, dilation, pad_mode, 0), group
        self.weight, self.bias = Parameter(weight_init), Parameter(bias_init) if has_bias else None

    def construct(self, x):
        """Sums over windows."""
        windows, weight = _windows(floating(x).array, *self.options), self.weight.array
        parts = np.split(windows, self.group, axis=1), np.split(weight, self.group)
        array = np.concatenate([np.einsum("nchwij,ocij->nohw", part, one) for part, one in zip(*parts)], axis=1)
        x = made(array, x.kind)
        return x + self.bias.reshape(1, -1, 1, 1) if self.bias is not None else x


class MaxPool2d(Cell):
    """The largest of each window."""

    outside = -np.inf

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid"):
        self.options = kernel_size, stride, 1, pad_mode, self.outside

    def construct(self, x):
        """Reduced."""
        return made(self.reduced(_windows(given(x).array, *self.options)), x.kind)

    def reduced(self, windows):
        """One of each window."""
        return windows.max((-2, -1))


class AvgPool2d(MaxPool2d):
    """The mean of each window, of what lies inside of the image."""

    outside = np.nan

    def reduced(self, windows):
        """One of each window."""
        return np.nanmean(windows, (-2, -1))


class LayerNorm(Cell):
    """Rows normalised."""

    def __init__(self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init=None, beta_init=None, epsilon=1e-7):
        self.gamma, self.beta, self.epsilon = Parameter(gamma_init), Parameter(beta_init), epsilon

    def construct(self, x):
        """Centred and scaled."""
        array = given(x).array
        centred = array - array.mean(-1, keepdims=True)
        return made(centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + self.epsilon), x.kind) * self.gamma + self.beta


nn = types.SimpleNamespace(Cell=Cell, CellList=CellList, SequentialCell=SequentialCell, ReLU=ReLU, Tanh=Tanh, Sigmoid=Sigmoid, Flatten=Flatten,
                           Dense=Dense, Conv2d=Conv2d, MaxPool2d=MaxPool2d, AvgPool2d=AvgPool2d, LayerNorm=LayerNorm)
