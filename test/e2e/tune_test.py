"""plumbc --tune and --plans: plans are measured, kept and obeyed, and change no bits but where they say so."""

import json
import re
import unittest

import numpy as np

import commands
from plumb import train

PROGRAM = """
import numpy as np
from plumb import dataset, nn, ops, set_seed, train
set_seed(1)
rng = np.random.default_rng(3)
x = rng.standard_normal((256, 1, 16, 16)).astype(np.float32)
data = dataset.NumpySlicesDataset((x, x[:, 0, 0, :10]), ["x", "y"], shuffle=False).batch(64, drop_remainder=True)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, pad_mode="pad", padding=1, has_bias=True)
        self.pool = nn.MaxPool2d(2, 2)
        self.flat = nn.Flatten()
        self.hidden = nn.Dense(8 * 64, 96, activation="relu")
        self.out = nn.Dense(96, 10)

    def construct(self, x):
        return self.out(self.hidden(self.flat(self.pool(ops.relu(self.conv(x))))))


network = Net()
train.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.01, 0.9)).train(
    3, data, dataset_sink_mode=True)
"""

# Up to the plans of the kernels that are emitted.
PASSES = ("split-columns", "pack-contractions", "fuse-epilogues", "outline-kernels", "annotate-kernels", "partition-kernels",
          "select-plans", "fuse-tasks")
LINE = re.compile(r"\S+ [0-9a-f]{16} \d+ #kernel\.plan<lanes = .*>")


class TuneTest(commands.CommandTest):
    """One program with convolutions, pooling, products and an optimizer."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.write("program.py", PROGRAM)
        cls.compile(cls, "plain.plumb")
        cls.plain = cls.train(cls, "plain.plumb")

    def compile(self, name, *flags):
        """Compiles the program; what plumbc printed."""
        done = self.run_tool("plumbc", self.program, *flags, "-o", self.path(name))
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def train(self, name):
        """The weights after a run."""
        saved = self.path("weights.safetensors")
        done = self.run_tool("plumb-run", self.path(name), "--save", saved)
        assert done.returncode == 0, done.stderr
        return {name: value.asnumpy() for name, value in train.load_checkpoint(saved).items()}

    def assert_same_bits(self, weights):
        """Compares with the model's plans."""
        self.assertEqual(weights.keys(), self.plain.keys())
        for name, array in self.plain.items():
            np.testing.assert_array_equal(weights[name], array, err_msg=name)

    def list_plans(self):
        """The kernels with their plans."""
        lowered, listed = self.path("lowered.mlir"), self.path("plans.json")
        done = self.run_tool("plumbc", self.program, "--compile-to=lower", "-o", lowered)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_tool("plumb-opt", lowered, *[f"--plumb-{name}" for name in PASSES],
                             f"--plumb-dump-plans=output={listed}", "-o", self.path("planned.mlir"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(listed) as file:
            return json.load(file)

    def write_plans(self, name, chosen):
        """Writes a file of plans: `chosen` holds kernels and their plans."""
        lines = [f"{kernel['target']} {kernel['kernel']} {kernel['operation']} {plan['plan']}" for kernel, plan in chosen]
        return self.write(name, "\n".join(["plumb plans 1", *lines, ""]))

    def test_measured_plans_are_kept_and_used(self):
        plans = self.path("tuned.txt")
        said = self.compile("tuned.plumb", "--tune=2", f"--plans={plans}")
        self.assertRegex(said, r"plans of \d+ kernels, \d+ % of the expected cycles: \d+ variants, \d+ rounds")
        self.assertRegex(said, r"behind the best ones by \d+\.\d % \(median\), \d+\.\d % \(worst\); \d+ kept in ")
        rows = re.findall(r"^ *(\d+) +\d+ +-?\d+\.\d %  \S", said, re.MULTILINE)
        self.assertGreater(len(rows), 3, said)
        for ticks in rows:
            self.assertGreater(int(ticks), 100, said)
        with open(plans) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "plumb plans 1")
        kept = [line for line in lines[1:] if not line.startswith("# ")]
        self.assertEqual(len(kept), int(re.search(r"(\d+) kept", said).group(1)))
        for line in kept:
            self.assertRegex(line, LINE)
        weights = self.train("tuned.plumb")
        if any("adds in another order" in line for line in lines):
            for name, array in self.plain.items():
                np.testing.assert_allclose(weights[name], array, rtol=1e-4, atol=1e-5, err_msg=name)
        else:
            self.assert_same_bits(weights)

    def test_plans_that_add_alike_give_the_same_bits(self):
        """Two other plans of each kernel, which the compiler says add in the same order."""
        kernels = self.list_plans()
        for which in (0, -1):
            chosen = []
            for kernel in kernels:
                others = [plan for plan in kernel["plans"][1:] if plan["same_sums"]]
                chosen += [(kernel, others[which])] if others else []
            self.assertGreater(len(chosen), 5)
            plans = self.write_plans("others.txt", chosen)
            said = self.compile("others.plumb", f"--plans={plans}", "--remarks=plan")
            self.assertGreater(len(set(re.findall(r"given by \S*others\.txt:(\d+): #kernel\.plan", said))), 5, said)
            self.assert_same_bits(self.train("others.plumb"))

    def test_a_plan_that_does_not_fit_is_refused_by_name(self):
        kernel = self.list_plans()[0]
        plans = self.write_plans("bad.txt", [(kernel, {"plan": "#kernel.plan<lanes = 16 x 1 along 9>"})])
        done = self.run_tool("plumbc", self.program, f"--plans={plans}", "-o", self.path("bad.plumb"))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"bad.txt:2: the plan does not fit the kernel '{kernel['name']}'", done.stderr)

    def test_flags_that_do_not_go_together(self):
        for flags, message in ((["--tune=1"], "--tune needs --plans=FILE"),
                               (["--tune=1", "--plans=p.txt", "--remarks"], "take them in turn"),
                               (["--tune=1", "--plans=p.txt", "--compile-to=lower"], "which this compilation leaves out"),
                               (["--plans=/nowhere/p.txt"], "cannot read the plans in '/nowhere/p.txt'")):
            done = self.run_tool("plumbc", self.program, *flags, "-o", self.path("no.plumb"))
            self.assertEqual(done.returncode, 1, flags)
            self.assertIn(message, done.stderr)
            self.assertNotIn("fault of plumb", done.stderr)
        done = self.run_tool("plumbc", self.program, "--tune=soon")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--tune takes a number of seconds; got 'soon'", done.stderr)


if __name__ == "__main__":
    unittest.main()
