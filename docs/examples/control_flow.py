"""An ordinary differential equation in steps that its error decides: `tools/python docs/examples/control_flow.py`.

Conditions and loops on tensors stay conditions and loops in the executable: nothing is unrolled, and `break`, `continue`, early `return`,
`assert` and tables of functions that a tensor indexes work as in Python. The gradient goes through the loop, too.
"""

import argparse

import numpy as np

import plumb
from plumb import Tensor, ops


def decay(time, y, rate):
    """y' = -rate * y."""
    return -rate * y


def logistic(time, y, rate):
    """y' = rate * y * (1 - y)."""
    return rate * y * (1 - y)


def driven(time, y, rate):
    """y' = rate * (cos(time) - y)."""
    return rate * (ops.cos(time) - y)


RIGHT_SIDES = [decay, logistic, driven]


def solve(kind, start, rate, end, tolerance):
    """Values at the time `end`, and the steps taken and rejected (Bogacki and Shampine 1989)."""
    assert ops.isfinite(start).all(), "the values at the start must be finite"
    right = lambda at, values: RIGHT_SIDES[kind](at, values, rate)
    time, step, y, taken, rejected = end * 0, end / 16, start, 0, 0
    while time < end:
        step = ops.minimum(step, end - time)
        first = right(time, y)
        second = right(time + step / 2, y + step / 2 * first)
        third = right(time + step * 0.75, y + step * 0.75 * second)
        new = y + step * (2 * first + 3 * second + 4 * third) / 9
        last = right(time + step, new)
        error = (step * (-5 * first + 6 * second + 8 * third - 9 * last) / 72).abs().max()
        if taken + rejected >= 500:
            break
        factor = 0.9 * (tolerance / ops.maximum(error, 1e-12)) ** (1 / 3)
        if error > tolerance:
            rejected += 1
            step = step * ops.maximum(factor, 0.2)
            continue
        taken, time, y = taken + 1, time + step, new
        step = step * ops.minimum(factor, 4.0)
    return y, taken, rejected


@plumb.jit
def final(kind, start, rate, end):
    """The values at the end, with the steps that they took."""
    return solve(kind, start, rate, end, 1e-5)


def main(arguments=None):
    """Solves three equations; returns by name (values, steps taken, derivatives by the rate)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--end", type=float, default=2.0)
    options = parser.parse_args(arguments)
    start, rate, end = Tensor(np.linspace(0.1, 0.9, 5), plumb.float32), Tensor(1.5, plumb.float32), Tensor(options.end, plumb.float32)
    by_rate = plumb.jit(plumb.grad(lambda kind, speed: solve(kind, start, speed, end, 1e-5)[0].sum(), 1))
    found = {}
    for number, function in enumerate(RIGHT_SIDES):
        kind = Tensor(number, plumb.int32)
        values, taken, rejected = final(kind, start, rate, end)
        found[function.__name__] = values.asnumpy(), int(taken), float(by_rate(kind, rate))
        print(f"{function.__name__}: {values.asnumpy().round(4).tolist()} in {int(taken)} steps, {int(rejected)} more rejected; "
              f"the sum grows by {found[function.__name__][2]:.4f} with the rate")
    return found


if __name__ == "__main__":
    main()
