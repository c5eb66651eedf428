"""Activations as cells. What each of them computes stands with the function of its name in `plumb.ops`."""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn._draws import DrawingCell
from plumb.nn._operations import Operation
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops.function import activation as A
from plumb.ops.operations import nn_ops


class ReLU(Cell):
    """max(x, 0)."""

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return F.relu(x)


class ReLU6(Cell):
    """min(max(x, 0), 6)."""

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return F.relu6(x)


class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return A.sigmoid(x)


class LogSigmoid(Cell):
    """log(sigmoid(x)), without overflow."""

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.logsigmoid(input_x)


class Tanh(Cell):
    """Hyperbolic tangent."""

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return F.tanh(x)


class Tanhshrink(Cell):
    """x - tanh(x)."""

    def construct(self, x):
        """Compiled body."""
        return A.tanhshrink(x)


class GELU(Cell):
    """Gaussian error linear unit; `approximate` takes a tanh for the error function."""

    def __init__(self, approximate=True):
        super().__init__()
        self.approximate = _a_bool("GELU", "approximate", approximate)

    def construct(self, x):
        """Compiled body."""
        return F.gelu(x, self.approximate)


class FastGelu(Cell):
    """x * sigmoid(1.702 * x)."""

    def construct(self, x):
        """Compiled body."""
        return A.fast_gelu(x)


class SiLU(Cell):
    """x * sigmoid(x)."""

    def construct(self, x):
        """Compiled body."""
        return A.silu(x)


class Mish(Cell):
    """x * tanh(log(1 + exp(x)))."""

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.mish(input_x)


class LeakyReLU(Cell):
    """x where positive, alpha * x elsewhere."""

    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = _a_number("LeakyReLU", "alpha", alpha)

    def construct(self, x):
        """Compiled body."""
        return A.leaky_relu(x, self.alpha)


class ELU(Cell):
    """x where positive, alpha * (exp(x) - 1) elsewhere."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = _a_number("ELU", "alpha", alpha)

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return A.elu(x, self.alpha)


class CELU(Cell):
    """x where positive, alpha * (exp(x / alpha) - 1) elsewhere."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = _a_number("CELU", "alpha", alpha)
        if alpha == 0:
            raise ValueError("For 'CELU', the 'alpha' cannot be 0.")

    def construct(self, x):
        """Compiled body."""
        return A.celu(x, self.alpha)


class SeLU(Cell):
    """scale * elu(x, alpha) with the constants that keep mean and variance.

    Its gradient below zero is scale * alpha * e^x, as PyTorch's; MindSpore 2.0.0 has another number there.
    """

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.selu(input_x)


class Softplus(Cell):
    """log(1 + exp(x)), without overflow."""

    def construct(self, x):
        """Compiled body."""
        return F.softplus(x)


class Softsign(Cell):
    """x / (1 + |x|)."""

    def construct(self, x):
        """Compiled body."""
        return A.softsign(x)


class SoftShrink(Cell):
    """x moved towards 0 by `lambd`, at most to 0."""

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = _a_number("SoftShrink", "lambd", lambd)

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.softshrink(input_x, self.lambd)


class HShrink(Cell):
    """x where |x| is above `lambd`, 0 elsewhere."""

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = _a_number("HShrink", "lambd", lambd)

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.hardshrink(input_x, self.lambd)


class HSigmoid(Cell):
    """relu6(x + 3) / 6."""

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.hardsigmoid(input_x)


class HSwish(Cell):
    """x * relu6(x + 3) / 6."""

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return A.hardswish(x)


class Hardtanh(Cell):
    """x held between `min_val` and `max_val`."""

    def __init__(self, min_val=-1.0, max_val=1.0):
        super().__init__()
        self.min_val, self.max_val = _a_number("Hardtanh", "min_val", min_val), _a_number("Hardtanh", "max_val", max_val)
        if self.min_val >= self.max_val:
            raise ValueError(f"For 'Hardtanh', 'min_val' must be smaller than 'max_val', but got {min_val} and {max_val}.")

    def construct(self, x):
        """Compiled body."""
        return A.hardtanh(x, self.min_val, self.max_val)


class Threshold(Cell):
    """x where above `threshold`, `value` elsewhere."""

    def __init__(self, threshold, value):
        super().__init__()
        self.threshold, self.value = _a_number("Threshold", "threshold", threshold), _a_number("Threshold", "value", value)

    @known_as(input="input_x")
    def construct(self, input_x):
        """Compiled body."""
        return A.threshold(input_x, self.threshold, self.value)


class PReLU(Cell):
    """x where positive, a trained share of x elsewhere: one share, or one per channel (axis 1).

    Args:
      channel: number of shares, 1 or that of the channels.
      w: first value: a number, or a list or Tensor of one for each share.
    """

    def __init__(self, channel=1, w=0.25):
        super().__init__()
        self.channel = channel
        self.w = Parameter(initializer(Tensor(w, mstype.float32) if isinstance(w, list) else w, (channel,)), name="w")

    def construct(self, x):
        """Compiled body."""
        return A.prelu(x, self.w)


