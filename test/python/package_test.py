"""The package's declarations: naming, datasets' arithmetic, checks, what is not offered. Nothing is compiled here."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common import initializer as init
from plumb.dataset import transforms, vision
from plumb.train._checks import check_sink_size



class Block(nn.Cell):
    """A cell in a cell."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(4, 3)
        self.rest = nn.SequentialCell(nn.Dense(3, 3), nn.ReLU(), nn.Dense(3, 2, has_bias=False))

    def construct(self, x):
        """Calls both."""
        return self.rest(self.first(x))


class Network(nn.Cell):
    """A cell in a cell in a cell."""

    def __init__(self):
        super().__init__()
        self.block = Block()
        self.scale = plumb.Parameter(plumb.Tensor(np.ones((2,), np.float32)))


class CellTest(unittest.TestCase):
    """Cells and parameters."""

    def test_names(self):
        self.assertEqual(list(Network().parameters_dict()),
                         ["scale", "block.first.weight", "block.first.bias", "block.rest.0.weight",
                          "block.rest.0.bias", "block.rest.2.weight"])

    def test_optimizer_state_is_named_after_its_parameter(self):
        optimizer = nn.Momentum(Network().trainable_params(), 0.1, 0.9)
        self.assertEqual(optimizer.moments[1].name, "moments.block.first.weight")
        self.assertFalse(optimizer.moments[1].requires_grad)
        self.assertEqual(optimizer.learning_rate.name, "learning_rate")

    def test_set_train_reaches_children(self):
        network = Network().set_train()
        self.assertTrue(network.block.rest.training)
        self.assertFalse(network.set_train(False).block.rest.training)

    def test_cell_needs_super_init(self):
        class Late(nn.Cell):
            """Forgets super().__init__."""

            def __init__(self):
                self.dense = nn.Dense(1, 1)

        with self.assertRaisesRegex(AttributeError, r"call super\(\).__init__\(\) before"):
            Late()

    def test_shape_of_set_data_is_checked(self):
        with self.assertRaisesRegex(ValueError, r"Can not change the shape .* \(3, 4\).*\(2, 2\)"):
            nn.Dense(4, 3).weight.set_data(plumb.Tensor(np.zeros((2, 2), np.float32)))

    def test_optimizer_checks(self):
        with self.assertRaisesRegex(ValueError, "parameters must not be empty"):
            nn.Momentum([], 0.1, 0.9)
        with self.assertRaisesRegex(ValueError, "'momentum' must be at least 0.0"):
            nn.Momentum(nn.Dense(1, 1).trainable_params(), 0.1, -1.0)
        with self.assertRaisesRegex(RuntimeError, "several called 'weight'"):
            nn.SGD(nn.Dense(1, 1).trainable_params() + nn.Dense(1, 1).trainable_params(), 0.1)

    def test_layer_checks(self):
        with self.assertRaisesRegex(ValueError, "'pad_mode' must be"):
            nn.Conv2d(1, 1, 3, pad_mode="full")
        with self.assertRaisesRegex(ValueError, "'padding' must be zero when 'pad_mode' is 'valid'"):
            nn.Conv2d(1, 1, 3, pad_mode="valid", padding=1)
        with self.assertRaisesRegex(TypeError, "'in_channels' must be an int"):
            nn.Dense(1.5, 2)


class InitializerTest(unittest.TestCase):
    """Rules."""

    def test_rules(self):
        self.assertEqual(init.TruncatedNormal(0.02).rule((2, 2)), ("truncated_normal", [0.02, 0.0, -2.0, 2.0]))
        kind, (bound,) = init.XavierUniform().rule((10, 20))
        self.assertEqual(kind, "uniform")
        self.assertAlmostEqual(bound, (6 / 30) ** 0.5)
        self.assertAlmostEqual(init.HeUniform(5 ** 0.5).rule((6, 1, 5, 5))[1][0], 1 / 25 ** 0.5)

    def test_seed_starts_the_streams_again(self):
        plumb.set_seed(3)
        first = nn.Dense(2, 2).weight.rule
        plumb.set_seed(3)
        self.assertEqual(nn.Dense(2, 2).weight.rule, first)

    def test_unknown_name(self):
        with self.assertRaisesRegex(ValueError, "no initializer called 'sparkling'"):
            init.initializer("sparkling", (2, 2))


