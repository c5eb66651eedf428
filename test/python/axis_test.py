"""Scans, sorting, gathering and scattering along an axis: values and gradients against NumPy and PyTorch, at users' sizes too.

Many cases are compiled as one function: what is new is the operations, not the calls.
"""

import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, ops
from plumb.ops import _functions as F
from numeric import check, distinct, numbers

X = numbers(3, 4, 5)
ZEROS = np.where(np.abs(X) < 0.4, 0, X)
A, B = numbers(2, 6, seed=4) * 0.7, numbers(2, 6, seed=5)
CHOICE = np.array([2, 0, 2, 7, -1], np.int32)


def cumulative(function, neutral, x, axis, exclusive=False, reverse=False):
    """cumsum or cumprod by NumPy's `function`."""
    x = np.flip(x, axis) if reverse else x
    y = function(x, axis)
    if exclusive:
        y = np.concatenate([np.full_like(np.take(y, [0], axis), neutral), np.delete(y, -1, axis)], axis)
    return np.flip(y, axis) if reverse else y


def recurrence(a, b, reverse=False):
    """y[k] = a[k] y[k-1] + b[k] along the last axis."""
    if reverse:
        return np.flip(recurrence(np.flip(a, 1), np.flip(b, 1)), 1)
    y = np.zeros_like(b)
    for k in range(b.shape[1]):
        y[:, k] = b[:, k] + (a[:, k] * y[:, k - 1] if k else 0)
    return y


def scatter(x, indices, updates, mode):
    """`net.scatter` by a loop."""
    y = np.array(x)
    for index, update in zip(indices, updates):
        if 0 <= index < len(y):
            y[index] = {"update": lambda old, new: new, "add": np.add, "sub": np.subtract, "mul": np.multiply,
                        "div": np.divide, "max": np.maximum, "min": np.minimum}[mode](y[index], update)
    return y


def in_pairs(results):
    """Results of a compiled function, which come in groups, two by two."""
    flat = [value for group in results for value in group]
    return list(zip(flat[::2], flat[1::2]))


FLAGS = [(False, False), (True, False), (False, True), (True, True)]


class ScansTest(unittest.TestCase):
    """Sums, products and extremes of the elements so far."""

    def test_values(self):
        cases = [(axis, *flags) for axis in (0, 1, -1) for flags in FLAGS]
        for x in (X.astype(np.float32), ZEROS, np.arange(60).reshape(3, 4, 5).astype(np.int32) % 7):
            made = in_pairs(plumb.jit(lambda x: tuple([(F.cumsum(x, *case), F.cumprod(x, *case)) for case in cases]))(Tensor(x)))
            for case, (sums, products) in zip(cases, made):
                for value, function, neutral in ((sums, np.cumsum, 0), (products, np.cumprod, 1)):
                    np.testing.assert_allclose(value.asnumpy(), cumulative(function, neutral, x.astype(np.float64), *case),
                                               rtol=1e-5, atol=1e-5, err_msg=str(case))
                    self.assertEqual(value.asnumpy().dtype, x.dtype)

    def test_gradients(self):
        for axis, flags in ((0, FLAGS[0]), (-1, FLAGS[1]), (1, FLAGS[2]), (2, FLAGS[3])):
            check(lambda x: F.cumsum(x, axis, *flags) * F.cumprod(x, axis, *flags),
                  lambda x: cumulative(np.cumsum, 0, x, axis, *flags) * cumulative(np.cumprod, 1, x, axis, *flags),
                  ZEROS, dtype=np.float64, what=str((axis, flags)))
        for back in (False, True):
            check(lambda a, b: F.linear_recurrence(a, b, 1, back), lambda a, b: recurrence(a, b, back), A, B,
                  dtype=np.float64, what="linear_recurrence")

    def test_extremes(self):
        ties = np.round(X * 2)
        ties[1, 2, 3] = np.nan
        for x in (ties.astype(np.float32), np.round(X * 2).astype(np.int32), (np.abs(X) * 90).astype(np.uint8)):
            made = in_pairs(plumb.jit(lambda x: tuple([F.cummax(x, axis) + F.cummin(x, axis) for axis in (0, 1, 2)]))(Tensor(x)))
            for axis in range(3):
                for (values, indices), function in zip(made[2 * axis:2 * axis + 2], (torch.cummax, torch.cummin)):
                    expected = function(torch.from_numpy(x), axis)
                    np.testing.assert_array_equal(values.asnumpy(), expected.values.numpy())
                    np.testing.assert_array_equal(indices.asnumpy(), expected.indices.numpy())
        check(lambda x: F.cummax(x, 1)[0] - F.cummin(x, 0)[0],
              lambda x: np.maximum.accumulate(x, 1) - np.minimum.accumulate(x, 0), distinct(3, 4), dtype=np.float64)

    def test_large(self):
        x = numbers(4096, 1000).astype(np.float32)
        for axis in (0, 1):
            np.testing.assert_allclose(ops.cumsum(Tensor(x), axis).asnumpy(), np.cumsum(x, axis, np.float64), atol=2e-3)

    def test_halves_add_in_float32(self):
        x = np.full((3, 4096), 0.1, np.float16)
        np.testing.assert_allclose(ops.cumsum(Tensor(x), 1).asnumpy(), np.cumsum(x, 1, np.float32), rtol=1e-3)


