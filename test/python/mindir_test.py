"""`export`, `load` and `nn.GraphCell`: a network goes through a file, into another process as well."""

import os
import subprocess
import sys
import unittest
import zipfile

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops
from folders import Folder

RNG = np.random.default_rng(9)


class LeNet(nn.Cell):
    """Convolutions, normalisation, dropout and dense layers."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.norm, self.pool, self.flatten = nn.BatchNorm2d(6), nn.MaxPool2d(2, 2), nn.Flatten()
        self.drop, self.dense1, self.dense2 = nn.Dropout(p=0.5), nn.Dense(256, 84, "xavier_uniform"), nn.Dense(84, 10, "xavier_uniform")

    def construct(self, x):
        x = self.pool(ops.relu(self.norm(self.conv1(x))))
        x = self.flatten(self.pool(ops.relu(self.conv2(x))))
        return self.dense2(self.drop(ops.relu(self.dense1(x))))


class Several(nn.Cell):
    """Takes two tensors, returns a structure; counts its calls."""

    def __init__(self):
        super().__init__()
        self.calls = Parameter(Tensor(0, plumb.int32), name="calls", requires_grad=False)

    def construct(self, a, b):
        ops.assign(self.calls, self.calls + 1)
        return a + b, [a * b, self.calls + 0]


PROGRAM = """
import sys
import numpy as np
import plumb
from plumb import nn
net = nn.GraphCell(plumb.load(sys.argv[1]))
np.save(sys.argv[3], net(plumb.Tensor(np.load(sys.argv[2]))).asnumpy())
"""


class MindirTest(Folder):
    """Networks as files."""

    def setUp(self):
        super().setUp()
        self.file = str(self.folder / "net.mindir")

    def exported(self):
        """A network, an input, and what it gives for it."""
        net, x = LeNet(), RNG.normal(size=(4, 1, 28, 28)).astype(np.float32)
        net.set_train()
        plumb.export(net, Tensor(x), file_name=self.file, file_format="MINDIR")
        self.assertTrue(net.training and net.norm.training)
        net.set_train(False)
        return net, x, net(Tensor(x)).asnumpy()

    def test_same_process(self):
        net, x, expected = self.exported()
        cell = nn.GraphCell(plumb.load(self.file))
        np.testing.assert_allclose(cell(Tensor(x)).asnumpy(), expected, rtol=1e-5, atol=1e-6)
        self.assertLessEqual({"conv1.weight", "norm.moving_mean", "dense2.bias"}, set(cell.parameters_dict()))
        self.assertEqual(len(cell.trainable_params()), len(net.trainable_params()))
        cell.parameters_dict()["dense2.bias"].set_data(np.full(10, 7, np.float32))
        np.testing.assert_allclose(cell(Tensor(x)).asnumpy() - expected, 7 - net.dense2.bias.asnumpy() + 0 * expected, rtol=1e-4)

    def test_another_process(self):
        _, x, expected = self.exported()
        np.save(self.folder / "x.npy", x)
        command = [sys.executable, "-c", PROGRAM, self.file, str(self.folder / "x.npy"), str(self.folder / "y.npy")]
        subprocess.run(command, check=True, env={**os.environ, "PLUMB_CACHE": "off"})
        np.testing.assert_allclose(np.load(self.folder / "y.npy"), expected, rtol=1e-5, atol=1e-6)

    def test_structures_and_state(self):
        plumb.export(Several(), Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), file_name=str(self.folder / "several"), file_format="MINDIR")
        cell = nn.GraphCell(plumb.load(str(self.folder / "several.mindir")))
        for count in (1, 2):
            total, (product, calls) = cell(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
            np.testing.assert_array_equal(total.asnumpy(), [4, 6])
            np.testing.assert_array_equal(product.asnumpy(), [3, 8])
            self.assertEqual(int(calls.asnumpy()), count)
        self.assertEqual(int(cell.parameters_dict()["calls"].asnumpy()), 2)

    def test_initial_values(self):
        _, x, _ = self.exported()
        cell = nn.GraphCell(plumb.load(self.file), {"dense2.weight": Tensor(np.zeros((10, 84), np.float32))})
        np.testing.assert_array_equal(cell(Tensor(x)).asnumpy(), np.zeros((4, 10)))
        with self.assertRaisesRegex(ValueError, "names 'other'"):
            nn.GraphCell(plumb.load(self.file), {"other": Tensor([1.0])})

    def test_module_holds_no_python(self):
        self.exported()
        with zipfile.ZipFile(self.file) as archive:
            self.assertNotIn("net.python", archive.read("network.mlir").decode())

    def test_errors(self):
        net, x, _ = self.exported()
        with self.assertRaisesRegex(ValueError, "ONNX.*not offered"):
            plumb.export(net, Tensor(x), file_name=self.file, file_format="ONNX")
        with self.assertRaisesRegex(ValueError, "complex inputs and results are not offered"):
            plumb.export(nn.Flatten(), Tensor(x.astype(np.complex64)), file_name=self.file, file_format="MINDIR")
        with self.assertRaisesRegex(ValueError, "enc_key"):
            plumb.export(net, Tensor(x), file_name=self.file, file_format="MINDIR", enc_key=b"x")
        cell = nn.GraphCell(plumb.load(self.file))
        with self.assertRaisesRegex(ValueError, "for which the network was exported"):
            cell(Tensor(x[:2]))
        with self.assertRaisesRegex(TypeError, "takes 1 inputs"):
            cell()
        with self.assertRaisesRegex(ValueError, "end with '.mindir', but got net.onnx; plumb.onnx.load reads ONNX files"):
            plumb.load("net.onnx")
        (self.folder / "bad.mindir").write_bytes(b"\x0a\x05hello")
        with self.assertRaisesRegex(ValueError, "no file that this version"):
            plumb.load(str(self.folder / "bad.mindir"))
        with self.assertRaisesRegex(TypeError, "what 'load' returns"):
            nn.GraphCell(net)
        holder = nn.SequentialCell([cell])
        np.testing.assert_array_equal(holder(Tensor(x)).asnumpy(), cell(Tensor(x)).asnumpy())
        plumb.set_context(mode=plumb.GRAPH_MODE)
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        with self.assertRaisesRegex(NotImplementedError, "plain Python"):
            nn.SequentialCell([cell])(Tensor(x))


if __name__ == "__main__":
    unittest.main()
