"""The AST printer: what each construct prints, and what is refused, with its place."""

import re
import unittest

import numpy as np

import plumb
from plumb import nn, ops
from plumb._parse import CompileError, ModulePrinter

MODULE_CONSTANT = 3
SCALE = plumb.Tensor(np.array([1.0, 2.0], np.float32))


def printed(fn, *types):
    """Returns the module's text for `fn`, without locations."""
    printer = ModulePrinter()
    printer.add_entry("predict", fn, list(types), [], "fn")
    return re.sub(r' loc\("[^"]*":\d+:\d+\)', "", printer.render())


def refused(fn):
    """Returns the error for `fn`."""
    try:
        printed(fn)
    except CompileError as problem:
        return problem
    raise AssertionError("nothing was refused")


def conditional(x):
    """if, elif, else."""
    if x > 1:
        y = 2
    elif x < 0:
        y = 3
    else:
        y = MODULE_CONSTANT
    return y


def loops(xs):
    """for over tuples, while, break, continue."""
    total = 0
    for i, x in enumerate(xs):
        if i == 2:
            continue
        total += x
    while total < 10:
        total = total + 1
        break
    return total


def short_circuit(a, b):
    """and, or, not, chains, conditional expressions."""
    return (a and not b) if 0 < a < b else (a or b)


def calls(x, *rest, axis=1, **options):
    """Every kind of argument."""
    return ops.reduce_mean(x, axis=axis, keep_dims=True) + calls_back(*rest, **options)


def calls_back(a=2, b=(1, "two", None)):
    """Defaults."""
    return a


def slices(x):
    """Subscripts."""
    return x[1:, ::2][0]


def comprehension(xs):
    """A list comprehension with a condition; its target does not leak."""
    y = 1
    ys = [y * 2 for y in xs if y > 1]
    return ys, y


def displays(x):
    """Displays and unpacking."""
    a, (b, c) = x
    return [a, *b], {"k": c}


def inner_function(x):
    """A function of its own."""
    def double(y):
        return y * 2
    return double(x)


def made_here(x):
    """An operation made from constants where it is used."""
    return ops.ReduceSum(keep_dims=True)(x, 0)


def uses_try(x):
    """A body, a handler of one class, and what runs behind both."""
    try:
        return x
    except ValueError:
        return None
    finally:
        x = None


def uses_groups(x):
    """Refused."""
    try:
        return x
    except* ValueError:
        x = None


def uses_numpy(x):
    """Refused: a function of NumPy."""
    return np.fft.fft(x)


def uses_unknown(x):
    """Refused: no such operation."""
    return ops.no_such_operation(x)


def undefined(x):
    """Refused: no such name."""
    return x + nowhere  # noqa: F821


def writes_global(x):
    """Refused."""
    global MODULE_CONSTANT
    MODULE_CONSTANT = x


