"""A step on several threads: the same bits as on one, whatever their number."""

import json
import os
import unittest

import commands
import lenet

EXAMPLES = os.path.join(lenet.ROOT, "docs", "examples")
# name: (program, its arguments, steps)
PROGRAMS = {
    "lenet": ("lenet.py", (), 40),
    "mlp": ("mlp.py", (), 20),
    "resnet8": ("resnet.py", ("--depth", "8", "--batches", "1"), 3),
    "transformer": ("transformer.py", ("--batches", "1"), 6),
}
THREADS = (1, 2, 3, 4, 7)


class ThreadsTest(commands.CommandTest):
    """Runs every workload on one thread and on several."""

    def compile(self, name):
        """The workload as an executable; returns its path."""
        program, arguments, _ = PROGRAMS[name]
        executable = self.path(name + ".plumb")
        done = self.run_tool("plumbc", os.path.join(EXAMPLES, program), "-o", executable, "--", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return executable

    def train(self, executable, steps, *flags):
        """Trains; returns what was printed and the weights' bytes."""
        saved = self.path("saved.safetensors")
        done = self.run_tool("plumb-run", executable, "--epochs=1", f"--sink-size={steps}", "--save", saved, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(saved, "rb") as file:
            return done.stdout, file.read()

    def test_bits_do_not_depend_on_threads(self):
        for name, (_, _, steps) in PROGRAMS.items():
            executable = self.compile(name)
            alone = self.train(executable, steps, "--threads=1")
            for threads in THREADS[1:]:
                with self.subTest(name=name, threads=threads):
                    self.assertEqual(self.train(executable, steps, f"--threads={threads}"), alone)

    def test_launch_patterns(self):
        executable = self.compile("lenet")
        alone = self.train(executable, 20, "--threads=1")[1]
        self.assertEqual(self.train(executable, 20, "--threads=2", "--no-sink")[1], alone)

    def test_chunks_are_dumped(self):
        executable = self.compile("mlp")
        text = self.run_tool("plumb-dump", executable).stdout
        self.assertRegex(text, r"partitioned kernels: \d+, chunks of each: \d+( \d+)*\n")
        loop = json.loads(self.run_tool("plumb-dump", "--json", executable).stdout)["loops"][0]
        self.assertTrue(loop["chunks"])
        self.assertTrue(all(chunks >= 2 for chunks in loop["chunks"]))

    def test_threads_that_the_system_does_not_give(self):
        """Asked for, they are missed; a number that nobody insists on is as many as there are."""
        narrow = ("prlimit", f"--stack={1 << 30}", f"--as={8 << 30}", commands.tool("plumb-run"), self.compile("mlp"), "--epochs=1")
        asked = self.run_command(*narrow, "--threads=16")
        self.assertEqual(asked.returncode, 1, asked.stderr)
        self.assertIn("the system gives no thread", asked.stderr)
        left = self.run_command("env", "PLUMB_THREADS=16", *narrow)
        self.assertEqual(left.returncode, 0, left.stderr)
        self.assertEqual(left.stdout, self.run_command(*narrow, "--threads=1").stdout)

    def test_numbers_that_make_no_sense(self):
        executable = self.compile("mlp")
        for threads in ("0", "257", "-1", "two"):
            done = self.run_tool("plumb-run", executable, f"--threads={threads}")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--threads", done.stderr)


if __name__ == "__main__":
    unittest.main()
