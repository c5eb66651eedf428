"""Loops over slices that are unrolled: the code of a kernel does not depend on which slice it reads."""

import re
import unittest

import commands

PROGRAM = """
import sys
import numpy as np
from plumb import Model, Parameter, Tensor, nn, ops
import plumb.dataset as ds

STEPS, ROWS, INPUTS, HIDDEN = int(sys.argv[1]), 8, 16, 32


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(0)
        self.wx = Parameter(Tensor(rng.standard_normal((INPUTS, HIDDEN)).astype(np.float32) / 4), name="wx")
        self.wh = Parameter(Tensor(rng.standard_normal((HIDDEN, HIDDEN)).astype(np.float32) / 8), name="wh")
        self.head = nn.Dense(HIDDEN, 4)

    def construct(self, x):
        h = ops.zeros((ROWS, HIDDEN))
        for t in range(STEPS):
            h = ops.tanh(ops.matmul(x[:, t], self.wx) + ops.matmul(h, self.wh))
        return self.head(h)


rng = np.random.default_rng(1)
rows = ds.NumpySlicesDataset({"x": rng.standard_normal((32, STEPS, INPUTS)).astype(np.float32),
                              "y": rng.integers(0, 4, 32).astype(np.int32)}, shuffle=False).batch(ROWS)
network = Network()
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
Model(network, loss, nn.SGD(network.trainable_params(), 0.05)).train(1, rows)
"""


class UnrolledLoopsTest(commands.CommandTest):
    """A recurrent network by hand, of several lengths."""

    def count_kernels(self, steps):
        """The kernels of the step: functions, and calls that are written out."""
        program = self.write("recurrent.py", PROGRAM)
        done = self.run_tool("plumbc", program, "--compile-to=codegen", "--target-cpu=x86-64-v3", "-o", "-", "--", str(steps))
        self.assertEqual(done.returncode, 0, done.stderr)
        functions = re.findall(r"llvm\.func internal @(\w+)\(.*kernel\.info", done.stdout)
        self.assertEqual(len(functions), len(set(functions)))
        calls = [name for name in re.findall(r"llvm\.call @(\w+)\(", done.stdout) if name in functions]
        return len(functions), len(calls)

    def test_kernels_do_not_depend_on_the_length(self):
        # A kernel adds up to nine gradients, so shorter loops lack some kernels.
        few, calls = self.count_kernels(12)
        many, further_calls = self.count_kernels(48)
        self.assertGreater(few, 5)
        self.assertEqual(few, many)
        # Calls grow with the length: kernels are shared, loops are unrolled still.
        self.assertGreaterEqual(further_calls - calls, 36 * 4)


if __name__ == "__main__":
    unittest.main()
