"""The exponential distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random


class Exponential(Distribution):
    """Exponential: the density is rate exp(-rate x) for x of at least 0.

    Args:
      rate: above 0; None where every call gives it.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Exponential"):
        _parameters.check_type("Exponential", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"rate": rate}})
        self._rate = self._add_parameter(rate, "rate")
        _parameters.check_positive(self._rate, "rate")

    rate = property(lambda self: self._rate, doc="The inverse of the mean.")

    def _mean(self, rate=None):
        return 1.0 / self._check_param_type(rate)

    def _mode(self, rate=None):
        return F.zeros_like(self._check_param_type(rate))

    def _sd(self, rate=None):
        return 1.0 / self._check_param_type(rate)

    def _entropy(self, rate=None):
        return 1.0 - F.log(self._check_param_type(rate))

    def _log_prob(self, value, rate=None):
        value, rate = self._check_value(value, "value"), self._check_param_type(rate)
        found = F.log(rate) - rate * value
        return F.select(F.less(value, 0.0), F.fill(found.dtype, (), -math.inf), found)

    def _cdf(self, value, rate=None):
        value, rate = F.maximum(self._check_value(value, "value"), 0.0), self._check_param_type(rate)
        return -F.expm1(-rate * value)

    def _log_survival(self, value, rate=None):
        value, rate = F.maximum(self._check_value(value, "value"), 0.0), self._check_param_type(rate)
        return -rate * value

    def _survival_function(self, value, rate=None):
        return F.exp(self._log_survival(value, rate))

    def _kl_loss(self, dist, rate_b, rate=None):
        rate_b, rate_a = self._other(dist, rate_b), self._check_param_type(rate)
        return F.log(rate_a / rate_b) + rate_b / rate_a - 1.0

    def _sample(self, shape=(), rate=None):
        rate = self._check_param_type(rate)
        drawn = F.cast(_random.even(self._extents(shape, rate), self.seed), self.parameter_type)
        return F.cast(-F.log(1.0 - drawn) / rate, self.dtype)
