# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signed executables, loaded by plumb._runtime."""

import importlib.util
import os
import shutil
import subprocess
import unittest

SPEC = importlib.util.spec_from_file_location("_runtime", os.path.abspath("runtime/python/_runtime.so"))
runtime = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(runtime)

FOLDER = os.environ["TEST_TMPDIR"]
FILE = os.path.join(FOLDER, "net.plumb")


def sign(*arguments):
    subprocess.run(["tools/plumb-sign", *arguments], check=True)


class SignedTest(unittest.TestCase):

    def test_load_file(self):
        shutil.copy("test/golden/abi2_schema4.plumb", FILE)
        for name in ("mine", "other"):
            sign("keys", os.path.join(FOLDER, name))
        with open(os.path.join(FOLDER, "mine.pub")) as file:
            mine = file.read()
        with open(os.path.join(FOLDER, "other.pub")) as file:
            other = file.read()
        self.assertTrue(runtime.Executable.load_file(FILE).variables())
        with self.assertRaisesRegex(ValueError, "net.plumb: not signed: there is no '.*net.plumb.sig'"):
            runtime.Executable.load_file(FILE, mine)
        sign("sign", "--key=" + os.path.join(FOLDER, "mine.key"), FILE)
        self.assertTrue(runtime.Executable.load_file(FILE, mine).variables())
        with self.assertRaisesRegex(ValueError, "the signature does not fit"):
            runtime.Executable.load_file(FILE, public_key=other)
        with self.assertRaisesRegex(ValueError, "not an ed25519 key"):
            runtime.Executable.load_file(FILE, "key")


if __name__ == "__main__":
    unittest.main()
