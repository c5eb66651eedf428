"""Accumulated gradients, and what optimizers of users' own keep of their arguments."""

import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, boost, nn, ops
from plumb.nn.optim.optimizer import Optimizer, opt_init_args_register


class Weighted(nn.Cell):
    """The mean of x * w."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

    def construct(self, x):
        return (x * self.w).mean()


class Step(nn.Cell):
    """A step that updates once in several calls."""

    def __init__(self, network, optimizer, count):
        super().__init__()
        self.network, self.weights = network, optimizer.parameters
        self.gradient = plumb.value_and_grad(network, None, self.weights)
        self.accumulation = boost.GradientAccumulation(count, optimizer)

    def construct(self, x):
        loss, gradients = self.gradient(x)
        return self.accumulation(loss, gradients)


class Own(Optimizer):
    """An optimizer of a user's."""

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, decay=0.5):
        super().__init__(learning_rate, params)

    def construct(self, gradients):
        return gradients


class BoostTest(unittest.TestCase):
    """Against the arithmetic."""

    def test_accumulation(self):
        network = Weighted()
        step = Step(network, nn.SGD(network.trainable_params(), 0.3), 2)
        batches = np.arange(12, dtype=np.float32).reshape(4, 3)
        expected = np.ones(3, np.float32)
        for number, batch in enumerate(batches):
            self.assertAlmostEqual(float(step(Tensor(batch)).asnumpy()), float((batch * expected).mean()), places=5)
            if number % 2:
                expected = expected - 0.3 * (batches[number - 1] + batch) / 2 / 3
            np.testing.assert_allclose(network.w.asnumpy(), expected, rtol=1e-5)

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "at least 1, but got 0"):
            boost.GradientAccumulation(0, nn.SGD(Weighted().trainable_params(), 0.3))
        with self.assertRaisesRegex(NotImplementedError, "'plumb.boost.AutoBoost' is not offered"):
            boost.AutoBoost("O1")

    def test_arguments(self):
        params = Weighted().trainable_params()
        own = Own(params, decay=0.25)
        self.assertEqual((own.init_params, own.init_learning_rate, own.init_args), ({"params": params}, 0.1, {"decay": 0.25}))

    def test_types_of_sparse_tensors(self):
        scaled = ops.MultitypeFuncGraph("scaled", read_value=True)

        @scaled.register("Tensor", "RowTensor")
        def _rows(scale, rows):
            return rows

        @scaled.register("Tensor", "Tensor")
        def _dense(scale, value):
            return value * scale

        self.assertEqual(float(plumb.jit(lambda x: scaled(x, x))(Tensor(3.0)).asnumpy()), 9.0)



if __name__ == "__main__":
    unittest.main()
