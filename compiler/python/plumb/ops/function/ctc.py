"""Connectionist temporal classification: its loss and the greedy decoder, with MindSpore's signatures, in the parsable subset.

A label sequence of length S has the extended one of 2 * S + 1: blanks at even places. The logarithm of the probability of all
alignments that end at each place of it moves from step to step in a loop of the program (Graves et al. 2006, equation 7);
the loop's gradient is the loss's.
"""

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.search import _places_where
from plumb.ops.grad import GradFunction

# The logarithm of no probability: finite, so that differences of two of them are numbers.
NEVER = -1e30


def _lengths(values):
    """A tuple of ints, or a tensor, as an int32 vector."""
    return F.cast(values if isinstance(values, _checks.Tensor) else _checks.Tensor(values, mstype.int32), mstype.int32)


def _extended(labels, blank):
    """Labels (N, S) with blanks around each: (N, 2 * S + 1)."""
    rows = labels.shape[0]
    blanks = F.fill(labels.dtype, labels.shape + (1,), blank)
    pairs = F.reshape(F.concat((blanks, F.expand_dims(labels, 2)), 2), (rows, -1))
    return F.concat((pairs, F.fill(labels.dtype, (rows, 1), blank)), 1)


def shifted_by(x, count):
    """(N, L) shifted by `count` positions along the last axis; NEVER fills the first ones."""
    return F.concat((F.fill(x.dtype, (x.shape[0], count), NEVER), F.part(x, 1, 0, x.shape[1] - count)), 1)


def _alignments(scores, labels, input_lengths, label_lengths, blank, merge_repeated):
    """The logarithms at all steps (T, N, L) and at each row's last one.

    Args:
      scores: logarithms of probabilities, (T, N, C).
      merge_repeated: whether a label may stay for several steps, and equal labels need a blank between.
    """
    places = _extended(labels, blank)
    steps, width = scores.shape[0], places.shape[1]
    # A gather of every step's row: labels are the same at all of them.
    own = F.maximum(F.take_along(scores, F.broadcast_to(F.expand_dims(places, 0), (steps,) + places.shape), 2), NEVER)
    is_label = F.not_equal(places, blank)
    two_before = F.concat((F.fill(places.dtype, (places.shape[0], 2), blank), F.part(places, 1, 0, width - 2)), 1)
    skips = F.logical_and(is_label, F.not_equal(places, two_before)) if merge_repeated else is_label
    skips = F.logical_and(skips, F.greater_equal(F.arange(width), 3))
    stays = F.logical_or(F.logical_not(is_label), merge_repeated)
    within = F.less(F.arange(width), F.expand_dims(label_lengths * 2 + 1, 1))
    last = F.expand_dims(input_lengths - 1, 1)
    state = F.select(F.logical_and(within, F.less(F.arange(width), 2)), own[0], NEVER)
    history, final = F.fill(scores.dtype, (steps,) + places.shape, NEVER), state
    history[0] = F.stop_gradient(state)
    step = F.fill(mstype.int32, (), 1)
    while step < steps:
        kept = F.select(stays, state, NEVER)
        moved = shifted_by(state, 1)
        jumped = F.select(skips, shifted_by(state, 2), NEVER)
        top = F.stop_gradient(F.maximum(F.maximum(kept, moved), jumped))
        total = F.exp(kept - top) + F.exp(moved - top) + F.exp(jumped - top)
        state = F.select(within, F.log(total) + top + own[step], NEVER)
        final = F.select(F.less_equal(step, last), state, final)
        history[step] = F.stop_gradient(state)
        step = step + 1
    return history, final


def _losses(scores, labels, input_lengths, label_lengths, blank, merge_repeated):
    """The losses (N,), infinite where no alignment exists, which such rows have and the logarithms at all steps."""
    history, final = _alignments(scores, labels, input_lengths, label_lengths, blank, merge_repeated)
    ends = F.expand_dims(label_lengths * 2, 1)
    by_blank = F.take_along(final, ends, 1)
    by_label = F.select(F.greater(ends, 0), F.take_along(final, F.maximum(ends - 1, 0), 1), NEVER)
    top = F.stop_gradient(F.maximum(by_blank, by_label))
    total = F.squeeze(F.log(F.exp(by_blank - top) + F.exp(by_label - top)) + top, (1,))
    return F.neg(total), F.less(total, 0.5 * NEVER), history


