"""Classes drawn as candidates for sampled losses, and how often each is expected; with MindSpore's signatures, in the parsable subset.

Draws without repetition are a race: each class arrives after an exponential time of its share, and the first ones are taken. Classes
that are taken go on arriving, by their shares, until the last one is: as many draws with repetition have found them all, and a class is
expected as often as that many draws find it.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered, only_defaults
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops.function.search import argsort, searchsorted


def _drawn(who, true_classes, num_true, num_sampled, unique, shares, seed):
    """Classes by their shares, (num_sampled,); how often those of `true_classes` and those drawn are expected, float32."""
    if _checks.integers(who, true_classes).ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(f"For '{who}', 'true_classes' must be (N, {num_true}), but got {true_classes.shape}")
    if num_sampled < 1 or unique and num_sampled > shares.shape[0]:
        raise ValueError(f"For '{who}', 'num_sampled' must be above 0 and, if 'unique', at most 'range_max', {shares.shape[0]}, but got "
                         f"{num_sampled}")
    if unique:
        arrivals = -F.log(1.0 - _random.even(shares.shape, seed)) / shares
        drawn = F.part(argsort(arrivals), 0, 0, num_sampled)
        times = F.gather(arrivals, drawn, 0)
        draws = num_sampled + F.reduce_sum(F.gather(shares, drawn, 0) * (F.reduce_max(times) - times))
        expected = -F.expm1(draws * F.log1p(-shares))
    else:
        ends = F.cumsum(shares, 0)
        drawn = searchsorted(ends, _random.even((num_sampled,), seed) * ends[-1], right=True)
        drawn = F.minimum(F.cast(drawn, mstype.int32), shares.shape[0] - 1)
        expected = shares * (1.0 * num_sampled)
    drawn = F.cast(drawn, true_classes.dtype)
    return drawn, F.gather(expected, true_classes, 0), F.gather(expected, drawn, 0)


def uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=0, remove_accidental_hits=False):
    """Classes drawn evenly from [0, range_max): (num_sampled,); and how often those of `true_classes` and those drawn are expected.

    Args:
      true_classes: (N, num_true), int32 or int64, from [0, range_max).
      num_sampled: how many are drawn.
      unique: whether none is drawn twice.
      seed: that of a stream of the call's own; 0 draws from the program's.
      remove_accidental_hits: False.

    Returns:
      The classes, of the type of `true_classes`; expected counts, float32, (N, num_true) and (num_sampled,).

    Raises:
      TypeError: if `true_classes` is no tensor of integers.
      ValueError: if its shape does not fit, or more different classes are wanted than there are.
    """
    only_defaults("uniform_candidate_sampler", remove_accidental_hits=(remove_accidental_hits, False))
    shares = F.fill(mstype.float32, (range_max,), 1.0 / range_max)
    return _drawn("uniform_candidate_sampler", true_classes, num_true, num_sampled, unique, shares, seed)


def log_uniform_candidate_sampler(true_classes, num_true=1, num_sampled=5, unique=True, range_max=5, seed=0):
    """As `uniform_candidate_sampler`, by shares log((c + 2) / (c + 1)) / log(range_max + 1): classes by falling frequency (Zipf)."""
    numbers = F.cast(F.arange(range_max), mstype.float32)
    shares = F.log((numbers + 2.0) / (numbers + 1.0))
    return _drawn("log_uniform_candidate_sampler", true_classes, num_true, num_sampled, unique, shares / F.reduce_sum(shares), seed)


uniform_candidate_sampler, log_uniform_candidate_sampler = Whole(uniform_candidate_sampler), Whole(log_uniform_candidate_sampler)

__all__ = [name for name in offered(globals()) if name.endswith("candidate_sampler")]
