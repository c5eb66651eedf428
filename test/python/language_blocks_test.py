"""Blocks of language models: numbers that MindSpore 2.0.0 gives (test/data/transformer/golden.npz), and a model that learns."""

import importlib
import importlib.util
import os
import unittest

import numpy as np

import plumb
from plumb import Tensor, nn, ops
from plumb.nn import transformer

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../..")
GOLDEN = os.path.join(ROOT, "test/data/transformer/golden.npz")


def made_by_tool():
    """`results` of the tool that wrote the file, with our blocks."""
    spec = importlib.util.spec_from_file_location("tool", os.path.join(ROOT, "tools/dev/make_transformer_golden.py"))
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool.results(transformer, Tensor, (plumb.float16, plumb.float32))


class GoldenTest(unittest.TestCase):
    """Every block beside MindSpore's, for the same weights."""

    def test_golden(self):
        found = made_by_tool()
        with np.load(GOLDEN) as expected:
            self.assertEqual(sorted(found), sorted(expected.files))
            self.assertGreater(len(found), 40)
            for name in expected.files:
                with self.subTest(name=name):
                    wanted = expected[name]
                    self.assertEqual((found[name].shape, found[name].dtype), (wanted.shape, wanted.dtype))
                    exact = name.split(".")[0] in ("attention", "crossed", "mask", "vocabulary", "loss")
                    np.testing.assert_allclose(found[name].astype(float), wanted.astype(float), atol=1e-5 if exact else 5e-3, rtol=1e-5 if exact else 2e-3)


class RowsTest(unittest.TestCase):
    """Tokens of all rows on one axis, as MindSpore's own layers hand them on."""

    def test_attention(self):
        rng = np.random.default_rng(2)
        block = transformer.MultiHeadAttention(2, 4, 6, 8, 2, 0.0, 0.0)
        query, key, mask = (Tensor(rng.standard_normal(shape).astype(np.float32)) for shape in ((2, 4, 8), (2, 6, 8), (2, 4, 6)))
        whole, (keys, values) = block(query, key, key, mask > 0)
        output, (one, other) = block(query.reshape(8, 8), key.reshape(12, 8), key.reshape(12, 8), mask > 0)
        self.assertEqual(output.shape, (8, 8))
        for found, expected in ((output.reshape(2, 4, 8), whole), (one, keys), (other, values)):
            np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())
        with self.assertRaisesRegex(ValueError, "rows of 6 tokens"):
            block(*[query.reshape(8, 8)] * 3, None)


class Model(nn.Cell):
    """The next token of a sequence, by an encoder that sees what stands before."""

    def __init__(self, length, recompute=False):
        super().__init__()
        config = transformer.TransformerOpParallelConfig(recompute=recompute)
        self.embedding = transformer.VocabEmbedding(7, 16, config.embedding_dp_mp_config)
        self.places = plumb.Parameter(0.1 * np.random.default_rng(1).standard_normal((length, 16)).astype(np.float32), name="places")
        self.encoder = transformer.TransformerEncoder(batch_size=4, num_layers=2, hidden_size=16, ffn_hidden_size=32, seq_length=length,
                                                      num_heads=2, hidden_dropout_rate=0.0, attention_dropout_rate=0.0, parallel_config=config)
        self.mask, self.loss = transformer.AttentionMask(length), transformer.CrossEntropyLoss()

    def construct(self, tokens, following):
        """The loss."""
        hidden, table = self.embedding(tokens)
        mask = self.mask(ops.ones(tokens.shape, plumb.float32))
        hidden, _ = self.encoder(hidden + self.places, mask)
        logits = ops.matmul(ops.reshape(hidden, (-1, 16)), table, transpose_b=True)
        return self.loss(logits, ops.reshape(following, (-1,)), ops.ones((following.size,), plumb.float32))


class ModelTest(unittest.TestCase):
    """A small model of counting sequences."""

    def losses(self, recompute):
        """The losses of some steps."""
        plumb.set_seed(3)
        net = Model(6, recompute)
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 0.01))
        rows = (np.arange(7)[None] * np.array([[1], [2], [3], [5]]) + np.arange(4)[:, None]) % 7
        tokens, following = Tensor(rows[:, :-1].astype(np.int32)), Tensor(rows[:, 1:].astype(np.int32))
        return [float(step(tokens, following).asnumpy()[0]) for _ in range(60)]

    def test_learns(self):
        losses = self.losses(False)
        self.assertLess(losses[-1], 0.3 * losses[0])
        np.testing.assert_allclose(self.losses(True)[:3], losses[:3], rtol=1e-3)


class NamesTest(unittest.TestCase):
    """Where programs find the blocks, and what is refused."""

    def test_modules(self):
        for name in ("plumb.parallel._transformer", "plumb.parallel._transformer.transformer"):
            self.assertIs(importlib.import_module(name).TransformerEncoderLayer, transformer.TransformerEncoderLayer)
        layers = importlib.import_module("plumb.parallel._transformer.layers")
        self.assertEqual(layers._LayerNorm((4,))(Tensor(np.ones((2, 4), np.float32))).shape, (2, 4))
        self.assertIs(nn.transformer, transformer)

    def test_layers_are_set_up_by_a_function(self):
        seen = []

        def place(block, layer_id, layers, offset, parallel_config):
            seen.append((layer_id, layers, offset, parallel_config))
            block.pipeline_stage = layer_id // 2

        encoder = transformer.TransformerEncoder(2, 3, 8, 16, 6, 2, lambda_func=place, offset=4)
        self.assertEqual(seen, [(number, 3, 4, None) for number in range(3)])
        self.assertEqual([block.pipeline_stage for block in encoder.blocks], [0, 0, 1])
        transformer.TransformerDecoder(2, 2, 8, 16, 6, 6, 2, lambda_func=place)
        self.assertEqual(len(seen), 5)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "model_parallel=2 needs 2 devices"):
            transformer.TransformerOpParallelConfig(model_parallel=2)
        with self.assertRaisesRegex(ValueError, "expert_num"):
            transformer.MoEConfig(expert_num=4)
        with self.assertRaisesRegex(ValueError, "use_past"):
            transformer.TransformerEncoderLayer(2, 8, 16, 2, 6, use_past=True)
        with self.assertRaisesRegex(ValueError, "multiple"):
            transformer.MultiHeadAttention(2, 6, 6, 9, 2)


if __name__ == "__main__":
    unittest.main()
