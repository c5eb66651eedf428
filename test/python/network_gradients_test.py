"""A whole small network: every gradient by every weight and by the input against differences, to second order.

In float64, so that a wrong tenth digit shows. The reference runs in NumPy; nothing of it comes from the compiler.
"""

import unittest

import numpy as np

import plumb
from numeric import avg_pool2d, conv2d, differences, log_softmax, numbers
from plumb import nn, ops

LABELS = np.array([1, 0, 2], np.int32)


class Network(nn.Cell):
    """Convolution, pooling, two dense layers; smooth everywhere, as differences need it."""

    def __init__(self):
        super().__init__()
        self.kernel = plumb.Parameter(plumb.Tensor(numbers(3, 2, 3, 2, seed=1) * 0.5), name="kernel")
        self.dense = plumb.Parameter(plumb.Tensor(numbers(5, 18, seed=2) * 0.4), name="dense")
        self.bias = plumb.Parameter(plumb.Tensor(numbers(5, seed=3) * 0.1), name="bias")
        self.last = plumb.Parameter(plumb.Tensor(numbers(5, 3, seed=4)), name="last")

    def construct(self, x, labels):
        """The mean loss."""
        x = ops.tanh(ops.conv2d(x, self.kernel, None, (2, 1), "pad", (1, 0, 1, 1), (1, 2)))
        x = ops.flatten(ops.avg_pool2d(x, (2, 3), (1, 2)))
        x = ops.sigmoid(ops.matmul(x, self.dense, transpose_b=True) + self.bias)
        return ops.cross_entropy(ops.matmul(x, self.last), labels)


def reference(x, kernel, dense, bias, last):
    """The same in NumPy."""
    x = np.tanh(conv2d(x, kernel, (2, 1), (1, 0, 1, 1), (1, 2)))
    x = avg_pool2d(x, (2, 3), (1, 2)).reshape(3, -1)
    x = 1 / (1 + np.exp(-(x @ dense.T + bias)))
    return float(-log_softmax(x @ last)[np.arange(3), LABELS].mean())


class NetworkGradientsTest(unittest.TestCase):
    """The network above."""

    def setUp(self):
        self.network, self.x = Network(), numbers(3, 2, 6, 8)
        self.weights = self.network.trainable_params()
        self.labels = plumb.Tensor(LABELS)
        self.arrays = [self.x] + [weight.asnumpy().copy() for weight in self.weights]

    def test_value_and_all_gradients(self):
        value, (by_input, by_weights) = plumb.value_and_grad(self.network, 0, self.weights)(
            plumb.Tensor(self.x), self.labels)
        self.assertAlmostEqual(float(value.asnumpy()), reference(*self.arrays), places=12)
        for position, gradient in enumerate((by_input,) + tuple(by_weights)):
            expected = differences(reference, self.arrays, position)
            self.assertGreater(np.abs(expected).max(), 1e-4)  # Nothing to see means nothing is tested.
            np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-6, atol=1e-9)

    def test_descent_follows_the_reference(self):
        """Five steps of gradient descent by hand land where the reference's own differences lead."""
        optimizer = nn.SGD(self.weights, 0.5)
        step = nn.TrainOneStepCell(self.network, optimizer).set_train()
        arrays = self.arrays
        for _ in range(5):
            loss = step(plumb.Tensor(self.x), self.labels)
            self.assertAlmostEqual(float(loss.asnumpy()), reference(*arrays), places=6)
            gradients = [differences(reference, arrays, position) for position in range(1, 5)]
            arrays = arrays[:1] + [array - 0.5 * gradient for array, gradient in zip(arrays[1:], gradients)]
        for weight, array in zip(self.weights, arrays[1:]):
            np.testing.assert_allclose(weight.asnumpy(), array, rtol=1e-5, atol=1e-6)


def smooth(x, w):
    """A network whose every operation has a second derivative: softplus, products, log-softmax, convolution."""
    x = ops.softplus(ops.conv2d(x, w, None, 1, "pad", (1, 1, 0, 0)))
    return ops.reduce_mean(ops.square(ops.log_softmax(ops.flatten(ops.avg_pool2d(x, 2, 2)), -1)))


def smooth_reference(x, w):
    """The same in NumPy."""
    x = np.log1p(np.exp(conv2d(x, w, (1, 1), (1, 1, 0, 0))))
    return float((log_softmax(avg_pool2d(x, (2, 2), (2, 2)).reshape(x.shape[0], -1)) ** 2).mean())


