"""The kit of section `zoo` for PyTorch, and the script that trains with it and prints a line of JSON; on one thread a second
is one of processor time:

    python3 test/benchmarks/zoo_torch.py NAME [--batch N] [--threads N] [--seconds S] [--channels-last] [--impl eager|compile]
"""

import os
import pathlib
import sys

FLAGS = pathlib.Path("/proc/cpuinfo").read_text()
# OpenBLAS 0.3.21 takes newer processors for older ones.
os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX" if "avx512f" in FLAGS else "Haswell" if "avx2" in FLAGS else "Nehalem")

import torch  # noqa: E402  (reads the environment)
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import zoo_clock  # noqa: E402
import zoo_data  # noqa: E402
import zoo_networks  # noqa: E402

ACTIVATIONS = {"relu": nn.ReLU, "relu6": nn.ReLU6, "gelu": nn.GELU, "tanh": nn.Tanh}

chain = lambda *layers: nn.Sequential(*layers)
act = lambda name: ACTIVATIONS[name]()
norm = nn.BatchNorm2d
max_pool = nn.MaxPool2d
mean_pool = nn.AvgPool2d
flatten = nn.Flatten
layer_norm = nn.LayerNorm
embedding = nn.Embedding
double = lambda inputs, outputs: nn.ConvTranspose2d(inputs, outputs, 2, 2)


def bare_conv(inputs, outputs, kernel=3, stride=1, groups=1, padding=None, bias=False):
    """A convolution alone."""
    return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2 if padding is None else padding, groups=groups, bias=bias)


def conv(inputs, outputs, kernel=3, stride=1, groups=1, act="relu", norm=True, padding=None):
    """A convolution, normalised or with a bias, and an activation."""
    layers = [bare_conv(inputs, outputs, kernel, stride, groups, padding, not norm)]
    return chain(*layers, *([nn.BatchNorm2d(outputs)] if norm else []), *([ACTIVATIONS[act]()] if act else []))


def dense(inputs, outputs, act=None):
    """A dense layer."""
    layer = nn.Linear(inputs, outputs)
    return chain(layer, ACTIVATIONS[act]()) if act else layer


class _Function(nn.Module):
    """A layer without parameters."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        """The function's result."""
        return self.function(x)


image_mean = lambda: _Function(lambda x: x.mean((2, 3)))
sequence_mean = lambda: _Function(lambda x: x.mean(1))
first = lambda: _Function(lambda x: x[:, 0])
swap = lambda: _Function(lambda x: x.transpose(1, 2))


class Residual(nn.Module):
    """A body beside a shortcut, and an activation of their sum."""

    def __init__(self, body, shortcut=None, last=None):
        super().__init__()
        self.body, self.shortcut, self.last = body, shortcut or nn.Identity(), ACTIVATIONS[last]() if last else nn.Identity()

    def forward(self, x):
        """The layer's result."""
        return self.last(self.body(x) + self.shortcut(x))


residual = Residual


class Concat(nn.Module):
    """Branches, one behind the other along axis 1."""

    def __init__(self, *branches):
        super().__init__()
        self.branches = nn.ModuleList(branches)

    def forward(self, x):
        """The layer's result."""
        return torch.cat([branch(x) for branch in self.branches], 1)


concat = Concat


class Patches(nn.Module):
    """Squares of an image as a sequence."""

    def __init__(self, inputs, width, side):
        super().__init__()
        self.conv = bare_conv(inputs, width, side, side, padding=0, bias=True)

    def forward(self, x):
        """The sequence."""
        return self.conv(x).flatten(2).transpose(1, 2)


patches = Patches


class Positions(nn.Module):
    """Adds a trained vector for each position."""

    def __init__(self, length, width):
        super().__init__()
        self.places = nn.Parameter(torch.zeros(1, length, width))

    def forward(self, x):
        """The sum."""
        return x + self.places


positions = Positions


