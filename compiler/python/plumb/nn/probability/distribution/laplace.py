"""The Laplace distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F


class Laplace(Distribution):
    """Laplace: the density is exp(-|x - mean| / sd) / (2 sd). It has `prob` and `log_prob`.

    Args:
      mean, sd: the mean and the scale, above 0, which is the deviation by sqrt(2); None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="Laplace"):
        _parameters.check_type("Laplace", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})
        self._mean_value, self._sd_value = self._add_parameter(mean, "mean"), self._add_parameter(sd, "sd")
        _parameters.check_positive(self._sd_value, "Standard deviation")

    def _log_prob(self, value, mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        return -F.abs((self._check_value(value, "value") - mean) / sd) - F.log(sd) - math.log(2.0)
