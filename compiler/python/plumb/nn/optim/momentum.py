"""Momentum and SGD."""

import numpy as np

from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.optim.optimizer import ByParameter, opt_init_args_register
from plumb.ops import _functions as F
from plumb.ops import _updates as rules


class Momentum(ByParameter):
    """v = momentum * v + g; p = p - lr * v, or p - lr * (g + momentum * v) with `use_nesterov`.

    MindSpore documents the same, but its CPU backend takes no notice of `use_nesterov` (seen in 2.0.0).
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0.0:
            raise ValueError(f"For 'Momentum', the argument 'momentum' must be at least 0.0, but got {momentum}.")
        self.momentum = Parameter(Tensor(np.float32(momentum)), name="momentum", requires_grad=False)
        self.moments = self.state("moments")
        self.use_nesterov = bool(use_nesterov)

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        weight, moment = rules.momentum(weight, self.moments[i], gradient, rate, self.momentum, self.use_nesterov)
        F.assign(self.moments[i], moment)
        return weight


class SGD(ByParameter):
    """Plain gradient descent, or with momentum: v = momentum * v + (1 - dampening) * g, where the first v is g; p = p - lr * v.

    With `nesterov`, p = p - lr * (g + momentum * v). All parameters decay, those with "beta" or "gamma" in their names too.

    States are named as MindSpore's: `momentum`, `accum.NAME` for v, and `stat.NAME`, which is 1 before the first step and 0 behind it;
    without momentum they stay as they are. With momentum but no dampening `stat` is 0 from the beginning, as v begins with 0 and the
    first step is like the others; so no step has to write it.
    Behind the last of a list of rates that one stays, where MindSpore 2.0.0 on a CPU reads 0.
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False,
                 loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0.0 or dampening < 0.0:
            raise ValueError(f"For 'SGD', 'momentum' and 'dampening' must be at least 0, but got {momentum} and "
                             f"{dampening}.")
        if nesterov and (momentum == 0.0 or dampening != 0.0):
            raise ValueError(f"For 'SGD', 'nesterov' needs 'momentum' above 0 and 'dampening' of 0, but got {momentum} "
                             f"and {dampening}.")
        self.momentum = Parameter(Tensor(np.float32(momentum)), name="momentum", requires_grad=False)
        self.dampening, self.has_momentum = float(dampening), momentum > 0.0
        self.nesterov = bool(nesterov)
        self.decay_flags = tuple(dynamic or decay > 0 for dynamic, decay in zip(self.dynamic_decay_flags,
                                                                               self.weight_decays))
        is_first_alike = self.has_momentum and self.dampening == 0.0
        self.accum, self.stat = self.state("accum"), self.state("stat", "zeros" if is_first_alike else "ones")

    def updated(self, i, weight, gradient, rate, step):
        """Compiled body."""
        if not self.has_momentum:
            return rules.descent(weight, gradient, rate)[0]
        weight, moment = rules.momentum(weight, self.accum[i], gradient, rate, self.momentum, self.nesterov, 1.0, self.share(i))
        F.assign(self.accum[i], moment)
        return weight

    def share(self, i):
        """How much of the i-th gradient goes into v: all of it in the first step, 1 - dampening in the others."""
        if self.dampening == 0.0:
            return 1.0
        share = self.stat[i] * self.dampening + (1.0 - self.dampening)
        F.assign(self.stat[i], F.zeros_like(self.stat[i]))
        return share
