"""What later versions of MindSpore have beside 2.0: devices and their memory, generators, the state of cells. Expected: MindSpore 2.10."""

import collections
import unittest

import numpy as np

import plumb
from plumb import Tensor, device_context, hal, mint, nn, runtime
from plumb.nn.utils import no_init_parameters


class Scaled(nn.Cell):
    """A layer with a buffer that is kept and one that is not."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2, weight_init="ones")
        self.register_buffer("scale", Tensor([2.0, 2.0]))
        self.register_buffer("shift", Tensor([1.0, 0.0]), persistent=False)

    def construct(self, x):
        """Reads all four."""
        return self.dense(x) * self.scale + self.shift


class DeviceTest(unittest.TestCase):
    """The CPU is the one device."""

    def test_device(self):
        plumb.set_device("CPU", 0)
        self.assertEqual(plumb.get_current_device(), ("CPU", 0))
        self.assertEqual(plumb.get_current_device().device_target, "CPU")
        self.assertRaises(ValueError, plumb.set_device, "TPU")
        self.assertEqual([hal.device_count(), hal.device_count("GPU"), hal.is_available("Ascend")], [1, 0, False])
        self.assertEqual([device_context.cpu.is_available(), device_context.ascend.device_count()], [True, 0])

    def test_memory_and_streams(self):
        self.assertEqual([runtime.memory_allocated(), hal.max_memory_reserved("CPU"), hal.memory_stats()["total_idle_memory"]], [0, 0, 0])
        self.assertIn("max allocated memory", runtime.memory_summary())
        with runtime.StreamCtx(runtime.current_stream()):
            self.assertTrue(runtime.Stream().query())
        with self.assertRaisesRegex(NotImplementedError, "perf_counter"):
            runtime.Event(enable_timing=True)

    def test_settings(self):
        plumb.set_recursion_limit(2000)
        self.assertEqual(plumb.get_context("max_call_depth"), 2000)
        device_context.cpu.op_tuning.threads_num(2)
        self.assertEqual(plumb.get_context("runtime_num_threads"), 2)
        plumb.set_context(max_call_depth=1000, runtime_num_threads=0)
        self.assertEqual([plumb.float, plumb.long, plumb.cfloat], [plumb.float32, plumb.int64, plumb.complex64])


class GeneratorTest(unittest.TestCase):
    """Streams of random numbers."""

    def test_default(self):
        plumb.manual_seed(3)
        first, state, second = mint.rand(4).asnumpy(), plumb.get_rng_state(), mint.randn(4).asnumpy()
        plumb.set_rng_state(state)
        np.testing.assert_array_equal(mint.randn(4).asnumpy(), second)
        self.assertEqual(plumb.manual_seed(3).initial_seed(), 3)
        np.testing.assert_array_equal(mint.rand(4).asnumpy(), first)
        self.assertEqual([state.shape, state.dtype, state[:8].tolist()], [(16,), plumb.uint8, [3] + [0] * 7])
        self.assertRaises(TypeError, plumb.manual_seed, 1.5)

    def test_own(self):
        plumb.manual_seed(3)
        expected = [mint.rand(3).asnumpy(), mint.randint(0, 99, (3,)).asnumpy(), mint.randperm(5).asnumpy()]
        plumb.manual_seed(8)
        kept = mint.rand(3).asnumpy()
        plumb.manual_seed(8)
        own = plumb.Generator().manual_seed(3)
        found = [mint.rand(3, generator=own), mint.randint(0, 99, (3,), generator=own), mint.randperm(5, generator=own)]
        for one, other in zip(found, expected):
            np.testing.assert_array_equal(one.asnumpy(), other)
        np.testing.assert_array_equal(mint.rand(3).asnumpy(), kept)
        filled = Tensor(np.zeros(3, np.float32)).uniform_(generator=plumb.Generator().manual_seed(3))
        np.testing.assert_array_equal(filled.asnumpy(), expected[0])

    def test_compiled(self):
        own = plumb.Generator()
        with self.assertRaisesRegex(NotImplementedError, "leave 'generator' out"):
            plumb.jit(lambda x: x + mint.rand(2, generator=own))(Tensor([1.0, 2.0]))

    def test_no_gradient(self):
        def function(x):
            with plumb._no_grad():
                square = x * x
            return (square * x).sum()

        np.testing.assert_array_equal(plumb.grad(function)(Tensor([2.0, 3.0])).asnumpy(), [4, 9])


class StateTest(unittest.TestCase):
    """`state_dict` and buffers."""

    def test_names(self):
        with no_init_parameters():
            net = nn.SequentialCell(Scaled())
        self.assertEqual(list(net.state_dict(prefix="net.")), ["net.0.scale", "net.0.dense.weight", "net.0.dense.bias"])
        self.assertIs(net.state_dict()["0.dense.weight"], net[0].dense.weight)
        self.assertEqual([name for name, _ in net.named_buffers()], ["0.scale", "0.shift"])
        self.assertEqual(net.get_buffer("0.shift").tolist(), [1, 0])
        self.assertEqual(len(net.trainable_params()), 2)

    def test_load(self):
        net, x = Scaled(), Tensor([1.0, 2.0])
        np.testing.assert_array_equal(net(x).asnumpy(), [7, 6])
        state = net.state_dict()
        state["scale"], state["dense.bias"] = Tensor([3.0, 4.0]), Tensor([1.0, 1.0])
        self.assertEqual(repr(net.load_state_dict(state)), "<All keys matched successfully>")
        np.testing.assert_array_equal(net(x).asnumpy(), [13, 16])

    def test_errors(self):
        net = Scaled()
        with self.assertRaisesRegex(RuntimeError, "missing names: scale, dense.weight, dense.bias"):
            net.load_state_dict({})
        found = net.load_state_dict(collections.OrderedDict(other=Tensor(1)), strict=False)
        self.assertEqual([found.missing_keys, found.unexpected_keys], [["scale", "dense.weight", "dense.bias"], ["other"]])
        with self.assertRaisesRegex(RuntimeError, "'scale' has the shape"):
            net.load_state_dict({"scale": Tensor([1.0])}, strict=False)
        for name in ("a.b", "", "dense"):
            self.assertRaises(KeyError, net.register_buffer, name, Tensor(1))
        self.assertRaises(TypeError, net.register_buffer, "mask", 3)
        self.assertRaises(AttributeError, net.get_buffer, "dense.mask")

    def test_hooks(self):
        net, calls = Scaled(), []
        net.register_state_dict_pre_hook(lambda cell, prefix, keep_vars: calls.append(prefix))
        handle = net.register_state_dict_post_hook(lambda cell, state, prefix, local: state.pop("scale"))
        self.assertNotIn("scale", net.state_dict())
        handle.remove()
        self.assertIn("scale", net.state_dict())
        self.assertEqual(calls, ["", ""])


if __name__ == "__main__":
    unittest.main()
