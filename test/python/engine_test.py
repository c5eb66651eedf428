"""Direct calls: operations, cells, jit, gradients and optimizers, compiled in process and compared with NumPy."""

import unittest

import numpy as np

import plumb
from plumb import nn, ops
from plumb._parse import CompileError

RNG = np.random.default_rng(3)


def tensor(*shape):
    """A random tensor."""
    return plumb.Tensor(RNG.standard_normal(shape).astype(np.float32))


class Case(unittest.TestCase):
    """Comparison within float32's accuracy."""

    def assertClose(self, actual, expected, rtol=1e-5):
        """Compares a Tensor with an array."""
        np.testing.assert_allclose(actual.asnumpy(), expected, rtol=rtol, atol=1e-6)


class OperationsTest(Case):
    """Operations on tensors from plain Python."""

    def test_arithmetic(self):
        x, y = tensor(2, 3), tensor(3)
        self.assertClose(x + y, x.asnumpy() + y.asnumpy())
        self.assertClose(2.0 - x, 2.0 - x.asnumpy())
        self.assertClose(x * 3, x.asnumpy() * 3)
        self.assertClose(ops.matmul(x, y.reshape(3, 1)), x.asnumpy() @ y.asnumpy()[:, None])
        self.assertTrue(((x > y).asnumpy() == (x.asnumpy() > y.asnumpy())).all())

    def test_shapes(self):
        x = tensor(2, 3, 4)
        self.assertClose(ops.transpose(x, (2, 0, 1)), x.asnumpy().transpose(2, 0, 1))
        self.assertClose(ops.concat((x, x), axis=1), np.concatenate([x.asnumpy()] * 2, 1))
        self.assertClose(ops.ReduceMean(keep_dims=True)(x, (0, 2)), x.asnumpy().mean((0, 2), keepdims=True))
        self.assertEqual(ops.Shape()(x), (2, 3, 4))
        self.assertClose(ops.fill(plumb.float32, (2, 2), 1.5), np.full((2, 2), 1.5))

    def test_compiled_once_per_signature(self):
        from plumb import _engine
        tensor(5, 1) * tensor(5, 1)
        before = len(_engine._runs)
        for _ in range(3):
            tensor(5, 1) * tensor(5, 1)
        self.assertEqual(len(_engine._runs), before)

    def test_shapes_that_do_not_fit(self):
        with self.assertRaises(CompileError) as caught:
            tensor(2, 3) + tensor(4)
        self.assertRegex(str(caught.exception), r"(?s)engine_test.py:\d+.*2x3.*4")


class CellsTest(Case):
    """Cells called on tensors."""

    def test_dense(self):
        cell, x = nn.Dense(3, 2), tensor(4, 3)
        expected = x.asnumpy() @ cell.weight.asnumpy().T + cell.bias.asnumpy()
        self.assertClose(cell(x), expected)
        cell.bias.set_data(plumb.Tensor(cell.bias.asnumpy() + 1))
        self.assertClose(cell(x), expected + 1)

    def test_same_padding(self):
        cell, x = nn.Conv2d(1, 1, 3, stride=2, weight_init="ones"), tensor(1, 1, 5, 5)
        padded = np.pad(x.asnumpy()[0, 0], 1)
        expected = [[padded[i:i + 3, j:j + 3].sum() for j in (0, 2, 4)] for i in (0, 2, 4)]
        self.assertClose(cell(x), np.array(expected)[None, None])

    def test_sequential(self):
        cell, x = nn.SequentialCell(nn.Dense(3, 3), nn.ReLU(), nn.Flatten()), tensor(4, 3)
        first = cell[0]
        self.assertClose(cell(x), np.maximum(x.asnumpy() @ first.weight.asnumpy().T + first.bias.asnumpy(), 0))

    def test_state(self):
        class Counter(nn.Cell):
            """Counts its calls."""

            def __init__(self):
                super().__init__()
                self.count = plumb.Parameter(plumb.Tensor(np.float32(0)))

            def construct(self, x):
                """Adds one."""
                ops.assign(self.count, self.count + 1.0)
                return x * self.count

        counter, x = Counter(), tensor(2)
        counter(x)
        self.assertClose(counter(x), x.asnumpy() * 2)
        self.assertEqual(float(counter.count.asnumpy()), 2.0)


