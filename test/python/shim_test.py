"""`import mindspore` served from this package, and capture: in processes of their own."""

import os
import subprocess
import sys
import tempfile
import unittest


class Programs(unittest.TestCase):
    """What runs programs."""

    def run_program(self, text, *options, module="plumb.mindspore", by_name=False):
        """Runs a program under the shim, by its path or from its folder by its name; returns the finished process."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
            return subprocess.run([sys.executable, "-m", module, *options, "program.py" if by_name else path], env=environment,
                                  check=False, capture_output=True, text=True, cwd=folder if by_name else None)


class ShimTest(Programs):
    """`import mindspore` in a process of its own."""

    def test_names_of_classes(self):
        done = self.run_program("""
import abc
import mindspore as ms, mindspore.nn as nn, mindspore.ops.operations._grad_ops as G
class Net(nn.Cell, abc.ABC):
    def construct(self, x):
        return x + 1
print(type(ms.Tensor(1)), nn.Conv2d, type(Net()(ms.Tensor(1.0))), Net, G.IgammaGradA)
""")
        self.assertEqual(done.stdout, "<class 'mindspore.common.tensor.Tensor'> <class 'mindspore.nn.layer.conv.Conv2d'> "
                         "<class 'mindspore.common.tensor.Tensor'> <class '__main__.Net'> "
                         "<class 'mindspore.ops.operations._grad_ops.IgammaGradA'>\n", done.stderr)

    def test_both_spellings(self):
        done = self.run_program("""
import mindspore as ms, mindspore.nn as nn, mindspore.ops as ops
import mindspore.dataset.transforms.c_transforms as CT
import mindspore.dataset.vision.c_transforms as CV
from mindspore import context, Model, dtype as mstype, train
from mindspore.common.initializer import TruncatedNormal
from mindspore.common.parameter import ParameterTuple
from mindspore.dataset.vision import Inter
from mindspore.nn.metrics import Accuracy
from mindspore.nn.wrap.cell_wrapper import WithLossCell
from mindspore.train.callback import LossMonitor
from mindspore.train.dataset_helper import DatasetHelper, connect_network_with_dataset
import plumb
assert nn.Cell is plumb.nn.Cell and __name__ == "__main__" and mstype.int32 is ms.int32
print("fine")
""")
        self.assertEqual((done.returncode, done.stdout), (0, "fine\n"), done.stderr)

    def test_version(self):
        done = self.run_program("""
import plumb
before = plumb.__version__
import mindspore
from mindspore.common.seed import _get_graph_seed
from mindspore.ops._primitive_cache import _get_cache_prim
class Net(mindspore.nn.Cell):
    def construct(self, x):
        return _get_cache_prim(mindspore.ops.ReduceSum)(keep_dims=True)(x)
print(mindspore.__version__, before == mindspore.__version__, Net()(mindspore.Tensor([1.0, 2.0])), _get_graph_seed(0, "x"))
""")
        self.assertEqual(done.stdout, "2.0.0 False [3.] (0, 0)\n", done.stderr)

    def test_in_child_processes(self):
        """Processes that the program starts import it, too, whichever way."""
        done = self.run_program("""
import multiprocessing, subprocess, sys
import mindspore as ms
from mindspore import ops
def doubled(number):
    return ops.add(ms.Tensor(number), number).item()
if __name__ == "__main__":
    for way in ("spawn", "fork"):
        with multiprocessing.get_context(way).Pool(1) as pool:
            print(way, pool.map(doubled, [1, 2]))
    program = "import mindspore.nn as nn; print(nn.Dense.__module__, __import__('mindspore').__version__)"
    print(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout)
""")
        self.assertEqual(done.stdout, "spawn [2, 4]\nfork [2, 4]\nmindspore.nn.layer.basic 2.0.0\n\n", done.stderr)

    def test_name(self):
        """The package is known by the name it was imported by, and its own modules find what they load late."""
        done = self.run_program("""
import types, mindspore as ms, mindspore.nn as nn
from mindspore import scipy
print([key for key, value in list(globals().items()) if isinstance(value, types.ModuleType) and value.__name__ == "mindspore"])
from plumb import _trace, _native
print(_native.native_runtime() is not None, hasattr(ms, "no_such_name"), hasattr(ms, "_no_such_part"), ms.jit(lambda x: x * 2)(ms.Tensor(3)))
from mindspore import no_such_part
""")
        self.assertEqual((done.stdout, done.returncode), ("['ms']\nTrue False False 6\n", 1), done.stderr)
        self.assertRegex(done.stderr, "no_such_part.*is not offered|cannot import name 'no_such_part' from 'mindspore'")

    def test_working_directory(self):
        """A program that goes elsewhere is found there by the compiler and by `inspect`."""
        done = self.run_program("""
import inspect, os, mindspore as ms
os.chdir("/")
def twice(x):
    return x * 2
print(os.path.isabs(__file__), inspect.getsource(twice).split()[1], ms.jit(twice)(ms.Tensor(3)))
""", by_name=True)
        self.assertEqual((done.stdout, done.returncode), ("True twice(x): 6\n", 0), done.stderr)

    def test_imports_of_what_is_not_used(self):
        """Programs import names for other devices and ways of training, which they do not use here."""
        done = self.run_program("""
