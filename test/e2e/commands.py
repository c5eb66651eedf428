"""Running the tools and programs from tests: where they lie, with what environment."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import lenet

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"


def tool(name):
    """Where a tool lies: $PLUMB_TOOLS, the runfiles, or the build's output folder."""
    for folder in (os.environ.get("PLUMB_TOOLS"), "tools", os.path.join(lenet.ROOT, "bazel-bin", "tools")):
        if folder and os.path.isfile(os.path.join(folder, name)):
            return os.path.abspath(os.path.join(folder, name))
    raise unittest.SkipTest(f"{name} is not built")


def environment():
    """The environment in which tools and programs find the package and the tests' modules."""
    paths = os.pathsep.join(path for path in sys.path if path)
    return dict(os.environ, PYTHONPATH=paths, PLUMB_PYTHON_PATH=paths)


class CommandTest(unittest.TestCase):
    """A test with a scratch folder that runs commands."""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.scratch = holder.name

    @classmethod
    def path(cls, name):
        """A path in the scratch folder."""
        return os.path.join(cls.scratch, name)

    @classmethod
    def write(cls, name, content):
        """Writes a text or bytes into the scratch folder; returns the path."""
        with open(cls.path(name), "wb" if isinstance(content, bytes) else "w") as file:
            file.write(content)
        return cls.path(name)

    @classmethod
    def run_tool(cls, name, *arguments):
        """Runs a tool; returns the finished process."""
        return cls.run_command(tool(name), *arguments)

    @classmethod
    def run_program(cls, path, *arguments):
        """Runs a Python program in process; returns the finished process."""
        return cls.run_command(PYTHON, path, *arguments)

    @classmethod
    def run_command(cls, *command):
        """Runs a command; returns the finished process."""
        return subprocess.run(command, env=environment(), check=False, capture_output=True, text=True, timeout=300)

    @classmethod
    def interrupt(cls, command, seconds=2.0):
        """Runs a command and sends it Ctrl-C; returns the finished process and how long it went on."""
        with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            time.sleep(seconds)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=120)
        return subprocess.CompletedProcess(command, process.returncode, output, errors), time.monotonic() - start

    def check_error(self, done, pattern, code=1, lines=1):
        """The exit code, and one paragraph on stderr that fits; no traceback."""
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertRegex(done.stderr, re.compile(pattern, re.MULTILINE))
        self.assertNotIn("Traceback", done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), lines, done.stderr)
