"""Runs what is measured, and says what machine it ran on."""

import datetime
import gzip
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).absolute().parents[2]
BIN = ROOT / "bazel-bin"


class Machine:
    """How processes are started: `wrap` is put before each measured command, such as `taskset -c 1`; none may take longer than
    `seconds`."""

    def __init__(self, wrap=(), binaries=BIN, log=sys.stderr, seconds=None):
        self.wrap, self.binaries, self.log, self.seconds = list(wrap), pathlib.Path(binaries), log, seconds

    def tool(self, name):
        """The path of a built program, such as `tools/plumbc`."""
        return self.binaries / name

    def run(self, command, environment=None, measured=True):
        """Runs a command; a CompletedProcess."""
        command = [*(self.wrap if measured else []), *map(str, command)]
        try:
            return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})}, timeout=self.seconds)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"took more than {self.seconds} s")

    def time(self, command):
        """Seconds from start to end of a command, without what it is wrapped in; None when it fails."""
        result = self.run(["/bin/bash", "-c", 'TIMEFORMAT=%R; time "$@"', "time", *command])
        return None if result.returncode else float(result.stderr.split()[-1])

    def run_json(self, command, environment=None):
        """Runs a command and returns its last line of JSON, or None when it fails."""
        result = self.run(command, environment)
        found = last_json(result.stdout)
        if result.returncode or found is None:
            said = result.stderr.strip().splitlines()[-1:]
            print(f"left out (exit code {result.returncode}): {' '.join(map(str, command))}: {said}", file=self.log)
            return None
        return found

    def peak(self, bits=None):
        """What one core's multiply-adds reach with vectors of so many bits (the longest, without): `gflops` at the clock of work
        that is fed from the cache, `alone_gflops` on registers alone."""
        return self.run_json([self.tool("test/benchmarks/fma_peak"), *([bits] if bits else [])])


def last_json(text):
    """The last line of `text` that is a JSON object."""
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            try:
                return json.loads(line)
            except ValueError:
                continue
    return None


def describe():
    """Facts about machine, date and commit, for the report."""
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    vectors = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "SSE")
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {"cores": os.cpu_count(), "vectors": vectors, "date": datetime.date.today().isoformat(),
            "commit": commit.stdout.strip()}


def unpack_digits(folder, source=ROOT / "test/data/mnist"):
    """Writes packed MNIST files as the plain IDX files that peers read; returns their folder."""
    plain = pathlib.Path(folder) / "mnist"
    plain.mkdir(exist_ok=True)
    for packed in pathlib.Path(source).glob("*.gz"):
        (plain / packed.stem).write_bytes(gzip.decompress(packed.read_bytes()))
    return plain
