"""Momentum and SGD."""

from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.optim.optimizer import Optimizer
from plumb.ops import _functions as F

import numpy as np


class Momentum(Optimizer):
    """v = momentum * v + g; p = p - lr * v, or p - lr * (g + momentum * v) with `use_nesterov`."""

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0.0:
            raise ValueError(f"For 'Momentum', the argument 'momentum' must be at least 0.0, but got {momentum}.")
        self.momentum = Parameter(Tensor(np.float32(momentum)), name="momentum", requires_grad=False)
        self.moments = self.state("moments")
        self.use_nesterov = bool(use_nesterov)

    def construct(self, gradients):
        """Compiled body."""
        lr = self.get_lr()
        for i in range(len(self.parameters)):
            gradient = self.prepared(i, gradients[i])
            moment = self.moments[i] * self.momentum + gradient
            F.assign(self.moments[i], moment)
            if self.use_nesterov:
                moment = gradient + moment * self.momentum
            F.assign(self.parameters[i], self.parameters[i] - moment * lr)
        return True


class SGD(Optimizer):
    """Plain gradient descent, or with momentum as PyTorch's SGD has it."""

    def __init__(self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False,
                 loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if dampening != 0.0:
            raise ValueError("For 'SGD', only dampening=0.0 is offered.")
        if momentum < 0.0 or (nesterov and momentum == 0.0):
            raise ValueError(f"For 'SGD', 'momentum' must be at least 0 and above 0 with 'nesterov', "
                             f"but got {momentum}.")
        self.momentum = float(momentum)
        self.nesterov = bool(nesterov)
        if self.momentum > 0.0:
            self.accum = self.state("accum")

    def construct(self, gradients):
        """Compiled body."""
        lr = self.get_lr()
        for i in range(len(self.parameters)):
            gradient = self.prepared(i, gradients[i])
            if self.momentum > 0.0:
                moment = self.accum[i] * self.momentum + gradient
                F.assign(self.accum[i], moment)
                gradient = gradient + moment * self.momentum if self.nesterov else moment
            F.assign(self.parameters[i], self.parameters[i] - gradient * lr)
        return True
