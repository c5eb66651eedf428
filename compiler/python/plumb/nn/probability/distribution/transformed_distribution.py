"""Distributions of what a bijector makes of another distribution's events."""

import math

from plumb.nn.probability.bijector.bijector import Bijector
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops._checks import FLOATS
from plumb.ops.function.shape import broadcast_shapes


class TransformedDistribution(Distribution):
    """The distribution of bijector.forward(x), x being of another distribution.

    Args:
      bijector: a Bijector that rises.
      distribution: a Distribution of floats.
      seed: as of Distribution; samples are those of `distribution`, by its own seed.
      name: as of Distribution.
    """

    def __init__(self, bijector, distribution, seed=None, name="transformed_distribution"):
        if not isinstance(bijector, Bijector):
            raise TypeError(f"For 'TransformedDistribution', 'bijector' must be a Bijector, but got {type(bijector).__name__}.")
        if not isinstance(distribution, Distribution):
            raise TypeError(f"For 'TransformedDistribution', 'distribution' must be a Distribution, but got "
                            f"{type(distribution).__name__}.")
        if distribution.dtype not in FLOATS:
            raise TypeError(f"For 'TransformedDistribution', 'distribution' must be of floats, but got {distribution.dtype}.")
        super().__init__(seed, distribution.dtype, name, {"bijector": bijector, "distribution": distribution})
        self._bijector, self._distribution = bijector, distribution
        self._is_linear_transformation = bijector.is_constant_jacobian
        self._is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self._batch_shape = distribution.batch_shape
        self.default_parameters, self.parameter_names = distribution.default_parameters, distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        shapes = (distribution.batch_shape, bijector.batch_shape)
        self._broadcast_shape = None if None in shapes else broadcast_shapes(*shapes)

    bijector = property(lambda self: self._bijector, doc="What is made of the events.")
    distribution = property(lambda self: self._distribution, doc="The distribution of the events.")
    is_linear_transformation = property(lambda self: self._is_linear_transformation, doc="Whether the bijector is linear.")

    def extend_repr(self):
        """What `repr` shows before the parts."""
        return "" if self.is_scalar_batch else f"batch_shape = {self.batch_shape}"

    def _cdf(self, value, *args):
        return self._distribution._cdf(self._bijector.inverse(value), *args)

    def _log_prob(self, value, *args):
        inner = self._distribution._log_prob(self._bijector.inverse(value), *args)
        found = inner + self._bijector.inverse_log_jacobian(value)
        return F.select(F.equal(inner, -math.inf), inner + F.zeros_like(found), found)

    def _mean(self, *args):
        if not self._is_linear_transformation:
            raise NotImplementedError("the mean of a transformed distribution is that of the transformed mean where the bijector "
                                      "is linear, and not offered elsewhere")
        return self._bijector.forward(self._distribution._mean(*args))

    def _sample(self, shape=(), *args):
        return self._bijector.forward(self._distribution._sample(shape, *args))
