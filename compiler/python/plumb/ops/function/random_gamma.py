"""Random numbers of the gamma and the Poisson distribution, in the parsable subset.

Both draw candidates until one is taken for every element, up to a number of times that leaves fewer than one element in 10^11
without one; those get the distribution's middle.
"""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops.function.shape import broadcast_shapes

_ATTEMPTS = 16


def standard_gamma(shape, alpha, seed=None, seed2=0):
    """Gamma's distribution of rate 1 in `shape`, with which `alpha` broadcasts, in alpha's element type. No gradient passes.

    Source: Marsaglia and Tsang (2000), A simple method for generating gamma variables.
    """
    a = F.broadcast_to(F.cast(F.stop_gradient(alpha), mstype.float32), shape)
    small = F.less(a, 1.0)
    d = F.select(small, a + 1.0, a) - 1.0 / 3.0
    c = 1.0 / F.sqrt(9.0 * d)
    taken, result = F.fill(mstype.bool_, shape, False), d
    attempt = F.fill(mstype.int32, (), 0)
    while F.logical_and(F.logical_not(F.all(taken)), F.less(attempt, _ATTEMPTS)):
        drawn = _random.ahead(attempt, (3,) + shape, seed, seed2)
        normal = F.sqrt(-2.0 * F.log(1.0 - drawn[0])) * F.cos(6.283185307179586 * drawn[1])
        root = 1.0 + c * normal
        cube = root * root * root
        positive = F.maximum(cube, 1e-30)
        fits = F.less(F.log(1.0 - drawn[2]), 0.5 * F.square(normal) + d - d * positive + d * F.log(positive))
        fits = F.logical_and(fits, F.greater(cube, 0.0))
        result = F.select(taken, result, F.select(fits, d * cube, result))
        taken = F.logical_or(taken, fits)
        attempt = attempt + 1
    _random.skip(_ATTEMPTS)
    share = 1.0 - _random.even(shape, seed, seed2)
    boost = F.exp(F.log(share) / F.select(small, a, F.ones_like(a)))
    return F.cast(F.select(small, result * boost, result), alpha.dtype)


def _few(rate, shape, seed, seed2):
    """Counts of rates below 10: the least count whose cumulative probability reaches an even number."""
    drawn = F.cast(_random.even((2,) + shape, seed, seed2), mstype.float64)
    even = drawn[0] + drawn[1] * 2.0 ** -24
    share, count = F.exp(-rate), F.zeros_like(rate)
    total, number = share, F.fill(mstype.float64, (), 1.0)
    while F.logical_and(F.any(F.greater(even, total)), F.less(number, 200.0)):
        count = F.select(F.greater(even, total), F.broadcast_to(number, shape), count)
        share = share * rate / number
        total = total + share
        number = number + 1.0
    return count


def _many(rate, shape, seed, seed2):
    """Counts of rates from 10 on. Source: Hoermann (1993), The transformed rejection method, algorithm PTRS."""
    b = 0.931 + 2.53 * F.sqrt(rate)
    a = 0.02483 * b - 0.059
    inverse, least = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2.0)
    taken, result = F.fill(mstype.bool_, shape, False), F.floor(rate)
    attempt = F.fill(mstype.int32, (), 0)
    while F.logical_and(F.logical_not(F.all(taken)), F.less(attempt, _ATTEMPTS)):
        drawn = F.cast(_random.ahead(attempt, (2,) + shape, seed, seed2), mstype.float64)
        u, v = drawn[0] - 0.5, 1.0 - drawn[1]
        us = F.maximum(0.5 - F.abs(u), 2.0 ** -26)
        count = F.floor((2.0 * a / us + b) * u + rate + 0.43)
        held = F.maximum(count, 0.0)
        at_once = F.logical_and(F.greater_equal(us, 0.07), F.less_equal(v, least))
        fits = F.less_equal(F.log(v * inverse / (a / F.square(us) + b)), held * F.log(rate) - rate - F.lgamma(held + 1.0))
        beyond = F.logical_or(F.less(count, 0.0), F.logical_and(F.less(us, 0.013), F.greater(v, us)))
        fits = F.logical_or(at_once, F.logical_and(fits, F.logical_not(beyond)))
        result = F.select(taken, result, F.select(fits, held, result))
        taken = F.logical_or(taken, fits)
        attempt = attempt + 1
    _random.skip(_ATTEMPTS)
    return result


def poisson_counts(shape, rate, seed=None, seed2=0):
    """Counts of Poisson's distribution in `shape`, with which `rate` broadcasts, float64. No gradient passes."""
    rate = F.broadcast_to(F.cast(F.stop_gradient(rate), mstype.float64), shape)
    few = F.less(rate, 10.0)
    low = _few(F.select(few, rate, F.ones_like(rate)), shape, seed, seed2)
    high = _many(F.select(few, F.fill(rate.dtype, (), 10.0), rate), shape, seed, seed2)
    return F.select(few, low, high)


def _of_tensor(who, name, x):
    """A tensor of floats; raises TypeError where it is none."""
    if not isinstance(x, Tensor):
        raise TypeError(f"For '{who}', '{name}' must be a Tensor, but got {x}")
    return x if x.dtype in (mstype.float16, mstype.float32, mstype.float64) else F.cast(x, mstype.float32)


def gamma(shape, alpha, beta, seed=None):
    """Gamma's distribution of the shape parameter `alpha` and the rate `beta`, tensors that broadcast with `shape`."""
    alpha, beta = _of_tensor("gamma", "alpha", alpha), _of_tensor("gamma", "beta", beta)
    full = broadcast_shapes(_random.extents(shape), alpha.shape, beta.shape)
    return standard_gamma(full, alpha, seed) / beta


def gamma_of(shape, alpha, beta, seed=None, seed2=0):
    """Gamma's distribution of the shape parameter `alpha` and the rate `beta`, tensors that broadcast with `shape`."""
    full = broadcast_shapes(_random.extents(shape), alpha.shape, beta.shape)
    return standard_gamma(full, _of_tensor("Gamma", "alpha", alpha), seed, seed2) / beta


def random_gamma(shape, alpha, seed=None, seed2=0):
    """Gamma's distribution of the shape parameter `alpha` and rate 1, `shape` times for each element of the tensor `alpha`."""
    alpha = _of_tensor("random_gamma", "alpha", alpha)
    return standard_gamma(_random.extents(shape) + alpha.shape, alpha, seed, seed2)


def random_poisson(shape, rate, seed=None, dtype=mstype.float32, seed2=0):
    """Counts of Poisson's distribution, `shape` times for each element of the tensor `rate`."""
    rate = _of_tensor("random_poisson", "rate", rate)
    return F.cast(poisson_counts(_random.extents(shape) + rate.shape, rate, seed, seed2), dtype)


def poisson_of(shape, mean, seed=None, seed2=0):
    """Counts of Poisson's distribution, int32, in the shape to which `shape` and the tensor `mean` broadcast."""
    full = broadcast_shapes(_random.extents(shape), mean.shape)
    return F.cast(poisson_counts(full, _of_tensor("Poisson", "mean", mean), seed, seed2), mstype.int32)


def poisson(shape, mean, seed=None):
    """Counts of Poisson's distribution, int32, in the shape to which the tuple `shape` and the tensor `mean` broadcast."""
    return poisson_of(shape, mean, seed)


__all__ = ["gamma", "poisson", "random_gamma", "random_poisson"]
