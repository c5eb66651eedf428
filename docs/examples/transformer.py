"""A transformer encoder of two layers, trained by Adam: `tools/python docs/examples/transformer.py`.

Width 128, four heads, sequences of 64. The task is made up: a fixed rotation of the input, normalised.
"""

import argparse
import math
import time

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import HeUniform, Uniform

BATCH, LENGTH, WIDTH, HEADS = 16, 64, 128, 4
BATCHES = 64


def dense(in_channels, out_channels):
    """A dense layer whose first values are uniform between plus and minus one over the root of `in_channels`."""
    return nn.Dense(in_channels, out_channels, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(in_channels)))


class Attention(nn.Cell):
    """Self-attention with several heads over sequences of shape (batch, length, width)."""

    def __init__(self, width=WIDTH, heads=HEADS):
        super().__init__()
        self.heads, self.depth = heads, width // heads
        self.qkv = dense(width, 3 * width)
        self.out = dense(width, width)

    def construct(self, x):
        """The attended values."""
        batch, length, width = x.shape
        parts = ops.reshape(self.qkv(x), (batch, length, 3, self.heads, self.depth))
        parts = ops.transpose(parts, (2, 0, 3, 1, 4))
        query, key, value = parts[0], parts[1], parts[2]
        scores = ops.matmul(query, key, transpose_b=True) * self.depth ** -0.5
        attended = ops.matmul(ops.softmax(scores, -1), value)
        return self.out(ops.reshape(ops.transpose(attended, (0, 2, 1, 3)), (batch, length, width)))


class Layer(nn.Cell):
    """Attention and a perceptron, each after a normalisation and beside a shortcut."""

    def __init__(self, width=WIDTH, heads=HEADS):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,), epsilon=1e-5)
        self.attention = Attention(width, heads)
        self.norm2 = nn.LayerNorm((width,), epsilon=1e-5)
        self.up = dense(width, 4 * width)
        self.gelu = nn.GELU(approximate=False)
        self.down = dense(4 * width, width)

    def construct(self, x):
        """The layer's result."""
        x = x + self.attention(self.norm1(x))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


class Transformer(nn.Cell):
    """Two layers and a last normalisation."""

    def __init__(self, layers=2):
        super().__init__()
        self.layers = nn.SequentialCell([Layer() for _ in range(layers)])
        self.norm = nn.LayerNorm((WIDTH,), epsilon=1e-5)

    def construct(self, x):
        """The encoded sequences."""
        return self.norm(self.layers(x))


def sequences(batches=BATCHES, shuffle=True):
    """Random sequences and what is to be made of them, in batches."""
    rng = np.random.default_rng(5)
    inputs = rng.standard_normal((batches * BATCH, LENGTH, WIDTH)).astype(np.float32)
    rotation = np.linalg.qr(rng.standard_normal((WIDTH, WIDTH)))[0].astype(np.float32)
    targets = inputs @ rotation
    targets /= targets.std(-1, keepdims=True)
    data = dataset.NumpySlicesDataset((inputs, targets), ["input", "target"], shuffle=shuffle)
    return data.batch(BATCH, drop_remainder=True)


def make_model():
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = Transformer()
    return train.Model(network, nn.MSELoss(), nn.Adam(network.trainable_params(), learning_rate=1e-3))


def main():
    """Trains."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--steps", type=int, default=256, help="training steps")
    parser.add_argument("--sink-size", type=int, default=64, help="steps of one launch")
    parser.add_argument("--batches", type=int, default=BATCHES, help="batches in the data set")
    options = parser.parse_args()
    model, start = make_model(), time.perf_counter()
    model.train(max(1, options.steps // options.sink_size), sequences(options.batches),
                callbacks=[train.LossMonitor()], dataset_sink_mode=True, sink_size=options.sink_size)
    print(f"{model.steps / (time.perf_counter() - start):.1f} steps/s, compiling included")


if __name__ == "__main__":
    main()
