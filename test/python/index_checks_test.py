"""Indices that a step computes: one outside its axis ends the launch with an error at the user's line, called and sunk.

Where the host checks a column's values while it fills the queue, nothing is left to do in the step; see bad_input_test.
"""

import os
import unittest

import numpy as np

import plumb
from plumb import dataset, nn, ops

HERE = os.path.basename(__file__)
ROWS, WIDTH, BATCH = 50000, 256, 64  # of a table as language models have them, and the indices into it


def added(x, i):
    return x[i + 1]


def in_a_branch(x, i):
    y = x[0] * 0.0
    if i[0] >= 0:
        y = ops.gather(x, i + 1, 0)[0]
    return y


def in_a_loop(x, i):
    k, total = i[0], x[0, 0] * 0.0
    while k <= i[1]:
        total = total + x[k + 1, 0]
        k = k + 1
    return total


def in_a_loop_in_a_branch(x, i):
    total = x[0, 0] * 0.0
    if i[0] >= 0:
        for k in range(2):
            j = i[0]
            while j <= i[1]:
                total = total + x[j + 1, k]
                j = j + 1
    return total


def looked_up(x, i):
    return ops.transpose(x, (1, 0))[:, i + 1]


def in_a_function(x, i):
    return ops.exp(looked_up(x, i))


def cast(x, i):
    return ops.gather(x, (i.astype(plumb.float32) * 1.0).astype(plumb.int32) + 1, 0)


def in_pairs(x, i):
    return x[i + 1, i % WIDTH]


def stored(x, i):
    x[i + 1] = 0.0
    return x


def scattered(x, i):
    return ops.tensor_scatter_add(x, ops.expand_dims(i + 1, 1), x[:BATCH])


def scattered_in_pairs(x, i):
    return ops.tensor_scatter_update(x, ops.stack((i + 1, i % WIDTH), 1), x[:BATCH, 0])


def scattered_elements(x, i):
    return ops.tensor_scatter_elements(x, ops.expand_dims(i + 1, 1), x[:BATCH, :1])


def added_along_an_axis(x, i):
    return ops.index_add(x, i + 1, x[:BATCH], 0)


def put(x, i):
    return ops.index_put(x, (i + 1, i % WIDTH), x[:BATCH, 0])


# Function, and the line that the error names, counted from the function's own.
CASES = [(added, 1), (in_a_branch, 3), (in_a_loop, 3), (in_a_loop_in_a_branch, 6), (in_a_function, -3), (cast, 1),
         (in_pairs, 1), (stored, 1), (scattered, 1), (scattered_in_pairs, 1), (scattered_elements, 1), (added_along_an_axis, 1),
         (put, 1)]


def line_of(function, line):
    return f"{HERE}:{function.__code__.co_firstlineno + line}:"


class ChosenTest(unittest.TestCase):
    """Types that `select` and `where` take beside each other: MindSpore's."""

    def test_types(self):
        condition, whole, real = plumb.Tensor([True, False]), plumb.Tensor([1, 2], plumb.int32), plumb.Tensor([1.5, 2.5], plumb.float32)
        for chosen in (ops.select(condition, whole, 7), ops.select(condition, real, 7.0), whole.select(condition, 7), ops.where(condition, whole, 7),
                       real.where(condition, 7)):
            self.assertEqual(chosen.asnumpy()[1], 7)
        for args in ((1, 2.0), (1.0, 2.0), (real, 2), (2.0, whole), (real, whole), (True, False), (whole, plumb.Tensor([1, 2]))):
            self.assertRaises(TypeError, ops.select, condition, *args)
            self.assertRaises(TypeError, plumb.jit(ops.select), condition, *args)
        for args in ((1.0, 2.0), (real, whole)):
            self.assertRaises(TypeError, ops.where, condition, *args)
        self.assertRaises(TypeError, ops.select, True, real, real)
        self.assertRaises(TypeError, real.select, condition, 2)


