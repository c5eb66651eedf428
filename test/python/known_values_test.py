"""Values that are known while compiling: of tensors computed from constants alone, of views of dicts, of what operations return."""

import unittest

import numpy as np

import plumb
from plumb import Tensor, mutable, nn, ops
from plumb._parse.diagnostics import CompileError
from plumb.ops import functional as F

ROW = Tensor(np.arange(4, dtype=np.float32))
X = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))


def together(function, *args):
    """What a function returns compiled, as nested tuples of Python's numbers; the same as plain Python's."""
    def plain(value):
        if isinstance(value, (list, tuple)):
            return [plain(item) for item in value]
        return np.asarray(value.asnumpy() if isinstance(value, Tensor) else value).tolist()
    compiled, expected = plain(plumb.jit(function)(*args)), plain(function(*args))
    assert compiled == expected, (compiled, expected)
    return compiled


def end_of(count):
    """A number that only the elements of a tensor tell."""
    return (count * 2 + 1).item()


def doubled(count):
    return end_of(count) + end_of(count + 1)


class Version:
    """A number in parts, which comparing works out and keeps."""

    def __init__(self, text):
        self.text, self.key = text, None

    def __ge__(self, other):
        self.key, other.key = [[int(part) for part in version.text.split(".")] for version in (self, other)]
        return self.key >= other.key


CALLS, THIS = [], Version("2.0")
TABLE = np.array([[3, 1, 2], [6, 4, 5]], np.float32)
HALF = np.float16(0.3)


def of_numpy(x):
    """Numbers that NumPy gives, and its methods of them; of Python's that come of them, too."""
    span = (TABLE.max() - TABLE.min() + 1).item() + np.prod(x.shape).astype(np.int32).item()
    steps = [value.item() for value in np.linspace(0, 1, 3)] + [np.sqrt(x.shape[-1]).round().tolist(), np.argsort(TABLE, axis=1)[1, 0].item()]
    kinds = (TABLE[1, 0].dtype == np.float32, HALF.dtype == np.float16, hasattr(TABLE.mean(), "item"), (TABLE > 5).any().item())
    return x * span, steps, kinds, TABLE.mean().astype(np.float16).clip(0, 3).sum().item(), X.asnumpy().max().item(), HALF.item()


@ops.constexpr
def is_recent(text):
    """Changes what stands outside of it."""
    CALLS.append(text)
    return THIS >= Version(text)


@ops.constexpr
def rows_of(values):
    """Of values that may be tensors of the run time."""
    return len(values)


class ConstexprTest(unittest.TestCase):
    """Functions that Python computes while compiling, so that they may do what compiled ones cannot."""

    def test_numbers_of_numpy(self):
        self.assertEqual(together(of_numpy, ROW)[1:], [[0.0, 0.5, 1.0, 2.0, 1], [True, True, True, True], 3.0, 11.0, 0.300048828125])

    def test_in_a_gradient(self):
        def chosen(x):
            return (x * 3).sum() if is_recent("1.9") else x.sum()
        gradient = plumb.jit(ops.grad(chosen))(ROW)
        np.testing.assert_array_equal(gradient.asnumpy(), [3, 3, 3, 3])
        self.assertIn("1.9", CALLS)
        self.assertTrue(is_recent("1.9"))
        self.assertEqual(is_recent.__name__, "is_recent")

    def test_of_tensors(self):
        """Where an argument is a tensor of the run time, its body is compiled."""
        self.assertEqual(together(lambda x: x + rows_of(x) + rows_of([x]), ROW), [5.0, 6.0, 7.0, 8.0])


