"""A network that solves a differential equation: `tools/python docs/examples/gradients.py`.

The loss holds second derivatives of the network by its input, and is differentiated by the weights: a gradient of a gradient of a
gradient. Newton's method afterwards takes a Jacobian, and a rounding that has no derivative is given one by `bprop`.
"""

import argparse

import numpy as np

import plumb
from plumb import Tensor, nn, ops


class Wave(nn.Cell):
    """A function of one number that is 0 at 0 and rises by 1 there, as sin does."""

    def __init__(self, width=32):
        super().__init__()
        self.body = nn.SequentialCell(nn.Dense(1, width), nn.Tanh(), nn.Dense(width, width), nn.Tanh(), nn.Dense(width, 1))

    def construct(self, t):
        """The values at times (N, 1)."""
        return t + t * t * self.body(t)


class Residual(nn.Cell):
    """The mean square of u'' + u, which is 0 for sin."""

    def __init__(self, wave):
        super().__init__()
        self.wave = wave

    def construct(self, t):
        """The loss at times (N, 1)."""
        slope = plumb.grad(self.wave)
        bend = plumb.grad(slope)
        return ops.square(bend(t) + self.wave(t)).mean()


class Rounded(nn.Cell):
    """Whole numbers, whose derivative is taken to be 1."""

    def construct(self, x):
        """The nearest whole numbers."""
        return ops.round(x)

    def bprop(self, x, out, dout):
        """The derivative."""
        return (dout,)


def newton(function, start, steps):
    """A root of a function of several numbers."""
    jacobian = plumb.jacrev(function)
    x = start
    for _ in range(steps):
        x = x - ops.matmul(ops.inverse(jacobian(x)), function(x).expand_dims(1)).squeeze(1)
    return x


@plumb.jit
def crossing(start):
    """Where the circle of radius 2 meets the curve y = exp(x) - 1."""
    return newton(lambda p: ops.stack((p[0] * p[0] + p[1] * p[1] - 4.0, ops.exp(p[0]) - 1.0 - p[1])), start, 8)


def main(arguments=None):
    """Trains the wave; returns (its largest error, the crossing, the gradient through rounding)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=1500)
    options = parser.parse_args(arguments)
    plumb.set_context(mode=plumb.GRAPH_MODE)
    plumb.set_seed(1)
    wave, times = Wave(), Tensor(np.linspace(0, 3, 64, dtype=np.float32).reshape(-1, 1))
    step = nn.TrainOneStepCell(Residual(wave), nn.Adam(wave.trainable_params(), nn.cosine_decay_lr(1e-4, 1e-2, options.steps, options.steps, 1)))
    step.set_train()
    for _ in range(options.steps):
        loss = step(times)
    error = float((wave(times) - ops.sin(times)).abs().max())
    point, rounded = crossing(Tensor([1.0, 1.0], plumb.float32)), Rounded()
    through = plumb.grad(lambda x: ops.square(rounded(x)).sum())(Tensor([0.4, 1.6, 2.5], plumb.float32))
    print(f"residual {float(loss):.2e}, at most {error:.4f} from sin on [0, 3]")
    print(f"circle and curve meet at {point.asnumpy().tolist()}; the gradient through rounding is {through.asnumpy().tolist()}")
    return error, point.asnumpy(), through.asnumpy()


if __name__ == "__main__":
    main()
