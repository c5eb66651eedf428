# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches of plumb._runtime that go on by themselves, and guards, on an executable of hand-written loops."""

import importlib.util
import os
import subprocess
import time
import unittest

SPEC = importlib.util.spec_from_file_location("_runtime", os.path.abspath("runtime/python/_runtime.so"))
runtime = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(runtime)

FILE = os.path.join(os.environ["TEST_TMPDIR"], "fake.plumb")
SINK_SIZE, STOPPED, GUARD = 0, 2, 3
ENDLESS = 10**12


class FutureTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        subprocess.run(["test/runtime/testing/make_fake_executable", FILE], check=True)
        with open(FILE, "rb") as file:
            cls.executable = runtime.Executable(file.read(), "fake")

    def setUp(self):
        self.session = runtime.Session(self.executable, 0, 60.0, 1)

    def test_result(self):
        future = self.session.launch_async("count", 500, True)
        self.assertTrue(future.wait())
        steps, reason, interrupted, (loss,) = future.result()
        self.assertEqual((steps, reason, interrupted), (500, SINK_SIZE, False))
        self.assertEqual(loss.tolist(), [float(step + 1) for step in range(500)])

    def test_python_goes_on(self):
        future = self.session.launch_async("count", ENDLESS, False)
        self.assertFalse(future.wait(0))
        self.assertFalse(future.wait(0.05))
        with self.assertRaisesRegex(RuntimeError, "the launch is running"):
            future.result()
        with self.assertRaisesRegex(RuntimeError, "takes one call at a time"):
            self.session.launch("count", 1, False, None)
        self.session.request_stop()
        self.assertTrue(future.wait(60))
        self.assertEqual(future.result()[1], STOPPED)
        self.assertEqual(self.session.launch("count", 1, False, None)[0], 1)

    def test_given_up(self):
        future = self.session.launch_async("count", ENDLESS, False)
        del self.session
        begin = time.monotonic()
        del future
        self.assertLess(time.monotonic() - begin, 30)

    def test_guard(self):
        self.session.add_guard("count", "loss>6.5")
        self.assertIsNone(self.session.guard_strike())
        steps, reason, _, (loss,) = self.session.launch("count", 100, False, None)
        self.assertEqual((steps, reason, loss.tolist()), (7, GUARD, [7.0]))
        self.assertEqual(self.session.guard_strike(), (7, "'loss' is 7.0 at step 7 (guard loss>6.5)", False))
        with self.assertRaisesRegex(ValueError, "a guard is finite:NAME"):
            self.session.add_guard("count", "loss")


if __name__ == "__main__":
    unittest.main()
