"""Gradients through loops on tensors, in float64 against PyTorch: few steps and more than a tape has slots, nested, twice."""

import unittest

import numpy as np
import torch

import numeric
import plumb
from plumb import Parameter, Tensor, nn, ops


def lstm(xs, h, c, wx, wh, b, steps):
    """The last output of a cell over `steps` rows of `xs`, and the sum of all squares of outputs."""
    size = h.shape[1]
    total = h.sum() * 0
    t = 0
    while t < steps:
        gates = ops.matmul(xs[t], wx) + ops.matmul(h, wh) + b
        kept = ops.sigmoid(gates[:, :size])
        new = ops.sigmoid(gates[:, size:2 * size]) * ops.tanh(gates[:, 2 * size:3 * size])
        c = kept * c + new
        h = ops.sigmoid(gates[:, 3 * size:]) * ops.tanh(c)
        total = total + (h * h).sum()
        t = t + 1
    return h, total


def torch_lstm(xs, h, c, wx, wh, b, steps):
    """The same, by PyTorch."""
    size = h.shape[1]
    total = 0
    for t in range(steps):
        gates = xs[t] @ wx + h @ wh + b
        kept = torch.sigmoid(gates[:, :size])
        new = torch.sigmoid(gates[:, size:2 * size]) * torch.tanh(gates[:, 2 * size:3 * size])
        c = kept * c + new
        h = torch.sigmoid(gates[:, 3 * size:]) * torch.tanh(c)
        total = total + (h * h).sum()
    return h, total


def compare(function, reference, floats, steps, rtol=1e-10):
    """Compares values and gradients by all floats."""
    positions = tuple(range(len(floats)))
    values, gradients = plumb.value_and_grad(function, positions)(*map(Tensor, floats), Tensor(np.array(steps)))
    leaves = [torch.tensor(value, requires_grad=True) for value in floats]
    expected = reference(*leaves, steps)
    expected = expected if isinstance(expected, tuple) else (expected,)
    sum(value.sum() for value in expected).backward()
    for value, other in zip(values if isinstance(values, tuple) else (values,), expected):
        numeric.compare(value, other.detach().numpy(), rtol, "value")
    for position, leaf in enumerate(leaves):
        numeric.compare(gradients[position], leaf.grad.numpy(), rtol, f"gradient {position}")


class Reader(nn.Cell):
    """Reads its Parameter in every step of a loop."""

    def __init__(self, w):
        super().__init__()
        self.w = Parameter(Tensor(w), name="w")

    def construct(self, x, steps):
        t = 0
        while t < steps:
            x = ops.tanh(x * self.w)
            t = t + 1
        return x.sum()


class Writer(nn.Cell):
    """Writes its Parameters in every step of a loop, one of them in a branch, and reads them in the next."""

    def __init__(self, fast, w):
        super().__init__()
        self.fast, self.calls = Parameter(Tensor(fast), name="fast"), Parameter(Tensor(np.array(0, np.int32)), name="calls")
        self.w = Parameter(Tensor(w), name="w")

    def construct(self, x, steps):
        total, t = x.sum() * 0, 0
        while t < steps:
            x = ops.tanh(ops.matmul(x, self.fast) + self.w)
            if x.sum() > 0:
                self.fast = self.fast * 0.75 + ops.matmul(ops.transpose(x, (1, 0)), x)
            self.calls = self.calls + 1
            total = total + x.sum()
            t = t + 1
        return total + (self.fast * self.fast).sum()


def torch_writer(x, fast, w, steps):
    """The same, by PyTorch; the value and the Parameter's last. A gradient takes each read for the Parameter itself."""
    total, held = 0, fast.detach()

    def read():
        return fast + (held - fast).detach()

    for _ in range(steps):
        x = torch.tanh(x @ read() + w)
        if x.sum() > 0:
            held = (held * 0.75 + x.T @ x).detach()
        total = total + x.sum()
    return total + (read() * read()).sum(), held


