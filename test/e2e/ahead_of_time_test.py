"""plumbc and plumb-run: the same bits as in process, and clear ends for bad input."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import lenet
from plumb import train

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = """
import sys
sys.path.insert(0, {here!r})
import lenet
lenet.make_model().train(4, lenet.digits(), dataset_sink_mode=True, sink_size=50)
"""


def tool(name):
    """Where a tool lies: $PLUMB_TOOLS, the runfiles, or the build's output folder."""
    for folder in (os.environ.get("PLUMB_TOOLS"), "tools", os.path.join(lenet.ROOT, "bazel-bin", "tools")):
        if folder and os.path.exists(os.path.join(folder, name)):
            return os.path.abspath(os.path.join(folder, name))
    raise unittest.SkipTest(f"{name} is not built")


class AheadOfTimeTest(unittest.TestCase):
    """One program captured, compiled and run without Python."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.program = cls.write("program.py", PROGRAM.format(here=HERE))
        cls.executable = os.path.join(cls.scratch.name, "lenet.plumb")
        done = cls.run_tool("plumbc", cls.program, "-o", cls.executable)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def write(cls, name, text):
        """Writes a file into the scratch folder; returns its path."""
        path = os.path.join(cls.scratch.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    @classmethod
    def run_tool(cls, name, *arguments):
        """Runs a tool; returns the finished process."""
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path),
                           PLUMB_PYTHON_PATH=os.pathsep.join(path for path in sys.path if path))
        return subprocess.run([tool(name), *arguments], env=environment, check=False, capture_output=True, text=True)

    def test_same_bits_as_in_process(self):
        saved = os.path.join(self.scratch.name, "weights.safetensors")
        done = self.run_tool("plumb-run", self.executable, "--save", saved, "--reports", "text")
        self.assertEqual(done.returncode, 0, done.stderr)
        model, losses = lenet.make_model(), lenet.Losses()
        model.train(4, lenet.digits(), callbacks=[losses], dataset_sink_mode=True, sink_size=50)
        loaded = train.load_checkpoint(saved)
        for name, array in lenet.weights(model).items():
            np.testing.assert_array_equal(loaded[name].asnumpy(), array, err_msg=name)
        lines = [line for line in done.stdout.splitlines() if line.startswith("epoch:")]
        start, _, loss = lines[-1].rpartition(" ")
        self.assertEqual((start, np.float32(loss)), ("epoch: 4 step: 50, loss is", losses.values[-1]))

    def test_unsupported_syntax(self):
        text = PROGRAM.replace("lenet.make_model()", "broken()").format(here=HERE)
        text = text.replace("broken()", "lenet.train.Model(Broken(), lenet.nn.MSELoss())")
        text = text.replace("import lenet\n", "import lenet\nclass Broken(lenet.nn.Cell):\n"
                                              "    def construct(self, x):\n        with x:\n            return x\n")
        done = self.run_tool("plumbc", self.write("broken.py", text), "-o", self.executable + ".no")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"broken.py:7:9: error: 'with' cannot be compiled")
        self.assertFalse(os.path.exists(self.executable + ".no"))

    def test_wrong_shapes_name_both_ends(self):
        text = PROGRAM.format(here=HERE).replace("import lenet\n", (
            "import lenet\nfrom plumb import nn\n"
            "class Wrong(nn.Cell):\n    def __init__(self):\n        super().__init__()\n"
            "        self.dense = nn.Dense(7, 10)\n    def construct(self, x):\n"
            "        return self.dense(lenet.plumb.ops.reshape(x, (32, -1)))\n"))
        text = text.replace("lenet.make_model()", "lenet.train.Model(Wrong(), nn.SoftmaxCrossEntropyWithLogits(True))")
        done = self.run_tool("plumbc", self.write("wrong.py", text), "-o", self.executable + ".no")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"(?s)basic.py:\d+:\d+: error: .*1024.*7")
        self.assertRegex(done.stderr, r"wrong.py:\d+:\d+: note: ")

    def test_output_that_cannot_be_written(self):
        done = self.run_tool("plumbc", self.program, "-o", "/no/such/folder/x.plumb")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/no/such/folder", done.stderr)

    def test_manifest(self):
        done = self.run_tool("plumb-dump", self.executable, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("conv1.weight", json.dumps(json.loads(done.stdout)))

    def test_size_without_weights(self):
        self.assertLess(os.path.getsize(self.executable), 1 << 20)


if __name__ == "__main__":
    unittest.main()
