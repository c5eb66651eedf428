"""`raise` and `assert` on what only the running program knows: the launch ends with an exception of that class at that line."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import plumb
from plumb import context, dataset, nn, ops

HERE = os.path.basename(__file__)


class OwnError(ValueError):
    """Of the program."""


class CodedError(Exception):
    """Has a constructor of its own."""

    def __init__(self, code, place):
        super().__init__(f"code {code} at {place}")


def tensor(*values):
    return plumb.Tensor(np.array(values, np.float32))


def simple(x):
    if x.sum() < 0:
        raise ValueError("negative {sum}")  # here
    return x * 2


def on_one_side(x):
    if x.sum() >= 0:
        y = x * 2
    else:
        raise IndexError("no such y")  # here
    return y


def in_both(x):
    if x.sum() > 0:
        if x[0] > 0:
            return x * 2
        elif x[1] > 5:
            raise KeyError("one")
        else:
            raise TypeError("other")  # here
    raise OwnError("third")


def in_for(x):
    for i in range(3):
        if x[i] > 5:
            break
        if x[i] < 0:
            raise OverflowError(f"element {i}")  # here
        x = x + 1
    return x


def in_while(x):
    i = 0
    while x[0] < 100:
        if x[1] < i:
            raise RuntimeWarning("too often")  # here
        x = x * 2
        i = i + 1
    return x


def checked(x):
    if x[0] < 0:
        raise ArithmeticError("unchecked")  # here
    return x + 1


def in_callee(x):
    return checked(x * 2) * checked(x)


def stop(reason):
    raise NotImplementedError("no " + reason)  # here


def in_helper(x):
    if x.sum() < 0:
        stop("sums below zero")
    return x


def loop_over_callee(x):
    """The loop would go on for ever on what the callee does not return."""
    i = x[0] * 0
    while i < 5:
        i = i + checked(x)[0] * 0 + (1 if x[0] > 0 else 0)
    return i


def of_own_class(x):
    if x.sum() < 0:
        raise OwnError("own")  # here
    return x


def without_message(x):
    if x.sum() < 0:
        raise ZeroDivisionError  # here
    return x


def of_several(x):
    if x.sum() < 0:
        raise ValueError("shape", x.shape, 3)  # here
    return x


def of_constructor(x):
    if x.sum() < 0:
        raise CodedError(3, place="home")  # here
    return x


def asserts(x):
    assert x.sum() >= 0, "a sum below zero"  # here
    return x * 3


def asserts_plainly(x):
    assert x.sum() >= 0  # here
    return x * 3


def asserts_computed(x):
    assert x.sum() >= 0, f"{x.shape[0]} numbers"  # here
    return x * 3


def of_unused_element(x):
    pair = (x, x * 2)
    pair[(x < 0).sum()]  # here  pylint: disable=expression-not-assigned
    return x


def of_unused_call(x):
    def chosen(values):
        cells = [nn.ReLU(), abs]
        cells[(values < 0).sum()](values)  # here
        return values * 2

    if x.shape[0] == 3:
        chosen(x)
    return x


GOOD, BAD = tensor(1, 2, 3), tensor(-1, -2, -3)
CASES = [(simple, ValueError, "negative {sum}"), (on_one_side, IndexError, "no such y"), (in_for, OverflowError, "element 0"),
         (in_callee, ArithmeticError, "unchecked"), (in_helper, NotImplementedError, "no sums below zero"),
         (of_own_class, OwnError, "own"), (without_message, ZeroDivisionError, ""), (of_several, ValueError, "('shape', (3,), 3)"),
         (of_constructor, CodedError, "code 3 at home"), (asserts, AssertionError, "a sum below zero"),
         (asserts_plainly, AssertionError, "x.sum() >= 0"), (asserts_computed, AssertionError, "3 numbers"),
         (of_unused_element, IndexError, "tuple index out of range"), (of_unused_call, IndexError, "list index out of range")]


def line_of(function, mark="# here"):
    """`file:line:` of the line of a function that is marked."""
    with open(__file__, encoding="utf-8") as file:
        lines = file.readlines()
    first = function.__code__.co_firstlineno
    return f"{HERE}:{next(number for number in range(first, len(lines)) if mark in lines[number - 1])}:"


class CalledTest(unittest.TestCase):
    """Under direct calls."""

    def raised(self, function, kind, *inputs):
        with self.assertRaises(kind) as caught:
            function(*inputs)
        return caught.exception

    def test_functions(self):
        """The class, the text and the line; calls before and behind it work."""
        for function, kind, text in CASES:
            with self.subTest(function=function.__name__):
                expected = [np.asarray(function(part)) for part in (GOOD,)]
                compiled = plumb.jit(function)
                for _ in range(2):
                    np.testing.assert_array_equal(compiled(GOOD).asnumpy(), expected[0])
                    problem = self.raised(compiled, kind, BAD)
                    self.assertEqual(type(problem), kind)
                    self.assertIn(text, str(problem).split("\n")[0])
                    place = "def stop" if function is in_helper else function
                    place = {in_helper: stop, in_callee: checked}.get(function, function)
                    self.assertIn(line_of(place), str(problem))

    def test_mapped(self):
        """One operation calls a function that raises, then one that does not, which returns wherever else it is called."""
        def picky(k):
            if k == 1:
                raise ValueError("one")
            kept = k + 1
            return kept

        @plumb.jit
        def mapped(x):
            if x.sum() > 100:
                list(map(picky, [1, 2]))
            return picky(2) * x

        self.assertEqual(mapped(tensor(1, 2)).asnumpy().tolist(), [3, 6])
        self.assertIn("one", str(self.raised(mapped, ValueError, tensor(200))))

    def test_ways(self):
        both = plumb.jit(in_both)
        self.assertEqual(both(tensor(1, 2)).asnumpy().tolist(), [2, 4])
        self.assertIn("third", str(self.raised(both, OwnError, tensor(-1, -2))))
        self.assertIn("one", str(self.raised(both, KeyError, tensor(-1, 6))))
        self.assertIn(line_of(in_both), str(self.raised(both, TypeError, tensor(-1, 3))))

    def test_while(self):
        loop = plumb.jit(in_while)
        self.assertEqual(loop(tensor(60, 2)).asnumpy().tolist(), [120, 4])
        self.assertIn(line_of(in_while), str(self.raised(loop, RuntimeWarning, tensor(1, -1))))
        loop = plumb.jit(loop_over_callee)
        self.assertEqual(float(loop(tensor(1))), 5)
        self.raised(loop, ArithmeticError, tensor(-1))

    def test_gradients(self):
        for function, kind, _ in CASES:
            with self.subTest(function=function.__name__):
                gradient = plumb.grad(lambda x, function=function: function(x).sum())
                self.assertEqual(gradient(GOOD).shape, (3,))
                self.raised(gradient, kind, BAD)
        gradient = plumb.grad(lambda x: in_while(x).sum())
        self.assertEqual(gradient(tensor(60, 2)).asnumpy().tolist(), [2, 2])
        self.raised(gradient, RuntimeWarning, tensor(1, -1))

    def test_pynative(self):
        class Network(nn.Cell):
            def construct(self, x):
                return simple(x)

        before = context.get_context("mode")
        try:
            for mode in (context.PYNATIVE_MODE, context.GRAPH_MODE):
                context.set_context(mode=mode)
                self.assertIn(line_of(simple), str(self.raised(Network(), ValueError, BAD)))
        finally:
            context.set_context(mode=before)

    def test_nothing_returned(self):
        """A function that raises whatever its inputs."""
        @plumb.jit
        def always(x):
            if x.sum() > 0:
                raise ValueError("more")
            else:
                raise TypeError("less")

        self.raised(always, ValueError, GOOD)
        self.raised(always, TypeError, BAD)

    def test_first(self):
        """The first that the program comes to is told, whatever what follows would do with what is left."""
        @plumb.jit
        def several(x):
            assert x[0] > 0, "first"
            i = 0
            while x[0] + i < 3:
                assert i < 1, "second"
                i = i + 1
            assert x[1] > 0, "third"
            return x

        for values, text in (((0, 0), "first"), ((1, 0), "second"), ((2, 0), "third")):
            self.assertIn(text, str(self.raised(several, AssertionError, tensor(*values))))
        self.assertEqual(several(tensor(2, 1)).asnumpy().tolist(), [2, 1])

    def test_handlers(self):
        """Around gradients and conditions of loops; see handlers_test.py."""
        def differentiated(x):
            try:
                y = ops.grad(checked)(x)
            except ArithmeticError:
                y = x
            return y

        def looped(x):
            try:
                while checked(x).sum() < 10:
                    x = x * 2
            except ArithmeticError:
                x = x + 1
            return x

        for function in (differentiated, looped):
            for x in (GOOD, BAD, tensor(0.5, -0.25)):
                with self.subTest(function=function.__name__, x=x):
                    np.testing.assert_allclose(plumb.jit(function)(x).asnumpy(), function(x).asnumpy(), rtol=1e-6)

    def test_called_by_operations(self):
        """What `map` calls several times is left where the first one raises."""
        def mapped(x):
            try:
                parts = list(map(checked, (x, x + 1)))
            except ArithmeticError:
                return x
            return parts[0] + parts[1]

        for x in (GOOD, BAD):
            np.testing.assert_allclose(plumb.jit(mapped)(x).asnumpy(), mapped(x).asnumpy(), rtol=1e-6)

    def test_handled_there(self):
        """A `try` under the same condition."""
        @plumb.jit
        def tries(x):
            if x.sum() > 0:
                try:
                    raise ValueError("no")
                except ValueError:
                    x = x + 1
            return x

        self.assertEqual(tries(GOOD).asnumpy().tolist(), [2, 3, 4])


class ValuesTest(unittest.TestCase):
    """Texts that hold tensors."""

    def check(self, function, x, kind, text):
        with self.assertRaises(kind) as caught:
            function(plumb.Tensor(np.array(x)))
        self.assertEqual(str(caught.exception).rsplit("\n", 3)[0], text)

    def test_always(self):
        @plumb.jit
        def always(x):
            raise ValueError(f"input should not be {x}")

        for x, text in ((np.int32(1), "1"), (np.float32(1.5), "1.5"), (np.array([True, False]), "[ True False]"),
                        (np.array([[1, 2], [3, 40]]), "[[ 1  2]\n [ 3 40]]"), (np.float32([1.5, -2]), "[ 1.5 -2.0]")):
            self.check(always, x, ValueError, f"input should not be {text}")

    def test_texts(self):
        """However a text is put together."""
        @plumb.jit
        def raising(x):
            text = "bad " + str(x * 2)
            if x.sum() > 0:
                raise ValueError("%s: %s" % (text, [x, "a"]), x.shape)
            raise ValueError(", ".join([text, f"{x}"]))

        self.check(raising, np.float32([1, 2]), ValueError, "('bad [2.0 4.0]: [[1.0 2.0], 'a']', (2,))")
        self.check(raising, np.float32([-1, 0]), ValueError, "bad [-2.0  0.0], [-1.0  0.0]")

    def test_in_loops(self):
        """With what the iteration that raises has."""
        @plumb.jit
        def loop(x):
            i = 0
            while i < 5:
                if x[i % 3] > i + 2:
                    raise IndexError("step", i, "of {x}", x[i % 3], x > 2)
                x = x + 0.25
                i = i + 1
            return x

        self.assertEqual(loop(tensor(0, 0, 0)).asnumpy().tolist(), [1.25] * 3)
        self.check(loop, np.float32([0, 3.5, 0]), IndexError, "('step', 1, 'of {x}', 3.75, [False  True False])")

    def test_assert(self):
        @plumb.jit
        def call(x):
            assert x.sum() > 0, f"{{the}} sum {x.sum()} of {x.shape} and {x.shape[0]:03}"
            return x

        for _ in range(2):
            call(GOOD)
            self.check(call, np.float32([-1, -2]), AssertionError, "{the} sum -3.0 of (2,) and 002")

    def test_first_of_several(self):
        @plumb.jit
        def several(x):
            assert x[0] > 0, f"first {x[0]}"
            assert x[1] > 0, f"second {x[1]}"
            return x

        self.check(several, np.float32([-1, -2]), AssertionError, "first -1.0")
        self.check(several, np.float32([1, -2]), AssertionError, "second -2.0")


class OperatorTest(unittest.TestCase):
    """ops.Assert."""

    def test_assert(self):
        @plumb.jit
        def call(x):
            ops.Assert(2)(x.sum() > 0, [x, x * 2, "why"])
            return x

        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(call(GOOD).asnumpy().tolist(), [1, 2, 3])
            with self.assertRaisesRegex(RuntimeError, rf"assert failed at .*{line_of(self.test_assert, 'ops.Assert')}"):
                call(BAD)
        self.assertRegex(out.getvalue(), r"(?s)\AFor 'Assert'.*input data: .*-1.0.*-2.0.*input data: .*-2.0.*-4.0.*input data: why\n\Z")


class EffectsTest(unittest.TestCase):
    """What stands behind it does not happen; what stands before has."""

    def network(self):
        class Network(nn.Cell):
            def __init__(self):
                super().__init__()
                self.before = plumb.Parameter(tensor(0), name="before")
                self.behind = plumb.Parameter(tensor(0), name="behind")

            def construct(self, x):
                self.before += 1
                for i in range(2):
                    if x[i] < 0:
                        raise ValueError("negative")
                    self.behind += 1
                return x

        return Network()

    def test_parameters(self):
        network = self.network()
        network(tensor(1, 1))
        for first, second, behind in ((-1, 1, 2), (1, -1, 3)):
            with self.assertRaises(ValueError):
                network(tensor(first, second))
            self.assertEqual(float(network.behind), behind)
        self.assertEqual(float(network.before), 3)

    def test_prints(self):
        text = "import numpy as np, plumb\n@plumb.jit\ndef call(x):\n    print('before')\n    if x[0] < 0:\n" \
               "        raise ValueError('negative')\n    print('behind')\n    return x\n" \
               "call(plumb.Tensor(np.ones(1, np.float32)))\ncall(plumb.Tensor(-np.ones(1, np.float32)))\n"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
        self.assertEqual(done.stdout.split(), ["before", "behind", "before"])
        self.assertIn("ValueError: negative", done.stderr)
        self.assertIn("program.py:6:", done.stderr)


class TrainingTest(unittest.TestCase):
    """In sunk loops, the step that raises is the last, and leaves the weights as they were before it."""

    def train(self, sink):
        class Network(nn.Cell):
            def __init__(self):
                super().__init__()
                self.dense = nn.Dense(2, 1, weight_init="ones")

            def construct(self, x):
                if x.sum() > 100:
                    raise OwnError("too large")  # of the network
                return self.dense(x)

        rows = np.ones((6, 2), np.float32)
        rows[4] *= 1000
        data = dataset.NumpySlicesDataset((rows, np.zeros((6, 1), np.float32)), ["x", "y"], shuffle=False).batch(1)
        network = Network()
        model = plumb.train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.01, 0.9))
        with self.assertRaises(OwnError) as caught:
            model.train(1, data, dataset_sink_mode=sink)
        self.assertRegex(str(caught.exception), "too large\n.*raises_test.py.*raised in step")
        return network.dense.weight.asnumpy()

    def test_weights(self):
        weights = self.train(True)
        self.assertTrue((0 < weights).all() and (weights < 1).all(), weights)
        np.testing.assert_array_equal(self.train(False), weights)


if __name__ == "__main__":
    unittest.main()