class DatasetTest(unittest.TestCase):
    """Sizes, shapes and types of pipelines; the arrays are never touched."""

    def rows(self, count):
        """A dataset of images and labels."""
        return dataset.NumpySlicesDataset({"image": np.zeros((count, 28, 28, 1), np.uint8),
                                           "label": np.zeros(count, np.uint32)})

    def test_sizes(self):
        rows = self.rows(100)
        self.assertEqual(rows.batch(32).get_dataset_size(), 4)
        self.assertEqual(rows.batch(32, drop_remainder=True).repeat(2).get_dataset_size(), 6)
        self.assertEqual(rows.take(50).batch(32, drop_remainder=True).get_dataset_size(), 1)

    def test_types_and_shapes(self):
        rows = self.rows(4).map(vision.Resize((32, 32)), "image").map(vision.HWC2CHW(), "image")
        rows = rows.map(vision.Rescale(1.0, 0.0), "image").map(transforms.TypeCast(plumb.int32), "label").batch(2)
        self.assertEqual(rows.output_shapes(), [[2, 1, 32, 32], [2]])
        self.assertEqual(rows.output_types(), [np.dtype(np.float32), np.dtype(np.int32)])

    def test_checks(self):
        rows = self.rows(4)
        with self.assertRaisesRegex(ValueError, "no column 'mask'; there are image, label"):
            rows.map(vision.HWC2CHW(), "mask")
        with self.assertRaisesRegex(ValueError, r"images of shape \[height, width, channels\]"):
            rows.map(vision.Resize((2, 2)), "label")
        with self.assertRaisesRegex(TypeError, "operations must be of plumb.dataset or Python functions, but got int"):
            rows.map(3, "label")
        with self.assertRaisesRegex(ValueError, r"buffer_size is not within the required interval of \[2,"):
            rows.shuffle(1)
        with self.assertRaisesRegex(ValueError, "does not exist or is not a directory"):
            dataset.MnistDataset("/no/such/folder")
        with self.assertRaisesRegex(ValueError, "There is no valid data in dataset"):
            rows.batch(32, drop_remainder=True).checked_size()

    def test_iterators_go_on(self):
        """Each `for` goes on to the end of an epoch, also after a break; datasets start anew for each `for`."""
        rows = dataset.NumpySlicesDataset({"x": np.arange(12)}, shuffle=True).batch(4)

        def drawn(batches):
            return [int(value) for batch in batches for value in batch["x"].asnumpy()]

        epochs = rows.create_dict_iterator(num_epochs=2)
        first, second = drawn(epochs), drawn(epochs)
        self.assertEqual(sorted(first), list(range(12)))
        self.assertEqual(sorted(second), list(range(12)))
        self.assertNotEqual(first, second)
        with self.assertRaisesRegex(RuntimeError, "given all of its 'num_epochs' passes"):
            next(epochs)
        endless = rows.create_tuple_iterator(output_numpy=True)
        for (values,) in endless:
            self.assertEqual(values.tolist(), first[:4])
            break
        self.assertEqual([value for (values,) in endless for value in values], first[4:])
        self.assertEqual([value for (values,) in endless for value in values], second)
        for _ in range(2):
            self.assertEqual([int(value) for (values,) in rows for value in values.asnumpy()], first)
        with self.assertRaisesRegex(ValueError, "num_epochs should be either -1 or a positive integer"):
            rows.create_tuple_iterator(num_epochs=0)

    def test_cache(self):
        rows = self.rows(4).map(vision.HWC2CHW(), "image")
        cache = dataset.DatasetCache(session_id=1)
        self.assertNotIn("cache", json.loads(rows.to_json()))
        for cached in (rows.cache().batch(2), rows.batch(2).cache(), rows.map(vision.Rescale(1.0, 0.0), cache=cache)):
            self.assertTrue(json.loads(cached.to_json())["cache"])
        with self.assertRaisesRegex(TypeError, "For 'map', 'cache' must be a DatasetCache, but got bool"):
            rows.map(vision.Rescale(1.0, 0.0), cache=True)
        with self.assertRaisesRegex(ValueError, "'size' and 'spilling' are not offered"):
            dataset.DatasetCache(session_id=1, size=100)

    def test_wrong_magic(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "train-labels-idx1-ubyte"), "wb") as file:
                file.write(b"\1\2\3\4\5\6\7\10")
            with self.assertRaisesRegex(ValueError, "no IDX file of labels"):
                dataset.MnistDataset(folder).get_dataset_size()


