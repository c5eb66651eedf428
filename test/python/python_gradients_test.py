"""Gradients of functions that Python runs, in PyNative mode: of those that ask for values of tensors, or that change what Python holds."""

import copy
import functools
import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops

X = np.array([1.0, -2.0, 3.0, 1.0], np.float32)
calls = []
counted_calls = 0


class Scaled(nn.Cell):
    """Multiplies by a tensor that it was made with."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        """The product."""
        return x * self.factor


class Wrapped(nn.Cell):
    """Such a cell within another."""

    def __init__(self, factor):
        super().__init__()
        self.scaled, self.relu = Scaled(factor), nn.ReLU()

    def construct(self, x):
        """The product of what is positive."""
        return self.scaled(self.relu(x))


def loop(x):
    """Doubles until a value is reached."""
    while float(x.sum().asnumpy()) < 50:
        x = x * 2
    return (x * x).sum()


def branch(x):
    """Another function on each side."""
    return (x * x).sum() if (x.sum() - 1).asnumpy().item() > 0 else x.sum()


def added(x):
    """Operators that assign."""
    y = x * 2
    y += x
    y *= x
    return y.sum()


def counted(x):
    """Changes a list of the program's."""
    calls.append(len(calls))
    return x.sum() * len(calls)


def counting(x):
    """Counts its calls in a global name."""
    global counted_calls  # pylint: disable=global-statement
    counted_calls += 1
    return (x * x).sum()


def yielding(x):
    """Adds up what a generator within it gives."""
    def parts():
        yield x.sum()
        yield (x * x).sum()

    return sum(parts())


def filled(x):
    """An array of NumPy's, written element by element."""
    weights = np.zeros(4, np.float32)
    weights[range(2)] = 3
    return (x * Tensor(weights)).sum()


def asking(function):
    """The function, behind a question for a value."""
    def asks(x):
        return function(x) if x.asnumpy() is not None else None
    return asks


class Batch(nn.Cell):
    """A layer with moving averages, behind one that counts its draws."""

    def __init__(self):
        super().__init__()
        self.drop, self.norm = nn.Dropout(p=0.5), nn.BatchNorm1d(2)

    def construct(self, x):
        return (self.norm(self.drop(x)) * Tensor([[1.0, 2.0], [3.0, 5.0], [0.5, 0.25]])).sum()


