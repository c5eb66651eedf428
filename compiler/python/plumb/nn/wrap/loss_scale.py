"""Training steps with a scaled loss: steps whose gradients overflow are skipped on the device, inside a sink too."""

from plumb.common import dtype as mstype
from plumb.common._offers import WHOLE_GRADIENTS, not_offered
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.nn.wrap.cell_wrapper import TrainOneStepCell
from plumb.ops import _functions as F
from plumb.ops.function.compare import isfinite
from plumb.ops.grad import value_and_grad
from plumb.ops._maps import HyperMap, MultitypeFuncGraph
from plumb.ops.operations import AllReduce, Equal, FloatStatus, LessEqual, LogicalNot, ReduceSum


# For the steps of programs' own: 1 where a gradient overflows.
_grad_overflow = MultitypeFuncGraph("_grad_overflow")


@_grad_overflow.register("Tensor")
def _overflow_of_tensor(gradient):
    return FloatStatus()(gradient)


_grad_scale = grad_scale = MultitypeFuncGraph("grad_scale")


@grad_scale.register("Tensor", "Tensor")
def _divide(scale, gradient):
    """A gradient without its loss scale."""
    return gradient * F.cast(1.0 / scale, gradient.dtype)


__getattr__ = not_offered(__name__, instead={"shard_grad_scale": WHOLE_GRADIENTS})


def all_finite(inputs):
    """Whether no element of the tensors is infinite or NaN, as a boolean scalar."""
    finite = Tensor(True)
    for part in inputs:
        finite = F.logical_and(finite, F.all(isfinite(part)))
    return finite


class DynamicLossScaleUpdateCell(Cell):
    """The scale after a step: divided by `scale_factor` after an overflow, multiplied by it after `scale_window` steps without.

    Called with the scale, a Parameter (MindSpore takes a tensor, too, and changes it), and whether there was an overflow, which is the result.
    """

    def __init__(self, loss_scale_value, scale_factor, scale_window):
        super().__init__()
        self.loss_scale_value = loss_scale_value
        self.scale_factor, self.scale_window = float(scale_factor), scale_window
        self.cur_iter = Parameter(Tensor(1, mstype.int32), name="current_iterator_step", requires_grad=False)
        self.last_overflow_iter = Parameter(Tensor(0, mstype.int32), name="last_overflow_iterator_step", requires_grad=False)

    def get_loss_scale(self):
        """Returns the first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale, overflow):
        """Compiled body."""
        smaller = F.maximum(loss_scale / self.scale_factor, 1.0)
        grows = F.greater_equal(self.cur_iter - self.last_overflow_iter, self.scale_window)
        larger = F.select(grows, loss_scale * self.scale_factor, loss_scale)
        changed = F.logical_or(overflow, grows)
        F.assign(loss_scale, F.select(overflow, smaller, larger))
        F.assign(self.last_overflow_iter, F.select(changed, self.cur_iter, self.last_overflow_iter))
        F.assign(self.cur_iter, self.cur_iter + 1)
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """A scale that stays; called as DynamicLossScaleUpdateCell."""

    def __init__(self, loss_scale_value):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        """Returns the scale."""
        return self.loss_scale_value

    def construct(self, _, overflow):
        """Compiled body."""
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One training step on the scaled loss: gradients are unscaled, and when one of them overflows nothing is updated.

    Args:
      network: a cell that returns the loss.
      optimizer: an Optimizer.
      scale_sense: a cell that changes the scale (DynamicLossScaleUpdateCell), or the scale, a Tensor of one element.

    The result is (loss, whether gradients overflowed, the scale of the step). Subclasses may compute the gradients
    themselves, with `start_overflow_check`, `get_overflow_status` and `process_loss_scale`.
    """

    def __init__(self, network, optimizer, scale_sense):
        super().__init__(network, optimizer)
        self.loss_scaling_manager = None
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            scale = Tensor(float(scale_sense.get_loss_scale()), mstype.float32)
        elif isinstance(scale_sense, Tensor):
            if scale_sense.shape not in ((), (1,)):
                raise ValueError(f"The shape of 'scale_sense' must be (1,) or (), but got {scale_sense.shape}")
            scale = Tensor(scale_sense.asnumpy().reshape(()), mstype.float32)
        else:
            raise TypeError(f"The 'scale_sense' must be a Cell or a Tensor, but got {type(scale_sense).__name__}")
        self.scale_sense = Parameter(scale, name="scale_sense", requires_grad=False)
        self.scaled_grad = value_and_grad(self.scaled_loss, None, self.weights, has_aux=True)
        # What subclasses of programs' own call.
        self.hyper_map, self.reduce_sum, self.allreduce = HyperMap(), ReduceSum(False), AllReduce()
        self.less_equal, self.equal, self.logic_not = LessEqual(), Equal(), LogicalNot()
        self.base, self.is_distributed = Tensor(1, mstype.float32), False

    def set_sense_scale(self, sens):
        """Changes the scale, where `scale_sense` was a Tensor."""
        if self.scale_sense is None or self.loss_scaling_manager is not None:
            raise TypeError("'set_sense_scale' needs a 'scale_sense' that is a Tensor")
        self.scale_sense.set_data(Tensor(sens.asnumpy().reshape(()), mstype.float32))

    def scaled_loss(self, *inputs):
        """The loss times the scale, and the loss itself."""
        loss = self.network(*inputs)
        return loss * F.cast(self.scale_sense, loss.dtype), loss

    def construct(self, *inputs):
        """Compiled body."""
        (_, loss), grads = self.scaled_grad(*inputs)
        scale = self.scale_sense + 0.0
        unscaled = ()
        for grad in grads:
            unscaled = unscaled + (F.cast(grad, mstype.float32) / scale,)
        overflow = self.process_loss_scale(self.get_overflow_status(None, unscaled))
        if not overflow:
            self.optimizer(unscaled)
        return loss, overflow, scale

    def start_overflow_check(self, pre_cond, compute_input):
        """(status, what is to be computed): gradients are looked at themselves, so nothing has to be prepared."""
        return None, compute_input

    def get_overflow_status(self, status, compute_output):
        """Whether an element of the gradients is infinite or NaN."""
        return F.logical_not(all_finite(compute_output))

    def process_loss_scale(self, overflow):
        """Changes the scale by whether there was an overflow, which is the result."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow
