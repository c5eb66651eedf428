"""The logistic distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random


class Logistic(Distribution):
    """Logistic: the probability of at most x is sigmoid((x - loc) / scale).

    Args:
      loc, scale: the mean, and the deviation by pi / sqrt(3), above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    _shown = {"loc": "location"}

    def __init__(self, loc=None, scale=None, seed=None, dtype=mstype.float32, name="Logistic"):
        _parameters.check_type("Logistic", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"loc": loc, "scale": scale}})
        self._loc, self._scale = self._add_parameter(loc, "loc"), self._add_parameter(scale, "scale")
        _parameters.check_positive(self._scale, "scale")

    loc = property(lambda self: self._loc, doc="The mean.")
    scale = property(lambda self: self._scale, doc="The deviation by pi / sqrt(3).")

    def _distance(self, value, loc, scale):
        loc, scale = self._check_param_type(loc, scale)
        return (self._check_value(value, "value") - loc) / scale

    def _mean(self, loc=None, scale=None):
        return self._check_param_type(loc, scale)[0]

    def _mode(self, loc=None, scale=None):
        return self._check_param_type(loc, scale)[0]

    def _sd(self, loc=None, scale=None):
        return self._check_param_type(loc, scale)[1] * (math.pi / math.sqrt(3))

    def _entropy(self, loc=None, scale=None):
        return F.log(self._check_param_type(loc, scale)[1]) + 2.0

    def _log_prob(self, value, loc=None, scale=None):
        distance = self._distance(value, loc, scale)
        return -distance - 2.0 * F.softplus(-distance) - F.log(self._check_param_type(loc, scale)[1])

    def _cdf(self, value, loc=None, scale=None):
        return F.sigmoid(self._distance(value, loc, scale))

    def _log_cdf(self, value, loc=None, scale=None):
        return -F.softplus(-self._distance(value, loc, scale))

    def _survival_function(self, value, loc=None, scale=None):
        return F.sigmoid(-self._distance(value, loc, scale))

    def _log_survival(self, value, loc=None, scale=None):
        return -F.softplus(self._distance(value, loc, scale))

    def _sample(self, shape=(), loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        drawn = F.maximum(_random.even(self._extents(shape, loc), self.seed), 2.0 ** -25)
        drawn = F.cast(F.log(drawn) - F.log1p(-drawn), self.parameter_type)
        return F.cast(drawn * scale + loc, self.dtype)
