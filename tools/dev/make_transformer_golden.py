#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what MindSpore's blocks of language models give for weights drawn by name: test/data/transformer/golden.npz.

Needs MindSpore 2.0.0 (`tools/dev/install_peers FOLDER mindspore`), which nothing else here does. Test and tool share `results`.
"""

import os
import zlib

import numpy as np

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../test/data/transformer/golden.npz")
RATES = {"attention_dropout_rate": 0.0, "hidden_dropout_rate": 0.0}
LAYER = {"batch_size": 2, "hidden_size": 8, "ffn_hidden_size": 12, "num_heads": 2, **RATES}


def drawn(text, *shape):
    """Normal numbers that a text decides."""
    return np.random.RandomState(zlib.crc32(text.encode())).normal(scale=0.5, size=shape).astype(np.float32)


def leaves(value):
    """The arrays of nested results."""
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value.asnumpy()]


def results(space, tensor, kinds):
    """Results by name: of the module `space`, with a class of tensors and the element types (float16, float32)."""
    x, memory = tensor(drawn("x", 2, 6, 8)), tensor(drawn("memory", 2, 5, 8))
    mask, crossed = tensor(np.tril(np.ones((2, 6, 6), np.float32))), tensor(np.ones((2, 6, 5), np.float32))
    half, single = kinds
    attention = {"batch_size": 2, "src_seq_length": 6, "tgt_seq_length": 6, "hidden_size": 8, "num_heads": 2, **RATES}
    decoder = {**LAYER, "src_seq_length": 5, "tgt_seq_length": 6}
    cases = {
        "attention": (space.MultiHeadAttention(compute_dtype=single, **attention), (x, x, x, mask)),
        "attention16": (space.MultiHeadAttention(compute_dtype=half, **attention), (x, x, x, mask)),
        "crossed": (space.MultiHeadAttention(compute_dtype=single, **{**attention, "tgt_seq_length": 5}), (x, memory, memory, crossed)),
        "feed": (space.FeedForward(8, 12, 0.0), (x,)), "feed_relu": (space.FeedForward(8, 12, 0.0, "relu"), (x,)),
        "mask": (space.AttentionMask(6), (tensor(np.array([[1, 1, 1, 1, 0, 0], [1, 0, 1, 1, 1, 1]], np.float32)),)),
        "vocabulary": (space.VocabEmbedding(10, 8), (tensor(np.array([[1, 2], [9, 0]], np.int32)),)),
        "encoder_layer": (space.TransformerEncoderLayer(seq_length=6, **LAYER), (x, mask)),
        "encoder_layer_post": (space.TransformerEncoderLayer(seq_length=6, post_layernorm_residual=True, **LAYER), (x, mask)),
        "decoder_layer": (space.TransformerDecoderLayer(**decoder), (x, mask, memory, crossed)),
        "decoder_layer_post": (space.TransformerDecoderLayer(post_layernorm_residual=True, **decoder), (x, mask, memory, crossed)),
        "encoder": (space.TransformerEncoder(num_layers=2, seq_length=6, **LAYER), (x, mask)),
        "decoder": (space.TransformerDecoder(num_layers=2, **decoder), (x, mask, memory, crossed)),
        "loss": (space.CrossEntropyLoss(), (tensor(drawn("logits", 4, 5)), tensor(np.array([1, 2, 3, 0], np.int32)),
                                            tensor(np.array([1, 1, 0, 1], np.float32)))),
    }
    found = {}
    for name, (net, inputs) in cases.items():
        for parameter in net.get_parameters():
            own = ".".join(parameter.name.split(".")[-3:]).replace("blocks.", "")
            parameter.set_data(tensor(drawn(own, *parameter.shape)))
        for at, value in enumerate(leaves(net(*inputs))):
            found[f"{name}.{at}"] = value
    return found


def main():
    """Writes the file."""
    import mindspore
    from mindspore.parallel import _transformer
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    np.savez_compressed(OUT, **results(_transformer, mindspore.Tensor, (mindspore.float16, mindspore.float32)))


if __name__ == "__main__":
    main()
