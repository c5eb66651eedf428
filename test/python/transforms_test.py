"""Gradient functions with all their options, products with Jacobians and Jacobians, against closed forms."""

import contextlib
import io
import unittest

import numpy as np
import torch

import plumb
from plumb import Parameter, ParameterTuple, Tensor, nn, ops
from plumb._parse import CompileError

X, Y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
x, y = Tensor(X), Tensor(Y)


def square(a):
    return a * a


def pair(a, b):
    return a * b, a + b


def mixed(a, b):
    return a * b, (b * b).sum()


def three(a, b):
    return a * b, b.sum(), a + 1


def cubes(a):
    return (a * a * a).sum()


class Net(nn.Cell):
    """x y w + b."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.array([2.0])), name="w")
        self.b = Parameter(Tensor(np.array([3.0])), name="b")

    def construct(self, a, b):
        return a * b * self.w + self.b


def plain(value):
    """Tensors as nested lists."""
    return tuple(plain(item) for item in value) if isinstance(value, tuple) else \
        value.tolist() if isinstance(value, Tensor) else value


class GradientTest(unittest.TestCase):
    """`grad`, `value_and_grad` and `GradOperation`."""

    def setUp(self):
        self.net = Net()
        self.weights = ParameterTuple(self.net.trainable_params())

    def test_identifiers(self):
        net, weights = self.net, self.weights
        for options, expected in (
                ((0,), (0, [6.0, 8.0])),
                (((0,),), (0, [6.0, 8.0])),
                (((0, 1),), ((0, [6.0, 8.0]), (1, [2.0, 4.0]))),
                ((None, weights), (("w", [11.0]), ("b", [2.0]))),
                ((None, net.w), ("w", [11.0])),
                ((0, weights), ((0, [6.0, 8.0]), (("w", [11.0]), ("b", [2.0]))))):
            found = plumb.grad(net, *options, return_ids=True)(x, y)
            self.assertEqual(plain(found), expected)
        found = plumb.grad(net, (0, 1), weights, return_ids=True)(x, y)
        self.assertEqual(plain(plumb.get_grad(found, 1)), [2.0, 4.0])
        self.assertEqual(plain(plumb.get_grad(found, net.b)), [2.0])
        with self.assertRaises(RuntimeError):
            plumb.get_grad(found, 2)
        with self.assertRaises(TypeError):
            plumb.get_grad(found, "w")

    def test_no_weights(self):
        self.assertEqual(plain(plumb.grad(square, 0, [])(x)), ([2.0, 4.0], ()))
        self.assertEqual(plain(plumb.grad(mixed, 0, (), has_aux=True)(x, y)), (([3.0, 4.0], ()), (25.0,)))
        self.assertEqual(plain(plumb.value_and_grad(square, 0, [])(x)), ([1.0, 4.0], ([2.0, 4.0], ())))
        self.assertEqual(plain(plumb.grad(square, None, [])(x)), ())
        self.assertEqual(plain(plumb.grad(self.net, 0, [self.net.w], return_ids=True)(x, y)), ((0, [6.0, 8.0]), (("w", [11.0]),)))
        self.assertEqual(plain(ops.GradOperation(get_all=True, get_by_list=True)(square, [])(x)), (([2.0, 4.0],), ()))

    def test_identifiers_in_compiled_functions(self):
        net, weights = self.net, tuple(self.net.trainable_params())
        for position, of in ((0, None), ((0, 1), None), (None, weights), (None, net.w), (0, weights), ((0, 1), (net.w,)), (0, ())):
            with self.subTest((position, of)):
                made = plumb.grad(net, position, of, return_ids=True)
                found = plumb.jit(lambda a, b: plumb.grad(net, position, of, return_ids=True)(a, b))(x, y)  # pylint: disable=cell-var-from-loop
                self.assertEqual(plain(found), plain(made(x, y)))
        named = plumb.jit(lambda a, b: plumb.get_grad(plumb.grad(net, (0, 1), weights, return_ids=True)(a, b), net.w))
        self.assertEqual(plain(named(x, y)), [11.0])

    def test_parameters_and_constants_among_results(self):
        class Leaves(nn.Cell):
            """x w, and w itself."""

            def __init__(self):
                super().__init__()
                self.w = Parameter(Tensor([2.0, 3.0], plumb.float32), name="w")

            def construct(self, a):
                return a * self.w, self.w, {"w": [self.w]}, Tensor([1.0]), 3

        net = Leaves()
        expected = ([2.0, 3.0], [3.0, 4.0])
        self.assertEqual(plain(plumb.grad(net, 0, net.w)(x)), expected)
        self.assertEqual(plain(plumb.jit(lambda a: plumb.grad(net, 0, net.w)(a))(x)), expected)
        self.assertEqual(plain(ops.GradOperation(get_all=True, get_by_list=True)(lambda: net.w, [net.w])()), ((), ([1.0, 1.0],)))
        self.assertEqual(plain(plumb.jit(lambda a: plumb.grad(lambda b: 3)(a))(x)), [0.0, 0.0])

    def test_results_beside(self):
        self.assertEqual(plain(plumb.value_and_grad(mixed, 0, None, has_aux=True)(x, y)), (([3.0, 8.0], 25.0), [3.0, 4.0]))
        self.assertEqual(plain(plumb.grad(mixed, 0, has_aux=True)(x, y)), ([3.0, 4.0], (25.0,)))
        self.assertEqual(plain(plumb.grad(three, (0, 1), has_aux=True)(x, y)), (([3.0, 4.0], [1.0, 2.0]), (7.0, [2.0, 3.0])))

    def test_several_results(self):
        self.assertEqual(plain(plumb.value_and_grad(pair, (0, 1))(x, y)),
                         (([3.0, 8.0], [4.0, 6.0]), ([4.0, 5.0], [2.0, 3.0])))

    def test_grad_operation(self):
        by_x, by_y, by_w, by_b = [6.0, 8.0], [2.0, 4.0], [11.0], [2.0]
        sens = Tensor(np.array([10.0, 20.0]))
        of_x, of_y, of_w, of_b = [60.0, 160.0], [20.0, 80.0], [190.0], [30.0]
        for every, listed, given, expected in (
                (0, 0, 0, by_x), (1, 0, 0, (by_x, by_y)), (0, 1, 0, (by_w, by_b)), (1, 1, 0, ((by_x, by_y), (by_w, by_b))),
                (0, 0, 1, of_x), (1, 0, 1, (of_x, of_y)), (0, 1, 1, (of_w, of_b)), (1, 1, 1, ((of_x, of_y), (of_w, of_b)))):
            operation = ops.GradOperation(get_all=bool(every), get_by_list=bool(listed), sens_param=bool(given))
            function = operation(self.net, self.weights) if listed else operation(self.net)
            self.assertEqual(plain(function(x, y, *([sens] if given else []))), expected, (every, listed, given))

    def test_jit_of_gradient(self):
        self.assertEqual(plain(plumb.jit(plumb.grad(cubes))(x)), [3.0, 12.0])


class ProductTest(unittest.TestCase):
    """vjp, jvp, Jacobians."""

    def test_vjp(self):
        outputs, pull = plumb.vjp(pair, x, y)
        self.assertEqual(plain(outputs), ([3.0, 8.0], [4.0, 6.0]))
        self.assertEqual(plain(pull(x, y)), ([6.0, 12.0], [4.0, 8.0]))
        outputs, pull = plumb.vjp(square, x)
        self.assertEqual(plain(pull(x)), ([2.0, 8.0],))
        outputs, pull, beside = plumb.vjp(mixed, x, y, has_aux=True)
        self.assertEqual((plain(outputs), plain(beside), plain(pull(x))), ([3.0, 8.0], 25.0, ([3.0, 8.0], [1.0, 4.0])))
        with self.assertRaises(TypeError):
            pull(x, x)
        with self.assertRaises(TypeError):
            plumb.vjp(square, 3)

    def test_linearize(self):
        value, product = plumb.ops.linearize(pair, (x, y))
        self.assertEqual(plain((value, product((x, y)))), plain(plumb.jvp(pair, (x, y), (x, y))))
        self.assertEqual(plain(product((y, x))), plain(plumb.jvp(pair, (x, y), (y, x))[1]))

    def test_partial(self):
        made = plumb.ops.Partial()(lambda a, b: a * 10 + b, x)
        self.assertEqual(plain(made(y)), plain(x * 10 + y))
        compiled = plumb.jit(lambda a, b: plumb.ops.Partial()(plumb.ops.sub, a)(b))
        self.assertEqual(plain(compiled(x, y)), plain(x - y))

    def test_jvp(self):
        self.assertEqual(plain(plumb.jvp(square, x, x)), ([1.0, 4.0], [2.0, 8.0]))
        self.assertEqual(plain(plumb.jvp(pair, (x, y), (x, y))), (([3.0, 8.0], [4.0, 6.0]), ([6.0, 16.0], [4.0, 6.0])))
        self.assertEqual(plain(plumb.jvp(mixed, (x, y), (x, y), has_aux=True)), ([3.0, 8.0], [6.0, 16.0], 25.0))
        with self.assertRaises(ValueError):
            plumb.jvp(square, x, Tensor(np.ones(3)))

    def test_jacobians(self):
        by_a, by_b, zero = [[3.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 2.0]], [0.0, 0.0]
        for jacobian in (plumb.jacrev, plumb.jacfwd):
            self.assertEqual(plain(jacobian(square)(x)), [[2.0, 0.0], [0.0, 4.0]])
            self.assertEqual(plain(jacobian(mixed)(x, y)), (by_a, zero))
            self.assertEqual(plain(jacobian(mixed, (0, 1))(x, y)), ((by_a, by_b), (zero, [6.0, 8.0])))
            self.assertEqual(plain(jacobian(mixed, has_aux=True)(x, y)), (by_a, 25.0))
            self.assertEqual(plain(jacobian(plumb.grad(cubes))(x)), [[6.0, 0.0], [0.0, 12.0]])  # a Hessian
            with self.assertRaises(TypeError):
                jacobian(square, -1)
            with self.assertRaises(ValueError):
                jacobian(square, 1)(x)

    def test_in_compiled_functions(self):
        calls = (lambda a, b: plumb.jvp(square, a, b), lambda a, b: plumb.jvp(pair, (a, b), (b, a)),
                 lambda a, b: plumb.jvp(mixed, (a, b), (b, a), has_aux=True), lambda a, b: plumb.vjp(pair, a, b)[1](b, a),
                 lambda a, b: plumb.vjp(mixed, a, b, has_aux=True)[1](b), lambda a, b: plumb.ops.linearize(pair, (a, b))[1]((b, a)))
        for jacobian in (plumb.jacrev, plumb.jacfwd):
            calls += (lambda a, b, of=jacobian: of(square)(a), lambda a, b, of=jacobian: of(mixed, (0, 1))(a, b),
                      lambda a, b, of=jacobian: of(three, 1, has_aux=True)(a, b))
        for number, call in enumerate(calls):
            with self.subTest(number):
                self.assertEqual(plain(plumb.jit(call)(x, y)), plain(call(x, y)))
        with self.assertRaises(ValueError):
            plumb.jit(lambda a: plumb.jvp(square, a, a.sum()))(x)
        with self.assertRaises(ValueError):
            plumb.jit(lambda a: plumb.jacrev(square, 1)(a))(x)

    def test_made_outside_of_compiled_functions(self):
        """A Jacobian of a Jacobian that a class makes once, compiled, and differentiated by what compiles."""
        first = ops.jacrev(lambda a: a * a * a)
        second = ops.jacfwd(first)
        for mode in (plumb.GRAPH_MODE, plumb.PYNATIVE_MODE):
            plumb.set_context(mode=mode)
            np.testing.assert_allclose(plumb.jit(lambda a: second(a).sum((1, 2)))(x).asnumpy(), 6 * X, rtol=1e-6)
            np.testing.assert_allclose(ops.grad(lambda a: (first(a) ** 2).sum())(x).asnumpy(), 36 * X ** 3, rtol=1e-6)

    def test_hessians(self):
        """Jacobians of Jacobians, each way twice, of one sample and of a batch."""
        random = np.random.RandomState(0)
        weight, rows = random.randn(16, 32).astype(np.float32), random.randn(4, 32).astype(np.float32)
        results = np.tanh(rows @ weight.T)
        expected = np.einsum("bi,ij,ik->bijk", -2 * results * (1 - results ** 2), weight, weight)
        layer = lambda matrix, row: ops.tanh(ops.matmul(matrix, row))
        for outer in (plumb.jacrev, plumb.jacfwd):
            for inner in (plumb.jacrev, plumb.jacfwd):
                hessian = outer(inner(layer, 1), 1)
                np.testing.assert_allclose(hessian(Tensor(weight), Tensor(rows[0])).asnumpy(), expected[0], rtol=1e-4, atol=1e-5)
        batch = plumb.vmap(hessian, (None, 0))(Tensor(weight), Tensor(rows))
        np.testing.assert_allclose(batch.asnumpy(), expected, rtol=1e-4, atol=1e-5)

    def test_shapes(self):
        value = Tensor(np.arange(6.0).reshape(2, 3))
        found = plumb.jacrev(lambda a: a.sum(1) ** 2)(value)
        self.assertEqual(found.shape, (2, 2, 3))
        np.testing.assert_allclose(found.asnumpy()[1], [[0, 0, 0], [24, 24, 24]])


class Scaled(nn.Cell):
    """a * b, whose gradients its own rule gives: five and seven times the adjoint."""

    def construct(self, a, b):
        return a * b

    def bprop(self, a, b, out, dout):
        return dout * 5, out * 7


class Inside(nn.Cell):
    """A cell with a rule in a loop and in a branch."""

    def __init__(self):
        super().__init__()
        self.scaled = Scaled()

    def construct(self, a, b, steps):
        i = 0
        while i < steps:
            a = self.scaled(a, b)
            i = i + 1
        if b.sum() > 0:
            a = self.scaled(a, b)
        return a


class Clipped(nn.Cell):
    """x @ w between -1 and 1, whose rule lets gradients through as if it were not clipped, that of w halved."""

    def construct(self, inputs, w):
        return ops.matmul(inputs[0], w).clip(-1, 1) * inputs[1]

    def bprop(self, inputs, w, out, dout):
        x, scale = inputs
        inner = dout * scale
        return (ops.matmul(inner, w.T), (dout * ops.matmul(x, w)).sum(0)), ops.matmul(x.T, inner) / 2


class TorchClipped(torch.autograd.Function):
    """The same in PyTorch."""

    @staticmethod
    def forward(ctx, x, scale, w):
        ctx.save_for_backward(x, scale, w)
        return (x @ w).clip(-1, 1) * scale

    @staticmethod
    def backward(ctx, dout):
        x, scale, w = ctx.saved_tensors
        return dout * scale @ w.T, (dout * (x @ w)).sum(0), x.T @ (dout * scale) / 2


class Layers(nn.Cell):
    """Two clipped products in a loop, whose Parameters are inputs of a cell with a rule; one has another use, too."""

    def __init__(self, x, w, scale):
        super().__init__()
        self.clipped = Clipped()
        self.x = Parameter(Tensor(x), name="x")
        self.w = Parameter(Tensor(w), name="w")
        self.scale = Parameter(Tensor(scale), name="scale")

    def construct(self, factors):
        out = self.clipped((self.x, self.scale), self.w)
        for factor in factors:
            out = self.clipped((out, self.scale), w=self.w) * factor
        if factors.sum() > 0:
            out = self.clipped([out, self.scale], self.w)
        return out.sum() + (self.w * self.w).sum()


class Counted(nn.Cell):
    """A cell with a rule that writes a Parameter among its inputs."""

    def construct(self, a, count):
        ops.assign_add(count, Tensor(1, count.dtype))
        return a * 3

    def bprop(self, a, count, out, dout):
        return dout * 7, None


class Wrong(nn.Cell):
    """Its rule gives a gradient too few."""

    def construct(self, a, b):
        return a * b

    def bprop(self, a, b, out, dout):
        return (dout,)


def double(gradient):
    return gradient * 2


doubled = ops.InsertGradientOf(double)


def shown(gradients):
    """A hook that prints."""
    print(gradients[0])


class RuleTest(unittest.TestCase):
    """Gradient rules of cells."""

    def test_rule(self):
        self.assertEqual(plain(plumb.grad(Scaled(), (0, 1))(x, y)), ([5.0, 5.0], [21.0, 56.0]))
        self.assertEqual(plain(Scaled()(x, y)), [3.0, 8.0])

    def test_rule_that_cannot_be_compiled(self):
        """It is refused in both modes, and never left out."""
        class Counting(nn.Cell):
            """A cell whose rule writes a global name."""

            def construct(self, a):
                return a * a

            def bprop(self, a, out, dout):
                global counted
                counted = 1
                return (dout * 10,)

        cell = Counting()
        for mode in (plumb.GRAPH_MODE, plumb.PYNATIVE_MODE):
            plumb.set_context(mode=mode)
            self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
            with self.subTest(mode=mode), self.assertRaisesRegex(RuntimeError, "the global name 'counted' is assigned"):
                plumb.grad(lambda a: cell(a).sum())(x)

    def test_parameters(self):
        """Parameters that are inputs, alone or in tuples and lists, have the gradients of the rule."""
        generator = np.random.default_rng(5)
        arrays = [generator.standard_normal(shape) for shape in ((33, 24), (24, 24), (24,))]
        factors = generator.uniform(0.5, 1, (2, 24))
        x_, w_, scale_ = tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
        out = TorchClipped.apply(x_, scale_, w_)
        for factor in torch.tensor(factors):
            out = TorchClipped.apply(out, scale_, w_) * factor
        (TorchClipped.apply(out, scale_, w_).sum() + (w_ * w_).sum()).backward()
        layers = Layers(*arrays)
        for parameter, found, expected in zip((layers.x, layers.w, layers.scale), plumb.grad(
                layers, None, (layers.x, layers.w, layers.scale))(Tensor(factors)), tensors):
            with self.subTest(parameter=parameter.name):
                np.testing.assert_allclose(found.asnumpy(), expected.grad.numpy(), rtol=1e-10, atol=1e-10)

    def test_made_inside(self):
        """Cells that a compiled function makes have their rules, too: db = 7 a b b + 7 a b."""
        def function(a, b):
            for _ in range(2):
                a = Scaled()(a, b)
            return a

        self.assertEqual(plain(plumb.grad(function, (0, 1))(x, y)), ([25.0, 25.0], [84.0, 280.0]))

    def test_parameters_hooked(self):
        """What hooks make of the gradient of a Parameter."""
        weight = Parameter(Tensor(X), name="weight")
        for hook in (doubled, ops.HookBackward(lambda gradients: gradients[0] * 2)):
            found = plumb.grad(lambda a, hook=hook: (hook(weight) * a).sum(), None, weight)(y)
            self.assertEqual(plain(found), (2 * Y).tolist())

    def test_written_parameters(self):
        """A Parameter of integers has no gradient and can be written; of one of floats the cell has the value."""
        counted, count, real = Counted(), Parameter(Tensor(np.int32(0)), name="count"), Parameter(Tensor(0.0), name="real")
        self.assertEqual(plain(plumb.grad(lambda a: counted(a, count))(x)), [7.0, 7.0])
        self.assertEqual(int(count.asnumpy()), 1)
        with self.assertRaisesRegex(CompileError, "a Parameter"):
            plumb.grad(lambda a: counted(a, real))(x)

    def test_control_flow(self):
        self.assertEqual(plain(plumb.grad(Inside())(x, y, Tensor(2))), [125.0, 125.0])
        self.assertEqual(plain(plumb.grad(Inside())(x, Tensor(-Y), Tensor(1))), [5.0, 5.0])

    def test_insert_gradient(self):
        def function(a):
            return (doubled(a * a) * 3).sum()

        self.assertEqual(plain(plumb.value_and_grad(function)(x)), (15.0, [12.0, 24.0]))
        with self.assertRaises(TypeError):
            ops.InsertGradientOf(3)

    def test_weights_of_self(self):
        """The rule says nothing of weights that the cell reads through `self`: gradients of zero; as inputs they have the rule's."""
        class Scaled(nn.Cell):
            def __init__(self):
                super().__init__()
                self.w = plumb.Parameter(Tensor(np.array([2.0, 3.0])), name="w")

            def construct(self, a):
                return a * self.w

            def bprop(self, a, out, dout):
                return (dout * self.w * 10,)

        cell = Scaled()
        by_input, (by_weight,) = plumb.grad(lambda a: cell(a), 0, cell.trainable_params())(x)
        self.assertEqual((plain(by_input), plain(by_weight)), ([20.0, 30.0], [0.0, 0.0]))

    def test_hook(self):
        def function(a, b, hook):
            one, other = hook(a * b, a)
            return (one * other).sum()

        def scaled(gradients):
            return gradients[0] * 2, gradients[1]

        def seen(gradients):
            assert len(gradients) == 2

        # d/da (ab)(a) = 2ab; with the first part's gradient doubled 2ab + ab.
        for hook, factor in ((ops.HookBackward(seen), 2), (ops.HookBackward(scaled), 3)):
            self.assertEqual(plain(plumb.grad(lambda a, b, hook=hook: function(a, b, hook))(x, y)), (factor * X * Y).tolist())
        single = ops.HookBackward(lambda gradients: gradients[0] * 3)
        self.assertEqual(plain(plumb.grad(lambda a: single(a * a).sum())(x)), (6 * X).tolist())
        with self.assertRaises(TypeError):
            ops.HookBackward(3)
        printing, out = ops.HookBackward(shown), io.StringIO()
        with contextlib.redirect_stdout(out):
            plumb.grad(lambda a: printing(a * a).sum())(x)
        self.assertIn("1.00000000e+00  1.00000000e+00", out.getvalue())
        weight = plumb.Parameter(Tensor(np.ones(2)), name="seen")

        def writing(gradients):
            ops.assign(weight, gradients[0])

        writes = ops.HookBackward(writing)
        with self.assertRaisesRegex(RuntimeError, "a hook of a gradient cannot write"):
            plumb.grad(lambda a: writes(a * a).sum())(x)

    def test_construct_under_jit(self):
        class Jitted(nn.Cell):
            """A cell whose construct is decorated."""

            def __init__(self):
                super().__init__()
                self.weight = Parameter(Tensor([2.0, 3.0]), name="weight")

            @plumb.jit
            def construct(self, a):
                return a * self.weight

        class Outer(nn.Cell):
            """A cell that calls it."""

            def __init__(self):
                super().__init__()
                self.inner = Jitted()

            def construct(self, a):
                return self.inner(a) + a

        for cell, slope in ((Jitted(), [2.0, 3.0]), (Outer(), [3.0, 4.0])):
            self.assertEqual(plain(plumb.grad(cell)(x)), slope)
            self.assertEqual(plain(cell(x)), (X * slope).tolist())
        given = Outer()
        given.construct = plumb.jit(given.construct, jit_level="O0", backend="ms_backend")
        self.assertEqual(plain(given(x)), (X * [3.0, 4.0]).tolist())
        gradient = ops.GradOperation(get_all=True, get_by_list=True)(given, given.trainable_params())(x)
        self.assertEqual(plain(gradient[1][0]), X.tolist())
        with self.assertRaisesRegex(ValueError, "backend='GE' is not offered"):
            plumb.jit(square, backend="GE")

    def test_refused(self):
        with self.assertRaisesRegex(CompileError, "one gradient per input of construct, which are 2, but returns 1"):
            plumb.grad(Wrong())(x, y)


