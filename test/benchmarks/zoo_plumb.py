"""The kit of section `zoo` for Plumb, and the program that trains with it:

    tools/python test/benchmarks/zoo_plumb.py NAME [--batch N] [--same]

`--same` begins with the weights that zoo_torch.py begins with.
"""

import argparse
import math
import os
import sys

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import HeUniform, Normal, initializer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import zoo_data  # pylint: disable=wrong-import-position
import zoo_networks  # pylint: disable=wrong-import-position

ACTIVATIONS = {"relu": nn.ReLU, "relu6": nn.ReLU6, "gelu": lambda: nn.GELU(approximate=False), "tanh": nn.Tanh}


def chain(*layers):
    """Layers one after another; without any, the identity."""
    return nn.SequentialCell(list(layers))


def act(name):
    """An activation."""
    return ACTIVATIONS[name]()


def norm(width):
    """Batch normalisation."""
    return nn.BatchNorm2d(width)


def bare_conv(inputs, outputs, kernel=3, stride=1, groups=1, padding=None, bias=False):
    """A convolution alone; extents stay but for the stride unless `padding` says otherwise."""
    return nn.Conv2d(inputs, outputs, kernel, stride, pad_mode="pad", padding=kernel // 2 if padding is None else padding, group=groups,
                     has_bias=bias, weight_init=HeUniform(math.sqrt(5)))


def conv(inputs, outputs, kernel=3, stride=1, groups=1, act="relu", norm=True, padding=None):
    """A convolution, normalised or with a bias, and an activation."""
    layers = [bare_conv(inputs, outputs, kernel, stride, groups, padding, not norm)]
    return chain(*layers, *([nn.BatchNorm2d(outputs)] if norm else []), *([ACTIVATIONS[act]()] if act else []))


def double(inputs, outputs):
    """A transposed convolution that doubles both extents."""
    return nn.Conv2dTranspose(inputs, outputs, 2, 2, pad_mode="valid", has_bias=True, weight_init=HeUniform())


def dense(inputs, outputs, act=None):
    """A dense layer."""
    layer = nn.Dense(inputs, outputs, HeUniform(math.sqrt(5)))
    return chain(layer, ACTIVATIONS[act]()) if act else layer


def max_pool(kernel, stride, padding=0):
    """Largest elements."""
    return nn.MaxPool2d(kernel, stride, pad_mode="pad", padding=padding)


def mean_pool(kernel, stride):
    """Means."""
    return nn.AvgPool2d(kernel, stride)


def flatten():
    """All axes of a row in one."""
    return nn.Flatten()


def layer_norm(width):
    """Layer normalisation."""
    return nn.LayerNorm((width,), epsilon=1e-5)


def embedding(rows, width):
    """A table."""
    return nn.Embedding(rows, width, embedding_table=Normal(0.1))


class _Function(nn.Cell):
    """A layer without parameters."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        """The function's result."""
        return self.function(x)


def image_mean():
    """The mean over an image."""
    return _Function(lambda x: ops.mean(x, (2, 3)))


def sequence_mean():
    """The mean over a sequence."""
    return _Function(lambda x: ops.mean(x, 1))


def first():
    """A sequence's first row."""
    return _Function(lambda x: x[:, 0])


def swap():
    """The last two axes the other way round."""
    return _Function(lambda x: ops.transpose(x, (0, 2, 1)))


class Residual(nn.Cell):
    """A body beside a shortcut, and an activation of their sum."""

    def __init__(self, body, shortcut, last):
        super().__init__()
        self.body, self.shortcut, self.last = body, shortcut or chain(), ACTIVATIONS[last]() if last else chain()

    def construct(self, x):
        """The layer's result."""
        return self.last(self.body(x) + self.shortcut(x))


residual = lambda body, shortcut=None, last=None: Residual(body, shortcut, last)


class Concat(nn.Cell):
    """Branches, one behind the other along axis 1."""

    def __init__(self, branches):
        super().__init__()
        self.branches = nn.CellList(branches)

    def construct(self, x):
        """The layer's result."""
        found = []
        for branch in self.branches:
            found.append(branch(x))
        return ops.concat(found, 1)


concat = lambda *branches: Concat(branches)


class Patches(nn.Cell):
    """Squares of an image as a sequence."""

    def __init__(self, inputs, width, side):
        super().__init__()
        self.conv = bare_conv(inputs, width, side, side, padding=0, bias=True)

    def construct(self, x):
        """The sequence."""
        x = self.conv(x)
        return ops.transpose(ops.reshape(x, x.shape[:2] + (-1,)), (0, 2, 1))


patches = Patches


class Positions(nn.Cell):
    """Adds a trained vector for each position."""

    def __init__(self, length, width):
        super().__init__()
        self.places = plumb.Parameter(initializer(Normal(0.1), (1, length, width)))

    def construct(self, x):
        """The sum."""
        return x + self.places


positions = Positions