class LoopGradientsTest(unittest.TestCase):
    """One loop per test."""

    def test_loops_that_write(self):
        """By the input, by a Parameter that is only read, and by the one that the loop writes."""
        x, fast, w = numeric.numbers(3, 4), numeric.numbers(4, 4, seed=1), numeric.numbers(4, seed=2)
        for steps in (0, 1, 5, 40):
            with self.subTest(steps=steps):
                cell = Writer(fast, w)
                gradient = plumb.value_and_grad(cell, 0, [cell.w, cell.fast])
                value, (by_x, by_weights) = gradient(Tensor(x), Tensor(np.array(steps)))
                leaves = [torch.tensor(array, requires_grad=True) for array in (x, fast, w)]
                expected, last = torch_writer(*leaves, steps)
                expected.backward()
                numeric.compare(value, expected.detach().numpy(), 1e-10, "value")
                for what, own, leaf in zip(("x", "w", "fast"), (by_x, *by_weights), (leaves[0], leaves[2], leaves[1])):
                    other = leaf.grad.numpy() if leaf.grad is not None else np.zeros(leaf.shape)
                    numeric.compare(own, other, 1e-10, f"gradient by {what}")
                numeric.compare(cell.fast, last.detach().numpy(), 1e-10, "the Parameter")
                self.assertEqual(int(cell.calls.asnumpy()), steps)

    def test_lstm(self):
        floats = [numeric.numbers(40, 2, 3), numeric.numbers(2, 4), numeric.numbers(2, 4, seed=1), numeric.numbers(3, 16),
                  numeric.numbers(4, 16), numeric.numbers(16)]
        for steps in (40, 1, 7):
            compare(lstm, torch_lstm, floats, steps)

    def test_many_steps(self):
        """More steps than states are kept: the stride between these doubles again and again, at last beyond the window in which
        states are computed again."""
        def recurrence(h, a, steps):
            t = 0
            while t < steps:
                h = h + ops.sin(h * 3) * a * 0.001
                t = t + 1
            return h

        def torch_recurrence(h, a, steps):
            for _ in range(steps):
                h = h + torch.sin(h * 3) * a * 0.001
            return h

        # Slow, so that rounding does not grow over the steps.
        for steps in (1023, 1024, 1025, 2049, 3000, 5000, 70001):
            compare(recurrence, torch_recurrence, [np.array([0.3, -0.2, 0.9]), np.array([-0.15, 0.1, 0.2])], steps, rtol=1e-8)

    def test_rows_written(self):
        """Each step writes rows of some axis, twice and at both ends, and reads them; the loop's count is known or not."""
        def rows(h, x, steps):
            out, t = x * 2, steps * 0
            while t < steps:
                h = ops.tanh(h * 1.1 + x[t])
                out[t] = h
                out[-1 - t] = out[t] * h
                out[t] = out[t] + out[0]
                t = t + 1
            return (out * out).sum()

        def torch_rows(h, x, steps):
            out = list(torch.unbind(x * 2))
            for t in range(steps):
                h = torch.tanh(h * 1.1 + x[t])
                out[t] = h
                out[-1 - t] = out[t] * h
                out[t] = out[t] + out[0]
            return (torch.stack(out) ** 2).sum()

        def columns(h, x, steps):
            out, t = ops.transpose(x, (1, 0)) * 2, steps * 0
            y = ops.stack((out, out), 2)
            while t < steps:
                h = ops.tanh(h * 1.1 + x[t])
                out[:, t] = h
                y[..., -1 - t, :] = ops.stack((out[:, t], h), 1)
                out[:, -1 - t] = out[:, t] * h * y[:, t, 1]
                out[:, t] = out[:, t] + out[:, 0]
                t = t + 1
            return (out * out).sum() + (y * y * y).sum()

        def torch_columns(h, x, steps):
            out = list(torch.unbind(x * 2))
            y = [torch.stack((row, row), 1) for row in out]
            for t in range(steps):
                h = torch.tanh(h * 1.1 + x[t])
                out[t] = h
                y[-1 - t] = torch.stack((out[t], h), 1)
                out[-1 - t] = out[t] * h * y[t][:, 1]
                out[t] = out[t] + out[0]
            return (torch.stack(out) ** 2).sum() + (torch.stack(y) ** 3).sum()

        for steps in (1, 7, 30):
            compare(rows, torch_rows, [numeric.numbers(4), numeric.numbers(30, 4, seed=1)], steps)
            compare(columns, torch_columns, [numeric.numbers(4), numeric.numbers(30, 4, seed=1)], steps)
            compare(lambda h, x, n, count=steps: rows(h, x, count) + n * 0,
                    lambda h, x, n, count=steps: torch_rows(h, x, count), [numeric.numbers(4), numeric.numbers(30, 4, seed=1)], 0)

    def test_results_kept(self):
        """Products, convolutions, softmax and sums in a loop that is counted: what is kept of them serves both orders."""
        def attend(h, w, kernel, steps):
            total, t = h.sum() * 0, 5
            t = t + steps * 0
            while t > 0:
                scores = ops.softmax(ops.matmul(h, w), -1)
                h = ops.tanh(ops.matmul(scores, h) + ops.conv2d(h.reshape(1, 1, 4, 4), kernel, pad_mode="pad", padding=1).reshape(4, 4))
                total = total + (h * h.mean(0)).sum() * t
                t = t - 1
            return total + h.sum()

        def torch_attend(h, w, kernel, steps):
            total = 0
            for t in range(5, 0, -1):
                scores = torch.softmax(h @ w, -1)
                h = torch.tanh(scores @ h + torch.nn.functional.conv2d(h.reshape(1, 1, 4, 4), kernel, padding=1).reshape(4, 4))
                total = total + (h * h.mean(0)).sum() * t
            return total + h.sum()

        def counted(h, w, kernel, steps):
            return attend(h, w, kernel, 0)

        def first(h, w, kernel, steps):
            gradients = plumb.grad(counted, (0, 1, 2))(h, w, kernel, steps)
            return (gradients[0] ** 2).sum() + (gradients[1] * gradients[2].sum()).sum()

        def torch_first(h, w, kernel, steps):
            gradients = torch.autograd.grad(torch_attend(h, w, kernel, steps), (h, w, kernel), create_graph=True)
            return (gradients[0] ** 2).sum() + (gradients[1] * gradients[2].sum()).sum()

        floats = [numeric.numbers(4, 4), numeric.numbers(4, 4, seed=1), numeric.numbers(1, 1, 3, 3, seed=2)]
        compare(attend, torch_attend, floats, 1)
        compare(counted, torch_attend, floats, 1)
        compare(first, torch_first, floats, 1)

    def test_parameter(self):
        """A loop that reads a Parameter."""
        x, w = numeric.numbers(4), numeric.numbers(4, seed=1)
        reader = Reader(w)
        found, (by_w,) = plumb.grad(reader, 0, reader.trainable_params())(Tensor(x), Tensor(np.array(5)))
        y, v = torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True)
        z = y
        for _ in range(5):
            z = torch.tanh(z * v)
        z.sum().backward()
        numeric.compare(found, y.grad.numpy(), 1e-12, "input")
        numeric.compare(by_w, v.grad.numpy(), 1e-12, "weight")

    def test_break(self):
        def newton(x, a, steps):
            t = 0
            while t < steps:
                if ops.abs(x * x - a) < 1e-3:
                    break
                x = (x + a / x) * 0.5
                if x > 100:
                    return x * 7
                t = t + 1
            return x + a

        def torch_newton(x, a, steps):
            for _ in range(steps):
                if abs(x * x - a) < 1e-3:
                    break
                x = (x + a / x) * 0.5
                if x > 100:
                    return x * 7
            return x + a

        for start in (1.0, 0.01, 1.414):
            compare(newton, torch_newton, [np.array(start), np.array(2.0)], 50)

    def test_nested(self):
        def nested(x, w, steps):
            i = 0
            total = x.sum() * 0
            while i < steps:
                j = 0
                y = x
                while j < i:
                    y = ops.tanh(y * w)
                    j = j + 1
                total = total + (y * x[i]).sum()
                x = x * 0.9 + y * 0.1
                i = i + 1
            return total

        def torch_nested(x, w, steps):
            total = 0
            for i in range(steps):
                y = x
                for _ in range(i):
                    y = torch.tanh(y * w)
                total = total + (y * x[i]).sum()
                x = x * 0.9 + y * 0.1
            return total

        compare(nested, torch_nested, [numeric.numbers(5), numeric.numbers(5, seed=1)], 5)

    def test_stores(self):
        """Rows that a loop stores, and reads again."""
        def scan(xs, w, steps):
            out = xs * 0
            t = 0
            while t < steps:
                out[t] = ops.tanh(xs[t] * w + out[t - 1])
                t += 1
            return out

        def torch_scan(xs, w, steps):
            rows = [torch.zeros_like(xs[0])] * len(xs)
            for t in range(steps):
                rows[t] = torch.tanh(xs[t] * w + rows[t - 1])
            return torch.stack(rows)

        compare(scan, torch_scan, [numeric.numbers(6, 3), numeric.numbers(3)], 6)

    def test_rows_of_captured_tensors(self):
        """Several rows in a step, in a branch, beside other uses; what a step captures is a state, too, or its first value."""
        def rows(x, w, forced, steps):
            t, h, total = 0, x[0], (x.sum() + w.sum() + forced.sum()) * 0
            held = x[1]
            while t < steps:
                h = ops.tanh(ops.matmul(h, w) + x[t] * x[t + 1])
                if forced[t] > 0:
                    h = h + x[t + 2]
                    held = x[2]
                total = total + (h * held).sum() + (x * x).sum() * 0.125
                t = t + 1
            return total

        def first(x, w, forced, steps):
            t, h = 0, x
            while t < steps:
                h = ops.tanh(ops.matmul(h, w) + x)
                if h.sum() > 0:
                    h = x
                t = t + 1
            return h + (w.sum() + forced.sum()) * 0

        def torch_rows(x, w, forced, steps):
            h, held, total = x[0], x[1], (x.sum() + w.sum() + forced.sum()) * 0
            for t in range(steps):
                h = torch.tanh(h @ w + x[t] * x[t + 1])
                if forced[t] > 0:
                    h, held = h + x[t + 2], x[2]
                total = total + (h * held).sum() + (x * x).sum() * 0.125
            return total

        def torch_first(x, w, forced, steps):
            h = x
            for _ in range(steps):
                h = torch.tanh(h @ w + x)
                if h.sum() > 0:
                    h = x
            return h + (w.sum() + forced.sum()) * 0

        rng = np.random.default_rng(17)
        floats = [rng.standard_normal((12, 3, 4)), rng.standard_normal((4, 4)) / 2, rng.standard_normal(10)]
        for steps in (0, 1, 3, 9):
            compare(rows, torch_rows, floats, steps)
            compare(first, torch_first, floats, steps)

    def test_second_order(self):
        def power(x, w, steps):
            t = 0
            while t < steps:
                x = ops.sin(x * w)
                t = t + 1
            return x.sum()

        def first(x, w, steps):
            gradient = plumb.grad(power, 0)(x, w, steps)
            return (gradient * gradient).sum()

        def torch_first(x, w, steps):
            y = x
            for _ in range(steps):
                y = torch.sin(y * w)
            gradient, = torch.autograd.grad(y.sum(), x, create_graph=True)
            return (gradient * gradient).sum()

        compare(first, torch_first, [numeric.numbers(3), numeric.numbers(3, seed=1)], 6)

    def test_loops_one_behind_another(self):
        """A loop that is reversed is erased: what stands at its address later has an adjoint of its own, or none."""
        def function(x, rows):
            y = ops.exp(ops.tanh(-x))
            for _ in range(2):
                for _ in range(3):
                    before = y
                    total = before.sum() * 0
                    while total < 2:
                        total += 1
                        x[rows % 2] = 7.0
                        y = ops.broadcast_to(total, (2, 3))
                        if not y[1, 2] < 0.3:
                            break
                last = before.sum() * 0
                while last < 1:
                    last = last + 1
                    x = y
            return total * 2 + x.sum()

        gradient = plumb.grad(function)(Tensor(np.ones((2, 3), np.float32)), Tensor(np.array([[-1, 1, -3]])))
        np.testing.assert_array_equal(gradient.asnumpy(), np.zeros((2, 3)))


if __name__ == "__main__":
    unittest.main()
