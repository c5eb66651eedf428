# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults while plumb-run trains: each ends with its message and its exit code, and nothing is lost.

    faults_test.py [--kills=N]    N random SIGKILLs instead of a few

One test for each row of the table in docs/long_runs.md.
"""

import fcntl
import os
import pty
import random
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

RUN = os.path.abspath("tools/plumb-run")
SIGN = os.path.abspath("tools/plumb-sign")
MAKE = os.path.abspath("test/runtime/testing/make_fake_executable")
KILLS = 12
NOBODY = 65534


class Ended:
    """A process that is over: its exit code (negative: a signal) and what it said."""

    def __init__(self, process):
        self.out, self.err = process.communicate(timeout=120)
        self.code = process.returncode


def start(*arguments, **options):
    """Starts plumb-run with text pipes."""
    pipes = dict(stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    pipes.update(options)
    return subprocess.Popen([RUN, *arguments], **pipes)


def run(*arguments, **options):
    return Ended(start(*arguments, **options))


def limited(kind, value):
    """For preexec_fn: a hard limit of the process."""
    return lambda: resource.setrlimit(kind, (value, value))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def weights(path):
    """The data of a safetensors file: what is behind its header."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        file.seek(size, os.SEEK_CUR)
        return file.read()


def write_idx(path, magic, shape, data):
    with open(path, "wb") as file:
        file.write(struct.pack(f">{1 + len(shape)}I", magic, *shape) + bytes(data))


class FaultTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.file = self.path("fake.plumb")
        subprocess.run([MAKE, self.file], check=True)
        self.long = (self.file, "--seed=5", "--sink-size=1000", "--epochs=20")
        self.endless = (self.file, "--loop=count", "--sink-size=1000000000000", "--epochs=1")

    def path(self, name):
        return os.path.join(self.folder, name)

    def expect(self, ended, code, pattern):
        self.assertEqual(ended.code, code, ended.err)
        self.assertRegex(ended.err + ended.out, pattern)

    def straight(self):
        """The weights of a run that was left alone."""
        path = self.path("straight.safetensors")
        self.assertEqual(run(*self.long, f"--save={path}").code, 0)
        return weights(path)

    def wait_for(self, condition, what):
        deadline = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), deadline, f"{what} did not come")
            time.sleep(0.005)