class Attention(nn.Cell):
    """Self-attention with several heads; `causal`: to earlier rows only."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.depth, self.causal = heads, width // heads, causal
        self.qkv, self.out = dense(width, 3 * width), dense(width, width)

    def construct(self, x):
        """The attended values."""
        batch, length, width = x.shape
        parts = ops.transpose(ops.reshape(self.qkv(x), (batch, length, 3, self.heads, self.depth)), (2, 0, 3, 1, 4))
        scores = ops.matmul(parts[0], parts[1], transpose_b=True) * self.depth ** -0.5
        if self.causal:
            scores = ops.masked_fill(scores, plumb.Tensor(np.triu(np.ones((length, length), bool), 1)), -1e30)
        attended = ops.matmul(ops.softmax(scores, -1), parts[2])
        return self.out(ops.reshape(ops.transpose(attended, (0, 2, 1, 3)), (batch, length, width)))


attention = Attention


class WordConv(nn.Cell):
    """Windows of words, rectified; the largest of each channel."""

    def __init__(self, inputs, outputs, kernel):
        super().__init__()
        self.conv = nn.Conv1d(inputs, outputs, kernel, pad_mode="valid", has_bias=True)

    def construct(self, x):
        """The largest."""
        return ops.max(ops.relu(self.conv(x)), 2)[0]


word_conv = WordConv


class Recurrent(nn.Cell):
    """The last output of a recurrent layer."""

    def __init__(self, kind, inputs, hidden):
        super().__init__()
        self.layer = (nn.LSTM if kind == "lstm" else nn.GRU)(inputs, hidden, batch_first=True)

    def construct(self, x):
        """The last output."""
        return self.layer(x)[0][:, -1]


recurrent = Recurrent


class Interactions(nn.Cell):
    """Products of all pairs of vectors: of the numbers' and of each category's."""

    def __init__(self, bottom, tables, size, top):
        super().__init__()
        self.bottom, self.top = bottom, top
        self.tables = nn.CellList([embedding(rows, size) for rows in tables])
        below = np.tril_indices(len(tables) + 1, -1)
        self.pairs = plumb.Tensor((below[0] * (len(tables) + 1) + below[1]).astype(np.int32))

    def construct(self, numbers, categories):
        """The scores."""
        dense_part = self.bottom(numbers)
        vectors = [dense_part]
        for column, table in enumerate(self.tables):
            vectors.append(table(categories[:, column]))
        vectors = ops.stack(vectors, 1)
        products = ops.reshape(ops.matmul(vectors, vectors, transpose_b=True), (vectors.shape[0], -1))
        return self.top(ops.concat((dense_part, ops.gather(products, self.pairs, 1)), 1))


interactions = Interactions


class Graph(nn.Cell):
    """Two graph convolutions; called with numbers of nodes, it gives their scores."""

    def __init__(self, nodes, features, edges, hidden, classes):
        super().__init__()
        found = zoo_data.graph(nodes, features, edges)
        self.features, self.sources, self.targets, self.weights = (plumb.Tensor(each) for each in found)
        self.nodes, self.first, self.second = nodes, dense(features, hidden), dense(hidden, classes)

    def neighbours(self, x):
        """Weighted sums over edges."""
        return ops.unsorted_segment_sum(ops.gather(x, self.sources, 0) * self.weights, self.targets, self.nodes)

    def construct(self, nodes):
        """The scores."""
        hidden = ops.relu(self.neighbours(self.first(self.features)))
        return ops.gather(self.neighbours(self.second(hidden)), nodes, 0)


graph = Graph


class Loss(nn.Cell):
    """A network with its loss."""

    def __init__(self, network, kind):
        super().__init__(auto_prefix=False)
        self.network, self.kind = network, kind

    def loss(self, y, target):
        """The mean loss."""
        if self.kind == "squares":
            return ops.mse_loss(y, target)
        if self.kind == "clicks":
            return ops.mean(nn.BCEWithLogitsLoss()(y, target.astype(plumb.float32)))
        if self.kind == "tokens":
            return ops.cross_entropy(ops.reshape(y, (-1, y.shape[-1])), ops.reshape(target, (-1,)))
        return ops.cross_entropy(y, target)


class OneInput(Loss):
    """Of one input."""

    def construct(self, x, target):
        """The loss."""
        return self.loss(self.network(x), target)


class TwoInputs(Loss):
    """Of two inputs."""

    def construct(self, x, y, target):
        """The loss."""
        return self.loss(self.network(x, y), target)


def make_optimizer(kind, parameters):
    """The optimizer."""
    if kind == "adam":
        return nn.Adam(parameters, learning_rate=1e-3)
    return nn.Momentum(parameters, 0.01, 0.9) if kind == "momentum" else nn.SGD(parameters, 0.01)


def main(arguments=None):
    """Trains a few steps."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("name", choices=sorted(zoo_networks.NETWORKS))
    parser.add_argument("--batch", type=int, default=16, help="rows of a batch")
    parser.add_argument("--same", action="store_true", help="begin with the weights of zoo_torch.py")
    options = parser.parse_args(arguments)
    plumb.set_seed(1)
    described = zoo_networks.NETWORKS[options.name]
    network = described.build(sys.modules[__name__])
    if options.same:
        for index, parameter in enumerate(network.trainable_params()):
            parameter.set_data(plumb.Tensor(zoo_data.weights(index, parameter.name, parameter.shape)))
    rows = tuple(zoo_data.columns(described, options.batch))
    data = dataset.NumpySlicesDataset(rows, [f"column{index}" for index in range(len(rows))], shuffle=False).batch(options.batch)
    trained = (OneInput if len(rows) == 2 else TwoInputs)(network, described.loss)
    model = train.Model(trained, optimizer=make_optimizer(described.optimizer, network.trainable_params()))
    model.train(3, data, callbacks=[train.LossMonitor()], dataset_sink_mode=True)


if __name__ == "__main__":
    main()
