"""Networks that PyTorch has exported: called and trained, beside PyTorch's own outputs and losses."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import plumb as ms
from plumb import Tensor, nn, onnx

_HERE = os.path.dirname(os.path.abspath(__file__))


class NetworksTest(unittest.TestCase):
    """Each network of torch_networks.py."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([sys.executable, os.path.join(_HERE, "torch_networks.py"), cls.folder.name], check=True)
        ms.set_context(mode=ms.GRAPH_MODE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def networks(self):
        """(name, path, reference) of each file."""
        for path in sorted(glob.glob(f"{self.folder.name}/*.onnx")):
            yield os.path.basename(path)[:-5], path, np.load(path[:-5] + ".npz")

    def test_outputs(self):
        count = 0
        for name, path, reference in self.networks():
            with self.subTest(name):
                outputs = onnx.load(path)(Tensor(reference["x"])).asnumpy()
                scale = np.abs(reference["outputs"]).max()
                np.testing.assert_allclose(outputs, reference["outputs"], rtol=0, atol=2e-6 * scale)
            count += 1
        self.assertEqual(count, 9)

    def test_losses(self):
        for name, path, reference in self.networks():
            with self.subTest(name):
                net = onnx.load(path)
                for parameter in net.get_parameters():
                    parameter.requires_grad = parameter.requires_grad and "mask" not in parameter.name
                loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
                step = nn.TrainOneStepCell(loss, nn.Momentum(net.trainable_params(), 0.05, 0.9)).set_train()
                labels = Tensor(reference["labels"].astype(np.int32))
                losses = [float(step(Tensor(reference["x"]), labels).asnumpy()) for _ in range(5)]
                np.testing.assert_allclose(losses, reference["losses"], rtol=2e-5)

    def test_other_batch(self):
        path = f"{self.folder.name}/residual_13.onnx"
        reference = np.load(path[:-5] + ".npz")
        outputs = onnx.load(path)(Tensor(np.repeat(reference["x"], 2, 0)))
        np.testing.assert_allclose(outputs.asnumpy(), np.repeat(reference["outputs"], 2, 0), atol=1e-5)

    def test_averages_follow(self):
        path = f"{self.folder.name}/residual_13.onnx"
        net = onnx.load(path).set_train()
        before = {one.name: one.asnumpy().copy() for one in net.get_parameters() if "running" in one.name}
        self.assertEqual(len(before), 12)
        self.assertTrue(all(not one.requires_grad for one in net.get_parameters() if "running" in one.name))
        net(Tensor(np.load(path[:-5] + ".npz")["x"]))
        moved = [one.name for one in net.get_parameters() if "running" in one.name and (one.asnumpy() != before[one.name]).any()]
        self.assertEqual(len(moved), 12)

    def test_cell_within_a_cell(self):
        path = f"{self.folder.name}/residual_13.onnx"
        reference = np.load(path[:-5] + ".npz")

        class Doubled(nn.Cell):
            def __init__(self, net):
                super().__init__()
                self.net = net

            def construct(self, x):
                return self.net(x) * 2

        doubled = Doubled(onnx.load(path))(Tensor(reference["x"])).asnumpy()
        np.testing.assert_allclose(doubled, reference["outputs"] * 2, atol=1e-5)

    def test_exported_as_mindir(self):
        path = f"{self.folder.name}/encoder_16.onnx"
        reference = np.load(path[:-5] + ".npz")
        file = os.path.join(self.folder.name, "encoder.mindir")
        ms.export(onnx.load(path), Tensor(reference["x"]), file_name=file, file_format="MINDIR")
        outputs = nn.GraphCell(ms.load(file))(Tensor(reference["x"])).asnumpy()
        np.testing.assert_allclose(outputs, reference["outputs"], atol=1e-5)

    def test_wrong_inputs(self):
        path = f"{self.folder.name}/residual_13.onnx"
        net = onnx.load(path)
        with self.assertRaisesRegex(TypeError, "takes 1 inputs by position"):
            net()
        with self.assertRaisesRegex(ValueError, r"has the shape \(8, 1, 32, 32\), the file says \(8, 3, 32, 32\)"):
            net(Tensor(np.zeros((8, 1, 32, 32), np.float32)))


if __name__ == "__main__":
    unittest.main()