class ConstantsTest(unittest.TestCase):
    """Tensors that constants decide, through operations that fold and others."""

    def test_item(self):
        self.assertEqual(together(lambda x: ops.zeros((ops.arange(4).sum().item(), 2), plumb.float32) + x[0, 0], X), [[0.0, 0.0]] * 6)

    def test_items_of_arithmetic(self):
        def last(x):
            n = Tensor(2, plumb.int32)
            return x[(x.shape[0] * n - 4).item()]
        self.assertEqual(together(last, X), [8.0, 9.0, 10.0, 11.0])

    def test_arrays_and_lists(self):
        def summed(x):
            sizes = ops.cumsum(ops.ones((3,), plumb.int32), 0)
            return x + int(sizes.asnumpy().max()) + sum(sizes.tolist())
        together(summed, X)

    def test_conversions(self):
        def numbers(x):
            n = ops.exp(Tensor(0.0)) + 1.5
            return x * int(n), float(n) * 2, bool(n - 2.5), isinstance(int(n), int)
        self.assertEqual(together(numbers, ROW)[1:], [5.0, False, True])

    def test_loops_indices_and_slices(self):
        def looped(x):
            n = ops.ones((3,), plumb.int64).sum()
            names = ["a", "b", "c", "d"]
            total = x
            for _ in range(n):
                total = total + 1
            return total[:n], len(names[:n]), names[n] == "d"
        together(looped, ROW)

    def test_conditions(self):
        def chosen(x):
            if ops.arange(3).max() > 1:
                return [x]
            return x, x
        self.assertEqual(len(together(chosen, ROW)), 1)

    def test_a_range_from_tensors(self):
        def ranged(x):
            step = Tensor(2, plumb.int32)
            return ops.range(Tensor(1, plumb.int32), x.shape[0] * step + 1, step) + x[0, 0].astype(plumb.int32)
        self.assertEqual(together(ranged, X), [1, 3, 5])

    def test_computations_of_python(self):
        def counted(x):
            sizes = ops.cumsum(ops.ones((3,), plumb.int32), 0)
            return x + float(np.square(sizes).max()) + float(np.add(sizes[2], 1)), np.array((sizes[0], 5)).tolist()
        together(counted, ROW)

    def test_text(self):
        def told(x):
            n = ops.arange(3).sum()
            return x if str(n.item()) == "3" and f"{n}" != "" else -x
        together(told, ROW)


class ArgumentsTest(unittest.TestCase):
    """Functions that ask for the value of an argument."""

    def test_a_function_stands_there_once_per_value(self):
        def several(x):
            one, two = Tensor(1, plumb.int32), Tensor(2, plumb.int32)
            return x + doubled(one), x + doubled(two), x + doubled(one), end_of(two)
        self.assertEqual(together(several, ROW)[3], 5)

    def test_what_is_not_known_is_refused(self):
        def mixed(x):
            return x + end_of(Tensor(1, plumb.int32)) + end_of(x[0])
        with self.assertRaisesRegex(CompileError, r"\.item\(\) asks for a tensor's value"):
            plumb.jit(mixed)(ROW)

    def test_known_first_and_unknown_then(self):
        def whole(count):
            return int(count) + 1
        def mixed(x):
            return whole(Tensor(2.0)), whole(x[1]), whole(Tensor(3.0)), whole(x[2])
        self.assertEqual(together(mixed, ROW), [3, 2, 4, 3])

    def test_gradients_by_constants(self):
        def curve(x):
            return float(x) * x
        def slope(x):
            return ops.grad(curve)(Tensor(3.0)) + 0 * x[0]
        self.assertEqual(float(plumb.jit(slope)(ROW).asnumpy()), 6.0)

    def test_a_loop_over_a_counter_stays_a_loop(self):
        def counted(x):
            n = Tensor(0, plumb.int32)
            while int(n) < 100000:
                n = n + 1
            return x + n
        self.assertEqual(plumb.jit(counted)(ROW).asnumpy()[0], 100000.0)

    def test_draws_and_parameters_are_no_constants(self):
        class Reader(nn.Cell):
            def __init__(self):
                super().__init__()
                self.weight = plumb.Parameter(Tensor(2.0), name="weight")

            def construct(self, x):
                return x * (self.weight + 1).item()
        with self.assertRaisesRegex(Exception, "asks for a tensor's value"):
            plumb.jit(Reader())(ROW)


class QuestionsTest(unittest.TestCase):
    """What MindSpore's own functions ask: its answers."""

    def test_what_is_constant(self):
        two, weight = Tensor([1, 2]), plumb.Parameter(Tensor(1.0), name="weight")

        class Asking(nn.Cell):
            def __init__(self):
                super().__init__()
                self.weight = weight

            def construct(self, x, n):
                return [F.isconstant(item) for item in (x, 3, two, two + 1, (1, 2), (x, 3), self.weight, n, [1, x], {"a": 1})]

        expected = [False, True, True, True, True, False, False, True, False, True]
        self.assertEqual([bool(answer) for answer in Asking()(ROW, 4)], expected)
        expected[7] = False
        self.assertEqual([bool(answer) for answer in Asking()(ROW, mutable(4))], expected)

    def test_what_is_known_of_sequences(self):
        def asked(x):
            return F.is_sequence_value_unknown((1, 2)), F.is_sequence_value_unknown((x, 3)), F.is_sequence_shape_unknown((x, 3))
        self.assertEqual([bool(answer) for answer in plumb.jit(asked)(ROW)], [False, True, False])

    def test_outside_of_compiled_functions_all_is_known(self):
        self.assertTrue(F.isconstant(ROW))
        self.assertFalse(F.is_sequence_value_unknown((1, 2)))
        with self.assertRaisesRegex(TypeError, "variable length"):
            F.is_dynamic_sequence_element_unknown((1, 2))