class Limits(FaultTest):
    """The system gives no memory, no thread, no room."""

    def check_ending(self, ended, what):
        # 127: the dynamic linker had too little to load the program itself.
        self.assertIn(ended.code, (0, 1, 127), f"{what}: {ended.err}")
        self.assertNotIn("terminate called", ended.err, what)
        if ended.code:
            self.assertRegex(ended.err, "error|cannot", what)
        return ended.code

    def test_memory(self):
        codes = []
        for limit in list(range(4 << 20, 40 << 20, 1 << 20)) + list(range(40 << 20, 320 << 20, 20 << 20)):
            ended = run(*self.long, "--threads=2", preexec_fn=limited(resource.RLIMIT_AS, limit))
            codes.append(self.check_ending(ended, f"{limit >> 20} MiB"))
        self.assertIn(1, codes, "a limit was never noticed")
        self.assertEqual(codes[-1], 0)
        # The more memory, the further it comes.
        self.assertEqual(codes, sorted(codes, key=lambda code: {127: 0, 1: 1, 0: 2}[code]))

    def test_memory_that_is_too_little_for_an_exception(self):
        """Just above what the program itself takes to load, page by page."""
        def ends(limit):
            return self.check_ending(run(*self.long, preexec_fn=limited(resource.RLIMIT_AS, limit)), f"{limit} bytes")

        low, high = 1 << 20, 64 << 20
        while high - low > 4096:
            middle = (low + high) // 2
            low, high = (middle, high) if ends(middle) == 127 else (low, middle)
        for limit in range(high, high + (512 << 10), 4096):
            ends(limit)

    def test_threads_whose_stacks_find_no_room(self):
        codes = []
        for stacks in range(0, 6):
            def limit():
                resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, 1 << 30))
                resource.setrlimit(resource.RLIMIT_AS, ((stacks << 30) + (300 << 20),) * 2)
            ended = run(*self.long, "--threads=3", f"--checkpoint={self.path(f'run{stacks}')}", "--every=5000", preexec_fn=limit)
            codes.append(self.check_ending(ended, f"{stacks} stacks"))
        self.assertEqual((codes[0], codes[-1]), (1, 0))

    def for_nobody(self):
        """A folder that every user can read, with plumb-run and its file; the command."""
        folder = tempfile.mkdtemp(dir="/tmp")
        self.addCleanup(shutil.rmtree, folder, True)
        os.chmod(folder, 0o755)
        for source, name in ((RUN, "plumb-run"), (self.file, "fake.plumb")):
            shutil.copy(source, os.path.join(folder, name))
            os.chmod(os.path.join(folder, name), 0o755)
        return folder, [os.path.join(folder, "plumb-run"), os.path.join(folder, "fake.plumb"), *self.long[1:]]

    def run_as_nobody(self, command, processes=None):
        def become_nobody():
            if processes is not None:
                resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
            os.setuid(NOBODY)
        return Ended(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                      preexec_fn=become_nobody))

    @unittest.skipIf(os.getuid(), "needs root to become another user")
    def test_threads(self):
        codes = []
        for processes in range(1, 8):
            ended = self.run_as_nobody(self.for_nobody()[1] + ["--threads=3"], processes)
            codes.append(self.check_ending(ended, f"{processes} threads"))
        self.assertIn(1, codes)
        self.assertEqual(codes[-1], 0)

    def test_short_write(self):
        save = self.path("w.safetensors")
        self.assertEqual(run(*self.long, "--max-steps=10", f"--save={save}").code, 3)
        before = weights(save)
        # Too little for the code, which is copied into a sealed file of its own, for the state, for the lines.
        for limit in (0, 64, 200):
            ended = run(*self.long, f"--save={save}", preexec_fn=limited(resource.RLIMIT_FSIZE, limit))
            self.expect(ended, 1, "File too large")
            self.assertEqual(weights(save), before)
            self.assertEqual(sorted(os.listdir(self.folder)), ["fake.plumb", "w.safetensors"], "a temporary file stays")
        with open(self.path("lines"), "w") as lines:
            ended = run(self.file, "--loop=count", "--sink-size=10", "--epochs=1000000", f"--save={save}", stdout=lines,
                        preexec_fn=limited(resource.RLIMIT_FSIZE, 1 << 20))
        self.assertEqual(ended.code, 1)
        self.assertIn("standard output", ended.err)
        self.assertNotEqual(weights(save), before)

    @unittest.skipIf(os.getuid(), "needs root to mount")
    def test_full_disk(self):
        disk = self.path("disk")
        os.mkdir(disk)
        script = f"mount -t tmpfs -o size=16k,nr_inodes=64 none {disk} && exec \"$@\""
        command = ["unshare", "-m", "sh", "-c", script, "sh", RUN, *self.long, f"--checkpoint={disk}/run", "--every=100"]
        fill = ["unshare", "-m", "sh", "-c", f"mount -t tmpfs -o size=16k none {disk} || echo cannot"]
        if "cannot" in subprocess.run(fill, capture_output=True, text=True).stdout:
            self.skipTest("nothing can be mounted here")
        # Three checkpoints of 4 KiB each fit beside the one that is written; with a filler they do not.
        ended = Ended(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        self.assertEqual(ended.code, 0, ended.err)
        command[4] = script.replace("&& exec", f"&& head -c 12288 /dev/zero >{disk}/filler && exec")
        ended = Ended(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        self.assertNotEqual(ended.code, 0)
        self.assertRegex(ended.err, "No space left on device")
        self.assertRegex(ended.out, "epoch: 20 step: 1000", "training goes on to its end")

    @unittest.skipIf(os.getuid(), "needs root to become another user")
    def test_read_only_folder(self):
        folder, command = self.for_nobody()
        for flag in (f"--save={folder}/w.safetensors", f"--checkpoint={folder}/run"):
            ended = self.run_as_nobody(command + [flag])
            self.expect(ended, 1, "Permission denied")
            self.assertEqual(ended.out, "", "it trained before it tried")

    def test_full_output(self):
        with open("/dev/full", "w") as full:
            for form in ("text", "json"):
                save = self.path(f"{form}.safetensors")
                ended = run(self.file, "--loop=count", "--epochs=3", "--sink-size=5", f"--reports={form}", f"--save={save}",
                            stdout=full, stderr=subprocess.PIPE)
                self.assertEqual(ended.code, 1)
                self.assertIn("standard output", ended.err)
                self.assertTrue(os.path.exists(save))


class Signals(FaultTest):

    def started(self, *arguments, **options):
        """A run of the endless loop that makes steps already."""
        process = start(*self.endless, *arguments, **options)
        with open(f"/proc/{process.pid}/comm"):
            self.wait_for(lambda: len(os.listdir(f"/proc/{process.pid}/task")) > 1, "the device's thread")
        time.sleep(0.05)
        return process

    def test_first_signal_saves(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            save = self.path(f"{number}.safetensors")
            process = self.started(f"--save={save}")
            process.send_signal(number)
            ended = Ended(process)
            self.expect(ended, 3, r"stopped by \w+ after \d+ steps; the state is intact")
            self.assertTrue(os.path.exists(save))

    def test_second_signal_ends_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            # A full pipe that nobody reads: the first signal cannot end the run, which wants to print.
            process = start(self.file, "--loop=count", "--sink-size=1", "--epochs=1000000000")
            time.sleep(0.5)
            process.send_signal(number)
            time.sleep(0.3)
            self.assertIsNone(process.poll(), "it waits for its reader")
            begin = time.monotonic()
            process.send_signal(number)
            process.wait(timeout=10)
            self.assertLess(time.monotonic() - begin, 2)
            self.assertEqual(process.returncode, -number)
            process.stdout.close()
            process.stderr.close()

    def test_signals_that_say_nothing(self):
        process = self.started("--max-time=1")
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGWINCH, signal.SIGCHLD, signal.SIGCONT):
            process.send_signal(number)
        self.expect(Ended(process), 3, "stopped by --max-time")

    def test_stop_and_continue(self):
        process = self.started("--max-time=2")
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        process.send_signal(signal.SIGCONT)
        self.expect(Ended(process), 3, "stopped by --max-time")

    def test_kills_at_random_moments(self):
        expected, folder, save = self.straight(), self.path("run"), self.path("w.safetensors")
        arguments = (*self.long, f"--checkpoint={folder}", "--every=100", "--resume", f"--save={save}")
        begin = time.monotonic()
        self.assertEqual(run(*self.long, f"--checkpoint={self.path('timed')}", "--every=100").code, 0)
        whole = time.monotonic() - begin
        generator = random.Random(18)
        resumed = 0
        for _ in range(KILLS):
            process = start(*arguments)
            time.sleep(generator.uniform(0, whole))
            process.kill()
            resumed += "goes on after step" in Ended(process).err
            if os.path.exists(save):  # it was faster: the next one begins anew
                self.assertEqual(weights(save), expected)
                os.unlink(save)
                shutil.rmtree(folder)
        self.assertEqual(run(*arguments).code, 0)
        self.assertEqual(weights(save), expected)
        self.assertGreater(resumed, KILLS // 4)
        self.assertEqual([name for name in os.listdir(folder) if "tmp" in name], [], "temporary files stay")


class Numbers(FaultTest):

    def infinite(self, value=float("inf")):
        """A checkpoint whose weight is `value`."""
        path = self.path("start.safetensors")
        header = b'{"weight":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}'
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(header)) + header + struct.pack("<f", value))
        return path

    def test_nan_ends_at_its_step(self):
        for form in ("text", "json"):
            for value in (float("nan"), float("inf")):
                folder = self.path(f"{form}{value}")
                ended = run(self.file, "--loop=count", "--sink-size=1000000", "--epochs=1", f"--load={self.infinite(value)}",
                            f"--checkpoint={folder}", f"--reports={form}")
                self.expect(ended, 4, r"epoch: 1 step: 1\. Invalid loss, terminating training\.")
                self.assertEqual(os.listdir(folder), ["invalid.safetensors"], "no checkpoint to go on from is spoilt")
                self.assertIn(f"the state of that step is in {folder}/invalid.safetensors", ended.err)

    def test_targets_and_limits(self):
        save = self.path("w.safetensors")
        count = (self.file, "--loop=count", "--sink-size=1000", "--epochs=5", f"--save={save}")
        rows = ((("--guard=loss>1234.5",), 4, r"'loss' is 1235.0 at step 1235 \(guard loss>1234.5\); the run ends", 1235),
                (("--guard=finite:weight", "--guard=weight>7,every=50"), 4, r"'weight' is 50.0 at step 50", 50),
                (("--max-steps=2500",), 3, r"stopped by --max-steps after 2500 steps; the state is intact", 2500))
        for flags, code, pattern, steps in rows:
            self.expect(run(*count, *flags), code, pattern)
            self.assertEqual(struct.unpack("<f", weights(save)), (steps,), "the state is that of the step")

    def test_wrong_guards(self):
        for rule, code, pattern in (("loss", 2, "--guard: a guard is finite:NAME"),
                                    ("accuracy>1", 1, "no report 'accuracy', and the program no variable")):
            self.expect(run(self.file, f"--guard={rule}"), code, pattern)


class Data(FaultTest):

    def setUp(self):
        super().setUp()
        self.mnist = self.path("mnist")
        os.mkdir(self.mnist)
        self.images, self.labels = (self.path(f"mnist/train-{name}") for name in ("images-idx3-ubyte", "labels-idx1-ubyte"))
        self.write(labels=[digit % 10 for digit in range(50)])
        self.file = self.path("mnist.plumb")
        subprocess.run([MAKE, "--mnist", self.file], check=True)
        self.long = (self.file, f"--data={self.mnist}", "--seed=5", "--sink-size=100", "--epochs=20")

    def write(self, labels, count=50):
        pixels = bytearray(count * 784)
        for digit in range(count):
            pixels[digit * 784:digit * 784 + 4] = bytes([digit, 1, 2, 3])
        write_idx(self.images, 0x803, (count, 28, 28), pixels)
        write_idx(self.labels, 0x801, (len(labels),), labels)

    def test_sound(self):
        self.assertEqual(run(*self.long).code, 0)

    def test_damaged_files(self):
        good = {path: read(path) for path in (self.images, self.labels)}
        rows = ((lambda: self.write(labels=[3] * 17 + [11] + [0] * 32), "labels-idx1-ubyte: label 11 of image 17 is outside"),
                (lambda: self.write(labels=[1] * 49), "49 labels, but .* has 50 images"),
                (lambda: os.truncate(self.images, 20000), "images-idx3-ubyte: truncated"),
                (lambda: os.truncate(self.labels, 3), "labels-idx1-ubyte: truncated: 3 bytes"),
                (lambda: write(self.images, b"GIF89a" * 9), "images-idx3-ubyte: magic number"),
                (lambda: os.unlink(self.labels), "holds neither train-labels-idx1-ubyte nor"),
                (lambda: (os.unlink(self.labels), os.mkfifo(self.labels)), "holds neither train-labels-idx1-ubyte nor"))
        for spoil, pattern in rows:
            spoil()
            self.expect(run(*self.long), 5, pattern)
            for path, content in good.items():
                if os.path.exists(path):
                    os.unlink(path)
                write(path, content)
        self.expect(run(self.file, f"--data={self.path('nowhere')}"), 5, "there is no folder '.*nowhere'")

    def test_files_change_while_it_trains(self):
        expected = self.straight()
        for change in (lambda: os.truncate(self.images, 100), lambda: os.unlink(self.labels),
                       lambda: self.write(labels=[9] * 50)):
            self.write(labels=[digit % 10 for digit in range(50)])
            save = self.path("changed.safetensors")
            process = start(*self.long, f"--save={save}")
            process.stdout.readline()  # an epoch is over: the data were read
            change()
            self.assertEqual(Ended(process).code, 0)
            self.assertEqual(weights(save), expected)


class Surroundings(FaultTest):

    def test_executable_changes_while_it_runs(self):
        expected = self.straight()
        content = read(self.file)

        def overwrite():
            with open(self.file, "r+b") as file:
                file.write(b"\xcc" * len(content))

        def replace():
            write(self.path("other"), b"other")
            os.rename(self.path("other"), self.file)

        for change in (overwrite, lambda: os.truncate(self.file, 0), replace, lambda: os.unlink(self.file)):
            if os.path.exists(self.file):
                os.unlink(self.file)
            write(self.file, content)
            save = self.path("changed.safetensors")
            process = start(*self.long, f"--save={save}")
            process.stdout.readline()
            change()
            self.assertEqual(Ended(process).code, 0)
            self.assertEqual(weights(save), expected)

    def test_signatures(self):
        for name in ("mine", "other"):
            subprocess.run([SIGN, "keys", self.path(name)], check=True)
        taken = lambda file, key="mine": run(file, "--loop=count", "--epochs=1", "--sink-size=3",
                                             f"--require-signature={self.path(key)}.pub")
        self.expect(taken(self.file), 1, "fake.plumb: not signed: there is no '.*fake.plumb.sig'")
        subprocess.run([SIGN, "sign", f"--key={self.path('mine')}.key", self.file], check=True)
        self.expect(taken(self.file), 0, "^epoch: 1 step: 3, loss is 3.0$")
        self.expect(taken(self.file, "other"), 1, "the signature does not fit: the file was changed, or another key signed it")
        content, signature = read(self.file), read(self.file + ".sig")
        swapped = self.path("swapped.plumb")
        write(swapped, content[:-1] + b"x")
        write(swapped + ".sig", signature)
        self.expect(taken(swapped), 1, "swapped.plumb: .*swapped.plumb.sig: the signature does not fit")
        write(self.file + ".sig", signature[:63])
        self.expect(taken(self.file), 1, "a signature has 64 bytes, this one has 63")
        for key, problem in (("mine.key", "a secret key; the public key is wanted"), ("none", "cannot be opened"),
                             ("fake.plumb", "is neither a key nor a signature")):
            self.expect(run(self.file, f"--require-signature={self.path(key)}"), 1, f"--require-signature: .*{problem}")

    def test_clock_jumps(self):
        """The time of day goes to and fro by years; nothing waits longer or shorter for it."""
        source, library = self.path("jump.c"), self.path("jump.so")
        with open(source, "w") as file:
            file.write("""
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long jump(void) { static long calls; return (__sync_add_and_fetch(&calls, 1) % 2 ? 1 : -1) * 31536000L; }
int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME) now->tv_sec += jump();
  return result;
}
time_t time(time_t *out) { struct timespec now; clock_gettime(CLOCK_REALTIME, &now); if (out) *out = now.tv_sec; return now.tv_sec; }
int gettimeofday(struct timeval *out, void *zone) {
  struct timespec now; clock_gettime(CLOCK_REALTIME, &now); out->tv_sec = now.tv_sec; out->tv_usec = now.tv_nsec / 1000; return 0;
}
""")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        expected, save = self.straight(), self.path("jumped.safetensors")
        environment = {**os.environ, "LD_PRELOAD": library}
        ended = run(*self.long, f"--save={save}", f"--checkpoint={self.path('run')}", "--every=1s", "--max-time=100",
                    env=environment)
        self.assertEqual(ended.code, 0, ended.err)
        self.assertEqual(weights(save), expected)
        begin = time.monotonic()
        self.expect(run(*self.endless, "--max-time=1", env=environment), 3, "stopped by --max-time")
        self.assertLess(abs(time.monotonic() - begin - 1), 2)


class Terminal(FaultTest):

    def on_terminal(self, *arguments, columns=80):
        """What plumb-run shows where both its outputs are one terminal."""
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm"}
        process = subprocess.Popen([RUN, *arguments], stdout=follower, stderr=follower, env=environment)
        os.close(follower)
        shown = b""
        while select.select([leader], [], [], 60)[0]:
            try:
                shown += os.read(leader, 65536)
            except OSError:  # the last one closed it
                break
        os.close(leader)
        return process.wait(timeout=60), shown.decode()

    def test_bar(self):
        code, shown = self.on_terminal(self.file, "--loop=count", "--sink-size=50000000", "--epochs=2", "--max-time=1")
        self.assertEqual(code, 3)
        self.assertRegex(shown, r"\repoch 1/2 (\[[=> ]*\] )?\d+\.\d % \d+/100000000 loss [\d.]+ [\d:]+( s)? left \d+ steps/s\x1b\[K")
        code, wide = self.on_terminal(self.file, "--loop=count", "--sink-size=50000000", "--epochs=2", "--max-time=1", columns=150)
        self.assertRegex(wide, r"\repoch 1/2 \[=*> +\] \d+\.")
        # Before any other line the bar goes away.
        self.assertRegex(shown, r"\x1b\[K\r\x1b\[Kepoch: 1 step: \d+, loss is ")

    def test_no_bar_elsewhere(self):
        arguments = (self.file, "--loop=count", "--sink-size=300000", "--epochs=2")
        self.assertNotIn("\r", run(*arguments).err)
        self.assertNotIn("\x1b", self.on_terminal(*arguments, "--progress=never")[1])
        self.assertIn("\nepoch 1/1 0.0 % ", run(*self.endless, "--max-time=1", "--progress=always").err)
        self.expect(run(*arguments, "--progress=often"), 2, "--progress is auto, always or never")

    def test_log_levels(self):
        arguments = (self.file, "--loop=count", "--sink-size=5", "--epochs=1", f"--checkpoint={self.path('run')}", "--resume")
        self.assertIn("note: there is no checkpoint", run(*arguments).err)
        self.assertEqual(run(*arguments, "--log=warning").err, "")
        self.assertRegex(run(*arguments, "--log=debug", "--epochs=2").err, "debug: checkpoint after step 10")
        self.expect(run(*arguments, "--log=loud"), 2, "--log is error, warning, note or debug")

    def test_waits_are_told(self):
        said = run(*self.long, "--time").out
        self.assertRegex(said, r"(?m)^device waited for data: [\d.]+ % of [\d.]+ s$")
        self.assertRegex(said, r"(?m)^queue train: \d+ batches, [\d.]+ of 4 slots filled on average; device: \d+ waits, ")
        said = run(*self.long, "--reports=json").out
        self.assertRegex(said, r'"event": "queue", "name": "train", .*"depth_over_time": \[\[0, 1\]')


if __name__ == "__main__":
    for argument in [each for each in sys.argv if each.startswith("--kills=")]:
        KILLS = int(argument.split("=")[1])
        sys.argv.remove(argument)
    unittest.main()