class Scaled(nn.Cell):
    """A cell with members of every kind."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 2)
        self.scale = 0.5
        self.unused = object()
        self.blocks = nn.CellList([nn.ReLU(), nn.Tanh()])

    def construct(self, x):
        """Uses what __init__ made."""
        for block in self.blocks:
            x = block(x)
        return self.scaled(self.dense(x))

    def scaled(self, x):
        """A method of its own."""
        return x * self.scale * SCALE


class Derived(Scaled):
    """Calls its base."""

    def construct(self, x):
        """Uses super()."""
        return super().construct(x) + 1


class StatementsTest(unittest.TestCase):
    """Statements and expressions."""

    def assertInOrder(self, text, *parts):
        """Each part follows the one before."""
        place = 0
        for part in parts:
            found = text.find(part, place)
            self.assertGreaterEqual(found, 0, f"no {part!r} after {place} in\n{text}")
            place = found + len(part)

    def test_if(self):
        text = printed(conditional)
        self.assertInOrder(text, "net.python.func @conditional(x) names {MODULE_CONSTANT = 3 : i64} {",
                           'net.python.operator "gt"', "net.python.if %2 {", 'net.python.store "y"', "} else {",
                           'net.python.operator "lt"', "net.python.if", "} else {",
                           'net.python.load "MODULE_CONSTANT"', "net.python.return")

    def test_loops(self):
        text = printed(loops)
        self.assertInOrder(text, 'names {enumerate = #net.primitive<"builtins.enumerate">}',
                           'net.python.for "$1" in', 'net.python.load "$1"', "net.python.subscript",
                           'net.python.store "i"', "net.python.continue", "net.python.while {",
                           'net.python.operator "lt"', "net.python.condition", "} do {", "net.python.break")

    def test_short_circuit(self):
        text = printed(short_circuit)
        self.assertInOrder(text, 'net.python.operator "lt"', 'net.python.store "$2"', "net.python.if",
                           'net.python.operator "lt"', "net.python.if", 'net.python.operator "not"', "} else {")

    def test_calls(self):
        text = printed(calls)
        self.assertInOrder(text, "@calls(x, axis = 1 : i64) names {",
                           'attributes {star_args = "rest", star_kwargs = "options", keyword_only = 1 : i64} {',
                           'names ["", "axis", "keep_dims"]', 'names ["*", "**"]',
                           'b = [1 : i64, "two", #net.none]')

    def test_slices(self):
        text = printed(slices)
        self.assertInOrder(text, "net.python.slice(%1, %2, %3)", "net.python.slice(", "net.python.tuple(",
                           "net.python.subscript %0[")

    def test_comprehension_does_not_leak(self):
        text = printed(comprehension)
        self.assertInOrder(text, 'net.python.store "y"', 'builtins.make_list', 'net.python.for "$2.y" in',
                           'net.python.operator "gt"', 'net.python.load "$2.y"', 'net.python.load "y"')

    def test_displays(self):
        text = printed(displays)
        self.assertInOrder(text, 'net.python.store "a"', 'net.python.store "b"', 'net.python.store "c"',
                           'net.python.operator "add"', 'net.python.dict ["k"](')

    def test_inner_function(self):
        text = printed(inner_function)
        self.assertIn("net.python.func @inner_function.double(y) names {} {", text)
        self.assertIn("net.python.constant @inner_function.double", text)

    def test_operation_made_in_place(self):
        self.assertIn('net.python.constant #net.primitive<"reduce_sum", {keep_dims = true}>', printed(made_here))

    def test_try(self):
        self.assertRegex(printed(uses_try), r"(?s)net.python.try \{.*net.python.try \{.*net.python.return.*\} except \{.*builtins.caught.*"
                                            r"builtins.reraise.*\} finally \{.*net.python.store \"x\"")

    def test_lambda(self):
        self.assertIn("net.python.func @StatementsTest.test_lambda.lambda(x) names {}", printed(lambda x: x + 1))

    def test_entry(self):
        self.assertIn("net.entry @predict calls @slices (tensor<2xf32>, tensor<i32>) {}",
                      printed(slices, "tensor<2xf32>", "tensor<i32>"))


class UnsetTest(unittest.TestCase):
    """Variables that the function around sets in a branch alone, and that compiled code does not come to."""

    def test_in_a_branch_left_out(self):
        def around(scales):
            if scales:
                scale = 3.0

            def inner(values):
                if scales:
                    return values * scale
                return values + 1.0
            return plumb.jit(inner)

        self.assertEqual(float(around(False)(plumb.Tensor(1.0))), 2.0)
        self.assertEqual(float(around(True)(plumb.Tensor(1.0))), 3.0)


class CellsTest(unittest.TestCase):
    """Cells, parameters and members."""

    def test_cell(self):
        text = printed(Scaled())
        self.assertIn('net.cell @fn class "Scaled" members {blocks = [@fn.blocks.0, @fn.blocks.1], dense = @fn.dense, '
                      "scale = 0.5 : f64} methods {construct = @Scaled.construct, scaled = @Scaled.scaled}", text)
        self.assertRegex(text, r'net.parameter @dense.weight : tensor<2x4xf32> = #net.init<"normal", \[0.01, 0.0\], '
                               r"stream = \d+> \{requires_grad = true\}")
        self.assertIn('SCALE = dense<"0x0000803F00000040"> : tensor<2xf32>', text)
        self.assertEqual(text.count("net.python.func @ReLU.construct("), 1)
        self.assertNotIn("unused", text)

    def test_super(self):
        text = printed(Derived())
        self.assertIn("net.python.constant @Scaled.construct", text)
        self.assertIn("construct = @Derived.construct", text)

    def test_changed_parameter_prints_its_value(self):
        cell = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
        cell.weight.set_data(plumb.Tensor(np.full((1, 1), 2, np.float32)))
        self.assertIn("@weight : tensor<1x1xf32> = dense<0x40000000> : tensor<1x1xf32>", printed(cell))

    def test_grad_function(self):
        cell = nn.Dense(2, 2)
        text = printed(plumb.value_and_grad(cell, 0, cell.trainable_params()))
        self.assertIn("argnums = [0], weights = [@weight, @bias], value = true, has_aux = false, sens = false, "
                      "single = true, single_weight = false, return_ids = false>", text)

    def test_two_parameters_of_one_name(self):
        self.addCleanup(plumb.set_context, mode=plumb.get_context("mode"))
        plumb.set_context(mode=plumb.GRAPH_MODE)
        first, second = nn.Dense(2, 2), nn.Dense(2, 2)
        with self.assertRaisesRegex(ValueError, "two Parameters are called '(weight|bias)'") as caught:
            printed(nn.WithLossCell(first, second))
        self.assertIsInstance(caught.exception, CompileError)


class RefusedTest(unittest.TestCase):
    """What cannot be compiled names its place and what to do instead."""

    def assertRefused(self, fn, line_text, message):
        """The error stands at the line that contains `line_text` and says `message`."""
        problem = refused(fn)
        self.assertRegex(problem.message, message)
        with open(problem.filename, encoding="utf-8") as file:
            line = file.read().splitlines()[problem.line - 1]
        self.assertIn(line_text, line)
        self.assertIn(f"{problem.filename}:{problem.line}:{problem.column}: error: ", str(problem))
        self.assertRegex(str(problem).splitlines()[-1], r"^ *\^~*$")

    def test_groups_of_exceptions(self):
        self.assertRefused(uses_groups, "try:", r"'except\*' cannot be compiled; use 'except'")

    def test_what_python_computes(self):
        self.assertIn('net.namespace @numpy.fft {fft = @fft.object}', printed(uses_numpy))

    def test_unknown_operation(self):
        self.assertRefused(uses_unknown, "no_such", "'plumb.ops.no_such_operation' is not offered")

    def test_undefined_name(self):
        self.assertRefused(undefined, "nowhere", "the name 'nowhere' is not defined")

    def test_global(self):
        self.assertRefused(writes_global, "global", "keep state in a Parameter")


if __name__ == "__main__":
    unittest.main()
