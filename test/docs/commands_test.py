"""Runs the commands and Python programs of README.md, docs/quickstart.md and docs/onnx.md as they are written.

Blocks that install or build are left out: tools/demo, tools/check and `bazel build` are what got us here.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PAGES = ("README.md", "docs/quickstart.md", "docs/onnx.md")
SKIPPED = ("tools/demo", "tools/check", "bazel build")


def blocks(page, language):
    """Returns the page's code blocks in `language`."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    return [text for name, text in found if name == language]


def commands(page):
    """Yields each command of the page's code blocks that have no language and look like shell."""
    for block in blocks(page, ""):
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
    """Each page's commands and programs exit with 0, in the order in which they stand."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        lay_out(self.folder)

    def run_command(self, command):
        """Runs one line of shell in the checkout."""
        environment = dict(os.environ, PLUMB_NATIVE=str(self.folder / "bazel-bin/compiler/python/package/plumb"))
        environment.pop("PYTHONPATH", None)
        with self.subTest(command=command):
            result = subprocess.run(command, shell=True, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=300)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_commands(self):
        ran = [self.run_command(command) for page in PAGES for command in commands(self.folder / page)]
        self.assertGreater(len(ran), 8)

    def test_programs(self):
        texts = [text for page in PAGES for text in blocks(self.folder / page, "python")]
        self.assertGreater(len(texts), 0)
        for number, text in enumerate(texts):
            (self.folder / f"own_{number}.py").write_text(text, encoding="utf-8")
            self.run_command(f"tools/python own_{number}.py")


if __name__ == "__main__":
    unittest.main()