class ComputedIndicesTest(unittest.TestCase):
    """Every way for an index to be computed, with indices at the ends of the axis and one beyond."""

    @classmethod
    def setUpClass(cls):
        cls.table = plumb.Tensor(np.ones((ROWS, WIDTH), np.float32))

    def test_called(self):
        """The first two indices are the ends that loops go from and to."""
        for function, line in CASES:
            with self.subTest(function=function.__name__):
                good = np.full(BATCH, ROWS - 4, np.int32)
                good[:2] = ROWS - 4, ROWS - 2
                bad = good.copy()
                bad[:2] = ROWS - 3, ROWS - 1
                if function is in_a_branch:
                    bad[3] = ROWS + 6
                compiled = plumb.jit(function)
                compiled(self.table, plumb.Tensor(good))
                wrong = ROWS + 7 if function is in_a_branch else ROWS
                pattern = (rf"step 1 computed {wrong}, which is outside (0|-\d+) to \d+, the indices .* at "
                           rf"\S*{line_of(function, line)}\d+")
                with self.assertRaisesRegex(ValueError, pattern):
                    compiled(self.table, plumb.Tensor(bad))
                compiled(self.table, plumb.Tensor(good))

    def test_what_does_not_run_is_no_error(self):
        beyond = np.full(BATCH, ROWS + 7, np.int32)
        beyond[0] = -1
        plumb.jit(in_a_branch)(self.table, plumb.Tensor(beyond))
        plumb.jit(in_a_loop)(self.table, plumb.Tensor(np.array([ROWS + 7, 0], np.int32)))

    def test_negative(self):
        """`x[i]` and an embedding count from the end, once."""
        small = plumb.Tensor(np.arange(5, dtype=np.float32))
        compiled = plumb.jit(lambda x, i: x[i * 2])
        np.testing.assert_array_equal(compiled(small, plumb.Tensor(np.array([-2, 1], np.int32))).asnumpy(), [1, 2])
        with self.assertRaisesRegex(ValueError, "computed -6, which is outside -5 to 4"):
            compiled(small, plumb.Tensor(np.array([-3, 1], np.int32)))
        embedding = nn.Embedding(5, 2)
        rows, looked_up = embedding.embedding_table.asnumpy(), plumb.jit(lambda i: embedding(i * 2))
        np.testing.assert_array_equal(looked_up(plumb.Tensor(np.array([-1, 1], np.int32))).asnumpy(), rows[[3, 2]])
        with self.assertRaisesRegex(ValueError, "computed -6, which is outside -5 to 4"):
            looked_up(plumb.Tensor(np.array([-3, 1], np.int32)))

    def test_gradient_of_negative(self):
        """It goes to the rows that were read."""
        embedding = nn.Embedding(5, 2)
        step = plumb.value_and_grad(lambda i: (embedding(i) * 3.0).sum(), None, embedding.trainable_params())
        for ids in (plumb.Tensor(np.array([-1, 4, -5], np.int32)), plumb.Tensor(np.array([4, -1, 0], np.int32))):
            np.testing.assert_array_equal(step(ids)[1][0].asnumpy(), np.outer([3, 0, 0, 0, 6], [1, 1]))

    def test_negative_where_written(self):
        """Rows of numbers are counted from the front alone, numbers along an axis and of `index_put` from both ends."""
        rows, values = plumb.Tensor(np.array([[-1], [1]], np.int32)), plumb.Tensor(np.array([7, 8], np.float32))
        table = plumb.Parameter(plumb.Tensor(np.zeros(5, np.float32)), name="table")
        for write in (lambda i, v: ops.scatter_nd(i, v, (5,)), lambda i, v: ops.scatter_update(table, i[:, 0], v)):
            with self.assertRaisesRegex(ValueError, "-1, which is outside 0 to 4|-1.*0 to 4"):
                plumb.jit(lambda i, v, f=write: f(i * 1, v))(rows, values)
        zeros = plumb.Tensor(np.zeros(5, np.float32))
        for write in (lambda i, v: ops.index_put(zeros, (i[:, 0],), v), lambda i, v: ops.index_add(zeros, i[:, 0], v, 0)):
            np.testing.assert_array_equal(plumb.jit(write)(rows, values).asnumpy(), [0, 8, 0, 0, 7])

    def test_gradients_and_classes(self):
        """With the loss gone, the gradient still tells; once, and at the same line."""
        scores = plumb.Tensor(np.zeros((2, 3), np.float32))
        entropy = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

        def loss(x, labels):
            return entropy(x, labels + 1)

        for function in (plumb.jit(loss), ops.grad(loss)):
            function(scores, plumb.Tensor(np.array([-1, 1], np.int32)))
            with self.assertRaisesRegex(ValueError, r"computed 3, which is outside 0 to 2, the classes at [^@]*$"):
                function(scores, plumb.Tensor(np.array([0, 2], np.int32)))

        def rows(x, i):
            return ops.reduce_sum(x[i + 1])

        gradient = ops.grad(rows)
        np.testing.assert_array_equal(gradient(scores, plumb.Tensor(np.array([0], np.int32))).asnumpy(), [[0] * 3, [1] * 3])
        with self.assertRaisesRegex(ValueError, "computed 2, which is outside -2 to 1"):
            gradient(scores, plumb.Tensor(np.array([1], np.int32)))

    def test_sunk(self):
        """A counter runs past the end in the sixth step: nobody hears of that step."""
        class Counter(nn.Cell):
            """Looks up the row that its own count names."""

            def __init__(self):
                super().__init__()
                self.table = plumb.Parameter(plumb.Tensor(np.arange(5, dtype=np.float32)), name="table")
                self.count = plumb.Parameter(plumb.Tensor(np.array(0, np.int32)), name="count")

            def construct(self, x):
                row = ops.gather(self.table, self.count, 0)
                self.count = self.count + 1
                return row + x

        for size in (10, 1):
            cell, heard = Counter(), []
            data = dataset.NumpySlicesDataset({"x": np.zeros(10, np.float32)}, shuffle=False).batch(1)
            sink = plumb.data_sink(cell, data, sink_size=size)
            with self.subTest(size=size), self.assertRaisesRegex(ValueError, "computed 5, which is outside (0|-5) to 4"):
                for _ in range(10):
                    heard.append(float(sink().asnumpy()[0]))
            self.assertEqual(heard, [] if size == 10 else [0, 1, 2, 3, 4])


if __name__ == "__main__":
    unittest.main()
