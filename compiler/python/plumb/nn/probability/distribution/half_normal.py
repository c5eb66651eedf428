"""The half-normal distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F


class HalfNormal(Distribution):
    """Half-normal: the density is twice that of Normal(mean, sd) from `mean` on, and 0 below. It has `prob` and `log_prob`.

    Args:
      mean, sd: the least value, and the normal distribution's deviation, above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="HalfNormal"):
        _parameters.check_type("HalfNormal", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"mean": mean, "sd": sd}})
        self._mean_value, self._sd_value = self._add_parameter(mean, "mean"), self._add_parameter(sd, "sd")
        _parameters.check_positive(self._sd_value, "Standard deviation")

    def _log_prob(self, value, mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        distance = (self._check_value(value, "value") - mean) / sd
        found = -0.5 * F.square(distance) - F.log(sd) + 0.5 * math.log(2 / math.pi)
        return F.select(F.less(distance, 0.0), F.fill(found.dtype, (), -math.inf), found)