class ArraysTest(unittest.TestCase):
    """How arrays come to the runtime and back."""

    def test_no_structures_of_numpy(self):
        """The layout of NumPy's C structures changed with version 2; the extension modules must not look into them."""
        from plumb import _compiler, _runtime
        for module in (_compiler, _runtime):
            with open(module.__file__, "rb") as file:
                self.assertNotIn(b"multiarray", file.read(), module.__file__)

    def test_rows_and_last_batches(self):
        """A row keeps its axes; a last batch has the rows that are left."""
        values = np.arange(30, dtype=np.float32).reshape(5, 3, 2)
        rows = dataset.NumpySlicesDataset(values, shuffle=False)
        np.testing.assert_array_equal([row.asnumpy() for (row,) in rows], values)
        self.assertEqual([batch.shape for (batch,) in rows.batch(2)], [(2, 3, 2), (2, 3, 2), (1, 3, 2)])

    def test_contiguous_only(self):
        from plumb import _engine
        values = np.arange(12, dtype=np.float32).reshape(3, 4)
        source = {"columns": [{"name": "x", "element": "f32", "shape": [3]}]}
        text = dataset._pipeline.to_json("ArraySource", source, False, [], 1)
        with self.assertRaisesRegex(ValueError, "must be C-contiguous"):
            _engine.native_runtime().Pipeline(text, {"x": values.T}, 1)

    def test_every_element_type(self):
        for kind in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                     "uint64", "bool"):
            rows = np.arange(6).reshape(3, 2).astype(kind)
            (batch,), = dataset.NumpySlicesDataset(rows, shuffle=False).batch(3)
            np.testing.assert_array_equal(batch.asnumpy(), rows)
            self.assertEqual(batch.asnumpy().dtype, np.dtype(kind))


class MetricsTest(unittest.TestCase):
    """Errors of regressions."""

    def test_errors(self):
        outputs, targets = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 4.0], [0.0, 1.0]])
        for name, expected in (("mae", 2.0), ("mse", 14 / 3)):
            metric = nn.metrics.get_metric_fn(name)
            for rows in (slice(0, 2), slice(2, 3)):
                metric.update(plumb.Tensor(outputs[rows]), targets[rows])
            self.assertAlmostEqual(metric.eval(), expected)
            metric.clear()
            with self.assertRaisesRegex(RuntimeError, "the number of samples is 0"):
                metric.eval()
            with self.assertRaisesRegex(ValueError, r"outputs of shape \(3, 2\) do not fit targets of shape \(2, 2\)"):
                metric.update(outputs, targets[:2])


