"""Random convolutional networks: value and gradients of all weights agree with PyTorch in float64.

Layouts, pads, fusion and the split into kernels depend on a whole network; here networks are drawn that nobody wrote: odd
channels and images, kernels of 1 to 5, strides, dilation, groups, all pad modes, normalisation, pools, residuals.
Skipped where PyTorch is not installed. `random_networks_test.py --seeds A:B` checks other networks than the fixed few.
"""

import argparse
import sys
import unittest

import numpy as np

import plumb
from plumb import nn
from plumb.nn.layer.conv import same_pads
from plumb.ops import _functions as F

try:
    import torch
except ImportError:
    torch = None

# Gradients of biases in front of a normalisation are nothing but rounding: zero in exact arithmetic.
TOLERANCE = 1e-3


def pick(rng, *choices):
    """One of `choices`."""
    return choices[int(rng.integers(len(choices)))]


def draw_layer(rng, channels, image):
    """A layer as (kind, sizes) and the channels and image behind it."""
    kind = pick(rng, "conv", "conv", "conv", "norm", "relu", "pool", "residual")
    if kind == "pool" and min(image) >= 2:
        size, stride = pick(rng, (2, 2), (3, 2), (2, 1)) if min(image) >= 3 else (2, 2)
        image = [(extent - size) // stride + 1 for extent in image]
        return (pick(rng, "max", "mean"), (size, stride)), channels, image
    if kind == "norm" and image[0] * image[1] < 4:
        kind = "relu"
    if kind in ("norm", "relu"):
        return (kind, channels), channels, image
    if kind == "residual":
        return (kind, (channels, pick(rng, 1, 3))), channels, image
    out, kernel, stride = pick(rng, 1, 3, 5, 8, 16, 17, 32), pick(rng, 1, 2, 3, 5), pick(rng, 1, 1, 2, 3)
    dilation, mode = pick(rng, 1, 1, 2), pick(rng, "same", "pad", "valid")
    group = 1
    if rng.random() < 0.2:
        group = pick(rng, *[g for g in range(1, channels + 1) if channels % g == 0])
        out = group * pick(rng, 1, 2, 3)
    reach = (kernel - 1) * dilation + 1
    if mode == "valid" and min(image) < reach:
        mode = "same"
    padding = int(rng.integers(0, reach)) if mode == "pad" else 0
    if mode == "pad" and min(image) + 2 * padding < reach:
        padding = reach
    behind = [-(-extent // stride) if mode == "same" else (extent + 2 * padding - reach) // stride + 1 for extent in image]
    sizes = (channels, out, kernel, stride, mode, padding, dilation, group, bool(rng.integers(2)))
    return ("conv", sizes), out, behind


def draw(seed):
    """Returns (batch, channels, image, layers) of a network."""
    rng = np.random.default_rng(seed)
    batch, channels = pick(rng, 1, 3, 8, 16, 32), pick(rng, 1, 2, 3, 16)
    image = [pick(rng, 5, 8, 11, 14), pick(rng, 5, 8, 12, 17)]
    layers, width, extents = [], channels, image
    for _ in range(int(rng.integers(2, 7))):
        layer, width, extents = draw_layer(rng, width, extents)
        layers.append(layer)
    return batch, channels, image, layers


class Residual(nn.Cell):
    """x + conv(x)."""

    def __init__(self, channels, kernel):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel)

    def construct(self, x):
        """Compiled body."""
        return x + self.conv(x)


def make_layer(kind, sizes):
    """The layer in plumb."""
    if kind == "conv":
        channels, out, kernel, stride, mode, padding, dilation, group, bias = sizes
        return nn.Conv2d(channels, out, kernel, stride, mode, padding, dilation, group, bias)
    if kind == "residual":
        return Residual(*sizes)
    if kind == "norm":
        return nn.BatchNorm2d(sizes)
    if kind == "relu":
        return nn.ReLU()
    return (nn.MaxPool2d if kind == "max" else nn.AvgPool2d)(*sizes)


class Loss(nn.Cell):
    """A smooth number of a network's result."""

    def __init__(self, layers):
        super().__init__()
        self.layers = nn.SequentialCell([make_layer(*layer) for layer in layers])

    def construct(self, x):
        """Compiled body."""
        y = self.layers(x)
        return F.reduce_mean(y * y * y + y)


def convolve(x, weight, sizes, bias=None):
    """The convolution in PyTorch, with asymmetric pads where "same" asks for them."""
    _, _, kernel, stride, mode, padding, dilation, group, _ = sizes
    if mode == "same":
        pads = [same_pads(extent, kernel, stride, dilation) for extent in x.shape[2:]]
        x = torch.nn.functional.pad(x, (*pads[1], *pads[0]))
    return torch.nn.functional.conv2d(x, weight, bias, stride, padding, dilation, group)


def reference(layers, values, x):
    """The loss in PyTorch; `values` yields each layer's weights in order."""
    for kind, sizes in layers:
        if kind == "conv":
            weight = next(values)
            x = convolve(x, weight, sizes, next(values) if sizes[-1] else None)
        elif kind == "residual":
            channels, kernel = sizes
            x = x + convolve(x, next(values), (channels, channels, kernel, 1, "same", 0, 1, 1, False))
        elif kind == "norm":
            x = torch.nn.functional.batch_norm(x, None, None, next(values), next(values), True, 0.1, 1e-5)
        elif kind == "relu":
            x = torch.relu(x)
        else:
            x = (torch.nn.functional.max_pool2d if kind == "max" else torch.nn.functional.avg_pool2d)(x, *sizes)
    return (x * x * x + x).mean()


def check(seed):
    """Returns what is wrong with one network, or None."""
    batch, channels, image, layers = draw(seed)
    plumb.set_seed(seed)
    network = Loss(layers).set_train()
    weights = plumb.ParameterTuple(network.trainable_params())
    x = np.random.default_rng([seed, 1]).standard_normal((batch, channels, *image)).astype(np.float32)
    if weights:
        value, gradients = plumb.value_and_grad(network, None, weights)(plumb.Tensor(x))
    else:
        value, gradients = network(plumb.Tensor(x)), ()
    exact = [torch.tensor(weight.asnumpy().astype(float), requires_grad=True) for weight in weights]
    expected = reference(layers, iter(exact), torch.tensor(x.astype(float)))
    if exact:
        expected.backward()
    pairs = [("the value", value.asnumpy(), expected.detach().numpy())]
    pairs += [(weight.name, made.asnumpy(), want.grad.numpy()) for weight, made, want in zip(weights, gradients, exact)]
    largest = max([np.abs(want).max() for _, _, want in pairs[1:]], default=1.0)
    for name, made, want in pairs:
        error = np.abs(made - want).max() / max(np.abs(want).max(), 1e-2 * largest, 1e-6)
        if not error < TOLERANCE:
            return f"seed {seed}: {name} is off by {error:.2e}: batch {batch}, {channels}x{image}, {layers}"
    return None


@unittest.skipIf(torch is None, "PyTorch is not installed")
class RandomNetworksTest(unittest.TestCase):
    """A few networks of fixed seeds."""

    def test_networks(self):
        # The last one has a sum of products in the end of a convolution.
        for seed in (*range(8), 116):
            with self.subTest(seed=seed):
                self.assertIsNone(check(seed))


def main():
    """Checks networks of other seeds; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split(":", maxsplit=1)[0])
    parser.add_argument("--seeds", required=True, help="FIRST:LAST, the last one excluded")
    first, last = map(int, parser.parse_args().seeds.split(":"))
    wrong = 0
    for seed in range(first, last):
        try:
            problem = check(seed)
        except Exception as error:  # pylint: disable=broad-except
            problem = f"seed {seed}: {type(error).__name__}: {error}\n{draw(seed)}"
        if problem:
            wrong += 1
            print(problem, flush=True)
    print(f"{wrong} networks are wrong", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main())
    unittest.main()
