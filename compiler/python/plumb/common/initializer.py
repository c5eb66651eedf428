"""Rules that give parameters their first values.

A rule is only declared here. The values are drawn by the runtime from a counter-based stream keyed by the seed and
the parameter's serial number, so a program trained in process and its executable start from the same bits.
Rules whose spread follows from the shape (Xavier, He) are reduced to `uniform` or `normal` with the spread computed.
"""

import math

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor


class Initializer:
    """Base of the rules; `rule(shape)` gives the kind's name and its numbers."""

    def rule(self, shape):
        """Returns (kind, [numbers]) for a tensor of `shape`."""
        raise NotImplementedError(type(self).__name__ + ".rule")


class Zero(Initializer):
    """All zeros."""

    def rule(self, shape):
        return "zero", []


class One(Initializer):
    """All ones."""

    def rule(self, shape):
        return "one", []


class Constant(Initializer):
    """One number everywhere."""

    def __init__(self, value):
        self.value = float(value)

    def rule(self, shape):
        return "constant", [self.value]


class Normal(Initializer):
    """Normal with standard deviation `sigma` around `mean`."""

    def __init__(self, sigma=0.01, mean=0.0):
        self.sigma, self.mean = float(sigma), float(mean)

    def rule(self, shape):
        return "normal", [self.sigma, self.mean]


class TruncatedNormal(Initializer):
    """Normal with standard deviation `sigma` around `mean`, drawn again outside [a, b] deviations.

    So does MindSpore 1.x. MindSpore 2.0.0 draws again outside [-2, 2] whatever `sigma` is: small ones are not cut at all.
    """

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        self.sigma, self.mean, self.a, self.b = float(sigma), float(mean), float(a), float(b)

    def rule(self, shape):
        return "truncated_normal", [self.sigma, self.mean, self.a, self.b]


class Uniform(Initializer):
    """Even between -scale and scale."""

    def __init__(self, scale=0.07):
        self.scale = float(scale)

    def rule(self, shape):
        return "uniform", [self.scale]


class XavierUniform(Initializer):
    """Even with the bound gain * sqrt(6 / (fan_in + fan_out))."""

    def __init__(self, gain=1):
        self.gain = float(gain)

    def rule(self, shape):
        fan_in, fan_out = fans(shape)
        return "uniform", [self.gain * math.sqrt(6.0 / (fan_in + fan_out))]


class XavierNormal(Initializer):
    """Normal with deviation gain * sqrt(2 / (fan_in + fan_out))."""

    def __init__(self, gain=1):
        self.gain = float(gain)

    def rule(self, shape):
        fan_in, fan_out = fans(shape)
        return "normal", [self.gain * math.sqrt(2.0 / (fan_in + fan_out)), 0.0]


class HeUniform(Initializer):
    """Even with the bound gain * sqrt(3 / fan), gain by `nonlinearity`."""

    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu"):
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def rule(self, shape):
        gain = he_gain(self.nonlinearity, self.negative_slope)
        return "uniform", [gain * math.sqrt(3.0 / chosen_fan(shape, self.mode))]


class HeNormal(Initializer):
    """Normal with deviation gain / sqrt(fan), gain by `nonlinearity`."""

    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu"):
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def rule(self, shape):
        gain = he_gain(self.nonlinearity, self.negative_slope)
        return "normal", [gain / math.sqrt(chosen_fan(shape, self.mode)), 0.0]


_BY_NAME = {
    "zeros": Zero, "zero": Zero, "ones": One, "one": One, "normal": Normal, "truncatednormal": TruncatedNormal,
    "truncated_normal": TruncatedNormal, "uniform": Uniform, "xavier_uniform": XavierUniform,
    "xavieruniform": XavierUniform, "xavier_normal": XavierNormal, "xaviernormal": XavierNormal,
    "he_uniform": HeUniform, "heuniform": HeUniform, "he_normal": HeNormal, "henormal": HeNormal,
}


def fans(shape):
    """Returns (fan_in, fan_out) of a weight whose first axis is the output's."""
    if len(shape) < 2:
        raise ValueError(f"Xavier and He rules need a weight of rank 2 or more, but got the shape {tuple(shape)}.")
    receptive = int(np.prod(shape[2:])) if len(shape) > 2 else 1
    return shape[1] * receptive, shape[0] * receptive


def chosen_fan(shape, mode):
    """Returns the fan that `mode` ("fan_in" or "fan_out") names."""
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"The mode must be 'fan_in' or 'fan_out', but got '{mode}'.")
    return fans(shape)[0 if mode == "fan_in" else 1]


def he_gain(nonlinearity, negative_slope):
    """Returns the factor by which `nonlinearity` shrinks a signal, inverted."""
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1.0 + negative_slope ** 2))
    if nonlinearity == "tanh":
        return 5.0 / 3.0
    if nonlinearity in ("sigmoid", "linear"):
        return 1.0
    raise ValueError(f"The nonlinearity '{nonlinearity}' is unknown.")


def as_initializer(init):
    """Turns a rule, its name or a number into a rule."""
    if isinstance(init, Initializer):
        return init
    if isinstance(init, str):
        if init.lower() not in _BY_NAME:
            raise ValueError(f"There is no initializer called '{init}'; there are {', '.join(sorted(_BY_NAME))}.")
        return _BY_NAME[init.lower()]()
    if isinstance(init, (int, float)):
        return Constant(init)
    raise TypeError(f"An initializer is a rule, its name or a number, but got {type(init).__name__}.")


def initializer(init, shape=None, dtype=mstype.float32):
    """Declares a tensor whose values follow `init`; they are drawn when first needed.

    Args:
      init: an Initializer, its name, a number, or a Tensor, which is checked against `shape` and returned.
      shape: the tensor's shape, an int or a sequence of ints.
      dtype: the element type.
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple(init.shape) != _as_shape(shape):
            raise ValueError(f"The shape of the 'init' argument should be same as the argument 'shape', but got the "
                             f"'init' shape {tuple(init.shape)} and the 'shape' {_as_shape(shape)}.")
        return init
    return Tensor(shape=_as_shape(shape), dtype=dtype, init=as_initializer(init))


def _as_shape(shape):
    return (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
