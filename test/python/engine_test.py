"""Direct calls: operations, cells, jit, gradients and optimizers, compiled in process and compared with NumPy."""

import re
import signal
import threading
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
        self.assertRegex(str(caught.exception), r"(?s)engine_test.py:\d+.*shape \(2, 3\).*shape \(4,\)")


class RepeatsTest(Case):
    """Calls of an operation after the first."""

    def test_values_beside_tensors(self):
        x = tensor(3, 4)
        for number in (2, 3, 2.0, 3.5, True, False, 0.0, -0.0, float("inf")):
            self.assertClose(x * number, x.asnumpy() * np.float32(number))
        for power in (0.0, 1.0, 2.0, 1.5):
            self.assertClose(ops.pow(ops.abs(x), power), np.abs(x.asnumpy()) ** power)
        self.assertEqual(str(np.sign(1 / (plumb.Tensor(np.float32([1])) * -0.0).asnumpy())), "[-1.]")
        for axis in (0, 1, (0, 1), ()):
            self.assertClose(ops.ReduceSum()(x, axis), x.asnumpy().sum(None if axis == () else axis))

    def test_types(self):
        for dtype in (np.float32, np.float64, np.int32, np.uint8, np.float16, np.int32, np.float32):
            x = plumb.Tensor(np.arange(6).astype(dtype))
            self.assertEqual((x + x).asnumpy().dtype, dtype)
            self.assertEqual((x + x).asnumpy().tolist(), [0, 2, 4, 6, 8, 10])

    def test_memory(self):
        """Arrays in any order in memory; results of their own."""
        array = RNG.standard_normal((5, 3)).astype(np.float32)
        for _ in range(3):
            self.assertClose(plumb.Tensor.from_numpy(array.T) + plumb.Tensor.from_numpy(array.T), array.T * 2)
        first = plumb.Tensor.from_numpy(array) + 1.0
        second = plumb.Tensor.from_numpy(array) + 1.0
        second.asnumpy()[:] = 0
        self.assertClose(first, array + 1)

    def test_threads(self):
        """The same operation from several threads: each gets its own result."""
        wrong = []

        def work(seed):
            x = np.full((64, 64), seed, np.float32)
            for number in range(200):
                got = (plumb.Tensor(x) + plumb.Tensor(x + number)).asnumpy()
                if not (got == 2 * x + number).all():
                    wrong.append((seed, number))

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)


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

    def test_state_that_is_read(self):
        """A program that stores into lists and tensors, but into no Parameter, leaves the Parameters' values where they are."""
        class Reads(nn.Cell):
            """Reads its weight."""

            def __init__(self):
                super().__init__()
                self.weight = plumb.Parameter(tensor(3))

            def construct(self, x):
                """Stores."""
                kept = {"x": x}
                kept["y"] = x + self.weight
                x[0] = 1.0
                self.last = x
                return kept["y"]

        net, x = Reads(), tensor(3)
        version = net.weight.version
        self.assertClose(net(x), x.asnumpy() + net.weight.asnumpy())
        self.assertEqual(net.weight.version, version)


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



RATE = 0.5


def threads():
    """Threads of the process."""
    with open("/proc/self/status", encoding="ascii") as file:
        return int(re.search(r"Threads:\s*(\d+)", file.read()).group(1))


