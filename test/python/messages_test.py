"""Mistakes that people make: each is reported at the line of their program that has it, with the way round."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

HEAD = """import numpy as np
import mindspore as ms
from mindspore import nn, ops, Tensor, Parameter
import mindspore.dataset as ds
"""
X = "Tensor(np.ones((2, 3), np.float32))"
TRAIN = """
model = ms.Model(net, {loss}, nn.SGD(net.trainable_params(), 0.1))
model.train(1, data)  # here
"""
DATA = 'data = ds.NumpySlicesDataset((np.ones((8, 3), np.float32), {labels}), ["x", "y"]).batch(4)\n'
CELL = """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(3, 4)
{body}
net = Net()
"""
JIT = """
@ms.jit
def f(x):
{body}
f(""" + X + ")\n"


def cell(body):
    """A network with a construct, or what stands for one."""
    return CELL.format(body="\n".join("    " + line for line in body.splitlines()))


def jit(body):
    """A compiled function that is called."""
    return JIT.format(body="\n".join("    " + line for line in body.splitlines()))


# (name, program in which `# here` marks the line to be named, words of the message)
MISTAKES = [
    ("a forgotten return", cell("def construct(self, x):\n    h = self.d(x)") + f"""
def forward(x):
    return net(x)
ms.value_and_grad(forward, None, net.trainable_params())({X})  # here
""", "returns None.*'Net.construct' ends without 'return'"),
    ("float labels", "net = nn.Dense(3, 4)\n" + DATA.format(labels="np.ones(8, np.float32)") +
     TRAIN.format(loss="nn.CrossEntropyLoss()"), "one integer class per row"),
    ("a function of scipy", "import mindspore.scipy as scipy\n" + jit("return scipy.linalg.cholesky(x)  # here"), "square matrix.*(2, 3)"),
    ("a method of a tensor", jit("return x.view(5, 5)  # here"), "6 elements"),
    ("a function of mint", "from mindspore import mint\n" + jit("return mint.matmul(x, x)  # here"), "3 columns meet 2 rows"),
    ("a list of layers", cell("    self.layers = [nn.Dense(4, 4)]\ndef construct(self, x):\n    return x") + """
net.trainable_params()  # here
""", "'layers' of 'Net' is a list of cells.*nn.CellList"),
    ("two columns of one name", 'ds.NumpySlicesDataset((np.ones(3), np.ones(3)), ["x", "x"])  # here\n',
     "each column needs a name of its own, but 'x'"),
    ("forward instead of construct", cell("def forward(self, x):  # here\n    return self.d(x)") + f"net({X})\n",
     "'Net' has no method 'construct'.*rename its 'forward'"),
    ("a raise with an f-string", jit("if x.ndim != 3:\n    raise ValueError(f'3 axes, not {x.ndim}')  # here\nreturn x"),
     "ValueError: 3 axes, not 2"),
    ("an assert with an f-string", jit("assert x.ndim == 3, f'3 axes, not {x.shape}'  # here\nreturn x"),
     r"3 axes, not \(2, 3\)"),
    ("layers that do not fit", cell("def construct(self, x):\n    return self.d(self.d(x))  # here") + f"net({X})\n",
     "cannot multiply.*4 columns meet 3 rows"),
    ("a product of floats and integers", jit("return ops.matmul(x, ops.cast(x.T, ms.int32))  # here"), "TypeError: element types differ"),
    ("a convolution of two element types", jit("return ops.conv2d(ops.ones((1, 1, 4, 4), ms.float32), ops.ones((1, 1, 2, 2), ms.float16))  # here"),
     "TypeError: element types differ: .*; ops.cast converts one"),
    ("a transposed convolution of two element types", jit("return ops.Conv2DTranspose(1, 2)(ops.ones((1, 1, 4, 4), ms.float32), "
                                                        "ops.ones((1, 1, 2, 2), ms.float16), (1, 1, 5, 5))  # here"), "TypeError: element types differ"),
    ("floats and integers in a row", jit("return ops.concat((x, ops.cast(x, ms.int32)))  # here"), "TypeError: element types differ"),
    ("floats and integers on a new axis", jit("return ops.stack((x, ops.cast(x, ms.int32)))  # here"), "TypeError: element types differ"),
    ("integers to normalise", "nn.BatchNorm1d(3).set_train(False)(ms.ops.cast(%s, ms.int32))  # here\n" % X,
     "TypeError: For 'BatchNorm', the input must be of float16, float32"),
    ("an input that does not fit", f"net = nn.Dense(5, 4)\nnet({X})  # here\n", "cannot multiply"),
    ("a missing attribute", cell("def construct(self, x):\n    return self.e(x)  # here") + f"net({X})\n", "no attribute 'e'"),
    ("too many arguments", f"nn.Dense(3, 4)({X}, 1)  # here\n", "takes 2 positional arguments but 3 were given"),
    ("a name that one branch assigns", jit("if x.mean() > 0:\n    y = x\nreturn y  # here"), "'y' may be undefined"),
    ("a function of NumPy", jit("return np.sum(x)  # here"), "needs the value of a tensor"),
    ("a tensor's value", jit("return x.asnumpy()  # here"), "keep it a tensor"),
    ("a precision in an f-string", jit("print(f'mean {x.mean():.3f}')  # here\nreturn x"), "return the tensor, and format it there"),
    ("a mean of integers", jit("return ops.cast(x, ms.int32).mean()  # here"), "convert them before"),
    ("integers for a convolution", "nn.Conv2d(1, 1, 1)(Tensor(np.ones((1, 1, 2, 2), np.int32)))  # here\n",
     r"the argument 'x' of conv2d\(\) must be a tensor of floats"),
    ("rows by floats", jit("return ops.gather(x, x[0], 0)  # here"), "must be a tensor of integers.*astype"),
    ("an index beyond the shape", jit("return x[:, 3]  # here"), "index 3 is out of bounds for axis 1 of size 3"),
    ("a last batch for data_sink", DATA.format(labels="np.ones(8, np.float32)").replace("batch(4)", "batch(3)") + """
ms.data_sink(lambda x, y: x.sum(), data)  # here
""", "last batch of a pass has 2 rows instead of 3"),
]


class MessagesTest(unittest.TestCase):
    """See the file's head."""

    def test_mistakes(self):
        for name, program, words in MISTAKES:
            with self.subTest(name):
                self.check(HEAD + program, words)

    def check(self, program, words):
        """Runs a program that fails, and looks for the marked line and the words in what it says."""
        line = next(number for number, text in enumerate(program.splitlines(), 1) if text.endswith("# here"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            done = subprocess.run([sys.executable, "-m", "plumb.mindspore", path], capture_output=True, text=True, check=False)
        first = done.stderr.split("note:")[0]
        self.assertRegex(first, rf"program\.py:{line}:", done.stderr)
        self.assertRegex(done.stderr, f"(?s){words}")
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(re.search(r"^[^\n]*/plumb/(nn|ops|train)/", first), done.stderr)


class ClassesTest(unittest.TestCase):
    """Errors are of the class that their message begins with, whatever data that class holds."""

    def test_classes(self):
        from plumb._parse import CompileError
        for kind in (FileNotFoundError, OSError, KeyError, ValueError, TypeError, IndexError, StopIteration, TimeoutError,
                     ZeroDivisionError):
            with self.assertRaises(kind) as caught:
                raise CompileError(f"{kind.__name__}: nothing there", "program.py", 3, 1)
            self.assertIsInstance(caught.exception, CompileError)
            self.assertEqual(str(caught.exception), f"program.py:3:1: error: {kind.__name__}: nothing there")


if __name__ == "__main__":
    unittest.main()
