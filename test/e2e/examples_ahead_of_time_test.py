"""The examples as executables: plumbc compiles each, and plumb-run's first losses are those in process, bit for bit."""

import json
import os
import unittest

import numpy as np

import commands
import examples

STEPS = 3
# The settings of each program; what else it does behind its training call, an executable leaves out.
PROGRAMS = {
    "accumulation": (),
    "custom_operators": ("--width", "64"),
    "character_model": ("--sentences", "500", "--hidden", "32"),
    "dlrm": ("--tables", "30,20", "--rows", "2000"),
    "early_stop": ("--images", "200"),
    "gan": ("--batch", "32"),
    "graph_convolution": ("--nodes", "200"),
    "gru_classifier": ("--hidden", "16"),
    "lstm_classifier": ("--strings", "500"),
    "mobilenet_v2": ("--batch", "20", "--width", "0.25"),
    "unet": ("--scenes", "60", "--width", "4"),
    "vae": (),
    "vit": ("--layers", "1"),
}


class Enough(Exception):
    """Ends a run in process."""


class Few(examples.Recorder):
    """Hears the first steps only."""

    def step_report(self, step, loss):
        """Keeps a loss, or ends the run."""
        if step > STEPS:
            raise Enough
        super().step_report(step, loss)


class ExecutablesTest(commands.CommandTest):
    """A test for each program is made below."""

    def check(self, name):
        """Compiles, runs and compares."""
        executable, arguments = self.path(name + ".plumb"), PROGRAMS[name]
        done = self.run_tool("plumbc", os.path.join(examples.FOLDER, name + ".py"), "-o", executable, "--", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_tool("plumb-run", executable, "--epochs=1", f"--sink-size={STEPS}", "--reports=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = [json.loads(line) for line in done.stdout.splitlines()]
        losses = [step["loss"] for step in steps if "loss" in step and "step" in step][:STEPS]
        self.assertEqual(len(losses), STEPS, done.stdout)
        self.assertTrue(np.isfinite(losses).all())
        if name != "gan":  # it has no Model that would tell a callback its losses
            np.testing.assert_array_equal(np.float32(losses), np.float32(self.in_process(name, arguments)))

    def in_process(self, name, arguments):
        """The first losses in process."""
        recorder = Few()
        with self.assertRaises(Enough):
            examples.run(name, *arguments, *(("--folder", self.path("run")) if name == "early_stop" else ()), recorder=recorder)
        return recorder.losses


for _name in PROGRAMS:
    setattr(ExecutablesTest, "test_" + _name, lambda self, name=_name: self.check(name))


if __name__ == "__main__":
    unittest.main()