class CompiledOnceTest(Case):
    """What is equal is compiled once, however it was made; what is kept does not grow."""

    def runs(self):
        """How many programs are kept."""
        from plumb import _engine
        return len(_engine._runs)

    def test_numbers_beside_tensors_are_inputs(self):
        x = tensor(3)
        x + 0.5, 2 - x, x > 1, ops.maximum(x, 0)
        before, started = self.runs(), threads()
        total = np.zeros(3, np.float32)
        for i in range(1, 60):
            self.assertClose(x + i / 7, x.asnumpy() + np.float32(i / 7))
            self.assertClose(i - x, i - x.asnumpy())
            np.testing.assert_array_equal((x > i - 30).asnumpy(), x.asnumpy() > i - 30)
            total += ops.maximum(x, i).asnumpy()
        self.assertClose(plumb.Tensor(total), sum(np.maximum(x.asnumpy(), i) for i in range(1, 60)))
        self.assertEqual((self.runs(), threads()), (before, started))

    def test_few_programs_without_state_are_kept(self):
        from plumb import _engine
        kept, _engine._MAX_PURE_RUNS = _engine._MAX_PURE_RUNS, 8
        try:
            x = plumb.Tensor(np.float32(2))
            for i in range(20):
                self.assertClose(x ** (i + 0.5), np.float32(2) ** (i + 0.5))
            self.assertLessEqual(sum(run.is_pure for _, run in _engine._runs.values()), 8)
        finally:
            _engine._MAX_PURE_RUNS = kept

    def test_copies_of_parameters_have_a_bound(self):
        """A network with 32 MB of weights, called on ten lengths, is kept for as many as the bound allows, and computes right again."""
        from plumb import _engine
        kept, _engine._MAX_PURE_BYTES = _engine._MAX_PURE_BYTES, 100 << 20
        try:
            net = nn.Dense(4096, 2048, weight_init=plumb.Tensor(np.eye(2048, 4096, dtype=np.float32)))
            for rows in (*range(1, 11), 1):
                x = tensor(rows, 4096)
                self.assertClose(net(x), x.asnumpy()[:, :2048])
            self.assertLessEqual(sum(run.bytes for _, run in _engine._runs.values() if run.is_pure), 100 << 20)
            net.weight.set_data(plumb.Tensor(np.full((2048, 4096), 0.5, np.float32)))
            self.assertClose(net(x)[0, 0], x.asnumpy().sum() / 2)
        finally:
            _engine._MAX_PURE_BYTES = kept

    def test_values_of_parameters_are_no_part_of_a_program(self):
        """Networks that differ in their weights alone have one text, which is small; what they compute differs."""
        from plumb import _programs
        x, texts = tensor(2, 512), []
        for scale in (1, 3):
            net = nn.Dense(512, 512, has_bias=False)
            net.weight.set_data(plumb.Tensor(scale * np.arange(512 * 512, dtype=np.float32).reshape(512, 512) % 7))
            texts.append(_programs.DirectCall(net, (x,), {}).program().render(leaves_values=True)[0])
            self.assertClose(net(x), x.asnumpy() @ net.weight.asnumpy().T, 1e-4)
        self.assertEqual(*texts)
        self.assertLess(len(texts[0]), 512 * 512)

    def test_gradient_functions_made_in_a_step(self):
        net = nn.Dense(4, 1)
        optimizer = nn.SGD(net.trainable_params(), 0.1)
        x, y = tensor(8, 4), tensor(8, 1)

        def step():
            def forward(x, y):
                return ((net(x) - y) ** 2).mean() * RATE

            loss, grads = plumb.value_and_grad(forward, None, net.trainable_params())(x, y)
            optimizer(grads)
            return float(loss)

        first = step()
        before = self.runs()
        losses = [step() for _ in range(5)]
        self.assertEqual(self.runs(), before)
        self.assertLess(losses[-1], first)
        operation = ops.GradOperation(get_by_list=True)
        operation(net, net.trainable_params())(x)
        before = self.runs()
        operation(net, net.trainable_params())(x)
        self.assertEqual(self.runs(), before)

    def test_what_a_function_reads_is_part_of_it(self):
        global RATE
        x = plumb.Tensor(np.float32(3))

        def scaled(factor):
            return plumb.jit(lambda x: x * factor * RATE)

        self.assertEqual([float(scaled(2)(x)), float(scaled(4)(x)), float(scaled(2)(x))], [3.0, 6.0, 3.0])
        RATE = 1.0
        try:
            self.assertEqual(float(scaled(2)(x)), 6.0)
        finally:
            RATE = 0.5

    def test_parameters_of_equal_names(self):
        first, second = [plumb.Parameter(np.full(2, value, np.float32), name="w") for value in (1, 2)]
        self.assertClose(first + 1, [2, 2])
        self.assertClose(second + 1, [3, 3])

    def test_training_flag_of_a_differentiated_cell(self):
        net = nn.SequentialCell(nn.Dense(4, 4), nn.Dropout(p=0.5))
        gradient = plumb.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
        x = tensor(8, 4)
        still = [float(gradient(x)[0]) for _ in range(2)]
        net.set_train()
        moving = [float(gradient(x)[0]) for _ in range(2)]
        net.set_train(False)
        self.assertEqual(still, [float(gradient(x)[0])] * 2)
        self.assertNotEqual(moving[0], still[0])

    def test_max_call_depth(self):
        @plumb.jit
        def deep(x, n):
            return x if n == 0 else deep(x, n - 1) + 1

        x = plumb.Tensor(np.float32(0))
        plumb.set_context(max_call_depth=20)
        try:
            self.assertEqual(float(deep(x, 10)), 10)
            with self.assertRaisesRegex(Exception, "Exceed function call depth limit 20"):
                deep(x, 40)
            plumb.set_context(max_call_depth=10 ** 6)  # more than there can be: programs ask for it and need less
            self.assertEqual(float(deep(x, 41)), 41)
            with self.assertRaisesRegex(Exception, "Exceed function call depth limit 3000"):
                deep(x, 4000)
        finally:
            plumb.set_context(max_call_depth=1000)



