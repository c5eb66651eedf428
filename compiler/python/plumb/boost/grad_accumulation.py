"""Updates by the mean gradient of several batches."""

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops._maps import HyperMap, MultitypeFuncGraph, partial

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Number", "Tensor", "Tensor")
def _accumulate(steps, total, gradient):
    """Adds a batch's share of the mean gradient to the Parameter `total`."""
    return F.assign_add(total, gradient / steps)


@gradient_clear_op.register("Tensor")
def _clear(total):
    """Sets the Parameter `total` to zeros."""
    return F.assign(total, F.zeros_like(total))


class GradientAccumulation(Cell):
    """Updates once in several batches, by the mean of their gradients.

    Args:
      max_accumulation_step: how many batches.
      optimizer: the optimizer.

    Inputs: the loss, and the tuple of the gradients of `optimizer.parameters`. Output: the loss.
    """

    def __init__(self, max_accumulation_step, optimizer):
        super().__init__()
        if isinstance(max_accumulation_step, bool) or not isinstance(max_accumulation_step, int) or max_accumulation_step < 1:
            raise ValueError(f"For 'GradientAccumulation', the 'max_accumulation_step' must be an int of at least 1, but got "
                             f"{max_accumulation_step!r}.")
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, mstype.int32), name="accumulation_step", requires_grad=False)

    def construct(self, loss, grads):
        """Compiled body."""
        self.hyper_map(partial(gradient_accumulation_op, self._max_accumulation_step), self._grad_accumulation, grads)
        self._accumulation_step += 1
        if self._accumulation_step >= self._max_accumulation_step:
            self.optimizer(self._grad_accumulation)
            self.hyper_map(partial(gradient_clear_op), self._grad_accumulation)
            self._accumulation_step = 0
        return loss
