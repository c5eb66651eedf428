"""Where MindSpore reads a program otherwise than Python: iterators are tuples and lists, and names are found that Python misses."""

import unittest

import numpy as np

import plumb
from plumb import Tensor, nn, ops

X = Tensor(np.array([[1, 2], [3, 4]], np.float32))


def plain(value):
    """A structure with lists of numbers in place of tensors."""
    if isinstance(value, (tuple, list)):
        return type(value)(plain(item) for item in value)
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


class IteratorsTest(unittest.TestCase):
    """The forms are those of MindSpore 2.0.0."""

    def check(self, function, wanted, *arguments):
        found = plumb.jit(function)(*arguments)
        self.assertEqual((type(found), plain(found)), (type(wanted), wanted))

    def test_results(self):
        self.check(lambda: zip((1, 2), [3, 4]), ((1, 3), (2, 4)))
        self.check(lambda: enumerate([5, 6], 3), ((3, 5), (4, 6)))
        self.check(lambda: map(lambda a, b: a + b, (1, 2), (3, 4)), (4, 6))
        self.check(lambda: map(lambda a: a + 1, [1, 2]), [2, 3])
        self.check(lambda: filter(lambda a: a > 1, (1, 2, 3)), [2, 3])
        self.check(lambda: (a * a for a in range(5) if a % 2 == 0), [0, 4, 16])
        self.check(lambda: reversed((1, 2)), (2, 1))
        self.check(lambda: iter((1, 2)), (1, 2))
        self.check(enumerate, ((0, [1, 2]), (1, [3, 4])), X)

    def test_parts_of_results(self):
        self.check(lambda x: {"a": (map(lambda row: row.sum(), x), 1)}["a"], ((3, 7), 1), X)
        self.check(lambda: (zip((1,), (2,)), filter(None, [0, 4])), (((1, 2),), [4]))

    def test_what_is_left(self):
        def rest():
            items = iter([1, 2, 3])
            next(items)
            return items, len(items), items[0]

        self.check(rest, ([2, 3], 2, 2))

    def test_lengths_and_indexes(self):
        self.check(lambda: len(zip((1, 2), (3, 4))), 2)
        self.check(lambda: map(lambda a: a + 1, [1, 2])[1], 3)
        self.check(lambda: filter(lambda a: a > 1, [1, 2, 3])[-2:], [2, 3])
        with self.assertRaises(IndexError):
            plumb.jit(lambda: zip((1,), (2,))[1])()


total = Tensor(np.array([1.0, 2.0], np.float32))
count = 10


class NamesTest(unittest.TestCase):
    """A name that a function assigns, but reads first, has the value of the global of that name, as in MindSpore."""

    def test_read_first(self):
        @plumb.jit
        def summed(x):
            for i in (1, 2):
                total += x * i
            return total

        @plumb.jit
        def counted():
            count = count + 1
            return count

        for _ in range(2):
            np.testing.assert_array_equal(summed(total).asnumpy(), [4, 8])
            self.assertEqual(int(counted()), 11)
        np.testing.assert_array_equal(total.asnumpy(), [1, 2])
        self.assertEqual(count, 10)

    def test_no_global(self):
        @plumb.jit
        def unbound(x):
            nothing = nothing + x
            return nothing

        with self.assertRaises(UnboundLocalError):
            unbound(total)

    def test_assigned_first(self):
        """Where the text assigns the name first, the global plays no part."""
        @plumb.jit
        def chosen(x):
            if x.sum() > 5:
                count = x
            else:
                count = -x
            return count + 1

        np.testing.assert_array_equal(chosen(total).asnumpy(), [0, -1])


numbers, named = [1, [2]], {"a": 1}


class OutsideTest(unittest.TestCase):
    """Lists and dicts from outside: compiled functions change copies of their own, anew in each call, as MindSpore's do."""

    def check(self, function, wanted):
        compiled = plumb.jit(function)
        for _ in range(2):
            self.assertEqual(plain(compiled()), wanted)
        self.assertEqual((numbers, named), ([1, [2]], {"a": 1}))

    def test_lists(self):
        def appended():
            numbers.append(3)
            return numbers

        def nested():
            numbers[1].append(X.shape[0])
            numbers[0] = 7
            return numbers, len(numbers)

        self.check(appended, [1, [2], 3])
        self.check(nested, ([7, [2, 2]], 2))

    def test_dicts(self):
        def updated():
            named.update({"b": 2})
            named["a"] += 1
            return named

        self.check(updated, {"a": 2, "b": 2})

    def test_graph_mode(self):
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)

        class Counting(nn.Cell):
            """Changes a list of the module."""

            def construct(self, x):
                """Counts a copy up."""
                numbers.append(x)
                return len(numbers)

        self.assertEqual([int(Counting()(X)) for _ in range(2)], [3, 3])
        self.assertEqual(len(numbers), 2)


class Quotient(nn.Cell):
    """A cell with a method that names no `self`, but uses it."""

    def __init__(self):
        super().__init__()
        self.div = ops.Div()

    def quotient(x, y):  # pylint: disable=no-self-argument
        return self.div(x, y)  # pylint: disable=undefined-variable

    def construct(self, x, y):
        """Calls it with two arguments."""
        return self.quotient(x, y)


class SelfTest(unittest.TestCase):
    """MindSpore tells the cell by the name `self`, which methods need not have as a parameter."""

    def test_without_self(self):
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        np.testing.assert_array_equal(Quotient()(total, total * 2).asnumpy(), [0.5, 0.5])


if __name__ == "__main__":
    unittest.main()
