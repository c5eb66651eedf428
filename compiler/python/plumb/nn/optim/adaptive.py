"""RMSProp, Adagrad, ProximalAdagrad, Adadelta and FTRL: rates that follow the squares of gradients."""

from plumb.common._offers import only_defaults
from plumb.nn.optim.optimizer import ByParameter
from plumb.ops import _functions as F


class RMSProp(ByParameter):
    """s = decay * s + (1 - decay) * g^2; m = momentum * m + lr * g / sqrt(s + epsilon); p = p - m.

    With `centered`, the square of the gradients' running mean is taken off s under the root. The mean square starts at 1.
    """

    def __init__(self, params, learning_rate=0.1, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, loss_scale=1.0, weight_decay=0.0):
        only_defaults("RMSProp", use_locking=(use_locking, False))
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if decay < 0.0 or momentum < 0.0 or epsilon <= 0.0:
            raise ValueError(f"For 'RMSProp', 'decay' and 'momentum' must be at least 0 and 'epsilon' above 0, but got "
                             f"{decay}, {momentum} and {epsilon}.")
        self.decay, self.momentum, self.epsilon = float(decay), float(momentum), float(epsilon)
        self.centered = bool(centered)
        self.mean_square = self.state("mean_square", "ones")
        self.moment = self.state("moment")
        if self.centered:
            self.mean_grad = self.state("mean_grad")

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        square = self.mean_square[i] * self.decay + F.square(gradient) * (1.0 - self.decay)
        F.assign(self.mean_square[i], square)
        if self.centered:
            mean = self.mean_grad[i] * self.decay + gradient * (1.0 - self.decay)
            F.assign(self.mean_grad[i], mean)
            square = square - F.square(mean)
        moment = self.moment[i] * self.momentum + gradient * rate / F.sqrt(square + self.epsilon)
        F.assign(self.moment[i], moment)
        return weight - moment


class Adagrad(ByParameter):
    """h = h + g^2; p = p - lr * g / sqrt(h), where h starts at `accum`.

    Without `update_slots` h stays, as MindSpore documents; its CPU backend takes no notice of it (seen in 2.0.0).
    """

    def __init__(self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_start("Adagrad", "accum", accum)
        self.update_slots = bool(update_slots)
        self.accum = self.state("accum", float(accum))

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        accum = self.accum[i]
        if self.update_slots:
            accum = accum + F.square(gradient)
            F.assign(self.accum[i], accum)
        return weight - gradient * rate / F.sqrt(accum)


class ProximalAdagrad(ByParameter):
    """Adagrad with L1 and L2 penalties by a proximal step.

    h = h + g^2; r = lr / sqrt(h); z = p - r * g; p = sign(z) * max(|z| - r * l1, 0) / (1 + r * l2).
    (Duchi and Singer 2009.)
    """

    def __init__(self, params, accum=0.1, learning_rate=0.001, l1=0.0, l2=0.0, use_locking=False, loss_scale=1.0,
                 weight_decay=0.0):
        only_defaults("ProximalAdagrad", use_locking=(use_locking, False))
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_start("ProximalAdagrad", "accum", accum)
        _check_penalties("ProximalAdagrad", l1, l2)
        self.l1, self.l2 = float(l1), float(l2)
        self.accum = self.state("accum", float(accum))

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        accum = self.accum[i] + F.square(gradient)
        F.assign(self.accum[i], accum)
        reach = rate / F.sqrt(accum)
        moved = weight - reach * gradient
        if self.l1 > 0.0:
            moved = F.sign(moved) * F.maximum(F.abs(moved) - reach * self.l1, 0.0)
        return moved / (1.0 + reach * self.l2)


class Adadelta(ByParameter):
    """s = rho * s + (1 - rho) * g^2; u = sqrt(d + epsilon) / sqrt(s + epsilon) * g; d = rho * d + (1 - rho) * u^2; p = p - lr * u."""

    def __init__(self, params, learning_rate=1.0, rho=0.9, epsilon=1e-6, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not 0.0 <= rho <= 1.0 or epsilon < 0.0:
            raise ValueError(f"For 'Adadelta', 'rho' must be between 0 and 1 and 'epsilon' at least 0, but got {rho} and "
                             f"{epsilon}.")
        self.rho, self.epsilon = float(rho), float(epsilon)
        self.accum = self.state("accum")
        self.accum_update = self.state("accum_update")

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        accum = self.accum[i] * self.rho + F.square(gradient) * (1.0 - self.rho)
        F.assign(self.accum[i], accum)
        update = F.sqrt(self.accum_update[i] + self.epsilon) / F.sqrt(accum + self.epsilon) * gradient
        F.assign(self.accum_update[i], self.accum_update[i] * self.rho + F.square(update) * (1.0 - self.rho))
        return weight - update * rate


class FTRL(ByParameter):
    """Follow the regularised leader, proximal (McMahan et al. 2013).

    n' = n + g^2; z = z + g - (n'^-k - n^-k) / lr * p with k = `lr_power`;
    p = (sign(z) * l1 - z) / (n'^-k / lr + 2 * l2) where |z| > l1, else 0. MindSpore documents the same, but its CPU backend
    takes l1 with one sign only (seen in 2.0.0).
    """

    def __init__(self, params, initial_accum=0.1, learning_rate=0.001, lr_power=-0.5, l1=0.0, l2=0.0, use_locking=False,
                 loss_scale=1.0, weight_decay=0.0):
        only_defaults("FTRL", use_locking=(use_locking, False))
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError("For 'FTRL', the 'learning_rate' is one fixed number: sums of gradients would otherwise be "
                             "divided by another rate than they were added under.")
        _check_start("FTRL", "initial_accum", initial_accum)
        _check_penalties("FTRL", l1, l2)
        if lr_power > 0.0:
            raise ValueError(f"For 'FTRL', 'lr_power' must be at most 0, but got {lr_power}.")
        self.lr_power, self.l1, self.l2 = float(lr_power), float(l1), float(l2)
        self.moments = self.state("moments", float(initial_accum))
        self.linear = self.state("linear")

    def power(self, x):
        """x ^ -lr_power."""
        return F.sqrt(x) if self.lr_power == -0.5 else F.pow(x, -self.lr_power)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        accum = self.moments[i] + F.square(gradient)
        after = self.power(accum)
        linear = self.linear[i] + gradient - (after - self.power(self.moments[i])) / rate * weight
        F.assign(self.moments[i], accum)
        F.assign(self.linear[i], linear)
        pulled = (F.sign(linear) * self.l1 - linear) / (after / rate + 2.0 * self.l2)
        return F.select(F.greater(F.abs(linear), self.l1), pulled, F.zeros_like(pulled))


def _check_start(who, name, value):
    if value < 0.0:
        raise ValueError(f"For '{who}', the argument '{name}' must be at least 0, but got {value}.")


def _check_penalties(who, l1, l2):
    if l1 < 0.0 or l2 < 0.0:
        raise ValueError(f"For '{who}', 'l1' and 'l2' must be at least 0, but got {l1} and {l2}.")
