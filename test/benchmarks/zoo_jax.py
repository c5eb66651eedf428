"""The kit of section `zoo` for JAX, and the script that trains with it by a jitted, donated call per step and prints a line of JSON; on
one thread a second is one of processor time:

    python3 test/benchmarks/zoo_jax.py NAME [--batch N] [--threads N] [--seconds S]

Images have their channels last. Batch normalisation keeps no running means, which spares JAX a little work.
"""

import functools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import zoo_clock  # noqa: E402
import zoo_data  # noqa: E402
import zoo_networks  # noqa: E402

OPTIONS = zoo_clock.read_options(__doc__.split(":")[0], None)
# XLA sizes its pool by the processors that it may use.
os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:OPTIONS.threads]))
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402  (reads the environment)
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402

LAYOUT = ("NHWC", "HWIO", "NHWC")
ACTIVATIONS = {"relu": jax.nn.relu, "relu6": jax.nn.relu6, "gelu": functools.partial(jax.nn.gelu, approximate=False), "tanh": jnp.tanh}


class Layer:
    """A function of its parameters and its inputs. `own`: name, PyTorch's shape, and how the values come to lie here, of each parameter;
    `children`: layers, whose parameters stand behind them in PyTorch's order. `apply(own, children, *inputs)` gives the result; each
    child is called with its inputs alone."""

    def __init__(self, apply, own=(), children=()):
        self.apply, self.own, self.children = apply, own, children

    def parameters(self, counter):
        """First values, nested as the layers are."""
        mine = [place(zoo_data.weights(next(counter), name, shape)) for name, shape, place in self.own]
        return [mine, [child.parameters(counter) for child in self.children]]

    def __call__(self, parameters, *inputs):
        mine, below = parameters
        return self.apply(mine, [functools.partial(child, part) for child, part in zip(self.children, below)], *inputs)


def as_is(values):
    """Values that lie as PyTorch's."""
    return values


def transposed(*axes):
    """Values whose axes are PyTorch's in this order."""
    return lambda values: np.ascontiguousarray(values.transpose(axes))


def _of(function):
    return lambda *_: Layer(lambda own, children, *inputs: function(*inputs))


def _chained(own, children, x):
    for child in children:
        x = child(x)
    return x


def chain(*layers):
    """Layers one after another; without any, the identity."""
    return Layer(_chained, children=layers)


def act(name):
    """An activation."""
    return _of(ACTIVATIONS[name])()


def norm(width):
    """Batch normalisation."""
    def apply(own, children, x):
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(variance + 1e-5) * own[0] + own[1]
    return Layer(apply, [("weight", (width,), as_is), ("bias", (width,), as_is)])