class ControlFlowTest(Case):
    """Python's control flow in jit functions."""

    def test_loops_over_constants(self):
        @plumb.jit
        def power(x, count):
            result = x
            for i in range(count):
                if i == 3:
                    break
                result = result * x
            return result

        x = tensor(4)
        self.assertClose(power(x, 2), x.asnumpy() ** 3)
        self.assertClose(power(x, 9), x.asnumpy() ** 4)

    def test_branch_on_data(self):
        @plumb.jit
        def clip(x):
            if ops.reduce_sum(x) > 0:
                return x
            return -x

        for sign in (1, -1):
            x = plumb.Tensor(np.full((3,), sign, np.float32))
            self.assertClose(clip(x), np.ones(3))

    def test_several_results(self):
        @plumb.jit
        def both(x, y):
            return x + y, x - y

        x, y = tensor(2), tensor(2)
        total, difference = both(x, y)
        self.assertClose(total, x.asnumpy() + y.asnumpy())
        self.assertClose(difference, x.asnumpy() - y.asnumpy())


class GradTest(Case):
    """Gradient functions from plain Python."""

    def test_grad(self):
        x = tensor(3)
        self.assertClose(plumb.grad(lambda x: ops.reduce_sum(ops.exp(x) * x))(x),
                         np.exp(x.asnumpy()) * (1 + x.asnumpy()), rtol=1e-4)

    def test_value_and_grad_by_weights(self):
        cell, x = nn.Dense(3, 1), tensor(4, 3)
        value, (weight, bias) = plumb.value_and_grad(lambda x: ops.reduce_sum(cell(x)), None, cell.trainable_params())(x)
        self.assertClose(weight, x.asnumpy().sum(0, keepdims=True), rtol=1e-4)
        self.assertClose(bias, [4.0])
        self.assertEqual(value.shape, ())

    def test_positions(self):
        x, y = tensor(3), tensor(3)
        by_x, by_y = plumb.grad(lambda x, y: ops.reduce_sum(x * x * y), (0, 1))(x, y)
        self.assertClose(by_x, 2 * x.asnumpy() * y.asnumpy())
        self.assertClose(by_y, x.asnumpy() ** 2)

    def test_second_order(self):
        x = tensor(3)
        first = plumb.grad(lambda x: ops.reduce_sum(x * x * x))
        self.assertClose(plumb.grad(lambda x: ops.reduce_sum(first(x)))(x), 6 * x.asnumpy(), rtol=1e-4)

    def test_grad_operation_with_sens(self):
        x, y, sens = tensor(3), tensor(3), tensor(3)
        by_x, by_y = ops.GradOperation(get_all=True, sens_param=True)(lambda x, y: x * y)(x, y, sens)
        self.assertClose(by_x, y.asnumpy() * sens.asnumpy())
        self.assertClose(by_y, x.asnumpy() * sens.asnumpy())


class OptimizersTest(Case):
    """One parameter, a few steps, against the formulas."""

    def run_steps(self, make, count=3):
        """Returns the values of a parameter w trained by loss = sum(w * x) with x = 1, 2."""
        plumb.set_seed(0)
        cell = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        step = nn.TrainOneStepCell(nn.WithLossCell(cell, nn.MSELoss("sum")), make(cell.trainable_params())).set_train()
        x, y = plumb.Tensor(np.array([[1, 2]], np.float32)), plumb.Tensor(np.zeros((1, 1), np.float32))
        values = []
        for _ in range(count):
            step(x, y)
            values.append(cell.weight.asnumpy()[0].astype(np.float64).copy())
        return values

    def expected(self, update, count=3):
        """The same by hand: `update(w, gradient, state, step)` returns the new w."""
        weight, x, state, values = np.ones(2), np.array([1.0, 2.0]), {}, []
        for step in range(count):
            gradient = 2 * (weight @ x) * x
            weight = update(weight, gradient, state, step)
            values.append(weight)
        return values

    def test_momentum(self):
        def update(weight, gradient, state, step):
            state["v"] = 0.9 * state.get("v", 0) + gradient
            return weight - 0.01 * state["v"]

        np.testing.assert_allclose(self.run_steps(lambda p: nn.Momentum(p, 0.01, 0.9)), self.expected(update),
                                   rtol=1e-5)

    def test_nesterov_with_rates_and_decay(self):
        rates = [0.01, 0.005]

        def update(weight, gradient, state, step):
            gradient = gradient + 0.1 * weight
            state["v"] = 0.9 * state.get("v", 0) + gradient
            return weight - rates[min(step, 1)] * (gradient + 0.9 * state["v"])

        made = self.run_steps(lambda p: nn.Momentum(p, rates, 0.9, weight_decay=0.1, use_nesterov=True))
        np.testing.assert_allclose(made, self.expected(update), rtol=1e-5)

    def test_adam(self):
        def update(weight, gradient, state, step):
            state["m"] = 0.9 * state.get("m", 0) + 0.1 * gradient
            state["v"] = 0.999 * state.get("v", 0) + 0.001 * gradient ** 2
            rate = 0.01 * np.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
            return weight - rate * state["m"] / (np.sqrt(state["v"]) + 1e-8)

        np.testing.assert_allclose(self.run_steps(lambda p: nn.Adam(p, 0.01)), self.expected(update), rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
