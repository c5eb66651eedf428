"""plumbc and plumb-run on ONNX files: the losses are PyTorch's, and what is wrong is said."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

_HERE = os.path.dirname(os.path.abspath(__file__))
_TOOLS = os.path.join(_HERE, "..", "..", "tools")


class RecipeTest(unittest.TestCase):
    """A network of torch_networks.py from the command line."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = cls.scratch.name
        subprocess.run([sys.executable, os.path.join(_HERE, "torch_networks.py"), cls.folder], check=True)
        cls.reference = np.load(f"{cls.folder}/residual_13.npz")
        np.savez(f"{cls.folder}/train.npz", images=cls.reference["x"], labels=cls.reference["labels"])

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def compile(self, *arguments, network="residual_13"):
        """Runs plumbc; returns its exit code and what it wrote to stderr."""
        command = [os.path.join(_TOOLS, "plumbc"), f"{self.folder}/{network}.onnx", "-o", f"{self.folder}/net.plumb", "--", *arguments]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stderr

    def test_losses(self):
        code, errors = self.compile("--data", f"{self.folder}/train.npz", "--loss", "softmax-cross-entropy", "--learning-rate", "0.05",
                                    "--batch-size", "8", "--epochs", "5")
        self.assertEqual((code, errors), (0, ""))
        text = subprocess.run([os.path.join(_TOOLS, "plumb-run"), f"{self.folder}/net.plumb"], stdout=subprocess.PIPE, text=True, check=True).stdout
        losses = [float(loss) for loss in re.findall(r"loss is ([\d.]+)", text)]
        np.testing.assert_allclose(losses, self.reference["losses"], rtol=2e-5)

    def test_frozen(self):
        code, errors = self.compile("--data", f"{self.folder}/train.npz", "--loss", "softmax-cross-entropy", "--freeze", "nothing.*")
        self.assertEqual(code, 1)
        self.assertIn("error: no Parameter has the name 'nothing.*'; there are 0.weight, ", errors)
        code, errors = self.compile("--data", f"{self.folder}/train.npz", "--loss", "softmax-cross-entropy", "--batch-size", "8", "--freeze", "0.*")
        self.assertEqual((code, errors), (0, ""))

    def test_without_loss(self):
        self.assertEqual(self.compile("--data", f"{self.folder}/train.npz"), (0, ""))

    def test_wrong_files(self):
        code, errors = self.compile("--data", f"{self.folder}/nowhere.npz")
        self.assertEqual(code, 1)
        self.assertIn("error: [Errno 2] No such file or directory", errors)
        with open(f"{self.folder}/broken.onnx", "wb") as file:
            file.write(b"\xff" * 20)
        code, errors = self.compile("--data", f"{self.folder}/train.npz", network="broken")
        self.assertEqual(code, 1)
        self.assertIn("broken.onnx is no ONNX file: byte 0: ", errors)

    def test_wrong_arguments(self):
        code, errors = self.compile("--loss", "softmax-cross-entropy")
        self.assertEqual(code, 1)
        self.assertIn("the following arguments are required: --data", errors)


if __name__ == "__main__":
    unittest.main()