class ChecksTest(unittest.TestCase):
    """Misuse in MindSpore's words."""

    def test_sink_size(self):
        for size in (0, -2):
            with self.assertRaisesRegex(ValueError, f"'sink_size' must be -1 or positive, but got sink_size {size}"):
                check_sink_size(size)

    def test_data_sink(self):
        data = dataset.NumpySlicesDataset(np.zeros((4, 2), np.float32)).batch(2)
        with self.assertRaisesRegex(ValueError, "'sink_size' must be positive"):
            plumb.data_sink(lambda x: x, data, sink_size=0)

    def test_model(self):
        with self.assertRaisesRegex(TypeError, "'network' must be a Cell"):
            train.Model(3)
        data = dataset.NumpySlicesDataset(np.zeros((4, 2), np.float32)).batch(2)
        with self.assertRaisesRegex(ValueError, "should return two elements, but got 1"):
            train.Model(nn.Dense(2, 2), nn.MSELoss()).train(1, data)
        with self.assertRaisesRegex(ValueError, "'metrics' can not be None"):
            train.Model(nn.Dense(2, 2), nn.MSELoss()).eval(data)

    def test_connect_needs_sink_mode(self):
        data = dataset.NumpySlicesDataset(np.zeros((4, 2), np.float32)).batch(2)
        helper = train.DatasetHelper(data, dataset_sink_mode=False)
        with self.assertRaisesRegex(RuntimeError, "should be called in dataset sink mode"):
            train.connect_network_with_dataset(nn.Dense(2, 2), helper)

    def test_grad_needs_something(self):
        with self.assertRaisesRegex(ValueError, "can not be None at the same time"):
            plumb.value_and_grad(lambda x: x, None, None)

    def test_not_offered(self):
        for module, name in ((nn, "DeformableConv2d"), (ops, "GetNext"), (dataset, "OBSMindDataset"), (plumb, "set_dump")):
            with self.assertRaisesRegex((AttributeError, NotImplementedError), f"{name}' is not offered by plumb"):
                getattr(module, name)()

    def test_one_device(self):
        """What programs say before they train on one device, and what takes more of them."""
        from plumb import communication, context
        with self.assertRaisesRegex(RuntimeError, "call 'init' first"):
            communication.get_rank()
        communication.init()
        self.assertEqual((communication.get_rank(), communication.get_group_size()), (0, 1))
        communication.release()
        plumb.set_auto_parallel_context(parallel_mode=context.ParallelMode.DATA_PARALLEL, gradients_mean=True, device_num=1)
        self.assertEqual(context.get_auto_parallel_context("parallel_mode"), "data_parallel")
        plumb.reset_auto_parallel_context()
        self.assertEqual(plumb.get_auto_parallel_context("parallel_mode"), "stand_alone")
        for name, value in (("device_num", 8), ("parallel_mode", "aside"), ("pipeline_stages", 2)):
            with self.assertRaisesRegex(ValueError, name):
                plumb.set_auto_parallel_context(**{name: value})
        with unittest.mock.patch.dict(os.environ, RANK_SIZE="4"), self.assertRaisesRegex(RuntimeError, "RANK_SIZE asks for 4"):
            communication.init("nccl")

    def test_context(self):
        with self.assertRaisesRegex(ValueError, "keyword argument env_config_path is not offered"):
            plumb.set_context(env_config_path="x")
        with self.assertRaisesRegex(ValueError, "may hold 'jit_level', but got level"):
            plumb.set_context(jit_config={"level": "O0"})
        with self.assertRaisesRegex(ValueError, "'jit_level' must be one of"):
            plumb.set_context(jit_level="O9")
        plumb.set_context(jit_config={"jit_level": "O0"}, jit_level="O1", pynative_synchronize=True)
        heard = io.StringIO()
        with contextlib.redirect_stderr(heard):
            plumb.set_context(device_target="Ascend")
            plumb.set_context(device_target="Ascend")
        self.assertEqual(heard.getvalue().count("is not on this machine; using the CPU"), 1)
        self.assertEqual(plumb.get_context("device_target"), "CPU")

    def test_loss_monitor(self):
        monitor = train.LossMonitor()
        params = plumb.train.callback._callback.CallbackParams(
            cur_step_num=1000, batch_num=1000, cur_epoch_num=1, net_outputs=plumb.Tensor(np.float32(0.110185064)))
        heard = io.StringIO()
        with contextlib.redirect_stdout(heard):
            monitor.step_end(train.RunContext(params))
        self.assertEqual(heard.getvalue(), "epoch: 1 step: 1000, loss is 0.11018506437540054\n")
        params.net_outputs = plumb.Tensor(np.float32("nan"))
        with self.assertRaisesRegex(ValueError, "epoch: 1 step: 1000. Invalid loss, terminating training."):
            monitor.step_end(train.RunContext(params))


