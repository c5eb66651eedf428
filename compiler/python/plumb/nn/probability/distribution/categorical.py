"""The categorical distribution."""

import math

import numpy as np

from plumb.common import dtype as mstype
from plumb.nn.probability import _parameters
from plumb.nn.probability.distribution.distribution import Distribution
from plumb.ops import _functions as F
from plumb.ops.function.random import gumbel_noise
from plumb.ops.function.shape import broadcast_shapes


class Categorical(Distribution):
    """Categorical: the class k, from 0, with probability probs[..., k].

    Args:
      probs: the classes' probabilities along the last axis, which sum up to 1; None where every call gives them.
      seed, dtype, name: as of Distribution; `dtype` is of integers or floats.
    """

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Categorical"):
        _parameters.check_type("Categorical", dtype, of_integers=True)
        super().__init__(seed, dtype, name, {"param_dict": {"probs": probs}})
        self._probs = self._add_parameter(probs, "probs")
        _parameters.check_share(self._probs)
        if self._probs is not None:
            _check_rows(self._probs.asnumpy())
            self._batch_shape = self._broadcast_shape = self._batch_shape[:-1]

    probs = property(lambda self: self._probs, doc="The classes' probabilities.")

    def _numbers(self, probs):
        return F.cast(F.arange(probs.shape[-1]), probs.dtype)

    def _mean(self, probs=None):
        probs = self._check_param_type(probs)
        return F.reduce_sum(self._numbers(probs) * probs, (-1,), True)

    def _mode(self, probs=None):
        return F.cast(F.argmax(self._check_param_type(probs), -1), self.dtype)

    def _var(self, probs=None):
        probs = self._check_param_type(probs)
        return F.reduce_sum(F.square(self._numbers(probs) - self._mean(probs)) * probs, (-1,), True)

    def _entropy(self, probs=None):
        probs = self._check_param_type(probs)
        return -F.reduce_sum(F.log(probs) * probs, (-1,))

    def _at(self, rows, value):
        """The elements of rows (…, classes) at classes given as whole numbers; NaN beyond."""
        shape = broadcast_shapes(value.shape, rows.shape[:-1])
        rows = F.broadcast_to(rows, shape + rows.shape[-1:])
        place = F.cast(F.minimum(F.maximum(value, 0.0), rows.shape[-1] - 1.0), mstype.int32)
        found = F.take_along(rows, F.expand_dims(F.broadcast_to(place, shape), -1), len(shape))
        return F.squeeze(found, (-1,))

    def _log_prob(self, value, probs=None):
        value, probs = F.floor(self._check_value(value, "value")), self._check_param_type(probs)
        beyond = F.logical_or(F.less(value, 0.0), F.greater(value, probs.shape[-1] - 1.0))
        return F.select(beyond, F.fill(probs.dtype, (), math.nan), self._at(F.log(probs), value))

    def _cdf(self, value, probs=None):
        value, probs = F.floor(self._check_value(value, "value")), self._check_param_type(probs)
        found = self._at(F.cumsum(probs, -1), value)
        return F.select(F.less(value, 0.0), F.zeros_like(found), found)

    def _kl_loss(self, dist, probs_b, probs=None):
        probs_b, probs_a = self._other(dist, probs_b), self._check_param_type(probs)
        return F.reduce_sum(probs_a * (F.log(probs_a) - F.log(probs_b)), (-1,))

    def _sample(self, shape=(), probs=None):
        probs = self._check_param_type(probs)
        noise = gumbel_noise(self._extents(shape, probs), self.seed)
        return F.cast(F.argmax(F.log(probs) + F.cast(noise, probs.dtype), -1), self.dtype)


def _check_rows(probs):
    if probs.ndim == 0:
        raise ValueError("probs for Categorical distribution must have rank >= 1.")
    if not np.allclose(probs.sum(-1), 1, atol=10 * float(np.finfo(np.float32).eps)):
        raise ValueError("Probabilities for each category should sum to one for Categorical distribution.")
