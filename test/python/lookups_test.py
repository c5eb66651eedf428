"""Lookups at the sizes of language models: rows of tables, the tables' gradients and updates, against NumPy.

The sizes cross those from which kernels are cut into parts for threads, where a body's table must come along.
"""

import unittest

import numpy as np

import plumb
from plumb import nn, ops
import numeric

# Rows and columns of a table, and the shape of the indices.
SIZES = [((50, 64), (8, 64)), ((50, 1), (16384,)), ((3, 4096), (5,)), ((50000, 256), (16, 64))]


def gradient_of_rows(shape, indices, dy):
    """What each row of a table receives: sums of `dy` where it was looked up."""
    result = np.zeros(shape)
    np.add.at(result, indices, dy)
    return result


class Step(nn.Cell):
    """A weighted sum of looked-up rows, and one step of gradient descent on it."""

    def __init__(self, table, rate):
        super().__init__()
        self.table = nn.Embedding(*table.shape, embedding_table=plumb.Tensor(table))
        self.optimizer = nn.SGD(self.trainable_params(), rate)
        self.both = plumb.value_and_grad(lambda i, w: ops.reduce_sum(ops.tanh(self.table(i)) * w), None,
                                         self.trainable_params())

    def construct(self, i, w):
        loss, gradients = self.both(i, w)
        self.optimizer(gradients)
        return loss


class RateStep(nn.Cell):
    """One step of gradient descent at a rate that is known when it runs; the gradient of each row is a sum of `w`."""

    def __init__(self, table):
        super().__init__()
        self.table = plumb.Parameter(plumb.Tensor(table), name="table")
        self.gradients = plumb.grad(lambda i, w: ops.reduce_sum(ops.gather(self.table, i, 0) * w), None, [self.table])

    def construct(self, i, w, rate):
        ops.assign_sub(self.table, self.gradients(i, w)[0] * rate)
        return rate


class LookupsTest(unittest.TestCase):

    def test_rows_gradients_and_updates(self):
        for table_shape, index_shape in SIZES:
            with self.subTest(table=table_shape, indices=index_shape):
                rng = np.random.default_rng(7)
                table = rng.standard_normal(table_shape).astype(np.float32)
                weights = rng.standard_normal(index_shape + table_shape[1:]).astype(np.float32)
                indices = rng.integers(0, table_shape[0], index_shape).astype(np.int32)
                step = Step(table, 0.5)
                loss = step(plumb.Tensor(indices), plumb.Tensor(weights))
                rows = np.tanh(table.astype(np.float64)[indices])
                numeric.compare(loss, np.sum(rows * weights), 1e-4, "loss")
                moved = table - 0.5 * gradient_of_rows(table_shape, indices, weights * (1 - rows ** 2))
                numeric.compare(step.table.embedding_table, moved, 1e-5, "table after a step")

    def test_rows_of_large_tables_are_updated_as_the_complete_table_is(self):
        """Rows that are looked up several times among them, signs of zeros, and rates that no row escapes."""
        rng = np.random.default_rng(9)
        table = rng.integers(-8, 9, (3000, 8)).astype(np.float32)
        table[::2, 0] = -0.0
        for size, limit in ((20, 3000), (20, 4), (1, 3000)):
            indices = rng.integers(0, limit, size).astype(np.int32)
            weights = rng.integers(-8, 9, (size, 8)).astype(np.float32)
            gradient = gradient_of_rows(table.shape, indices, weights).astype(np.float32)
            for rate in (0.5, 0.0, -0.5, np.inf, np.nan):
                with self.subTest(rows=size, of=limit, rate=rate), np.errstate(invalid="ignore"):
                    step = RateStep(table)
                    step(plumb.Tensor(indices), plumb.Tensor(weights), plumb.Tensor(rate, plumb.float32))
                    expected, found = table - gradient * np.float32(rate), step.table.asnumpy()
                    np.testing.assert_array_equal(found, expected)
                    isnan = np.isnan(expected)
                    np.testing.assert_array_equal(np.signbit(found)[~isnan], np.signbit(expected)[~isnan])

    def test_computed_table_in_a_product(self):
        """The looked-up table is a product's other factor, too, and its rows are another operation's result."""
        rng = np.random.default_rng(8)
        table, weights = (rng.standard_normal(shape).astype(np.float32) for shape in ((200, 64), (512, 200)))
        indices = rng.integers(0, 200, 512).astype(np.int32)

        def function(t, i, w):
            t = ops.tanh(t)
            return ops.reduce_sum(ops.matmul(ops.gather(t, i, 0), t, False, True) * w)

        arguments = [plumb.Tensor(array) for array in (table, indices, weights)]
        value, gradient = plumb.value_and_grad(function)(*arguments)
        t = np.tanh(table.astype(np.float64))
        numeric.compare(value, np.sum(t[indices] @ t.T * weights), 1e-4, "value")
        by_t = weights.T @ t[indices] + gradient_of_rows(t.shape, indices, weights @ t)
        numeric.compare(gradient, by_t * (1 - t ** 2), 1e-4, "gradient")


class NarrowIndicesTest(unittest.TestCase):
    """Indices of a type that has fewer numbers than there are columns: each marks one column, and no other."""

    def test_narrow_indices(self):
        scores, dy = numeric.numbers(3, 70000), numeric.numbers(3, seed=1)
        entropy = nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        for kind in (np.int8, np.int16):
            labels = np.array([3, 100, 0], kind)
            with self.subTest(type=kind.__name__):
                marks = plumb.jit(lambda i: ops.one_hot(i, 70000, plumb.Tensor(1.0), plumb.Tensor(0.0)))(plumb.Tensor(labels))
                np.testing.assert_array_equal(np.argwhere(marks.asnumpy()), np.stack([np.arange(3), labels], 1))
                loss, gradient = plumb.value_and_grad(lambda x, i, w: (entropy(x, i) * w).sum())(
                    plumb.Tensor(scores), plumb.Tensor(labels), plumb.Tensor(dy))
                shares = np.exp(scores - scores.max(1, keepdims=True))
                shares /= shares.sum(1, keepdims=True)
                own = shares[np.arange(3), labels]
                numeric.compare(loss, -(np.log(own) * dy).sum(), 1e-10, "loss")
                shares[np.arange(3), labels] -= 1
                numeric.compare(gradient, shares * dy[:, None], 1e-9, "gradient")


if __name__ == "__main__":
    unittest.main()
