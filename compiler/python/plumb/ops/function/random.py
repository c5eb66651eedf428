"""Random numbers, in the parsable subset.

All draw from one stream (`ops/_random.py`), on the device: every call gives other numbers, `set_seed` starts anew, and a `seed` of
the call's own makes it another stream. Single numbers and moments are those of the distributions, not MindSpore's numbers.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops.function.search import argsort

random_uniform = F.random_uniform


def _of_type(x, dtype, default=mstype.float32):
    return F.cast(x, default if dtype is None else dtype)


def _fine(shape, seed=None, seed2=0):
    """Even numbers of [0, 1) in float64, of 48 bits: enough to count far with."""
    pair = F.cast(_random.even((2,) + _random.extents(shape), seed, seed2), mstype.float64)
    return pair[0] + pair[1] * 2.0 ** -24


def _whole(shape, low, high, dtype, seed=None, seed2=0):
    """Whole numbers from `low` to before `high`."""
    return F.cast(F.floor(_fine(shape, seed, seed2) * (high - low)) + low, dtype)


def whole_numbers(shape, minval, maxval, seed=None, seed2=0):
    """Whole numbers, int32, from `minval` to before `maxval`, tensors or numbers that broadcast with `shape`."""
    return _whole(_spread(shape, minval, maxval), _double(minval), _double(maxval), mstype.int32, seed, seed2)


def _bounds(who, low, high):
    if not isinstance(low, int) or not isinstance(high, int) or low >= high:
        raise ValueError(f"For '{who}', 'low' must be an int smaller than 'high', but got {low} and {high}")


def _spread(shape, *others):
    """`shape` as the parameters of a distribution, tensors or numbers, broadcast it."""
    result = _random.extents(shape)
    for other in others:
        if isinstance(other, Tensor):
            result = _broadcast(result, other.shape)
    return result


def _broadcast(one, other):
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    front = len(longer) - len(shorter)
    result = longer[:front]
    for i in range(len(shorter)):
        result = result + (longer[front + i] if shorter[i] == 1 else shorter[i],)
    return result


def uniform(shape, minval, maxval, seed=None, dtype=mstype.float32):
    """Even from `minval` to before `maxval`, tensors or numbers that broadcast with `shape`; float32 or int32."""
    if dtype not in (mstype.float32, mstype.int32):
        raise TypeError(f"For 'uniform', 'dtype' must be float32 or int32, but got {dtype}")
    full = _spread(shape, minval, maxval)
    if dtype == mstype.int32:
        return whole_numbers(full, minval, maxval, seed)
    return _random.even(full, seed) * (maxval - minval) + minval


def even_like(input, minval=0.0, maxval=1.0, seed=0, seed2=0):
    """Even from `minval` to before `maxval`, in the shape and element type of a tensor of floats."""
    return F.cast(_random.even(input.shape, seed, seed2) * (maxval - minval) + minval, input.dtype)


def _double(x):
    return F.cast(x, mstype.float64) if isinstance(x, Tensor) else x


def rand(*size, dtype=None, seed=None):
    """Even between 0 and 1, of float32 by default."""
    return _of_type(_random.even(_size(size), seed), dtype)


def rand_like(input, seed=None, *, dtype=None):
    """Even between 0 and 1 in the shape of `input`, of its element type by default."""
    return _of_type(_random.even(input.shape, seed), dtype, input.dtype)


def _size(size):
    return size[0] if len(size) == 1 else size


def standard_normal(shape, seed=None):
    """Normal of mean 0 and deviation 1, float32."""
    return _random.normal(shape, seed)


def randn(*size, dtype=None, seed=None):
    """Normal of mean 0 and deviation 1, of float32 by default."""
    return _of_type(_random.normal(_size(size), seed), dtype)


def randn_like(input, seed=None, *, dtype=None):
    """Normal of mean 0 and deviation 1 in the shape of `input`, of its element type by default."""
    return _of_type(_random.normal(input.shape, seed), dtype, input.dtype)


def normal(shape, mean, stddev, seed=None):
    """Normal of a mean and a deviation, tensors or numbers that broadcast with `shape`; float32."""
    return _random.normal(_spread(shape, mean, stddev), seed) * stddev + mean


def truncated_normal(shape, seed=0, seed2=0, dtype=mstype.float32):
    """Normal of mean 0 and deviation 1 cut at two deviations: the inverse of the distribution over the part between."""
    share = 0.02275013194817921 + 0.9544997361036416 * _fine(shape, seed, seed2)
    drawn = 1.4142135623730951 * F.erfinv(F.cast(2.0 * share - 1.0, mstype.float32))
    return F.cast(F.minimum(F.maximum(drawn, -2.0), 2.0), dtype)


def randint(low, high, size, seed=None, *, dtype=None):
    """Whole numbers from `low` to before `high`, of int64 by default."""
    _bounds("randint", low, high)
    return _whole(size, low, high, mstype.int64 if dtype is None else dtype, seed)


def randint_like(input, low, high, seed=None, *, dtype=None):
    """Whole numbers from `low` to before `high` in the shape of `input`, of its element type by default."""
    _bounds("randint_like", low, high)
    return _whole(input.shape, low, high, input.dtype if dtype is None else dtype, seed)


def randperm(n, seed=0, offset=0, dtype=mstype.int64):
    """The numbers from 0 to before `n` in a random order."""
    return F.cast(argsort(_fine((n,), seed, offset)), dtype)


def shuffle(x, seed=None, seed2=0):
    """The rows of a tensor in a random order; a scalar as it is.

    Raises:
      TypeError: for an input that is no tensor, or a seed that is no int.
      ValueError: for a negative seed.
    """
    _checks.tensor("shuffle", x)
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise TypeError(f"For 'shuffle', the 'seed' must be an int or None, but got {seed}")
    if seed is not None and seed < 0:
        raise ValueError(f"For 'shuffle', the 'seed' must be at least 0, but got {seed}")
    return x if x.ndim == 0 else F.gather(x, argsort(_fine((x.shape[0],), seed, seed2)), 0)


def cauchy_numbers(size, median=0.0, sigma=1.0):
    """Cauchy's distribution by its inverse, float32: median + sigma * tan(pi * (u - 1/2)); `size` a list or tuple of ints."""
    if sigma < 0:
        raise ValueError(f"For 'Cauchy', 'sigma' must be at least 0, but got {sigma}")
    return F.cast(median + sigma * F.tan(3.141592653589793 * (_fine(size) + 2.0 ** -49 - 0.5)), mstype.float32)


