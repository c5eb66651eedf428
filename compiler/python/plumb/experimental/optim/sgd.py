"""Stochastic gradient descent."""

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.experimental.optim.optimizer import Optimizer
from plumb.ops import _functions as F


class SGD(Optimizer):
    """b = momentum * b + (1 - dampening) * g, in the first step b = g; p = p - lr * b, or with nesterov p - lr * (g + momentum * b).

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      momentum, dampening, nesterov: as in the formula; nesterov goes with a momentum and without dampening.
      weight_decay: times the weight, is added to the gradient.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *, maximize=False):
        self.first = None
        super().__init__(params, {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                                  "nesterov": nesterov, "maximize": maximize})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        if group["momentum"] < 0 or group["weight_decay"] < 0:
            raise ValueError(f"For 'SGD', momentum and weight_decay must be at least 0, but got {group['momentum']} and "
                             f"{group['weight_decay']}.")
        if group["nesterov"] and (group["momentum"] <= 0 or group["dampening"] != 0):
            raise ValueError(f"For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but got "
                             f"'momentum' {group['momentum']}, 'dampening' {group['dampening']}.")

    def grown(self, group):
        """Makes the accumulated gradients."""
        self.accum = self.state("accum")
        self.first = Parameter(Tensor(1.0, mstype.float32), name="first", requires_grad=False)

    def construct(self, gradients):
        """Compiled body."""
        done = super().construct(gradients)
        F.assign(self.first, self.first * 0.0)
        return done

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        if settings["weight_decay"] != 0:
            gradient = gradient + weight * settings["weight_decay"]
        momentum = settings["momentum"]
        if momentum != 0:
            # In the first step nothing is damped.
            share = 1.0 - settings["dampening"] * (1.0 - self.first)
            total = self.accum[i] * momentum + gradient * F.cast(share, gradient.dtype)
            F.assign(self.accum[i], total)
            gradient = gradient + total * momentum if settings["nesterov"] else total
        return weight - gradient * F.cast(rate, weight.dtype)
