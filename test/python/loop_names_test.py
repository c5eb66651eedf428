"""Names in loops on tensors: those that only one iteration knows, and those that a later one or what follows the loop reads.

Each function runs compiled and by CPython on NumPy. The first kind may have had a value of any type before the loop.
"""

import unittest

import numpy as np

import plumb
from plumb import Tensor, ops


def of_another_type(x):
    gate, pair = None, "text"
    while x.sum() < 50:
        gate = x * 2
        pair = (gate, gate + 1)
        x = x + pair[1]
    return x


def read_behind(x):
    last = x
    while x.sum() < 50:
        last = x * 2
        x = x + last
    return x, last


def assigned_behind(x):
    last = "none"
    while x.sum() < 50:
        last = x * 2
        x = x + last
    last = x + 1
    return last


def read_on_one_way(x):
    seen = x
    while x.sum() < 50:
        if x[0] > 4:
            seen = x * 2
        x = x + seen + 1
    return x


def skipped_by_continue(x):
    seen = x * 0
    n = 0
    while n < 9:
        n += 1
        if x[0] > n:
            continue
        seen = seen + x + n
        kept = seen * 2
        x = x + kept
    return x, n


def read_behind_break(x):
    found = x * 0
    while x.sum() < 50:
        found = x + 1
        if found[0] > 7:
            break
        found = found * 2
        x = x + found
    return x + found


def read_by_the_next_iteration(x):
    before = x * 0
    while x.sum() < 50:
        after = before
        before = x + 1
        x = x + before - after
    return x


def nested(x):
    total, inner, n = x * 0, "text", 0
    while n < 4:
        inner = x * n
        m = 0
        while m < n:
            step = inner + m
            inner = inner + step
            m += 1
        total = total + inner
        n += 1
    return total


def carried_by_the_loop_around(x):
    held, n = x, 0
    while n < 3:
        x = x + held
        m = 0
        while m < 2:
            held = x * m
            m += 1
        n += 1
    return x


def by_inner_functions(x):
    scale = x * 0 + 1

    def scaled(y):
        return y * scale

    while x.sum() < 50:
        x = scaled(x) + 1
        scale = x * 0 + 2
        other = scaled(x)
        x = x + other
    return x


def in_comprehensions(x):
    k, parts = 7, ()
    while x.sum() < 50:
        parts = [x * k for k in range(3)]
        x = x + parts[1] + parts[2] + 1
    return x * k


def in_handlers(x):
    seen = x * 0
    while x.sum() < 50:
        try:
            if x[0] > 6:
                raise ValueError("large")
            seen = x * 2
        except ValueError:
            x = x + seen
        x = x + 1
    return x


def in_last_blocks(x):
    seen = x
    try:
        while x.sum() < 50:
            seen = x * 2
            if seen[0] > 9:
                return seen + 1
            x = x + seen
    finally:
        x = seen + x
        if x.sum() > 100:
            return x
    return x


def in_the_condition(x):
    y = 1
    while (y := x + 1).sum() < 50:
        x = x + y
    return x + y


def in_the_condition_only(x):
    y = "text"
    while (y := x + 1).sum() < 50:
        x = x + 1 + y
    return x


def over_numbers(x):
    i = "text"
    while x.sum() < 50:
        for i in range(3):
            row = x * i
            x = x + row
        x = x + i
    return x


def returned(x):
    y = x
    while x.sum() < 50:
        y = x * 3
        if y[0] > 20:
            return y
        x = x + y
    return x


FUNCTIONS = [of_another_type, read_behind, assigned_behind, read_on_one_way, skipped_by_continue, read_behind_break,
             read_by_the_next_iteration, nested, carried_by_the_loop_around, by_inner_functions, in_comprehensions, in_handlers,
             in_last_blocks, in_the_condition, in_the_condition_only, over_numbers, returned]


class LoopNamesTest(unittest.TestCase):
    """Equal results, also where a loop runs no iteration."""

    def test_values(self):
        for function in FUNCTIONS:
            compiled = plumb.jit(function)
            for first in (-2, 1, 3, 8, 40):
                x = np.array([first, 1, 2], np.float32)
                with self.subTest(function=function.__name__, first=first):
                    expected, found = function(x), compiled(Tensor(x))
                    for one, other in zip(expected, found) if isinstance(expected, tuple) else [(expected, found)]:
                        np.testing.assert_allclose(np.asarray(other), one, rtol=1e-6)

    def test_still_undefined(self):
        """What only iterations assign has no value behind the loop."""
        def reads(x):
            while x.sum() < 50:
                y = x * 2
                x = x + y
            return y

        with self.assertRaisesRegex(plumb._parse.CompileError, "'y' may be undefined here"):
            plumb.jit(reads)(Tensor(np.ones(3, np.float32)))

    def test_gradient(self):
        """A name of another type before the loop; one that the loop hands on without a change."""
        def loop(x, w, unchanged):
            gate, n, other = None, ops.zeros((), plumb.int32), x * 3
            while n < 5:
                gate = ops.sigmoid(x * w)
                x, other = x * gate + other * unchanged, other
                n = n + 1
            return x.sum()

        def unrolled(x, w, unchanged):
            other = x * 3
            for _ in range(5):
                x = x * ops.sigmoid(x * w) + other * unchanged
            return x.sum()

        inputs = [Tensor(np.array(numbers)) for numbers in ([1.0, -2.0], [0.5, 0.25], [3.0, 0.125])]
        for found, expected in zip(plumb.grad(loop, (0, 1, 2))(*inputs), plumb.grad(unrolled, (0, 1, 2))(*inputs)):
            np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
