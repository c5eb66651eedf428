"""Activations as cells."""

from plumb.common import dtype as mstype
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class ReLU(Cell):
    """max(x, 0)."""

    def construct(self, x):
        """Compiled body."""
        return F.relu(x)


class ReLU6(Cell):
    """min(max(x, 0), 6)."""

    def construct(self, x):
        """Compiled body."""
        return F.relu6(x)


class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""

    def construct(self, x):
        """Compiled body."""
        return F.sigmoid(x)


class Tanh(Cell):
    """Hyperbolic tangent."""

    def construct(self, x):
        """Compiled body."""
        return F.tanh(x)


class GELU(Cell):
    """Gaussian error linear unit; `approximate` takes a tanh for the error function."""

    def __init__(self, approximate=True):
        super().__init__()
        self.approximate = bool(approximate)

    def construct(self, x):
        """Compiled body."""
        return F.gelu(x, self.approximate)


class SiLU(Cell):
    """x * sigmoid(x)."""

    def construct(self, x):
        """Compiled body."""
        return F.silu(x)


class LeakyReLU(Cell):
    """x where positive, alpha * x elsewhere."""

    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """Compiled body."""
        return F.leaky_relu(x, self.alpha)


class ELU(Cell):
    """x where positive, alpha * (exp(x) - 1) elsewhere."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """Compiled body."""
        return F.elu(x, self.alpha)


class Softplus(Cell):
    """log(1 + exp(x)), without overflow."""

    def construct(self, x):
        """Compiled body."""
        return F.softplus(x)


class HSigmoid(Cell):
    """relu6(x + 3) / 6."""

    def construct(self, x):
        """Compiled body."""
        return F.relu6(x + 3.0) / 6.0


class HSwish(Cell):
    """x * relu6(x + 3) / 6."""

    def construct(self, x):
        """Compiled body."""
        return x * F.relu6(x + 3.0) / 6.0


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
        share = F.reshape(self.w, (self.channel,) + (1,) * (x.ndim - 2))
        return F.select(F.greater(x, 0.0), x, x * share)


class Softmax(Cell):
    """exp(x) over its sum along `axis`."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Compiled body."""
        return F.softmax(x, self.axis)


class LogSoftmax(Cell):
    """Logarithm of the softmax along `axis`."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """Compiled body."""
        return F.log_softmax(x, self.axis)


_BY_NAME = {"relu": ReLU, "relu6": ReLU6, "sigmoid": Sigmoid, "tanh": Tanh, "gelu": GELU, "silu": SiLU,
            "leakyrelu": LeakyReLU, "softmax": Softmax, "logsoftmax": LogSoftmax, "elu": ELU, "softplus": Softplus,
            "hsigmoid": HSigmoid, "hswish": HSwish, "prelu": PReLU}


def get_activation(name, prim_name=None):
    """Returns the activation cell for a name, a cell as it is, or None for None."""
    if name is None or isinstance(name, Cell):
        return name
    if name not in _BY_NAME:
        raise KeyError(f"There is no activation called '{name}'; there are {', '.join(_BY_NAME)}.")
    return _BY_NAME[name]()
