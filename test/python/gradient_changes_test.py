"""What a differentiated function changes besides: lists, dicts and attributes hold it afterwards, and gradients are the same.

Expected numbers are derivatives by hand.
"""

import unittest

import numpy as np

import plumb
from plumb import Tensor, nn, ops

X = np.random.default_rng(3).standard_normal((64, 96)).astype(np.float32)


class Keeper(nn.Cell):
    """Squares, keeping what it multiplies."""

    def __init__(self, weight=3.0):
        super().__init__()
        self.weight = plumb.Parameter(Tensor(np.full(96, weight, np.float32)), name="weight")
        self.kept = self.count = None

    def construct(self, x):
        """The square of the product, element by element."""
        self.kept = x * self.weight
        self.count = x.shape[0]
        return self.kept * self.kept


def near(found, expected):
    """Equal but for rounding."""
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=2e-5, atol=1e-4)


class GradientChangesTest(unittest.TestCase):
    """Gradients in graph mode, where Python runs nothing."""

    def setUp(self):
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        self.network, self.x = Keeper(), Tensor(X)

    def test_attributes(self):
        value, (by_input, (by_weight,)) = plumb.value_and_grad(self.network, 0, self.network.trainable_params())(self.x)
        near(value, 9 * X * X)
        near(by_input, 18 * X)
        near(by_weight, (6 * X * X).sum(0))
        near(self.network.kept, 3 * X)
        self.assertEqual(self.network.count, 64)

    def test_several_results(self):
        def both(x):
            return self.network(x), x * x * x

        near(plumb.grad(both)(self.x), 18 * X + 3 * X * X)
        self.network.kept = None
        gradient, (cube,) = plumb.grad(both, has_aux=True)(self.x)
        near(gradient, 18 * X)
        near(cube, X ** 3)
        near(self.network.kept, 3 * X)

    def test_given_adjoint(self):
        adjoint = np.arange(96, dtype=np.float32) * np.ones((64, 1), np.float32)
        found = ops.GradOperation(sens_param=True)(self.network)(self.x, Tensor(adjoint))
        near(found, 18 * X * adjoint)
        near(self.network.kept, 3 * X)

    def test_named_gradients(self):
        position, gradient = plumb.grad(self.network, 0, return_ids=True)(self.x)
        self.assertEqual(position, 0)
        near(gradient, 18 * X)
        near(self.network.kept, 3 * X)

    def test_containers(self):
        """A list and a dict of the function around, which grow and are read afterwards."""
        @plumb.jit
        def step(x):
            seen, named = [x], {}

            def loss(x):
                seen.append(x * 2)
                named["cube"] = x * x * x
                seen[0] = x + 1
                return (named["cube"] + seen[1]).sum()

            value, gradient = plumb.value_and_grad(loss)(x)
            return value, gradient, seen, named

        value, gradient, seen, named = step(self.x)
        self.assertAlmostEqual(float(value.asnumpy()) / (X.astype(np.float64) ** 3 + 2 * X).sum(), 1, places=4)
        near(gradient, 3 * X * X + 2)
        near(seen[0], X + 1)
        near(seen[1], 2 * X)
        near(named["cube"], X ** 3)

    def test_second_order_through_what_is_kept(self):
        def penalty(x):
            return plumb.grad(lambda x: self.network(x).sum())(x).sum() + (self.network.kept ** 2).sum()

        near(plumb.grad(penalty)(self.x), 18 + 18 * X)

    def test_training(self):
        """A network that keeps what it has seen trains, sunk or not, to the same weights."""
        for sink in (False, True):
            network = Keeper(1.0)
            rows = plumb.dataset.NumpySlicesDataset({"x": X}, shuffle=False).batch(8)
            plumb.Model(network, optimizer=nn.SGD(network.trainable_params(), 1e-3)).train(1, rows, dataset_sink_mode=sink)
            weight = np.ones(96)
            for batch in X.reshape(8, 8, 96).astype(np.float64):
                weight -= 1e-3 * (2 * weight * batch * batch).sum(0)
            near(network.weight, weight)


if __name__ == "__main__":
    unittest.main()
