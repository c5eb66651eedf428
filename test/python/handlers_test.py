"""`try` around what raises under a condition on a tensor: the handlers run where it holds, as in CPython."""

import unittest

import numpy as np

import plumb
from plumb import Tensor, nn, ops


class Own(ValueError):

    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


def plain(x):
    try:
        if x.sum() < 0:
            raise ValueError("no")
        y = ops.sqrt(x)
    except ValueError:
        y = x * 0
    return y


def in_for(x):
    try:
        for i in range(3):
            if x[i] < 0:
                raise IndexError("neg")
            x = x + 1
    except (KeyError, LookupError) as e:
        x = x * 10
    else:
        x = x * 2
    finally:
        x = x + 0.5
    return x


def check(x):
    if x[0] < 0:
        raise KeyError("zero")
    if x[1] < 0:
        raise Own(7)
    return x * 2


def in_callee(x):
    try:
        y = check(x)
    except KeyError:
        return x - 1
    except ValueError as e:
        y = x * e.code
    return y + 1


def nested(x):
    try:
        try:
            if x.sum() < 0:
                raise TypeError("t")
            y = x
        except ValueError:
            y = x * 100
    except Exception as e:
        y = x * len(str(e)) + 5
    return y


def in_while(x):
    i = 0
    try:
        while x[0] < 10:
            if x[1] > 3:
                raise StopIteration
            x = x * 2 + 5
            i = i + 1
    except StopIteration:
        x = -x
    return x + i


def of_other_class(x):
    try:
        if x.sum() < 0:
            raise ValueError(f"bad {ops.cast(x.sum(), plumb.int32)}")
        y = x * 2
    except TypeError:
        y = x
    return y


def asserted(x):
    try:
        assert x[0] > 0, "pos"
        y = x * 2
    except AssertionError:
        y = x * 3
    return y


def chosen(x):
    values = [x, x * 2]
    try:
        y = values[(x < 0).sum()]
    except IndexError:
        y = x * 0
    return y


def in_loop(x):
    for i in range(3):
        try:
            if x[i] < 0:
                raise ValueError
            x = x + 1
        except ValueError:
            x = x * 2
            continue
        if x[i] > 100:
            break
    return x


def deeper(x):
    try:
        if x[0] > 0:
            if x[1] < 0:
                raise ValueError
            y = x * 2
        else:
            y = x * 3
        y = y + 1
    except ValueError:
        y = x * 7
    return y


def while_growing(x):
    out = []
    try:
        for i in range(3):
            if x[i] < 0:
                raise ValueError
            out.append(x[i])
        y = ops.stack(out)
    except ValueError:
        y = x * 0
    return y


def within_while(x):
    i = 0
    while i < 3 and x.sum() < 1000:
        try:
            if x[1] < 0:
                raise ValueError
            x = x * 2
        except ValueError:
            x = -x
        i = i + 1
    return x


def raised_again(x):
    try:
        if x[0] < 0:
            raise ValueError("a")
        if x[1] < 0:
            raise KeyError("b")
        if x[2] < 0:
            raise RuntimeError("c")
        return x
    except (ValueError, KeyError) as e:
        if x.sum() < -100:
            raise
        return x * 2
    finally:
        x = x + 100


class Takes:

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        return kind is ValueError


def in_context(x):
    y = x
    with Takes():
        if x.sum() < 0:
            raise ValueError("in with")
        y = x * 2
    return y


def raised_instead(x):
    try:
        y = check(x)
    except KeyError as e:
        raise RuntimeError("again") from e
    return y


def tried(x):
    try:
        return check(x)
    except KeyError:
        return x * 3


def handled_below(x):
    try:
        y = tried(x) + tried(-x)
    except Own as e:
        y = x * e.code
    return y


def with_names(x):
    y = x
    try:
        y = y + 1
        if x[0] < 0:
            raise ValueError
        y = y + 1
        if x[1] < 0:
            raise ValueError
        y = y + 1
    except ValueError:
        y = y * 100
    return y


def left_endless(x):
    while True:
        x = x + 1
        try:
            if x[0] > 3:
                raise ValueError
        except ValueError:
            return x * 2


def endless(x):
    while True:
        x = x + 1
        if x[0] > 3:
            return x * 2


def broken_endless(x):
    n = 0
    while True:
        x = x + 1
        n = n + 1
        if x[0] > 3:
            return x * 2
        if n > 3:
            break
    return x


def for_in_for(x):
    s = 0
    try:
        for row in (x, x + 1, x * 2):
            for v in row:
                if v < 0:
                    raise ValueError
                s = s + v
        r = s
    except ValueError:
        r = s * 0 - 1
    return r * x


class Checking(nn.Cell):

    def helper(self, x):
        if x[0] < 0:
            raise ValueError('neg')
        return x * 2

    def construct(self, x):
        try:
            y = self.helper(x)
        except ValueError as e:
            y = x + len(e.args[0])
        return y