class Attention(nn.Module):
    """Self-attention with several heads, by PyTorch's own function where there is one."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.qkv, self.out = dense(width, 3 * width), dense(width, width)

    def forward(self, x):
        """The attended values."""
        batch, length, width = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        if hasattr(F, "scaled_dot_product_attention"):
            attended = F.scaled_dot_product_attention(query, key, value, is_causal=self.causal)
        else:
            scores = query @ key.transpose(-2, -1) * (width // self.heads) ** -0.5
            if self.causal:
                scores = scores.masked_fill(torch.ones(length, length, dtype=torch.bool).triu(1), -1e30)
            attended = torch.softmax(scores, -1) @ value
        return self.out(attended.transpose(1, 2).reshape(batch, length, width))


attention = Attention


class WordConv(nn.Module):
    """Windows of words, rectified; the largest of each channel."""

    def __init__(self, inputs, outputs, kernel):
        super().__init__()
        self.conv = nn.Conv1d(inputs, outputs, kernel)

    def forward(self, x):
        """The largest."""
        return F.relu(self.conv(x)).amax(2)


word_conv = WordConv


class Recurrent(nn.Module):
    """The last output of a recurrent layer."""

    def __init__(self, kind, inputs, hidden):
        super().__init__()
        self.layer = (nn.LSTM if kind == "lstm" else nn.GRU)(inputs, hidden, batch_first=True)

    def forward(self, x):
        """The last output."""
        return self.layer(x)[0][:, -1]


recurrent = Recurrent


class Interactions(nn.Module):
    """Products of all pairs of vectors: of the numbers' and of each category's."""

    def __init__(self, bottom, tables, size, top):
        super().__init__()
        self.bottom, self.top = bottom, top
        self.tables = nn.ModuleList([nn.Embedding(rows, size, sparse=True) for rows in tables])
        self.pairs = torch.tril_indices(len(tables) + 1, len(tables) + 1, -1)

    def forward(self, numbers, categories):
        """The scores."""
        dense_part = self.bottom(numbers)
        vectors = torch.stack([dense_part, *(table(categories[:, column]) for column, table in enumerate(self.tables))], 1)
        products = vectors @ vectors.transpose(1, 2)
        return self.top(torch.cat((dense_part, products[:, self.pairs[0], self.pairs[1]]), 1))


interactions = Interactions


class Graph(nn.Module):
    """Two graph convolutions; called with numbers of nodes, it gives their scores."""

    def __init__(self, nodes, features, edges, hidden, classes):
        super().__init__()
        self.features, self.sources, self.targets, self.weights = map(torch.from_numpy, zoo_data.graph(nodes, features, edges))
        self.nodes, self.first, self.second = nodes, dense(features, hidden), dense(hidden, classes)

    def neighbours(self, x):
        """Weighted sums over edges."""
        return torch.zeros(self.nodes, x.shape[1]).index_add(0, self.targets, x.index_select(0, self.sources) * self.weights)

    def forward(self, nodes):
        """The scores."""
        hidden = F.relu(self.neighbours(self.first(self.features)))
        return self.neighbours(self.second(hidden)).index_select(0, nodes)


graph = Graph


def loss_of(kind, y, target):
    """The mean loss."""
    if kind == "squares":
        return F.mse_loss(y, target)
    if kind == "clicks":
        return F.binary_cross_entropy_with_logits(y, target.float())
    return F.cross_entropy(y.flatten(0, 1), target.flatten().long()) if kind == "tokens" else F.cross_entropy(y, target.long())


def make_optimizer(kind, parameters):
    """The optimizer."""
    if kind == "adam":
        return torch.optim.Adam(parameters, 1e-3)
    return torch.optim.SGD(parameters, 0.01, 0.9 if kind == "momentum" else 0)


def make_step(name, batch, options):
    """A function that makes a step and returns its loss."""
    described = zoo_networks.NETWORKS[name]
    network = described.build(sys.modules[__name__])
    with torch.no_grad():
        for index, (key, parameter) in enumerate(network.named_parameters()):
            parameter.copy_(torch.from_numpy(zoo_data.weights(index, key, tuple(parameter.shape))))
    *inputs, target = map(torch.from_numpy, zoo_data.columns(described, batch))
    if options.channels_last:
        network = network.to(memory_format=torch.channels_last)
        inputs = [each.contiguous(memory_format=torch.channels_last) for each in inputs]
    optimizer = make_optimizer(described.optimizer, network.parameters())

    def loss():
        return loss_of(described.loss, network(*inputs), target)
    compiled = torch.compile(loss) if options.impl == "compile" else loss

    def step():
        found = compiled()
        optimizer.zero_grad(set_to_none=True)
        found.backward()
        optimizer.step()
        return found
    return step


def add_options(parser):
    """What only PyTorch has."""
    parser.add_argument("--channels-last", action="store_true")
    parser.add_argument("--impl", choices=["eager", "compile"], default="eager")


def main(arguments=None):
    """Measures."""
    options = zoo_clock.read_options(__doc__.split(":")[0], arguments, add_options)
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    zoo_clock.print_steps(make_step(options.name, options.batch, options), options)


if __name__ == "__main__":
    main()
