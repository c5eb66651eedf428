"""Classes drawn as candidates for sampled losses, and how often each is expected; with MindSpore's signatures, in the parsable subset.

Draws without repetition are a race: each class arrives after an exponential time of its share, and the first ones are taken. Classes
that are taken go on arriving, by their shares, until the last one is: as many draws with repetition have found them all, and a class is
expected as often as that many draws find it.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops.function.search import argsort, searchsorted, sort


def _check(who, true_classes, num_true, num_sampled, unique, range_max):
    if _checks.integers(who, true_classes).ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For '{who}', 'true_classes' must be (N, {num_true}), but got {true_classes.shape}")
    if num_sampled < 1 or unique and num_sampled > range_max:
        raise ValueError(f"For '{who}', 'num_sampled' must be above 0 and, if 'unique', at most 'range_max', {range_max}, but got "
                         f"{num_sampled}")


def _drawn(shares, num_sampled, unique, seed, hits=None):
    """Classes by their shares, int32 (num_sampled,), and the number of draws in which they were found; never one of `hits`, booleans."""
    if unique:
        arrivals = -F.log(1.0 - _random.even(shares.shape, seed)) / shares
        if hits is not None:
            arrivals = F.select(hits, F.fill(arrivals.dtype, arrivals.shape, float("inf")), arrivals)
        drawn = F.part(argsort(arrivals), 0, 0, num_sampled)
        times = F.gather(arrivals, drawn, 0)
        last = F.reduce_max(times)
        draws = num_sampled + F.reduce_sum(F.gather(shares, drawn, 0) * (last - times))
        if hits is not None:
            draws = draws + last * F.reduce_sum(F.cast(hits, shares.dtype) * shares)
        return F.cast(drawn, mstype.int32), draws
    ends = F.cumsum(shares, 0)
    drawn = searchsorted(ends, _random.even((num_sampled,), seed) * ends[-1], right=True)
    return F.minimum(F.cast(drawn, mstype.int32), shares.shape[0] - 1), 1.0 * num_sampled


def _expected(shares, draws, unique):
    """How often classes of these shares are expected among the draws."""
    return -F.expm1(draws * F.log1p(-shares)) if unique else shares * draws


def _hits(true_classes, num_sampled, range_max):
    """Booleans (range_max,): the classes of `true_classes`; none if too few others are left."""
    flat = sort(F.reshape(true_classes, (-1,)))[0]
    count = flat.shape[0]
    changes = F.not_equal(F.part(flat, 0, 1, count), F.part(flat, 0, 0, count - 1))
    enough = num_sampled + 1 + F.reduce_sum(F.cast(changes, mstype.int32)) <= range_max
    marks = F.scatter(F.fill(mstype.int32, (range_max,), 0), flat, F.fill(mstype.int32, (count,), 1), "update")
    return F.logical_and(F.equal(marks, 1), enough)


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, remove_accidental_hits=False):
    """Classes drawn evenly from [0, range_max): (num_sampled,); and how often those of `true_classes` and those drawn are expected.

    Args:
      true_classes: (N, num_true), int32 or int64.
      num_sampled: how many are drawn.
      unique: whether none is drawn twice.
      seed: that of a stream of the call's own; 0 draws from the program's.
      remove_accidental_hits: whether none of `true_classes` is drawn. It has an effect with `unique` only, and where enough other
        classes are left.

    Returns:
      The classes, of the type of `true_classes`; expected counts, float32, (N, num_true) and (num_sampled,).

    Raises:
      TypeError: if `true_classes` is no tensor of integers.
      ValueError: if its shape does not fit, or more different classes are wanted than there are.
    """
    _check("uniform_candidate_sampler", true_classes, num_true, num_sampled, unique, range_max)
    hits = _hits(true_classes, num_sampled, range_max) if remove_accidental_hits and unique else None
    shares = F.fill(mstype.float32, (range_max,), 1.0 / range_max)
    drawn, draws = _drawn(shares, num_sampled, unique, seed, hits)
    expected = _expected(F.part(shares, 0, 0, 1), draws, unique)
    return F.cast(drawn, true_classes.dtype), F.broadcast_to(expected, true_classes.shape), F.broadcast_to(expected, (num_sampled,))


def log_uniform_candidate_sampler(true_classes, num_true=1, num_sampled=5, unique=True, range_max=5, seed=0):
    """As `uniform_candidate_sampler`, by shares log((c + 2) / (c + 1)) / log(range_max + 1): classes by falling frequency (Zipf)."""
    _check("log_uniform_candidate_sampler", true_classes, num_true, num_sampled, unique, range_max)
    shares = _zipf(F.arange(range_max), range_max)
    drawn, draws = _drawn(shares, num_sampled, unique, seed)
    drawn = F.cast(drawn, true_classes.dtype)
    return drawn, _expected(_zipf(true_classes, range_max), draws, unique), _expected(_zipf(drawn, range_max), draws, unique)


def _zipf(classes, range_max):
    numbers = F.cast(classes, mstype.float32)
    return F.log((numbers + 2.0) / (numbers + 1.0)) / math.log(range_max + 1)


uniform_candidate_sampler, log_uniform_candidate_sampler = Whole(uniform_candidate_sampler), Whole(log_uniform_candidate_sampler)

__all__ = [name for name in offered(globals()) if name.endswith("candidate_sampler")]
