"""Rows of tables, and rows sorted by the expert that each goes to, as MindSpore 2.3 and later have them; in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.scan import unsorted_segment_sum
from plumb.ops.function.scatter import tensor_scatter_update
from plumb.ops.function.search import argsort


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False):
    """The rows of a table by their numbers: the shape of the numbers, and the extent of a row behind it.

    Args:
      padding_idx: a row whose gradient is zero; negative ones count from the end.
      max_norm: rows that are looked up and have a larger norm are scaled to it, and stored so where `weight` is a Parameter.
      norm_type: which norm, the p of sum(|x|^p)^(1/p).
      scale_grad_by_freq: whether a row's gradient is divided by how often its number stands in the input.

    Raises ValueError where the table has not two axes, or no row `padding_idx`.
    """
    if weight.ndim != 2 or (padding_idx is not None and not -weight.shape[0] <= padding_idx < weight.shape[0]):
        raise ValueError(f"For 'embedding', 'weight' must have two axes and a row 'padding_idx', but got {weight.shape} and {padding_idx}")
    numbers = F.from_front(F.reshape(input, (-1,)), weight.shape[0])
    rows = F.gather(weight, numbers, 0)
    if max_norm is not None:
        rows = rows * _factors(F.stop_gradient(rows), max_norm, norm_type)
        if isinstance(weight, Parameter):
            F.assign(weight, tensor_scatter_update(weight, F.expand_dims(numbers, 1), F.stop_gradient(rows)))
    if scale_grad_by_freq:
        counts = unsorted_segment_sum(F.ones_like(F.cast(numbers, rows.dtype)), numbers, weight.shape[0])
        passing = rows / F.expand_dims(F.gather(counts, numbers, 0), 1)
        rows = passing + F.stop_gradient(rows - passing)
    if padding_idx is not None:
        row = padding_idx if padding_idx >= 0 else padding_idx + weight.shape[0]
        rows = F.select(F.expand_dims(F.equal(numbers, row), 1), F.stop_gradient(rows), rows)
    return F.reshape(rows, input.shape + (weight.shape[1],))


def _factors(rows, max_norm, norm_type):
    """The factor of each row: 1, or for one of a larger norm the factor that scales it to `max_norm`."""
    norms = F.pow(F.reduce_sum(F.pow(F.abs(rows), norm_type), (1,), True), 1.0 / norm_type)
    return F.select(F.greater(norms, max_norm), max_norm / (norms + 1e-7), F.ones_like(norms))


def moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False):
    """(Rows in the order of the experts that they go to, where each choice stands among them, int32).

    Args:
      tokens: (N, H).
      indices: the experts of each row, (N,) or (N, K): a row comes once for each of its K experts.
      num_out_tokens: how many of the sorted rows are kept; None, 0 and more than there are keep all.
      padded_mode: False only.
    """
    if padded_mode:
        raise ValueError("For 'moe_token_permute', padded_mode=True is not offered")
    if tokens.ndim != 2 or indices.ndim > 2 or indices.shape[0] != tokens.shape[0]:
        raise ValueError(f"For 'moe_token_permute', rows of {tokens.shape} and experts of {indices.shape} do not fit")
    if num_out_tokens is not None and num_out_tokens < 0:
        raise ValueError(f"For 'moe_token_permute', 'num_out_tokens' must be at least 0, but got {num_out_tokens}")
    order = argsort(F.reshape(indices, (-1,)), 0)
    choices = indices.shape[1] if indices.ndim == 2 else 1
    kept = order if num_out_tokens is None or num_out_tokens == 0 else F.part(order, 0, 0, min(num_out_tokens, order.shape[0]))
    return F.gather(tokens, F.floor_div(kept, choices), 0), argsort(order, 0)


def moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    """Rows back in their first order, (N, H): of those that came for several experts the sum, each times its factor in `probs`.

    Rows that `moe_token_permute` did not keep count as zeros.

    Args:
      permuted_tokens, sorted_indices: what `moe_token_permute` gives.
      probs: (N, K); None where each row came once.
      padded_mode, restore_shape: False and None only.
    """
    if padded_mode or restore_shape is not None:
        raise ValueError("For 'moe_token_unpermute', padded_mode=True and 'restore_shape' are not offered")
    kept = permuted_tokens.shape[0]
    rows = F.gather(permuted_tokens, F.minimum(sorted_indices, kept - 1), 0)
    if kept < sorted_indices.shape[0]:
        rows = F.select(F.expand_dims(F.less(sorted_indices, kept), 1), rows, F.zeros_like(rows))
    if probs is None:
        return rows
    rows = F.reshape(rows, probs.shape + (rows.shape[1],)) * F.expand_dims(F.cast(probs, rows.dtype), 2)
    return F.reduce_sum(rows, (1,))


def rotary_position_embedding(x, cos, sin, mode=0):
    """x * cos + y * sin, y being x with the last axis rotated by 90 degrees in pairs (Su et al. 2021), of the type of x.

    Args:
      x: four axes, the last one even.
      cos, sin: four axes that broadcast with those of x.
      mode: 0 rotates halves of the last axis against each other, 1 neighbours.
    """
    if x.ndim != 4 or x.shape[-1] % 2 != 0 or mode not in (0, 1):
        raise ValueError(f"For 'rotary_position_embedding', x must have four axes, the last one even, and 'mode' be 0 or 1, but got {x.shape} and {mode}")
    half = x.shape[-1] // 2
    if mode == 0:
        rotated = F.concat((-F.part(x, 3, half, 2 * half), F.part(x, 3, 0, half)), 3)
    else:
        pairs = F.reshape(x, x.shape[:3] + (half, 2))
        rotated = F.reshape(F.concat((-F.part(pairs, 4, 1, 2), F.part(pairs, 4, 0, 1)), 4), x.shape)
    return F.cast(x * cos + rotated * sin, x.dtype)


def add_layer_norm(x1, x2, gamma, beta, epsilon=1e-5, additional_output=False):
    """(The sum of two tensors normalised over the last axis, its mean, the reciprocal of its deviation, both float32, and the sum itself).

    Args:
      gamma, beta: scale and shift, vectors of the last axis's extent.
      epsilon: added to the variance.
      additional_output: True or False; the sum comes in any case.
    """
    total = F.add(_checks.floating("add_layer_norm", x1), x2)
    wide = F.cast(total, mstype.float32)
    mean = F.reduce_mean(wide, (-1,), True)
    scale = F.rsqrt(F.reduce_mean(F.square(wide - mean), (-1,), True) + epsilon)
    return F.cast((wide - mean) * scale * gamma + beta, x1.dtype), mean, scale, total


__all__ = ["add_layer_norm", "embedding", "moe_token_permute", "moe_token_unpermute", "rotary_position_embedding"]
