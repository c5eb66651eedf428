"""Blocks of large language models, as `mindspore.nn.transformer` of 1.x and `mindspore.parallel._transformer` of 2.0 have them.

Matrices are multiplied in float16 unless a layer is told otherwise; norms and softmax are computed in float32. Settings of
several devices and of their pipelines are taken and change nothing on one device. Incremental inference (`use_past`) and
mixtures of experts are not offered.
"""

import math

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered, only_defaults
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell
from plumb.nn.layer.activation import get_activation
from plumb.nn.layer.basic import Dropout
from plumb.nn.layer.container import CellList
from plumb.nn.layer.normalization import LayerNorm

_MASKED = -10000.0  # what is added to scores that a mask hides


class _Settings:
    """Base of settings that several devices need: values by name, which one device keeps and leaves alone."""

    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)


class OpParallelConfig(_Settings):
    """Into how many parts data and matrices are divided among devices: 1 and 1 here."""

    def __init__(self, data_parallel=1, model_parallel=1):
        _one_device("OpParallelConfig", data_parallel=data_parallel, model_parallel=model_parallel)
        super().__init__(data_parallel=data_parallel, model_parallel=model_parallel)


class EmbeddingOpParallelConfig(_Settings):
    """OpParallelConfig of an embedding."""

    def __init__(self, data_parallel=1, model_parallel=1, vocab_emb_dp=True):
        _one_device("EmbeddingOpParallelConfig", data_parallel=data_parallel, model_parallel=model_parallel)
        super().__init__(data_parallel=data_parallel, model_parallel=model_parallel, vocab_emb_dp=vocab_emb_dp)


class TransformerRecomputeConfig(_Settings):
    """Whether layers are computed again for their gradients: `recompute`; the other settings are of several devices."""

    def __init__(self, recompute=False, parallel_optimizer_comm_recompute=False, mp_comm_recompute=True, recompute_slice_activation=False):
        super().__init__(recompute=recompute, parallel_optimizer_comm_recompute=parallel_optimizer_comm_recompute,
                         mp_comm_recompute=mp_comm_recompute, recompute_slice_activation=recompute_slice_activation)


class TransformerOpParallelConfig(_Settings):
    """How a stack of layers is divided among devices, and whether it is computed again for gradients."""

    def __init__(self, data_parallel=1, model_parallel=1, expert_parallel=1, pipeline_stage=1, micro_batch_num=1, recompute=None,
                 optimizer_shard=False, gradient_aggregation_group=4, vocab_emb_dp=True):
        _one_device("TransformerOpParallelConfig", data_parallel=data_parallel, model_parallel=model_parallel,
                    expert_parallel=expert_parallel, pipeline_stage=pipeline_stage)
        if isinstance(recompute, bool):
            recompute = TransformerRecomputeConfig(recompute)
        super().__init__(data_parallel=data_parallel, model_parallel=model_parallel, expert_parallel=expert_parallel,
                         pipeline_stage=pipeline_stage, micro_batch_num=micro_batch_num,
                         recompute=recompute or TransformerRecomputeConfig(), optimizer_shard=optimizer_shard,
                         gradient_aggregation_group=gradient_aggregation_group, vocab_emb_dp=vocab_emb_dp)
        self.dp_mp_config = OpParallelConfig()
        self.embedding_dp_mp_config = EmbeddingOpParallelConfig(vocab_emb_dp=vocab_emb_dp)


class MoEConfig(_Settings):
    """Settings of mixtures of experts; only one expert, which is none, is offered."""

    def __init__(self, expert_num=1, capacity_factor=1.1, aux_loss_factor=0.05, num_experts_chosen=1, expert_group_size=None,
                 group_wise_a2a=False, comp_comm_parallel=False, comp_comm_parallel_degree=2):
        only_defaults("MoEConfig", expert_num=(expert_num, 1))
        super().__init__(expert_num=expert_num, capacity_factor=capacity_factor, aux_loss_factor=aux_loss_factor,
                         num_experts_chosen=num_experts_chosen, expert_group_size=expert_group_size, group_wise_a2a=group_wise_a2a,
                         comp_comm_parallel=comp_comm_parallel, comp_comm_parallel_degree=comp_comm_parallel_degree)


