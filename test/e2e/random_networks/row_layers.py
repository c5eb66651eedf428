"""Layers of random networks for rows (batch, width) and sequences (batch, length, width)."""

import math

import numpy as np
import torch
from torch.nn import functional

from layers import ACTIVATIONS, VALUE, WORK, Layer, need, pick
from plumb import Parameter, Tensor, nn, ops


class Dense(Layer):
    """A dense layer, with an activation of its own now and then."""

    ranks = (2, 3)

    def draw(self, rng, shape):
        out = pick(rng, 1, 3, 10, 17, 32, 64, 100, 128, 256, 512, 1000)
        need(math.prod(shape) * out <= WORK)
        self.sizes = dict(in_channels=shape[-1], out_channels=out, has_bias=bool(rng.integers(4)),
                          activation=pick(rng, None, None, "relu", "tanh", "sigmoid", "gelu"))
        return (*shape[:-1], out)

    def cell(self):
        return nn.Dense(**self.sizes)

    def run(self, x, values):
        weight, bias = next(values), next(values) if self.sizes["has_bias"] else None
        y = functional.linear(x, weight, bias)
        name = self.sizes["activation"]
        if name == "gelu":
            return ACTIVATIONS["GELU by tanh"][1](y)
        return getattr(torch, name)(y) if name else y


class LayerNorm(Layer):
    """Normalisation of the last axis."""

    ranks = (2, 3)

    def draw(self, rng, shape):
        need(shape[-1] >= 8)
        self.sizes = dict(width=shape[-1])
        return shape

    def cell(self):
        return nn.LayerNorm([self.sizes["width"]], epsilon=1e-5)

    def run(self, x, values):
        return functional.layer_norm(x, (self.sizes["width"],), next(values), next(values), 1e-5)


class Mlp(Layer):
    """x + W2 gelu(W1 norm(x))."""

    ranks = (2, 3)

    def draw(self, rng, shape):
        width, hidden = shape[-1], shape[-1] * pick(rng, 1, 2, 4)
        need(width >= 8 and math.prod(shape) * hidden * 2 <= WORK)
        self.sizes = dict(width=width, hidden=hidden)
        return shape

    def cell(self):
        return MlpCell(**self.sizes)

    def run(self, x, values):
        y = functional.layer_norm(x, (self.sizes["width"],), next(values), next(values), 1e-5)
        y = functional.gelu(functional.linear(y, next(values), next(values)))
        return x + functional.linear(y, next(values), next(values))


class MlpCell(nn.Cell):
    """Mlp's cell."""

    def __init__(self, width, hidden):
        super().__init__()
        self.norm = nn.LayerNorm([width], epsilon=1e-5)
        self.up, self.act, self.down = nn.Dense(width, hidden), nn.GELU(approximate=False), nn.Dense(hidden, width)

    def construct(self, x):
        """Compiled body."""
        return x + self.down(self.act(self.up(self.norm(x))))


