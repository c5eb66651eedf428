"""Reading and storing by index: the same text is compiled and run by NumPy, values and gradients agree.

Each line of a table works on `x` of shape (4, 5, 6). All lines of a table are compiled as one function. Gradients are
compared with central differences of what NumPy computes.
"""

import linecache
import unittest

import numpy as np

import numeric
import plumb
from plumb import Parameter, Tensor, nn
from plumb._parse import CompileError

READS = """
x[1:3]
x[..., None, ::-1]
x[1:3, ..., None, ::-1]
x[-1]
x[::2, 1]
x[3:0:-1, ::2, -2]
x[None, 1, None]
x[1:1]
x[2][1][0]
x[(1, 2)]
x[True]
x[rows]
x[:, rows]
x[rows, cols]
x[:, rows, cols]
x[rows, :, cols]
x[0, :, rows]
x[:, 0, rows]
x[rows, 1]
x[rows, None, 1:4]
x[..., rows]
x[..., rows, 1:3]
x[rows, ..., None]
x[cols, 0, rows]
x[rows][:, 0]
x[at]
x[at, 1:3]
x[rows, at]
x[[0, 2]]
x[[0, 2], [1, 3]]
x[[1, 2], :, [0, 1]]
x[[True, False, True, True]]
x[((0, 2), (1, 3))]
x[(0, 2), (1, 3)]
x[:, ((0, 1), (1, 2))]
x[(1, 3), :, 2]
x[..., (0, 2), None]
x[(True, False, True, True), 1]
x[MASK]
x[:, MASK_OF_COLUMNS]
x[MASK_OF_ROWS, 1]
(x[:2, 1] * 2).reshape(2, 1, 6, 1)[0, :, ::2, :]
""".split("\n")[1:-1]

STORES = """
x[0] = 1
x[1:3] = row
x[..., ::-1] = x[1]
x[-1, 2] = 5.5
x[::2, 1:4, ::-2] = 7
x[:, None, 1] = row
x[1:1] = 3
x[...] = row
x[:] = 8
x[1:2, 0] = row[None]
x[1, 2, 3] = x[1, 2, 4]
x[rows] = row
x[rows, cols] = row
x[:, rows] = 2
x[:, rows, cols] = row[0]
x[rows, :, cols] = row[:5]
x[0, :, rows] = row[:5]
x[[0, 2]] = 3
x[[0, 0, 1]] = other[:3]
x[3, [1, 2]] = [1, 2, 3, 4, 5, 6]
x[((0, 2), (1, 3))] = row
x[:, (0, 2)] = 3
x[at] = row
x[at, 1:3] = 0.5
x[MASK] = 4
x[MASK] = row
x[mask] = 9
x[mask] = row
x[x > 0] = 0
x[rows] += 1
x[1:3] *= row
x[0, 0, 0] -= row[1]
x[rows, cols] *= other[0, 0, 0]
x[2][1] = row
x[2][1][3] += 1
""".split("\n")[1:-1]

MASK = np.arange(20).reshape(4, 5) % 3 == 0
MASK_OF_COLUMNS = MASK[0]
MASK_OF_ROWS = MASK[:, 1]


def write(name, lines):
    """Returns a Python function of the lines, whose source the compiler can read."""
    text = f"def {name}(x, row, other, rows, cols, at, mask):\n    start = x\n    all = ()\n" + "".join(
        f"    x = start + 0\n    {line}\n    all = all + ({'x' if ' = ' in line or '= ' in line else 'got'},)\n" for line in lines)
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, (text + "    return all\n").splitlines(True), file)
    space = {}
    for kind, make in (("compiled", Tensor), ("numpy", np.asarray)):
        space[kind] = {"MASK": make(MASK), "MASK_OF_COLUMNS": make(MASK_OF_COLUMNS), "MASK_OF_ROWS": make(MASK_OF_ROWS)}
        exec(compile(text + "    return all\n", file, "exec"), space[kind])
    return space["compiled"][name], space["numpy"][name]


