"""Loops over slices that are unrolled, whose iterations share kernels: values and gradients in float64 against PyTorch."""

import unittest

import torch

import numeric
import plumb
from plumb import Tensor, ops

STEPS, ROWS, INPUTS, HIDDEN = 7, 5, 12, 9


def gru_like(lib, xs, wx, wh, take):
    """A gated cell by hand over `STEPS` slices of `xs`, by the functions of `lib`: the sum of all outputs' squares."""
    h = lib.matmul(take(xs, 0), wx)[:, :HIDDEN] * 0
    total = h.sum()
    for t in range(STEPS):
        gates = lib.matmul(take(xs, t), wx) + lib.matmul(h, wh)
        z = lib.sigmoid(gates[:, :HIDDEN])
        h = z * h + (1 - z) * lib.tanh(gates[:, HIDDEN:])
        total = total + (h * h).sum()
    return total


# Strided rows, rows that are contiguous, overlapping windows, rows backwards, and every other column.
SLICES = {
    "steps inside": ((ROWS, STEPS, INPUTS), lambda xs, t: xs[:, t]),
    "steps outermost": ((STEPS, ROWS, INPUTS), lambda xs, t: xs[t]),
    "windows": ((ROWS, STEPS - 1 + INPUTS), lambda xs, t: xs[:, t:t + INPUTS]),
    "backwards": ((ROWS, STEPS, INPUTS), lambda xs, t: xs[:, STEPS - 1 - t]),
    "strided columns": ((ROWS, 2 * INPUTS + STEPS), lambda xs, t: xs[:, t:t + 2 * INPUTS:2]),
}


class UnrolledLoopsTest(unittest.TestCase):
    """Each kind of slice, read and written."""

    def compare(self, function, floats):
        """Compares `function(lib, …)` and its gradients by all arrays."""
        positions = tuple(range(len(floats)))
        value, gradients = plumb.value_and_grad(lambda *args: function(ops, *args), positions)(*map(Tensor, floats))
        leaves = [torch.tensor(each, requires_grad=True) for each in floats]
        expected = function(torch, *leaves)
        expected.backward()
        numeric.compare(value, expected.detach().numpy(), 1e-10, "value")
        for position, leaf in enumerate(leaves):
            numeric.compare(gradients[position], leaf.grad.numpy(), 1e-10, f"gradient {position}")

    def test_recurrent_cell(self):
        for name, (shape, take) in SLICES.items():
            with self.subTest(name):
                floats = [numeric.numbers(*shape), numeric.numbers(INPUTS, 2 * HIDDEN, seed=1) * 0.3,
                          numeric.numbers(HIDDEN, 2 * HIDDEN, seed=2) * 0.3]
                self.compare(lambda lib, xs, wx, wh, take=take: gru_like(lib, xs, wx, wh, take), floats)

    def test_slices_of_one_tensor_read_and_written(self):
        """Kernels whose operands are two slices of one buffer, at distances that differ."""
        def scan(lib, xs, w):
            rows = [xs[:, 0]]
            for t in range(1, STEPS):
                rows.append(lib.tanh(rows[t - 1] * w + xs[:, t] * rows[t // 2]))
            out = lib.stack(rows, 1)
            return (out[:, 1:] * out[:, :-1]).sum() + (out[:, 2:] - out[:, :-2]).sum()

        self.compare(scan, [numeric.numbers(ROWS, STEPS, INPUTS), numeric.numbers(INPUTS, seed=1)])

    def test_products_of_slices(self):
        """Both factors and the result are slices: blocks of a matrix product by hand."""
        size = 16

        def blocks(lib, a, b):
            total = (a[:size, :size] * 0).sum()
            for i in range(3):
                for j in range(3):
                    part = lib.matmul(a[i * size:(i + 1) * size, :], b[:, j * size:(j + 1) * size])
                    total = total + (part * part).sum() * (1 + i - j)
            return total

        self.compare(blocks, [numeric.numbers(3 * size, 20), numeric.numbers(20, 3 * size, seed=1)])


if __name__ == "__main__":
    unittest.main()
