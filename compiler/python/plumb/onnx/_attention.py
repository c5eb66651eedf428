"""ONNX's attention and what models put around it, in the parsable subset.

Formulas: https://onnx.ai/onnx/operators/onnx__Attention.html, https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html,
https://onnx.ai/onnx/operators/onnx__TensorScatter.html.
"""

import math

from plumb import ops
from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.onnx._elementwise import type_of
from plumb.onnx._registry import operator
from plumb.onnx._values import one_of, positive, tensor

_LOWEST = -float("inf")


def _in_heads(x, count):
    """(batch, heads, length, size) of (batch, length, heads * size)."""
    if x.ndim == 4:
        return x
    if count is None:
        raise ValueError("Attention of inputs of three axes needs q_num_heads and kv_num_heads")
    return F.transpose(F.reshape(x, (x.shape[0], x.shape[1], count, -1)), (0, 2, 1, 3))


def _for_each_query(x, heads):
    """Keys or values repeated for the heads of queries that share them."""
    own = x.shape[1]
    if own == heads:
        return x
    wide = F.broadcast_to(F.expand_dims(x, 2), (x.shape[0], own, heads // own) + x.shape[2:])
    return F.reshape(wide, (x.shape[0], heads) + x.shape[2:])


def _widened(mask, length):
    """A mask that says nothing of the last keys, which then take no part."""
    missing = length - mask.shape[-1]
    if missing <= 0:
        return mask
    rest = F.fill(mask.dtype, mask.shape[:-1] + (missing,), False if mask.dtype == mstype.bool_ else _LOWEST)
    return F.concat((mask, rest), mask.ndim - 1)


def _both(one, other):
    return other if one is None else F.logical_and(one, other)


def _allowed(queries, keys, before, filled, is_causal, left, right):
    """Which keys a query may see by their places, where the first query stands at `before`; None for all."""
    distance = F.reshape(F.arange(queries), (-1, 1)) + before - F.arange(keys)
    seen = None
    if is_causal:
        seen = _both(seen, distance >= 0)
    if left >= 0:
        seen = _both(seen, distance <= left)
    if right >= 0:
        seen = _both(seen, distance >= -right)
    if filled is not None:
        seen = _both(seen, F.broadcast_to(F.arange(keys) < filled, (filled.shape[0], 1, queries, keys)))
    return seen


def _shares(scores, bias):
    """Softmax along the last axis; rows of which nothing takes part are 0."""
    if bias is None:
        return F.softmax(scores, -1)
    most = ops.stop_gradient(F.reduce_max(scores, (-1,), True))
    powers = F.exp(scores - F.select(most == _LOWEST, F.zeros_like(most), most))
    total = F.reduce_sum(powers, (-1,), True)
    shares = powers / F.select(total == 0, F.ones_like(total), total)
    empty = F.reduce_max(bias, (-1,), True) == _LOWEST
    return F.select(F.broadcast_to(empty, shares.shape), F.zeros_like(shares), shares)


def _bias(mask, seen, kind):
    """What masks add to scores: their numbers, and -infinity where a key takes no part; None for nothing."""
    if mask is not None and mask.dtype == mstype.bool_:
        seen, mask = _both(seen, mask), None
    if seen is None:
        return None if mask is None else F.cast(mask, kind)
    added = F.zeros_like(F.cast(seen, kind)) if mask is None else F.cast(mask, kind) + F.zeros_like(F.cast(seen, kind))
    return F.select(F.broadcast_to(seen, added.shape), added, F.zeros_like(added) + _LOWEST)


@operator("Attention")
def attention(query, key, value, attn_mask=None, past_key=None, past_value=None, nonpad_kv_seqlen=None, is_causal=0, kv_num_heads=None,
              left_window_size=-1, q_num_heads=None, qk_matmul_output_mode=0, right_window_size=-1, scale=None, softcap=0.0,
              softmax_precision=None, outputs=1):
    """softmax(q k^T * scale + masks) v of heads, of which several may share keys; also the keys and values so far, and the scores."""
    query, key, value = tensor(query), tensor(key), tensor(value)
    flat = query.ndim == 3
    query, key, value = _in_heads(query, q_num_heads), _in_heads(key, kv_num_heads), _in_heads(value, kv_num_heads)
    before = 0
    if past_key is not None:
        before = past_key.shape[2]
        key, value = F.concat((tensor(past_key), key), 2), F.concat((tensor(past_value), value), 2)
    heads, queries, keys = query.shape[1], query.shape[2], key.shape[2]
    filled = None
    if nonpad_kv_seqlen is not None:
        filled = F.reshape(F.cast(tensor(nonpad_kv_seqlen), mstype.int32), (-1, 1, 1, 1))
        before = filled - queries
    seen = _allowed(queries, keys, before, filled, is_causal, left_window_size, right_window_size)
    bias = _bias(None if attn_mask is None else _widened(tensor(attn_mask), keys), seen, query.dtype)
    root = math.sqrt(1.0 / math.sqrt(query.shape[3]) if scale is None else scale)
    scores = F.matmul(query * root, _for_each_query(key, heads) * root, transpose_b=True)
    shown = scores
    if softcap > 0.0:
        scores = F.tanh(scores / softcap) * softcap
    shown = scores if qk_matmul_output_mode == 1 else shown
    biased = scores if bias is None else scores + bias
    shown = biased if qk_matmul_output_mode == 2 else shown
    precise = biased.dtype if softmax_precision is None else type_of(softmax_precision)
    shares = F.cast(_shares(F.cast(biased, precise), bias), query.dtype)
    shown = shares if qk_matmul_output_mode == 3 else shown
    made = F.matmul(shares, _for_each_query(value, heads))
    if flat:
        made = F.reshape(F.transpose(made, (0, 2, 1, 3)), (made.shape[0], queries, -1))
    return made if outputs == 1 else (made, key, value, shown)[:outputs]


@operator("RotaryEmbedding")
def rotary_embedding(x, cosines, sines, positions=None, interleaved=0, num_heads=0, rotary_embedding_dim=0):
    """Pairs of numbers rotated by an angle of their position (Su et al. 2021): halves of a head, or neighbours where `interleaved`."""
    x, shape, flat = tensor(x), x.shape, x.ndim == 3
    rows = F.reshape(x, (shape[0], shape[1], num_heads, -1)) if flat else F.transpose(x, (0, 2, 1, 3))
    size = rows.shape[3] if rotary_embedding_dim == 0 else rotary_embedding_dim
    cosines, sines = tensor(cosines), tensor(sines)
    if positions is not None:
        cosines, sines = F.gather(cosines, tensor(positions), 0), F.gather(sines, tensor(positions), 0)
    cosines, sines = F.expand_dims(cosines, 2), F.expand_dims(sines, 2)
    own = F.part(rows, 3, 0, size)
    if interleaved:
        one, other = own[..., 0::2], own[..., 1::2]
    else:
        one, other = F.part(own, 3, 0, size // 2), F.part(own, 3, size // 2, size)
    first, second = cosines * one - sines * other, sines * one + cosines * other
    if interleaved:
        own = F.reshape(F.stack((first, second), 4), own.shape)
    else:
        own = F.concat((first, second), 3)
    made = own if size == rows.shape[3] else F.concat((own, F.part(rows, 3, size, rows.shape[3])), 3)
    return F.reshape(made, shape) if flat else F.transpose(made, (0, 2, 1, 3))


@operator("TensorScatter")
def tensor_scatter(cache, update, places=None, axis=-2, mode="linear"):
    """A cache with rows written from a place of each sample on; "circular" goes on at the beginning behind the end."""
    one_of(mode, ("linear", "circular"), "TensorScatter with mode")
    cache, update = tensor(cache), tensor(update)
    axis = positive(axis, cache.ndim)
    count, length = cache.shape[axis], update.shape[axis]
    first = F.zeros((cache.shape[0],), mstype.int32) if places is None else F.cast(tensor(places), mstype.int32)
    rows = F.reshape(first, (-1, 1)) + F.arange(length)
    rows = F.floor_mod(rows, count) if mode == "circular" else rows
    rows = F.reshape(rows, (cache.shape[0],) + (1,) * (axis - 1) + (length,) + (1,) * (cache.ndim - axis - 1))
    found = F.flat_places(F.broadcast_to(rows, update.shape), cache.shape, axis)
    changed = F.scatter(F.reshape(cache, (-1,)), F.reshape(found, (-1,)), F.reshape(update, (-1,)), "update")
    return F.reshape(changed, cache.shape)