FUNCTIONS = [plain, in_for, in_callee, nested, in_while, of_other_class, asserted, chosen, in_loop, deeper, while_growing,
             within_while, raised_again, in_context, raised_instead, handled_below, with_names, left_endless, endless, broken_endless, for_in_for]
INPUTS = [np.float32(values) for values in ([1, 2, 3], [-1, 2, 3], [1, -2, 3], [-1, -2, -3], [1, 2, -30], [5, -9, 1])]


def outcome(function, values):
    """What a function gives: an array, or the exception."""
    try:
        return function(Tensor(values)).asnumpy()
    except Exception as problem:  # pylint: disable=broad-except
        return problem


class HandlersTest(unittest.TestCase):
    """Functions and cells."""

    def check(self, function, compiled, values):
        wanted, found = outcome(function, values), outcome(compiled, values)
        if isinstance(wanted, Exception):
            self.assertEqual(type(found).__name__, type(wanted).__name__, found)
            self.assertIn(str(wanted), str(found))
            return
        self.assertNotIsInstance(found, Exception)
        np.testing.assert_allclose(found, wanted, rtol=1e-6)

    def test_functions(self):
        for function in FUNCTIONS:
            compiled = plumb.jit(function)
            for values in INPUTS:
                with self.subTest(function.__name__, values=values):
                    self.check(function, compiled, values)

    def test_cells(self):
        """In graph mode, too."""
        expected = [outcome(Checking().construct, values) for values in INPUTS]
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        for values, wanted in zip(INPUTS, expected):
            np.testing.assert_allclose(outcome(Checking(), values), wanted)

    def test_gradients(self):
        """Of the way that was taken."""
        gradient = plumb.jit(plumb.grad(lambda x: in_callee(x).sum()))
        for values, slope in (([1, 2], 2), ([-1, 2], 1), ([1, -2], 7)):
            np.testing.assert_array_equal(gradient(Tensor(np.float32(values))).asnumpy(), [slope] * 2)

    def test_parameters(self):
        """What is written before an exception is raised stays, what stands behind it is not run."""
        class Counts(nn.Cell):
            """Counts in its Parameters."""

            def __init__(self):
                super().__init__()
                self.begun, self.ended = [plumb.Parameter(Tensor(np.float32(0)), name=name) for name in ("begun", "ended")]

            def construct(self, x):
                """Tries."""
                try:
                    self.begun += 1
                    if x.sum() < 0:
                        raise ValueError("no")
                    self.ended += 1
                except ValueError:
                    x = -x
                return x

        net = Counts()
        for values in INPUTS:
            net(Tensor(values))
        self.assertEqual((float(net.begun.asnumpy()), float(net.ended.asnumpy())), (6, 3))

    def test_effects_of_functions_that_raise(self):
        """Also where the exception is known while compiling: what stands before it has happened."""
        class Counts(nn.Cell):
            """Counts in a function that always raises."""

            def __init__(self):
                super().__init__()
                self.count = plumb.Parameter(Tensor(np.float32(0)), name="count")

            def step(self, x):
                """Counts, prints and raises."""
                self.count += x.sum()
                print("counted", x)
                raise ValueError("no")

            def outer(self, x):
                """Has nothing of its own."""
                return self.step(x)

            def construct(self, x):
                """Tries."""
                try:
                    self.outer(x)
                except ValueError:
                    x = -x
                return x + self.count

        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        net = Counts()
        np.testing.assert_array_equal(net(Tensor(np.float32([1, 2]))).asnumpy(), [2, 1])
        self.assertEqual(float(net.count.asnumpy()), 3)

    def test_gradient_of_what_always_raises(self):
        """Its effects before have happened."""
        class Counts(nn.Cell):
            """Counts in a function that it differentiates and that always raises."""

            def __init__(self):
                super().__init__()
                self.count = plumb.Parameter(Tensor(np.float32(0)), name="count")

            def step(self, x, seen):
                """Counts, prints and raises."""
                self.count += x.sum()
                seen.append(x)
                print("counted", x)
                raise ValueError("no")

            def construct(self, x):
                """Tries."""
                seen = []
                try:
                    x = plumb.grad(self.step)(x, seen)
                except ValueError:
                    x = x * 10
                return x + self.count + len(seen)

        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        net = Counts()
        np.testing.assert_array_equal(net(Tensor(np.float32([1, 2]))).asnumpy(), [14, 24])
        self.assertEqual(float(net.count.asnumpy()), 3)

    def test_what_a_handler_cannot_know(self):
        """Names and texts that are others on the way that raises are refused at their line."""
        def grown(x):
            seen = []
            try:
                for value in x:
                    if value < 0:
                        raise ValueError
                    seen.append(value)
            except ValueError:
                return x * len(seen)
            return x

        def shown(x):
            try:
                if x[0] < 0:
                    raise ValueError(f"x is {x}")
            except ValueError as problem:
                return x * len(str(problem))
            return x

        for function, words in ((grown, "has another size"), (shown, "shows tensors")):
            with self.assertRaisesRegex(plumb._parse.CompileError, words):
                plumb.jit(function)(Tensor(INPUTS[0]))


if __name__ == "__main__":
    unittest.main()
