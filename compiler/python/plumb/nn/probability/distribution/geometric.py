"""The geometric distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random


class Geometric(Distribution):
    """Geometric: k failures, counted from 0, before the first success, each with probability `probs`: (1 - probs)^k probs.

    Args:
      probs: between 0 and 1; None where every call gives it.
      seed, dtype, name: as of Distribution; `dtype` is of integers or floats.
    """

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Geometric"):
        _parameters.check_type("Geometric", dtype, of_integers=True)
        super().__init__(seed, dtype, name, {"param_dict": {"probs": probs}})
        self._probs = self._add_parameter(probs, "probs")
        _parameters.check_share(self._probs)

    probs = property(lambda self: self._probs, doc="The probability of success.")

    def _mean(self, probs=None):
        probs = self._check_param_type(probs)
        return (1.0 - probs) / probs

    def _mode(self, probs=None):
        return F.fill(self.dtype, self._check_param_type(probs).shape, 0)

    def _var(self, probs=None):
        probs = self._check_param_type(probs)
        return (1.0 - probs) / F.square(probs)

    def _entropy(self, probs=None):
        probs = self._check_param_type(probs)
        return (-(1.0 - probs) * F.log1p(-probs) - probs * F.log(probs)) / probs

    def _log_prob(self, value, probs=None):
        value, probs = self._check_value(value, "value"), self._check_param_type(probs)
        found = value * F.log1p(-probs) + F.log(probs)
        counts = F.logical_and(F.greater_equal(value, 0.0), F.equal(value, F.floor(value)))
        return F.select(counts, found, F.fill(found.dtype, (), -math.inf))

    def _cdf(self, value, probs=None):
        value, probs = F.floor(self._check_value(value, "value")), self._check_param_type(probs)
        found = -F.expm1((value + 1.0) * F.log1p(-probs))
        return F.select(F.less(value, 0.0), F.zeros_like(found), found)

    def _kl_loss(self, dist, probs1_b, probs=None):
        probs_b, probs_a = self._other(dist, probs1_b), self._check_param_type(probs)
        return F.log(probs_a / probs_b) + (1.0 - probs_a) / probs_a * (F.log1p(-probs_a) - F.log1p(-probs_b))

    def _sample(self, shape=(), probs=None):
        probs = self._check_param_type(probs)
        drawn = F.cast(_random.even(self._extents(shape, probs), self.seed), self.parameter_type)
        return F.cast(F.floor(F.log(1.0 - drawn) / F.log1p(-probs)), self.dtype)
