"""Runs the kernels of kernels_test and random_kernels_test under address sanitizer: no load or store reaches
outside of the buffers that a kernel is given or has on its stack. Of masked vectors, the lanes that are set count."""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from kernel_library import Fenced, build, supported_targets

OUTSIDE = """func.func @outside(%x: memref<5xf32>) {
  %five = arith.constant 5 : index
  %v = memref.load %x[%five] : memref<5xf32>
  %zero = arith.constant 0 : index
  memref.store %v, %x[%zero] : memref<5xf32>
  return
}
"""


def run(script, *arguments):
    """A script of this folder with the sanitizer's runtime; returns its exit status and what it said."""
    runtime = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, check=True, text=True).stdout.strip()
    environment = dict(os.environ, LD_PRELOAD=os.path.realpath(runtime), PLUMB_SANITIZE_KERNELS="1",
                       ASAN_OPTIONS="detect_leaks=0:abort_on_error=0")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), script)
    done = subprocess.run([sys.executable, path, *arguments], capture_output=True, check=False, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


def read_outside():
    """Runs a kernel that reads behind its buffer, which ends the process."""
    with tempfile.TemporaryDirectory() as folder:
        build(OUTSIDE, supported_targets()[0], folder).call("outside", [Fenced(np.zeros(5, np.float32), at_end=False).array])


class SanitizedKernelsTest(unittest.TestCase):
    def test_a_read_outside_is_found(self):
        status, said = run("sanitized_kernels_test.py", "--read-outside")
        self.assertNotEqual(status, 0)
        self.assertIn("AddressSanitizer: use-after-poison", said)

    def test_kernels(self):
        status, said = run("kernels_test.py")
        self.assertEqual(status, 0, said[-4000:])

    def test_random_kernels(self):
        status, said = run("random_kernels_test.py")
        self.assertEqual(status, 0, said[-4000:])


if __name__ == "__main__":
    if sys.argv[1:] == ["--read-outside"]:
        read_outside()
    else:
        unittest.main()