def where_possible(losses, impossible, value):
    """The losses with a number where there is no alignment: it has no gradient there."""
    return F.select(impossible, F.fill(losses.dtype, losses.shape, value), losses)


def ctc_losses(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="none", zero_infinity=False):
    """`ctc_loss` with the constructor's arguments of its class."""
    scores = _checks.floating("ctc_loss", log_probs)
    scores = scores if scores.dtype in (mstype.float32, mstype.float64) else F.cast(scores, mstype.float32)
    if scores.ndim != 3 or targets.ndim != 2 or targets.shape[0] != scores.shape[1] or targets.shape[1] < 1:
        raise ValueError(f"For 'ctc_loss', 'log_probs' must be (T, N, C) and 'targets' (N, S), but got {scores.shape} and {targets.shape}")
    if blank < 0 or blank >= scores.shape[2]:
        raise ValueError(f"For 'ctc_loss', 'blank' must be in [0, {scores.shape[2]}), but got {blank}")
    steps, counts = _lengths(input_lengths), _lengths(target_lengths)
    losses, impossible, history = _losses(scores, F.cast(targets, mstype.int32), steps, counts, blank, True)
    losses = where_possible(losses, impossible, 0.0 if zero_infinity else float("inf"))
    if reduction == "mean":
        losses = losses / F.cast(F.maximum(counts, 1), losses.dtype)
    alive = F.less(F.arange(scores.shape[0]), F.expand_dims(steps, 1))
    history = F.transpose(history, (1, 0, 2))
    shown = F.logical_and(F.expand_dims(alive, 2), F.greater(history, 0.5 * NEVER))
    return (F.cast(_checks.reduction("ctc_loss", losses, reduction), log_probs.dtype),
            F.cast(F.select(shown, history, F.fill(history.dtype, (), float("-inf"))), log_probs.dtype))


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The negative logarithm of the probability of label sequences, over all their alignments with the inputs.

    Args:
      log_probs: logarithms of probabilities (T, N, C), of steps, rows and classes.
      targets: class indices (N, S), without blanks; what stands behind a row's length counts nothing.
      input_lengths, target_lengths: each row's number of steps and of labels, a tensor or tuple.
      blank: the class that is no label.
      reduction: "mean" divides each loss by the number of labels before; "sum" or "none".
      zero_infinity: whether the loss of a row with more labels than steps can show is 0 instead of infinite. It has no gradient.

    Returns:
      the loss and, as (N, T, 2 * S + 1), the logarithms of the probability that the steps so far end at each place of the targets
      with blanks around them; these have no gradient. The gradient is that of the loss by `log_probs` as they are (MindSpore and
      PyTorch give exp(log_probs) more, which a log_softmax before takes out again).
    """
    return ctc_losses(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


# -- labels as a list


def _dense_labels(rows, width, indices, values):
    """Labels (N, S) of rows [row, place] and their values, and each row's number of them."""
    row, place = F.cast(indices[:, 0], mstype.int32), F.cast(indices[:, 1], mstype.int32)
    flat = F.select(F.less(place, width), row * width + place, -1)
    labels = F.scatter(F.fill(mstype.int32, (rows * width,), 0), flat, F.cast(values, mstype.int32), "update")
    counts = F.scatter(F.fill(mstype.int32, (rows,), 0), row, F.ones_like(row), "add")
    return F.reshape(labels, (rows, width)), counts


def _collapsed(labels, counts):
    """Labels without those that equal the one before, and each row's number of them."""
    rows, width = labels.shape
    before = F.concat((F.fill(mstype.int32, (rows, 1), -1), F.part(labels, 1, 0, width - 1)), 1)
    kept = F.logical_and(F.not_equal(labels, before), F.less(F.arange(width), F.expand_dims(counts, 1)))
    places = F.cumsum(F.cast(kept, mstype.int32), 1) - 1 + F.reshape(F.arange(rows) * width, (rows, 1))
    places = F.reshape(F.select(kept, places, -1), (-1,))
    found = F.scatter(F.fill(mstype.int32, (rows * width,), 0), places, F.reshape(labels, (-1,)), "update")
    return F.reshape(found, (rows, width)), F.reduce_sum(F.cast(kept, mstype.int32), (1,))


