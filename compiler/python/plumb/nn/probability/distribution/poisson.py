"""The Poisson distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops.function.incomplete import igammac
from plumb.ops.function.random_gamma import poisson_counts


class Poisson(Distribution):
    """Poisson: k, from 0, with probability rate^k exp(-rate) / k!.

    Args:
      rate: above 0; None where every call gives it.
      seed, dtype, name: as of Distribution; `dtype` is of integers or floats.
    """

    def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Poisson"):
        _parameters.check_type("Poisson", dtype, of_integers=True)
        super().__init__(seed, dtype, name, {"param_dict": {"rate": rate}})
        self._rate = self._add_parameter(rate, "rate")
        _parameters.check_positive(self._rate, "rate")

    rate = property(lambda self: self._rate, doc="The mean.")

    def _mean(self, rate=None):
        return self._check_param_type(rate)

    def _mode(self, rate=None):
        return F.floor(self._check_param_type(rate))

    def _var(self, rate=None):
        return self._check_param_type(rate)

    def _log_prob(self, value, rate=None):
        value, rate = self._check_value(value, "value"), self._check_param_type(rate)
        counts = F.logical_and(F.greater_equal(value, 0.0), F.equal(value, F.floor(value)))
        held = F.maximum(value, 0.0)
        found = held * F.log(rate) - rate - F.lgamma(held + 1.0)
        return F.select(counts, found, F.fill(found.dtype, (), -math.inf))

    def _cdf(self, value, rate=None):
        value, rate = F.floor(self._check_value(value, "value")), self._check_param_type(rate)
        found = igammac(F.maximum(value, 0.0) + 1.0, rate)
        return F.select(F.less(value, 0.0), F.zeros_like(found), found)

    def _sample(self, shape=(), rate=None):
        rate = self._check_param_type(rate)
        return F.cast(poisson_counts(self._extents(shape, rate), rate, self.seed), self.dtype)
