"""The loss of recurrent neural network transducers, in the parsable subset.

Of T steps and U labels, a lattice of (T, U + 1) nodes: from (t, u) a blank leads to (t + 1, u), and the next label to (t, u + 1).
The logarithm of the probability of all ways to a node (Graves 2012, equation 16) needs those of the diagonal before alone, t + u
being one less, so a loop of the program goes from diagonal to diagonal; its gradient is the loss's.
"""

from plumb.common import dtype as mstype
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.ctc import NEVER, shifted_by, where_possible
from plumb.ops.grad import GradFunction


def _by_diagonals(scores):
    """Scores (B, T, U) as (T + U - 1, B, U): row d holds those of t = d - u, and what never happens where there is no such step."""
    rows, steps, width = scores.shape
    diagonals = steps + width - 1
    step = F.expand_dims(F.arange(diagonals), 1) - F.arange(width)
    places = F.expand_dims(F.minimum(F.maximum(step, 0), steps - 1), 1)
    found = F.take_along(F.transpose(scores, (1, 0, 2)), F.broadcast_to(places, (diagonals, rows, width)), 0)
    within = F.logical_and(F.greater_equal(step, 0), F.less(step, steps))
    return F.select(F.expand_dims(within, 1), F.maximum(found, NEVER), NEVER)


def _ways(blanks, labelled, last):
    """The logarithms of the probability of all ways to the nodes of each row's diagonal `last`, (B, U).

    Args:
      blanks, labelled: the scores of a blank and of the next label at the nodes, by diagonals, (D, B, U).
      last: (B, 1).
    """
    diagonals, rows, width = blanks.shape
    state = F.select(F.equal(F.arange(width), 0), F.zeros_like(blanks[0]), NEVER)
    final, diagonal = state, F.fill(mstype.int32, (), 1)
    while diagonal < diagonals:
        waited, moved = state + blanks[diagonal - 1], shifted_by(state + labelled[diagonal - 1], 1)
        top = F.stop_gradient(F.maximum(waited, moved))
        state = F.maximum(F.log(F.exp(waited - top) + F.exp(moved - top)) + top, NEVER)
        final = F.select(F.equal(diagonal, last), state, final)
        diagonal = diagonal + 1
    return final


def _losses(acts, labels, input_lengths, label_lengths, blank):
    """The sum of the losses, infinite ones left out, and the losses (B,)."""
    scores = F.log_softmax(acts, -1)
    rows, steps, width = scores.shape[:3]
    blanks = _by_diagonals(scores[:, :, :, blank])
    places = F.broadcast_to(F.reshape(labels, (rows, 1, width - 1, 1)), (rows, steps, width - 1, 1))
    following = F.squeeze(F.take_along(F.part(scores, 2, 0, width - 1), places, 3), (3,))
    labelled = _by_diagonals(F.concat((following, F.fill(scores.dtype, (rows, steps, 1), NEVER)), 2))
    fits = F.logical_and(_between(input_lengths, 1, steps), _between(label_lengths, 0, width - 1))
    last = F.select(fits, input_lengths + label_lengths - 1, 0)
    ends = F.expand_dims(F.select(fits, label_lengths, 0), 1)
    final = _ways(blanks, labelled, F.expand_dims(last, 1))
    leaving = F.take_along(F.transpose(blanks, (1, 0, 2)), F.broadcast_to(F.reshape(last, (rows, 1, 1)), (rows, 1, width)), 1)
    losses = F.neg(F.squeeze(F.take_along(final + F.squeeze(leaving, (1,)), ends, 1), (1,)))
    impossible = F.logical_or(F.logical_not(fits), F.greater(losses, -0.5 * NEVER))
    return F.reduce_sum(where_possible(losses, impossible, 0.0)), where_possible(losses, impossible, float("inf"))


def _between(x, least, most):
    return F.logical_and(F.greater_equal(x, least), F.less_equal(x, most))


_with_gradient = GradFunction(_losses, (0,), (), True, has_aux=True)


def rnnt_losses(acts, labels, input_lengths, label_lengths, blank_label=0):
    """Transducer losses of scores, and their gradient by the scores.

    Args:
      acts: scores (B, T, U + 1, V) of rows, steps, numbers of labels so far and classes, float16, float32 or float64. Their softmax is
        taken here; logarithms of probabilities stay what they are.
      labels: class indices (B, U), int32.
      input_lengths, label_lengths: each row's number of steps, 1 to T, and of labels, 0 to U, (B,), int32. A row whose numbers are
        others has an infinite loss and no gradient.
      blank_label: the class that is no label.

    Returns:
      the negative logarithm of each row's probability of its labels, (B,), and its gradient, of the shape of `acts`; zero beyond a
      row's lengths. Both are of the type of `acts`, and have gradients.
    """
    if acts.ndim != 4 or tuple(labels.shape) != (acts.shape[0], acts.shape[2] - 1):
        raise ValueError(f"For 'RNNTLoss', 'acts' must be (B, T, U + 1, V) and 'labels' (B, U), but got {acts.shape} and {labels.shape}")
    if tuple(input_lengths.shape) != acts.shape[:1] or tuple(label_lengths.shape) != acts.shape[:1]:
        raise ValueError(f"For 'RNNTLoss', 'input_lengths' and 'label_lengths' must be of shape {acts.shape[:1]}, but got "
                         f"{input_lengths.shape} and {label_lengths.shape}")
    if blank_label < 0 or blank_label >= acts.shape[3]:
        raise ValueError(f"For 'RNNTLoss', 'blank_label' must be in [0, {acts.shape[3]}), but got {blank_label}")
    scores = _checks.floating("RNNTLoss", acts)
    scores = scores if scores.dtype in (mstype.float32, mstype.float64) else F.cast(scores, mstype.float32)
    (_, losses), gradient = _with_gradient(scores, F.cast(labels, mstype.int32), F.cast(input_lengths, mstype.int32),
                                           F.cast(label_lengths, mstype.int32), blank_label)
    return F.cast(losses, acts.dtype), F.cast(gradient, acts.dtype)
