"""RMSProp, Adagrad, ProximalAdagrad, Adadelta and FTRL: rates that follow the squares of gradients."""

from plumb.nn.optim.optimizer import ByParameter, check_lock, opt_init_args_register
from plumb.ops import _functions as F
from plumb.ops import _updates as rules


class RMSProp(ByParameter):
    """s = decay * s + (1 - decay) * g^2; m = momentum * m + lr * g / sqrt(s + epsilon); p = p - m.

    With `centered`, the square of the gradients' running mean is taken off s under the root. The mean square starts at 1.
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
                 centered=False, loss_scale=1.0, weight_decay=0.0):
        check_lock("RMSProp", use_locking)
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
        if self.centered:
            weight, mean, square, moment = rules.rmsprop_centred(weight, self.mean_grad[i], self.mean_square[i], self.moment[i], gradient, rate,
                                                                 self.decay, self.momentum, self.epsilon)
            F.assign(self.mean_grad[i], mean)
        else:
            weight, square, moment = rules.rmsprop(weight, self.mean_square[i], self.moment[i], gradient, rate, self.decay, self.momentum,
                                                   self.epsilon)
        F.assign(self.mean_square[i], square)
        F.assign(self.moment[i], moment)
        return weight


class Adagrad(ByParameter):
    """h = h + g^2; p = p - lr * g / sqrt(h), where h starts at `accum`.

    Without `update_slots` h stays, as MindSpore documents; its CPU backend takes no notice of it (seen in 2.0.0).
    """

    @opt_init_args_register
    def __init__(self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_start("Adagrad", "accum", accum)
        self.update_slots = bool(update_slots)
        self.accum = self.state("accum", float(accum))

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        weight, accum = rules.adagrad(weight, self.accum[i], gradient, rate, self.update_slots)
        if self.update_slots:
            F.assign(self.accum[i], accum)
        return weight


class ProximalAdagrad(ByParameter):
    """Adagrad with L1 and L2 penalties by a proximal step.

    h = h + g^2; r = lr / sqrt(h); z = p - r * g; p = sign(z) * max(|z| - r * l1, 0) / (1 + r * l2).
    (Duchi and Singer 2009.)
    """

    @opt_init_args_register
    def __init__(self, params, accum=0.1, learning_rate=0.001, l1=0.0, l2=0.0, use_locking=False, loss_scale=1.0,
                 weight_decay=0.0):
        check_lock("ProximalAdagrad", use_locking)
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check_start("ProximalAdagrad", "accum", accum)
        _check_penalties("ProximalAdagrad", l1, l2)
        self.l1, self.l2 = float(l1), float(l2)
        self.accum = self.state("accum", float(accum))

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        weight, accum = rules.proximal_adagrad(weight, self.accum[i], gradient, rate, self.l1, self.l2)
        F.assign(self.accum[i], accum)
        return weight


class Adadelta(ByParameter):
    """s = rho * s + (1 - rho) * g^2; u = sqrt(d + epsilon) / sqrt(s + epsilon) * g; d = rho * d + (1 - rho) * u^2; p = p - lr * u."""

    @opt_init_args_register
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
        weight, accum, update = rules.adadelta(weight, self.accum[i], self.accum_update[i], gradient, rate, self.rho, self.epsilon)
        F.assign(self.accum[i], accum)
        F.assign(self.accum_update[i], update)
        return weight


class FTRL(ByParameter):
    """Follow the regularised leader, proximal (McMahan et al. 2013).

    n' = n + g^2; z = z + g - (n'^-k - n^-k) / lr * p with k = `lr_power`;
    p = (sign(z) * l1 - z) / (n'^-k / lr + 2 * l2) where |z| > l1, else 0. MindSpore documents the same, but its CPU backend
    takes l1 with one sign only (seen in 2.0.0).
    """

    @opt_init_args_register
    def __init__(self, params, initial_accum=0.1, learning_rate=0.001, lr_power=-0.5, l1=0.0, l2=0.0, use_locking=False,
                 loss_scale=1.0, weight_decay=0.0):
        check_lock("FTRL", use_locking)
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

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        weight, accum, linear = rules.ftrl(weight, self.moments[i], self.linear[i], gradient, rate, self.l1, self.l2, self.lr_power)
        F.assign(self.moments[i], accum)
        F.assign(self.linear[i], linear)
        return weight


def _check_start(who, name, value):
    if value < 0.0:
        raise ValueError(f"For '{who}', the argument '{name}' must be at least 0, but got {value}.")


def _check_penalties(who, l1, l2):
    if l1 < 0.0 or l2 < 0.0:
        raise ValueError(f"For '{who}', 'l1' and 'l2' must be at least 0, but got {l1} and {l2}.")