def normal_between(shape, mean, stdevs, min, max, seed=0, seed2=0):
    """Normal numbers cut to a range, each row of `shape` by its own: the inverse of the distribution over the part between.

    Args:
      shape: (rows, …), a constant vector of ints.
      mean, stdevs, min, max: one number for all rows or one for each, in the element type of the result; of one for each MindSpore
        2.0.0 on a CPU takes the first for all.

    Raises:
      TypeError: if they are not of one element type of floating point.
      ValueError: if they do not fit the rows.
    """
    who, extents = "ParameterizedTruncatedNormal", _random.extents(shape)
    if len(extents) < 2:
        raise ValueError(f"For '{who}', the 'shape' must have 2 numbers at least, but got {extents}")
    for part in (mean, stdevs, min, max):
        if _checks.floating(who, part).dtype != mean.dtype:
            raise TypeError(f"For '{who}', the range and the moments must be of one element type, but got {part.dtype} and {mean.dtype}")
        if part.shape not in ((), (1,), (extents[0],)):
            raise ValueError(f"For '{who}', there must be one number or {extents[0]}, but got {part.shape}")
    column = (-1,) + (1,) * (len(extents) - 1)
    middle, width, low, high = [F.reshape(F.cast(part, mstype.float64), column) for part in (mean, stdevs, min, max)]
    ends = ((low - middle) / width, (high - middle) / width)
    # Far above the mean shares are all next to 1: there the range is mirrored.
    mirrored = F.greater(ends[0], 0.0)
    below, above = F.select(mirrored, -ends[1], ends[0]), F.select(mirrored, -ends[0], ends[1])
    first, last = [0.5 * F.erfc(end * -0.7071067811865476) for end in (below, above)]
    drawn = -1.4142135623730951 * F.erfinv(1.0 - 2.0 * (first + (last - first) * _fine(extents, seed, seed2)))
    drawn = F.minimum(F.maximum(drawn, below), above)
    return F.cast(F.minimum(F.maximum(middle + width * F.select(mirrored, -drawn, drawn), low), high), mean.dtype)