def _of_scores(x, labels, steps, counts, merge_repeated):
    """The sum of the losses of scores that are no probabilities yet, and the losses."""
    losses, impossible, _ = _losses(F.log_softmax(x, -1), labels, steps, counts, x.shape[2] - 1, merge_repeated)
    return F.reduce_sum(where_possible(losses, impossible, 0.0)), where_possible(losses, impossible, float("inf"))


_with_gradient = GradFunction(_of_scores, (0,), (), True, has_aux=True)


def ctc_of_scores(x, labels_indices, labels_values, sequence_length, preprocess_collapse_repeated=False, ctc_merge_repeated=True,
                  ignore_longer_outputs_than_inputs=False):
    """CTC losses of scores (T, N, C), and their gradient by the scores; the last class is the blank.

    Args:
      labels_indices: rows [row, place], one for each of `labels_values`.
      sequence_length: each row's number of steps.
      preprocess_collapse_repeated: whether of equal labels in turn one is kept.
      ctc_merge_repeated: whether a label may last several steps; else every step that shows it is one more label.
      ignore_longer_outputs_than_inputs: a row with more labels than steps can show has an infinite loss and no gradient either way;
        MindSpore stops there unless this is True.

    Both results have gradients, and beyond a row's steps the gradient is zero; MindSpore 2.0.0 has no gradient of the second, and
    whatever stands in memory beyond the steps.
    """
    scores = x if x.dtype in (mstype.float32, mstype.float64) else F.cast(_checks.floating("CTCLoss", x), mstype.float32)
    width = min(labels_values.shape[0], x.shape[0])
    labels, counts = _dense_labels(x.shape[1], width, labels_indices, labels_values)
    if preprocess_collapse_repeated:
        labels, counts = _collapsed(labels, counts)
    # A row of more labels than there are steps has no alignment, as one of `width` labels and one step has none.
    steps = F.select(F.greater(counts, width), 0, _lengths(sequence_length))
    (_, losses), gradient = _with_gradient(scores, labels, steps, F.minimum(counts, width), ctc_merge_repeated)
    return F.cast(losses, x.dtype), F.cast(gradient, x.dtype)


def ctc_greedy_decoder(inputs, sequence_length, merge_repeated=True):
    """The best class of every step without blanks, the last class; works where values are known, outside of compiled functions.

    Args:
      inputs: scores (T, N, C).
      sequence_length: each row's number of steps.
      merge_repeated: whether of equal classes in turn one is kept.

    Returns:
      rows [row, place] of the decoded classes and those, int64; the extents (N, longest), int64; and each row's sum of its best
      scores with the opposite sign, (N, 1).
    """
    steps, rows, classes = inputs.shape
    best, alive = F.argmax(inputs, 2), F.less(F.expand_dims(F.arange(steps), 1), _lengths(sequence_length))
    shown = F.logical_and(alive, F.not_equal(best, classes - 1))
    if merge_repeated and steps > 1:
        changes = F.not_equal(F.part(best, 0, 1, steps), F.part(best, 0, 0, steps - 1))
        shown = F.logical_and(shown, F.concat((F.fill(mstype.bool_, (1, rows), True), changes), 0))
    score = F.reduce_sum(F.select(alive, F.reduce_max(inputs, (2,)), F.fill(inputs.dtype, (), 0.0)), (0,))
    shown = F.transpose(shown, (1, 0))
    order = F.cumsum(F.cast(shown, mstype.int32), 1) - 1
    found = _places_where(F.reshape(shown, (-1,)))
    longest = F.reduce_max(F.reduce_sum(F.cast(shown, mstype.int64), (1,)))
    indices = F.stack((F.floor_div(found, steps), F.gather(F.reshape(order, (-1,)), found, 0)), 1)
    values = F.gather(F.reshape(F.transpose(best, (1, 0)), (-1,)), found, 0)
    extents = F.stack((F.fill(mstype.int64, (), rows), longest), 0)
    return F.cast(indices, mstype.int64), F.cast(values, mstype.int64), extents, F.neg(F.expand_dims(score, 1))


ctc_loss = Whole(ctc_loss)

__all__ = ["ctc_greedy_decoder", "ctc_loss"]
