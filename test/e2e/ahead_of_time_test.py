"""plumbc and plumb-run: the same bits as in process."""

import json
import os
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

    def test_manifest(self):
        done = self.run_tool("plumb-dump", self.executable, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("conv1.weight", json.dumps(json.loads(done.stdout)))

    def test_size_without_weights(self):
        self.assertLess(os.path.getsize(self.executable), 1 << 20)


if __name__ == "__main__":
    unittest.main()
