"""Loops of executables that plumb-run cannot run here, called by a small host in C: run_loop.c."""

import json
import os
import subprocess

import numpy as np

import commands
import lenet

EXAMPLES = os.path.join(lenet.ROOT, "docs", "examples")
ABI = os.path.join(lenet.ROOT, "runtime", "abi")
ELEMENTS = {"f32": np.float32, "i32": np.int32, "i64": np.int64}


def draw(rng, tensors, size, scale):
    """Contents of a block of memory: normal numbers, classes, and zeros in what is not trained."""
    block = np.zeros(size, np.uint8)
    for tensor in tensors:
        shape = tensor["shape"]
        if not tensor.get("trainable", True):
            continue
        if tensor["element"] == "f32":
            values = (rng.standard_normal(shape) * scale).astype(np.float32)
        else:
            values = rng.integers(0, tensor["classes"], shape).astype(ELEMENTS[tensor["element"]])
        block[tensor["offset"]:tensor["offset"] + tensor["bytes"]] = np.frombuffer(values.tobytes(), np.uint8)
    return block.tobytes()


class LoopTest(commands.CommandTest):
    """A test that compiles examples and runs their first loop."""

    def checked(self, *command):
        """Runs a command, which must succeed; returns its output."""
        done = self.run_command(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def build_host(self, *compiler):
        """The host's program, by a compiler with its flags."""
        path = self.path(os.path.basename(compiler[0]) + ".host")
        self.checked(*compiler, "-O1", "-I", ABI, os.path.join(commands.HERE, "run_loop.c"), "-o", path, "-ldl")
        return path

    def compile(self, program, cpu, *flags, kind="plumb"):
        """Compiles an example, whose own arguments follow `--`; returns the output's path."""
        path = self.path(f"{cpu}.{kind}")
        self.checked(commands.tool("plumbc"), os.path.join(EXAMPLES, program), f"--target-cpu={cpu}", f"--emit={kind}",
                     "-o", path, *flags)
        return path

    def read_facts(self, executable):
        """What an executable says of itself."""
        return json.loads(self.checked(commands.tool("plumb-dump"), "--json", executable))

    def launch(self, command, facts, steps, **environment):
        """Runs steps from drawn weights on drawn batches by `command`, a host and a file; returns the process."""
        memory, queue = facts["memory"], facts["queues"][0]
        rng = np.random.default_rng(0)
        contents = draw(rng, facts["variables"], memory["variables_bytes"], 0.05)
        contents += b"".join(draw(rng, queue["columns"], queue["slot_bytes"], 1) for _ in range(steps))
        numbers = (steps, memory["arena_bytes"], memory["variables_bytes"], facts["loops"][0]["record_bytes"],
                   queue["slot_bytes"])
        return subprocess.run([*command, *map(str, numbers)], input=contents, capture_output=True, check=False,
                              env=dict(os.environ, **environment))