def _one_device(who, **parts):
    for name, value in parts.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"For '{who}', {name} must be a positive int, but got {value!r}.")
        if value > 1:
            raise ValueError(f"For '{who}', {name}={value} needs {value} devices, and there is one: pass 1.")


class Linear(Cell):
    """x @ weight + bias in `compute_dtype`; the weight is of shape (in, out), or with `transpose_b` (out, in)."""

    def __init__(self, in_channels, out_channels, transpose_b=True, activation=None, compute_dtype=mstype.float16):
        super().__init__()
        shape = (out_channels, in_channels) if transpose_b else (in_channels, out_channels)
        self.weight = Parameter(initializer("normal", shape), name="weight")
        self.bias = Parameter(initializer("zeros", (out_channels,)), name="bias")
        self.transpose_b, self.compute_dtype = transpose_b, compute_dtype
        self.has_activation = activation is not None
        if activation is not None:
            self.activation = get_activation(activation) if isinstance(activation, str) else activation()

    def construct(self, x):
        """Compiled body."""
        product = ops.matmul(ops.cast(x, self.compute_dtype), ops.cast(self.weight, self.compute_dtype), transpose_b=self.transpose_b)
        result = product + ops.cast(self.bias, self.compute_dtype)
        if self.has_activation:
            result = self.activation(result)
        return ops.cast(result, x.dtype)


class AttentionMask(Cell):
    """Which tokens a token sees: itself and those before it, of those that `input_mask` (batch, seq_length) says are there.

    Returns float32 (batch, seq_length, seq_length) of 0 and 1.
    """

    def __init__(self, seq_length, parallel_config=None):
        super().__init__()
        self.seq_length = seq_length
        self.lower = ops.tril(ops.ones((seq_length, seq_length), mstype.float32))

    def construct(self, input_mask):
        """Compiled body."""
        there = ops.cast(ops.not_equal(input_mask, 0), mstype.float32)
        return ops.expand_dims(there, 2) * ops.expand_dims(there, 1) * self.lower


class VocabEmbedding(Cell):
    """Rows of a table by the numbers of tokens; gives them and the table, which the last layer may share."""

    def __init__(self, vocab_size, embedding_size, parallel_config=None, param_init="normal"):
        super().__init__()
        self.vocab_size, self.embedding_size = vocab_size, embedding_size
        self.embedding_table = Parameter(initializer(param_init, (vocab_size, embedding_size)), name="embedding_table")

    def construct(self, input_ids):
        """Compiled body."""
        return ops.gather(self.embedding_table, input_ids, 0), self.embedding_table.value()