class PythonGradientsTest(unittest.TestCase):
    """Beside closed forms, and beside compiled gradients."""

    def setUp(self):
        self.addCleanup(plumb.set_context, mode=plumb.get_context("mode"))
        plumb.set_context(mode=plumb.PYNATIVE_MODE)
        self.x = Tensor(X)

    def test_control_flow(self):
        np.testing.assert_array_equal(plumb.grad(loop)(self.x).asnumpy(), 2 * X * 32 ** 2)
        for sign in (1, -1, 1):
            expected = 2 * X if sign > 0 else np.ones(4)
            np.testing.assert_array_equal(plumb.grad(branch)(self.x * sign).asnumpy(), expected)

    def test_what_python_holds(self):
        calls.clear()
        for number in (1, 2, 3):
            value, gradient = plumb.value_and_grad(counted)(self.x)
            self.assertEqual((float(value.asnumpy()), gradient.tolist()), (3 * number, [number] * 4))
        np.testing.assert_array_equal(plumb.grad(filled)(self.x).asnumpy(), [3, 3, 0, 0])

    def test_what_cannot_be_compiled(self):
        """Functions that assign global names or are generators, without source, and such that call them."""
        class Holder:
            """Objects that are called, and with a method."""

            def __call__(self, x):
                return (x * x).sum() * 6

            def loss(self, x):
                return counting(x) * 5

        made = {}
        exec("cube = lambda x: (x * x * x).sum()", made)
        before = counted_calls
        for function, expected in (
                (counting, 2 * X), (made["cube"], 3 * X * X), (lambda x: counting(x) + made["cube"](x), 2 * X + 3 * X * X),
                (yielding, 2 * X + 1), (Holder().loss, 10 * X), (Holder(), 12 * X), (functools.partial(ops.mul, Tensor(X)), X),
                (functools.partial(counting), 2 * X)):
            with self.subTest(function=function):
                np.testing.assert_allclose(plumb.grad(function)(self.x).asnumpy(), expected, rtol=1e-6)
        self.assertEqual(counted_calls, before + 4)
        with self.assertRaisesRegex(TypeError, "a function or a Cell, but got int"):
            plumb.grad(3)
        plumb.set_context(mode=plumb.GRAPH_MODE)
        for function, words in ((counting, "the global name 'counted_calls'"), (made["cube"], "could not get source code")):
            with self.assertRaisesRegex(RuntimeError, words):
                plumb.grad(function)(self.x)

    def test_settings_by_name_only(self):
        """They are part of what is called, where they are no tensors."""

        def covariances(x):
            pairs = x.reshape(2, 2)
            if float(x.sum().asnumpy()) < 0:
                return x.sum()
            return (ops.cov(pairs, correction=0) * Tensor([[1.0, 2.0], [3.0, 4.0]])).sum()

        compiled = plumb.grad(lambda x: (ops.cov(x.reshape(2, 2), correction=0) * Tensor([[1.0, 2.0], [3.0, 4.0]])).sum())
        np.testing.assert_allclose(plumb.grad(covariances)(Tensor(X)).asnumpy(), compiled(Tensor(X)).asnumpy(), rtol=1e-5)

    def test_lambdas_on_one_line(self):
        outer, three, four = lambda x: plumb.grad(lambda x: x * 5)(x), lambda x: x * 3, lambda x: x * 4
        self.assertEqual([part.tolist() for part in (outer(self.x), plumb.grad(three)(self.x), plumb.grad(four)(self.x))],
                         [[number] * 4 for number in (5, 3, 4)])
        twice = lambda: (plumb.grad(lambda x: x * x)(self.x), plumb.grad(lambda x: x)(self.x))
        self.assertEqual([part.tolist() for part in twice()], [(2 * X).tolist(), [1] * 4])

    def test_draws_begin_where_the_program_is(self):
        def noisy(x):
            return (x * float(np.random.rand())).sum() * (1 if x.asnumpy() is not None else 0)

        np.random.seed(4)
        found = [float(plumb.grad(noisy)(self.x).asnumpy()[0]) for _ in range(3)]
        np.testing.assert_allclose(found, np.random.RandomState(4).rand(3), rtol=1e-6)

    def test_parts(self):
        """Elements, rows, copies, operators, structures, and functions of several results."""
        functions = [
            lambda x: (x[1:3] * x[0]).sum() + x[-1] ** 2, lambda x: (x[Tensor([0, 0, 2])] ** 2).sum(), lambda x: (x[x > 0] ** 2).sum(),
            lambda x: sum(value * value * number for number, value in enumerate(x)), lambda x: (x.copy() ** 2).sum(), added,
            lambda x: (ops.concat((x, x * 2)) ** 2).sum(), lambda x: (ops.split(x, 2)[1] ** 2).sum(), lambda x: ops.topk(x, 2)[0].prod(),
            lambda x: ops.clip_by_value(x, clip_value_max=2, clip_value_min=-1).sum(), lambda x: (ops.stop_gradient(x) * x).sum(),
            lambda x: (x * ops.argmax(x)).sum(), lambda x: plumb.grad(lambda y: (y ** 3).sum())(x).sum(), lambda x: ops.norm(x),
            lambda x: (x.astype(plumb.float16).reshape(2, 2).T[0].astype(plumb.float32) ** 2).sum(), lambda x: (x * Tensor(x)).sum()]
        for number, function in enumerate(functions):
            with self.subTest(number=number):
                found = plumb.grad(asking(function))(self.x).asnumpy()
                np.testing.assert_allclose(found, plumb.grad(function)(self.x).asnumpy(), rtol=1e-6)

    def test_gradients_with_ids(self):
        """The gradient of a gradient that stands behind its position, with the numbers of MindSpore 2.0.0; each time the same."""
        dense = nn.Dense(3, 1, Tensor(np.array([[0.1, 0.2, 0.3]], np.float32)), "zeros")
        net = nn.SequentialCell(dense, nn.Sigmoid())

        def penalty(x):
            slopes = ops.grad(net, return_ids=True)(x * float(x.asnumpy() is not None))
            return (ops.get_grad(slopes, 0) ** 2).sum()
        for _ in range(2):
            value, (weight, bias) = plumb.value_and_grad(penalty, None, net.trainable_params())(Tensor(np.full((2, 3), 0.5, np.float32)))
            self.assertAlmostEqual(float(value), 0.0167328, places=6)
            np.testing.assert_allclose(weight.asnumpy(), [[2.14126892e-02, 4.53166366e-02, 6.92205876e-02]], rtol=1e-5)
            np.testing.assert_allclose(bias.asnumpy(), [-4.98251570e-03], rtol=1e-5)

    def test_bfloat16(self):
        """Gradients through bfloat16, of its types where a tensor is of it."""
        def function(x):
            y = ops.cast(x, plumb.bfloat16) ** 2
            y[0] = y[1]
            return ops.cast(y, plumb.float32).sum() * (1 if x.asnumpy() is not None else 0)
        np.testing.assert_array_equal(plumb.grad(function)(Tensor([1.5, 2.0], plumb.float32)).asnumpy(), [0, 8])
        found = plumb.grad(asking(lambda x: x * x[0]))(Tensor([1.5, 2.0], plumb.bfloat16))
        self.assertEqual((str(found.dtype), found.asnumpy().tolist()), ("BFloat16", [5, 1.5]))

    def test_cells(self):
        """Random draws and moving averages are those of one call, and gradients fit the draws."""
        found = []
        for wrap in (asking, lambda function: function):
            plumb.set_seed(5)
            cell = Batch()
            cell.set_train()
            x, steps = Tensor([[1.0, 2.0], [4.0, 3.0], [-1.0, 7.0]]), []
            for _ in range(3):
                value, (by_input, by_weights) = plumb.value_and_grad(wrap(lambda x: cell(x)), 0, cell.trainable_params())(x)
                steps += [value.asnumpy(), by_input.asnumpy()] + [weight.asnumpy() for weight in by_weights]
            found.append(steps + [cell.norm.moving_mean.asnumpy(), cell.norm.moving_variance.asnumpy(), cell.drop.calls.asnumpy()])
        for one, other in zip(*found):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)
        self.assertEqual(found[0][-1], 3)

    def test_forms(self):
        """Several inputs, Parameters, further results, and the adjoint of a result."""
        weight, other = Parameter(Tensor([2.0, 3.0, 4.0, 5.0]), name="weight"), Parameter(Tensor([1.0]), name="other")

        def fn(x, y):
            noted = float(x.asnumpy()[0])
            return (x * y * weight).sum() * noted, noted, x + y

        y = self.x + 1
        expected = [(2 * X).tolist(), (weight.asnumpy() * y.asnumpy()).tolist(), (X * y.asnumpy()).tolist(), [0]]
        (value, noted, total), (by_input, by_weights) = plumb.value_and_grad(fn, (1, 0), [weight, other], has_aux=True)(self.x, y)
        self.assertEqual((noted, total.tolist()), (1.0, (2 * X + 1).tolist()))
        self.assertEqual(float(value.asnumpy()), float((X * (X + 1) * weight.asnumpy()).sum()))
        self.assertEqual([tensor.tolist() for tensor in (by_input[1], *by_weights)], expected[1:])
        weighed = ops.GradOperation(get_all=True, sens_param=True)(lambda x: x * x * float(x.asnumpy()[0]))(self.x, Tensor(X))
        np.testing.assert_array_equal(weighed[0].asnumpy(), 2 * X * X)

    def test_stores(self):
        """Elements that are stored, into what was computed, used before and after, and into an argument."""
        def stores(x, y):
            known = float(x.asnumpy()[0])
            z = x * x * known
            before = z * 2
            z[0] = y[1] * 3
            z[1:] = y[0] * z[0]
            z[0] = z[0] + 7
            x[0] = 5
            return (z * z).sum() + before.sum() + (x * x).sum() + z[1]

        def same(x, y):
            z = x * x * first_of(x)
            first, rest = y[1] * 3, y[0] * (y[1] * 3)
            return (first + 7) ** 2 + rest ** 2 * (len(X) - 1) + 2 * z.sum() + 25 + (x[1:] ** 2).sum() + rest

        def first_of(_):
            return float(X[0])

        y = Tensor(np.asarray([2.0, 3.0], np.float32))
        value, (by_x, by_y) = plumb.value_and_grad(stores, (0, 1))(Tensor(X.copy()), y)
        np.testing.assert_allclose(value.asnumpy(), same(X.astype(np.float64), y.asnumpy().astype(np.float64)), rtol=1e-5)
        expected = 4 * X * float(X[0]) + np.concatenate([[0], 2 * X[1:]])
        np.testing.assert_allclose(by_x.asnumpy(), expected, rtol=1e-5)
        near = [(same(X.astype(np.float64), y.asnumpy() + step) - same(X.astype(np.float64), y.asnumpy() - step)) / 2e-6
                for step in np.eye(2) * 1e-6]
        np.testing.assert_allclose(by_y.asnumpy(), near, rtol=1e-4)

    def test_sizes_that_integers_decide(self):
        """An operator whose result's size is one of its integers' values, differentiated by all of its inputs; an operator that
        has no gradient at all says so."""
        from plumb.ops.operations.sparse_ops import SparseSegmentSqrtN
        rows, numbers, segments = Tensor(np.ones((3, 2), np.float32)), Tensor([0, 1, 2], plumb.int32), Tensor([0, 0, 2], plumb.int32)
        operation = SparseSegmentSqrtN()
        for function in (operation, lambda *given: operation(*given) * 1):
            by_rows, *others = ops.GradOperation(get_all=True)(function)(rows, numbers, segments)
            np.testing.assert_allclose(by_rows.asnumpy(), np.array([0.5 ** 0.5, 0.5 ** 0.5, 1])[:, np.newaxis].repeat(2, 1), rtol=1e-6)
            self.assertEqual([other.asnumpy().tolist() for other in others], [[0, 0, 0], [0, 0, 0]])

    def test_cells_that_hold_tensors(self):
        """Cells that are made within the function pass gradients on to the tensors they were made with."""
        other = Tensor(X + 1)
        for kind, expected in ((Scaled, 2 * (X + 1)), (Wrapped, 2 * np.maximum(X + 1, 0))):
            with self.subTest(kind=kind.__name__):
                found = plumb.grad(lambda x, kind=kind: kind(x * 2)(other).sum())(self.x)
                np.testing.assert_allclose(found.asnumpy(), expected)
        scores, labels = Tensor(np.array([[0.5, 1.0], [2.0, -1.0]], np.float32)), Tensor(np.array([0, 1], np.int32))
        weights = Tensor(np.array([0.25, 0.5], np.float32))
        by_layer = plumb.grad(lambda w: nn.CrossEntropyLoss(w * 2)(scores, labels))(weights)
        by_function = plumb.grad(lambda w: ops.cross_entropy(scores, labels, w * 2))(weights)
        np.testing.assert_allclose(by_layer.asnumpy(), by_function.asnumpy(), rtol=1e-6)
        self.assertGreater(np.abs(by_layer.asnumpy()).max(), 0.1)

    def test_tensors_that_are_made_of_tensors(self):
        """The gradient goes on through `Tensor(tensor)` and deep copies; a list of tensors is refused, as MindSpore does."""
        makers = (Tensor, lambda x: Tensor(x, plumb.float32), lambda x: Tensor(input_data=x), lambda x: Tensor(x, plumb.float16), copy.deepcopy,
                  lambda x: Tensor(Tensor(x)), lambda x: ops.stack([Tensor(x[0]), *[x[i] for i in range(1, 4)]]))
        for number, make in enumerate(makers):
            with self.subTest(number=number):
                found = plumb.grad(asking(lambda x, make=make: (make(x * 2) * x).sum()))(self.x)
                np.testing.assert_allclose(found.asnumpy(), 4 * X)
                if make is not copy.deepcopy:
                    compiled = plumb.jit(lambda x, make=make: plumb.grad(lambda x: (make(x * 2) * x).sum())(x))(self.x)
                    np.testing.assert_allclose(compiled.asnumpy(), 4 * X)
        with self.assertRaisesRegex(TypeError, "use ops.stack"):
            plumb.grad(asking(lambda x: Tensor([x[0], x[1]]).sum()))(self.x)

    def test_constants_that_lead_to_the_gradient(self):
        """What is compiled within the function takes no such tensor for a constant in silence."""
        other = Tensor(X + 1)
        for name, use in (("jit", lambda y: plumb.jit(lambda z: z * y)(other)), ("grad", lambda y: plumb.grad(lambda z: (z * y).sum())(other))):
            with self.subTest(name=name), self.assertRaisesRegex(RuntimeError, "pass it as an argument"):
                plumb.grad(lambda x, use=use: use(x * float(x.asnumpy()[0] * 2)).sum())(self.x)
        mapped = plumb.grad(lambda x: plumb.vmap(lambda z: z * (x * float(x.asnumpy()[0])).sum())(other).sum())(self.x)
        np.testing.assert_allclose(mapped.asnumpy(), np.full(4, X[0] * (X + 1).sum()))
        rows = plumb.grad(lambda x: ops.jacrev(lambda z: z * z * z)(x * float(x.asnumpy()[0])).sum())(self.x)
        np.testing.assert_allclose(rows.asnumpy(), 6 * X[0] ** 2 * X)
        with self.assertRaisesRegex(RuntimeError, "use 'jacrev'"):
            plumb.grad(lambda x: ops.jacfwd(lambda z: z * z * z)(x * float(x.asnumpy()[0])).sum())(self.x)

    def test_refusals(self):
        weight = plumb.Parameter(Tensor(X), name="weight")

        def stores(x):
            weight[0] = x[0] * int(x.asnumpy()[0])
            return (x * weight).sum()

        def inner(x):
            return (x * float(x.asnumpy()[0])).sum()

        with self.assertRaisesRegex(RuntimeError, "no elements of Parameters that lead to the gradient can be stored"):
            plumb.grad(stores)(self.x)
        with self.assertRaisesRegex(RuntimeError, "Python runs the function that this gradient is taken in"):
            plumb.grad(asking(lambda x: plumb.grad(inner)(x).sum()))(self.x)
        plumb.set_context(mode=plumb.GRAPH_MODE)
        with self.assertRaisesRegex(TypeError, "asks for a tensor's value"):
            plumb.grad(inner)(self.x)


if __name__ == "__main__":
    unittest.main()
