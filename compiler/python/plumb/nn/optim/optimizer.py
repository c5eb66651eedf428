"""What optimizers share: the parameters, the learning rate, weight decay and loss scale.

The learning rate is a parameter (`learning_rate`) that lives on the device, so it can change between launches. A
sequence of rates is a parameter too, indexed on the device by `global_step`, so that a sink needs no host.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class Optimizer(Cell):
    """Base of optimizers.

    Args:
      learning_rate: a number, a 0-D Tensor, or a sequence with one rate per step; the last one stays for all further
        steps (MindSpore's CPU backend reads 0 behind it, so that nothing is learnt any more).
      parameters: the Parameters to update; at least one.
      weight_decay: L2 penalty added to the gradients of all parameters but those with "beta" or "gamma" in their names:
        scales and shifts of normalisation do not decay, biases do.
      loss_scale: the gradients are divided by it.
    """

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        self.parameters = _checked(parameters)
        self._state_tuples = []
        rates = np.asarray(learning_rate.asnumpy() if isinstance(learning_rate, Tensor) else learning_rate,
                           np.float32)
        if rates.ndim > 1 or rates.size == 0 or np.any(rates < 0):
            raise ValueError(f"The 'learning_rate' must be a number of at least 0 or a sequence of them, "
                             f"but got {learning_rate}.")
        self.learning_rate = Parameter(Tensor(rates), name="learning_rate", requires_grad=False)
        self.dynamic_lr = rates.ndim == 1
        self.steps = rates.size
        self.global_step = Parameter(initializer("zeros", (1,), mstype.int32), name="global_step",
                                     requires_grad=False)
        if weight_decay < 0 or loss_scale <= 0:
            raise ValueError(f"The 'weight_decay' must be at least 0 and the 'loss_scale' above 0, but got "
                             f"{weight_decay} and {loss_scale}.")
        self.weight_decay, self.loss_scale = float(weight_decay), float(loss_scale)
        self.decays = tuple(weight_decay > 0 and "beta" not in parameter.name and "gamma" not in parameter.name
                            for parameter in self.parameters)

    def state(self, prefix, init="zeros"):
        """Makes one state parameter per trained parameter, named `prefix.<name>`."""
        state = self.parameters.clone(prefix, init)
        self._state_tuples.append(state)
        for parameter in state:
            parameter.requires_grad = False
        return state

    def get_lr(self):
        """The step's rate; counts the steps when there is one rate per step."""
        if not self.dynamic_lr:
            return self.learning_rate
        position = F.minimum(self.global_step, self.steps - 1)
        rate = F.reshape(F.gather(self.learning_rate, position, 0), ())
        F.assign(self.global_step, self.global_step + 1)
        return rate

    def prepared(self, i, gradient):
        """The i-th gradient, unscaled and with weight decay."""
        if self.loss_scale != 1.0:
            gradient = gradient / self.loss_scale
        if self.decays[i]:
            gradient = gradient + self.parameters[i] * self.weight_decay
        return gradient


def _checked(parameters):
    parameters = list(parameters)
    if not parameters:
        raise ValueError("For 'Optimizer', the argument parameters must not be empty. (Cells in a plain list are no part of "
                         "their owner: put them into an nn.CellList.)")
    if isinstance(parameters[0], dict):
        raise ValueError("For 'Optimizer', groups of parameters are not offered; pass a list of Parameters.")
    names = [parameter.name for parameter in ParameterTuple(parameters)]
    for name in names:
        if names.count(name) > 1:
            raise RuntimeError(f"For 'Optimizer', the parameters must have different names, but there are several "
                               f"called '{name}'.")
    return ParameterTuple(parameters)
