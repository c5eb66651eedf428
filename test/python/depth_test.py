"""Deep programs: long chains of operations and hundreds of layers give right results, and compile in linear time.

What is made of parts when it is long is right at the seams: kernels of bounded length, functions of a part of the step.
"""

import tempfile
import time
import pathlib
import importlib.util
import unittest

import numpy as np
import torch

import plumb
from plumb import nn, ops

RNG = np.random.default_rng(11)


def load_function(lines, name="chain"):
    """A function of x from source lines, in a file as the parser wants it."""
    folder = tempfile.mkdtemp()
    path = pathlib.Path(folder, f"{name}_source.py")
    path.write_text("\n".join([f"def {name}(x):"] + [f"    {line}" for line in lines] + ["    return x", ""]))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def compile_sum_of_turns(turns):
    """Compiles a loop whose turns differ in constants alone, and checks its result; returns seconds of the processor."""
    def total(x):
        rows = []
        for i in range(turns):
            rows.append(x + i)
        return ops.stack(rows).sum()

    begin = time.process_time()
    result = plumb.jit(total)(plumb.Tensor(np.ones(4, np.float32)))
    np.testing.assert_allclose(float(result), 4 * (turns + turns * (turns - 1) / 2), rtol=1e-5)
    return time.process_time() - begin


def compile_choices(count):
    """Compiles one `elif` behind the other, each on a tensor, and checks it; returns seconds of the processor."""
    lines = ["if x.sum() > 300:", "    x = x * 0"]
    for i in range(count):
        lines += [f"elif x.sum() > {count - 1 - i} - {count - 3}:", f"    x = x + {i}"]
    function = load_function(lines, f"choices{count}")
    begin = time.process_time()
    np.testing.assert_array_equal(plumb.jit(function)(plumb.Tensor(np.ones(3, np.float32))).asnumpy(), np.ones(3))
    return time.process_time() - begin


def compile_gradient_of_turns(turns):
    """Compiles the gradient of a loop over the rows of a tensor, and checks it; returns seconds of the processor."""
    def product(rows):
        result = rows[0]
        for i in range(turns):
            result = result * rows[i]
        return result.sum()

    begin = time.process_time()
    gradient = plumb.jit(plumb.grad(product))(plumb.Tensor(np.ones((turns, 4), np.float32)))
    expected = np.ones((turns, 4), np.float32)
    expected[0] = 2
    np.testing.assert_array_equal(gradient.asnumpy(), expected)
    return time.process_time() - begin


def make_callers(count, scope):
    """Functions in `scope` of which each names the two after it, so that there are more than 1.6^count ways through them."""
    source = "".join(f"def g{i}(x):\n    return g{i + 1}(x) + 1 if x.shape[0] > {i} else g{i + 2}(x)\n" for i in range(count))
    source += "".join(f"def g{i}(x):\n    return x\n" for i in (count, count + 1))
    path = pathlib.Path(tempfile.mkdtemp(), "callers_source.py")
    path.write_text(source)
    exec(compile(source, str(path), "exec"), scope)  # pylint: disable=exec-used
    return scope["g0"]


class ResidualNetwork(nn.Cell):
    """Layers of one width, each x + tanh(x W + b) / 10."""

    def __init__(self, weights):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(len(w), len(w), weight_init=plumb.Tensor(w), bias_init="zeros")
                                   for w in weights])

    def construct(self, x):
        """All layers in turn."""
        for layer in self.layers:
            x = x + ops.tanh(layer(x)) * 0.1
        return x


class DepthTest(unittest.TestCase):
    """Programs much longer than a kernel or a function should be."""

    def test_chain_of_elementwise_operations(self):
        lines = [f"x = x * {1 + (i % 7 - 3) / 64} + {(i % 5 - 2) / 8}" for i in range(700)]
        chain = load_function(lines)
        x = RNG.standard_normal((64, 33)).astype(np.float32)
        np.testing.assert_allclose(plumb.jit(chain)(plumb.Tensor(x)).asnumpy(), chain(x.astype(np.float64)), rtol=2e-4, atol=2e-4)

    def test_residual_network_of_140_layers(self):
        width, batch, steps = 12, 6, 3
        weights = [RNG.standard_normal((width, width)).astype(np.float32) * 0.1 for _ in range(140)]
        x = RNG.standard_normal((steps, batch, width)).astype(np.float32)
        network = ResidualNetwork(weights)
        step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.05))
        losses = [float(step(plumb.Tensor(rows), plumb.Tensor(-rows)).asnumpy()) for rows in x]

        peers = [torch.tensor(w, dtype=torch.float64, requires_grad=True) for w in weights]
        biases = [torch.zeros(width, dtype=torch.float64, requires_grad=True) for _ in weights]
        optimizer = torch.optim.SGD(peers + biases, 0.05)
        for rows, loss in zip(torch.tensor(x, dtype=torch.float64), losses):
            y = rows
            for w, b in zip(peers, biases):
                y = y + torch.tanh(torch.nn.functional.linear(y, w, b)) * 0.1
            expected = torch.nn.functional.mse_loss(y, -rows)
            self.assertAlmostEqual(loss, expected.item(), delta=1e-4 * abs(expected.item()))
            optimizer.zero_grad()
            expected.backward()
            optimizer.step()
        for layer, peer in zip(network.layers, peers):
            np.testing.assert_allclose(layer.weight.asnumpy(), peer.detach().numpy(), rtol=1e-4, atol=1e-5)

    def test_functions_that_call_each_other(self):
        first = make_callers(60, {})
        begin = time.process_time()
        np.testing.assert_array_equal(plumb.jit(first)(plumb.Tensor(np.ones(3, np.float32))).asnumpy(), np.full(3, 4))
        self.assertLess(time.process_time() - begin, 30)

    def test_deeply_nested_source(self):
        """Far more than Python's own limit of 1000 frames allows a walk over the source; and a refusal with its place."""
        x = plumb.Tensor(np.ones(3, np.float32))
        sums = load_function(["x = " + " + ".join(f"x * {i % 7}" for i in range(700))], "sums")
        np.testing.assert_allclose(plumb.jit(sums)(x).asnumpy(), np.full(3, 2100))
        compile_choices(120)
        with self.assertRaisesRegex(RecursionError, r"depth_test.py:\d+:1: error: RecursionError: .*nested too deeply"):
            plumb.jit(make_callers(950, {}))(x)

    def test_choices_within_each_other(self):
        """Not linear: MLIR itself asks of each operation how deep it stands."""
        seconds = [compile_choices(count) for count in (80, 320)]
        self.assertLess(seconds[1], 7 * seconds[0], "four times the depth")

    def test_unrolled_loop_compiles_in_linear_time(self):
        seconds = [compile_sum_of_turns(turns) for turns in (750, 3000)]
        self.assertLess(seconds[1], 7 * seconds[0], "four times the turns")

    def test_gradient_of_unrolled_loop_compiles_in_linear_time(self):
        seconds = [compile_gradient_of_turns(turns) for turns in (250, 1000)]
        self.assertLess(seconds[1], 7 * seconds[0], "four times the turns")


if __name__ == "__main__":
    unittest.main()
