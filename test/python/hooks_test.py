"""Hooks of cells: functions around `construct` and its gradients, compiled with it. Numbers are MindSpore 2.0.0's."""

import contextlib
import io
import unittest
import warnings

import numpy as np

import plumb
from plumb import context, nn, ops

ONES = plumb.Tensor(np.ones((2, 3), np.float32))
X, Y = plumb.Tensor(np.array([1, 2], np.float32)), plumb.Tensor(np.array([3, -1], np.float32))
EVERY = ops.GradOperation(get_all=True)


class Network(nn.Cell):
    """A cell with a hook inside."""

    def __init__(self, kind, hook):
        super().__init__()
        self.relu = nn.ReLU()
        self.handle = getattr(self.relu, f"register_{kind}_hook")(hook)

    def construct(self, x, y):
        return self.relu(x * 2) * y


class Two(nn.Cell):
    """Two results."""

    def construct(self, a, b):
        return a * b, a + b


class Ruled(nn.Cell):
    """A rule of its own."""

    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        """Not the derivative."""
        return (dout * 5,)


class Around(nn.Cell):
    """Calls a cell."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x):
        return self.cell(x) * 3


class AroundTwo(Around):
    """Calls a cell of two inputs and results."""

    def construct(self, x, y):
        p, q = self.cell(x, y)
        return p * 2 + q * 3


def plain(value):
    """Lists of numbers in place of tensors."""
    return tuple(plain(item) for item in value) if isinstance(value, tuple) else value.asnumpy().tolist()


class ForwardTest(unittest.TestCase):
    """Before and after `construct`."""

    def test_order(self):
        cell = nn.ReLU()
        doubled = cell.register_forward_hook(lambda cell_id, inputs, output: output * 2.0 + inputs[0])
        shifted = cell.register_forward_pre_hook(lambda cell_id, inputs: (inputs[0] - 3.0,))
        silent = cell.register_forward_hook(lambda cell_id, inputs, output: None)
        np.testing.assert_array_equal(cell(ONES).asnumpy(), np.full((2, 3), -2.0))
        np.testing.assert_array_equal(plumb.grad(lambda x: cell(x).sum())(ONES).asnumpy(), np.ones((2, 3)))
        shifted.remove()
        np.testing.assert_array_equal(cell(ONES).asnumpy(), np.full((2, 3), 3.0))
        doubled.remove()
        silent.remove()
        silent.remove()
        np.testing.assert_array_equal(cell(ONES).asnumpy(), np.ones((2, 3)))
        with self.assertRaisesRegex(TypeError, "must be python function"):
            cell.register_forward_hook(3)

    def test_in_a_network(self):
        def tenfold(cell_id, inputs, output):
            return output * 10

        def sevenfold(cell_id, inputs):
            return inputs[0] * 7

        network = Network("forward", tenfold)
        self.assertEqual(plain(network(X, Y)), [60, -40])
        self.assertEqual(plain(EVERY(network)(X, Y)), ([60, -20], [20, 40]))
        network = Network("forward_pre", sevenfold)
        self.assertEqual(plain(network(X, Y)), [42, -28])
        self.assertEqual(plain(EVERY(network)(X, Y)), ([42, -14], [14, 28]))

    def test_beside_a_rule(self):
        """The rule is that of `construct`; hooks stand around it."""
        for kind, hook, result, gradient in (("forward_pre", lambda cell_id, inputs: None, [6, 12], [15, 15]),
                                             ("forward", lambda cell_id, inputs, output: output * 2, [12, 24], [30, 30])):
            with self.subTest(kind=kind):
                ruled = Ruled()
                getattr(ruled, f"register_{kind}_hook")(hook)
                self.assertEqual(plain(Around(ruled)(X)), result)
                self.assertEqual(plain(EVERY(Around(ruled))(X)), (gradient,))

    def test_graph_mode(self):
        """Hooks have no effect there."""
        before = context.get_context("mode")
        context.set_context(mode=context.GRAPH_MODE)
        try:
            for kind in ("forward_pre", "forward", "backward"):
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter("always")
                    network = Network(kind, lambda *values: values[1][0] * 0)
                self.assertIn("has no effect in graph mode", str(seen[-1].message))
                self.assertEqual(plain(network(X, Y)), [6, -4])
                network.handle.remove()
        finally:
            context.set_context(mode=before)


class PythonTest(unittest.TestCase):
    """Hooks that Python calls: they read values, or collect them."""

    def test_collected(self):
        seen = []

        def collect(cell_id, *values):
            seen.append([value[0].asnumpy().tolist() if isinstance(value, tuple) else value.asnumpy().tolist() for value in values])

        for kind, expected in (("forward_pre", [[[2, 4]]]), ("forward", [[[2, 4], [2, 4]]]), ("backward", [[[3, -1], [3, -1]]])):
            with self.subTest(kind=kind):
                seen.clear()
                network = Network(kind, collect)
                self.assertEqual(plain(EVERY(network)(X, Y)), ([6, -2], [2, 4]))
                self.assertEqual(seen, expected)
                network.handle.remove()
                self.assertEqual(plain(EVERY(network)(X, Y)), ([6, -2], [2, 4]))
                self.assertEqual(seen, expected)

    def test_changed(self):
        calls = []

        def tenfold(cell_id, by_outputs, by_inputs):
            calls.append(float(by_outputs[0].asnumpy().max()))
            return (by_inputs[0] * 10, *by_inputs[1:])

        two = Two()
        two.register_backward_hook(tenfold)
        self.assertEqual(plain(EVERY(AroundTwo(two))(X, Y)), ([90, 10], [5, 7]))
        self.assertEqual(calls, [2])
        two(X, Y)
        self.assertEqual(calls, [2])

    def test_weights(self):
        sums, dense = {}, nn.Dense(2, 2, weight_init="ones", bias_init="ones")
        dense.register_forward_hook(lambda cell_id, inputs, output: sums.update(forward=output.asnumpy().sum()))
        dense.register_backward_hook(lambda cell_id, by_outputs, by_inputs: sums.update(backward=by_inputs[0].asnumpy().sum()))
        row = plumb.Tensor(np.ones((1, 2), np.float32))
        by_row, (by_weight, by_bias) = plumb.grad(lambda x: ops.sin(dense(x)).sum(), 0, dense.trainable_params())(row)
        cosine = np.cos(3.0)
        np.testing.assert_allclose(by_row.asnumpy(), np.full((1, 2), 2 * cosine), 1e-5)
        np.testing.assert_allclose(by_weight.asnumpy(), np.full((2, 2), cosine), 1e-5)
        np.testing.assert_allclose(by_bias.asnumpy(), np.full(2, cosine), 1e-5)
        np.testing.assert_allclose([sums["forward"], sums["backward"]], [6, 4 * cosine], 1e-5)


class BackwardTest(unittest.TestCase):
    """Where the gradient passes back."""

    def test_seen(self):
        def hook(cell_id, grad_input, grad_output):
            print("by outputs", grad_input, "by inputs", grad_output)

        network, out = Network("backward", hook), io.StringIO()
        with contextlib.redirect_stdout(out):
            network(X, Y)
            self.assertEqual(plain(EVERY(network)(X, Y)), ([6, -2], [2, 4]))
            network.handle.remove()
            self.assertEqual(plain(EVERY(network)(X, Y)), ([6, -2], [2, 4]))
        values = "(Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00, -1.00000000e+00]),)"
        self.assertEqual(out.getvalue(), f"by outputs {values} by inputs {values}\n")

    def test_changed(self):
        network = Network("backward", lambda cell_id, grad_input, grad_output: (grad_input[0] * 10,))
        self.assertEqual(plain(EVERY(network)(X, Y)), ([60, -20], [2, 4]))
        two = Two()
        self.assertEqual(plain(EVERY(AroundTwo(two))(X, Y)), ([9, 1], [5, 7]))
        two.register_backward_hook(lambda cell_id, grad_input, grad_output: (grad_input[0] * 10, grad_input[1] * 100))
        self.assertEqual(plain(EVERY(AroundTwo(two))(X, Y)), ([20, 20], [300, 300]))
        two.register_backward_hook(lambda cell_id, grad_input, grad_output: (grad_output[0] + 1, grad_output[1]))
        self.assertEqual(plain(EVERY(AroundTwo(two))(X, Y)), ([21, 21], [300, 300]))

    def test_weights(self):
        """Weights of the cell have the gradients that they have without hooks."""
        dense = nn.Dense(2, 2, weight_init="ones", bias_init="ones")
        dense.register_backward_hook(lambda cell_id, grad_input, grad_output: (grad_input[0] * 10,))
        row = plumb.Tensor(np.ones((1, 2), np.float32))
        by_row, (by_weight, by_bias) = plumb.grad(dense, 0, dense.trainable_params())(row)
        self.assertEqual((plain(by_row), plain(by_weight), plain(by_bias)), ([[10, 10]], [[1, 1], [1, 1]], [1, 1]))

    def test_trained(self):
        """A hook between two layers, in a sunk loop."""
        def train(hook):
            layers = nn.SequentialCell(nn.Dense(2, 2, weight_init="ones"), nn.Dense(2, 1, weight_init="ones"))
            if hook:
                layers[1].register_backward_hook(hook)
            data = plumb.dataset.NumpySlicesDataset((np.ones((4, 2), np.float32), np.zeros((4, 1), np.float32)), ["x", "y"]).batch(2)
            model = plumb.train.Model(layers, nn.MSELoss(), nn.SGD(layers.trainable_params(), 0.001))
            model.train(1, data, dataset_sink_mode=True)
            return layers[0].weight.asnumpy(), layers[1].weight.asnumpy()

        (first, second), (halted, same) = train(None), train(lambda cell_id, grad_input, grad_output: (grad_output[0] * 0,))
        self.assertTrue((first < 1).all() and (second < 1).all())
        np.testing.assert_array_equal(halted, np.ones((2, 2)))
        self.assertTrue((same < 1).all())

    def test_errors(self):
        class Square(nn.Cell):
            def construct(self, x):
                return x * x

        for hook, kind, message in ((lambda cell_id, given, found: found[0], TypeError, "should be a tuple"),
                                    (lambda cell_id, given, found: (), ValueError, "as many as the inputs"),
                                    (lambda given: None, TypeError, "positional arguments")):
            with self.subTest(message=message):
                cell = Square()
                cell.register_backward_hook(hook)
                with self.assertRaisesRegex(kind, message):
                    plumb.grad(cell)(X)
        with self.assertRaisesRegex(TypeError, "register_backward_hook.* must be python function"):
            Square().register_backward_hook(3)
        with self.assertWarnsRegex(UserWarning, "its own 'bprop'"):
            ruled = Ruled()
            ruled.register_backward_hook(lambda cell_id, given, found: (found[0] * 0,))
        self.assertEqual(plain(EVERY(Around(ruled))(X)), ([15, 15],))


if __name__ == "__main__":
    unittest.main()