class FormsTest(Case):
    """Gradients come in one form, eagerly and compiled: that of what was asked for."""

    def test_forms(self):
        p, q = plumb.Parameter(np.ones(2, np.float32), name="p"), plumb.Parameter(np.ones(2, np.float32), name="q")

        def f(x, y):
            return (x * y * p * q).sum()

        x, y = tensor(2), tensor(2)
        cases = [((0, None), lambda g: g.shape), ((0, p), lambda g: (g[0].shape, g[1].shape)),
                 ((None, p), lambda g: g.shape), ((None, [p]), lambda g: (len(g), g[0].shape)),
                 ((None, [p, q]), lambda g: len(g)), (((0,), None), lambda g: (len(g), g[0].shape)),
                 (((0, 1), p), lambda g: (len(g[0]), g[1].shape))]
        for (positions, weights), form in cases:
            made = plumb.grad(f, positions, weights)
            eager = made(x, y)

            def compiled(x, y):
                gradients = plumb.grad(f, positions, weights)(x, y)
                return _count(gradients)

            self.assertEqual(type(eager), tuple if isinstance(positions, tuple) or isinstance(weights, list) or
                             (positions is not None and weights is not None) else plumb.Tensor)
            form(eager)
            self.assertEqual([int(count) for count in _as_tuple(plumb.jit(compiled)(x, y))], _shape_of(eager),
                             (positions, weights))


def _count(value):
    """The nesting of a result as numbers: 0 for a tensor, else the lengths, outermost first."""
    if isinstance(value, (tuple, list)):
        counts = (len(value),)
        for item in value:
            counts = counts + _count(item)
        return counts
    return (0,)


def _shape_of(value):
    return list(_count(value))


def _as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


class NamesTest(Case):
    """Attributes by computed names, states of equal names, and lists beside containers."""

    def test_computed_attribute_names(self):
        class Net(nn.Cell):
            """Layers that are found by number."""

            def __init__(self):
                super().__init__()
                self.d0, self.d1, self.other = nn.Dense(3, 3), nn.Dense(3, 2), 4

            def construct(self, x):
                """Calls them in order."""
                for i in range(2):
                    x = getattr(self, f"d{i}")(x)
                return x * getattr(self, "oth" + "er")

        net, x = Net(), tensor(5, 3)
        self.assertClose(net(x), net.d1(net.d0(x)).asnumpy() * 4, rtol=1e-4)

    def test_two_optimizers(self):
        first, second = nn.Dense(3, 1), nn.Dense(3, 1)
        optimizers = [nn.Adam(net.trainable_params(), 0.1) for net in (first, second)]
        for index, net in enumerate((first, second)):
            for parameter in net.get_parameters():
                parameter.name = f"net{index}.{parameter.name}"
        gradient = plumb.value_and_grad(lambda x: (first(x) - second(x) * 2 + 1).mean() ** 2, None,
                                        first.trainable_params() + second.trainable_params())

        def step(x):
            loss, grads = gradient(x)
            optimizers[0](grads[:2])
            optimizers[1](grads[2:])
            return loss

        compiled, x = plumb.jit(step), tensor(8, 3)
        losses = [float(compiled(x)) for _ in range(5)]
        self.assertLess(losses[-1], losses[0])

    def test_append_beside_a_container(self):
        class Net(nn.Cell):
            """Collects what its layers give."""

            def __init__(self):
                super().__init__()
                self.layers = nn.SequentialCell(nn.Dense(3, 3), nn.Dense(3, 3))

            def construct(self, x):
                """Appends to a list."""
                found = []
                for _ in range(2):
                    x = self.layers(x)
                    found.append(x)
                return ops.concat(found, 1)

        self.assertEqual(Net()(tensor(2, 3)).shape, (2, 6))


if __name__ == "__main__":
    unittest.main()
