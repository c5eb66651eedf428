"""A function of tensors as functions of NumPy arrays: its value and gradient, in float64, with counts of evaluations."""

import numpy as np

from plumb.common.tensor import Tensor
from plumb.ops.grad import grad, value_and_grad


class Objective:
    """What a search evaluates.

    Args:
      function: gives a tensor of one element for a tensor, and `args`.
      start: a tensor; its element type and shape are those of all points.
      args: further arguments.
      jacobian: a function that gives the gradient; by default that of `function` is compiled.
    """

    def __init__(self, function, start, args=(), jacobian=None):
        self.function, self.args = function, tuple(args)
        self.jacobian = jacobian
        self.shape, self.type = start.shape, start.asnumpy().dtype
        self.both = value_and_grad(function, 0)
        self.slope = grad(function, 0)
        self.values = self.gradients = 0

    def tensor(self, point):
        """A point as a tensor."""
        return Tensor(np.asarray(point, self.type).reshape(self.shape))

    def __call__(self, point):
        """(value, gradient) at a point."""
        self.values += 1
        self.gradients += 1
        if self.jacobian is not None:
            value, slope = self.function(self.tensor(point), *self.args), self.jacobian(self.tensor(point), *self.args)
        else:
            value, slope = self.both(self.tensor(point), *self.args)
        slope = slope[0] if isinstance(slope, tuple) else slope
        return float(value.asnumpy().reshape(())), np.asarray(slope.asnumpy(), np.float64).reshape(-1)


def point_of(tensor):
    """A tensor as a vector of float64."""
    return np.asarray(tensor.asnumpy(), np.float64).reshape(-1)
