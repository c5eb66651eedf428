"""Scaling and moving."""

from plumb.nn.probability.bijector.bijector import Bijector
from plumb.ops import _functions as F


class ScalarAffine(Bijector):
    """scale * x + shift.

    Args:
      scale, shift: numbers or arrays; `scale` is not 0.
      name: a name of the object's own.
    """

    def __init__(self, scale=1.0, shift=0.0, name="ScalarAffine"):
        super().__init__(is_constant_jacobian=True, name=name, param={"param_dict": {"scale": scale, "shift": shift}})
        self._scale, self._shift = self._add_parameter(scale, "scale"), self._add_parameter(shift, "shift")

    scale = property(lambda self: self._scale, doc="The factor.")
    shift = property(lambda self: self._shift, doc="The summand.")

    def _numbers(self, value):
        self._check_value_dtype(value)
        return self.cast_param_by_value(value, self._scale), self.cast_param_by_value(value, self._shift)

    def _forward(self, x):
        scale, shift = self._numbers(x)
        return scale * x + shift

    def _inverse(self, y):
        scale, shift = self._numbers(y)
        return (y - shift) / scale

    def _forward_log_jacobian(self, x):
        scale, _ = self._numbers(x)
        return F.log(F.abs(scale))

    def _inverse_log_jacobian(self, y):
        scale, _ = self._numbers(y)
        return -F.log(F.abs(scale))
