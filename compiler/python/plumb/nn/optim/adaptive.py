"""RMSProp and Adagrad."""

from plumb.common._offers import only_defaults
from plumb.nn.optim.optimizer import Optimizer
from plumb.ops import _functions as F


class RMSProp(Optimizer):
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

    def construct(self, gradients):
        """Compiled body."""
        lr = self.get_lr()
        for i in range(len(self.parameters)):
            gradient = self.prepared(i, gradients[i])
            square = self.mean_square[i] * self.decay + F.square(gradient) * (1.0 - self.decay)
            F.assign(self.mean_square[i], square)
            if self.centered:
                mean = self.mean_grad[i] * self.decay + gradient * (1.0 - self.decay)
                F.assign(self.mean_grad[i], mean)
                square = square - F.square(mean)
            moment = self.moment[i] * self.momentum + gradient * lr / F.sqrt(square + self.epsilon)
            F.assign(self.moment[i], moment)
            F.assign(self.parameters[i], self.parameters[i] - moment)
        return True


class Adagrad(Optimizer):
    """h = h + g^2; p = p - lr * g / sqrt(h), where h starts at `accum`.

    Without `update_slots` h stays, as MindSpore documents; its CPU backend takes no notice of it (seen in 2.0.0).
    """

    def __init__(self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if accum < 0.0:
            raise ValueError(f"For 'Adagrad', the argument 'accum' must be at least 0, but got {accum}.")
        self.update_slots = bool(update_slots)
        self.accum = self.state("accum", float(accum))

    def construct(self, gradients):
        """Compiled body."""
        lr = self.get_lr()
        for i in range(len(self.parameters)):
            gradient = self.prepared(i, gradients[i])
            accum = self.accum[i]
            if self.update_slots:
                accum = accum + F.square(gradient)
                F.assign(self.accum[i], accum)
            F.assign(self.parameters[i], self.parameters[i] - gradient * lr / F.sqrt(accum))
        return True