class ChoiceTest(unittest.TestCase):
    """Cells, functions and values that a tensor chooses."""

    def test_choice(self):
        def choose(a, number):
            functions = (ops.sin, ops.cos, square)
            return functions[number](a).sum() + (a * 2, a, a * 3)[number].sum()

        for number in (0, 1, 2, -1, -3):
            function = (np.sin, np.cos, np.square)[number]
            slope = (np.cos, lambda a: -np.sin(a), lambda a: 2 * a)[number](X) + (2, 1, 3)[number]
            value, gradient = plumb.value_and_grad(choose)(x, Tensor(number))
            np.testing.assert_allclose(value.item(), function(X).sum() + (2, 1, 3)[number] * X.sum(), rtol=1e-14)
            np.testing.assert_allclose(gradient.asnumpy(), slope, rtol=1e-14)

    def test_integers(self):
        """Integers have gradients as if they were floats, cut."""
        found = plumb.grad(lambda a, b: a * b, (0, 1))(Tensor(np.array([2, 3])), x)
        self.assertEqual(plain(found), ([int(number) for number in X], [2.0, 3.0]))


    def test_conversions_to_integers(self):
        """Gradients pass them, cut, whether or not one by an integer is asked for beside it."""
        def through(a, b):
            return ((a * 4).astype(plumb.int32).astype(plumb.float32) * 3.7).sum() + a.sum() * 2 + b.sum()

        floats, integers = Tensor(np.array([1.3, 2.2], np.float32)), Tensor(np.array([5, 6], np.int32))
        for positions in (0, (0,), (0, 1)):
            found = plumb.grad(through, positions)(floats, integers)
            self.assertEqual(plain(found[0] if isinstance(positions, tuple) else found), [14.0, 14.0])
        self.assertEqual(plain(plumb.grad(lambda a: (a.astype(plumb.bool_).astype(plumb.float32) * 3).sum())(floats)), [0.0, 0.0])


if __name__ == "__main__":
    unittest.main()
