"""The Cauchy distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops import _random


class Cauchy(Distribution):
    """Cauchy: the density is 1 / (pi scale (1 + ((x - loc) / scale)²)). It has no mean and no deviation: those raise ValueError.

    Args:
      loc, scale: the middle, and half the width at half the height, above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    _shown = {"loc": "location"}

    def __init__(self, loc=None, scale=None, seed=None, dtype=mstype.float32, name="Cauchy"):
        _parameters.check_type("Cauchy", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"loc": loc, "scale": scale}})
        self._loc, self._scale = self._add_parameter(loc, "loc"), self._add_parameter(scale, "scale")
        _parameters.check_positive(self._scale, "scale")

    loc = property(lambda self: self._loc, doc="The middle.")
    scale = property(lambda self: self._scale, doc="Half the width at half the height.")

    def _mean(self, *args):
        raise ValueError("mean is not defined for Cauchy distribution.")

    def _sd(self, *args):
        raise ValueError("standard deviation is not defined for Cauchy distribution.")

    def _var(self, *args):
        raise ValueError("variance is not defined for Cauchy distribution.")

    def _mode(self, loc=None, scale=None):
        return self._check_param_type(loc, scale)[0]

    def _entropy(self, loc=None, scale=None):
        return F.log(self._check_param_type(loc, scale)[1]) + math.log(4 * math.pi)

    def _log_prob(self, value, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        distance = (self._check_value(value, "value") - loc) / scale
        return -math.log(math.pi) - F.log(scale) - F.log1p(F.square(distance))

    def _cdf(self, value, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        # Far below the middle, 1/2 + atan(z) / pi would be a difference of two close numbers.
        return F.atan2(F.ones_like(scale), -(self._check_value(value, "value") - loc) / scale) / math.pi

    def _kl_loss(self, dist, loc_b, scale_b, loc=None, scale=None):
        loc_b, scale_b = self._other(dist, loc_b, scale_b)
        loc, scale = self._check_param_type(loc, scale)
        distance = F.square(scale + scale_b) + F.square(loc - loc_b)
        return F.log(distance) - math.log(4.0) - F.log(scale) - F.log(scale_b)

    def _sample(self, shape=(), loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        drawn = F.cast(_random.even(self._extents(shape, loc), self.seed), self.parameter_type)
        return F.cast(F.tan(math.pi * (drawn - 0.5)) * scale + loc, self.dtype)
