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
    """Base of the rules; `rule(shape)` gives the kind's name and its numbers.

    A rule of a program's own has `_initialize(arr)` instead, which writes the values into a NumPy array.
    """

    def __init__(self, **kwargs):
        if kwargs and type(self).__module__ == Initializer.__module__:  # rules of programs may keep what they like
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument '{next(iter(kwargs))}'")
        self._kwargs = kwargs

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
        self.value = value

    def rule(self, shape):
        return "constant", [float(self.value)]


class Normal(Initializer):
    """Normal with standard deviation `sigma` around `mean`."""

    def __init__(self, sigma=0.01, mean=0.0):
        self.sigma, self.mean = sigma, mean

    def rule(self, shape):
        return "normal", [float(self.sigma), float(self.mean)]


class TruncatedNormal(Initializer):
    """Normal with standard deviation `sigma` around `mean`, drawn again outside [a, b] deviations.

    So does MindSpore 1.x. MindSpore 2.0.0 draws again outside [-2, 2] whatever `sigma` is: small ones are not cut at all.
    """

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def rule(self, shape):
        return "truncated_normal", [float(number) for number in (self.sigma, self.mean, self.a, self.b)]


class Uniform(Initializer):
    """Even between -scale and scale."""

    def __init__(self, scale=0.07):
        self.scale = scale

    def rule(self, shape):
        return "uniform", [float(self.scale)]


class XavierUniform(Initializer):
    """Even with the bound gain * sqrt(6 / (fan_in + fan_out))."""

    def __init__(self, gain=1):
        self.gain = gain

    def rule(self, shape):
        fan_in, fan_out = fans(shape)
        return "uniform", [float(self.gain) * math.sqrt(6.0 / (fan_in + fan_out))]


class XavierNormal(Initializer):
    """Normal with deviation gain * sqrt(2 / (fan_in + fan_out))."""

    def __init__(self, gain=1):
        self.gain = gain

    def rule(self, shape):
        fan_in, fan_out = fans(shape)
        return "normal", [float(self.gain) * math.sqrt(2.0 / (fan_in + fan_out)), 0.0]


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


class VarianceScaling(Initializer):
    """A spread whose variance is scale / n, n being the inputs, the outputs, or the mean of both.

    MindSpore 2.0.0 draws evenly by default, since it takes "truncated_norm" alone for the truncated normal distribution.

    Args:
      scale: above 0.
      mode: "fan_in", "fan_out" or "fan_avg".
      distribution: "truncated_normal" (cut at two deviations, which does not change the variance), "untruncated_normal" or "uniform".
    """

    _SHRUNK = 0.87962566103423978  # the deviation of a normal distribution of deviation 1 that is cut at 2

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal"):
        if scale <= 0:
            raise ValueError(f"For VarianceScaling initializer, the argument 'scale' must be greater than 0, but got {scale}.")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"For VarianceScaling initializer, the argument 'mode' must be fan_in, fan_out or fan_avg, but got {mode}.")
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(f"For VarianceScaling initializer, the argument 'distribution' must be uniform, truncated_normal or "
                             f"untruncated_normal, but got {distribution}.")
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def rule(self, shape):
        fan_in, fan_out = fans(shape)
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(1.0, count))
        if self.distribution == "uniform":
            return "uniform", [math.sqrt(3) * deviation]
        if self.distribution == "untruncated_normal":
            return "normal", [deviation, 0.0]
        return "truncated_normal", [deviation / self._SHRUNK, 0.0, -2.0, 2.0]


class ArrayInitializer(Initializer):
    """Base of rules that make an array on the host, when `initializer` is called."""

    def values(self, shape):
        """Returns the values, a NumPy array of `shape`."""
        raise NotImplementedError(type(self).__name__ + ".values")

    def _normal(self, shape):
        return np.array(Tensor(shape=shape, dtype=mstype.float32, init=Normal(1.0)).asnumpy(), np.float64)

    def _check_rank(self, shape, least, most):
        if not least <= len(shape) <= most:
            raise ValueError(f"For {type(self).__name__} initializer, the dimension of the initialized tensor should be "
                             f"{least if least == most else f'at least {least}'}, but got {len(shape)}.")


class Identity(ArrayInitializer):
    """Ones on the diagonal of a matrix, zeros elsewhere."""

    def values(self, shape):
        self._check_rank(shape, 2, 2)
        return np.eye(*shape)