class MultiHeadAttention(Cell):
    """Attention of `num_heads` heads; gives the output, in the type of the query, and (keys, values) as the heads have them.

    Args:
      batch_size: not needed here.
      src_seq_length, tgt_seq_length: how many tokens queries and keys have, which those of shape (batch * tokens, hidden) are divided by.
      hidden_size: the extent of tokens, a multiple of num_heads.
      hidden_dropout_rate, attention_dropout_rate: of the output, and of the shares of attention.
      compute_dtype, softmax_compute_type: in which products and softmax are computed.

    The mask is of shape (batch, query, key): 0 hides.
    """

    def __init__(self, batch_size, src_seq_length, tgt_seq_length, hidden_size, num_heads, hidden_dropout_rate=0.1,
                 attention_dropout_rate=0.1, compute_dtype=mstype.float16, softmax_compute_type=mstype.float32,
                 param_init_type=mstype.float32, use_past=False, parallel_config=None):
        super().__init__()
        only_defaults("MultiHeadAttention", param_init_type=(param_init_type, mstype.float32), use_past=(use_past, False))
        if hidden_size % num_heads:
            raise ValueError(f"For 'MultiHeadAttention', hidden_size must be a multiple of num_heads, but got {hidden_size} and {num_heads}.")
        self.heads, self.size, self.lengths = num_heads, hidden_size // num_heads, (src_seq_length, tgt_seq_length)
        self.projection = Linear(hidden_size, hidden_size, False, compute_dtype=compute_dtype)
        self.dense1 = Linear(hidden_size, hidden_size, compute_dtype=compute_dtype)
        self.dense2 = Linear(hidden_size, hidden_size, compute_dtype=compute_dtype)
        self.dense3 = Linear(hidden_size, hidden_size, compute_dtype=compute_dtype)
        self.dropout, self.prob_dropout = Dropout(p=hidden_dropout_rate), Dropout(p=attention_dropout_rate)
        self.compute_dtype, self.softmax_type = compute_dtype, softmax_compute_type
        self.root = math.sqrt(math.sqrt(self.size))  # both factors of a score are divided by it, so that float16 holds them

    def construct(self, query_tensor, key_tensor, value_tensor, attention_mask, key_past=None, value_past=None, batch_valid_length=None):
        """Compiled body."""
        kind = query_tensor.dtype
        query = self.parts(self.dense1(ops.cast(query_tensor, self.compute_dtype)), self.lengths[0])
        key = ops.swapaxes(self.parts(self.dense2(ops.cast(key_tensor, self.compute_dtype)), self.lengths[1]), 2, 3)
        value = self.parts(self.dense3(ops.cast(value_tensor, self.compute_dtype)), self.lengths[1])
        scores = ops.cast(ops.matmul(query / self.root, key / self.root), self.softmax_type)
        if attention_mask is not None:
            hidden = (1.0 - ops.cast(attention_mask, self.softmax_type)) * _MASKED
            scores = scores + ops.expand_dims(hidden, 1)
        shares = self.prob_dropout(ops.cast(ops.softmax(scores, -1), self.compute_dtype))
        merged = ops.transpose(ops.matmul(shares, value), (0, 2, 1, 3))
        merged = ops.reshape(merged, (merged.shape[0], merged.shape[1], self.heads * self.size))
        output = self.dropout(self.projection(merged))
        return ops.reshape(ops.cast(output, kind), query_tensor.shape), (key, value)

    def parts(self, x, length):
        """(batch, heads, tokens, size) of (batch, tokens, hidden), or of (batch * tokens, hidden) of so many tokens."""
        if x.ndim == 2 and x.shape[0] % length != 0:
            raise ValueError(f"For 'MultiHeadAttention', rows of {length} tokens are expected, but got {x.shape}")
        extents = (x.shape[0] // length, length) if x.ndim == 2 else x.shape[:2]
        return ops.transpose(ops.reshape(x, extents + (self.heads, self.size)), (0, 2, 1, 3))


class FeedForward(Cell):
    """Two linear layers, with an activation behind the first and dropout behind the second; computes and gives float16."""

    def __init__(self, hidden_size, ffn_hidden_size, dropout_rate, hidden_act="gelu", expert_num=1, expert_group_size=None,
                 param_init_type=mstype.float32, parallel_config=None):
        super().__init__()
        only_defaults("FeedForward", expert_num=(expert_num, 1), param_init_type=(param_init_type, mstype.float32))
        self.mapping = Linear(hidden_size, ffn_hidden_size, False, hidden_act)
        self.projection = Linear(ffn_hidden_size, hidden_size, False)
        self.dropout = Dropout(p=dropout_rate)

    def construct(self, x):
        """Compiled body."""
        return self.dropout(self.projection(self.mapping(ops.cast(x, mstype.float16))))


class _Layer(Cell):
    """What layers of encoders and decoders share."""

    def take(self, who, sizes, rates, post, types, hidden_act, use_past, moe_config):
        """Makes the parts; `sizes`: (batch, source, target, hidden, feed forward, heads)."""
        batch, source, target, hidden, inner, heads = sizes
        only_defaults(who, use_past=(use_past, False), param_init_type=(types[2], mstype.float32),
                      layernorm_compute_type=(types[0], mstype.float32))
        if moe_config is not None and moe_config.expert_num > 1:
            raise ValueError(f"For '{who}', mixtures of experts are not offered.")
        self.layernorm1, self.layernorm2 = LayerNorm((hidden,), epsilon=1e-5), LayerNorm((hidden,), epsilon=1e-5)
        self.attention = MultiHeadAttention(batch, source, target, hidden, heads, rates[1], rates[0], softmax_compute_type=types[1])
        self.output = FeedForward(hidden, inner, rates[1], hidden_act)
        self.post = post

    def attended(self, x, mask):
        """(x with what its tokens say to each other, keys and values)."""
        normed = halved(self.layernorm1(ops.cast(x, mstype.float32)))
        found, present = self.attention(normed, normed, normed, mask)
        return (normed if self.post else x) + ops.cast(found, normed.dtype if self.post else x.dtype), present

    def fed(self, x):
        """x with what the feed-forward layers make of each token."""
        normed = halved(self.layernorm2(ops.cast(x, mstype.float32)))
        found = self.output(normed)
        return normed + found if self.post else x + ops.cast(found, x.dtype)


def halved(x):
    """x in float16, in which matrices are multiplied."""
    return ops.cast(x, mstype.float16)


class TransformerEncoderLayer(_Layer):
    """Attention and feed-forward layers; gives the tokens (batch, seq_length, hidden_size), and (keys, values).

    Args:
      post_layernorm_residual: whether norms stand behind the sums, or before attention and feed-forward layers.
      Others as of MultiHeadAttention and FeedForward.
    """

    def __init__(self, batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length, attention_dropout_rate=0.1,
                 hidden_dropout_rate=0.1, post_layernorm_residual=False, layernorm_compute_type=mstype.float32,
                 softmax_compute_type=mstype.float32, param_init_type=mstype.float32, hidden_act="gelu", use_past=False,
                 moe_config=None, parallel_config=None):
        super().__init__()
        self.take("TransformerEncoderLayer", (batch_size, seq_length, seq_length, hidden_size, ffn_hidden_size, num_heads),
                  (attention_dropout_rate, hidden_dropout_rate), post_layernorm_residual,
                  (layernorm_compute_type, softmax_compute_type, param_init_type), hidden_act, use_past, moe_config)

    def construct(self, x, input_mask=None, init_reset=True, batch_valid_length=None):
        """Compiled body."""
        if self.post:
            start = halved(x)
            found, present = self.attention(start, start, start, input_mask)
            return self.layernorm1(ops.cast(self.fed(start + found), mstype.float32)), present
        x, present = self.attended(x, input_mask)
        return self.fed(x), present


class TransformerDecoderLayer(_Layer):
    """An encoder's layer with attention to an encoder's output between; gives the tokens, and keys and values of both.

    With `post_layernorm_residual`, sums start from what is normed, not from what is given, and the result is float16.
    """

    def __init__(self, hidden_size, ffn_hidden_size, num_heads, batch_size, src_seq_length, tgt_seq_length, attention_dropout_rate=0.1,
                 hidden_dropout_rate=0.1, post_layernorm_residual=False, use_past=False, layernorm_compute_type=mstype.float32,
                 softmax_compute_type=mstype.float32, param_init_type=mstype.float32, hidden_act="gelu", moe_config=None,
                 parallel_config=None):
        super().__init__()
        self.take("TransformerDecoderLayer", (batch_size, tgt_seq_length, tgt_seq_length, hidden_size, ffn_hidden_size, num_heads),
                  (attention_dropout_rate, hidden_dropout_rate), post_layernorm_residual,
                  (layernorm_compute_type, softmax_compute_type, param_init_type), hidden_act, use_past, moe_config)
        self.cross_attention = MultiHeadAttention(batch_size, tgt_seq_length, src_seq_length, hidden_size, num_heads, hidden_dropout_rate,
                                                  attention_dropout_rate, softmax_compute_type=softmax_compute_type)
        self.cross_attention_layernorm = LayerNorm((hidden_size,), epsilon=1e-5)

    def construct(self, hidden_stats, decoder_mask, encoder_output=None, memory_mask=None, init_reset=True, batch_valid_length=None):
        """Compiled body."""
        x, present = self.attended(hidden_stats, decoder_mask)
        if encoder_output is not None:
            normed, memory = halved(self.cross_attention_layernorm(ops.cast(x, mstype.float32))), halved(encoder_output)
            found, more = self.cross_attention(normed, memory, memory, memory_mask)
            present = present + more
            x = normed + found if self.post else x + ops.cast(found, x.dtype)
        return self.fed(x), present


class TransformerEncoder(Cell):
    """`num_layers` layers of an encoder; gives the tokens, and (keys, values) of each layer."""

    def __init__(self, batch_size, num_layers, hidden_size, ffn_hidden_size, seq_length, num_heads, attention_dropout_rate=0.1,
                 hidden_dropout_rate=0.1, hidden_act="gelu", post_layernorm_residual=False, layernorm_compute_type=mstype.float32,
                 softmax_compute_type=mstype.float32, param_init_type=mstype.float32, lambda_func=None, offset=0, use_past=False,
                 moe_config=None, parallel_config=None):
        super().__init__()
        self.blocks = _stack(num_layers, parallel_config, lambda_func, offset, lambda: TransformerEncoderLayer(
            batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length, attention_dropout_rate, hidden_dropout_rate,
            post_layernorm_residual, layernorm_compute_type, softmax_compute_type, param_init_type, hidden_act, use_past, moe_config))

    def construct(self, hidden_states, attention_mask, init_reset=True, batch_valid_length=None):
        """Compiled body."""
        present = ()
        for block in self.blocks:
            hidden_states, more = block(hidden_states, attention_mask)
            present = present + (more,)
        return hidden_states, present


class TransformerDecoder(Cell):
    """`num_layers` layers of a decoder; gives the tokens, and keys and values of each layer."""

    def __init__(self, num_layers, batch_size, hidden_size, ffn_hidden_size, src_seq_length, tgt_seq_length, num_heads,
                 attention_dropout_rate=0.1, hidden_dropout_rate=0.1, post_layernorm_residual=False,
                 layernorm_compute_type=mstype.float32, softmax_compute_type=mstype.float32, param_init_type=mstype.float32,
                 hidden_act="gelu", lambda_func=None, use_past=False, offset=0, moe_config=None, parallel_config=None):
        super().__init__()
        self.blocks = _stack(num_layers, parallel_config, lambda_func, offset, lambda: TransformerDecoderLayer(
            hidden_size, ffn_hidden_size, num_heads, batch_size, src_seq_length, tgt_seq_length, attention_dropout_rate,
            hidden_dropout_rate, post_layernorm_residual, use_past, layernorm_compute_type, softmax_compute_type, param_init_type,
            hidden_act, moe_config))

    def construct(self, hidden_states, attention_mask, encoder_output=None, memory_mask=None, init_reset=True, batch_valid_length=None):
        """Compiled body."""
        present = ()
        for block in self.blocks:
            hidden_states, more = block(hidden_states, attention_mask, encoder_output, memory_mask)
            present = present + (more,)
        return hidden_states, present


def _stack(count, parallel_config, lambda_func, offset, make):
    """The blocks; `lambda_func`, if given, says of each on which devices it stands, or whatever else it sets."""
    blocks = CellList([make() for _ in range(count)])
    for number, block in enumerate(blocks if lambda_func is not None else ()):
        lambda_func(block, layer_id=number, layers=count, offset=offset, parallel_config=parallel_config)
    recompute = getattr(parallel_config, "recompute", None)
    if getattr(recompute, "recompute", recompute):
        for block in blocks:
            block.recompute()
    return blocks


class CrossEntropyLoss(Cell):
    """Cross entropy of logits (tokens, classes) and labels (tokens), averaged by `input_mask` (tokens); gives shape (1,)."""

    def __init__(self, parallel_config=None):
        super().__init__()

    def construct(self, logits, label, input_mask):
        """Compiled body."""
        chances = ops.log_softmax(ops.cast(logits, mstype.float32), -1)
        losses = -ops.squeeze(ops.gather_elements(chances, 1, ops.reshape(label, (-1, 1))), 1)
        weights = ops.reshape(ops.cast(input_mask, mstype.float32), (-1,))
        return ops.reshape(ops.reduce_sum(losses * weights) / (ops.reduce_sum(weights) + 1e-8), (1,))


__getattr__ = not_offered(__name__)
