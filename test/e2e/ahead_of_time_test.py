"""plumbc and plumb-run: the same bits as in process."""

import json
import os
import re
import unittest

import numpy as np

import commands
import lenet
from plumb import train

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = """
import sys
sys.path.insert(0, {here!r})
import lenet
lenet.make_model().train(4, lenet.digits(), dataset_sink_mode=True, sink_size=50)
"""


ARRAYS = """
import numpy as np
from plumb import dataset, nn, set_seed, train
set_seed(1)
rng = np.random.default_rng(3)
x = rng.standard_normal((64, 5)).astype(np.float32)
data = dataset.NumpySlicesDataset((x, x @ np.ones((5, 1), np.float32)), ["x", "y"]).batch(8, drop_remainder=True)
network = nn.Dense(5, 1)
train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1)).train(3, data, dataset_sink_mode=True)
"""


PRINTS = """
import numpy as np
from plumb import dataset, nn, set_seed, train


class Halving(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(3, 1)

    def construct(self, x):
        left = x[0, 0]
        while left >= 1:
            print("left", left)
            left = left / 2
        return self.d(x)


set_seed(1)
x = np.ones((4 * 12, 3), np.float32)
x[::4, 0] = [n % 5 for n in range(12)]
data = dataset.NumpySlicesDataset((x, x[:, :1]), ["x", "y"], shuffle=False).batch(4)
network = Halving()
train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.01)).train(1, data, dataset_sink_mode=True)
"""


class AheadOfTimeTest(commands.CommandTest):
    """One program captured, compiled and run without Python."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.write("program.py", PROGRAM.format(here=HERE))
        cls.executable = cls.path("lenet.plumb")
        done = cls.run_tool("plumbc", cls.program, "-o", cls.executable)
        assert done.returncode == 0, done.stderr

    def test_same_bits_as_in_process(self):
        saved = self.path("weights.safetensors")
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

    def test_prints_in_loops_on_tensors(self):
        """As often in each step as its batch says, sunk or step by step, each before its step's loss."""
        program, executable = self.write("prints.py", PRINTS), self.path("prints.plumb")
        done = self.run_tool("plumbc", program, "-o", executable)
        self.assertEqual(done.returncode, 0, done.stderr)
        for arguments in ((), ("--no-sink",)):
            done = self.run_tool("plumb-run", executable, "--reports=text", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            shown = [line for line in done.stdout.splitlines() if re.fullmatch(r"[\d.]+", line)]
            wanted = {0: [], 1: ["1"], 2: ["2", "1"], 3: ["3", "1.5"], 4: ["4", "2", "1"]}
            self.assertEqual(shown, [text for n in range(12) for text in wanted[n % 5]])

    def test_manifest(self):
        done = self.run_tool("plumb-dump", self.executable, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("conv1.weight", json.dumps(json.loads(done.stdout)))

    def test_remarks_stand_once_at_the_users_lines(self):
        done = self.run_tool("plumbc", self.program, "--remarks", "-o", self.path("remarks.plumb"))
        self.assertEqual(done.returncode, 0, done.stderr)
        remarks = [line for line in done.stderr.splitlines() if "remark:" in line]
        self.assertEqual(sum("remark: layout: " in line for line in remarks), 1, done.stderr)
        self.assertGreater(sum("remark: plan: " in line for line in remarks), 10, done.stderr)
        for line in remarks:  # a kernel of the loss alone has no line of the program's
            self.assertRegex(line, r"((lenet|program)\.py|^plumb/nn/loss/\w+\.py):\d+:\d+: remark: ")
        self.assertNotIn("/plumb/nn/", done.stderr)

    def run_and_load(self, executable, *flags):
        """Trains and returns the weights by name."""
        saved = self.path("weights.safetensors")
        done = self.run_tool("plumb-run", executable, "--save", saved, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {name: value.asnumpy() for name, value in train.load_checkpoint(saved).items()}

    def assert_same_weights(self, actual, expected):
        """Checks bits."""
        self.assertEqual(actual.keys(), expected.keys())
        for name, array in expected.items():
            np.testing.assert_array_equal(actual[name], array, err_msg=name)

    def test_cache_gives_the_same_bits(self):
        cached = self.path("cached.plumb")
        done = self.run_tool("plumbc", self.program, "--cache-data", "-o", cached)
        self.assertEqual(done.returncode, 0, done.stderr)
        plain = self.run_and_load(self.executable)
        self.assert_same_weights(self.run_and_load(self.executable, "--cache"), plain)
        self.assert_same_weights(self.run_and_load(cached), plain)

    def test_arrays_survive_printed_stages(self):
        program, direct = self.write("arrays.py", ARRAYS), self.path("direct.plumb")
        self.assertEqual(self.run_tool("plumbc", program, "-o", direct).returncode, 0)
        weights = self.run_and_load(direct)
        self.assertTrue(any(array.any() for array in weights.values()))
        for stage in ("parse", "sink", "lower"):
            text, executable = self.path(stage + ".mlir"), self.path(stage + ".plumb")
            self.assertEqual(self.run_tool("plumbc", program, "--compile-to=" + stage, "-o", text).returncode, 0)
            done = self.run_tool("plumbc", text, "--compile-from=" + stage, "-o", executable)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_same_weights(self.run_and_load(executable), weights)

    def test_size_without_weights(self):
        self.assertLess(os.path.getsize(self.executable), 1 << 20)


if __name__ == "__main__":
    unittest.main()
