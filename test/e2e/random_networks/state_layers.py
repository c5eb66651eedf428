"""Layers of random networks whose control flow depends on tensors, and which write parameters inside of it."""

import numpy as np
import torch

from layers import Layer, pick
from plumb import Parameter, Tensor, nn, ops


class Branch(Layer):
    """One of two functions by the mean's sign; a parameter counts how often each was taken."""

    def draw(self, rng, shape):
        self.sizes = dict(written=pick(rng, "both", "one", "none"))
        return shape

    def cell(self):
        return BranchCell(**self.sizes)

    def run(self, x, values):
        taken = next(values)
        with torch.no_grad():
            positive = bool(x.mean() > 0)
            if self.sizes["written"] == "both" or (positive and self.sizes["written"] == "one"):
                taken += 1 if positive else -2
        return torch.tanh(x) if positive else x * 0.5 - 0.25


class BranchCell(nn.Cell):
    """Branch's cell."""

    def __init__(self, written):
        super().__init__()
        self.written = written
        self.taken = Parameter(Tensor(np.float32(0.0)), requires_grad=False)

    def construct(self, x):
        """Compiled body."""
        if ops.reduce_mean(x) > 0:
            y = ops.tanh(x)
            if self.written != "none":
                ops.assign(self.taken, self.taken + 1.0)
        else:
            y = x * 0.5 - 0.25
            if self.written == "both":
                ops.assign(self.taken, self.taken - 2.0)
        return y


class Repeat(Layer):
    """A function applied as often as a parameter says."""

    def draw(self, rng, shape):
        self.sizes = dict(times=int(rng.integers(0, 4)))
        return shape

    def cell(self):
        return RepeatCell(**self.sizes)

    def run(self, x, values):
        scale, times = next(values), next(values)
        for _ in range(int(times)):
            x = torch.sin(x * scale)
        return x


class RepeatCell(nn.Cell):
    """Repeat's cell."""

    def __init__(self, times):
        super().__init__()
        self.scale = Parameter(Tensor(np.float32(1.25)))
        self.times = Parameter(Tensor(np.int32(times)), requires_grad=False)

    def construct(self, x):
        """Compiled body."""
        i = ops.zeros_like(self.times)
        while i < self.times:
            x = ops.sin(x * self.scale)
            i = i + 1
        return x


LAYERS = (Branch, Repeat)
