"""What users do wrong, through the tools and in process: one paragraph, the right exit code, nothing half-written."""

import gzip
import os
import re
import shutil
import struct
import unittest
import zlib

import commands
import lenet

# A small program; the tests put their mistakes into its holes.
PROGRAM = """import sys
import numpy as np
import plumb
from plumb import dataset, nn, ops, train


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense({inputs}, 4)

    def construct(self, x):
        {body}


x = np.ones(({rows}, 8), np.float32)
y = np.full(({rows},), {label}, np.{type})
data = dataset.NumpySlicesDataset((x, y), ["x", "y"]).batch({batch}, drop_remainder={drop})
net = Net()
model = train.Model(net, nn.SoftmaxCrossEntropyWithLogits(True, "mean"), nn.Momentum(net.trainable_params(), 0.1, 0.9))
model.train(1, data, dataset_sink_mode=True, sink_size={sink_size})
"""
GOOD = {"inputs": 8, "body": "return self.dense(x)", "rows": 64, "label": 1, "type": "int32", "batch": 8, "drop": True, "sink_size": -1}
# Looks up {index} in a table of 50 rows: sunk if an argument is given, called otherwise.
LOOKUP = """import sys
import numpy as np
import plumb
from plumb import dataset, nn, ops


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(50, 4)

    def construct(self, i):
        return ops.reduce_mean({lookup})


net = Net()
i = np.array([0, 49, {index}, 1], np.{type})
if len(sys.argv) > 1:
    plumb.data_sink(net, dataset.NumpySlicesDataset({{"i": i}}, shuffle=False).batch(4), sink_size=1)()
else:
    net(plumb.Tensor(i))
"""
LOOKUPS = ("self.table(i)", "ops.gather(self.table.embedding_table, i, 0)", "self.table.embedding_table[i]",
           "ops.transpose(self.table.embedding_table, (1, 0))[:, i]")
DIGITS = """import lenet
lenet.make_model().train(1, lenet.digits(folder={folder!r}), dataset_sink_mode=True, sink_size={sink_size})
"""