class Dirac(ArrayInitializer):
    """A convolution's weight that hands the first channels of each group on: one in the kernel's middle.

    Args:
      groups: how many groups of output channels there are.
    """

    def __init__(self, groups=1):
        if not isinstance(groups, int) or groups < 1:
            raise ValueError(f"For Dirac initializer, the argument 'groups' must be a positive int, but got {groups}.")
        self.groups = groups

    def values(self, shape):
        self._check_rank(shape, 3, 5)
        if shape[0] % self.groups:
            raise ValueError(f"For Dirac initializer, the first dimension must be divisible by groups, but got {shape[0]} and "
                             f"{self.groups}.")
        result, each = np.zeros(shape), shape[0] // self.groups
        for channel in range(shape[0]):
            if channel % each < shape[1]:
                result[(channel, channel % each) + tuple(extent // 2 for extent in shape[2:])] = 1
        return result


class Orthogonal(ArrayInitializer):
    """Rows or columns, whichever are fewer, of one length and orthogonal: Q of a random matrix (Saxe et al. 2013).

    Axes behind the first are one axis.

    Args:
      gain: the length.
    """

    def __init__(self, gain=1.0):
        self.gain = gain

    def values(self, shape):
        self._check_rank(shape, 2, 99)
        rows, columns = shape[0], int(np.prod(shape[1:]))
        q, r = np.linalg.qr(self._normal((max(rows, columns), min(rows, columns))))
        q = q * np.sign(np.diag(r))
        return float(self.gain) * (q if rows >= columns else q.T).reshape(shape)


class Sparse(ArrayInitializer):
    """A matrix of normal numbers in which a share of each column is zero (Martens 2010).

    Args:
      sparsity: the share.
      sigma: the deviation of the others.
    """

    def __init__(self, sparsity, sigma=0.01):
        self.sparsity, self.sigma = float(sparsity), float(sigma)

    def values(self, shape):
        self._check_rank(shape, 2, 2)
        result = self.sigma * self._normal(shape)
        order = np.argsort(self._normal(shape), axis=0)  # a random order in each column
        zeros = order[:math.ceil(self.sparsity * shape[0])]
        np.put_along_axis(result, zeros, 0, axis=0)
        return result


_BY_NAME = {
    "dirac": Dirac, "identity": Identity, "orthogonal": Orthogonal, "variancescaling": VarianceScaling,
    "variance_scaling": VarianceScaling,
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
      dtype: the element type; drawn numbers are cut to integers, as in MindSpore.
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple(init.shape) != _as_shape(shape):
            raise ValueError(f"The shape of the 'init' argument should be same as the argument 'shape', but got the "
                             f"'init' shape {tuple(init.shape)} and the 'shape' {_as_shape(shape)}.")
        return init
    rule = as_initializer(init)
    if isinstance(rule, ArrayInitializer):
        return Tensor(rule.values(_as_shape(shape)), dtype)
    if hasattr(rule, "_initialize"):
        values = np.zeros(_as_shape(shape), np.float32)
        rule._initialize(values)  # pylint: disable=protected-access
        return Tensor(values, dtype)
    kind = mstype.as_dtype(dtype or mstype.float32)
    whole = kind in (mstype.bool_, *mstype.int_type, *mstype.uint_type)
    if whole and rule.rule(_as_shape(shape))[0] in ("normal", "truncated_normal", "uniform"):
        return Tensor(Tensor(shape=_as_shape(shape), dtype=mstype.float32, init=rule).asnumpy().astype(kind.numpy))
    return Tensor(shape=_as_shape(shape), dtype=dtype, init=rule)


def _as_shape(shape):
    return (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)


# What rules of programs' own call, under MindSpore's private names.
_INITIALIZER_ALIAS = _BY_NAME


def _assignment(arr, num):
    """Writes an array or a number into an array."""
    arr[...] = num


def _calculate_fan_in_and_fan_out(shape):
    """The fans of a weight."""
    return fans(shape)


def _calculate_correct_fan(shape, mode):
    """The fan that `mode` names."""
    return chosen_fan(shape, mode)


def _calculate_gain(nonlinearity, param=None):
    """The factor by which a nonlinearity shrinks a signal, inverted; `param` is the slope of "leaky_relu"."""
    return he_gain(nonlinearity, 0.01 if param is None else param)


def _init_random_normal(mean, sigma, shape):
    """Normal numbers of the program's stream, as an array."""
    return np.array(Tensor(shape=_as_shape(shape), dtype=mstype.float32, init=Normal(sigma, mean)).asnumpy())


def _init_random_uniform(a, b, shape):
    """Even numbers from a to b of the program's stream, as an array."""
    even = np.array(Tensor(shape=_as_shape(shape), dtype=mstype.float32, init=Uniform(1.0)).asnumpy())
    return a + (b - a) * (even + 1) / 2


def _register(*aliases):
    """A decorator that makes a rule known by its name in small letters, and by others."""

    def enter(rule):
        _BY_NAME.update(dict.fromkeys([rule.__name__.lower(), *aliases], rule))
        return rule

    return enter
