"""The Gumbel distribution's cumulative function."""

from plumb.nn.probability import _parameters
from plumb.nn.probability.bijector.bijector import Bijector
from plumb.ops import _functions as F


class GumbelCDF(Bijector):
    """exp(-exp(-(x - loc) / scale)): from all numbers to those between 0 and 1.

    Args:
      loc, scale: numbers or arrays; `scale` is above 0.
      name: a name of the object's own.
    """

    def __init__(self, loc=0.0, scale=1.0, name="GumbelCDF"):
        super().__init__(name=name, param={"param_dict": {"loc": loc, "scale": scale}})
        self._loc, self._scale = self._add_parameter(loc, "loc"), self._add_parameter(scale, "scale")
        _parameters.check_positive(self._scale, "scale")

    loc = property(lambda self: self._loc, doc="The place of the greatest derivative.")
    scale = property(lambda self: self._scale, doc="The scale.")

    def _numbers(self, value):
        self._check_value_dtype(value)
        return self.cast_param_by_value(value, self._loc), self.cast_param_by_value(value, self._scale)

    def _forward(self, x):
        loc, scale = self._numbers(x)
        return F.exp(-F.exp(-(x - loc) / scale))

    def _inverse(self, y):
        loc, scale = self._numbers(y)
        return loc - scale * F.log(-F.log(y))

    def _forward_log_jacobian(self, x):
        loc, scale = self._numbers(x)
        distance = (x - loc) / scale
        return -distance - F.exp(-distance) - F.log(scale)

    def _inverse_log_jacobian(self, y):
        loc, scale = self._numbers(y)
        return F.log(scale / (-F.log(y) * y)) + F.zeros_like(loc)
