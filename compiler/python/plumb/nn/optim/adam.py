"""Adam and its relatives: AdamWeightDecay, LazyAdam, AdamOffload, AdaMax, Lamb."""

import numpy as np

from plumb.common._offers import only_defaults
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.optim.optimizer import ByParameter
from plumb.ops import _functions as F


def _rest(beta):
    """1 - beta in f32, as the bias correction computes it from the powers: so the two errors cancel."""
    return float(np.float32(1.0) - np.float32(beta))


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
        self.rest1, self.rest2 = _rest(beta1), _rest(beta2)
        self.moment1, self.moment2 = self.state(self.names[0]), self.state(self.names[1])

    def first(self, i, gradient):
        """Moves the i-th mean of gradients."""
        moment = self.moment1[i] * self.beta1 + gradient * self.rest1
        F.assign(self.moment1[i], moment)
        return moment

    def second(self, i, gradient):
        """Moves the i-th mean of squares."""
        moment = self.moment2[i] * self.beta2 + F.square(gradient) * self.rest2
        F.assign(self.moment2[i], moment)
        return moment


class Adam(_Moments):
    """Adam with bias correction by running powers of the betas.

    lr_t = lr * sqrt(1 - beta2^t) / (1 - beta1^t); p = p - lr_t * m / (sqrt(v) + eps).

    Args:
      use_nesterov: the update takes beta1 * m + (1 - beta1) * g in place of m.
      use_amsgrad: the update takes the largest v so far in place of v.
      use_lazy, use_offload: accepted; both change where MindSpore computes (of sparse gradients, on the host), not what.
    """

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0, use_amsgrad=False, use_lazy=False,
                 use_offload=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        only_defaults("Adam", use_locking=(use_locking, False))
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
        return F.sqrt(1.0 - power2) / (1.0 - power1)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        moment1, moment2 = self.first(i, gradient), self.second(i, gradient)
        if self.use_amsgrad:
            moment2 = F.maximum(self.vhat[i], moment2)
            F.assign(self.vhat[i], moment2)
        if self.use_nesterov:
            moment1 = moment1 * self.beta1 + gradient * self.rest1
        return weight - moment1 * (rate * step) / (F.sqrt(moment2) + self.eps)


class LazyAdam(Adam):
    """Adam; gradients are dense here, and for those MindSpore's LazyAdam computes what Adam does."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0):
        super().__init__(params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay, loss_scale)


class AdamOffload(LazyAdam):
    """Adam whose update MindSpore computes on the host: the same numbers."""


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
        update = self.first(i, gradient) / (F.sqrt(self.second(i, gradient)) + self.eps)
        if self.decay_flags[i]:
            update = update + weight * self.decay_at(i)
        return weight - update * rate


class AdaMax(_Moments):
    """m = beta1 * m + (1 - beta1) * g; v = max(beta2 * v, |g|); p = p - lr / (1 - beta1^t) * m / (v + eps)."""

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
        moment = self.first(i, gradient)
        largest = F.maximum(self.moment2[i] * self.beta2, F.abs(gradient))
        F.assign(self.moment2[i], largest)
        return weight - moment * (rate * step) / (largest + self.eps)


class Lamb(_Moments):
    """Adam's update u with decoupled decay, scaled to the length of the weight: p = p - lr * |p| / |u| * u.

    u = m_t / (sqrt(v_t) + eps) + weight_decay * p with both moments free of bias; where a length is 0 the factor is 1.
    (LAMB, You et al. 2019, phi the identity.)
    """

    decouples = True

    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.take_betas(beta1, beta2, eps)
        self.beta1_power = Parameter(Tensor(np.float32(1.0)), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(np.float32(1.0)), name="beta2_power", requires_grad=False)

    def begin(self):
        """What the moments are multiplied by: 1 / (1 - beta^t)."""
        power1 = self.beta1_power * self.beta1
        power2 = self.beta2_power * self.beta2
        F.assign(self.beta1_power, power1)
        F.assign(self.beta2_power, power2)
        return 1.0 / (1.0 - power1), 1.0 / (1.0 - power2)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        update = self.first(i, gradient) * step[0] / (F.sqrt(self.second(i, gradient) * step[1]) + self.eps)
        if self.decay_flags[i]:
            update = update + weight * self.decay_at(i)
        return weight - update * (rate * trust(weight, update))


def trust(weight, update):
    """|weight| / |update|, or 1 where one of them is 0."""
    of_weight, of_update = length(weight), length(update)
    usable = F.logical_and(F.greater(of_weight, 0.0), F.greater(of_update, 0.0))
    return F.select(usable, of_weight / F.select(usable, of_update, F.ones_like(of_update)), F.ones_like(of_weight))


def length(x):
    """The Euclidean length of all of x."""
    return F.sqrt(F.reduce_sum(F.square(x)))
