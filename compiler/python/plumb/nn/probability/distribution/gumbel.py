"""The Gumbel distribution."""

import math

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.bijector.gumbel_cdf import GumbelCDF
from plumb.nn.probability.bijector.invert import Invert
from plumb.nn.probability.distribution.transformed_distribution import TransformedDistribution
from plumb.nn.probability.distribution.uniform import Uniform
from plumb.ops import _functions as F
from plumb.ops.function.random import gumbel_noise

_EULER = 0.5772156649015329


class Gumbel(TransformedDistribution):
    """Gumbel: the probability of at most x is exp(-exp(-(x - loc) / scale)).

    Args:
      loc, scale: the mode and the scale, above 0: numbers or arrays. Calls cannot give others.
      seed, dtype, name: as of Distribution; `dtype` is of floats.
    """

    def __init__(self, loc, scale, seed=0, dtype=mstype.float32, name="Gumbel"):
        _parameters.check_type("Gumbel", dtype)
        super().__init__(Invert(GumbelCDF(loc, scale)), Uniform(0.0, 1.0, seed, dtype), seed, name)
        self.parameter_names, self.default_parameters = [], []
        self._loc, self._scale = self._add_parameter(loc, "loc"), self._add_parameter(scale, "scale")
        _parameters.check_positive(self._scale, "scale")

    loc = property(lambda self: self._loc, doc="The mode.")
    scale = property(lambda self: self._scale, doc="The scale.")

    def _mean(self):
        loc, scale = self._check_param_type()
        return loc + scale * _EULER

    def _mode(self):
        return self._check_param_type()[0]

    def _sd(self):
        return self._check_param_type()[1] * (math.pi / math.sqrt(6))

    def _var(self):
        return F.square(self._sd())

    def _entropy(self):
        return 1.0 + F.log(self._check_param_type()[1]) + _EULER

    def _log_prob(self, value):
        loc, scale = self._check_param_type()
        distance = (self._check_value(value, "value") - loc) / scale
        return -(distance + F.exp(-distance)) - F.log(scale)

    def _cdf(self, value):
        loc, scale = self._check_param_type()
        return F.exp(-F.exp(-(self._check_value(value, "value") - loc) / scale))

    def _kl_loss(self, dist, loc_b, scale_b):
        loc_b, scale_b = self._other(dist, loc_b, scale_b)
        loc, scale = self._check_param_type()
        ratio, moved = scale / scale_b, (loc - loc_b) / scale_b
        return -F.log(ratio) + _EULER * (ratio - 1.0) + moved + F.expm1(-moved + F.lgamma(ratio + 1.0))

    def _sample(self, shape=()):
        loc, scale = self._check_param_type()
        drawn = F.cast(gumbel_noise(self._extents(shape, loc), self.seed), self.parameter_type)
        return F.cast(drawn * scale + loc, self.dtype)
