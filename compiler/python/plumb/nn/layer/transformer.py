"""Attention of several heads, and the layers and stacks of the Transformer (Vaswani et al. 2017)."""

import copy
import math

from plumb.common import dtype as mstype
from plumb.common.initializer import HeUniform, Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell
from plumb.nn.layer.activation import GELU, get_activation
from plumb.nn.layer.basic import Dense, Dropout
from plumb.nn.layer.container import CellList
from plumb.nn.layer.normalization import LayerNorm
from plumb.ops import _functions as F


class MultiheadAttention(Cell):
    """softmax(q @ k.T / sqrt(depth) + mask) @ v in several heads, between products of queries, keys, values and results.

    Args:
      embed_dim: extent of queries and results; `num_heads` divides it.
      dropout: in training, the share of the attention weights that is zeroed.
      has_bias: whether the products have biases.
      kdim, vdim: extents of keys and values, `embed_dim` by default.
      batch_first: whether inputs are (N, L, E) instead of (L, N, E).

    Called with query, key and value; `key_padding_mask` (N, S), true where a key counts nothing; `need_weights`;
    `attn_mask` (L, S) or (N * num_heads, L, S), boolean (true: not attended) or added to the scores; and
    `average_attn_weights`. The result is (outputs, weights), the weights None unless they are needed.
    """

    def __init__(self, embed_dim, num_heads, dropout=0.0, has_bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False):
        super().__init__()
        if add_bias_kv or add_zero_attn:
            raise ValueError("For 'MultiheadAttention', only add_bias_kv=False and add_zero_attn=False are offered.")
        if embed_dim % num_heads:
            raise ValueError(f"For 'MultiheadAttention', 'num_heads' {num_heads} must divide 'embed_dim' {embed_dim}.")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.has_bias, self.batch_first, self.dropout = bool(has_bias), bool(batch_first), float(dropout)
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.add_zero_attn, self.bias_k, self.bias_v = False, None, None
        self.is_same = self.kdim == embed_dim and self.vdim == embed_dim
        if self.is_same:
            self.in_proj_weight = Parameter(initializer("xavier_uniform", (3 * embed_dim, embed_dim)))
        else:
            self.q_proj_weight = Parameter(initializer("xavier_uniform", (embed_dim, embed_dim)))
            self.k_proj_weight = Parameter(initializer("xavier_uniform", (embed_dim, self.kdim)))
            self.v_proj_weight = Parameter(initializer("xavier_uniform", (embed_dim, self.vdim)))
        if has_bias:
            self.in_proj_bias = Parameter(initializer("zeros", (3 * embed_dim,)))
        self.out_proj = linear(embed_dim, embed_dim, has_bias)
        self.dropout_op = Dropout(p=self.dropout)

    def construct(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                  average_attn_weights=True):
        """Compiled body."""
        if query.ndim != 3 or key.ndim != 3 or value.ndim != 3:
            raise ValueError(f"attention takes inputs of three axes, but got {query.shape}, {key.shape} and {value.shape}")
        if self.batch_first:
            query, key, value = (F.transpose(each, (1, 0, 2)) for each in (query, key, value))
        length, rows, keys = query.shape[0], query.shape[1], key.shape[0]
        q, k, v = self.heads(query, 0), self.heads(key, 1), self.heads(value, 2)
        scores = F.matmul(q * (1.0 / math.sqrt(self.head_dim)), k, transpose_b=True)
        if attn_mask is not None:
            scores = scores + self.added(attn_mask, scores.dtype)
        if key_padding_mask is not None:
            by_row = F.reshape(self.added(key_padding_mask, scores.dtype), (rows, 1, 1, keys))
            scores = F.reshape(F.reshape(scores, (rows, self.num_heads, length, keys)) + by_row, scores.shape)
        weights = self.dropout_op(F.softmax(scores, -1))
        outputs = F.reshape(F.transpose(F.matmul(weights, v), (1, 0, 2)), (length, rows, self.embed_dim))
        outputs = self.out_proj(outputs)
        if self.batch_first:
            outputs = F.transpose(outputs, (1, 0, 2))
        if not need_weights:
            return outputs, None
        weights = F.reshape(weights, (rows, self.num_heads, length, keys))
        return outputs, F.reduce_mean(weights, (1,)) if average_attn_weights else weights

    def heads(self, x, which):
        """Queries (0), keys (1) or values (2) of all heads: (N * heads, L, depth)."""
        length, rows, begin = x.shape[0], x.shape[1], which * self.embed_dim
        if self.is_same:
            weight = F.strided_slice(self.in_proj_weight, (begin, 0), (begin + self.embed_dim, self.embed_dim), (1, 1))
        else:
            weight = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[which]
        x = F.matmul(F.reshape(x, (length * rows, x.shape[2])), weight, transpose_b=True)
        if self.has_bias:
            x = x + F.strided_slice(self.in_proj_bias, (begin,), (begin + self.embed_dim,), (1,))
        return F.transpose(F.reshape(x, (length, rows * self.num_heads, self.head_dim)), (1, 0, 2))

    def added(self, mask, dtype):
        """A mask as what is added to scores: -inf where a boolean one is true."""
        if mask.dtype == mstype.bool_:
            return F.select(mask, F.fill(dtype, mask.shape, float("-inf")), F.fill(dtype, mask.shape, 0.0))
        return F.cast(mask, dtype)


