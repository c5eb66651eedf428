"""Adam and AdamWeightDecay."""

import numpy as np

from plumb.common._offers import only_defaults
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.optim.optimizer import Optimizer
from plumb.ops import _functions as F


def _rest(beta):
    """1 - beta in f32, as the bias correction computes it from the powers: so the two errors cancel."""
    return float(np.float32(1.0) - np.float32(beta))


class Adam(Optimizer):
    """Adam with bias correction by running powers of the betas."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        only_defaults("Adam", use_locking=(use_locking, False), use_nesterov=(use_nesterov, False))
        _check_betas("Adam", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.rest1, self.rest2 = _rest(beta1), _rest(beta2)
        self.beta1_power = Parameter(Tensor(np.float32(1.0)), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(np.float32(1.0)), name="beta2_power", requires_grad=False)
        self.moment1 = self.state("moment1")
        self.moment2 = self.state("moment2")

    def construct(self, gradients):
        """Compiled body."""
        power1 = self.beta1_power * self.beta1
        power2 = self.beta2_power * self.beta2
        F.assign(self.beta1_power, power1)
        F.assign(self.beta2_power, power2)
        lr = self.get_lr() * F.sqrt(1.0 - power2) / (1.0 - power1)
        for i in range(len(self.parameters)):
            gradient = self.prepared(i, gradients[i])
            moment1 = self.moment1[i] * self.beta1 + gradient * self.rest1
            moment2 = self.moment2[i] * self.beta2 + F.square(gradient) * self.rest2
            F.assign(self.moment1[i], moment1)
            F.assign(self.moment2[i], moment2)
            F.assign(self.parameters[i], self.parameters[i] - moment1 * lr / (F.sqrt(moment2) + self.eps))
        return True


class AdamWeightDecay(Optimizer):
    """Adam without bias correction, with decoupled weight decay.

    Parameters with "beta" or "gamma" in their names do not decay.
    """

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        _check_betas("AdamWeightDecay", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.rest1, self.rest2 = _rest(beta1), _rest(beta2)
        self.moments1 = self.state("adam_m")
        self.moments2 = self.state("adam_v")

    def construct(self, gradients):
        """Compiled body."""
        lr = self.get_lr()
        for i in range(len(self.parameters)):
            gradient = gradients[i]
            moment1 = self.moments1[i] * self.beta1 + gradient * self.rest1
            moment2 = self.moments2[i] * self.beta2 + F.square(gradient) * self.rest2
            F.assign(self.moments1[i], moment1)
            F.assign(self.moments2[i], moment2)
            update = moment1 / (F.sqrt(moment2) + self.eps)
            if self.decays[i]:
                update = update + self.parameters[i] * self.weight_decay
            F.assign(self.parameters[i], self.parameters[i] - update * lr)
        return True


def _check_betas(who, beta1, beta2, eps):
    if not (0.0 < beta1 < 1.0 and 0.0 < beta2 < 1.0 and eps > 0):
        raise ValueError(f"For '{who}', 'beta1' and 'beta2' must be between 0 and 1 and 'eps' above 0, but got "
                         f"{beta1}, {beta2} and {eps}.")
