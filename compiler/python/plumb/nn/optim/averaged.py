"""ASGD, Rprop and LARS: averaged descent, steps by the signs of gradients, rates by the lengths of layers."""

from plumb.nn.cell import Cell
from plumb.nn.optim.optimizer import ByParameter, Optimizer, opt_init_args_register
from plumb.ops import _functions as F
from plumb.ops import _updates as rules


class ASGD(ByParameter):
    """Averaged stochastic gradient descent (Polyak and Juditsky 1992), as PyTorch's.

    In step t, from 1: eta = lr / (1 + lambd * lr * (t - 1))^alpha; p = p * (1 - lambd * eta) - eta * g; and the average `ax`
    moves towards p by 1 / max(1, t - 1 - t0). MindSpore 2.0.0 keeps eta and the share as states, `eta_NAME` and `mu_NAME`; here
    they follow from `global_step`.
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            if not isinstance(value, float):
                raise TypeError(f"For 'ASGD', '{name}' must be a float, but got {value}.")
        self.lambd, self.alpha, self.t0 = lambd, alpha, t0
        self.counts_steps = True
        self.ax = self.state("ax_")

    def begin(self):
        """The number of this step."""
        return self.step_number()

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        before = step - 1.0
        eta = rate / F.pow(1.0 + rate * self.lambd * before, self.alpha)
        moved = weight * (1.0 - eta * self.lambd) - gradient * eta
        share = 1.0 / F.maximum(before - self.t0, 1.0)
        F.assign(self.ax[i], self.ax[i] + (moved - self.ax[i]) * share)
        return moved


class Rprop(ByParameter):
    """Resilient propagation (Riedmiller and Braun 1993): p = p - sign(g) * s.

    The step s starts at the learning rate. It grows by etas[1] where g has the sign of the gradient before, and shrinks by
    etas[0] where it has the other one, between the two `step_sizes`; where it shrinks, p stays and g counts as 0.
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for name, value in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(value, tuple):
                raise TypeError(f"For 'Rprop', '{name}' must be a tuple of two numbers, but got {type(value).__name__}.")
        if len(etas) != 2 or not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"For 'Rprop', 'etas' must be one number between 0 and 1 and one above 1, but got {etas}.")
        if len(step_sizes) != 2 or not 0.0 < step_sizes[0] <= step_sizes[1]:
            raise ValueError(f"For 'Rprop', 'step_sizes' must be two rising numbers above 0, but got {step_sizes}.")
        self.shrinks, self.grows = float(etas[0]), float(etas[1])
        self.smallest, self.largest = float(step_sizes[0]), float(step_sizes[1])
        self.counts_steps = True
        self.prev = self.state("prev")
        self.step_size = self.state("step_size")

    def begin(self):
        """The number of this step."""
        return self.step_number()

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        agreement = gradient * self.prev[i]
        size = F.select(F.less(step, 1.5), F.zeros_like(gradient) + rate, self.step_size[i])
        factor = F.select(F.greater(agreement, 0.0), self.grows, F.select(F.less(agreement, 0.0), self.shrinks, 1.0))
        size = F.minimum(F.maximum(size * factor, self.smallest), self.largest)
        gradient = F.select(F.less(agreement, 0.0), F.zeros_like(gradient), gradient)
        F.assign(self.step_size[i], size)
        F.assign(self.prev[i], gradient)
        return weight - F.sign(gradient) * size


def _is_layered(parameter):
    """Whether LARS scales a parameter, by its name."""
    return "LayerNorm" not in parameter.name and "bias" not in parameter.name


class LARS(Cell):
    """Scales each parameter's gradient before another optimizer takes it (You et al. 2017).

    g = (g + wd * p) * c * |p| / (|g| + wd * |p| + epsilon), with the optimizer's weight decay wd and the coefficient c. With
    `use_clip` the factor is at most the learning rate, divided by it. Where `lars_filter` says no, only wd * p is added.

    Args:
      optimizer: any Optimizer, with groups or without; its own weight decay moves here.
      lars_filter: which parameters are scaled; by default all but those with "LayerNorm" or "bias" in their names.
    """

    @opt_init_args_register
    def __init__(self, optimizer, epsilon=1e-5, coefficient=0.001, use_clip=False, lars_filter=_is_layered):
        super().__init__(auto_prefix=False)
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"For 'LARS', the 'optimizer' must be an Optimizer, but got {type(optimizer).__name__}.")
        self.opt = optimizer
        self.parameters = optimizer.parameters
        self.epsilon, self.coefficient, self.use_clip = float(epsilon), float(coefficient), bool(use_clip)
        self.lars_flag = tuple(bool(lars_filter(parameter)) for parameter in self.parameters)
        self.decay_flags, self.weight_decay = optimizer.decay_flags, optimizer.weight_decay
        self.loss_scale = optimizer.loss_scale
        optimizer.decay_flags = (False,) * len(self.parameters)
        optimizer.need_scale = False
        self.learning_rate, self.init_params = optimizer.learning_rate, optimizer.init_params

    def construct(self, gradients):
        """Compiled body."""
        scaled = ()
        for i in range(len(self.parameters)):
            scaled = scaled + (self.by_layer(i, self.parameters[i], gradients[i] / self.loss_scale),)
        return self.opt(scaled)

    def by_layer(self, i, weight, gradient):
        """The i-th gradient, scaled."""
        decay = self.opt.decay_at(i) if self.decay_flags[i] else 0.0
        if not self.lars_flag[i]:
            return gradient + weight * decay if self.decay_flags[i] else gradient
        return rules.layered(weight, gradient, rules.length(weight), rules.length(gradient), decay, self.opt.rate_at(self.opt.rate_of[i]),
                             self.epsilon, self.coefficient, self.use_clip)