def linear(in_channels, out_channels, has_bias=True):
    """A Dense with He's even first weights, and even first biases up to in_channels^-1/2."""
    return Dense(in_channels, out_channels, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(in_channels)), has_bias)


class _Layer(Cell):
    """What both layers share: the feed-forward part, and the order of normalisation.

    Args:
      d_model, nhead: extent of the inputs, number of heads.
      dim_feedforward: extent between the two products.
      dropout: in training, the share that is zeroed after attention and in and after the feed-forward part.
      activation: between the two products: a name, a cell or a function; "gelu" is by the error function.
      batch_first: whether inputs are (N, L, E) instead of (L, N, E).
      norm_first: whether normalisation comes before attention and feed-forward instead of after.
    """

    norms = 2

    def take(self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first):
        """Makes the parts."""
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first)
        if self.norms == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first)
        self.linear1, self.linear2 = linear(d_model, dim_feedforward), linear(dim_feedforward, d_model)
        self.dropout = Dropout(p=dropout)
        self.norm_first = bool(norm_first)
        for number in range(1, self.norms + 1):
            setattr(self, f"norm{number}", LayerNorm((d_model,), epsilon=layer_norm_eps))
            setattr(self, f"dropout{number}", Dropout(p=dropout))
        self.activation = GELU(False) if activation == "gelu" else get_activation(activation)

    def attended(self, x, mask, padding):
        """Attention of x to itself."""
        attended, _ = self.self_attn(x, x, x, padding, False, mask)
        return self.dropout1(attended)

    def fed(self, x):
        """The feed-forward part, without its last dropout."""
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Attention of the source to itself and a feed-forward part, each added to its input and normalised."""

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False):
        super().__init__()
        self.take(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        """Compiled body."""
        if self.norm_first:
            src = src + self.attended(self.norm1(src), src_mask, src_key_padding_mask)
            return src + self.dropout2(self.fed(self.norm2(src)))
        src = self.norm1(src + self.attended(src, src_mask, src_key_padding_mask))
        return self.norm2(src + self.dropout2(self.fed(src)))


class TransformerDecoderLayer(_Layer):
    """Attention of the target to itself, then to the encoder's results, and a feed-forward part."""

    norms = 3

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation="relu", layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False):
        super().__init__()
        self.take(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)

    def crossed(self, x, memory, mask, padding):
        """Attention of x to the encoder's results."""
        attended, _ = self.multihead_attn(x, memory, memory, padding, False, mask)
        return self.dropout2(attended)

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                  memory_key_padding_mask=None):
        """Compiled body."""
        if self.norm_first:
            tgt = tgt + self.attended(self.norm1(tgt), tgt_mask, tgt_key_padding_mask)
            tgt = tgt + self.crossed(self.norm2(tgt), memory, memory_mask, memory_key_padding_mask)
            return tgt + self.dropout3(self.fed(self.norm3(tgt)))
        tgt = self.norm1(tgt + self.attended(tgt, tgt_mask, tgt_key_padding_mask))
        tgt = self.norm2(tgt + self.crossed(tgt, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(tgt + self.dropout3(self.fed(tgt)))


class TransformerEncoder(Cell):
    """Copies of an encoder layer, one on the other, and a last normalisation if there is one."""

    def __init__(self, encoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers, self.num_layers = copies(encoder_layer, num_layers), num_layers
        self.norm, self.has_norm = norm, norm is not None

    def construct(self, src, src_mask=None, src_key_padding_mask=None):
        """Compiled body."""
        for layer in self.layers:
            src = layer(src, src_mask, src_key_padding_mask)
        return self.norm(src) if self.has_norm else src


class TransformerDecoder(Cell):
    """Copies of a decoder layer, one on the other, and a last normalisation if there is one."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers, self.num_layers = copies(decoder_layer, num_layers), num_layers
        self.norm, self.has_norm = norm, norm is not None

    def construct(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                  memory_key_padding_mask=None):
        """Compiled body."""
        for layer in self.layers:
            tgt = layer(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.norm(tgt) if self.has_norm else tgt


class Transformer(Cell):
    """An encoder and a decoder: called with source, target and their masks, gives the decoder's results."""

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1,
                 activation="relu", custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5, batch_first=False,
                 norm_first=False):
        super().__init__()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, bool(batch_first)
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)
        self.encoder = custom_encoder or TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers,
                                                            LayerNorm((d_model,), epsilon=layer_norm_eps))
        self.decoder = custom_decoder or TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers,
                                                            LayerNorm((d_model,), epsilon=layer_norm_eps))

    def construct(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                  tgt_key_padding_mask=None, memory_key_padding_mask=None):
        """Compiled body."""
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)


def copies(layer, count):
    """A list of copies, whose Parameters are their own and begin with the same values."""
    return CellList([copy.deepcopy(layer) for _ in range(count)])


for _kind in (TransformerEncoderLayer, TransformerDecoderLayer):
    _kind.__doc__ += _Layer.__doc__.partition("\n")[2]
