"""The uniform distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random


class Uniform(Distribution):
    """Uniform: the density is 1 / (high - low) from `low` to `high`, and 0 elsewhere.

    Args:
      low, high: the ends, in order; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, low=None, high=None, seed=None, dtype=mstype.float32, name="Uniform"):
        _parameters.check_type("Uniform", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"low": low, "high": high}})
        self._low, self._high = self._add_parameter(low, "low"), self._add_parameter(high, "high")
        _parameters.check_order(self._low, self._high, "low value", "high value")

    low = property(lambda self: self._low, doc="The lower end.")
    high = property(lambda self: self._high, doc="The upper end.")

    def _mean(self, low=None, high=None):
        low, high = self._check_param_type(low, high)
        return (low + high) / 2.0

    def _var(self, low=None, high=None):
        low, high = self._check_param_type(low, high)
        return F.square(high - low) / 12.0

    def _entropy(self, low=None, high=None):
        low, high = self._check_param_type(low, high)
        return F.log(high - low)

    def _prob(self, value, low=None, high=None):
        low, high = self._check_param_type(low, high)
        value = self._check_value(value, "value")
        inside = F.logical_and(F.greater_equal(value, low), F.less_equal(value, high))
        return F.select(inside, 1.0 / (high - low) + F.zeros_like(value), F.zeros_like(value + low))

    def _log_prob(self, value, low=None, high=None):
        return F.log(self._prob(value, low, high))

    def _cdf(self, value, low=None, high=None):
        low, high = self._check_param_type(low, high)
        share = (self._check_value(value, "value") - low) / (high - low)
        return F.minimum(F.maximum(share, 0.0), 1.0)

    def _kl_loss(self, dist, low_b, high_b, low=None, high=None):
        low_b, high_b = self._other(dist, low_b, high_b)
        low, high = self._check_param_type(low, high)
        within = F.logical_and(F.less_equal(low_b, low), F.less_equal(high, high_b))
        found = F.log(high_b - low_b) - F.log(high - low)
        return F.select(within, found, F.fill(found.dtype, (), math.inf))

    def _sample(self, shape=(), low=None, high=None):
        low, high = self._check_param_type(low, high)
        drawn = F.cast(_random.even(self._extents(shape, low), self.seed), self.parameter_type)
        return F.cast(drawn * (high - low) + low, self.dtype)
