"""Every construct of language_table.py: values against CPython's own, errors by class, place and message."""

import dataclasses
import inspect
import os
import re
import unittest

import numpy as np

import plumb
from plumb import Tensor, ops
import language_errors as errors
import language_keys as keys
import language_table as table

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) - 1)
VALUE_FUNCTIONS = [function for _, function in table.VALUES]
TENSOR_FUNCTIONS = [function for _, function in table.TENSORS]


def plain(value):
    """A value whose repr tells all of it."""
    if isinstance(value, Tensor):
        return "Tensor", value.shape, str(value.dtype), value.asnumpy().tolist()
    if type(value) in (tuple, list):
        return type(value)(plain(item) for item in value)
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value


class Private(plumb.nn.Cell):
    """Names of the class's own: attributes, methods and locals; a nested class has its own ones."""

    def __init__(self):
        super().__init__()
        self.__factor, self.__steps = 3, []
        self.__weight = plumb.Parameter(Tensor(2.0), name="weight")

    def __scaled(self, x, __by):
        return x * __by

    def construct(self, x):
        """Compiled body."""
        __sum = self.__scaled(x, __by=self.__factor) + self.__weight
        return __sum, self.__factor, hasattr(self, "_Private__steps"), self._Private__factor


class _Other(Private):
    """A class with underscores before its name."""

    def __init__(self):
        super().__init__()
        self.__factor = 7

    def construct(self, x):
        return super().construct(x), self.__factor


@plumb.jit
def all_values():
    """All functions of nothing in one program."""
    return [function() for function in VALUE_FUNCTIONS]


@plumb.jit
def all_tensors(x):
    """All functions of a tensor in one program."""
    return [function(x) for function in TENSOR_FUNCTIONS]