class ProgramTest(commands.CommandTest):
    """Mistakes in programs, heard from plumbc and from the program itself alike."""

    def check(self, pattern, compiled=True, lines=3, **mistakes):
        """The program in process, and plumbc where the mistake is the compiler's to find, give the same paragraph."""
        path = self.write("program.py", PROGRAM.format(**{**GOOD, **mistakes}))
        self.check_error(self.run_program(path), pattern, lines=lines)
        if compiled:
            output = self.path("program.plumb")
            # plumbc adds which program it could not capture.
            self.check_error(self.run_tool("plumbc", path, "-o", output), pattern, lines=lines + 1)
            self.assertFalse(os.path.exists(output))

    def test_the_program_itself_is_good(self):
        path = self.write("program.py", PROGRAM.format(**GOOD))
        done = self.run_program(path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_syntax(self):
        cases = (
            ("class A: size = x", r"the body of a class inside of a compiled function runs while compiling, and cannot use the function's own name 'x'; use it",
             r"class A: size = x\n {24}\^~*"),
            ("yield x", r"'yield' cannot be compiled; collect", r"yield x\n        \^~~~~~~$"),
            ("global q\n        q = x\n        return x", r"the global name 'q' is assigned in this function.*; keep state in a Parameter",
             r"global q\n        \^~~~~~~~"),
        )
        for body, message, underlined in cases:
            with self.subTest(body=body):
                self.check(rf"program.py:1[34]:\d+: error: {message}[^\n]*\n *[^\n]*{underlined}", body=body)

    def test_operations_that_are_not_there(self):
        self.check(r"program.py:13:27: error: AttributeError: 'plumb.ops.fbt' is not offered[^\n]*\n[^\n]*\n {26}\^~~~~~~$",
                   body="return self.dense(ops.fbt(x))")
        self.check(r"program.py:13:27: error: TypeError: this computation needs the value of a tensor.*; use operations of plumb.ops",
                   body="return self.dense(np.sin(x))")
        self.check(r"program.py:13:27: error: NameError: the name 'undefined' is not defined", body="return self.dense(undefined)")
        self.check(r"program.py:13:27: error: AttributeError: a tensor has no attribute 'frobnicate'[^\n]*\n"
                   r" *return self[^\n]*\n {26}\^~{13}$", lines=9,
                   body="return self.dense(x.frobnicate())")
        self.check(r"program.py:13:16: error: AttributeError: The 'Net' object has no attribute 'dens'\.\n[^\n]*\n {15}\^~{11}$", lines=9,
                   body="return self.dens(x)")

    def test_arguments_and_modules_that_are_not_there(self):
        """What Python itself finds wrong in a line of the program."""
        for line, message in (("nn.Adam([], lr=0.1)", r"TypeError: .*'lr'"),
                              ("import not_there", r"ModuleNotFoundError: .*'not_there'")):
            path = self.write("program.py", f"from plumb import nn\n{line}\n")
            for done in (self.run_program(path), self.run_tool("plumbc", path, "-o", self.path("program.plumb"))):
                self.check_error(done, rf"program.py:2:1: error: {message}[^\n]*\n *{re.escape(line)}", lines=4)

    def test_wrong_arguments_in_a_cell(self):
        text = ("from plumb import nn\nclass Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n"
                "        self.pool = nn.MaxPool2d(kernel=3)\nNet()\n")
        path = self.write("program.py", text)
        for done in (self.run_program(path), self.run_tool("plumbc", path, "-o", self.path("program.plumb"))):
            self.check_error(done, r"program.py:5:21: error: TypeError: .*'kernel'\n *self.pool = .*\n {20}\^~+\n"
                                   r".*program.py:6:1: note: called from here\nNet\(\)", lines=6)

    def test_types_and_shapes_name_both_ends(self):
        self.check(r"error: ValueError: cannot multiply Tensor\[Float32\] of shape \(8, 8\) by Tensor\[Float32\] of shape \(4, 7\) \(transposed\): 8 columns meet 7 rows\n"
                   r"(.*\n)*.*nn/layer/basic.py:\d+:\d+: note: it was found here", lines=12, inputs=7)
        self.check(r"program.py:13:16: error: ValueError: cannot multiply", lines=12, inputs=7)
        self.check(r"program.py:13:16: error: ValueError: shapes do not broadcast: Tensor\[Float32\] of shape \(8, 4\) and Tensor\[Float32\] of shape \(3, 5\) have "
                   r"extents 8 and 3", lines=9, body="return self.dense(x) + ops.ones((3, 5), plumb.float32)")
        self.check(r"program.py:13:16: error: .* cannot take the string 'a'", lines=9,
                   body="return self.dense(x) + 'a'")

    def test_labels_outside_the_classes(self):
        for label in (4, -1):
            self.check(rf"queue 'train'.*: column 'y', batch 0: value 0 is {label}, which is outside the classes 0 to 3",
                       compiled=False, label=label)
        path = self.write("labels.py", PROGRAM.format(**{**GOOD, "label": 17}))
        output = self.path("labels.plumb")
        self.assertEqual(self.run_tool("plumbc", path, "-o", output).returncode, 0)
        self.check_error(self.run_tool("plumb-run", output), r"^plumb-run: error: .*value 0 is 17, .*classes 0 to 3",
                         code=5)

    def test_labels_of_every_type_are_checked(self):
        for kind in ("int8", "int16", "int64"):
            self.check(r"queue 'train'.*: column 'y', batch 0: value 0 is 100, which is outside the classes 0 to 3",
                       compiled=False, label=100, type=kind)

    def test_indices_outside_their_axis(self):
        for number, (lookup, kind, way) in enumerate(zip(LOOKUPS, ("int32", "int16", "int64", "int32"), ("", "sink", "sink", ""))):
            axis = 1 if number == 3 else 0
            for index in (50, -51, -50):
                path = self.write("lookup.py", LOOKUP.format(lookup=lookup, index=index, type=kind))
                done = self.run_program(path, *way.split())
                if index == -50:
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    continue
                shape = r"\(4, 50\)" if axis else r"\(50, 4\)"
                use = "of an axis of 50" if number < 2 else f"along axis {axis} of a tensor of shape {shape}"
                self.check_error(done, rf"batch 0: value 2 is {index}, which is outside -50 to 49, the indices {use} "
                                       rf"at .*lookup.py:13:\d+", lines=3)

    def test_computed_indices_outside_their_axis(self):
        """The step finds them: called, sunk, and by plumb-run."""
        text = LOOKUP.format(lookup="self.table(i + 1)", index=0, type="int32")
        path = self.write("computed.py", text)
        pattern = (r"loop '\w+': step 1 computed 50, which is outside -50 to 49, the indices of an axis of 50 "
                   r"at .*computed.py:13:\d+")
        for way in ((), ("sink",)):
            self.check_error(self.run_program(path, *way), pattern, lines=3)
        self.write("computed.py", text.replace("len(sys.argv) > 1", "True"))
        output = self.path("computed.plumb")
        self.assertEqual(self.run_tool("plumbc", path, "-o", output).returncode, 0)
        saved = self.path("computed.safetensors")
        self.check_error(self.run_tool("plumb-run", output, "--save", saved), "^plumb-run: error: " + pattern, lines=2)
        self.assertFalse(os.path.exists(saved))

    def test_raise(self):
        """What the program raises under a condition on a tensor, in process and by plumb-run."""
        text = PROGRAM.format(**{**GOOD, "body": "assert x.sum() < 100, 'a large sum'; return self.dense(x)"})
        path = self.write("raise.py", text.replace("x = np.ones((64, 8), np.float32)", "x = np.ones((64, 8), np.float32)\nx[40] = 99"))
        self.assertRegex(self.run_program(path).stderr, r"(?s)AssertionError: .*a large sum\n.*raise.py:13:\d+: raised in step \d+\n")
        output, saved = self.path("raise.plumb"), self.path("raise.safetensors")
        self.assertEqual(self.run_tool("plumbc", path, "-o", output).returncode, 0)
        self.check_error(self.run_tool("plumb-run", output, "--save", saved),
                         r"^plumb-run: error: loop 'train': step \d+: AssertionError: .*a large sum at .*raise.py:13:\d+", lines=2)
        self.assertFalse(os.path.exists(saved))

    def test_sink_size(self):
        for size in (0, -2):
            self.check(rf"program.py:21:1: error: ValueError: The 'sink_size' must be -1 or positive, but got sink_size "
                       rf"{size}\.", sink_size=size)

    def test_dataset_that_is_too_small(self):
        self.check(r"There is no valid data .*64 rows, which make no whole batch of 100", batch=100)

    def test_batch_of_another_shape(self):
        path = self.write("program.py", PROGRAM.format(**{**GOOD, "batch": 10, "drop": False}))
        done = self.run_program(path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.check_error(self.run_tool("plumbc", path, "-o", self.path("program.plumb")),
                         r"program.py:21:1: error: ValueError: The last batch of a pass has 4 rows instead of 10, but an executable "
                         r"has one batch size", lines=4)

    def test_columns_of_several_lengths(self):
        path = self.write("lengths.py", PROGRAM.format(**GOOD).replace("y = np.full((64,)", "y = np.full((63,)"))
        self.check_error(self.run_program(path), r"equally many rows, but got .*\[64, 63\]", lines=3)


class DataTest(commands.CommandTest):
    """Data folders and IDX files, in process and under plumb-run."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.executable = cls.path("lenet.plumb")
        path = cls.write("lenet_program.py", DIGITS.format(folder=lenet.DIGITS, sink_size=5))
        done = cls.run_tool("plumbc", path, "-o", cls.executable)
        assert done.returncode == 0, done.stderr

    def folder(self, name, change):
        """A copy of the digits with one file's plain bytes changed; None drops the file."""
        folder = self.path(self._testMethodName)
        os.makedirs(folder, exist_ok=True)
        for source in os.listdir(lenet.DIGITS):
            if source.endswith(".gz"):
                shutil.copy(os.path.join(lenet.DIGITS, source), folder)
        packed = os.path.join(folder, name + ".gz")
        with gzip.open(packed) as file:
            changed = change(file.read())
        os.unlink(packed)
        if changed is not None:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(changed)
        return folder

    def check(self, folder, pattern):
        """plumb-run and the program in process say the same."""
        self.check_error(self.run_tool("plumb-run", self.executable, "--data", folder), r"^plumb-run: error: .*" + pattern, code=5)
        path = self.write("digits.py", DIGITS.format(folder=folder, sink_size=5))
        self.check_error(self.run_program(path), pattern, lines=3)

    def test_missing_folder(self):
        self.check_error(self.run_tool("plumb-run", self.executable, "--data", "/no/such/folder"),
                         r"^plumb-run: error: .*/no/such/folder", code=5)
        path = self.write("digits.py", DIGITS.format(folder="/no/such/folder", sink_size=5))
        for done in (self.run_program(path), self.run_tool("plumbc", path, "-o", self.path("no.plumb"))):
            self.check_error(done, r"The folder /no/such/folder does not exist", lines=4)
        self.assertFalse(os.path.exists(self.path("no.plumb")))

    def test_folder_without_digits(self):
        os.makedirs(self.path("empty"))
        self.check_error(self.run_tool("plumb-run", self.executable, "--data", self.path("empty")),
                         r"^plumb-run: error: .*empty.*idx", code=5)
        path = self.write("digits.py", DIGITS.format(folder=self.path("empty"), sink_size=5))
        self.check_error(self.run_program(path), r"There is no valid data .*/empty' holds none of the files of MnistDataset", lines=3)

    def test_truncated(self):
        self.check(self.folder("train-images-idx3-ubyte", lambda data: data[:100000]),
                   r"train-images-idx3-ubyte: truncated")

    def test_truncated_gzip(self):
        folder = self.folder("t10k-labels-idx1-ubyte", lambda data: data)
        packed = os.path.join(folder, "train-images-idx3-ubyte.gz")
        os.truncate(packed, os.path.getsize(packed) // 2)
        self.check(folder, r"train-images-idx3-ubyte.gz: truncated")

    def test_wrong_magic(self):
        self.check(self.folder("train-images-idx3-ubyte", lambda data: b"\0\0\x0d\x03" + data[4:]),
                   r"train-images-idx3-ubyte: magic number 0x00000d03")

    def test_label_that_is_no_digit(self):
        self.check(self.folder("train-labels-idx1-ubyte", lambda data: data[:8] + b"\x0b" + data[9:]),
                   r"train-labels-idx1-ubyte.* outside the classes 0 to 9")

    def test_fewer_labels_than_images(self):
        self.check(self.folder("train-labels-idx1-ubyte", lambda data: data[:4] + struct.pack(">I", 7000) + data[8:7008]),
                   r"8000.*7000|7000.*8000")

    def test_sink_size(self):
        for size in ("0", "-2"):
            self.check_error(self.run_tool("plumb-run", self.executable, "--sink-size", size),
                             rf"The 'sink_size' must be -1 or positive, but got sink_size {size}\.", code=2, lines=2)


def _sum(image, seal):
    """The checksum of an executable whose own four bytes lie at `seal`."""
    return zlib.crc32(image[seal + 4:], zlib.crc32(b"\0\0\0\0", zlib.crc32(image[:seal])))


class ExecutableTest(commands.CommandTest):
    """Damaged, foreign and newer executables, a lesser CPU, places that cannot be written, Ctrl-C."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.write("program.py", PROGRAM.format(**GOOD))
        cls.executable = cls.path("good.plumb")
        done = cls.run_tool("plumbc", cls.program, "-o", cls.executable)
        assert done.returncode == 0, done.stderr
        with open(cls.executable, "rb") as file:
            cls.image = file.read()

    def check_file(self, image, pattern):
        """plumb-run and plumb-dump refuse the file."""
        path = self.write("bad.plumb", image)
        for name in ("plumb-run", "plumb-dump"):
            self.check_error(self.run_tool(name, path), rf"^{name}: error: .*bad.plumb: {pattern}")

    def test_truncated(self):
        for part in (0.1, 0.5, 0.99):
            self.check_file(self.image[:int(part * len(self.image))], r"truncated")

    def test_corrupted(self):
        for part in (0.3, 0.6, 0.9):
            image = bytearray(self.image)
            image[int(part * len(image))] ^= 0x10
            self.check_file(bytes(image), r"corrupted")

    def test_foreign(self):
        self.check_file(b"#!/bin/sh\nexit 0\n" * 100, r"not a Plumb executable")
        self.check_file(b"", r"the file is empty")
        with open("/bin/true", "rb") as file:
            self.check_file(file.read(), r"not a Plumb executable")

    def resealed(self, place, value):
        """The image with bytes changed and its sum made right again."""
        seal = next(at for at in range(0, len(self.image), 4)
                    if _sum(self.image, at) == struct.unpack_from("<I", self.image, at)[0])
        image = bytearray(self.image)
        image[place:place + len(value)] = value
        struct.pack_into("<I", image, seal, _sum(bytes(image), seal))
        return bytes(image)

    def test_newer(self):
        manifest = self.image.index(b"PLMB") - 4
        root = manifest + struct.unpack_from("<I", self.image, manifest)[0]
        table = root - struct.unpack_from("<i", self.image, root)[0]
        version = root + struct.unpack_from("<H", self.image, table + 4)[0]
        self.check_file(self.resealed(version, struct.pack("<I", 99)), r".*newer .*99")

    def test_cpu_without_a_feature(self):
        feature = self.image.index(b"\x04\x00\x00\x00sse2\x00") + 4
        path = self.write("cpu.plumb", self.resealed(feature, b"sse9"))
        self.check_error(self.run_tool("plumb-run", path), r"^plumb-run: error: .*cpu.plumb: .*sse9")
        self.assertEqual(self.run_tool("plumb-dump", path).returncode, 0)

    def test_unwritable_output(self):
        output = self.write("folder", "") + "/x.plumb"
        for place in ("/no/such/folder/x.plumb", output, self.scratch, "/proc/x.plumb"):
            with self.subTest(place=place):
                self.check_error(self.run_tool("plumbc", self.program, "-o", place), r"^plumbc: cannot write " + place)
        os.unlink(self.path("folder"))
        done = self.run_tool("plumb-run", self.executable, "--save", "/no/such/folder/w.safetensors")
        self.check_error(done, r"plumb-run: error: .*/no/such/folder")

    def test_target_that_is_not_known(self):
        done = self.run_tool("plumbc", self.program, "--target-cpu=x86-64-v9", "-o", self.path("no.plumb"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^plumbc: --target-cpu knows no processor 'x86-64-v9'; take native, x86-64-v2")
        self.assertFalse(os.path.exists(self.path("no.plumb")))
        done = self.run_tool("plumbc", self.program, "--target-cpu=cortex-m4", "-o", self.path("no.plumb"))
        self.check_error(done, r"cannot be compiled: 'cortex-m4' is no aarch64 processor", lines=3)
        done = self.run_tool("plumbc", self.program, "--target-cpu=neoverse-n1", "--emit=exe", "-o", self.path("no.plumb"))
        self.check_error(done, r"a program is linked for this machine alone, not for aarch64", lines=3)

    def test_what_stood_there_stays_when_compiling_fails(self):
        output = self.write("standing.plumb", "as before")
        path = self.write("broken.py", PROGRAM.format(**{**GOOD, "inputs": 7}))
        before = sorted(os.listdir(self.scratch))
        self.assertEqual(self.run_tool("plumbc", path, "-o", output).returncode, 1)
        with open(output) as file:
            self.assertEqual(file.read(), "as before")
        self.assertEqual(sorted(os.listdir(self.scratch)), before)

    def test_interrupted_plumb_run(self):
        saved = self.path("saved.safetensors")
        command = [commands.tool("plumb-run"), self.executable, "--sink-size", "1000000000", "--save", saved]
        done, seconds = self.interrupt(command)
        self.check_error(done, r"plumb-run: error: stopped by Interrupt after \d+ steps; the state is intact", code=3)
        self.assertLess(seconds, 10)
        again = self.run_tool("plumb-run", self.executable, "--load", saved, "--epochs", "1", "--sink-size", "1")
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_interrupted_program(self):
        path = self.write("long.py", PROGRAM.format(**{**GOOD, "sink_size": 10 ** 9}))
        done, seconds = self.interrupt([commands.PYTHON, path], 4.0)
        self.assertRegex(done.stderr, r"^stopped by Ctrl-C: after step \d+\n$")
        self.assertIn(done.returncode, (130, -2))
        self.assertLess(seconds, 10)


if __name__ == "__main__":
    unittest.main()
