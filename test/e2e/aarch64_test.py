"""Executables for AArch64: compiled here, run emulated (run_loop.c), beside the same programs for this machine."""

import json
import os
import subprocess
import unittest

import numpy as np

import commands
import lenet

EXAMPLES = os.path.join(lenet.ROOT, "docs", "examples")
ABI = os.path.join(lenet.ROOT, "runtime", "abi")
# processor: (what compiles for it, what runs such programs)
MACHINES = {
    "x86-64-v2": (["gcc"], []),
    "neoverse-n1": (["aarch64-linux-gnu-gcc"], ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
}


def draw(rng, tensors, size):
    """Contents of a block of memory: normal numbers, classes, and zeros in what is not trained."""
    block = np.zeros(size, np.uint8)
    for tensor in tensors:
        shape = tensor["shape"]
        if not tensor.get("trainable", True):
            continue
        if tensor["element"] == "f32":
            values = (rng.standard_normal(shape) * tensor.get("scale", 1)).astype(np.float32)
        else:
            values = rng.integers(0, tensor["classes"], shape).astype(np.int32)
        block[tensor["offset"]:tensor["offset"] + tensor["bytes"]] = np.frombuffer(values.tobytes(), np.uint8)
    return block.tobytes()


class AArch64Test(commands.CommandTest):
    """The same steps on both machines."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        source = os.path.join(commands.HERE, "run_loop.c")
        for cpu, (compiler, _) in MACHINES.items():
            done = cls.run_command(*compiler, "-O1", "-I", ABI, source, "-o", cls.path("run_loop." + cpu), "-ldl")
            assert done.returncode == 0, done.stderr

    def compile(self, program, cpu):
        """Returns an executable and what it says of itself."""
        path = self.path(cpu + ".plumb")
        done = self.run_tool("plumbc", os.path.join(EXAMPLES, program), "--target-cpu=" + cpu, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path, json.loads(self.run_tool("plumb-dump", "--json", path).stdout)

    def run_loop(self, program, steps, cpu):
        """Trains a few steps from drawn weights on drawn data; returns all variables and the losses."""
        path, facts = self.compile(program, cpu)
        memory, queue = facts["memory"], facts["queues"][0]
        rng = np.random.default_rng(0)
        variables = [dict(variable, scale=0.05) for variable in facts["variables"]]
        contents = draw(rng, variables, memory["variables_bytes"])
        contents += b"".join(draw(rng, queue["columns"], queue["slot_bytes"]) for _ in range(steps))
        sizes = (memory["arena_bytes"], memory["variables_bytes"], facts["loops"][0]["record_bytes"], queue["slot_bytes"])
        command = [*MACHINES[cpu][1], self.path("run_loop." + cpu), path, steps, *sizes]
        done = subprocess.run(list(map(str, command)), input=contents, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        split = memory["variables_bytes"]
        records = np.frombuffer(done.stdout[split:], np.uint8).reshape(steps, -1)
        loss = facts["loops"][0]["reports"][0]["offset"]
        return facts, done.stdout[:split], records[:, loss:loss + 4].copy().view(np.float32)

    def check(self, program, steps):
        """Losses and weights are the same on both machines, but for the order of sums."""
        facts, wanted, losses = self.run_loop(program, steps, "x86-64-v2")
        others, found, other_losses = self.run_loop(program, steps, "neoverse-n1")
        self.assertEqual(others["target"]["triple"], "aarch64-unknown-linux-gnu")
        self.assertEqual(others["variables"], facts["variables"])
        np.testing.assert_allclose(other_losses, losses, rtol=1e-4)
        for variable in facts["variables"]:
            place = slice(variable["offset"], variable["offset"] + variable["bytes"])
            with self.subTest(variable=variable["name"]):
                kind = {"f32": np.float32, "i32": np.int32, "i64": np.int64}[variable["element"]]
                here, there = np.frombuffer(wanted[place], kind), np.frombuffer(found[place], kind)
                self.assertLess(np.abs(there - here).max(), 1e-3 * np.abs(here).max() + 1e-6)

    def test_lenet(self):
        self.check("lenet.py", 3)

    def test_transformer(self):
        self.check("transformer.py", 1)


if __name__ == "__main__":
    unittest.main()
