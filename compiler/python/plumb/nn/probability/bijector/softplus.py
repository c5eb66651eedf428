"""The smooth rectifier."""

from plumb.nn.probability.bijector.bijector import Bijector
from plumb.ops import _functions as F


class Softplus(Bijector):
    """log(1 + exp(k x)) / k for a sharpness k.

    Args:
      sharpness: k, a number or array that is not 0.
      name: a name of the object's own.
    """

    def __init__(self, sharpness=1.0, name="Softplus"):
        super().__init__(name=name, param={"param_dict": {"sharpness": sharpness}})
        self._sharpness = self._add_parameter(sharpness, "sharpness")

    sharpness = property(lambda self: self._sharpness, doc="The sharpness k.")

    def _scaled(self, value):
        k = self.cast_param_by_value(self._check_value_dtype(value), self._sharpness)
        return k, k * value

    def _forward(self, x):
        k, scaled = self._scaled(x)
        return F.softplus(scaled) / k

    def _inverse(self, y):
        k, scaled = self._scaled(y)
        return (scaled + F.log(-F.expm1(-scaled))) / k

    def _forward_log_jacobian(self, x):
        return -F.softplus(-self._scaled(x)[1])

    def _inverse_log_jacobian(self, y):
        return -F.log(-F.expm1(-self._scaled(y)[1]))