class SortTest(unittest.TestCase):
    """Order along an axis."""

    def check_order(self, x, axis, descending):
        """Compares with NumPy's stable order; NaN counts as the largest."""
        values, indices = plumb.jit(lambda x: F.sort(x, axis, descending))(Tensor(x))
        flipped = np.flip(x, axis)
        order = np.argsort(flipped if descending else x, axis, kind="stable")
        if descending:
            order = np.flip(x.shape[axis] - 1 - order, axis)
        np.testing.assert_array_equal(indices.asnumpy(), order)
        np.testing.assert_array_equal(values.asnumpy(), np.take_along_axis(x, order, axis))

    def test_values(self):
        ties = np.round(numbers(5, 33, 2) * 3).astype(np.float32)
        ties[2, 5, 1], ties[3, 7, 0], ties[0, 0, 0], ties[4, 1, 1] = np.nan, np.inf, -np.inf, np.nan
        for axis in (0, 1, 2):
            for descending in (False, True):
                self.check_order(ties, axis, descending)
        for kind in (np.int8, np.uint8, np.int64, np.uint32, np.float16, np.float64, np.bool_):
            x = np.random.default_rng(3).integers(0, 2 if kind == np.bool_ else 200, (4, 37)).astype(kind)
            self.check_order(x, 1, False)
        for extent in (1, 2, 3, 4, 5, 16, 17):
            self.check_order(numbers(3, extent), -1, True)

    def test_large(self):
        x = numbers(50000, 16).astype(np.float32)
        self.check_order(x, 0, False)
        self.check_order(np.sort(x.ravel())[::-1].copy(), 0, False)

    def test_gradient(self):
        x = distinct(4, 5, 3)
        for axis in (0, 1, 2):
            check(lambda x: F.sort(x, axis, True)[0], lambda x: -np.sort(-x, axis), x, dtype=np.float64)

    def test_smallest(self):
        x = np.round(X * 2).astype(np.float32)
        x[1, 2, 3] = np.nan
        for value in (x, np.nan_to_num(x).astype(np.int32), np.array([[200, 3, 250], [255, 255, 255]], np.uint8)):
            for axis in range(value.ndim):
                low, high = plumb.jit(lambda x: (F.argmin(x, axis), F.argmax(x, axis)))(Tensor(value))
                np.testing.assert_array_equal(low.asnumpy(), value.argmin(axis))
                np.testing.assert_array_equal(high.asnumpy(), value.argmax(axis))


class ScalarsTest(unittest.TestCase):
    """A scalar has the axes of a vector, 0 and -1, as PyTorch's and MindSpore's do."""

    def test_reductions(self):
        kinds = {"sum": torch.sum, "mean": torch.mean, "prod": torch.prod, "amax": torch.amax, "amin": torch.amin, "logsumexp": torch.logsumexp}
        for name, reference in kinds.items():
            for axis in (0, -1):
                for keep in (False, True):
                    with self.subTest(name, axis=axis, keep=keep):
                        x = torch.tensor(2.5, requires_grad=True)
                        expected = reference(x, dim=axis, keepdim=keep)
                        expected.backward()
                        value, gradient = plumb.value_and_grad(lambda x, f=getattr(ops, name), a=axis, k=keep: f(x, a, k))(Tensor(2.5))
                        self.assertEqual((value.shape, gradient.shape), ((), ()))
                        np.testing.assert_allclose([value.asnumpy(), gradient.asnumpy()], [expected.item(), x.grad.item()], rtol=1e-6)

    def test_other_axes(self):
        for axis in (1, -2):
            with self.assertRaisesRegex(ValueError, f"axis {axis} is out of range"):
                ops.ReduceSum()(Tensor(2.5), axis)


