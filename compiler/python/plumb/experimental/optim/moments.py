"""Variants of Adam, and averaged descent: Adamax, NAdam, RAdam, ASGD."""

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor
from plumb.experimental.optim.optimizer import CountingOptimizer, check_settings, decayed
from plumb.ops import _functions as F


class Moments(CountingOptimizer):
    """What Adam and its variants share: m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2."""

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        check_settings(self, group, ("eps", "weight_decay"), ("betas",))

    def grown(self, group):
        """Makes the moments."""
        super().grown(group)
        self.exp_avg, self.exp_avg_sq = self.state("exp_avg"), self.state("exp_avg_sq")

    def moments(self, i, gradient, settings):
        """The new moments."""
        first, second = settings["betas"]
        mean = self.exp_avg[i] * first + gradient * (1.0 - first)
        square = self.exp_avg_sq[i] * second + F.square(gradient) * (1.0 - second)
        F.assign(self.exp_avg[i], mean)
        F.assign(self.exp_avg_sq[i], square)
        return mean, square


class Adamax(Moments):
    """Adamax (Kingma and Ba 2014): u = max(b2 u, |g| + eps), p = p - lr / (1 - b1^t) m / u.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      betas, eps: as in the formula.
      weight_decay: times the weight, is added to the gradient.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, *, maximize=False):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize})

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        first, second = settings["betas"]
        gradient = decayed(weight, gradient, settings)
        mean = self.exp_avg[i] * first + gradient * (1.0 - first)
        largest = F.maximum(self.exp_avg_sq[i] * second, F.abs(gradient) + settings["eps"])
        F.assign(self.exp_avg[i], mean)
        F.assign(self.exp_avg_sq[i], largest)
        return weight - mean / largest * F.cast(rate / (1.0 - F.pow(first, self.state_step)), weight.dtype)


class NAdam(Moments):
    """NAdam (Dozat 2016): with c_t = b1 (1 - 0.5 * 0.96^(t momentum_decay)) and C_t their product so far,
    p = p - lr ((1 - c_t) / (1 - C_t) g + c_(t+1) / (1 - C_(t+1)) m) / (sqrt(v / (1 - b2^t)) + eps).

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      betas, eps, momentum_decay: as in the formula.
      weight_decay: times the weight, is added to the gradient.
    """

    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, momentum_decay=4e-3):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
                                  "maximize": False})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        super().check(group)
        check_settings(self, group, ("momentum_decay",))

    def grown(self, group):
        """Makes the moments, and for each Parameter the product of the c_t so far."""
        super().grown(group)
        self.mu_product = _numbers("mu_product", [1.0] * len(self.parameters))

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        first, second = settings["betas"]
        mean, square = self.moments(i, decayed(weight, gradient, settings), settings)
        now = first * (1.0 - 0.5 * F.pow(0.96, self.state_step * settings["momentum_decay"]))
        later = first * (1.0 - 0.5 * F.pow(0.96, (self.state_step + 1.0) * settings["momentum_decay"]))
        product = self.mu_product[i] * now
        F.assign(self.mu_product[i], product)
        root = F.sqrt(square / F.cast(1.0 - F.pow(second, self.state_step), square.dtype)) + settings["eps"]
        own = F.cast(rate * (1.0 - now) / (1.0 - product), weight.dtype)
        kept = F.cast(rate * later / (1.0 - product * later), weight.dtype)
        return weight - (decayed(weight, gradient, settings) * own + mean * kept) / root


class RAdam(Moments):
    """RAdam (Liu et al. 2019): Adam whose step is scaled after the variance of its rate, and without v in the first steps.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      betas, eps: as of Adam.
      weight_decay: times the weight, is added to the gradient.
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": False})

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        first, second = settings["betas"]
        mean, square = self.moments(i, decayed(weight, gradient, settings), settings)
        power = F.pow(second, self.state_step)
        most = 2.0 / (1.0 - second) - 1.0
        length = most - 2.0 * self.state_step * power / (1.0 - power)  # of the average that v is like
        scale = F.sqrt(F.maximum((length - 4.0) * (length - 2.0) * most / ((most - 4.0) * (most - 2.0) * length), 0.0))
        scaled = F.cast(F.sqrt(1.0 - power) * scale, weight.dtype) / (F.sqrt(square) + settings["eps"])
        step = mean * F.cast(rate / (1.0 - F.pow(first, self.state_step)), weight.dtype)
        return weight - step * F.select(length > 5.0, scaled, F.ones_like(scaled))


class ASGD(CountingOptimizer):
    """Averaged descent (Polyak and Juditsky 1992): p = p (1 - lambd eta) - eta g, eta = lr / (1 + lambd lr t)^alpha; `ax` holds the averages.

    Args:
      params: Parameters, or groups of them.
      lr: the learning rate.
      lambd, alpha: as in the formula.
      t0: the step at which averaging begins.
      weight_decay: times the weight, is added to the gradient.
      maximize: whether gradients are followed upwards.
    """

    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0, maximize=False):
        super().__init__(params, {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "maximize": maximize})

    def check(self, group):
        """Raises ValueError where a group's settings are wrong."""
        check_settings(self, group, ("weight_decay",))

    def grown(self, group):
        """Makes the averages, and for each Parameter eta."""
        super().grown(group)
        self.ax = self.state("ax")
        self.eta = _numbers("eta", [float(one["lr"].asnumpy()) for one in [*self.param_groups] for _ in one["params"]])

    def update(self, i, weight, gradient, rate, settings):
        """Compiled body."""
        gradient, eta = decayed(weight, gradient, settings), F.cast(self.eta[i], weight.dtype)
        weight = weight * (1.0 - eta * settings["lambd"]) - gradient * eta
        share = 1.0 / F.maximum(self.state_step - 1.0 - settings["t0"], 1.0)
        F.assign(self.ax[i], self.ax[i] + (weight - self.ax[i]) * F.cast(share, weight.dtype))
        F.assign(self.eta[i], rate / F.pow(1.0 + settings["lambd"] * rate * self.state_step, settings["alpha"]))
        return weight


def _numbers(name, values):
    """Parameters of one float32 number each."""
    return ParameterTuple([Parameter(Tensor(value, mstype.float32), name=f"{name}.{number}", requires_grad=False)
                           for number, value in enumerate(values)])