class ShimTest(unittest.TestCase):
    """`import mindspore` in a process of its own."""

    def run_program(self, text, *options, module="plumb.mindspore", by_name=False):
        """Runs a program under the shim, by its path or from its folder by its name; returns the finished process."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
            return subprocess.run([sys.executable, "-m", module, *options, "program.py" if by_name else path], env=environment,
                                  check=False, capture_output=True, text=True, cwd=folder if by_name else None)

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

    def test_name(self):
        """The package is known by the name it was imported by, and its own modules find what they load late."""
        done = self.run_program("""
import types, mindspore as ms, mindspore.nn as nn
from mindspore import scipy
print([key for key, value in list(globals().items()) if isinstance(value, types.ModuleType) and value.__name__ == "mindspore"])
from plumb import _trace, _engine
print(_engine.native_runtime() is not None, hasattr(ms, "no_such_name"), hasattr(ms, "_no_such_part"), ms.jit(lambda x: x * 2)(ms.Tensor(3)))
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


class CaptureTest(ShimTest):
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



class NothingIsIgnoredTest(unittest.TestCase):
    """Arguments that programs for MindSpore give: what is not offered is refused by name; what changes nothing is said."""

    def test_refused(self):
        weight = [plumb.Parameter(np.ones(2, np.float32), name="w")]
        nn.Adam(weight, use_locking=True)  # updates never interleave
        for name, make in {
                "use_lazy": lambda: nn.Adam(weight, use_nesterov=True, use_lazy=True),
                "static": lambda: plumb.jit(lambda x: x, static=1),
                "debug": lambda: plumb.JitConfig(debug=True),
                "max_call_depth": lambda: plumb.set_context(max_call_depth=2 ** 32)}.items():
            with self.subTest(name), self.assertRaisesRegex(ValueError, name):
                make()

    def test_without_effect(self):
        """Arguments that change nothing in MindSpore either."""
        x = plumb.Tensor(np.ones(64, np.float32))
        self.assertEqual(plumb.jit(lambda x: x + 1, hash_args=(1,))(x).dtype, plumb.float32)
        total = plumb.jit(lambda values: sum(value.sum() for value in values))
        for count in (1, 3, 2):
            self.assertEqual(float(total(plumb.mutable((x,) * count, dynamic_len=True))), 64 * count)
        with self.assertRaisesRegex(TypeError, "'input_data' should be a tuple or list, but got Tensor"):
            plumb.mutable(x, True)
        self.assertEqual(nn.Dropout(p=0.5, dtype=plumb.float16)(x).dtype, plumb.float32)
        with self.assertRaisesRegex(TypeError, "'dtype' must be a type of floating point"):
            nn.Dropout(p=0.5, dtype=plumb.int32)


class InsteadTest(unittest.TestCase):
    """Names of MindSpore's that the package has no use for say what to use in their place."""

    def test_advice(self):
        for owner, name, advice in ((plumb.ops, "NeighborExchange", "with another process, and there is one"), (plumb.ops, "GetNext", "plumb.data_sink"),
                                    (nn, "thor", "nn.AdaFactor"), (nn, "GetNextSingleOp", "plumb.data_sink"), (plumb, "set_dump", "register_forward_hook")):
            found, message = getattr(owner, name), f"'{owner.__name__}.{name}' is not offered by plumb: .*{advice}"
            with self.assertRaisesRegex(NotImplementedError, message):
                found(1, axis=2)
            with self.assertRaisesRegex(AttributeError, message):
                found.construct  # pylint: disable=pointless-statement
            with self.assertRaisesRegex(NotImplementedError, message):
                types.new_class("Own", (found,))
            with self.assertRaisesRegex(Exception, message):
                plumb.jit(lambda x, f=found: f(x))(plumb.Tensor(1.0))
        with self.assertRaisesRegex(AttributeError, "near to it: .*ReLU"):
            plumb.ops.RelU  # pylint: disable=pointless-statement


if __name__ == "__main__":
    unittest.main()
