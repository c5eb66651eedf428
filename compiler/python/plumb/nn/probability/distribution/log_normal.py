"""The log-normal distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.normal import Normal
from plumb.nn.probability.distribution.transformed_distribution import TransformedDistribution
from plumb.nn.probability.bijector.exp import Exp
from plumb.ops import _functions as F


class LogNormal(TransformedDistribution):
    """Log-normal: exp(x), x being normal.

    Args:
      loc, scale: mean and deviation of the logarithm; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, loc=None, scale=None, seed=0, dtype=mstype.float32, name="LogNormal"):
        _parameters.check_type("LogNormal", dtype)
        super().__init__(Exp(), Normal(loc, scale, seed, dtype), seed, name)
        self.parameter_names = ["loc", "scale"]
        self._loc, self._scale = self.default_parameters

    loc = property(lambda self: self._loc, doc="The mean of the logarithm.")
    scale = property(lambda self: self._scale, doc="The deviation of the logarithm.")

    def _mean(self, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        return F.exp(loc + 0.5 * F.square(scale))

    def _mode(self, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        return F.exp(loc - F.square(scale))

    def _var(self, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        return F.expm1(F.square(scale)) * F.exp(2.0 * loc + F.square(scale))

    def _entropy(self, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        return loc + 0.5 + F.log(scale) + 0.5 * math.log(2 * math.pi)

    def _kl_loss(self, dist, loc_b, scale_b, loc=None, scale=None):
        loc_b, scale_b = self._other(dist, loc_b, scale_b)
        return self._distribution._kl_loss("Normal", loc_b, scale_b, loc, scale)
