"""Six MindSpore programs, unchanged, under `python3 -m plumb.mindspore`.

The programs are not this project's: the test takes them and MNIST from the folder `shared` beside the checkout, or from
$PLUMB_SHARED, and skips where it is missing. `train` holds all 60,000 digits for the programs that are judged by their
accuracy and the project's own 8,000 for those that are judged by what they print.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import lenet

SHARED = os.environ.get("PLUMB_SHARED", os.path.join(os.path.dirname(lenet.ROOT), "shared"))
PROGRAMS = os.path.join(SHARED, "programs")
MNIST = os.path.join(SHARED, "data", "mnist")
FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte")
LINE = re.compile(r"^epoch: (\d+) step: (\d+), loss is (\S+)$", re.MULTILINE)

# After the program: count launches, and measure the network on the 10,000 test digits.
EPILOGUE = """
import plumb, numpy
from plumb import dataset, nn, train
from plumb.dataset import transforms, vision
test = dataset.MnistDataset({folder!r}, usage="test", shuffle=False)
test = test.map(transforms.TypeCast(plumb.int32), "label").map([
    vision.Resize((32, 32)), vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081),
    vision.HWC2CHW()], "image").batch(32, drop_remainder=True)
judge = train.Model(network, net_loss, metrics={{"accuracy"}})
print("accuracy", judge.eval(test)["accuracy"])
print("launches", model.launches, "steps", model.steps)
"""


@unittest.skipUnless(os.path.isdir(PROGRAMS), f"the programs are not there: {PROGRAMS}")
class ProgramsTest(unittest.TestCase):
    """Each program in a process of its own, in a folder that has the data where the program looks."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="plumb-programs-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.train = os.path.join(self.folder, "datasets", "MNIST_Data", "train")
        os.makedirs(self.train)

    def place(self, source):
        """Puts the training digits of `source` where the programs look."""
        for name in FILES:
            with gzip.open(os.path.join(source, name + ".gz")) as packed:
                with open(os.path.join(self.train, name), "wb") as plain:
                    shutil.copyfileobj(packed, plain)

    def run_program(self, name, epilogue="", source=lenet.DIGITS):
        """Runs a program; returns its output."""
        self.place(source)
        path = os.path.join(PROGRAMS, name)
        if epilogue:
            with open(path, encoding="utf-8") as file:
                text = file.read()
            path = os.path.join(self.folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text + epilogue)
        mapping = "/home/workspace/mindspore_dataset/MNIST_Data/=" + os.path.dirname(self.train)
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run([sys.executable, "-m", "plumb.mindspore", "--data", mapping, path], cwd=self.folder,
                              env=environment, check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def check_ten_sinks(self, name):
        """Ten lines, ten launches, and the accuracy of PyTorch on the same recipe, 0.987, less what chance makes of it: from
        seed to seed, and from one order of sums to another, it moves by 0.003."""
        if not os.path.isdir(MNIST):
            self.skipTest(f"the whole MNIST is not there: {MNIST}")
        output = self.run_program(name, EPILOGUE.format(folder=MNIST), source=MNIST)
        self.assertEqual([(int(epoch), step) for epoch, step, _ in LINE.findall(output)],
                         [(epoch, "1000") for epoch in range(1, 11)])
        self.assertIn("launches 10 steps 10000", output)
        accuracy = float(re.search(r"accuracy (\S+)", output).group(1))
        self.assertGreaterEqual(accuracy, 0.98)

    def test_on_device_r1_0(self):
        self.check_ten_sinks("on_device_r1_0.py")

    def test_on_device_r1_6(self):
        self.check_ten_sinks("on_device_r1_6.py")

    def test_sinking_mode_train_r2_0(self):
        self.check_ten_sinks("sinking_mode_train_r2_0.py")

    def test_sinking_mode_data_sink_r2_0(self):
        output = self.run_program("sinking_mode_data_sink_r2_0.py")
        steps = re.findall(r"^step (\d+), loss is (\S+)$", output, re.MULTILINE)
        epochs = re.findall(r"^epoch (\d+), loss is (\S+)$", output, re.MULTILINE)
        self.assertEqual((len(steps), len(epochs)), (2500, 10))
        self.assertRegex(output, r"(?m)^loss is \d\S*$")
        self.assertLess(float(epochs[-1][1]), 0.5)

    def test_custom_loop_r1_0(self):
        lines = re.findall(r"^epoch: (\d+)/10, losses: (\S+)$", self.run_program("custom_loop_r1_0.py"), re.MULTILINE)
        self.assertEqual([int(epoch) for epoch, _ in lines], list(range(1, 11)))

    def test_custom_network_r1_0(self):
        output = self.run_program("custom_network_r1_0.py")
        self.assertRegex(output, r"(?s)-------loss------ \[(-?0\.\s*){32}\]")


if __name__ == "__main__":
    if not os.path.isdir(PROGRAMS):
        print(f"SKIPPED: programs of others are not there: {PROGRAMS}", flush=True)
    unittest.main()
