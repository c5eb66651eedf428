"""Mutated lit tests: plumb-opt ends with success or a diagnostic, never by a signal or without end.

Each mutant is a chunk of a lit test with one to three changes: operations, operands, attributes, types and numbers are
deleted, duplicated, swapped or replaced by others of the same file. It runs through the test's own passes or through the
test's stage and the ones behind it. The same seed gives the same mutants.

`mutations_test.py --count 4000 --seed 7` from the checkout's root runs others than the test does; `--keep FOLDER` leaves
those that fail there, to be kept as tests.
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

# The stages of plumb-opt in order; from codegen on a mutant costs too much time.
STAGES = ["resolve", "specialize", "auto-monad", "inline", "autodiff", "optimize", "sink", "lower"]
BATCH = 20
# A type that MLIR's own parser does not survive as the element of `array<…>` is left alone.
TYPE = re.compile(r"(?<!array<)(?:tensor|memref|vector)<[^<>]*(?:<[^<>]*>[^<>]*)*>|![a-z]+\.[a-z]+|(?<!array<)\b(?:i1|i8|i32|i64|f16|bf16|f32|f64|index)\b")
VALUE = re.compile(r"%[A-Za-z0-9_]+(?:#\d+)?")
NUMBER = re.compile(r"(?<![%#@\w.])-?\d+(?![\w.])")
NAME = re.compile(r"(?<=[ =])[a-z_]+\.[a-z_0-9.]+(?=[ (%@\"])")
ATTRIBUTE = re.compile(r"\b[a-z_]+ = (?:\[[^\[\]]*\]|@?\w+(?: : \w+)?|\"[^\"]*\"),? ?")
LISTED = re.compile(r", %[A-Za-z0-9_]+(?:#\d+)?(?=[,) ])|, (?:tensor<[^<>]*>|f32|i32|index)(?=[,)])|, @\w+(?=[\],)])")
NUMBERS = ["0", "1", "2", "3", "5", "64", "1000", "-1", "65537", "4294967296", "9223372036854775807", "-9223372036854775808"]
# The parts of types, and what no program computes with.
ELEMENT = re.compile(r"(?<=[<x])(?:i1|i8|i32|i64|ui8|f16|bf16|f32|f64)(?=[>,])")
ELEMENTS = ["i1", "i8", "i64", "ui8", "ui64", "bf16", "f16", "f64", "i7", "i128", "si32", "f80", "f128", "f8E4M3FN", "index", "complex<f32>",
            "vector<2xf32>", "none"]
EXTENT = re.compile(r"(?<=[<x])\d+(?=x)")
EXTENTS = ["0", "1", "2", "7", "?", "65537", "4294967296", "9223372036854775807"]


class Mutator:
    """Changes text by a generator of its own."""

    def __init__(self, rng):
        self.rng = rng

    def mutate(self, text):
        """`text` with one to three changes."""
        changes = [self.delete_line, self.duplicate_line, self.swap_lines, self.delete_listed, self.delete_attribute,
                   lambda t: self.replace(t, TYPE), lambda t: self.replace(t, VALUE), lambda t: self.replace(t, NAME),
                   lambda t: self.replace(t, NUMBER, NUMBERS), lambda t: self.swap(t, VALUE), lambda t: self.swap(t, TYPE),
                   lambda t: self.replace_everywhere(t, TYPE),
                   self.change_types, self.change_types, self.change_types]
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            text = self.rng.choice(changes)(text)
        return text

    def pick_line(self, lines):
        """The number of a line that is more than a bracket."""
        return self.rng.choice([i for i, line in enumerate(lines) if "%" in line or "@" in line] or [0])

    def delete_line(self, text):
        """Without one line."""
        lines = text.splitlines()
        del lines[self.pick_line(lines)]
        return "\n".join(lines) + "\n"

    def duplicate_line(self, text):
        """With one line twice; its results get new names."""
        lines = text.splitlines()
        number = self.pick_line(lines)
        copy = re.sub(r"^(\s*)%(\w+)(?=[:, =])", r"\1%\2_twin", lines[number])
        lines.insert(self.rng.choice([number + 1, self.rng.randrange(len(lines) + 1)]), copy)
        return "\n".join(lines) + "\n"

    def swap_lines(self, text):
        """With two lines exchanged."""
        lines = text.splitlines()
        one, other = self.pick_line(lines), self.pick_line(lines)
        lines[one], lines[other] = lines[other], lines[one]
        return "\n".join(lines) + "\n"

    def cut(self, text, pattern):
        """Without one place that matches."""
        found = list(pattern.finditer(text))
        if not found:
            return text
        place = self.rng.choice(found)
        return text[:place.start()] + text[place.end():]

    def delete_listed(self, text):
        """Without one operand, type or symbol of a list."""
        return self.cut(text, LISTED)

    def delete_attribute(self, text):
        """Without one attribute."""
        return self.cut(text, ATTRIBUTE)

    def replace(self, text, pattern, others=None):
        """With one place replaced by another text of its kind."""
        found = list(pattern.finditer(text))
        if not found:
            return text
        place = self.rng.choice(found)
        other = self.rng.choice(others or [match.group() for match in found])
        return text[:place.start()] + other + text[place.end():]

    def replace_everywhere(self, text, pattern, others=None):
        """With all places of one text replaced by another: types that fit each other, but not the operation."""
        found = [match.group() for match in pattern.finditer(text)]
        if not found:
            return text
        old, new = self.rng.choice(found), self.rng.choice(others or found)
        return pattern.sub(lambda match: new if match.group() == old else match.group(), text)

    def change_types(self, text):
        """With another element type or extent, in one place or in all. Buffers keep theirs: they were tensors before."""
        if "memref<" in text:
            return text
        change = self.rng.choice([self.replace, self.replace_everywhere])
        return change(text, *self.rng.choice([(ELEMENT, ELEMENTS), (EXTENT, EXTENTS)]))

    def swap(self, text, pattern):
        """With two places of a line exchanged."""
        lines = text.splitlines()
        number = self.pick_line(lines)
        found = list(pattern.finditer(lines[number]))
        if len(found) < 2:
            return text
        one, other = sorted(self.rng.sample(found, 2), key=lambda match: match.start())
        line = lines[number]
        lines[number] = (line[:one.start()] + other.group() + line[one.end():other.start()] + one.group() +
                         line[other.end():])
        return "\n".join(lines) + "\n"


def draw_flags(test, rng):
    """The test's own passes, or its stage and the ones behind it."""
    if test.stage not in STAGES or rng.random() < 0.6:
        return test.flags
    first = STAGES.index(test.stage)
    last = rng.randrange(first, len(STAGES))
    return [f"--plumb-{stage}" for stage in STAGES[first:last + 1]]