class SecondOrderTest(unittest.TestCase):
    """Gradients of a gradient's norm, as in gradient penalties."""

    def test_gradient_penalty(self):
        x, w = numbers(2, 1, 4, 5), numbers(2, 1, 3, 2, seed=6)
        by_x = plumb.grad(smooth, 0)
        penalty = plumb.grad(lambda x, w: ops.reduce_sum(ops.square(by_x(x, w))), (0, 1))
        made = penalty(plumb.Tensor(x), plumb.Tensor(w))

        def norm(x, w):
            # Differences of differences lose half the digits; the longer step keeps most of the rest.
            gradient, step = np.zeros(x.shape), 1e-3
            for index in np.ndindex(*x.shape):
                values = []
                for factor in (-2, -1, 1, 2):
                    moved = x.copy()
                    moved[index] += factor * step
                    values.append(smooth_reference(moved, w))
                gradient[index] = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
            return float((gradient ** 2).sum())

        for position, gradient in enumerate(made):
            expected = differences(norm, [x, w], position)
            self.assertGreater(np.abs(expected).max(), 1e-4)
            np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-4, atol=1e-6)


class NamesakesTest(unittest.TestCase):
    """Two networks whose Parameters have the same names, as a generator's and a discriminator's: in PyNative mode each keeps its own."""

    def setUp(self):
        self.addCleanup(plumb.set_context, mode=plumb.get_context("mode"))
        plumb.set_context(mode=plumb.PYNATIVE_MODE)
        self.first, self.second = (nn.SequentialCell(nn.Dense(2, 2, weight, has_bias=False)) for weight in ("ones", 0.5))
        self.x = plumb.Tensor(np.array([[1, 2]], np.float32))

    def test_gradients_reach_their_own(self):
        def loss(x):
            return self.second(self.first(x)).sum()

        self.assertEqual([weight.name for weight in self.first.trainable_params()], [weight.name for weight in self.second.trainable_params()])
        for network, expected in ((self.first, [[1, 2], [1, 2]]), (self.second, [[3, 3], [3, 3]])):
            value, (gradient,) = plumb.value_and_grad(loss, None, network.trainable_params())(self.x)
            self.assertEqual(float(value.asnumpy()), 6)
            np.testing.assert_array_equal(gradient.asnumpy(), expected)

    def test_steps_change_their_own(self):
        def loss(x):
            return self.second(self.first(x)).sum()

        step = nn.SGD(self.first.trainable_params(), 0.5)
        _, gradients = plumb.value_and_grad(loss, None, step.parameters)(self.x)
        step(gradients)
        np.testing.assert_array_equal(self.first[0].weight.asnumpy(), [[0.5, 0], [0.5, 0]])
        np.testing.assert_array_equal(self.second[0].weight.asnumpy(), np.full((2, 2), 0.5))
        self.assertEqual(float(loss(self.x).asnumpy()), 1)

    def test_operations_that_python_calls(self):
        """They are no graph: Parameters of one name are tensors like others."""
        plumb.set_context(mode=plumb.GRAPH_MODE)
        first, second = self.first[0].weight, self.second[0].weight
        for joined in (ops.concat((first, second)), plumb.numpy.concatenate((first, second)), ops.stack((first, second)).reshape(4, 2)):
            np.testing.assert_array_equal(joined.asnumpy(), np.concatenate((first.asnumpy(), second.asnumpy())))
        np.testing.assert_array_equal((first - second).asnumpy(), first.asnumpy() - second.asnumpy())

    def test_graph(self):
        plumb.set_context(mode=plumb.GRAPH_MODE)
        with self.assertRaisesRegex(ValueError, "two Parameters are called '0.weight'"):
            plumb.value_and_grad(lambda x: self.second(self.first(x)).sum(), None, self.first.trainable_params())(self.x)


class Reversed(nn.Cell):
    """Gives what it is given; gradients are turned."""

    def construct(self, x):
        """Its input."""
        return x

    def bprop(self, x, out, dout):
        """Minus the gradient."""
        return (-dout,)


class Doubled(nn.Cell):
    """Gives what it computes twice; the gradient of the second one counts a hundred times."""

    def construct(self, x):
        """One tensor, twice."""
        y = x * 2
        return y, y

    def bprop(self, x, out, dout):
        """By each of the two."""
        return (dout[0] + dout[1] * 100,)


