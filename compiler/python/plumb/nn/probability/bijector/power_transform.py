"""Powers."""

from plumb.nn.probability.bijector.bijector import Bijector
from plumb.ops import _functions as F


class PowerTransform(Bijector):
    """(1 + c x)^(1 / c) for a power c, and exp(x) for c = 0; values above -1 / c.

    Args:
      power: c, at least 0.
      name: a name of the object's own.
    """

    def __init__(self, power=0.0, name="PowerTransform"):
        super().__init__(name=name, param={"param_dict": {"power": power}})
        self._power = self._add_parameter(power, "power")
        if not (self._power.asnumpy() >= 0).all():
            raise ValueError("Power must be greater than or equal to zero.")

    power = property(lambda self: self._power, doc="The power c.")

    def _by_power(self, power, of_zero, of_others):
        """One result where the power is zero, another elsewhere."""
        return F.select(F.equal(power, 0.0), of_zero, of_others)

    def _other_than_zero(self, x):
        power = self.cast_param_by_value(x, self._power)
        return power, F.select(F.equal(power, 0.0), F.ones_like(power), power)

    def _forward(self, x):
        x = self._check_value_dtype(x)
        power, c = self._other_than_zero(x)
        return self._by_power(power, F.exp(x), F.exp(F.log1p(x * c) / c))

    def _inverse(self, y):
        y = self._check_value_dtype(y)
        power, c = self._other_than_zero(y)
        return self._by_power(power, F.log(y), F.expm1(F.log(y) * c) / c)

    def _forward_log_jacobian(self, x):
        x = self._check_value_dtype(x)
        power, c = self._other_than_zero(x)
        return self._by_power(power, x, (1.0 / c - 1.0) * F.log1p(x * c))

    def _inverse_log_jacobian(self, y):
        y = self._check_value_dtype(y)
        return (self.cast_param_by_value(y, self._power) - 1.0) * F.log(y)
