"""Adam and its relatives: AdamWeightDecay, LazyAdam, AdamOffload, AdaMax, Lamb."""

import numpy as np

from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.optim.optimizer import ByParameter, check_lock, opt_init_args_register
from plumb.ops import _functions as F
from plumb.ops import _updates as rules


def _check_betas(who, beta1, beta2, eps):
    if not (0.0 < beta1 < 1.0 and 0.0 < beta2 < 1.0 and eps > 0):
        raise ValueError(f"For '{who}', 'beta1' and 'beta2' must be between 0 and 1 and 'eps' above 0, but got "
                         f"{beta1}, {beta2} and {eps}.")


class _Moments(ByParameter):
    """Running means of gradients (`moment1`) and of their squares (`moment2`)."""

    names = ("moment1", "moment2")

    def take_betas(self, beta1, beta2, eps):
        """Checks and keeps the coefficients, makes the two moments."""
        _check_betas(type(self).__name__, beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.moment1, self.moment2 = self.state(self.names[0]), self.state(self.names[1])

    def kept(self, i, weight, moment1, moment2):
        """Stores the i-th moments; gives the weight."""
        F.assign(self.moment1[i], moment1)
        F.assign(self.moment2[i], moment2)
        return weight


class Adam(_Moments):
    """Adam with bias correction by running powers of the betas.

    lr_t = lr * sqrt(1 - beta2^t) / (1 - beta1^t); p = p - lr_t * m / (sqrt(v) + eps). Behind the last of a list of rates that
    one stays, where MindSpore 2.0.0 on a CPU reads 0.

    Args:
      use_nesterov: the update takes beta1 * m + (1 - beta1) * g in place of m.
      use_amsgrad: the update takes the largest v so far in place of v.
      use_lazy, use_offload: accepted; both change where MindSpore computes (of sparse gradients, on the host), not what.
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0, use_amsgrad=False, use_lazy=False,
                 use_offload=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_lock("Adam", use_locking)
        if (use_lazy or use_offload) and (use_nesterov or use_amsgrad):
            raise ValueError("For 'Adam', 'use_lazy' and 'use_offload' go without 'use_nesterov' and 'use_amsgrad'.")
        self.take_betas(beta1, beta2, eps)
        self.use_nesterov, self.use_amsgrad = bool(use_nesterov), bool(use_amsgrad)
        self.beta1_power = Parameter(Tensor(np.float32(1.0)), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(np.float32(1.0)), name="beta2_power", requires_grad=False)
        if self.use_amsgrad:
            self.vhat = self.state("vhat")

    def begin(self):
        """The factor of the rate: sqrt(1 - beta2^t) / (1 - beta1^t)."""
        power1 = self.beta1_power * self.beta1
        power2 = self.beta2_power * self.beta2
        F.assign(self.beta1_power, power1)
        F.assign(self.beta2_power, power2)
        return rules.unbiased(power1, power2)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        if self.use_amsgrad:
            weight, moment1, moment2, largest = rules.amsgrad(weight, self.moment1[i], self.moment2[i], self.vhat[i], gradient, rate * step,
                                                              self.beta1, self.beta2, self.eps, self.use_nesterov)
            F.assign(self.vhat[i], largest)
            return self.kept(i, weight, moment1, moment2)
        return self.kept(i, *rules.adam(weight, self.moment1[i], self.moment2[i], gradient, rate * step, self.beta1, self.beta2, self.eps,
                                        self.use_nesterov))


class LazyAdam(Adam):
    """Adam; gradients are dense here, and for those MindSpore's LazyAdam computes what Adam does."""

    @opt_init_args_register
    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0):
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdamOffload(LazyAdam):
    """Adam whose update MindSpore computes on the host: the same numbers."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0):
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdamWeightDecay(_Moments):
    """Adam without bias correction, with decoupled weight decay.

    Without groups, parameters with "beta" or "gamma" in their names do not decay.
    """

    decouples = True
    names = ("adam_m", "adam_v")

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.take_betas(beta1, beta2, eps)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        decay = self.decay_at(i, 1) if self.decay_flags[i] else None
        return self.kept(i, *rules.adam_decayed(weight, self.moment1[i], self.moment2[i], gradient, rate, self.beta1, self.beta2, self.eps,
                                                decay))


class AdaMax(_Moments):
    """m = beta1 * m + (1 - beta1) * g; v = max(beta2 * v, |g|); p = p - lr / (1 - beta1^t) * m / (v + eps)."""

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.take_betas(beta1, beta2, eps)
        self.beta1_power = Parameter(Tensor(np.float32(1.0)), name="beta1_power", requires_grad=False)

    def begin(self):
        """The factor of the rate: 1 / (1 - beta1^t)."""
        power = self.beta1_power * self.beta1
        F.assign(self.beta1_power, power)
        return 1.0 / (1.0 - power)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        return self.kept(i, *rules.adamax(weight, self.moment1[i], self.moment2[i], gradient, rate * step, self.beta1, self.beta2, self.eps))


class Lamb(_Moments):
    """Adam's update u with decoupled decay, scaled to the length of the weight: p = p - lr * |p| / |u| * u.

    u = m_t / (sqrt(v_t) + eps) + weight_decay * p with both moments free of bias; where a length is 0 the factor is 1.
    (LAMB, You et al. 2019, phi the identity.)
    """

    decouples = True
    names = ("lamb_m", "lamb_v")

    @opt_init_args_register
    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.take_betas(beta1, beta2, eps)
        self.counts_steps = True

    def begin(self):
        """What the moments are multiplied by: 1 / (1 - beta^t)."""
        number = self.step_number()
        return 1.0 / (1.0 - F.pow(self.beta1, number)), 1.0 / (1.0 - F.pow(self.beta2, number))

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        decay = self.decay_at(i, 1) if self.decay_flags[i] else None
        return self.kept(i, *rules.lamb(weight, self.moment1[i], self.moment2[i], gradient, rate, self.beta1, self.beta2, self.eps, step,
                                        decay))