def dropped_bits(shape, keep_prob, seed=0, seed2=0):
    """For each element of `shape` a bit, the lowest of a byte first, that is set with the probability `keep_prob`: uint8.

    There are 16 bytes for each 128 elements, or part of them.
    """
    count = 1
    for extent in _random.extents(shape):
        count = count * extent
    kept = F.cast(F.less(_random.even((-(-count // 128) * 16, 8), seed, seed2), F.cast(keep_prob, mstype.float32)), mstype.int32)
    return F.cast(F.reduce_sum(kept * F.bitwise_left_shift(1, F.arange(8)), (1,)), mstype.uint8)


def choice_with_mask(input_x, count=256, seed=None):
    """Places of `count` true elements of a boolean tensor, drawn without repetition: (count, x.ndim) of int32, and which are places.

    Where fewer are true, the last ones are zeros that are none. A seed of the call's own makes it another stream.
    """
    return chosen_places(input_x, count, 0 if seed is None else seed)


def chosen_places(x, count=256, seed=0, seed2=0):
    """Places of `count` true elements of a boolean tensor, drawn without repetition: (count, x.ndim) of int32, and which are places.

    Where fewer are true, the last ones are zeros that are none.
    """
    if x.dtype != mstype.bool_ or not 1 <= x.ndim <= 5:
        raise TypeError(f"For 'RandomChoiceWithMask', the input must be bool of 1 to 5 axes, but got {x.dtype} of {x.shape}")
    flat = F.reshape(x, (-1,))
    order = argsort(F.select(flat, _random.even(flat.shape, seed, seed2), 2.0))
    if count > order.shape[0]:
        order = F.pad(order, (0,), (count - order.shape[0],), 0)
    chosen = F.cast(order[:count], mstype.int32)
    real = F.less(F.arange(count), F.reduce_sum(F.cast(flat, mstype.int32), (0,), False))
    places, rest = (), F.select(real, chosen, F.zeros_like(chosen))
    for extent in x.shape[::-1]:
        places, rest = (F.floor_mod(rest, extent),) + places, F.floor_div(rest, extent)
    return F.stack(places, 1), real


def laplace_of(shape, seed=None, seed2=0):
    """Laplace's distribution of mean 0 and scale 1: exponential to both sides; float32."""
    pair = _random.even((2,) + _random.extents(shape), seed, seed2)
    size = -F.log(1.0 - pair[0])
    return F.select(F.less(pair[1], 0.5), size, -size)


def standard_laplace(shape, seed=None):
    """Laplace's distribution of mean 0 and scale 1; float32."""
    return laplace_of(shape, seed)


def laplace(shape, mean, lambda_param, seed=None):
    """Laplace's distribution of a mean and a scale, tensors or numbers that broadcast with `shape`; float32."""
    return standard_laplace(_spread(shape, mean, lambda_param), seed) * lambda_param + mean


def bernoulli(input, p=0.5, seed=None, seed2=0):
    """1 with probability `p`, a number or a tensor that broadcasts to `input`, else 0; shape and type are those of `input`."""
    if isinstance(p, float) and (p < 0.0 or p > 1.0):
        raise ValueError(f"For 'bernoulli', 'p' must be in [0, 1], but got {p}")
    return F.cast(F.less(_random.even(input.shape, seed, seed2), p), input.dtype)


def _thinned(who, input, p, training, shape, seed):
    """`input` with elements zeroed with probability p and the others over 1 - p, drawn in a shape that broadcasts to its own."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"For '{who}', 'p' must be in [0, 1], but got {p}")
    if not training or p == 0.0:
        return input
    if p == 1.0:
        return F.zeros_like(input)
    return input * F.cast(F.select(F.less(_random.even(shape, seed), p), 0.0, 1.0 / (1.0 - p)), input.dtype)


def dropout(input, p=0.5, training=True, seed=None):
    """In training, elements are zeroed with probability `p` and the others divided by 1 - p."""
    return _thinned("dropout", input, p, training, input.shape, seed)


def _channels(who, input, rank):
    if input.ndim != rank + 2 and input.ndim != rank + 1:
        raise ValueError(f"For '{who}', the input must have {rank + 1} or {rank + 2} axes, but got {input.ndim}")
    return input.shape[:input.ndim - rank] + (1,) * rank


def dropout1d(input, p=0.5, training=True):
    """In training, whole channels of (N, C, L) or (C, L) are zeroed with probability `p` and the others divided by 1 - p."""
    return _thinned("dropout1d", input, p, training, _channels("dropout1d", input, 1), None)


def dropout2d(input, p=0.5, training=True):
    """In training, whole channels of (N, C, H, W) or (C, H, W) are zeroed with probability `p` and the others divided by 1 - p."""
    return _thinned("dropout2d", input, p, training, _channels("dropout2d", input, 2), None)


def dropout3d(input, p=0.5, training=True):
    """In training, whole channels of (N, C, D, H, W) or (C, D, H, W) are zeroed with probability `p`, the others divided by 1 - p."""
    return _thinned("dropout3d", input, p, training, _channels("dropout3d", input, 3), None)


def dropout_with_mask(x, keep_prob=0.5, seed=0, seed2=0, shape=None):
    """x with elements zeroed that are not kept and the others over `keep_prob`, and which are kept, as 0 and 1 of x's type."""
    kept = F.cast(F.less(_random.even(x.shape if shape is None else shape, seed, seed2), keep_prob), x.dtype)
    mask = F.broadcast_to(kept, x.shape)
    return x * mask * (1.0 / keep_prob), mask


def channel_dropout(x, keep_prob=0.5):
    """As `dropout_with_mask`, by whole channels of (N, C, …); the mask is boolean."""
    thinned, mask = dropout_with_mask(x, keep_prob, 0, 0, x.shape[:2] + (1,) * (x.ndim - 2))
    return thinned, F.not_equal(mask, 0.0)


def gumbel_noise(shape, seed=None, seed2=0):
    """Gumbel's distribution: the largest of scores with it is a draw from their softmax."""
    return -F.log(-F.log(F.maximum(_random.even(shape, seed, seed2), 2.0 ** -25)))


def gumbel_softmax(logits, tau=1, hard=False, dim=-1):
    """Draws from the classes along an axis as softmax((logits + Gumbel's noise) / tau), differentiable (Jang et al. 2016).

    With `hard`, results are one-hot, with the gradient of the soft ones.
    """
    _checks.floating("gumbel_softmax", logits)
    if tau <= 0:
        raise ValueError(f"For 'gumbel_softmax', 'tau' must be above 0, but got {tau}")
    soft = F.softmax((logits + F.cast(gumbel_noise(logits.shape), logits.dtype)) / tau, dim)
    if not hard:
        return soft
    axis = _checks.one_axis("gumbel_softmax", dim, logits.ndim)
    rows = F.cast(F.one_hot(F.argmax(soft, axis), logits.shape[axis]), logits.dtype)
    order = tuple(range(axis)) + (logits.ndim - 1,) + tuple(range(axis, logits.ndim - 1))
    return F.stop_gradient(F.transpose(rows, order) - soft) + soft


def _picked(scores, count, seed, seed2):
    """Classes (…, count) drawn from the softmax of scores (…, C), with replacement."""
    noisy = F.expand_dims(scores, -2)
    noise = gumbel_noise(scores.shape[:-1] + (count, scores.shape[-1]), seed, seed2)
    return F.argmax(noisy + F.cast(noise, scores.dtype), -1)


def random_categorical(logits, num_sample, seed=0, dtype=mstype.int64):
    """Classes drawn from the softmax of rows of scores (N, C), with replacement: (N, num_sample)."""
    _checks.floating("random_categorical", logits)
    return F.cast(_picked(logits, num_sample, seed, 0), dtype)


def multinomial(input, num_samples, replacement=True, seed=None, seed2=0, dtype=mstype.int32):
    """Classes drawn by weights (C,) or (N, C), numbers of any type that need no sum of 1: (num_samples,) or (N, num_samples), of int32 by default.

    Without `replacement` no class comes twice: the largest of the weights' logarithms with Gumbel's noise.
    """
    scores = F.log(F.cast(_checks.tensor("multinomial", input), mstype.float32))
    if replacement:
        return F.cast(_picked(scores, num_samples, seed, seed2), dtype)
    if num_samples > input.shape[-1]:
        raise ValueError(f"For 'multinomial', 'num_samples' must be at most the number of classes without 'replacement', but got "
                         f"{num_samples} of {input.shape[-1]}")
    order = argsort(scores + gumbel_noise(scores.shape, seed, seed2), -1, True)
    return F.cast(order[..., :num_samples], dtype)


def multinomial_with_replacement(x, seed, offset, numsamples, replacement=False):
    """Classes drawn by weights, as `multinomial`; int64."""
    scores = F.log(F.cast(_checks.floating("multinomial_with_replacement", x), mstype.float32))
    return F.cast(_picked(scores, numsamples, seed, offset), mstype.int64)


_INNER = ("laplace_of", "chosen_places", "cauchy_numbers", "dropped_bits", "normal_between", "truncated_normal", "whole_numbers", "dropout_with_mask", "channel_dropout", "even_like", "gumbel_noise", "argsort", "Tensor")
__all__ = [name for name in offered(globals()) if name not in _INNER]