class Halves(nn.Cell):
    """Holds a layer of float16."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2).to_float(plumb.float16)

    def construct(self, x):
        """The layer's result."""
        return self.dense(x)


class OwnRulesTest(unittest.TestCase):
    """Rules of cells that return a tensor which is another one already: the rule counts all the same."""

    def test_of_cells_made_in_compiled_code(self):
        """A cell inside of one that is made there keeps its rule and its element type."""
        def turned(x):
            return nn.SequentialCell(Reversed(), nn.SequentialCell(Reversed(), Reversed()))(x * 4).sum()

        x = plumb.Tensor(np.ones((1, 2), np.float32))
        np.testing.assert_array_equal(plumb.jit(plumb.grad(turned))(x).asnumpy(), [[-4, -4]])
        self.assertEqual(plumb.jit(lambda x: Halves()(x))(x).dtype, plumb.float16)

    def test_both_modes(self):
        reversed_, doubled = Reversed(), Doubled()

        def twice(x):
            one, other = doubled(x)
            return (one * 3 + other * 5).sum()

        x = plumb.Tensor(np.float32([1, 2]))
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        for mode in (plumb.PYNATIVE_MODE, plumb.GRAPH_MODE):
            plumb.set_context(mode=mode)
            for function, gradient in ((lambda x: (reversed_(x) * 3).sum(), [-3, -3]), (lambda x: (reversed_(reversed_(x)) * 3).sum(), [3, 3]),
                                       (lambda x: (reversed_(x) + x * 4).sum(), [3, 3]), (twice, [503, 503])):
                np.testing.assert_array_equal(plumb.jit(plumb.grad(function))(x).asnumpy(), gradient)
                np.testing.assert_array_equal(plumb.grad(function)(x).asnumpy(), gradient)


class Drawing(nn.Cell):
    """Counts its runs, and draws a mask in each."""

    def __init__(self):
        super().__init__()
        self.weight = plumb.Parameter(plumb.Tensor(np.full(64, 2, np.float32)), name="weight")
        self.runs = plumb.Parameter(plumb.Tensor(np.int32(0)), name="runs", requires_grad=False)
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, x):
        """The weight, scaled, where the mask is one."""
        self.runs += 1
        return self.dropout(x * self.weight)


class Step(nn.Cell):
    """Runs two networks, and behind both gives their gradients."""

    def __init__(self):
        super().__init__()
        self.first, self.second = Drawing().set_train(), Drawing().set_train()
        self.steps = plumb.Parameter(plumb.Tensor(np.int32(0)), name="steps", requires_grad=False)
        self.first_grad, self.second_grad = (plumb.grad(network, None, network.trainable_params()) for network in (self.first, self.second))

    def construct(self, x, shift):
        """The results and gradients; the second gradient is at `x + shift`."""
        first, second = self.first(x), self.second(x)
        self.steps += 1
        return first, second, self.first_grad(x)[0], self.second_grad(x + shift if shift else x)[0]


class SharedForwardsTest(unittest.TestCase):
    """A call of a network and its gradient behind it are one run of the network."""

    def setUp(self):
        self.x = np.arange(1, 65, dtype=np.float32)
        self.step = Step()

    def runs(self):
        """How often each network ran."""
        return [int(network.runs.asnumpy()) for network in (self.step.first, self.step.second)]

    def test_one_run(self):
        for number in (1, 2):
            first, second, first_grad, second_grad = [value.asnumpy() for value in self.step(plumb.Tensor(self.x), 0)]
            self.assertEqual(self.runs(), [number, number])
            self.assertEqual(len(np.unique(first_grad / self.x)), 2)
            np.testing.assert_allclose(first, first_grad * 2, rtol=1e-6)
            np.testing.assert_allclose(second, second_grad * 2, rtol=1e-6)
        self.assertEqual(int(self.step.steps.asnumpy()), 2)

    def test_another_argument_is_another_run(self):
        _, second, _, second_grad = [value.asnumpy() for value in self.step(plumb.Tensor(self.x), 1)]
        self.assertEqual(self.runs(), [1, 2])
        self.assertTrue(((second == 0) != (second_grad == 0)).any())


if __name__ == "__main__":
    unittest.main()