from mindspore import load_distributed_checkpoint
from mindspore.common.parameter import _get_unique_parameter_key
from mindspore.experimental import MapParameter
from mindspore.nn.optim import thor
from mindspore.nn.wrap.cell_wrapper import VirtualDatasetCellTriple
from mindspore.ops.operations._map_tensor_ops import MapTensorGet
from mindspore.ops.operations.comm_ops import _VirtualDataset
from mindspore.parallel._ps_context import _set_sparse_format
from mindspore.train.serialization import build_searched_strategy
from mindspore.train.train_thor import ConvertModelUtils
ConvertModelUtils().convert_to_thor_model(None)
""")
        self.assertEqual(done.returncode, 1)
        self.assertIn(":12:", done.stderr)
        self.assertIn("ConvertModelUtils' is not offered by plumb: ", done.stderr)

    def test_blocks_of_transformers_under_their_older_names(self):
        """MindSpore 1.x has the modules of `parallel._transformer` in `nn.transformer`."""
        done = self.run_program("""
from mindspore.nn.transformer.layers import _LayerNorm
from mindspore.nn.transformer.loss import CrossEntropyLoss
from mindspore.nn.transformer.op_parallel_config import OpParallelConfig
from mindspore.nn.transformer.transformer import AttentionMask, TransformerEncoder
from mindspore.parallel import _transformer as newer
print(_LayerNorm is newer.layers._LayerNorm, CrossEntropyLoss is newer.loss.CrossEntropyLoss,
      TransformerEncoder is newer.transformer.TransformerEncoder)
""")
        self.assertEqual((done.stdout, done.returncode), ("True True True\n", 0), done.stderr)

    def test_missing_module_is_named(self):
        done = self.run_program("import mindspore.rewrite\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("'mindspore.rewrite' is not offered by plumb", done.stderr)

    def test_error_in_one_paragraph(self):
        done = self.run_program("import mindspore.dataset as ds\nds.MnistDataset('/no/such/folder')\n")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"program.py:2:1: error: ValueError: The folder /no/such/folder does not exist")
        self.assertNotIn("Traceback", done.stderr)

    def test_data_mapping(self):
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "train-labels-idx1-ubyte.gz"), "wb").close()
            done = self.run_program("import os\nprint(os.path.exists('/home/x/train-labels-idx1-ubyte'))\n",
                                    "--data", f"/home/x={folder}")
        self.assertEqual(done.stdout, "True\n", done.stderr)

    def test_usage(self):
        self.assertEqual(self.run_program("", "--data", "nonsense").returncode, 2)


class CaptureTest(Programs):
    """`python3 -m plumb._capture`, and `_start.py`, which plumbc runs."""

    PROGRAM = """
import numpy as np, mindspore as ms
from mindspore import nn, dataset as ds
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 1)
    def construct(self, x):
        {body}
        return self.dense(x)
net = Net()
data = ds.NumpySlicesDataset((np.ones((8, 2), np.float32), np.ones((8, 1), np.float32)), ["x", "y"]).batch(4)
model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
model.train(3, data, dataset_sink_mode=True, sink_size=2)
print("not reached")
"""

    def test_captured_at_train(self):
        done = self.run_program(self.PROGRAM.format(body="pass"), module="plumb._capture")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("net.entry @train calls @network (tensor<4x2xf32>, tensor<4x1xf32>)", done.stdout)
        self.assertIn('sink_size = 2 : i64, epochs = 3 : i64, reports = ["loss"]', done.stdout)
        self.assertNotIn("not reached", done.stdout)

    def test_start_captures_the_same(self):
        import plumb
        program = self.PROGRAM.format(body="pass").replace("net = Net()", "net = Net(); print(np.random.rand(2).shape)")
        start = os.path.join(os.path.dirname(plumb.__file__), "_start.py")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
            environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
            texts = [subprocess.run([sys.executable, *how, path], env=environment, check=False, capture_output=True,
                                    text=True).stdout for how in (["-m", "plumb._capture"], [start])]
        self.assertIn("net.entry @train", texts[0])
        self.assertEqual(texts[0], texts[1])

    def test_arrays_stand_behind_the_text(self):
        done = self.run_program(self.PROGRAM.format(body="pass"), module="plumb._capture")
        self.assertIn("net.arrays = {x = dense_resource<train.x> : tensor<8x2xf32>, "
                      "y = dense_resource<train.y> : tensor<8x1xf32>}", done.stdout)
        self.assertIn('train.y: "0x40000000' + "0000803f" * 8 + '"', done.stdout)

    def test_unsupported_syntax_is_located(self):
        done = self.run_program(self.PROGRAM.format(body="global net; net = 1"), module="plumb._capture")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"program.py:9:9: error: the global name 'net' is assigned in this function")
        self.assertIn("        global net; net = 1\n        ^~~~~~~~~~", done.stderr)

    def test_nothing_to_compile(self):
        done = self.run_program("print('hello')\n", module="plumb._capture")
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is nothing to compile", done.stderr)

    def test_missing_program(self):
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
        done = subprocess.run([sys.executable, "-m", "plumb._capture", "/no/such/program.py"], env=environment,
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot read /no/such/program.py", done.stderr)

    def test_syntax_error(self):
        done = self.run_program("x = (\n", module="plumb._capture")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"program.py:1:5: error: '\(' was never closed")


if __name__ == "__main__":
    unittest.main()