class Attention(Layer):
    """x + attention of several heads over the sequence, causal where drawn."""

    ranks = (3,)

    def draw(self, rng, shape):
        batch, length, width = shape
        heads = pick(rng, *[h for h in (1, 2, 4, 8) if width % h == 0])
        need(width >= 4 and math.prod(shape) * (4 * width + 2 * length) <= WORK and batch * heads * length ** 2 <= VALUE)
        self.sizes = dict(length=length, width=width, heads=heads, causal=bool(rng.integers(2)))
        return shape

    def cell(self):
        return AttentionCell(**self.sizes)

    def run(self, x, values):
        batch, length, width = x.shape
        heads = self.sizes["heads"]
        query, key, value = (functional.linear(x, next(values), next(values))
                             .reshape(batch, length, heads, -1).transpose(1, 2) for _ in range(3))
        scores = query @ key.transpose(2, 3) / math.sqrt(width // heads)
        if self.sizes["causal"]:
            scores = scores + torch.triu(torch.full((length, length), -1e4, dtype=x.dtype), 1)
        y = (torch.softmax(scores, -1) @ value).transpose(1, 2).reshape(x.shape)
        return x + functional.linear(y, next(values), next(values))


class AttentionCell(nn.Cell):
    """Attention's cell."""

    def __init__(self, length, width, heads, causal):
        super().__init__()
        self.shape, self.scale, self.causal = (length, heads, width // heads), math.sqrt(width // heads), causal
        self.query, self.key, self.value = nn.Dense(width, width), nn.Dense(width, width), nn.Dense(width, width)
        self.out = nn.Dense(width, width)
        self.mask = Tensor(np.triu(np.full((length, length), -1e4, np.float32), 1))

    def split(self, x):
        """(batch, length, width) as (batch, heads, length, width / heads)."""
        return ops.transpose(ops.reshape(x, (x.shape[0],) + self.shape), (0, 2, 1, 3))

    def construct(self, x):
        """Compiled body."""
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = ops.matmul(query, ops.transpose(key, (0, 1, 3, 2))) / self.scale
        if self.causal:
            scores = scores + self.mask
        y = ops.transpose(ops.matmul(ops.softmax(scores, -1), value), (0, 2, 1, 3))
        return x + self.out(ops.reshape(y, x.shape))


class Mixer(Layer):
    """x + a dense layer along the sequence."""

    ranks = (3,)

    def draw(self, rng, shape):
        need(math.prod(shape) * shape[1] <= WORK)
        self.sizes = dict(length=shape[1])
        return shape

    def cell(self):
        return MixerCell(**self.sizes)

    def run(self, x, values):
        return x + functional.linear(x.transpose(1, 2), next(values), next(values)).transpose(1, 2)


class MixerCell(nn.Cell):
    """Mixer's cell."""

    def __init__(self, length):
        super().__init__()
        self.dense = nn.Dense(length, length)

    def construct(self, x):
        """Compiled body."""
        return x + ops.transpose(self.dense(ops.transpose(x, (0, 2, 1))), (0, 2, 1))


class Positions(Layer):
    """x + a trained row for each position."""

    ranks = (3,)

    def draw(self, rng, shape):
        self.sizes = dict(length=shape[1], width=shape[2], start=rng.standard_normal(shape[1:]).astype(np.float32))
        return shape

    def __repr__(self):
        return "Positions()"

    def cell(self):
        return PositionsCell(self.sizes["start"])

    def run(self, x, values):
        return x + next(values)


class PositionsCell(nn.Cell):
    """Positions' cell."""

    def __init__(self, start):
        super().__init__()
        self.rows = Parameter(Tensor(start))

    def construct(self, x):
        """Compiled body."""
        return x + self.rows


class Windows(Layer):
    """Attention-like products within windows of a sequence, as a Swin transformer cuts it."""

    ranks = (3,)

    def draw(self, rng, shape):
        window = pick(rng, *[w for w in (1, 2, 4, 7, 8) if shape[1] % w == 0])
        need(math.prod(shape) * window * 2 <= WORK and math.prod(shape[:2]) * window <= VALUE)
        self.sizes = dict(window=window)
        return shape

    def cell(self):
        return WindowsCell(**self.sizes)

    def run(self, x, values):
        y = x.reshape(-1, self.sizes["window"], x.shape[2])
        return (torch.softmax(y @ y.transpose(1, 2) / x.shape[2], -1) @ y).reshape(x.shape)


class WindowsCell(nn.Cell):
    """Windows' cell."""

    def __init__(self, window):
        super().__init__()
        self.window = window

    def construct(self, x):
        """Compiled body."""
        y = ops.reshape(x, (-1, self.window, x.shape[2]))
        weights = ops.softmax(ops.matmul(y, ops.transpose(y, (0, 2, 1))) / x.shape[2], -1)
        return ops.reshape(ops.matmul(weights, y), x.shape)


class Interaction(Layer):
    """All products of a row's positions with each other, as in DLRM."""

    ranks = (3,)

    def draw(self, rng, shape):
        batch, length, width = shape
        need(math.prod(shape) * length <= WORK and length ** 2 <= 10000)
        self.sizes = dict(width=width)
        return (batch, length * length)

    def cell(self):
        return InteractionCell()

    def run(self, x, values):
        return (x @ x.transpose(1, 2) / x.shape[2]).flatten(1)


class InteractionCell(nn.Cell):
    """Interaction's cell."""

    def construct(self, x):
        """Compiled body."""
        return ops.reshape(ops.matmul(x, ops.transpose(x, (0, 2, 1))) / x.shape[2], (x.shape[0], -1))


class Take(Layer):
    """Some positions of a sequence, given by constant indices, some of them twice."""

    ranks = (3,)

    def draw(self, rng, shape):
        self.sizes = dict(positions=[int(i) for i in rng.integers(0, shape[1], pick(rng, 1, 3, shape[1]))])
        return (shape[0], len(self.sizes["positions"]), shape[2])

    def cell(self):
        return TakeCell(**self.sizes)

    def run(self, x, values):
        return x[:, self.sizes["positions"]]


class TakeCell(nn.Cell):
    """Take's cell."""

    def __init__(self, positions):
        super().__init__()
        self.positions = Tensor(np.array(positions, np.int32))

    def construct(self, x):
        """Compiled body."""
        return ops.gather(x, self.positions, 1)


class Recurrence(Layer):
    """The last state of a recurrent layer, unrolled over a short sequence."""

    ranks = (3,)

    def draw(self, rng, shape):
        hidden = pick(rng, 8, 17, 32, 64)
        need(shape[1] <= 16 and math.prod(shape) * hidden <= WORK)
        self.sizes = dict(width=shape[2], hidden=hidden)
        return (shape[0], hidden)

    def cell(self):
        return RecurrenceCell(**self.sizes)

    def run(self, x, values):
        into, bias, along = next(values), next(values), next(values)
        state = x.new_zeros(x.shape[0], self.sizes["hidden"])
        for i in range(x.shape[1]):
            state = torch.tanh(functional.linear(x[:, i], into, bias) + functional.linear(state, along))
        return state


class RecurrenceCell(nn.Cell):
    """Recurrence's cell."""

    def __init__(self, width, hidden):
        super().__init__()
        self.hidden = hidden
        self.into, self.along = nn.Dense(width, hidden), nn.Dense(hidden, hidden, has_bias=False)

    def construct(self, x):
        """Compiled body."""
        state = ops.zeros((x.shape[0], self.hidden), x.dtype)
        for i in range(x.shape[1]):
            state = ops.tanh(self.into(x[:, i]) + self.along(state))
        return state


class Embedding(Layer):
    """Rows of a table by indices, looked up or by one-hot vectors: a network's first layer."""

    ranks = ()

    def draw(self, rng, shape):
        rows, width = pick(rng, 10, 50, 1000, 4096, 30000, 50000), pick(rng, 1, 8, 32, 64, 128, 256)
        one_hot = rows <= 1000 and bool(rng.integers(4) == 0)
        need(math.prod(shape) * (rows if one_hot else 1) * width <= WORK)
        self.sizes = dict(vocab_size=rows, embedding_size=width, use_one_hot=one_hot)
        return (*shape, width)

    def cell(self):
        return nn.Embedding(**self.sizes)

    def run(self, x, values):
        return next(values)[x]


LAYERS = (Dense, Dense, Dense, LayerNorm, LayerNorm, Mlp, Attention, Attention, Mixer, Positions, Windows, Interaction, Take,
          Recurrence)