def draw_batches(seed, count):
    """Batches of mutants of one test each, as (test, flags, mutants)."""
    rng = random.Random(seed)
    tests = lit_inputs.load_tests()
    mutator = Mutator(rng)
    while count > 0:
        test = rng.choice(tests)
        size = min(count, BATCH)
        yield test, draw_flags(test, rng), [mutator.mutate(rng.choice(test.chunks)) for _ in range(size)]
        count -= size


# A fault that the tool looks for in the whole file before it reads any of it.
_WHOLE = "another block of this region has the same label"


def ends_well(status):
    """Whether the tool ended by itself."""
    return status in (0, 1)


def run_mutants(tool, mutants, flags, folder):
    """The status and errors of one run on all `mutants`."""
    path = os.path.join(folder, "mutants.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n// -----\n\n".join(mutants))
    status, _, errors = lit_inputs.run_tool(tool, path, [*flags, "--split-input-file", "-o", os.devnull])
    return status, errors.decode(errors="replace")


def find_failures(tool, batches, folder):
    """The mutants that the tool does not end well with, as (test, flags, mutant, status, errors)."""
    failures = []
    for test, flags, mutants in batches:
        status, errors = run_mutants(tool, mutants, flags, folder)
        if ends_well(status) and _WHOLE not in errors:
            continue
        for mutant in mutants:
            status, errors = run_mutants(tool, [mutant], flags, folder)
            if not ends_well(status):
                failures.append((test, flags, mutant, status, errors))
    return failures


class MutationsTest(unittest.TestCase):
    """A few seconds of mutants."""

    def test_mutants(self):
        with tempfile.TemporaryDirectory() as folder:
            failures = find_failures(lit_inputs.find_tool(), draw_batches(14, 1200), folder)
        for test, flags, mutant, status, errors in failures:
            with self.subTest(test=test.path):
                self.fail(f"plumb-opt {' '.join(flags)} ended with {status} on\n{mutant}\n{errors[-2000:]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, help="how many mutants to run instead of the test")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="a folder for the mutants that fail")
    options, rest = parser.parse_known_args()
    if options.count is None:
        unittest.main(argv=[sys.argv[0], *rest])
    with tempfile.TemporaryDirectory() as scratch:
        found = find_failures(lit_inputs.find_tool(), draw_batches(options.seed, options.count), scratch)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    for index, (test, flags, mutant, status, errors) in enumerate(found):
        print(f"{test.path} {' '.join(flags)}: {status}\n    " + "\n    ".join(errors.splitlines()[:3]))
        if options.keep:
            with open(os.path.join(options.keep, f"mutant_{options.seed}_{index}.mlir"), "w", encoding="utf-8") as out:
                out.write(f"// RUN: plumb-opt %s {' '.join(flags)}\n{mutant}")
    print(f"{options.count} mutants, {len(found)} failures")
    sys.exit(1 if found else 0)
