"""The package's declarations: naming, datasets' arithmetic, checks, what is not offered. Nothing is compiled here."""

import contextlib
import io
import json
import os
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

    def test_numbers_are_asked_for_when_a_rule_draws(self):
        """Some programs call a rule with a weight, which does nothing: it is called without a number to draw with."""
        weight = plumb.Parameter(plumb.Tensor(np.ones((2, 3), np.float32)))
        for rule in (init.Orthogonal, init.XavierUniform, init.Normal, init.Uniform, init.TruncatedNormal, init.Constant):
            made = rule(weight)
            with self.assertRaises(ValueError):
                init.initializer(made, (2, 3)).asnumpy()

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
        from plumb import _native
        values = np.arange(12, dtype=np.float32).reshape(3, 4)
        source = {"columns": [{"name": "x", "element": "f32", "shape": [3]}]}
        text = dataset._pipeline.to_json("ArraySource", source, False, [], 1)
        with self.assertRaisesRegex(ValueError, "must be C-contiguous"):
            _native.native_runtime().Pipeline(text, {"x": values.T}, 1)

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