class IndexTest(unittest.TestCase):
    """Gathering in batches, scattering, counting."""

    def test_gather_in_batches(self):
        x, indices = numbers(2, 3, 7, 4), np.random.default_rng(1).integers(0, 7, (2, 3, 5))
        check(lambda x, i: F.gather(x, i, 2, 2), lambda x, i: np.take_along_axis(x, i[..., None], 2), x, indices,
              dtype=np.float64)
        check(lambda x, i: F.gather(x, i, 2, 1), lambda x, i: np.stack([np.take(p, q, 1) for p, q in zip(x, i)]), x,
              indices[:, 0], dtype=np.float64)
        check(lambda x, i: F.gather(x, i, 1, 1), lambda x, i: np.take_along_axis(x, i, 1), numbers(4, 6),
              np.random.default_rng(2).integers(0, 6, (4, 9)), dtype=np.float64)

    def test_scatter(self):
        x, updates = numbers(4, 3), numbers(5, 3, seed=2)
        for mode in ("update", "add", "sub", "max", "min"):
            check(lambda x, i, u, m=mode: F.scatter(x, i, u, m), lambda x, i, u, m=mode: scatter(x, i, u, m), x, CHOICE,
                  updates, dtype=np.float64, what=mode)
        for mode in ("mul", "div"):
            for kind in (np.float32, np.int32):
                y, u = (x * 9).astype(kind), (np.round(updates * 2) + 5).astype(kind)
                made = plumb.jit(lambda x, i, u, m=mode: F.scatter(x, i, u, m))(Tensor(y), Tensor(CHOICE), Tensor(u))
                expected = scatter(y, CHOICE, u, mode) if kind == np.float32 or mode == "mul" else None
                if expected is not None:
                    np.testing.assert_allclose(made.asnumpy(), expected, rtol=1e-6)

    def test_scatter_in_batches(self):
        x, indices, updates = numbers(3, 4), np.array([[0, 3, 0], [1, 1, 9], [2, -4, 3]]), numbers(3, 3, seed=2)
        for mode in ("update", "add", "max"):
            check(lambda x, i, u, m=mode: F.scatter(x, i, u, m, 1),
                  lambda x, i, u, m=mode: np.stack([scatter(*row, m) for row in zip(x, i, u)]), x, indices, updates,
                  dtype=np.float64, what=mode)

    def test_equal_ones_share_a_gradient(self):
        x, updates = np.array([1.0, 5.0]), np.array([1.0, 1.0, 2.0])
        total = plumb.grad(lambda x, i, u: ops.reduce_sum(F.scatter(x, i, u, "max")), (0, 2))
        ofx, ofu = total(Tensor(x), Tensor(np.array([0, 0, 1])), Tensor(updates))
        np.testing.assert_allclose(ofx.asnumpy(), [1 / 3, 1])
        np.testing.assert_allclose(ofu.asnumpy(), [1 / 3, 1 / 3, 0])

    def test_large_scatter(self):
        rng = np.random.default_rng(5)
        x, indices, updates = np.zeros((1000, 64), np.float32), rng.integers(0, 1000, 20000), rng.random((20000, 64))
        made = plumb.jit(lambda x, i, u: F.scatter(x, i, u, "add"))(*map(Tensor, (x, indices, updates.astype(np.float32))))
        expected = np.zeros((1000, 64))
        np.add.at(expected, indices, updates)
        np.testing.assert_allclose(made.asnumpy(), expected, rtol=1e-4)

    def test_positions(self):
        made = plumb.jit(lambda: (F.iota((2, 3), 1), F.iota((2, 3), 0, plumb.float32), F.iota((300,), 0, plumb.int64)))()
        np.testing.assert_array_equal(made[0].asnumpy(), [[0, 1, 2]] * 2)
        np.testing.assert_array_equal(made[1].asnumpy(), [[0, 0, 0], [1, 1, 1]])
        np.testing.assert_array_equal(made[2].asnumpy(), np.arange(300))


if __name__ == "__main__":
    unittest.main()
