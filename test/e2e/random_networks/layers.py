"""What layers of random networks share, and activations: shapes a layer takes, its cell, the same function in PyTorch.

A layer is made by drawing its sizes for an input shape; `shape` is its result's. It raises `Unfit` where no sizes fit.
`values` yields the cell's parameters in the cell's own order, as PyTorch tensors.
"""

import math

import torch
from torch.nn import functional

from plumb import nn

# Largest number of multiply-adds of one layer, elements of one value, and elements of one parameter.
WORK, VALUE, PARAMETER = 3e7, 1 << 20, 13_000_000


class Unfit(Exception):
    """A layer that cannot follow the shape, or would cost too much."""


def pick(rng, *choices):
    """One of `choices`."""
    return choices[int(rng.integers(len(choices)))]


def need(condition):
    """Raises Unfit where `condition` does not hold."""
    if not condition:
        raise Unfit


class Layer:
    """Base of layers."""

    # Number of axes of the inputs that a layer takes.
    ranks = (2, 3, 4)

    def __init__(self, rng, shape):
        self.input = shape
        self.sizes = {}
        self.shape = self.draw(rng, shape)
        need(all(extent > 0 for extent in self.shape) and math.prod(self.shape) <= VALUE)

    def draw(self, rng, shape):
        """Sets `sizes`; returns the result's shape."""
        return shape

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value}' for name, value in self.sizes.items())})"


ACTIVATIONS = {
    "ReLU": (nn.ReLU, torch.relu),
    "ReLU6": (nn.ReLU6, functional.relu6),
    "Sigmoid": (nn.Sigmoid, torch.sigmoid),
    "Tanh": (nn.Tanh, torch.tanh),
    "GELU": (lambda: nn.GELU(approximate=False), functional.gelu),
    "GELU by tanh": (lambda: nn.GELU(approximate=True),
                     lambda x: x * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))),
    "SiLU": (nn.SiLU, functional.silu),
    "LeakyReLU": (lambda: nn.LeakyReLU(0.1), lambda x: functional.leaky_relu(x, 0.1)),
    "ELU": (nn.ELU, functional.elu),
    "Softplus": (nn.Softplus, functional.softplus),
    "HSigmoid": (nn.HSigmoid, functional.hardsigmoid),
    "HSwish": (nn.HSwish, functional.hardswish),
    "Softmax": (nn.Softmax, lambda x: torch.softmax(x, -1)),
    "LogSoftmax": (nn.LogSoftmax, lambda x: torch.log_softmax(x, -1)),
}


class Activation(Layer):
    """One of the functions above."""

    def draw(self, rng, shape):
        self.sizes["name"] = pick(rng, *ACTIVATIONS)
        return shape

    def cell(self):
        return ACTIVATIONS[self.sizes["name"]][0]()

    def run(self, x, values):
        return ACTIVATIONS[self.sizes["name"]][1](x)