INTEGERS = [np.array([2, 0, 3]), np.array([[1], [-1]]), np.array(2), MASK]


class IndexingTest(unittest.TestCase):
    """Every line of both tables."""

    def compare(self, lines, name):
        """Compares values and, weighted by random numbers, gradients."""
        compiled, expected = write(name, lines)
        floats = [numeric.numbers(4, 5, 6), numeric.numbers(6), numeric.numbers(4, 5, 6, seed=1)]
        inputs = [Tensor(value) for value in floats] + [Tensor(value) for value in INTEGERS]
        wanted = expected(*floats, *INTEGERS)
        weights = [numeric.numbers(*value.shape, seed=7) for value in wanted]
        tensors = tuple(Tensor(weight) for weight in weights)

        def loss(x, row, other, rows, cols, at, mask):
            results = compiled(x, row, other, rows, cols, at, mask)
            total = 0.0
            for weight, result in zip(tensors, results):
                total = total + (weight * result).sum()
            return total, results

        def differentiated(*inputs):
            (_, results), gradients = plumb.value_and_grad(loss, (0, 1, 2), has_aux=True)(*inputs)
            return results + gradients

        both = plumb.jit(differentiated)(*inputs)
        results, gradients = both[:-3], both[-3:]
        for line, result, value in zip(lines, results, wanted):
            numeric.compare(result, value, 1e-12, line)

        def reference(*values):
            return sum((weight * value).sum() for weight, value in zip(weights, expected(*values, *INTEGERS)))

        for position, gradient in enumerate(gradients):
            numeric.compare(gradient, numeric.differences(reference, floats, position), 1e-6, f"gradient {position}")

    def test_reads(self):
        self.compare([f"got = {line}" for line in READS], "reads")

    def test_stores(self):
        self.compare(STORES, "stores")

    def test_types(self):
        """What is stored takes the type of what it is stored into."""
        def stores(x, flags, halves):
            x[0] = 2.7
            x[1] = halves[1]
            flags[0] = 1
            halves[1:] = x[:2]
            return x, flags, halves

        x, flags, halves = plumb.jit(stores)(Tensor(np.arange(3, dtype=np.int32)), Tensor(np.zeros(2, bool)),
                                             Tensor(np.array([0.5, 1.5, 2.5], np.float16)))
        self.assertEqual((str(x.dtype), x.tolist()), ("Int32", [2, 1, 2]))
        self.assertEqual((str(flags.dtype), flags.tolist()), ("Bool", [True, False]))
        self.assertEqual((str(halves.dtype), halves.tolist()), ("Float16", [0.5, 2.0, 1.0]))


