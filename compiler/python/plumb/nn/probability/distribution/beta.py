"""The beta distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops.function.incomplete import betainc
from plumb.ops.function.random_gamma import standard_gamma


def _log_beta(a, b):
    """The logarithm of the beta function."""
    return F.lgamma(a) + F.lgamma(b) - F.lgamma(a + b)


class Beta(Distribution):
    """Beta: the density is x^(a - 1) (1 - x)^(b - 1) / B(a, b) for x between 0 and 1.

    Args:
      concentration1, concentration0: a and b, above 0; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, concentration1=None, concentration0=None, seed=None, dtype=mstype.float32, name="Beta"):
        _parameters.check_type("Beta", dtype)
        values = {"concentration1": concentration1, "concentration0": concentration0}
        super().__init__(seed, dtype, name, {"param_dict": values})
        self._concentration1 = self._add_parameter(concentration1, "concentration1")
        self._concentration0 = self._add_parameter(concentration0, "concentration0")
        _parameters.check_positive(self._concentration1, "concentration1")
        _parameters.check_positive(self._concentration0, "concentration0")

    concentration1 = property(lambda self: self._concentration1, doc="a of x^(a - 1).")
    concentration0 = property(lambda self: self._concentration0, doc="b of (1 - x)^(b - 1).")

    def _mean(self, concentration1=None, concentration0=None):
        a, b = self._check_param_type(concentration1, concentration0)
        return a / (a + b)

    def _var(self, concentration1=None, concentration0=None):
        a, b = self._check_param_type(concentration1, concentration0)
        return a * b / (F.square(a + b) * (a + b + 1.0))

    def _mode(self, concentration1=None, concentration0=None):
        a, b = self._check_param_type(concentration1, concentration0)
        inside = F.logical_and(F.greater(a, 1.0), F.greater(b, 1.0))
        return F.select(inside, (a - 1.0) / (a + b - 2.0), F.fill(a.dtype, (), math.nan))

    def _entropy(self, concentration1=None, concentration0=None):
        a, b = self._check_param_type(concentration1, concentration0)
        return _log_beta(a, b) - (a - 1.0) * F.digamma(a) - (b - 1.0) * F.digamma(b) + (a + b - 2.0) * F.digamma(a + b)

    def _log_prob(self, value, concentration1=None, concentration0=None):
        value = self._check_value(value, "value")
        a, b = self._check_param_type(concentration1, concentration0)
        return (a - 1.0) * F.log(value) + (b - 1.0) * F.log1p(-value) - _log_beta(a, b)

    def _cdf(self, value, concentration1=None, concentration0=None):
        value = F.minimum(F.maximum(self._check_value(value, "value"), 0.0), 1.0)
        a, b = self._check_param_type(concentration1, concentration0)
        return betainc(a, b, value)

    def _kl_loss(self, dist, concentration1_b, concentration0_b, concentration1=None, concentration0=None):
        c, d = self._other(dist, concentration1_b, concentration0_b)
        a, b = self._check_param_type(concentration1, concentration0)
        means = (a - c) * F.digamma(a) + (b - d) * F.digamma(b) + (c + d - a - b) * F.digamma(a + b)
        return _log_beta(c, d) - _log_beta(a, b) + means

    def _sample(self, shape=(), concentration1=None, concentration0=None):
        a, b = self._check_param_type(concentration1, concentration0)
        extents = self._extents(shape, a)
        one, other = standard_gamma(extents, a, self.seed), standard_gamma(extents, b, self.seed, 1)
        return F.cast(one / (one + other), self.dtype)
