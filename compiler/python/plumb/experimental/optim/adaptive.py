"""Optimizers that scale each weight's rate by its gradients so far: Adadelta, Adagrad, RMSprop, Rprop."""

from plumb.experimental.optim.optimizer import CountingOptimizer, Optimizer, check_settings, decayed
from plumb.ops import _functions as F


class Adadelta(Optimizer):
    """Adadelta (Zeiler 2012): v = rho v + (1 - rho) g^2, d = sqrt(u + eps) / sqrt(v + eps) g, u = rho u + (1 - rho) d^2, p = p - lr d.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      rho, eps: as in the formula.
      weight_decay: times the weight, is added to the gradient.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0.0, *, maximize=False):
        super().__init__(params, {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        check_settings(self, group, ("rho", "eps", "weight_decay"))
        if group["rho"] > 1:
            raise ValueError(f"For 'Adadelta', rho must be at most 1, but got {group['rho']}.")

    def grown(self, group):
        """Makes the averages of squares."""
        self.square_avg, self.acc_delta = self.state("square_avg"), self.state("acc_delta")

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        rho, eps = settings["rho"], settings["eps"]
        gradient = decayed(weight, gradient, settings)
        square = self.square_avg[i] * rho + F.square(gradient) * (1.0 - rho)
        step = F.sqrt(self.acc_delta[i] + eps) / F.sqrt(square + eps) * gradient
        F.assign(self.square_avg[i], square)
        F.assign(self.acc_delta[i], self.acc_delta[i] * rho + F.square(step) * (1.0 - rho))
        return weight - step * F.cast(rate, weight.dtype)


class Adagrad(CountingOptimizer):
    """Adagrad (Duchi et al. 2011): s = s + g^2, p = p - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps) in the t-th step.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      lr_decay, eps: as in the formula.
      weight_decay: times the weight, is added to the gradient.
      initial_accumulator_value: what s is at first.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=1e-2, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10, *, maximize=False):
        self._first_sum = float(initial_accumulator_value)
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                                  "initial_accumulator_value": initial_accumulator_value, "maximize": maximize})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        check_settings(self, group, ("lr_decay", "eps", "weight_decay", "initial_accumulator_value"))

    def grown(self, group):
        """Makes the sums of squares."""
        super().grown(group)
        self.accum = self.state("accum", self._first_sum)

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        gradient = decayed(weight, gradient, settings)
        total = self.accum[i] + F.square(gradient)
        F.assign(self.accum[i], total)
        rate = rate / (1.0 + (self.state_step - 1.0) * settings["lr_decay"])
        return weight - gradient / (F.sqrt(total) + settings["eps"]) * F.cast(rate, weight.dtype)


class RMSprop(Optimizer):
    """RMSprop (Hinton 2012): v = alpha v + (1 - alpha) g^2, b = momentum b + g / (sqrt(v) + eps), p = p - lr b.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      alpha, eps, momentum: as in the formula.
      weight_decay: times the weight, is added to the gradient.
      centered: whether the square of the gradients' average is taken from v.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0, centered=False, maximize=False):
        super().__init__(params, {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum,
                                  "centered": centered, "maximize": maximize})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        check_settings(self, group, ("alpha", "eps", "weight_decay", "momentum"))

    def grown(self, group):
        """Makes the averages, and what is accumulated."""
        self.square_avg, self.mean_avg, self.accum = self.state("square_avg"), self.state("mean_avg"), self.state("accum")

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        gradient = decayed(weight, gradient, settings)
        square = self.square_avg[i] * settings["alpha"] + F.square(gradient) * (1.0 - settings["alpha"])
        F.assign(self.square_avg[i], square)
        if settings["centered"]:
            mean = self.mean_avg[i] * settings["alpha"] + gradient * (1.0 - settings["alpha"])
            F.assign(self.mean_avg[i], mean)
            square = square - F.square(mean)
        step = gradient / (F.sqrt(square) + settings["eps"])
        if settings["momentum"] > 0:
            step = self.accum[i] * settings["momentum"] + step
            F.assign(self.accum[i], step)
        return weight - step * F.cast(rate, weight.dtype)


class Rprop(CountingOptimizer):
    """Rprop (Riedmiller and Braun 1993): each weight's step grows while its gradient keeps its sign, shrinks when it changes it.

    Args:
      params: Parameters, or groups of them.
      lr: the first step.
      etas: what a step is multiplied with where the sign has changed, and where not.
      step_sizes: the least and the greatest step.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, maximize=False):
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        if not 0 < group["etas"][0] < 1 < group["etas"][1]:
            raise ValueError(f"For 'Rprop', etas must be one number between 0 and 1 and one above 1, but got {group['etas']}.")

    def grown(self, group):
        """Makes the last gradients and the steps."""
        super().grown(group)
        self.prev, self.step_size = self.state("prev"), self.state("step_size")

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        (shrink, grow), (least, most) = settings["etas"], settings["step_sizes"]
        size = F.select(self.state_step == 1.0, F.zeros_like(weight) + F.cast(rate, weight.dtype), self.step_size[i])
        same = gradient * self.prev[i]
        factor = F.select(same > 0, F.zeros_like(weight) + grow, F.select(same < 0, F.zeros_like(weight) + shrink, F.ones_like(weight)))
        size = F.minimum(F.maximum(size * factor, least), most)
        gradient = F.select(same < 0, F.zeros_like(gradient), gradient)
        F.assign(self.prev[i], gradient)
        F.assign(self.step_size[i], size)
        return weight - F.sign(gradient) * size
