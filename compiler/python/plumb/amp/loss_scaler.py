"""Loss scaling in training steps that users write themselves."""

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class LossScaler(Cell):
    """Base of loss scalers: `scale` before gradients are taken, `unscale` behind, `adjust` in the end of each step."""

    def scale(self, inputs):
        """The tensor, or each of a tuple, multiplied by the scale."""
        raise NotImplementedError("a LossScaler needs its own 'scale'")

    def unscale(self, inputs):
        """The tensor, or each of a tuple, divided by the scale."""
        raise NotImplementedError("a LossScaler needs its own 'unscale'")

    def adjust(self, grads_finite):
        """Changes the scale by whether all gradients were finite."""
        raise NotImplementedError("a LossScaler needs its own 'adjust'")


class StaticLossScaler(LossScaler):
    """A scale that stays as it is."""

    def __init__(self, scale_value):
        super().__init__()
        self.scale_value = _scale(scale_value)

    def scale(self, inputs):
        """The tensor, or each of a tuple, multiplied by the scale."""
        return multiplied(inputs, self.scale_value)

    def unscale(self, inputs):
        """The tensor, or each of a tuple, divided by the scale."""
        return multiplied(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite):
        """Changes nothing."""
        return False


class DynamicLossScaler(LossScaler):
    """A scale that shrinks by `scale_factor` when gradients overflow and grows by it after `scale_window` steps without.

    Args:
      scale_value: the first scale.
      scale_factor: an int above 0.
      scale_window: so many steps in a row without an overflow.

    Attributes:
      scale_value, counter: Parameters, on the device as all others: the scale, and the steps since it last changed.
    """

    def __init__(self, scale_value, scale_factor, scale_window):
        super().__init__()
        for name, value in (("scale_factor", scale_factor), ("scale_window", scale_window)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"For 'DynamicLossScaler', the '{name}' must be a positive int, but got {value}.")
        self.scale_value = _scale(scale_value)
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter", requires_grad=False)
        self.scale_factor, self.scale_window = scale_factor, scale_window

    def scale(self, inputs):
        """The tensor, or each of a tuple, multiplied by the scale."""
        return multiplied(inputs, self.scale_value)

    def unscale(self, inputs):
        """The tensor, or each of a tuple, divided by the scale."""
        return multiplied(inputs, 1.0 / self.scale_value)

    def adjust(self, grads_finite):
        """Changes the scale, which stays at 1 or above."""
        count = self.counter + 1
        grows = F.greater_equal(count, self.scale_window)
        larger = F.select(grows, self.scale_value * float(self.scale_factor), self.scale_value)
        smaller = F.maximum(self.scale_value / float(self.scale_factor), 1.0)
        F.assign(self.scale_value, F.select(grads_finite, larger, smaller))
        F.assign(self.counter, F.select(F.logical_and(grads_finite, F.logical_not(grows)), count, F.zeros_like(count)))
        return True


def multiplied(inputs, factor):
    """A tensor, or each of a tuple or list, multiplied by a float32 scalar, in its own element type."""
    if isinstance(inputs, (tuple, list)):
        parts = ()
        for part in inputs:
            parts = parts + (multiplied(part, factor),)
        return parts
    return F.cast(F.cast(inputs, mstype.float32) * factor, inputs.dtype)


def _scale(value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 1:
        raise ValueError(f"The 'scale_value' must be a number of at least 1, but got {value}.")
    return Parameter(Tensor(float(value), mstype.float32), name="scale_value", requires_grad=False)
