# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Days in minutes: runs that are stopped, killed, starved and resumed at random moments, beside one long run.

    soak.py [--seconds=120] [--seed=18]

Every run that comes to its end has the weights of one that was left alone; none hangs; the long run's memory stays flat
within one percent; no temporary file stays.
"""

import argparse
import collections
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

RUN = os.path.abspath("tools/plumb-run")
MAKE = os.path.abspath("test/runtime/testing/make_fake_executable")
EPOCHS, STEPS = 40, 1000
HANG_SECONDS = 120


def weights(path):
    """The data of a safetensors file."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        file.seek(size, os.SEEK_CUR)
        return file.read()


def resident(pid):
    """Bytes of memory that a process holds."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def processor_seconds(pid):
    """What a process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def said(process):
    """What a process says until its end. It hangs when it uses no processor for HANG_SECONDS, or more of it than a run can; that a busy
    machine leaves it little is no hang."""
    begin, used = 0.0 if process.poll() is not None else processor_seconds(process.pid), -1.0
    while True:
        try:
            return process.communicate(timeout=HANG_SECONDS)[1]
        except subprocess.TimeoutExpired:
            before, used = used, processor_seconds(process.pid) - begin
            if used > before and used < HANG_SECONDS:
                continue
            process.kill()
            raise AssertionError(f"a run hangs: {' '.join(process.args)}") from None


class LongRun:
    """One process that trains, reports and writes checkpoints all the time."""

    def __init__(self, executable, folder):
        self.samples = []
        self.process = subprocess.Popen(
            [RUN, executable, "--sink-size=100000", "--epochs=1000000000", f"--checkpoint={folder}/long", "--every=20000",
             "--reports=json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def sample(self):
        self.samples.append(resident(self.process.pid))

    def finish(self):
        """Ends it; the growth of its memory after the first quarter, as a share."""
        self.process.send_signal(signal.SIGINT)
        error = said(self.process)
        assert self.process.returncode == 3, error
        early = max(self.samples[:max(1, len(self.samples) // 4)])
        return (max(self.samples) - early) / early


class Storm:
    """Runs in one folder that something happens to, one after the other, until one comes to its end."""

    def __init__(self, executable, folder, generator):
        self.folder, self.random = folder, generator
        self.run, self.save = os.path.join(folder, "run"), os.path.join(folder, "w.safetensors")
        self.whole = [RUN, executable, "--seed=5", f"--sink-size={STEPS}", f"--epochs={EPOCHS}"]
        self.seconds = self.straight()
        self.counts = collections.Counter()

    def straight(self):
        """Trains without a fault; its seconds."""
        begin = time.monotonic()
        path = os.path.join(self.folder, "straight.safetensors")
        subprocess.run(self.whole + [f"--save={path}"], check=True, stdout=subprocess.DEVNULL)
        self.expected = weights(path)
        return time.monotonic() - begin

    def command(self):
        return self.whole + [f"--checkpoint={self.run}", "--resume", f"--save={self.save}",
                             f"--every={self.random.choice([50, 300, 2000, '1s'])}",
                             f"--keep={self.random.randint(1, 3)}", f"--threads={self.random.randint(1, 3)}",
                             f"--reports={self.random.choice(['text', 'json'])}",
                             *(["--no-sink"] if self.random.random() < 0.05 else []),
                             *([f"--max-steps={self.random.randint(1, EPOCHS * STEPS)}"] if self.random.random() < 0.1 else []),
                             *(["--max-time=1"] if self.random.random() < 0.05 else []),
                             *(["--cache"] if self.random.random() < 0.3 else [])]

    def limits(self):
        """A starved process, sometimes."""
        lot = self.random.random()
        if lot < 0.1:
            value = self.random.randint(4 << 20, 200 << 20)
            return "memory", lambda: resource.setrlimit(resource.RLIMIT_AS, (value, value))
        if lot < 0.15:
            return "file size", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        return None, None

    def disturb(self, process):
        """Something happens at a random moment; its name."""
        time.sleep(self.random.uniform(0, self.seconds * 1.2))
        what = self.random.choice(["nothing", "kill", "kill", "interrupt", "terminate", "both", "pause"])
        numbers = {"nothing": [], "kill": [signal.SIGKILL], "interrupt": [signal.SIGINT], "terminate": [signal.SIGTERM],
                   "both": [signal.SIGINT, signal.SIGINT], "pause": [signal.SIGSTOP, signal.SIGCONT]}[what]
        for number in numbers:
            process.send_signal(number)
        return what

    def once(self):
        """One run; whether it came to its end."""
        starved, limit = self.limits()
        process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=limit)
        what = self.disturb(process)
        error = said(process)
        allowed = {0, 3} | ({1, 127} if starved else set())
        allowed |= {-signal.SIGKILL} if what == "kill" else {-signal.SIGINT} if what == "both" else set()
        allowed |= {-signal.SIGINT, -signal.SIGTERM} if what in ("interrupt", "terminate") else set()  # before it listens
        assert process.returncode in allowed, f"{what}, {starved}: exit code {process.returncode}: {error}"
        self.counts[starved or what] += 1
        return process.returncode == 0

    def check(self):
        """After an end: the weights, and nothing left behind. Then everything begins anew."""
        assert weights(self.save) == self.expected, "the weights differ from those of a run that was left alone"
        stale = [name for name in os.listdir(self.folder) + os.listdir(self.run) if "tmp" in name]
        assert not stale, f"temporary files stay: {stale}"
        self.counts["finished"] += 1
        os.unlink(self.save)
        shutil.rmtree(self.run)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=18)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    executable = os.path.join(folder, "fake.plumb")
    subprocess.run([MAKE, executable], check=True)
    end = time.monotonic() + options.seconds
    long_run = LongRun(executable, folder)
    try:
        storm = Storm(executable, folder, random.Random(options.seed))
        while time.monotonic() < end:
            long_run.sample()
            if storm.once():
                storm.check()
        growth = long_run.finish()
    finally:
        long_run.process.kill()
        shutil.rmtree(folder, True)
    print(f"{dict(storm.counts)}; memory of the long run: {long_run.samples[-1] >> 10} KiB, grown by {100 * growth:.2f} %")
    assert growth < 0.01, "the long run's memory grows"
    assert storm.counts["finished"] > 0, "no run came to its end"


if __name__ == "__main__":
    sys.exit(main())