class Memory(nn.Cell):
    """Stores into its Parameter."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.zeros((3, 2), np.float32)), name="w")

    def construct(self, i, v):
        self.w[0] = v
        self.w[i, 1] += 10
        return self.w[1:].sum()


class StateTest(unittest.TestCase):
    """Stores into Parameters, and refusals."""

    def test_parameter(self):
        memory = Memory()
        total = memory(Tensor(2), Tensor(np.array([1, 2], np.float32)))
        self.assertEqual(memory.w.asnumpy().tolist(), [[1, 2], [0, 0], [0, 10]])
        self.assertEqual(total.item(), 10)
        memory(Tensor(-1), Tensor(np.array([3, 4], np.float32)))
        self.assertEqual(memory.w.asnumpy().tolist(), [[3, 4], [0, 0], [0, 20]])

    def refuse(self, function, *messages):
        with self.assertRaises(CompileError) as caught:
            plumb.jit(function)(Tensor(np.zeros((3, 4), np.float32)), Tensor(np.zeros(3, bool)))
        for message in messages:
            self.assertIn(message, str(caught.exception))

    def test_refused(self):
        def mask(x, m):
            return x[m]

        def outside(x, m):
            x[3] = 1
            return x

        def list_outside(x, m):
            return x[[0, 3]]

        def shapes(x, m):
            x[0] = x[:, 0]
            return x

        def masked(x, m):
            x[m] = x[:2]
            return x

        def indices(x, m):
            return x[[0, 1], [0, 1, 2]]

        def number(x, m):
            y = 3
            y[0] = 1
            return x

        self.refuse(mask, "depends on its values", "ops.select")
        self.refuse(outside, "index 3 is out of bounds for axis 0 of size 3", "x[3] = 1")
        self.refuse(list_outside, "index 3 is out of bounds for axis 0 of size 3")
        self.refuse(shapes, "cannot store a Tensor[Float32] of shape (3,)", "shape (4,)")
        self.refuse(masked, "under a mask that is known only while running")
        self.refuse(indices, "do not broadcast against each other")
        self.refuse(number, "the int 3 does not support item assignment")


def by_named_lists(x):
    """A list is one index wherever it comes from; a tuple is one index per axis."""
    rows, mask, pairs = [0, 2], [True, False, True], ([0, 2], [1, 3])
    y = x * 1.0
    y[rows] = 5.0
    return x[rows], x[mask], x[pairs], x[rows, 1], x[[0, 2], rows], x[(1, 2)], y


class ListTest(unittest.TestCase):
    """Lists held by names."""

    def test_lists_are_one_index(self):
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        for made, expected in zip(plumb.jit(by_named_lists)(plumb.Tensor(x)), by_named_lists(x), strict=True):
            np.testing.assert_array_equal(made.asnumpy(), expected)

    def test_store_into_another_shape(self):
        """The value stored lies in memory that was made for a tensor of another shape."""
        def stored(x):
            y = plumb.ops.reshape(plumb.Tensor([1, 2, 3], plumb.uint8).astype(plumb.float32), (1, 3))
            y[..., [0], 0] = 0.5
            return y + x

        self.assertEqual(plumb.jit(stored)(plumb.Tensor(np.zeros((1, 3), np.float32))).asnumpy().tolist(), [[0.5, 2, 3]])

    def test_stores_into_slices_of_what_was_computed(self):
        """The slice is a tensor of its own, whose storage is no larger."""
        def rows(a, b):
            less, total, last = (a < b)[0], (a + b)[-1], (a * b)[:, 1]
            less[0] = True
            total[1:] = 9
            last[1] += 5
            total[0] = total[1] * 2
            return less, total, last

        a, b = np.arange(6, dtype=np.float32).reshape(2, 3), np.ones((2, 3), np.float32)
        for found, expected in zip(plumb.jit(rows)(Tensor(a), Tensor(b)), rows(a, b)):
            np.testing.assert_array_equal(found.asnumpy(), expected)

    def test_slices_of_nothing(self):
        a = np.arange(9, dtype=np.float32).reshape(1, 3, 3)
        found = plumb.jit(lambda x: (x[2:][:, 1:2], x[2:].reshape(0, 9)[:, 2:4] + 1, x[:, 3:][:, :, ::2]))(Tensor(a))
        self.assertEqual([part.shape for part in found], [(0, 1, 3), (0, 2), (1, 0, 2)])

    def test_ellipses_and_slices_that_a_cell_holds(self):
        class Stored(nn.Cell):
            def __init__(self, index):
                super().__init__()
                self.index = index

            def construct(self, x):
                y = x + 0
                y[self.index] = 9
                return y, x[self.index]

        a = np.arange(6, dtype=np.float32).reshape(2, 3)
        for index in (..., (..., 1), (0, ...), slice(1, None), (slice(None), slice(2, 0, -1)), (..., slice(None, 2), None)):
            stored = a.copy()
            stored[index] = 9
            for found, expected in zip(Stored(index)(Tensor(a)), (stored, a[index])):
                np.testing.assert_array_equal(found.asnumpy(), expected)


if __name__ == "__main__":
    unittest.main()
