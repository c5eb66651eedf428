"""Executables for AArch64: compiled here, run emulated, beside the same programs for this machine."""

import unittest

import numpy as np

import loops

# processor: (what compiles its host, what runs such programs)
MACHINES = {
    "x86-64-v2": ("gcc", []),
    "neoverse-n1": ("aarch64-linux-gnu-gcc", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]),
}


class AArch64Test(loops.LoopTest):
    """The same steps on both machines."""

    def train(self, program, steps, cpu):
        """Returns an executable's facts, all variables after some steps, and the losses."""
        compiler, emulator = MACHINES[cpu]
        executable = self.compile(program, cpu)
        facts = self.read_facts(executable)
        done = self.launch([*emulator, self.build_host(compiler), executable], facts, steps)
        self.assertEqual(done.returncode, 0, done.stderr)
        split, loss = facts["memory"]["variables_bytes"], facts["loops"][0]["reports"][0]["offset"]
        records = np.frombuffer(done.stdout[split:], np.uint8).reshape(steps, -1)
        return facts, done.stdout[:split], records[:, loss:loss + 4].copy().view(np.float32)

    def check(self, program, steps):
        """Losses and weights are the same on both machines, but for the order of sums."""
        facts, wanted, losses = self.train(program, steps, "x86-64-v2")
        others, found, other_losses = self.train(program, steps, "neoverse-n1")
        self.assertEqual(others["target"]["triple"], "aarch64-unknown-linux-gnu")
        self.assertEqual(others["variables"], facts["variables"])
        np.testing.assert_allclose(other_losses, losses, rtol=1e-4)
        for variable in facts["variables"]:
            with self.subTest(variable=variable["name"]):
                place = slice(variable["offset"], variable["offset"] + variable["bytes"])
                kind = loops.ELEMENTS[variable["element"]]
                here, there = (np.frombuffer(block[place], kind) for block in (wanted, found))
                self.assertLess(np.abs(there - here).max(), 1e-3 * np.abs(here).max() + 1e-6)

    def test_lenet(self):
        self.check("lenet.py", 3)

    def test_transformer(self):
        self.check("transformer.py", 1)


if __name__ == "__main__":
    unittest.main()