class ViewsTest(unittest.TestCase):
    """Views of dicts that a name keeps show what the dict holds."""

    def test_views_are_live(self):
        def viewed(x):
            table = {"a": x, "b": x + 1}
            items, values, names = table.items(), table.values(), table.keys()
            table["c"] = x + 2
            table["a"] = x + 3
            again = values
            del table["b"]
            total = x
            for _, value in items:
                total = total + value
            return total, sum(again), len(names), [name == "c" for name in names]
        together(viewed, ROW)

    def test_a_loop_sees_the_values_of_its_turn(self):
        def filled(x):
            table = {"a": x, "b": x, "c": x}
            values, seen = table.values(), []
            for value in values:
                seen.append(value)
                table["c"] = table["c"] + 1
            return seen
        together(filled, ROW)

    def test_a_dict_that_grows_in_its_loop_is_refused(self):
        def growing(x):
            table = {"a": x}
            names = table.keys()
            for name in names:
                table[name + "b"] = x
            return table["ab"]
        with self.assertRaisesRegex(RuntimeError, "changed"):
            plumb.jit(growing)(ROW)


class Sized:
    """Has the length, truth and members that it is told."""

    def __init__(self, size, truth=True):
        self.size, self.truth = size, truth

    def __len__(self):
        return self.size

    def __bool__(self):
        return self.truth

    def __contains__(self, item):
        return self.size


class SpecialsTest(unittest.TestCase):
    """What operations make of what a class's methods return is checked as CPython checks it."""

    def check(self, function, kind, text):
        for run in (function, plumb.jit(function)):
            with self.assertRaisesRegex(kind, text):
                run(ROW)

    def test_lengths(self):
        short, half, good = Sized(-1), Sized(0.5), Sized(2)
        self.check(lambda x: x + len(short), ValueError, "should return >= 0")
        self.check(lambda x: x + len(half), TypeError, "cannot be interpreted as an integer")
        together(lambda x: x + len(good), ROW)

    def test_truths(self):
        odd = Sized(1, 5)
        self.check(lambda x: x if odd else -x, TypeError, "__bool__ should return bool")

    def test_members(self):
        full, empty = Sized(3), Sized(0)
        self.assertEqual(together(lambda x: (x, 1 in full, 1 in empty), ROW)[1:], [True, False])


class ScalarsTest(unittest.TestCase):
    """A tensor without axes has no items."""

    def test_items_of_a_scalar(self):
        for function in (lambda x: sum(x[0]), lambda x: any(x[0]), lambda x: all(x[0]), lambda x: max(x[0]), lambda x: list(x[0]),
                         lambda x: [y for y in x[0]], lambda x: tuple(zip(x[0], x)), lambda x: list(enumerate(x[0])), lambda x: [*x[0]]):
            for run in (function, plumb.jit(function)):
                with self.assertRaisesRegex(TypeError, "iteration over a 0-D tensor"):
                    run(ROW)


class OperatorsTest(unittest.TestCase):
    """Operators that the program puts into Tensor."""

    def test_a_replaced_operator_is_refused_by_name(self):
        own = Tensor.__add__
        Tensor.__add__ = lambda self, other: self
        try:
            with self.assertRaisesRegex(CompileError, "Tensor.__add__"):
                plumb.jit(lambda x: x + 1)(ROW)
            self.assertEqual(plumb.jit(lambda x: x * 2)(ROW).asnumpy()[1], 2.0)
        finally:
            Tensor.__add__ = own

    def test_numbers_beside_numpy(self):
        """A number that NumPy has not given has no methods of its, though the program has some of NumPy's."""
        @plumb.jit
        def seen(x):
            return x, hasattr(0.5, "prod"), hasattr(0.5, "shape"), hasattr(np.dot([1, 2], [3, 4]), "shape")

        self.assertEqual(seen(plumb.Tensor(np.ones(2, np.float32)))[1:], (False, False, True))


if __name__ == "__main__":
    unittest.main()
