"""Attention of several heads (Vaswani et al. 2017), in the parsable subset: in parts, for cells, and as one function.

Heads are laid out as (N * heads, L, depth): rows times heads, places, numbers of one head.
"""

import math

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.random import dropout


def linear_of(x, weight, bias=None):
    """Products of the last axis, (…, I), with the rows of (O, I), and a bias (O,)."""
    product = F.matmul(F.reshape(x, (-1, x.shape[-1])), weight, transpose_b=True)
    return F.reshape(product if bias is None else product + bias, x.shape[:-1] + (weight.shape[0],))


def split_heads(x, heads):
    """(L, N, E) as (N * heads, L, E / heads)."""
    return F.transpose(F.reshape(x, (x.shape[0], x.shape[1] * heads, x.shape[2] // heads)), (1, 0, 2))


def join_heads(x, heads):
    """(N * heads, L, depth) as (L, N, heads * depth)."""
    return F.reshape(F.transpose(x, (1, 0, 2)), (x.shape[1], x.shape[0] // heads, heads * x.shape[2]))


def thirds(packed):
    """The three parts of an axis that queries, keys and values share, or three times None."""
    if packed is None:
        return None, None, None
    extent = packed.shape[0] // 3
    return F.part(packed, 0, 0, extent), F.part(packed, 0, extent, 2 * extent), F.part(packed, 0, 2 * extent, 3 * extent)


def with_key(x, more):
    """(S, N, E) with one more place, (1, 1, E), for all rows; as it is for None."""
    return x if more is None else F.concat((x, F.broadcast_to(more, (1,) + x.shape[1:])), 0)


def with_zero(x):
    """(N * heads, S, depth) with one more place of zeros."""
    return F.concat((x, F.fill(x.dtype, (x.shape[0], 1, x.shape[2]), 0.0)), 1)


def _added(who, mask, dtype):
    """A mask as what is added to scores: -inf where a boolean one is true."""
    if mask.dtype in (mstype.bool_, mstype.uint8):
        return F.select(F.cast(mask, mstype.bool_), F.fill(dtype, mask.shape, float("-inf")), F.fill(dtype, mask.shape, 0.0))
    return F.cast(_checks.floating(who, mask), dtype)


def _widened(mask, keys):
    """A mask with nothing added at the places that were put behind the keys."""
    behind = keys - mask.shape[-1]
    return F.pad(mask, (0,) * mask.ndim, (0,) * (mask.ndim - 1) + (behind,), 0.0) if behind > 0 else mask


def attention_weights(q, k, heads, attn_mask=None, key_padding_mask=None):
    """softmax(q @ k.T / sqrt(depth) + masks) of heads, (N * heads, L, S).

    Args:
      attn_mask: (L, S) or (N * heads, L, S), boolean or uint8 (true: not attended) or added to the scores.
      key_padding_mask: (N, S), likewise.
    """
    scores = F.matmul(q * (1.0 / math.sqrt(q.shape[2])), k, transpose_b=True)
    keys = scores.shape[2]
    if attn_mask is not None:
        scores = scores + _widened(_added("attn_mask", attn_mask, scores.dtype), keys)
    if key_padding_mask is not None:
        by_row = _widened(_added("key_padding_mask", key_padding_mask, scores.dtype), keys)
        rows = by_row.shape[0]
        split = F.reshape(scores, (rows, heads) + scores.shape[1:]) + F.reshape(by_row, (rows, 1, 1, keys))
        scores = F.reshape(split, scores.shape)
    return F.softmax(scores, -1)


def shown_weights(weights, heads, average):
    """Weights (N * heads, L, S) as (N, heads, L, S), or their mean over the heads."""
    split = F.reshape(weights, (weights.shape[0] // heads, heads) + weights.shape[1:])
    return F.reduce_mean(split, (1,)) if average else split


def _check(query, key, value, extent, heads):
    if query.ndim != key.ndim or key.ndim != value.ndim or query.ndim not in (2, 3):
        raise ValueError(f"attention takes inputs (L, N, E) or (L, E), but got {query.shape}, {key.shape} and {value.shape}")
    if query.shape[-1] != extent or extent % heads:
        raise ValueError(f"attention of {heads} heads takes queries of {extent} numbers, a multiple, but got {query.shape}")
    if key.shape[:-1] != value.shape[:-1]:
        raise ValueError(f"attention takes as many keys as values, but got {key.shape} and {value.shape}")


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v,
                                 add_zero_attn, dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None,
                                 attn_mask=None, use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None,
                                 v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True, is_causal=False,
                                 k_is_v=False, q_is_k=False):
    """Attention of several heads, between products of queries, keys, values and results: what nn.MultiheadAttention computes.

    Args:
      query, key, value: (L, N, E), (S, N, K) and (S, N, V), or without N.
      embed_dim_to_check: E; `num_heads` divides it.
      in_proj_weight, in_proj_bias: the products' weights, (3 * E, E), of queries, keys and values, and their biases, (3 * E,) or None.
      bias_k, bias_v: (1, 1, E), one more key and value for every row, or None both.
      add_zero_attn: whether one more key and value are zeros.
      dropout_p: in training, the share of the attention weights that is zeroed.
      out_proj_weight, out_proj_bias: of the product that makes the result, (O, E) and (O,) or None.
      key_padding_mask: (N, S), boolean or uint8 (true: the key counts nothing), or added to the scores.
      attn_mask: (L, S) or (N * num_heads, L, S), likewise.
      use_separate_proj_weight: whether the weights are `q_proj_weight` (E, E), `k_proj_weight` (E, K) and `v_proj_weight` (E, V).
      static_k, static_v: (N * num_heads, S, E / num_heads), what the products of keys and values would give.
      average_attn_weights: whether the weights are the mean of all heads'.
      is_causal: whether keys later than a query count nothing (MindSpore 2.0.0 adds 1 to the scores of the others instead).
      k_is_v, q_is_k: whether the inputs are the same tensor; the numbers are the same either way.

    Returns:
      the result (L, N, O), and the weights after dropout, (N, L, S) or (N, num_heads, L, S); without N where the inputs are.
    """
    _check(query, key, value, embed_dim_to_check, num_heads)
    if (bias_k is None) != (bias_v is None) or (bias_k is not None and (static_k is not None or static_v is not None)):
        raise ValueError("attention takes 'bias_k' and 'bias_v' both or neither, and not beside 'static_k' or 'static_v'")
    single = query.ndim == 2
    if single:
        query, key, value = F.expand_dims(query, 1), F.expand_dims(key, 1), F.expand_dims(value, 1)
        key_padding_mask = None if key_padding_mask is None else F.expand_dims(key_padding_mask, 0)
    weights = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else thirds(in_proj_weight)
    biases = thirds(in_proj_bias)
    q = split_heads(linear_of(query, weights[0], biases[0]), num_heads)
    k = static_k if static_k is not None else split_heads(with_key(linear_of(key, weights[1], biases[1]), bias_k), num_heads)
    v = static_v if static_v is not None else split_heads(with_key(linear_of(value, weights[2], biases[2]), bias_v), num_heads)
    if add_zero_attn:
        k, v = with_zero(k), with_zero(v)
    if is_causal:
        later = F.greater(F.arange(k.shape[1]), F.expand_dims(F.arange(q.shape[1]), 1))
        causal = F.select(later, F.fill(q.dtype, later.shape, float("-inf")), F.fill(q.dtype, later.shape, 0.0))
        attn_mask = causal if attn_mask is None else causal + _widened(_added("attn_mask", attn_mask, q.dtype), k.shape[1])
    share = dropout(attention_weights(q, k, num_heads, attn_mask, key_padding_mask), dropout_p, training)
    outputs = linear_of(join_heads(F.matmul(share, v), num_heads), out_proj_weight, out_proj_bias)
    shown = shown_weights(share, num_heads, average_attn_weights)
    return (F.squeeze(outputs, (1,)), F.squeeze(shown, (0,))) if single else (outputs, shown)


multi_head_attention_forward = Whole(multi_head_attention_forward)
