"""The Bernoulli distribution."""

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random

# The least share that logarithms are taken of, in f32.
_LEAST = 2.0 ** -23


class Bernoulli(Distribution):
    """Bernoulli: 1 with probability `probs`, else 0.

    Args:
      probs: between 0 and 1; None where every call gives it.
      seed, dtype, name: as of Distribution; `dtype` is of integers or floats.
    """

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Bernoulli"):
        _parameters.check_type("Bernoulli", dtype, of_integers=True)
        super().__init__(seed, dtype, name, {"param_dict": {"probs": probs}})
        self._probs = self._add_parameter(probs, "probs")
        _parameters.check_share(self._probs)

    probs = property(lambda self: self._probs, doc="The probability of 1.")

    def _mean(self, probs=None):
        return self._check_param_type(probs)

    def _mode(self, probs=None):
        return F.cast(F.greater(self._check_param_type(probs), 0.5), self.dtype)

    def _var(self, probs=None):
        probs = self._check_param_type(probs)
        return probs * (1.0 - probs)

    def _entropy(self, probs=None):
        probs = self._check_param_type(probs)
        return -(1.0 - probs) * F.log1p(-probs) - probs * F.log(probs)

    def _log_prob(self, value, probs=None):
        value = self._check_value(value, "value")
        probs = F.minimum(F.maximum(self._check_param_type(probs), _LEAST), 1.0 - _LEAST)
        return F.log(probs) * value + F.log1p(-probs) * (1.0 - value)

    def _cdf(self, value, probs=None):
        value = F.floor(self._check_value(value, "value"))
        probs = self._check_param_type(probs)
        below_one = 1.0 - probs + F.zeros_like(value)
        found = F.select(F.less(value, 1.0), below_one, F.ones_like(below_one))
        return F.select(F.less(value, 0.0), F.zeros_like(found), found)

    def _kl_loss(self, dist, probs1_b, probs=None):
        probs_b, probs_a = self._other(dist, probs1_b), self._check_param_type(probs)
        return probs_a * F.log(probs_a / probs_b) + (1.0 - probs_a) * (F.log1p(-probs_a) - F.log1p(-probs_b))

    def _sample(self, shape=(), probs=None):
        probs = self._check_param_type(probs)
        return F.cast(F.less(_random.even(self._extents(shape, probs), self.seed), probs), self.dtype)
