"""Sequences of symbols: how far two are apart, and which ones would repeat a stretch; in MindSpore's spelling."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._structures import on_host
from plumb.common.api import Whole
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F

_ADVICE = "call it outside, and pass its result to the function"


def _rows_of(who, indices, values, shape):
    """The sequences of a sparse tensor, by the numbers of the axes before the last one."""
    found = {}
    for place, value in zip(indices.asnumpy(), values.asnumpy()):
        if (place < 0).any() or (place >= shape).any():
            raise ValueError(f"For '{who}', the indices {place.tolist()} lie outside of the shape {shape.tolist()}.")
        found.setdefault(tuple(place[:-1].tolist()), []).append(value)
    return found


def _distance(one, other):
    """The fewest insertions, deletions and replacements that make one sequence the other (Levenshtein 1966), row by row."""
    costs = np.arange(len(other) + 1)
    for place, symbol in enumerate(one):
        replaced = costs[:-1] + np.array([symbol != there for there in other], costs.dtype)
        costs = np.concatenate(([place + 1], np.minimum(replaced, costs[1:] + 1)))
        # An insertion follows what is found before it: the least of earlier costs and the way from there.
        steps = np.arange(len(costs))
        costs = np.minimum.accumulate(costs - steps) + steps
    return int(costs[-1])


@on_host(_ADVICE)
def edit_distance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape, normalize=True):
    """How far the sequences of two sparse tensors are apart: fewest insertions, deletions and replacements, float32.

    Args:
      hypothesis_indices, truth_indices: (N, R) and (M, R), int64: where each symbol stands; the last axis is a sequence's.
      hypothesis_values, truth_values: the symbols, (N,) and (M,).
      hypothesis_shape, truth_shape: (R,), int64.
      normalize: whether the numbers are divided by the lengths of the truths; with an empty truth 0 or infinite.

    Returns:
      A tensor of the larger extents of all axes but the last one.

    Raises:
      TypeError: if the symbols are of two element types.
      ValueError: if shapes do not fit, or indices lie outside of the larger extents.
    """
    who = "EditDistance"
    shapes = [shape.asnumpy() for shape in (hypothesis_shape, truth_shape)]
    if hypothesis_values.dtype != truth_values.dtype:
        raise TypeError(f"For '{who}', symbols must be of one element type, but got {hypothesis_values.dtype} and {truth_values.dtype}.")
    if shapes[0].shape != shapes[1].shape or shapes[0].ndim != 1 or len(shapes[0]) < 2:
        raise ValueError(f"For '{who}', both shapes must be vectors of one extent of at least 2, but got {hypothesis_shape.shape} and "
                         f"{truth_shape.shape}.")
    largest = np.maximum(*shapes)
    found = _rows_of(who, hypothesis_indices, hypothesis_values, largest)
    truths = _rows_of(who, truth_indices, truth_values, largest)
    result = np.zeros(tuple(largest[:-1]), np.float32)
    for place in np.ndindex(result.shape):
        one, other = found.get(place, []), truths.get(place, [])
        steps = _distance(one, other)
        if normalize:
            result[place] = steps / len(other) if other else (np.inf if one else 0.0)
        else:
            result[place] = steps
    return Tensor(result)


@Whole
def no_repeat_ngram(state_seq, log_probs, ngram_size=1):
    """Scores of next symbols with the lowest number of the type for each that would repeat a stretch of `ngram_size` symbols.

    Args:
      state_seq: what was written so far, (batch, beams, length), int32.
      log_probs: scores, (batch, beams, symbols), of floating point.
      ngram_size: how long a stretch is, above 0.

    Raises:
      ValueError: for another `ngram_size`, or shapes that do not fit.
    """
    if not isinstance(ngram_size, int) or ngram_size < 1:
        raise ValueError(f"For 'NoRepeatNGram', 'ngram_size' must be an int above 0, but got {ngram_size}")
    if state_seq.ndim != 3 or log_probs.ndim != 3 or state_seq.shape[:2] != log_probs.shape[:2]:
        raise ValueError(f"For 'NoRepeatNGram', the inputs must be (batch, beams, length) and (batch, beams, symbols), but got "
                         f"{state_seq.shape} and {log_probs.shape}")
    length, before = state_seq.shape[2], ngram_size - 1
    if length < ngram_size:
        return log_probs
    symbols, banned = F.arange(log_probs.shape[2]), None
    # A stretch that begins as the text ends bans the symbol that it ends with.
    for start in range(length - before):
        same = None
        for step in range(before):
            here = F.equal(state_seq[:, :, start + step], state_seq[:, :, length - before + step])
            same = here if same is None else F.logical_and(same, here)
        last = F.equal(F.expand_dims(state_seq[:, :, start + before], -1), symbols)
        last = last if same is None else F.logical_and(last, F.expand_dims(same, -1))
        banned = last if banned is None else F.logical_or(banned, last)
    lowest = -65504.0 if log_probs.dtype == mstype.float16 else -1.7976931348623157e308 if log_probs.dtype == mstype.float64 else -3.4028234663852886e38
    return F.select(banned, F.fill(log_probs.dtype, (), lowest), log_probs)


__all__ = []
