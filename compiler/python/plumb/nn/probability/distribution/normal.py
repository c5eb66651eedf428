"""The normal distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random


class Normal(Distribution):
    """Normal: the density is exp(-((x - mean) / sd)² / 2) / (sd sqrt(2 pi)).

    Args:
      mean, sd: mean and standard deviation, above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    _shown = {"sd": "standard deviation"}

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="Normal"):
        _parameters.check_type("Normal", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})
        self._mean_value, self._sd_value = self._add_parameter(mean, "mean"), self._add_parameter(sd, "sd")
        _parameters.check_positive(self._sd_value, "Standard deviation")

    def _mean(self, mean=None, sd=None):
        return self._check_param_type(mean, sd)[0]

    def _mode(self, mean=None, sd=None):
        return self._check_param_type(mean, sd)[0]

    def _sd(self, mean=None, sd=None):
        return self._check_param_type(mean, sd)[1]

    def _entropy(self, mean=None, sd=None):
        return F.log(self._check_param_type(mean, sd)[1]) + 0.5 * math.log(2 * math.pi * math.e)

    def _log_prob(self, value, mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        distance = (self._check_value(value, "value") - mean) / sd
        return -0.5 * F.square(distance) - F.log(sd) - 0.5 * math.log(2 * math.pi)

    def _cdf(self, value, mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        return 0.5 * F.erfc((mean - self._check_value(value, "value")) / (sd * math.sqrt(2)))

    def _survival_function(self, value, mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        return 0.5 * F.erfc((self._check_value(value, "value") - mean) / (sd * math.sqrt(2)))

    def _kl_loss(self, dist, mean_b, sd_b, mean=None, sd=None):
        mean_b, sd_b = self._other(dist, mean_b, sd_b)
        mean, sd = self._check_param_type(mean, sd)
        share = F.log(sd / sd_b)
        return 0.5 * F.square((mean - mean_b) / sd_b) + 0.5 * F.expm1(2.0 * share) - share

    def _sample(self, shape=(), mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        drawn = _random.normal(self._extents(shape, mean), self.seed)
        return F.cast(F.cast(drawn, self.parameter_type) * sd + mean, self.dtype)
