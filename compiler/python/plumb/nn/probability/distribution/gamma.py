"""The gamma distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops.function.incomplete import igamma, igammac
from plumb.ops.function.random_gamma import standard_gamma


class Gamma(Distribution):
    """Gamma: the density is rate^a x^(a - 1) exp(-rate x) / Gamma(a) for x above 0, a being `concentration`.

    Args:
      concentration, rate: above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, concentration=None, rate=None, seed=None, dtype=mstype.float32, name="Gamma"):
        _parameters.check_type("Gamma", dtype)
        super().__init__(seed, dtype, name, {"param_dict": {"concentration": concentration, "rate": rate}})
        self._concentration, self._rate = self._add_parameter(concentration, "concentration"), self._add_parameter(rate, "rate")
        _parameters.check_positive(self._concentration, "concentration")
        _parameters.check_positive(self._rate, "rate")

    concentration = property(lambda self: self._concentration, doc="The shape.")
    rate = property(lambda self: self._rate, doc="The inverse of the scale.")

    def _mean(self, concentration=None, rate=None):
        concentration, rate = self._check_param_type(concentration, rate)
        return concentration / rate

    def _sd(self, concentration=None, rate=None):
        concentration, rate = self._check_param_type(concentration, rate)
        return F.sqrt(concentration) / rate

    def _var(self, concentration=None, rate=None):
        concentration, rate = self._check_param_type(concentration, rate)
        return concentration / F.square(rate)

    def _mode(self, concentration=None, rate=None):
        concentration, rate = self._check_param_type(concentration, rate)
        return F.select(F.greater(concentration, 1.0), (concentration - 1.0) / rate, F.fill(rate.dtype, (), math.nan))

    def _entropy(self, concentration=None, rate=None):
        a, rate = self._check_param_type(concentration, rate)
        return a - F.log(rate) + F.lgamma(a) + (1.0 - a) * F.digamma(a)

    def _log_prob(self, value, concentration=None, rate=None):
        value = self._check_value(value, "value")
        a, rate = self._check_param_type(concentration, rate)
        return (a - 1.0) * F.log(value) - rate * value - F.lgamma(a) + a * F.log(rate)

    def _cdf(self, value, concentration=None, rate=None):
        value = F.maximum(self._check_value(value, "value"), 0.0)
        a, rate = self._check_param_type(concentration, rate)
        return igamma(a, rate * value)

    def _survival_function(self, value, concentration=None, rate=None):
        value = F.maximum(self._check_value(value, "value"), 0.0)
        a, rate = self._check_param_type(concentration, rate)
        return igammac(a, rate * value)

    def _kl_loss(self, dist, concentration_b, rate_b, concentration=None, rate=None):
        b, rate_b = self._other(dist, concentration_b, rate_b)
        a, rate_a = self._check_param_type(concentration, rate)
        return (a - b) * F.digamma(a) + F.lgamma(b) - F.lgamma(a) + b * F.log(rate_a / rate_b) + a * (rate_b / rate_a - 1.0)

    def _sample(self, shape=(), concentration=None, rate=None):
        a, rate = self._check_param_type(concentration, rate)
        return F.cast(standard_gamma(self._extents(shape, a), a, self.seed) / rate, self.dtype)
