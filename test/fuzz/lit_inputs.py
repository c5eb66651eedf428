"""The lit tests as inputs of other tests: their chunks of IR and the passes that they run.

    lit_inputs.py FOLDER    writes each chunk of IR before `lower` to a file there
"""

import glob
import os
import re
import subprocess
import sys

# Flags that are about a test's expectations, not about what runs.
_EXPECTATIONS = {"--split-input-file", "--verify-diagnostics", "-split-input-file", "-verify-diagnostics"}


def find_tool(name="plumb-opt"):
    """A built tool's path: among the inputs of a Bazel test, or in the checkout."""
    for path in (os.path.join("tools", name), os.path.join("bazel-bin", "tools", name)):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    raise FileNotFoundError(f"{name} is not built: run from the checkout's root after bazel build //tools:{name}")


class LitTest:
    """One file: `flags` are the passes of its first run of plumb-opt, `chunks` its inputs."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            text = file.read()
        run = re.search(r"// RUN: (?:not )?plumb-opt ([^|>\n]*)", text)
        self.flags = None
        if run:
            self.flags = [flag for flag in run.group(1).split() if flag.startswith("-") and flag not in _EXPECTATIONS]
            self.flags = [flag for flag in self.flags if not flag.startswith(("-o", "--mlir-print", "--allow"))]
        lines = [line for line in text.splitlines() if not re.match(r"\s*//(?! -----)", line)]
        chunks = re.split(r"(?m)^// -----.*$", "\n".join(lines))
        self.chunks = [chunk.strip("\n") + "\n" for chunk in chunks if chunk.strip()]

    @property
    def stage(self):
        """The stage that the test belongs to, or None."""
        parts = self.path.replace(os.sep, "/").split("/")
        return parts[parts.index("compiler") + 1].replace("_", "-") if "compiler" in parts else None


def load_tests(root="test"):
    """Every lit test below `root` that runs plumb-opt, in the order of their paths."""
    tests = [LitTest(path) for path in sorted(glob.glob(os.path.join(root, "**", "*.mlir"), recursive=True))]
    return [test for test in tests if test.flags is not None]


def run_tool(tool, path, flags, timeout=60):
    """Runs `tool` on the file `path`; returns its status (None: it ran too long), output and errors."""
    command = ["/usr/bin/prlimit", "--as=6000000000", "--core=0", tool, path, *flags]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return done.returncode, done.stdout, done.stderr


def operations(chunk):
    """The operations at the top of a chunk, each with the aliases of attributes and types before all of them."""
    aliases = "".join(line + "\n" for line in chunk.splitlines() if line.startswith(("#", "!")))
    return [aliases + part for part in re.split(r"(?m)^(?=[a-z\"%])", chunk) if part.strip() and not part.startswith(("#", "!"))]


def write_chunks(folder, largest=8000):
    """Writes the chunks of the early stages and the dialects to files, and each of their operations."""
    os.makedirs(folder, exist_ok=True)
    for test in load_tests():
        if test.stage in (None, "parse", "resolve", "specialize", "auto-monad", "inline", "autodiff", "optimize", "sink"):
            name = test.path.replace(os.sep, "_")
            texts = {text: None for chunk in test.chunks for text in [chunk, *operations(chunk)] if len(text) <= largest}
            for number, text in enumerate(texts):
                with open(os.path.join(folder, f"{name}.{number}"), "w", encoding="utf-8") as file:
                    file.write(text)


if __name__ == "__main__":
    write_chunks(sys.argv[1])
