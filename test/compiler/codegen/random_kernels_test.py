"""Random kernels against float64, for every target that this machine runs or emulates.

Buffers are fenced by pages without access.

By default a few kernels of each kind from a fixed seed. `--seeds A:B` and `--count N` draw others, `--kind K` one kind:

    random_kernels_test.py --seeds 100:200 --count 10

Kernels run in processes of their own, as a read or write outside a buffer ends the process that does it.
"""

import argparse
import multiprocessing
import sys
import tempfile
import zlib

import numpy as np

from kernel_library import Fenced, build, supported_targets
from random_kernels import KINDS

TOLERANCE = 3e-5


def draw(kind, seed, count):
    """The kernels of one seed."""
    rng = np.random.default_rng([seed, zlib.crc32(kind.encode())])
    return [KINDS[kind](rng) for _ in range(count)]


def run(library, name, kernel, at_end):
    """Calls one kernel; returns what is wrong, or None."""
    inputs = [Fenced(value, at_end) for value in kernel.inputs]
    output = Fenced(np.full(kernel.result.shape, 7, np.float32), at_end)
    scratch = [Fenced(np.full(shape, 7, np.float32), at_end) for shape in kernel.scratch]
    library.call(name, [buffer.array for buffer in inputs + [output] + scratch])
    if any((buffer.array != value).any() for buffer, value in zip(inputs, kernel.inputs)):
        return "an input was changed"
    scale = np.abs(kernel.result).max()
    error = np.abs(output.array - kernel.result).max() / (scale if scale > 0 else 1)
    result = None if error < TOLERANCE else f"off by {error:.2e}"
    for buffer in inputs + [output] + scratch:
        buffer.free()
    return result


def run_all(library, kernels, numbers, pipe):
    """Runs kernels by number and tells each one's outcome; in a process of its own."""
    for number in numbers:
        for at_end in (True, False):
            pipe.send((number, at_end, run(library, f"kernel_{number}", kernels[number], at_end)))
    pipe.close()


def check_library(library, kernels):
    """Returns (number, what is wrong) of each kernel that fails, crashes included."""
    failures, left = [], list(range(len(kernels)))
    while left:
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(target=run_all, args=(library, kernels, left, sender))
        process.start()
        sender.close()
        done = 0
        try:
            while True:
                number, _, problem = receiver.recv()
                done += 1
                if problem:
                    failures.append((number, problem))
        except EOFError:
            process.join()
        if process.exitcode == 0:
            break
        place = "behind" if done % 2 == 0 else "before"
        failures.append((left[done // 2], f"reached {place} a buffer (process ended with {process.exitcode})"))
        left = left[done // 2 + 1:]
    return failures


def check(kind, seed, count, cpu):
    """Returns messages about the kernels that fail."""
    kernels = draw(kind, seed, count)
    text = "".join(kernel.text(f"kernel_{number}") for number, kernel in enumerate(kernels))
    with tempfile.TemporaryDirectory() as folder:
        try:
            library = build(text, cpu, folder)
        except RuntimeError as problem:
            return [f"{kind}, seed {seed}, {cpu}: {problem}"]
        return [f"{kind}, seed {seed}, kernel {number}, {cpu}: {problem}: {kernels[number].kind}"
                for number, problem in sorted(set(check_library(library, kernels)))]


def main():
    """Checks; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", default="1:2", help="FIRST:LAST of the seeds, the last one excluded")
    parser.add_argument("--count", type=int, default=6, help="kernels of each kind and seed")
    parser.add_argument("--kind", action="append", choices=tuple(KINDS), help="only this kind")
    parser.add_argument("--target", action="append", help="only this processor")
    parser.add_argument("--print", action="store_true", help="print the kernels' IR instead of running them")
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(":"))
    failures = []
    for seed in range(first, last):
        for kind in options.kind or KINDS:
            if options.print:
                for number, kernel in enumerate(draw(kind, seed, options.count)):
                    print(f"// {kernel.kind}\n{kernel.text(f'kernel_{number}')}")
                continue
            for cpu in options.target or supported_targets():
                found = check(kind, seed, options.count, cpu)
                print("\n".join(found), end="\n" if found else "", flush=True)
                failures += found
    print(f"{len(failures)} failures", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
