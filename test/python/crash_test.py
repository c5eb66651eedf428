"""A compiler that crashes says where, and leaves a file with the program; other crashes of the process are none of its."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest

COMPILING = """
    import signal, sys, threading
    import numpy as np
    import plumb

    def crash():
        signal.pthread_kill(threading.main_thread().ident, signal.{signal})

    @plumb.jit
    def long(x):
        for i in range(3000):
            x = plumb.ops.sin(x) + plumb.ops.matmul(x, x) * i
        return x

    threading.Timer(1.0, crash).start()
    long(plumb.Tensor(np.ones((64, 64), np.float32)))
"""
RUNNING = """
    import os, signal
    import numpy as np
    import plumb

    plumb.jit(lambda x: x + 1)(plumb.Tensor(np.ones(3, np.float32)))
    os.kill(os.getpid(), signal.SIGSEGV)
"""


class CrashTest(unittest.TestCase):
    """See the file's head."""

    def run_program(self, text):
        """Runs a program in a folder of its own; returns (process, the folder's files by name)."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(text))
            done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False,
                                  env={**os.environ, "TMPDIR": folder})
            files = {name: open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder)
                     if name.endswith(".mlir")}
        return done, files

    def test_crash_of_the_compiler(self):
        for kind in ("SIGSEGV", "SIGABRT"):
            done, files = self.run_program(COMPILING.format(signal=kind))
            self.assertEqual(done.returncode, -getattr(signal, kind), done.stderr)
            self.assertRegex(done.stderr, r"error: the compiler crashed in the stage '\w+'(, pass '[\w-]+')?'?\. This is a fault of "
                                          r"plumb, not of the program\.\n")
            path = re.search(r"please report it with this file: (\S+)", done.stderr).group(1)
            self.assertIn("net.entry @predict", files[os.path.basename(path)])

    def test_other_crashes(self):
        done, files = self.run_program(RUNNING)
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        self.assertNotIn("the compiler crashed", done.stderr)
        self.assertEqual(files, {})


if __name__ == "__main__":
    unittest.main()