class LanguageTest(unittest.TestCase):
    """Compares with CPython."""

    maxDiff = None

    def check(self, functions, results, *args):
        """Compares the results of compiled functions with those of the same functions run by CPython."""
        self.assertEqual(len(functions), len(results))
        for function, result in zip(functions, results):
            with self.subTest(function.__name__):
                self.assertEqual(repr(plain(result)), repr(plain(function(*[arg.copy() for arg in args]))))

    def test_values(self):
        self.check(VALUE_FUNCTIONS, all_values())

    def test_tensors(self):
        self.check(TENSOR_FUNCTIONS, all_tensors(X), X)

    def test_page(self):
        with open(os.path.join(os.path.dirname(__file__), "..", "..", "docs", "language.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), table.page(), "run: tools/python test/python/language_table.py > docs/language.md")

    def test_numbers_that_a_loop_changes(self):
        @plumb.jit
        def parts(x):
            count = 1
            while x.sum() > count:
                count += 3
            return divmod(count, 3)

        self.assertEqual([int(part.asnumpy()) for part in parts(X)], [3, 1])

    def test_has_key(self):
        self.assertEqual(plumb.jit(lambda x: [{"a": x}.has_key(name) for name in ("a", "b")])(X), [True, False])

    def test_comparisons_of_tensors_in_containers(self):
        @plumb.jit
        def among(x, y):
            return x in [y, y + 1], x not in (1, y * 2), (x, 1) == (y, 1), [x] != [y + 1], x in (x, None), (x, 1) == (y, 1, 2), 2 in [x, y]

        for numbers, expected in (((2.0, 2.0), [True, True, True, True, True, False, True]),
                                  ((4.0, 2.0), [False, False, False, True, True, False, True]),
                                  ((4.0, 3.0), [True, True, False, False, True, False, False])):
            results = among(*map(Tensor, numbers))
            self.assertEqual([bool(item.asnumpy()) if isinstance(item, Tensor) else item for item in results], expected, numbers)
        contains = plumb.jit(lambda number, numbers: number in numbers)
        self.assertEqual([bool(contains(number, plumb.mutable([1, 2, 3]))) for number in (1, 4)], [True, False])

    def test_mutable(self):
        @plumb.jit
        def scaled(x, factor):
            return x * factor

        first = scaled(X, plumb.mutable(3))
        np.testing.assert_array_equal(first.asnumpy(), X.asnumpy() * 3)
        np.testing.assert_array_equal(scaled(X, plumb.mutable(2.5)).asnumpy(), X.asnumpy() * 2.5)
        given = plumb.jit(lambda number: (number, plumb.mutable(3)))(plumb.mutable(4))  # a tensor, and a number, as in MindSpore
        self.assertEqual((given[0].dtype, int(given[0].asnumpy()), given[1]), (plumb.int64, 4, 3))

    def test_state_of_objects(self):
        class Net(plumb.nn.Cell):
            """Sets attributes, through a method as well."""

            def construct(self, x):
                self.seen = x * 2
                self.note(x)
                return self.seen + self.kept

            def note(self, x):
                self.kept = x + self.seen

        net = Net()
        np.testing.assert_array_equal(net(X).asnumpy(), X.asnumpy() * 5)
        np.testing.assert_array_equal(net.kept.asnumpy(), X.asnumpy() * 3)

    def test_powers_modulo(self):
        def powers(x, count):
            if x.sum() > 0:
                count += 2
            return [pow(count, exponent, modulus) for exponent in (0, 1, 5, 62) for modulus in (1, 7, -7, 1000003, 2 ** 31)]

        for count in (-5, 0, 3, 10 ** 9):
            found = plumb.jit(powers)(X, count)
            self.assertEqual([int(item.asnumpy()) if isinstance(item, Tensor) else item for item in found], powers(X.asnumpy(), count))
        for wrong in ((-1, 7), (2, 0), (2, 2 ** 40)):
            with self.assertRaisesRegex(TypeError, "modulo a number"):
                plumb.jit(lambda x, count, wrong=wrong: pow(count, *wrong))(X, plumb.mutable(3))
        with self.assertRaisesRegex(TypeError, "3rd argument"):
            plumb.jit(lambda x: pow(x, 2, 7))(X)

    def test_handlers_catch_no_refusals(self):
        """Of what cannot be compiled, `except Exception` catches what CPython raises, too, and nothing that CPython runs."""
        def guarded(function):
            def tries(x):
                try:
                    y = function(x)
                except Exception:  # pylint: disable=broad-except
                    y = x * 7
                return y
            return tries

        caught = 0
        for what, function, kind, message in errors.REFUSED:
            try:
                function(X)
                raises = False
            except Exception:  # pylint: disable=broad-except
                raises = True
            with self.subTest(what):
                if not raises:
                    with self.assertRaises(kind) as refused:
                        plumb.jit(guarded(function))(X)
                    self.assertIn(message, str(refused.exception))
                    if message != "unsupported":  # what CPython raises on the side that it does not take here
                        self.assertNotEqual(refused.exception.kind, "error")
                elif message != "needs the value of a tensor":  # which the eager Tensor refuses as well
                    np.testing.assert_array_equal(plumb.jit(guarded(function))(X).asnumpy(), X.asnumpy() * 7)
                    caught += 1
        self.assertGreater(caught, 15)

    def test_names_that_are_not_offered(self):
        """They are errors where they are reached, and no handler catches them: which way a program goes is not silently another one."""
        def chosen(x, rank):
            y = plumb.ops.no_such_name(x) if x.ndim == rank else x
            if x.ndim == rank + 1:
                try:
                    y = plumb.ops.no_other_name(x)
                except AttributeError:
                    y = x * 7
            return y

        def decided(x):
            if x.sum() > 0:
                x = plumb.ops.no_such_name(x)
            return x

        np.testing.assert_array_equal(plumb.jit(chosen)(X, 5).asnumpy(), X.asnumpy())
        for name, call in (("no_such_name", lambda: plumb.jit(chosen)(X, 2)), ("no_other_name", lambda: plumb.jit(chosen)(X, 1)),
                           ("no_such_name", lambda: plumb.jit(decided)(X))):
            with self.assertRaisesRegex(AttributeError, rf"language_test.py:\d+:\d+: error: .*'plumb.ops.{name}' is not offered"):
                call()

    def test_functions_that_are_returned(self):
        """They are refused at the call, as closures are: Python has no such functions."""
        for returns in (lambda x: (x, lambda v: v), lambda x: [lambda v: v + x]):
            with self.assertRaisesRegex(TypeError, "a compiled function cannot return the function"):
                plumb.jit(returns)(X)

    def test_methods_that_go_in_and_out(self):
        """As keys and results: of objects that each call makes, of lists from outside, and of objects from outside."""
        box, outside = keys.Scaled(3), [1]

        def made(x):
            own, items = keys.Scaled(x), [x]
            return {items.append: 1, own.added: 2}, items, own, own.scaled

        for _ in range(2):
            table, items, own, scaled = plumb.jit(made)(X)
            self.assertEqual(list(table), [items.append, own.added])
            self.assertEqual(scaled, own.scaled)
            np.testing.assert_array_equal(scaled(X).asnumpy(), X.asnumpy() ** 2)
        given = plumb.jit(lambda x, table, *methods: (list(table.values()), [table[method] for method in methods], len({*table, *methods})))
        self.assertEqual(given(X, {box.scaled: 1, outside.append: 2}, box.scaled, outside.append), ([1, 2], [1, 2], 2))

    def test_operations_on_lists_alone(self):
        """They are tensors to an operation, also where none is beside them."""
        for call in (lambda: ops.pow([1, 2], 2), lambda: plumb.jit(lambda x: ops.pow([1, 2], 2))(X), lambda: ops.mul(2, (0.5, 2)),
                     lambda: plumb.jit(lambda x: ops.add([-1, 2], [2, 2]))(X)):
            np.testing.assert_array_equal(call().asnumpy(), [1, 4])

    def test_frozen_by_a_base(self):
        """Fields cannot be set; how the class sets other attributes, compiled code does not know."""
        class More(keys.Point):
            """No dataclass of its own."""

        def sets(name):
            def function(x):
                point = More(1)
                try:
                    setattr(point, name, 2)
                except dataclasses.FrozenInstanceError:
                    x = x * 2
                return x
            return function

        np.testing.assert_array_equal(plumb.jit(sets("name"))(X).asnumpy(), X.asnumpy() * 2)
        with self.assertRaisesRegex(AttributeError, "__setattr__ of its own"):
            plumb.jit(sets("further"))(X)

    def test_exceptions_of_programs_and_libraries(self):
        class Own(LookupError):
            """Has a constructor of its own."""

            def __init__(self, text, number=1):
                super().__init__(text)
                self.number = number

        def own(x):
            raise Own("not there")

        cases = (own, Own), (own, LookupError), (lambda x: x * np.linalg.inv(np.zeros((2, 2))).sum(), np.linalg.LinAlgError), \
            (lambda x: x * np.zeros((2, 2)).sum(axis=7), IndexError), (lambda x: x * np.round([True], 1).sum(), TypeError)
        for function, kind in cases:
            with self.subTest(kind=kind), self.assertRaises(kind) as caught:
                plumb.jit(function)(X)
            self.assertIsInstance(caught.exception, RuntimeError)

    def test_attributes_that_change_between_calls(self):
        class Net(plumb.nn.Cell):
            """Reads constants."""

            def __init__(self):
                super().__init__()
                self.scale, self.shifts, self.box = 2, [1], table.Box(1)

            def construct(self, x):
                return x * self.scale + self.shifts[0] + self.box.size

        net = Net()
        np.testing.assert_array_equal(net(X).asnumpy(), X.asnumpy() * 2 + 2)
        net.scale = 3
        np.testing.assert_array_equal(net(X).asnumpy(), X.asnumpy() * 3 + 2)
        net.shifts[0] = 5
        np.testing.assert_array_equal(net(X).asnumpy(), X.asnumpy() * 3 + 6)
        net.box.size = 10
        np.testing.assert_array_equal(net(X).asnumpy(), X.asnumpy() * 3 + 15)

    def test_children_and_parameters_that_change_between_calls(self):
        class Net(plumb.nn.Cell):
            """Holds children in every way, and Parameters."""

            def __init__(self):
                super().__init__()
                self.child, self.children = plumb.nn.ReLU(), plumb.nn.CellList([plumb.nn.ReLU(), plumb.nn.ReLU()])
                self.weight = plumb.Parameter(Tensor([1.0, 1.0]), name="weight")

            def construct(self, x):
                for cell in self.children:
                    x = cell(x)
                return self.child(x) * self.weight

        net, x = Net(), np.array([-1.0, 2.0], np.float32)

        def check(expected):
            for _ in range(3):
                np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected, rtol=1e-5)
                np.testing.assert_allclose(plumb.jit(lambda value: net(value))(Tensor(x)).asnumpy(), expected, rtol=1e-5)

        check([0, 2])
        net.children[0] = plumb.nn.Tanh()
        check([0, np.tanh(2)])
        net.children[1] = plumb.nn.Tanh()
        check([0, np.tanh(np.tanh(2))])
        net.child = plumb.nn.Tanh()
        check(np.tanh(np.tanh(np.tanh(x))))
        net.weight = plumb.Parameter(Tensor([5.0, 7.0]), name="weight")
        check(np.tanh(np.tanh(np.tanh(x))) * [5, 7])
        net.weight.set_data(Tensor([2.0, 3.0]))
        check(np.tanh(np.tanh(np.tanh(x))) * [2, 3])
        net.children.append(plumb.nn.Softsign())
        check(np.tanh(np.tanh(np.tanh(x)) / (1 + abs(np.tanh(np.tanh(x))))) * [2, 3])

    def test_what_tensors_say_of_themselves(self):
        x = Tensor(np.zeros((2, 3, 4), np.float16))
        told = plumb.jit(lambda x: (x.size, x.itemsize, x.nbytes, x.strides, x.transpose(2, 0, 1).strides, hasattr(x, "nbytes")))(x)
        self.assertEqual(told, (24, 2, 48, (24, 8, 2), (12, 6, 2), True))
        self.assertEqual((x.size, x.itemsize, x.nbytes, x.strides), told[:4])

    def test_repeated_calls_of_cells(self):
        """Flags, hooks and element types count from the next call on."""
        class Net(plumb.nn.Cell):
            """Says which mode it is in."""

            def construct(self, x):
                return x + 10 if self.training else x

        net = Net()

        def called():
            return [net(Tensor([1.0])).asnumpy().tolist() for _ in range(3)]

        self.assertEqual(called(), [[1.0]] * 3)
        net.set_train()
        self.assertEqual(called(), [[11.0]] * 3)
        hook = net.register_forward_hook(lambda cell, inputs, output: output * 2)
        self.assertEqual(called(), [[22.0]] * 3)
        hook.remove()
        self.assertEqual(called(), [[11.0]] * 3)
        net.to_float(plumb.float16)
        self.assertEqual(net(Tensor([1.0])).dtype, plumb.float16)

    def test_repeated_calls_of_cells_on_tuples(self):
        class Net(plumb.nn.Cell):
            """Adds what is in tuples."""

            def construct(self, x, parts):
                return x + parts[0] * 10 + parts[1][0] * 100

        net, values = Net(), [Tensor([float(i)]) for i in range(4)]
        for a, b, c in ((0, 1, 2), (1, 2, 3), (3, 2, 1)):
            self.assertEqual(net(values[a], (values[b], (values[c],))).asnumpy().tolist(), [a + b * 10 + c * 100])
        self.assertEqual(net(values[1], (values[2], (values[3], values[3]))).asnumpy().tolist(), [321.0])
        self.assertEqual(net(values[1], (values[2], (3,))).asnumpy().tolist(), [321.0])
        self.assertEqual(net(values[1], (values[2], (2,))).asnumpy().tolist(), [221.0])

    def test_tensors_that_python_reads_while_compiling(self):
        held = Tensor([2.0, 3.0])

        def read(index):
            return list(values(index))[0]

        def values(index):
            yield float(held[index])

        @plumb.jit
        def scaled(x):
            return x * read(1)

        np.testing.assert_array_equal(scaled(X).asnumpy(), X.asnumpy() * 3)
        held[1] = 5.0
        np.testing.assert_array_equal(scaled(X).asnumpy(), X.asnumpy() * 5)

    def test_private_names(self):
        result, factor, kept, same = Private()(X)
        np.testing.assert_array_equal(result.asnumpy(), X.asnumpy() * 3 + 2)
        self.assertEqual((factor, kept, same), (3, True, 3))
        (result, factor, _, _), own = _Other()(X)
        np.testing.assert_array_equal(result.asnumpy(), X.asnumpy() * 3 + 2)
        self.assertEqual((factor, own), (3, 7))

    def test_refused(self):
        for _, function, kind, message in table.REFUSED:
            with self.subTest(function.__name__):
                with self.assertRaises(kind) as caught:
                    plumb.jit(function)(X)
                self.assertIsInstance(caught.exception, plumb._parse.CompileError)
                self.assertIn(message, str(caught.exception))
                lines, first = inspect.getsourcelines(function)
                text = str(caught.exception)
                self.assertEqual(text.split(":")[0], function.__code__.co_filename, text)
                self.assertNotIn("_parse", text)  # what the package interprets constructs by
                # The error, or, where a function that Python runs has raised it, a note stands in the function.
                found = re.findall(r"language_\w+\.py:(\d+):\d+: (error|note: Python computes this)", text)
                self.assertTrue(any(first <= int(line) < first + len(lines) for line, _ in found), text)


if __name__ == "__main__":
    unittest.main()
