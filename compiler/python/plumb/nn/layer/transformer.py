"""Attention of several heads, and the layers and stacks of the Transformer (Vaswani et al. 2017)."""

import copy
import math

from plumb.common._docs import described_by
from plumb.common.initializer import HeUniform, Uniform, XavierNormal, initializer
from plumb.common.parameter import Parameter
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.nn.layer.activation import GELU, get_activation
from plumb.nn.layer.basic import Dense, Dropout
from plumb.nn.layer.container import CellList
from plumb.nn.layer.normalization import LayerNorm
from plumb.ops import _functions as F
from plumb.ops.function import attention as A


@typed
class MultiheadAttention(Cell):
    """softmax(q @ k.T / sqrt(depth) + mask) @ v in several heads, between products of queries, keys, values and results.

    Args:
      embed_dim: extent of queries and results; `num_heads` divides it.
      dropout: in training, the share of the attention weights that is zeroed.
      has_bias: whether the products have biases.
      add_bias_kv: whether there are one more key and value for every row, Parameters `bias_k` and `bias_v`.
      add_zero_attn: whether one more key and value are zeros.
      kdim, vdim: extents of keys and values, `embed_dim` by default.
      batch_first: whether inputs are (N, L, E) instead of (L, N, E).

    Called with query, key and value; `key_padding_mask` (N, S), true where a key counts nothing; `need_weights`;
    `attn_mask` (L, S) or (N * num_heads, L, S), boolean (true: not attended) or added to the scores; and
    `average_attn_weights`. The result is (outputs, weights), the weights None unless they are needed.
    """

    def __init__(self, embed_dim, num_heads, dropout=0.0, has_bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"For 'MultiheadAttention', 'num_heads' {num_heads} must divide 'embed_dim' {embed_dim}.")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.has_bias, self.batch_first, self.dropout = bool(has_bias), bool(batch_first), float(dropout)
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.add_zero_attn, self.in_proj_bias, self.bias_k, self.bias_v = bool(add_zero_attn), None, None, None
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
        if add_bias_kv:
            self.bias_k = Parameter(initializer(XavierNormal(), (1, 1, embed_dim)))
            self.bias_v = Parameter(initializer(XavierNormal(), (1, 1, embed_dim)))
        self.dropout_op = Dropout(p=self.dropout)

    def construct(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                  average_attn_weights=True):
        """Compiled body."""
        single = query.ndim == 2
        if single:
            query, key, value = (F.expand_dims(each, 1) for each in (query, key, value))
            key_padding_mask = None if key_padding_mask is None else F.expand_dims(key_padding_mask, 0)
        if query.ndim != 3 or key.ndim != 3 or value.ndim != 3:
            raise ValueError(f"attention takes inputs of two or three axes, but got {query.shape}, {key.shape} and {value.shape}")
        is_transposed = self.batch_first and not single
        if is_transposed:
            query, key, value = (F.transpose(each, (1, 0, 2)) for each in (query, key, value))
        q, k, v = self.heads(query, key, value)
        weights = self.dropout_op(A.attention_weights(q, k, self.num_heads, attn_mask, key_padding_mask))
        outputs = self.out_proj(A.join_heads(F.matmul(weights, v), self.num_heads))
        if is_transposed:
            outputs = F.transpose(outputs, (1, 0, 2))
        shown = A.shown_weights(weights, self.num_heads, average_attn_weights) if need_weights else None
        if single:
            outputs, shown = F.squeeze(outputs, (1,)), F.squeeze(shown, (0,)) if need_weights else None
        return outputs, shown

    def heads(self, query, key, value):
        """Queries, keys and values of all heads: (N * heads, L, depth)."""
        weights = A.thirds(self.in_proj_weight) if self.is_same else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = A.thirds(self.in_proj_bias)
        q = A.linear_of(query, weights[0], biases[0])
        k = A.with_key(A.linear_of(key, weights[1], biases[1]), self.bias_k)
        v = A.with_key(A.linear_of(value, weights[2], biases[2]), self.bias_v)
        q, k, v = A.split_heads(q, self.num_heads), A.split_heads(k, self.num_heads), A.split_heads(v, self.num_heads)
        return (q, A.with_zero(k), A.with_zero(v)) if self.add_zero_attn else (q, k, v)


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
      layer_norm_eps: added to the variance in normalisations.
      norm_first: whether normalisation comes before attention and feed-forward instead of after.

    Called with the source (N, L, E) or (L, N, E), in a decoder the target and the encoder's results, and their masks, as
    MultiheadAttention takes them. The result is like the first input.
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


@typed
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


@typed
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
    """Copies of an encoder layer, one on the other, and a last normalisation if there is one.

    Args:
      encoder_layer: a TransformerEncoderLayer, of which each copy begins with the same values.
      num_layers: how many copies.
      norm: a cell that the last copy's results go through, or None.

    Called with the source and its masks, as the layer.
    """

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
    """Copies of a decoder layer, one on the other, and a last normalisation if there is one.

    Args:
      decoder_layer: a TransformerDecoderLayer, of which each copy begins with the same values.
      num_layers: how many copies.
      norm: a cell that the last copy's results go through, or None.

    Called with the target, the encoder's results and their masks, as the layer.
    """

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


@typed
class Transformer(Cell):
    """An encoder and a decoder: called with source, target and their masks, gives the decoder's results.

    Args:
      num_encoder_layers, num_decoder_layers: how many layers each has.
      custom_encoder, custom_decoder: cells in place of TransformerEncoder and TransformerDecoder.
      others: as of TransformerEncoderLayer.
    """

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


described_by(_Layer, TransformerEncoderLayer, TransformerDecoderLayer)
