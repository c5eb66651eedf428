"""Runs the commands of README.md and docs/quickstart.md as they are written.

Blocks that install or build are left out: tools/demo, tools/check and `bazel build` are what got us here.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PAGES = ("README.md", "docs/quickstart.md")
SKIPPED = ("tools/demo", "tools/check", "bazel build")


def commands(page):
    """Yields each command of the page's code blocks that have no language and look like shell."""
    for block in re.findall(r"^```\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.S | re.M):
        for line in block.splitlines():
            if re.match(r"(bazel-bin/|tools/|bazel )", line) and not line.startswith(SKIPPED):
                yield line


def lay_out(folder):
    """Makes `folder` look like a checkout with a finished build."""
    here = pathlib.Path.cwd()
    for name in ("docs", "test", "tools", "README.md"):
        os.symlink(here / name, folder / name)
    os.symlink(here, folder / "bazel-bin")


class CommandsTest(unittest.TestCase):
    """Each page's commands exit with 0, in the order in which they stand."""

    def test_commands(self):
        ran = 0
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            lay_out(folder)
            environment = dict(os.environ, PLUMB_NATIVE=str(folder / "bazel-bin/compiler/python/package/plumb"))
            environment.pop("PYTHONPATH", None)
            for page in PAGES:
                for command in commands(folder / page):
                    with self.subTest(page=page, command=command):
                        result = subprocess.run(command, shell=True, cwd=folder, env=environment, text=True,
                                                capture_output=True, timeout=300)
                        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                        ran += 1
        self.assertGreater(ran, 8)


if __name__ == "__main__":
    unittest.main()