def bare_conv(inputs, outputs, kernel=3, stride=1, groups=1, padding=None, bias=False):
    """A convolution alone."""
    pad = kernel // 2 if padding is None else padding

    def apply(own, children, x):
        y = lax.conv_general_dilated(x, own[0], (stride, stride), [(pad, pad)] * 2, dimension_numbers=LAYOUT, feature_group_count=groups)
        return y + own[1] if bias else y
    kernels = ("weight", (outputs, inputs // groups, kernel, kernel), transposed(2, 3, 1, 0))
    return Layer(apply, [kernels, *([("bias", (outputs,), as_is)] if bias else [])])


def conv(inputs, outputs, kernel=3, stride=1, groups=1, act="relu", norm=True, padding=None):
    """A convolution, normalised or with a bias, and an activation."""
    layers = [bare_conv(inputs, outputs, kernel, stride, groups, padding, not norm)]
    return chain(*layers, *([_norm(outputs)] if norm else []), *([_act(act)] if act else []))


_norm, _act = norm, act


def double(inputs, outputs):
    """A transposed convolution that doubles both extents."""
    def apply(own, children, x):
        return lax.conv_transpose(x, own[0], (2, 2), "VALID", dimension_numbers=LAYOUT) + own[1]
    flipped = lambda values: np.ascontiguousarray(values.transpose(2, 3, 0, 1)[::-1, ::-1])
    return Layer(apply, [("weight", (inputs, outputs, 2, 2), flipped), ("bias", (outputs,), as_is)])


def dense(inputs, outputs, act=None):
    """A dense layer."""
    layer = Layer(lambda own, children, x: x @ own[0] + own[1],
                  [("weight", (outputs, inputs), transposed(1, 0)), ("bias", (outputs,), as_is)])
    return chain(layer, _act(act)) if act else layer


def _pool(x, first, reduce, kernel, stride, padding=0):
    pads = ((0, 0), (padding, padding), (padding, padding), (0, 0))
    return lax.reduce_window(x, first, reduce, (1, kernel, kernel, 1), (1, stride, stride, 1), pads)


def max_pool(kernel, stride, padding=0):
    """Largest elements."""
    return _of(lambda x: _pool(x, -jnp.inf, lax.max, kernel, stride, padding))()


def mean_pool(kernel, stride):
    """Means."""
    return _of(lambda x: _pool(x, 0.0, lax.add, kernel, stride) / kernel ** 2)()


flatten = _of(lambda x: x.reshape(x.shape[0], -1))
image_mean = _of(lambda x: x.mean((1, 2)))
sequence_mean = _of(lambda x: x.mean(1))
first = _of(lambda x: x[:, 0])
swap = _of(lambda x: x.transpose(0, 2, 1))


def layer_norm(width):
    """Layer normalisation."""
    def apply(own, children, x):
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(variance + 1e-5) * own[0] + own[1]
    return Layer(apply, [("weight", (width,), as_is), ("bias", (width,), as_is)])


def embedding(rows, width):
    """A table."""
    return Layer(lambda own, children, x: own[0][x], [("weight", (rows, width), as_is)])


def residual(body, shortcut=None, last=None):
    """A body beside a shortcut, and an activation of their sum."""
    activation = ACTIVATIONS[last] if last else lambda x: x
    return Layer(lambda own, children, x: activation(children[0](x) + children[1](x)), children=[body, shortcut or chain()])


def concat(*branches):
    """Branches, one behind the other along the channels."""
    return Layer(lambda own, children, x: jnp.concatenate([child(x) for child in children], -1), children=branches)


def patches(inputs, width, side):
    """Squares of an image as a sequence."""
    return chain(bare_conv(inputs, width, side, side, padding=0, bias=True), _of(lambda x: x.reshape(x.shape[0], -1, width))())


def positions(length, width):
    """Adds a trained vector for each position."""
    return Layer(lambda own, children, x: x + own[0], [("places", (1, length, width), as_is)])


def attention(width, heads, causal):
    """Self-attention with several heads, by JAX's own function."""
    def apply(own, children, x):
        batch, length, _ = x.shape
        query, key, value = jnp.moveaxis(children[0](x).reshape(batch, length, 3, heads, width // heads), 2, 0)
        return children[1](jax.nn.dot_product_attention(query, key, value, is_causal=causal).reshape(batch, length, width))
    return Layer(apply, children=[dense(width, 3 * width), dense(width, width)])


def word_conv(inputs, outputs, kernel):
    """Windows of words, rectified; the largest of each channel."""
    def apply(own, children, x):
        y = lax.conv_general_dilated(x.transpose(0, 2, 1), own[0], (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC")) + own[1]
        return jax.nn.relu(y).max(1)
    return Layer(apply, [("weight", (outputs, inputs, kernel), transposed(2, 1, 0)), ("bias", (outputs,), as_is)])


def _lstm(state, gates, weight, bias):
    hidden, cell = state
    into, forget, new, out = jnp.split(gates + hidden @ weight + bias, 4, -1)
    cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(into) * jnp.tanh(new)
    return (jax.nn.sigmoid(out) * jnp.tanh(cell), cell), None


def _gru(state, gates, weight, bias):
    (reset, update, new), (own_reset, own_update, own_new) = (jnp.split(each, 3, -1) for each in (gates, state[0] @ weight + bias))
    update = jax.nn.sigmoid(update + own_update)
    new = jnp.tanh(new + jax.nn.sigmoid(reset + own_reset) * own_new)
    return ((1 - update) * new + update * state[0],), None


def recurrent(kind, inputs, hidden):
    """The last output of a recurrent layer: a scan over the sequence, the inputs' product before it."""
    cell, gates, states = (_lstm, 4, 2) if kind == "lstm" else (_gru, 3, 1)

    def apply(own, children, x):
        from_input = jnp.swapaxes(x @ own[0] + own[2], 0, 1)
        begin = (jnp.zeros((x.shape[0], hidden)),) * states
        return lax.scan(lambda state, row: cell(state, row, own[1], own[3]), begin, from_input)[0][0]
    matrices = [("weight_ih", (gates * hidden, inputs), transposed(1, 0)), ("weight_hh", (gates * hidden, hidden), transposed(1, 0))]
    return Layer(apply, matrices + [("bias_ih", (gates * hidden,), as_is), ("bias_hh", (gates * hidden,), as_is)])


def interactions(bottom, tables, size, top):
    """Products of all pairs of vectors: of the numbers' and of each category's."""
    pairs = np.tril_indices(len(tables) + 1, -1)

    def apply(own, children, numbers, categories):
        dense_part = children[0](numbers)
        vectors = jnp.stack([dense_part, *(table(categories[:, column]) for column, table in enumerate(children[2:]))], 1)
        products = vectors @ vectors.transpose(0, 2, 1)
        return children[1](jnp.concatenate((dense_part, products[:, pairs[0], pairs[1]]), 1))
    return Layer(apply, children=[bottom, top, *(embedding(rows, size) for rows in tables)])


def graph(nodes, features, edges, hidden, classes):
    """Two graph convolutions; called with numbers of nodes, it gives their scores."""
    rows, sources, targets, weights = zoo_data.graph(nodes, features, edges)

    def neighbours(x):
        return jnp.zeros((nodes, x.shape[1])).at[targets].add(x[sources] * weights)

    def apply(own, children, wanted):
        return neighbours(children[1](jax.nn.relu(neighbours(children[0](rows)))))[wanted]
    return Layer(apply, children=[dense(features, hidden), dense(hidden, classes)])


def loss_of(kind, y, target):
    """The mean loss."""
    if kind == "squares":
        return jnp.square(y - target).mean()
    if kind == "clicks":
        return (jax.nn.softplus(y) - y * target).mean()
    return -jnp.take_along_axis(jax.nn.log_softmax(y), target[..., None], -1).mean()


def adam(parameters, gradients, state):
    """Adam (Kingma and Ba 2014) with the usual constants."""
    count, means, squares = state
    count = count + 1
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, gradients)
    squares = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, squares, gradients)
    change = lambda p, m, s: p - 1e-3 * (m / (1 - 0.9 ** count)) / (jnp.sqrt(s / (1 - 0.999 ** count)) + 1e-8)
    return jax.tree.map(change, parameters, means, squares), (count, means, squares)


def momentum(parameters, gradients, state):
    """Gradient descent with momentum."""
    state = jax.tree.map(lambda v, g: 0.9 * v + g, state, gradients)
    return jax.tree.map(lambda p, v: p - 0.01 * v, parameters, state), state


def sgd(parameters, gradients, state):
    """Gradient descent."""
    return jax.tree.map(lambda p, g: p - 0.01 * g, parameters, gradients), state


def make_optimizer(kind, parameters):
    """The update of an optimizer, and its first state."""
    zeros = lambda: jax.tree.map(jnp.zeros_like, parameters)
    if kind == "adam":
        return adam, (jnp.zeros(()), zeros(), zeros())
    return (momentum, zeros()) if kind == "momentum" else (sgd, ())


def make_step(name, batch):
    """A function that makes a step and returns its loss."""
    described = zoo_networks.NETWORKS[name]
    network = described.build(sys.modules[__name__])
    parameters = jax.tree.map(jnp.asarray, network.parameters(iter(range(1 << 20))))
    *inputs, target = map(jnp.asarray, (np.moveaxis(each, 1, -1) if each.ndim == 4 else each
                                        for each in zoo_data.columns(described, batch)))
    update, state = make_optimizer(described.optimizer, parameters)
    loss_at = lambda parameters, inputs, target: loss_of(described.loss, network(parameters, *inputs), target)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def stepped(parameters, state, inputs, target):
        loss, gradients = jax.value_and_grad(loss_at)(parameters, inputs, target)
        return (loss, *update(parameters, gradients, state))

    def step():
        nonlocal parameters, state
        loss, parameters, state = stepped(parameters, state, inputs, target)
        return loss
    return step


if __name__ == "__main__":
    zoo_clock.print_steps(make_step(OPTIONS.name, OPTIONS.batch), OPTIONS, lambda loss: loss.block_until_ready())