class RReLU(DrawingCell):
    """x where positive, elsewhere x times a slope drawn anew for each element from `lower` to `upper`.

    As with Dropout, the numbers depend on the seed, the cell and the count of its calls. MindSpore draws outside training,
    too.
    """

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3):
        super().__init__()
        self.lower, self.upper = _a_number("RReLU", "lower", lower), _a_number("RReLU", "upper", upper)
        if self.lower > self.upper:
            raise ValueError(f"For 'RReLU', 'lower' must be at most 'upper', but got {lower} and {upper}.")

    def construct(self, x):
        """Compiled body."""
        slopes = F.cast(self.drawn(x.shape) * (self.upper - self.lower) + self.lower, x.dtype)
        return F.select(F.greater(x, 0.0), x, x * slopes)


class Softmax(Cell):
    """exp(x) over its sum along `axis`."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    @known_as(input="x")
    def construct(self, x):
        """Compiled body."""
        return A.softmax(x, self.axis)


class Softmax2d(Cell):
    """The softmax of images (N, C, H, W) or (C, H, W) over their channels."""

    def construct(self, x):
        """Compiled body."""
        if x.ndim != 3 and x.ndim != 4:
            raise ValueError(f"For 'Softmax2d', the input must have 3 or 4 axes, but got {x.shape}")
        return F.softmax(x, x.ndim - 3)


class Softmin(Cell):
    """The softmax of -x along `axis`."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Compiled body."""
        return A.softmin(x, self.axis)


class LogSoftmax(Cell):
    """Logarithm of the softmax along `axis`."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Compiled body."""
        return F.log_softmax(x, self.axis)


class GLU(Cell):
    """The first half of x along `axis` times the sigmoid of the second."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Compiled body."""
        return A.glu(x, self.axis)


_activation = {"relu": ReLU, "relu6": ReLU6, "sigmoid": Sigmoid, "tanh": Tanh, "gelu": GELU, "silu": SiLU, "elu": ELU,
            "leakyrelu": LeakyReLU, "softmax": Softmax, "logsoftmax": LogSoftmax, "softplus": Softplus, "softmin": Softmin,
            "softmax2d": Softmax2d, "hsigmoid": HSigmoid, "hswish": HSwish, "prelu": PReLU, "fast_gelu": FastGelu,
            "logsigmoid": LogSigmoid, "softshrink": SoftShrink, "hshrink": HShrink, "threshold": Threshold, "mish": Mish,
            "softsign": Softsign, "selu": SeLU, "celu": CELU, "tanhshrink": Tanhshrink, "hardtanh": Hardtanh, "glu": GLU}


def get_activation(name, prim_name=None):
    """Returns the activation cell for a name, a cell or operation as it is, or None for None."""
    if name is None or not isinstance(name, str):
        return name
    if name.lower() not in _activation:
        raise KeyError(f"There is no activation called '{name}'; there are {', '.join(_activation)}.")
    return _activation[name.lower()]()


def _a_number(who, name, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"For '{who}', the '{name}' must be an int or a float, but got {type(value).__name__}.")
    return float(value)


def _a_bool(who, name, value):
    if not isinstance(value, bool):
        raise TypeError(f"For '{who}', the '{name}' must be a bool, but got {type(value).__name__}.")
    return value


# The operations that layers consist of, by the names that MindSpore's layers give them.
for _layer, _name, _made_by in (
        (ReLU, "relu", lambda self: nn_ops.ReLU()), (ReLU6, "relu6", lambda self: nn_ops.ReLU6()),
        (GELU, "gelu", lambda self: nn_ops.GeLU()), (FastGelu, "fast_gelu", lambda self: nn_ops.FastGeLU()),
        (Sigmoid, "sigmoid", lambda self: nn_ops.Sigmoid()), (Tanh, "tanh", lambda self: nn_ops.Tanh()),
        (HSigmoid, "hsigmoid", lambda self: nn_ops.HSigmoid()), (HSwish, "hswish", lambda self: nn_ops.HSwish()),
        (ELU, "elu", lambda self: nn_ops.Elu(self.alpha)), (SeLU, "selu", lambda self: nn_ops.SeLU()),
        (Mish, "mish", lambda self: nn_ops.Mish()), (Softsign, "softsign", lambda self: nn_ops.Softsign()),
        (Softmax, "softmax", lambda self: nn_ops.Softmax(self.axis)),
        (LogSoftmax, "log_softmax", lambda self: nn_ops.LogSoftmax(self.axis))):
    setattr(_layer, _name, Operation(_name, _made_by))
