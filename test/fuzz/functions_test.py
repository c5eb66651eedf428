"""Random functions: what plumb compiles gives what CPython gives on NumPy.

A function is drawn from a seed (drawn_functions.py): its statements and expressions over tensors and Python's values, nested
control flow on both, closures, containers, classes. CPython runs it on stand-ins of tensors (stand_in.py); plumb compiles it,
as a function under `jit` or as the construct of a cell. Results must agree in structure, element type and value, errors in
their class, and gradients with finite differences in float64.

`functions_test.py --seeds A:B` runs others than the test does, each batch in a process that may crash; `--jobs` says how many
at a time. A difference is printed with the smallest function found that shows it, or, `--as-drawn`, at once.
"""

import argparse
import collections
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
warnings.simplefilter("ignore")
# pylint: disable=wrong-import-position
from drawn_functions import Writer
from function_checks import Case, check_all, check_one
from function_gradients import check_gradients
from function_reduction import reduced

_BATCH = 12
_PER_PROCESS = 96
# What went wrong once: an object that holds itself, in a key of a dict; a row of unsigned integers; numbers that a branch decides,
# by their class; a number beside a boolean tensor; a function in a tuple that it sees; a capture behind an element that a tensor is
# compared with.
_ONCE_WRONG = (1231038, 1400432, 1347345, 1400374, 1405904, 1450734)
_SECONDS = 900  # of its own time that one process may take, and six times that in all, however busy the machine is


def shape_of(text):
    """A verdict's text without what changes from function to function."""
    return re.sub(r"\d+", "#", text.split("\n")[0].split("error: ")[-1])[:60]


def smallest(function, text, check):
    """The smallest function found whose verdict has the same words."""
    def shows(smaller):
        verdict = check(smaller)
        return verdict is not None and verdict.kind == "differs" and shape_of(verdict.text) == shape_of(text)

    return reduced(function, shows, limit=250)


def describe(seed, function, text):
    """A difference, for a report."""
    return f"seed {seed}: {text}\n{function.before}{function.text()}# called with {function.values}"


def check_batch(seeds, folder, counts, reduces=True, on_start=lambda seed: None):
    """Checks the functions of some seeds; returns the texts of their differences."""
    on_start(seeds[0])
    rng = random.Random(seeds[0])
    as_cells = seeds[0] // _BATCH % 2 == 1
    cases = {seed: Case(Writer(seed).function) for seed in seeds}
    verdicts = check_all(list(cases.values()), folder, rng, as_cells)
    found = []

    def note(seed, verdict, check):
        counts[verdict.kind] += 1
        if verdict.kind == "differs":
            function = smallest(cases[seed].function, verdict.text, check) if reduces else cases[seed].function
            found.append(describe(seed, function, verdict.text))

    for seed, case in cases.items():
        note(seed, verdicts[case.name], lambda function: check_one(Case(function), folder, rng, as_cells))
    for seed in [seed for seed in seeds if seed % 4 == 0 and verdicts[cases[seed].name].kind == "agrees"]:
        verdict = check_gradients(cases[seed], folder)
        if verdict is not None:
            verdict.kind = "gradients " + verdict.kind if verdict.kind != "differs" else "differs"
            note(seed, verdict, lambda function: check_gradients(Case(function), folder))
    return found


def batches(first, last):
    """The seeds from `first` to before `last`, some at a time."""
    return [list(range(start, min(start + _BATCH, last))) for start in range(first, last, _BATCH)]


def work(first, last, folder, reduces=True):
    """A process's part: prints one line of JSON for each batch."""
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    for seeds in batches(first, last):
        counts = collections.Counter()
        print(json.dumps({"begins": seeds[0]}), flush=True)
        found = check_batch(seeds, folder, counts, reduces)
        print(json.dumps({"counts": counts, "found": found}), flush=True)


def run_processes(first, last, jobs, reduces=True):
    """Runs the seeds in processes; returns counts and differences, and prints both as they come."""
    counts, found, running = collections.Counter(), [], []
    starts = list(range(first, last, _PER_PROCESS))
    while starts or running:
        while starts and len(running) < jobs:
            start = starts.pop(0)
            running.append(Part(start, min(start + _PER_PROCESS, last), reduces))
        time.sleep(0.2)
        for part in [part for part in running if part.is_done()]:
            running.remove(part)
            more, texts = part.read()
            counts.update(more)
            found += texts
            for text in texts:
                print(text + "\n", flush=True)
            print(f"{sum(counts.values())} verdicts: {dict(counts)}, {len(found)} differences", file=sys.stderr, flush=True)
    return counts, found


class Part:
    """A process on some seeds."""

    def __init__(self, first, last, reduces=True):
        self.output, self.errors, self.began = tempfile.TemporaryFile(), tempfile.TemporaryFile(), time.monotonic()
        command = [sys.executable, os.path.abspath(__file__), "--work", f"{first}:{last}"] + ([] if reduces else ["--as-drawn"])
        self.process = subprocess.Popen(command, stdout=self.output, stderr=self.errors, env={**os.environ, "PLUMB_CACHE": "off"})

    def is_done(self):
        """Whether it has ended; it is stopped when it takes too long."""
        if self.process.poll() is None and time.monotonic() - self.began > 6 * _SECONDS:
            self.process.kill()
        return self.process.poll() is not None

    def read(self):
        """(counts, differences); a process that did not end well is one."""
        self.output.seek(0)
        lines = [json.loads(line) for line in self.output.read().splitlines() if line.startswith(b"{")]
        counts, found = collections.Counter(), []
        for line in lines:
            counts.update(line.get("counts", {}))
            found += line.get("found", [])
        if self.process.returncode != 0:
            begun = [line["begins"] for line in lines if "begins" in line]
            self.errors.seek(0)
            last = "\n".join(self.errors.read().decode(errors="replace").splitlines()[-4:])
            found.append(f"seeds {begun[-1:]} and on: the process ended with {self.process.returncode}\n{last}")
        return counts, found


class FunctionsTest(unittest.TestCase):
    """300 functions, and those that have been wrong."""

    def test_functions(self):
        counts, found = run_processes(0, 300, 2)
        self.assertEqual(found, [], "\n\n".join(found))
        self.assertGreater(counts["agrees"], 220, counts)
        self.assertGreater(counts["gradients agrees"], 15, counts)

    def test_once_wrong(self):
        for seed in _ONCE_WRONG:
            with self.subTest(seed=seed):
                self.assertEqual(run_processes(seed, seed + 1, 1)[1], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", help="A:B, the functions to run instead of the test")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--as-drawn", action="store_true", help="print functions that differ without looking for smaller ones")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    if options.work:
        with tempfile.TemporaryDirectory() as scratch:
            work(*map(int, options.work.split(":")), scratch, not options.as_drawn)
    elif options.seeds:
        began = time.monotonic()
        total, differences = run_processes(*map(int, options.seeds.split(":")), options.jobs, not options.as_drawn)
        print(f"{dict(total)}, {len(differences)} differences, {time.monotonic() - began:.0f} s")
        sys.exit(1 if differences else 0)
    else:
        unittest.main(argv=[sys.argv[0], *rest])
