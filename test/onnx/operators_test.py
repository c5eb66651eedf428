"""Operators and graphs where ONNX's own tests do not look: edges, versions, functions, what is known while compiling."""

import os
import tempfile
import unittest

import numpy as np
import torch
from torch import nn

import plumb as ms
from onnx_writer import function, graph, model, node, value
from plumb import Tensor, onnx


class OperatorsTest(unittest.TestCase):
    """One graph each."""

    def setUp(self):
        ms.set_context(mode=ms.GRAPH_MODE)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "net.onnx")

    def load(self, content, version=13, functions=()):
        """The network of a graph."""
        with open(self.path, "wb") as file:
            file.write(model(content, version, functions))
        return onnx.load(self.path)

    def run_nodes(self, nodes, x, version=13, held=None, outputs="y", functions=()):
        """What nodes give for one input "x"."""
        net = self.load(graph(nodes, [value("x", str(x.dtype), x.shape)], outputs, held), version, functions)
        return net(Tensor(x)).asnumpy()

    def check_torch(self, module, *inputs, opset=16):
        """A module of PyTorch, exported, gives what it gives itself."""
        torch.onnx.export(module, inputs, self.path, opset_version=opset)
        wanted = module(*inputs).detach().numpy()
        found = onnx.load(self.path)(*[Tensor(one.numpy()) for one in inputs]).asnumpy()
        self.assertEqual(found.shape, wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)

    def test_slices_to_the_end(self):
        """PyTorch writes the largest int64 for the end of a slice."""
        class Tail(nn.Module):
            def forward(self, x):
                return torch.cat([x[:, 1:], x[:, -2:, 1:3].repeat(1, 1, 2) * x[..., ::2][:, 3:, :1]], 1)
        self.check_torch(Tail(), torch.randn(2, 5, 4))

    def test_scales_are_rounded_as_floats(self):
        class Smaller(nn.Module):
            def __init__(self, scale):
                super().__init__()
                self.scale = scale

            def forward(self, x):
                return nn.functional.interpolate(x, scale_factor=self.scale, mode="nearest")
        for scale in (0.7, 1.3, 2.1):
            self.check_torch(Smaller(scale), torch.arange(10.0).reshape(1, 1, 10), opset=13)

    def test_references_into_graphs_of_functions(self):
        leaky = graph([node("LeakyRelu", "X", "o", alpha=("ref", "alpha"))], [], "o")
        plain = graph([node("Identity", "X", "o")], [], "o")
        own = function("F", "X c", "Y", [node("If", "c", "Y", then_branch=leaky, else_branch=plain)], ["alpha"])
        held = {"c": np.array(True)}
        found = self.run_nodes([node("F", "x c", "y", "own", alpha=0.5)], np.float32([-2, 2]), held=held, functions=[own])
        np.testing.assert_array_equal(found, [-1, 2])

    def test_scales_that_a_function_takes(self):
        held = {"s": np.float32([1, 2]), "nothing": np.float32([])}
        own = function("F", "X nothing s", "Y", [node("Resize", "X nothing s", "Y", mode="nearest", coordinate_transformation_mode="asymmetric")])
        found = self.run_nodes([node("F", "x nothing s", "y", "own")], np.float32([[1, 2]]), held=held, functions=[own])
        np.testing.assert_array_equal(found, [[1, 1, 2, 2]])

    def test_scan_along_the_last_axis(self):
        body = graph([node("Add", "s r", "t"), node("Identity", "t", "u")], ["s", "r"], "t u")
        nodes = [node("Scan", "s0 x", "y all", body=body, num_scan_inputs=1, scan_input_axes=(-1,))]
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        found = self.run_nodes(nodes, x, held={"s0": np.zeros(2, np.float32)})
        np.testing.assert_array_equal(found, x.sum(1))

    def test_shapes_computed(self):
        """Operators between Shape and Reshape are computed while compiling."""
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        for nodes, held in (
                ([node("Clip", "s low", "t")], {"low": np.int64(1)}),
                ([node("ScatterND", "s at one", "t")], {"at": np.int64([[0]]), "one": np.int64([-1])}),
                ([node("GatherND", "s at", "t")], {"at": np.int64([[1], [-2]])}),
                ([node("GatherElements", "s at", "t")], {"at": np.int64([1, 0])}),
                ([node("Pad", "s pads", "p"), node("Slice", "p one three", "t")],
                 {"pads": np.int64([1, 1]), "one": np.int64([1]), "three": np.int64([3])}),
                ([node("CumSum", "s zero", "c"), node("Sub", "c s", "d"), node("Sub", "c d", "t")], {"zero": np.int64(0)}),
                ([node("CastLike", "s low", "u"), node("Cast", "u", "t", to=7)], {"low": np.int32(1)}),
                ([node("Unsqueeze", "s zero", "u"), node("ReduceMean", "u", "t", axes=(0,), keepdims=0)], {"zero": np.int64([0])}),
                ([node("Flatten", "s", "u", axis=0), node("Squeeze", "u zero", "t")], {"zero": np.int64([0])})):
            found = self.run_nodes([node("Shape", "x", "s"), *nodes, node("Reshape", "x t", "y")], x, held=held)
            self.assertEqual(found.size, 12)

    def test_modes_that_are_not_offered(self):
        x = np.ones((1, 4, 2, 2), np.float32)
        for made in (node("DepthToSpace", "x", "y", blocksize=2, mode="XYZ"), node("Pad", "x p", "y", mode="mirror"),
                     node("Resize", "x none s", "y", mode="area"), node("Resize", "x none s", "y", mode="nearest", nearest_mode="foo"),
                     node("GridSample", "x g", "y", mode="bicubic")):
            held = {"p": np.int64([0] * 8), "s": np.float32([1, 1, 2, 2]), "none": np.float32([]), "g": np.zeros((1, 2, 2, 2), np.float32)}
            with self.assertRaisesRegex(NotImplementedError, "is not offered, only "):
                self.run_nodes([made], x, 16, held)
        with self.assertRaisesRegex(NotImplementedError, "BitShift in direction 'left' is not offered"):
            self.run_nodes([node("BitShift", "x x", "y", direction="left")], np.uint8([1]))
        weights = {"w": np.zeros((1, 1, 2), np.float32), "r": np.zeros((1, 1, 1), np.float32)}
        with self.assertRaisesRegex(NotImplementedError, "direction 'backward' is not offered"):
            self.run_nodes([node("RNN", "x w r", "y", direction="backward", hidden_size=1)], np.ones((2, 1, 2), np.float32), held=weights)

    def test_element_types_are_held_to_the_file(self):
        net = self.load(graph([node("Div", "x two", "y")], [value("x", "float32", (2,))], "y", {"two": np.float32(2)}))
        for dtype in (np.int32, np.float64):
            with self.assertRaisesRegex(TypeError, "the input 'x' is of .*, the file says float32"):
                net(Tensor(np.array([7, 8], dtype)))

    def test_integers(self):
        found = self.run_nodes([node("ReduceMean", "x", "y", axes=(0,), keepdims=0)], np.int32([2 ** 24 + 1, 2 ** 24 + 1]))
        self.assertEqual(int(found), 2 ** 24 + 1)
        found = self.run_nodes([node("ReduceL2", "x", "y", axes=(0,), keepdims=0)], np.int32([3, 4]))
        self.assertEqual(int(found), 5)
        large = {"a": np.int64([2 ** 53 + 1, -7, 7, -7]), "b": np.int64([1, 2, -2, -2])}
        found = self.run_nodes([node("Div", "a b", "q"), node("Add", "q x", "y")], np.int64([0, 0, 0, 0]), held=large)
        np.testing.assert_array_equal(found, [2 ** 53 + 1, -3, -3, 3])

    def test_versions(self):
        """Operators that have changed, by the version of the operator set."""
        x = np.float32([[[[-1, -1]], [[-1, -1]]]])
        found = self.run_nodes([node("PRelu", "x s", "y")], x, 6, {"s": np.float32([1, 5])})
        np.testing.assert_array_equal(found, [[[[-1, -1]], [[-5, -5]]]])
        found = self.run_nodes([node("PRelu", "x s", "y")], x, 7, {"s": np.float32([1, 5])})
        np.testing.assert_array_equal(found, [[[[-1, -5]], [[-1, -5]]]])
        signal = np.random.default_rng(1).standard_normal((1, 4, 3, 1)).astype(np.float32)
        for version, axis, held in ((17, 1, None), (20, 2, None)):
            found = self.run_nodes([node("DFT", "x", "y")], signal, version, held)
            wanted = np.fft.fft(signal[..., 0], axis=axis)
            np.testing.assert_allclose(found, np.stack([wanted.real, wanted.imag], -1), rtol=1e-4, atol=1e-5)
        with self.assertRaisesRegex(NotImplementedError, "TrainingMode.PRESERVE"):
            held = {name: np.ones(2, np.float32) for name in "smbv"}
            self.run_nodes([node("BatchNormalization", "x s b m v", "y a c d e")], np.ones((2, 2, 3), np.float32), 9, held)

    def test_names(self):
        """Initializers of one name in two graphs, and values with names of Python's."""
        yes = graph([node("Mul", "x w", "o")], [], "o", {"w": np.float32([2])})
        no = graph([node("Mul", "x w", "o")], [], "o", {"w": np.float32([3])})
        net = self.load(graph([node("If", "c", "y", then_branch=yes, else_branch=no)],
                              [value("c", "bool", ()), value("x", "float32", (1,))], "y"))
        for condition, wanted in ((True, 2), (False, 3)):
            self.assertEqual(net(Tensor(np.array(condition)), Tensor(np.float32([1]))).asnumpy().tolist(), [wanted])
        nodes = [node("Clip", "x", "float", min=float("-inf"), max=1.0), node("Add", "float construct", "y")]
        found = self.run_nodes(nodes, np.float32([3, -5]), 6, {"construct": np.float32(1)})
        np.testing.assert_array_equal(found, [2, -4])

    def test_known_inputs(self):
        net = self.load(graph([node("Reshape", "x s", "y")], [value("x", "float32", (4,)), value("s", "int64", (2,))], "y"))
        for shape in ((2, 2), np.array([4, 1]), Tensor(np.array([1, 4]))):
            wanted = tuple(np.asarray(shape.asnumpy() if isinstance(shape, Tensor) else shape).tolist())
            self.assertEqual(net(Tensor(np.float32([1, 2, 3, 4])), shape).shape, wanted)
        with self.assertRaisesRegex(ValueError, "the input 's' has 0 axes, the file says"):
            net(Tensor(np.float32([1, 2, 3, 4])), 4)

    def test_loop_of_no_iteration(self):
        body = graph([node("Identity", "c", "d"), node("Add", "v v", "w"), node("Identity", "w", "z")], ["i", "c", "v"], "d w z")
        nodes = [node("Loop", "none yes x", "y all", body=body)]
        with self.assertRaisesRegex(NotImplementedError, "of no iteration at all"):
            self.run_nodes(nodes, np.float32([1]), held={"none": np.int64(0), "yes": np.array(True)})


if __name__ == "__main__":
    unittest.main()
