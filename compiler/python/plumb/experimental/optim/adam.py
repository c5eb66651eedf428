"""Adam, and Adam with decoupled weight decay."""

from plumb.experimental.optim.moments import Moments
from plumb.experimental.optim.optimizer import decayed
from plumb.ops import _functions as F


class _Adam(Moments):
    """What both share."""

    decoupled = False

    def __init__(self, params, lr, betas, eps, weight_decay, amsgrad, maximize):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                                  "maximize": maximize})

    def grown(self, group):
        """Makes the moments, and the largest second ones where a group has `amsgrad`."""
        super().grown(group)
        self.max_exp_avg_sq = ()
        if any(one["amsgrad"] for one in self.param_groups):
            self.max_exp_avg_sq = self.state("max_exp_avg_sq")

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        first, second = settings["betas"]
        if self.decoupled:
            weight = weight * F.cast(1.0 - rate * settings["weight_decay"], weight.dtype)
        else:
            gradient = decayed(weight, gradient, settings)
        mean, square = self.moments(i, gradient, settings)
        if settings["amsgrad"]:
            square = F.maximum(self.max_exp_avg_sq[i], square)
            F.assign(self.max_exp_avg_sq[i], square)
        one, other = 1.0 - F.pow(first, self.state_step), 1.0 - F.pow(second, self.state_step)
        root = F.sqrt(square) / F.cast(F.sqrt(other), square.dtype) + settings["eps"]
        return weight - mean / root * F.cast(rate / one, weight.dtype)


class Adam(_Adam):
    """Adam (Kingma and Ba 2014): p = p - lr * m' / (sqrt(v') + eps), m' and v' being the moments without their bias.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      betas, eps: as in the formula.
      weight_decay: times the weight, is added to the gradient.
      amsgrad: whether the largest v so far takes the place of v.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)


class AdamW(_Adam):
    """Adam whose weights lose lr * weight_decay of themselves first (Loshchilov and Hutter 2017); arguments as of Adam."""

    decoupled = True

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *, maximize=False):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)
