"""The passes of the lit tests on IR that was printed and parsed before each of them.

A pass must not depend on what text does not carry, and the text of an operation must carry all of it. So each test's passes
run one by one, each on the text that the one before it printed, and

* the IR that was printed and parsed again is the IR that was printed: in generic form, which shows every attribute;
* the last text is the one that the passes yield in one go.

`round_trip_test.py --all` from the checkout's root runs every lit test; the test draws some of them.
"""

import argparse
import os
import random
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lit_inputs  # pylint: disable=wrong-import-position


def split_pipeline(text):
    """The passes of `builtin.module(a,b{x=1 y=2},func.func(c))`, which may be in lines, each as a pipeline of its own."""
    inner = text[text.index("(") + 1:text.rindex(")")]
    passes, depth, start = [], 0, 0
    for index, char in enumerate(inner + ","):
        depth += (char in "({") - (char in ")}")
        if char == "," and depth == 0:
            passes.append(f"builtin.module({' '.join(inner[start:index].split())})")
            start = index + 1
    return [one for one in passes if one != "builtin.module()"]


class Tool:
    """Runs plumb-opt on text."""

    def __init__(self, folder):
        self.path, self.tool = os.path.join(folder, "input.mlir"), lit_inputs.find_tool()

    def run(self, text, *flags):
        """What plumb-opt prints for `text`; chunks that fail are missing."""
        with open(self.path, "wb") as file:
            file.write(text)
        status, output, errors = lit_inputs.run_tool(self.tool, self.path, ["--split-input-file", *flags], timeout=300)
        assert status in (0, 1), f"plumb-opt {' '.join(flags)} ended with {status}: {errors[-1000:]}"
        return output

    def list_passes(self, flags):
        """The pipelines of one pass each that `flags` stand for; None where they are something else."""
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("module {}\n")
        _, _, errors = lit_inputs.run_tool(self.tool, self.path, [*flags, "--dump-pass-pipeline", "-o", os.devnull])
        found = re.search(rb"(?ms)^builtin\.module\(.*^\)", errors)
        return split_pipeline(found.group().decode()) if found else None


# Attributes of MLIR's own operations that are present or absent where they say the same.
DEFAULTS = re.compile(rb" <\{nontemporal = false\}>|nontemporal = false, |, unnamed_addr = 0 : i64")


def normalize(text):
    """Without defaults of MLIR's own operations, and without chunks that have failed or are empty, and their marks."""
    text = re.sub(rb'"builtin.module"\(\) \(\{\n\^bb0:\n\}\) : \(\) -> \(\)\n|(?m:^module \{\n\}\n)', b"", DEFAULTS.sub(b"", text))
    return re.sub(rb"\n+", b"\n", re.sub(rb"(?m)^// -----$", b"", text))


def describe_difference(one, other):
    """The first lines where two texts differ."""
    for number, (left, right) in enumerate(zip(one.splitlines(), other.splitlines()), 1):
        if left != right:
            return f"line {number}:\n  {left.decode()[:600]}\n  {right.decode()[:600]}"
    return f"{len(one.splitlines())} lines against {len(other.splitlines())}"


def check(tool, test):
    """A message about where `test` does not survive its round trips, or None."""
    passes = tool.list_passes(test.flags)
    if passes is None:
        return None
    text = "// -----\n".join(test.chunks).encode()
    last = normalize(tool.run(text, f"--pass-pipeline={join_pipelines(passes)}"))
    for one in [None, *passes]:
        flags = [f"--pass-pipeline={one}"] if one else []
        generic = normalize(tool.run(text, *flags, "--mlir-print-op-generic"))
        text = tool.run(text, *flags, "--mlir-print-debuginfo")  # Passes name places of the program.
        again = normalize(tool.run(text, "--mlir-print-op-generic"))
        if generic != again:
            return f"{test.path}: parsed again after {one}, {describe_difference(generic, again)}"
    result = normalize(tool.run(text))
    if result != last:
        return f"{test.path}: pass by pass, {describe_difference(last, result)}"
    return None


def join_pipelines(passes):
    """One pipeline of the given ones."""
    return f"builtin.module({','.join(one[len('builtin.module('):-1] for one in passes)})"


def draw_tests(count=None, seed=14):
    """All lit tests, or `count` of them."""
    tests = [test for test in lit_inputs.load_tests() if not test.path.endswith("_invalid.mlir")]
    return tests if count is None else random.Random(seed).sample(tests, count)


class RoundTripTest(unittest.TestCase):
    """Some of the lit tests."""

    def test_passes(self):
        with tempfile.TemporaryDirectory() as folder:
            for test in draw_tests(24):
                with self.subTest(test=test.path):
                    self.assertIsNone(check(Tool(folder), test))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="every lit test")
    options, rest = parser.parse_known_args()
    if not options.all:
        unittest.main(argv=[sys.argv[0], *rest])
    with tempfile.TemporaryDirectory() as scratch:
        problems = [problem for problem in (check(Tool(scratch), test) for test in draw_tests()) if problem]
    print("\n".join(problems) or "every pass's tests survive")
    sys.exit(1 if problems else 0)
