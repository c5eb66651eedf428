"""What leaves the house: executables that need nothing, loops that call nothing, and a runner without compiler or Python.

Binutils' readelf and objdump (Debian's `binutils`, which the compiler's driver needs anyhow) look at the files; the quiet
loop is shown by //test/runtime/session:quiet_loop_test, run here on a real network.
"""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest

import commands

ALLOWED = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}
# Functions of plumb_launch_t: wait_batch, wait_report and parallel; and what a table of tasks holds.
HOST, TASK = {"0x30", "0x38", "0x58"}, ""
PROGRAM = """import lenet
lenet.make_model().train(4, lenet.digits(), dataset_sink_mode=True, sink_size=50)
"""


def needed(path):
    """Names of the libraries that an ELF file wants."""
    text = subprocess.run(["readelf", "-d", path], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.*)\]", text))


def loaded(path):
    """Names of all libraries that are loaded with a program, its libraries' libraries too."""
    text = subprocess.run(["ldd", path], check=True, capture_output=True, text=True).stdout
    return {os.path.basename(line.split()[0]) for line in text.splitlines()}


class ShippedTest(commands.CommandTest):
    """LeNet as a .plumb file and as a program of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.write("program.py", PROGRAM)
        cls.executable = cls.path("lenet.plumb")
        done = cls.run_tool("plumbc", cls.program, "-o", cls.executable)
        assert done.returncode == 0, done.stderr

    def run_bare(self, *command):
        """Runs a command without any environment, in a folder of its own; returns its output."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(command, env={}, cwd=folder, check=False, capture_output=True, text=True, timeout=300)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_executable_needs_nothing(self):
        self.assertLessEqual(needed(self.executable), ALLOWED)
        symbols = subprocess.run(["readelf", "--dyn-syms", "-W", self.executable], check=True, capture_output=True,
                                 text=True).stdout
        undefined = re.findall(r" UND (\S+)", symbols)
        self.assertEqual([name for name in undefined if not name.endswith("@GLIBC_2.29")], [], "more than libm's functions")
        self.assertIn("plumb_executable_query", symbols)

    def test_loop_leaves_only_by_the_host_s_functions(self):
        text = subprocess.run(["objdump", "-d", "-j", ".text", "--no-show-raw-insn", self.executable], check=True,
                              capture_output=True, text=True).stdout
        own = {int(address, 16) for address in re.findall(r"^\s*([0-9a-f]+):", text, flags=re.M)}
        loaded_from, left = {}, set()
        for line in text.splitlines():
            load = re.search(r"\tmov\s+(\S*)\(%\w+\),%(\w+)$", line)
            if load:
                loaded_from[load[2]] = load[1]
            call = re.search(r"\t(?:notrack )?call\s+(\S+)", line)
            if call and call[1].startswith("*"):
                place = re.fullmatch(r"\*(\S*)\(%\w+\)", call[1])
                left.add(place[1] if place else loaded_from[call[1].lstrip("*%")])
            elif call:
                # A kernel of the executable itself: a plain address among its own instructions.
                self.assertIn(int(call[1], 16), own, line)
        self.assertEqual(left, HOST | {TASK})
        self.assertEqual(re.findall(r"\t(syscall|sysenter|int )", text), [])
        self.assertEqual(re.findall(r"\tjmp\s+\*.*", text), [])

    def test_loop_is_quiet(self):
        judge = os.path.join("test", "runtime", "session", "quiet_loop_test")
        judge = os.environ.get("PLUMB_QUIET_LOOP_TEST", judge)
        if not os.path.exists(judge):
            self.skipTest(f"{judge} is not built")
        done = subprocess.run([judge, "--gtest_filter=*TheGivenExecutableIsQuiet"], check=False, capture_output=True,
                              text=True, env=dict(os.environ, PLUMB_QUIET_EXECUTABLE=self.executable), timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("[  PASSED  ] 1 test", done.stdout)

    def test_runner_needs_neither_compiler_nor_python(self):
        for name in ("plumb-run", "plumb-dump", "plumb-bench"):
            names = " ".join(sorted(loaded(commands.tool(name))))
            self.assertNotRegex(names, "(?i)llvm|mlir|python|blas|flatbuffers|absl", name)
        output = self.run_bare(commands.tool("plumb-run"), self.executable, "--epochs", "1", "--sink-size", "3")
        self.assertRegex(output, r"^epoch: 1 step: 3, loss is \d\.\d+\n$")

    def test_stand_alone_program(self):
        program = self.path("lenet")
        done = self.run_tool("plumbc", self.program, "--emit=exe", "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLessEqual(loaded(program) - {"linux-vdso.so.1"}, ALLOWED)
        saved = [self.path(name) for name in ("exe.safetensors", "run.safetensors")]
        arguments = ("--epochs", "2", "--sink-size", "10", "--save")
        outputs = [self.run_bare(program, *arguments, saved[0]),
                   self.run_bare(commands.tool("plumb-run"), self.executable, *arguments, saved[1])]
        self.assertEqual(outputs[0], outputs[1])
        with open(saved[0], "rb") as one, open(saved[1], "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_prints_of_the_program_stay_out_of_the_output(self):
        program = self.path("prints.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write('print("hello")\n' + PROGRAM)
        done = self.run_tool("plumbc", program, "--emit=llvm", "-o", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("hello", done.stdout)
        self.assertIn("hello", done.stderr)

    def test_other_forms(self):
        wanted = {"obj": b"\x7fELF", "asm": b"plumb_loop_train", "llvm": b"define", "mlir": b"llvm.func"}
        for form, sign in wanted.items():
            with self.subTest(form=form):
                path = self.path("lenet." + form)
                done = self.run_tool("plumbc", self.program, f"--emit={form}", "-o", path)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(path, "rb") as file:
                    self.assertIn(sign, file.read())

    def test_launch_patterns_of_the_runner(self):
        files = []
        for number, pattern in enumerate((("--epochs=1", "--sink-size=40"), ("--epochs=40", "--sink-size=1"),
                                          ("--epochs=4", "--sink-size=10"), ("--epochs=1", "--sink-size=40", "--no-sink"))):
            files.append(self.path(f"pattern{number}.safetensors"))
            self.run_bare(commands.tool("plumb-run"), self.executable, *pattern, "--save", files[-1])
        contents = []
        for path in files:
            with open(path, "rb") as file:
                contents.append(file.read())
        self.assertTrue(all(content == contents[0] for content in contents))

    def test_small_and_soon(self):
        done = self.run_tool("plumb-bench", self.executable, "--steps", "20", "--resident", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        figures = json.loads(done.stdout)
        self.assertLess(figures["peak_rss_bytes"], 100 << 20)
        self.assertEqual(figures["launches"], 1)
        start = time.monotonic()
        self.run_tool("plumb-dump", self.executable)
        self.assertLess(time.monotonic() - start, 5)


if __name__ == "__main__":
    unittest.main()
