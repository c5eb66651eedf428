"""What later versions of MindSpore have beside 2.0: devices and their memory, generators, the state of cells. Expected: MindSpore 2.10."""

import collections
import os
import pickle
import tempfile
import time
import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, communication, dataset, device_context, hal, mint, nn, ops, parallel, runtime
from plumb import _c_expression  # pylint: disable=unused-import
from plumb._checkparam import args_type_check
from plumb.common import initializer
from plumb.common._stub_tensor import StubTensor
from plumb.mint import distributed
from plumb.nn.layer.conv import _deconv_output_length
from plumb.nn.utils import no_init_parameters
from plumb.ops import auto_generate
from plumb.parallel.auto_parallel import AutoParallel


class Scaled(nn.Cell):
    """A layer with a buffer that is kept and one that is not."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2, weight_init="ones")
        self.register_buffer("scale", Tensor([2.0, 2.0]))
        self.register_buffer("shift", Tensor([1.0, 0.0]), persistent=False)

    def construct(self, x):
        """Reads all four."""
        return self.dense(x) * self.scale + self.shift


class DeviceTest(unittest.TestCase):
    """The CPU is the one device."""

    def test_device(self):
        plumb.set_device("CPU", 0)
        self.assertEqual(plumb.get_current_device(), ("CPU", 0))
        self.assertEqual(plumb.get_current_device().device_target, "CPU")
        self.assertRaises(ValueError, plumb.set_device, "TPU")
        self.assertEqual([hal.device_count(), hal.device_count("GPU"), hal.is_available("Ascend")], [1, 0, False])
        self.assertEqual([device_context.cpu.is_available(), device_context.ascend.device_count()], [True, 0])

    def test_memory_and_streams(self):
        self.assertEqual([runtime.memory_allocated(), hal.max_memory_reserved("CPU"), hal.memory_stats()["total_idle_memory"]], [0, 0, 0])
        self.assertIn("max allocated memory", runtime.memory_summary())
        with runtime.StreamCtx(runtime.current_stream()):
            self.assertTrue(runtime.Stream().query())

    def test_settings(self):
        plumb.set_recursion_limit(2000)
        self.assertEqual(plumb.get_context("max_call_depth"), 2000)
        device_context.cpu.op_tuning.threads_num(2)
        self.assertEqual(plumb.get_context("runtime_num_threads"), 2)
        plumb.set_context(max_call_depth=1000, runtime_num_threads=0)
        self.assertEqual([plumb.float, plumb.long, plumb.cfloat], [plumb.float32, plumb.int64, plumb.complex64])


class GeneratorTest(unittest.TestCase):
    """Streams of random numbers."""

    def test_default(self):
        plumb.manual_seed(3)
        first, state, second = mint.rand(4).asnumpy(), plumb.get_rng_state(), mint.randn(4).asnumpy()
        plumb.set_rng_state(state)
        np.testing.assert_array_equal(mint.randn(4).asnumpy(), second)
        self.assertEqual(plumb.manual_seed(3).initial_seed(), 3)
        np.testing.assert_array_equal(mint.rand(4).asnumpy(), first)
        self.assertEqual([state.shape, state.dtype, state[:8].tolist()], [(16,), plumb.uint8, [3] + [0] * 7])
        self.assertRaises(TypeError, plumb.manual_seed, 1.5)

    def test_own(self):
        plumb.manual_seed(3)
        expected = [mint.rand(3).asnumpy(), mint.randint(0, 99, (3,)).asnumpy(), mint.randperm(5).asnumpy()]
        plumb.manual_seed(8)
        kept = mint.rand(3).asnumpy()
        plumb.manual_seed(8)
        own = plumb.Generator().manual_seed(3)
        found = [mint.rand(3, generator=own), mint.randint(0, 99, (3,), generator=own), mint.randperm(5, generator=own)]
        for one, other in zip(found, expected):
            np.testing.assert_array_equal(one.asnumpy(), other)
        np.testing.assert_array_equal(mint.rand(3).asnumpy(), kept)
        filled = Tensor(np.zeros(3, np.float32)).uniform_(generator=plumb.Generator().manual_seed(3))
        np.testing.assert_array_equal(filled.asnumpy(), expected[0])

    def test_compiled(self):
        own = plumb.Generator()
        with self.assertRaisesRegex(NotImplementedError, "leave 'generator' out"):
            plumb.jit(lambda x: x + mint.rand(2, generator=own))(Tensor([1.0, 2.0]))

    def test_no_gradient(self):
        def function(x):
            with plumb._no_grad():
                square = x * x
            return (square * x).sum()

        np.testing.assert_array_equal(plumb.grad(function)(Tensor([2.0, 3.0])).asnumpy(), [4, 9])


class StateTest(unittest.TestCase):
    """`state_dict` and buffers."""

    def test_names(self):
        with no_init_parameters():
            net = nn.SequentialCell(Scaled())
        self.assertEqual(list(net.state_dict(prefix="net.")), ["net.0.scale", "net.0.dense.weight", "net.0.dense.bias"])
        self.assertIs(net.state_dict()["0.dense.weight"], net[0].dense.weight)
        self.assertEqual([name for name, _ in net.named_buffers()], ["0.scale", "0.shift"])
        self.assertEqual(net.get_buffer("0.shift").tolist(), [1, 0])
        self.assertEqual(len(net.trainable_params()), 2)

    def test_load(self):
        net, x = Scaled(), Tensor([1.0, 2.0])
        np.testing.assert_array_equal(net(x).asnumpy(), [7, 6])
        state = net.state_dict()
        state["scale"], state["dense.bias"] = Tensor([3.0, 4.0]), Tensor([1.0, 1.0])
        self.assertEqual(repr(net.load_state_dict(state)), "<All keys matched successfully>")
        np.testing.assert_array_equal(net(x).asnumpy(), [13, 16])

    def test_errors(self):
        net = Scaled()
        with self.assertRaisesRegex(RuntimeError, "missing names: scale, dense.weight, dense.bias"):
            net.load_state_dict({})
        found = net.load_state_dict(collections.OrderedDict(other=Tensor(1)), strict=False)
        self.assertEqual([found.missing_keys, found.unexpected_keys], [["scale", "dense.weight", "dense.bias"], ["other"]])
        with self.assertRaisesRegex(RuntimeError, "'scale' has the shape"):
            net.load_state_dict({"scale": Tensor([1.0])}, strict=False)
        for name in ("a.b", "", "dense"):
            self.assertRaises(KeyError, net.register_buffer, name, Tensor(1))
        self.assertRaises(TypeError, net.register_buffer, "mask", 3)
        self.assertRaises(AttributeError, net.get_buffer, "dense.mask")

    def test_hooks(self):
        net, calls = Scaled(), []
        net.register_state_dict_pre_hook(lambda cell, prefix, keep_vars: calls.append(prefix))
        handle = net.register_state_dict_post_hook(lambda cell, state, prefix, local: state.pop("scale"))
        self.assertNotIn("scale", net.state_dict())
        handle.remove()
        self.assertIn("scale", net.state_dict())
        self.assertEqual(calls, ["", ""])


class OneDeviceTest(unittest.TestCase):
    """What programs for several devices call computes on one."""

    def test_auto_parallel(self):
        net = nn.Dense(2, 2)
        spread = AutoParallel(net, "sharding_propagation")
        spread.dataset_strategy("full_batch")
        spread.pipeline(stages=1)
        self.assertEqual(list(spread.parameters_dict()), ["weight", "bias"])
        x = Tensor([[1.0, 2.0]])
        np.testing.assert_array_equal(spread(x).asnumpy(), net(x).asnumpy())
        self.assertRaises(ValueError, spread.pipeline, 4)
        self.assertRaises(ValueError, AutoParallel, net, "all")
        self.assertRaises(NotImplementedError, spread.save_param_strategy_file, "file")

    def test_layouts(self):
        layout = plumb.Layout((1, 1), ("dp", "mp"))
        self.assertEqual(layout("dp", ("mp", "None")).to_dict()["tensor_map"], ("dp", ("mp", "None")))
        self.assertIs(plumb.shard(nn.ReLU, ((1, 1), layout("dp", "mp"))), nn.ReLU)
        for message, arguments in (("a name of its own", ((1,), ("dp", "mp"))), ("ints above 0", ((0,), ("dp",))),
                                   ("needs several", ((2, 1), ("dp", "mp"))), ("needs several", ((1,), ("dp",), [0, 1]))):
            with self.assertRaisesRegex(ValueError, message):
                plumb.Layout(*arguments)
        with self.assertRaisesRegex(ValueError, "no axis 'sp'"):
            layout("sp")
        with self.assertRaisesRegex(ValueError, "needs several devices"):
            plumb.shard(nn.ReLU(), ((1, 1),), ((1, 2),))

    def test_batches_in_parts(self):
        class Loss(nn.Cell):
            def __init__(self):
                super().__init__()
                self.dense = nn.Dense(2, 1)

            def construct(self, x):
                return ops.square(self.dense(x)).mean()

        loss, x = Loss(), Tensor(np.arange(12, dtype=np.float32).reshape(6, 2))
        weights = loss.trainable_params()
        whole = [3 * each.asnumpy() for each in plumb.grad(loss, None, weights)(x)]
        for parts in (parallel.nn.GradAccumulation(loss, 3), parallel.nn.Pipeline(loss, 3, {"dense": 0}), nn.GradAccumulationCell(loss, 3)):
            for found, expected in zip(plumb.grad(parts, None, weights)(x), whole, strict=True):
                np.testing.assert_allclose(found.asnumpy(), expected, 1e-5)
        with self.assertRaisesRegex(ValueError, "need several devices"):
            parallel.nn.Pipeline(loss, 3, {"dense": 1})

    def test_exchanges(self):
        x, functions = Tensor([1.0, 2.0]), communication.comm_func
        self.assertRaises(RuntimeError, functions.barrier)
        communication.init()
        self.addCleanup(communication.release)
        self.assertTrue(communication.GlobalComm.INITED)
        functions.barrier()
        self.assertEqual(communication.get_process_group_ranks(), [0])
        self.assertEqual(functions.all_reduce(x)[0].tolist(), [1, 2])
        self.assertIs(functions.broadcast(x), x)
        with self.assertRaisesRegex(NotImplementedError, "another process"):
            functions.send(x, 1)


class AutoGenerateTest(unittest.TestCase):
    """Classes with PyTorch's arguments."""

    X, Y = Tensor(np.array([[1.0, -2, 3], [0.5, 4, -6]], np.float32)), Tensor(np.array([[2.0, 3, 4], [1, 1.5, 2]], np.float32))

    def test_values(self):
        a, x, y = auto_generate, self.X, self.Y
        cases = [(a.AddExt()(x, y, 2), [[5, 4, 11], [2.5, 7, -2]]), (a.SumExt()(x, 1, True), [[2], [-1.5]]),
                 (a.MeanExt()(x, (0, 1)), 1 / 12), (a.StackExt(1)((x, y)), np.stack([x.asnumpy(), y.asnumpy()], 1)),
                 (a.SplitWithSize()(x, (1, 2), 1)[1], [[-2, 3], [4, -6]]), (a.MaxDim()(x, 1)[1], [2, 1]),
                 (a.TopkExt()(x, 2)[0], [[3, 1], [4, 0.5]]), (a.Reshape()(x, (3, 2)), x.asnumpy().reshape(3, 2)),
                 (a.Swiglu()(x[:, :2], -1), [[-2 / (1 + np.exp(-1))], [2 / (1 + np.exp(-0.5))]]),
                 (a.OneHotExt(-1)(Tensor([0, 1]), 2, Tensor(1.0), Tensor(0.0)), np.eye(2))]
        for number, (found, expected) in enumerate(cases):
            with self.subTest(case=number):
                np.testing.assert_allclose(found.asnumpy(), np.asarray(expected), rtol=1e-6, atol=1e-6)

    def test_other_places(self):
        self.assertIs(nn.Linear, mint.nn.Linear)
        found, scale = plumb.ops.RmsNorm(1e-5)(self.X, Tensor([1.0, 2.0, 3.0]))
        root = np.sqrt((self.X.asnumpy() ** 2).mean(1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(found.asnumpy(), self.X.asnumpy() / root * [1, 2, 3], rtol=1e-5)
        np.testing.assert_allclose(scale.asnumpy(), 1 / root, rtol=1e-5)

    def test_compiled(self):
        add, total = auto_generate.AddExt(), auto_generate.SumExt()
        gradient = plumb.grad(plumb.jit(lambda x, y: total(add(x, y, 3) * x)), (0, 1))(self.X, self.Y)
        np.testing.assert_allclose(gradient[0].asnumpy(), 2 * self.X.asnumpy() + 3 * self.Y.asnumpy())
        np.testing.assert_allclose(gradient[1].asnumpy(), 3 * self.X.asnumpy())

    def test_refused(self):
        for name, advice in (("PagedAttention", "Ascend"), ("RandExt", "mint")):
            with self.assertRaisesRegex(NotImplementedError, advice):
                getattr(auto_generate, name)()
        self.assertRaises(AttributeError, getattr, auto_generate, "nothing")

    def test_types_of_arguments(self):
        @args_type_check(a=int, b=(str, type(None)))
        def function(a, b=None):
            return a, b

        self.assertEqual([function(1), function(a=2, b="x")], [(1, None), (2, "x")])
        self.assertRaises(TypeError, function, "1")
        self.assertRaises(TypeError, function, 1, b=3)


class Exchanges(unittest.TestCase):
    """`mint.distributed` among one process: outputs take what there is."""

    def setUp(self):
        distributed.init_process_group()
        self.addCleanup(distributed.destroy_process_group)
        self.x = Tensor([1.0, 2.0])

    def test_one_process(self):
        self.assertTrue(distributed.is_available() and distributed.is_initialized())
        self.assertEqual((distributed.get_rank(), distributed.get_world_size(), distributed.get_process_group_ranks()), (0, 1, [0]))
        self.assertEqual(distributed.get_group_rank(distributed.new_group([0]), 0), 0)
        with self.assertRaisesRegex(ValueError, "one process"):
            distributed.init_process_group(world_size=8)
        with self.assertRaisesRegex(ValueError, "one process"):
            distributed.broadcast(self.x, 1)
        with self.assertRaisesRegex(NotImplementedError, "another process"):
            distributed.send(self.x, 1)

    def test_tensors(self):
        for exchange in (lambda y: distributed.all_gather_into_tensor(y,
                                                                      self.x), lambda y: distributed.reduce_scatter_tensor(y, self.x), lambda y: distributed.all_gather([y], self.x),
                         lambda y: distributed.scatter(y, [self.x]), lambda y: distributed.gather(self.x, [y]), lambda y: distributed.all_to_all([y], [self.x]),
                         lambda y: distributed.all_to_all_single(y, self.x), lambda y: distributed.reduce_scatter(y, [self.x])):
            y = Tensor([0.0, 0.0])
            self.assertIsNone(exchange(y))
            self.assertEqual(y.asnumpy().tolist(), [1.0, 2.0])
        for exchange in (distributed.all_reduce, lambda y: distributed.reduce(y, 0), lambda y: distributed.broadcast(y, 0)):
            self.assertIsNone(exchange(self.x))
            self.assertEqual(self.x.asnumpy().tolist(), [1.0, 2.0])
        with self.assertRaisesRegex(ValueError, "list of 2"):
            distributed.all_gather([self.x, self.x], self.x)

    def test_refusals(self):
        with self.assertRaisesRegex(TypeError, "float32"):
            distributed.all_gather_into_tensor(Tensor([0, 0]), self.x)
        with self.assertRaisesRegex(ValueError, "shape"):
            distributed.scatter_tensor(Tensor([[0.0], [0.0]]), self.x)
        for reduction in (lambda: distributed.all_reduce(self.x, "nonsense"), lambda: distributed.reduce(self.x, 0, "nonsense"),
                          lambda: distributed.reduce_scatter(self.x, [self.x], "nonsense")):
            self.assertRaisesRegex(ValueError, "nonsense", reduction)
        self.assertRaisesRegex(RuntimeError, "whatever", distributed.init_process_group, "whatever")
        self.assertRaisesRegex(TypeError, "gather_object", distributed.gather_object, 1)

    def test_groups(self):
        first, second = distributed.new_group([0]), distributed.new_group([0])
        distributed.destroy_process_group(first)
        self.assertRaises(ValueError, distributed.barrier, first)
        distributed.barrier(second)

    def test_objects(self):
        found = [None]
        distributed.all_gather_object(found, {"a": 1})
        self.assertEqual(found, [{"a": 1}])
        distributed.scatter_object_list(found, ["text"])
        self.assertEqual(found, ["text"])


class Moments(unittest.TestCase):
    """Events of `runtime` and `hal`."""

    def test_elapsed(self):
        start, end = plumb.hal.Event(enable_timing=True), runtime.Event(enable_timing=True)
        start.record()
        time.sleep(0.02)
        runtime.Stream().record_event(end)
        runtime.Stream().wait_event(end)
        self.assertTrue(end.query())
        self.assertGreaterEqual(start.elapsed_time(end), 19)
        with self.assertRaisesRegex(RuntimeError, "enable_timing"):
            start.elapsed_time(runtime.Event())
        self.assertIsNone(plumb.ms_memory_recycle())


class Lines:
    """A source whose file is open before processes are made."""

    def __init__(self, path):
        self.reader = dataset.LineReader(path)
        self.reader.readline(1)

    def __len__(self):
        return len(self.reader)

    def __getitem__(self, index):
        return np.array(int(self.reader.readline(index + 1)))


class Rows(unittest.TestCase):
    """What later versions add to `dataset`."""

    def test_lines_among_workers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lines.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(f"{number}\n" for number in range(4000))
            for processes in (True, False):
                source = dataset.GeneratorDataset(Lines(path), "a", num_parallel_workers=4, shuffle=False, python_multiprocessing=processes)
                rows = [int(row) for row, in source.create_tuple_iterator(num_epochs=1, output_numpy=True)]
                self.assertEqual(rows, list(range(4000)))

    def test_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lines.txt")
            with open(path, "wb") as file:
                file.write("first\nsécond\r\n\nlast".encode())
            reader = dataset.utils.LineReader(path)
            self.assertEqual((len(reader), [reader[number] for number in (4, 2, 1, 3)]), (4, ["last", "sécond", "first", ""]))
            reader.close()
            self.assertEqual(reader.readline(1), "first")
            self.assertEqual(list(reader), list(pickle.loads(pickle.dumps(reader))))
            self.assertEqual(list(reader), ["first", "sécond", "", "last"])
            for line, problem in ((0, ValueError), (5, ValueError), ("1", TypeError)):
                self.assertRaises(problem, reader.readline, line)
            self.assertRaisesRegex(RuntimeError, "does not exist", dataset.LineReader, path + "?")

    def test_hooks(self):
        seen = []

        class Hook(dataset.debug.DebugHook):
            """Keeps what it sees."""

            def compute(self, *args):
                """Looks at a row."""
                seen.extend(args)

        rows = dataset.GeneratorDataset([1, 2], "number", shuffle=False).map([lambda x: x + 1, Hook(), lambda x: x * 2])
        self.assertEqual([int(row[0]) for row in rows.create_tuple_iterator(output_numpy=True)], [4, 6])
        self.assertEqual([int(value) for value in seen], [2, 3])

    def test_hooks_of_debug_mode(self):
        """Every `map` shows its rows before its first operation and behind each."""
        seen = []

        class Hook(dataset.debug.DebugHook):
            """Keeps what it sees."""

            def compute(self, *args):
                """Looks at a row."""
                seen.append((self.prev_op_name, [np.asarray(value).tolist() for value in args]))

        def added(x, y):
            return x + y, y

        dataset.config.set_debug_mode(True, [Hook()])
        try:
            rows = dataset.NumpySlicesDataset(([1], [5]), ["x", "y"], shuffle=False).map(added, ["x", "y"])
            rows = rows.map(dataset.transforms.TypeCast(plumb.float32), "y", num_parallel_workers=2)
            self.assertEqual([[int(value) for value in row] for row in rows.create_tuple_iterator(output_numpy=True)], [[6, 5]])
        finally:
            dataset.config.set_debug_mode(False)
        self.assertEqual(seen, [(None, [1, 5]), ("added", [6, 5]), (None, [5]), ("TypeCast", [5.0])])
        list(dataset.NumpySlicesDataset([1], shuffle=False).map(lambda x: x).create_tuple_iterator())
        self.assertEqual(len(seen), 4)
        with self.assertRaisesRegex(RuntimeError, "define 'compute"):
            dataset.debug.DebugHook()(1)

    def test_samplers(self):
        """Numbers that MindSpore 2.0.0 gives."""
        def rows(source):
            return [int(row[0]) for row in source.create_tuple_iterator(output_numpy=True)]

        numbers = dataset.NumpySlicesDataset(list(range(10)), "a", shuffle=False, num_samples=6)
        numbers.add_sampler(dataset.SequentialSampler(start_index=2, num_samples=3))
        self.assertEqual((rows(numbers), numbers.get_dataset_size()), ([2, 3, 4], 3))
        numbers = dataset.NumpySlicesDataset(list(range(10)), "a", sampler=dataset.SubsetSampler([3, 4, 5, 6]))
        numbers.add_sampler(dataset.SequentialSampler(start_index=1, num_samples=2))
        self.assertEqual(rows(numbers), [4, 5])
        numbers.use_sampler(dataset.SubsetSampler([1, 5]))
        self.assertEqual((rows(numbers), len(numbers)), ([1, 5], 2))
        self.assertRaises(TypeError, numbers.use_sampler, [1])
        self.assertRaises(TypeError, numbers.add_sampler, [1])
        for chained in (numbers.batch(2), numbers.repeat(2), numbers.map(lambda row: row)):
            for method in ("use_sampler", "add_sampler"):
                with self.assertRaisesRegex(AttributeError, method):
                    getattr(chained, method)(dataset.SequentialSampler())

    def test_start_methods(self):
        dataset.config.set_multiprocessing_start_method("fork")
        self.assertEqual(dataset.config.get_multiprocessing_start_method(), "fork")
        self.assertRaisesRegex(ValueError, "spawn", dataset.config.set_multiprocessing_start_method, "spawn")


class Buffered(nn.Cell):
    """Children and Parameters whose names are those of methods that some version's cells have."""

    def __init__(self):
        super().__init__()
        self.buffers = nn.Dense(2, 2, "ones")
        self.to = Parameter(Tensor([1.0, 2.0]), name="to")

    def construct(self, x):
        """Reads both."""
        return self.buffers(x) + self.to


class NamesOfMethods(unittest.TestCase):
    """What a program assigns comes before a method of the same name."""

    def test_children(self):
        x = Tensor(np.ones((1, 2), np.float32))
        for mode in (plumb.GRAPH_MODE, plumb.PYNATIVE_MODE):
            plumb.set_context(mode=mode)
            net = Buffered()
            self.assertEqual(net(x).asnumpy().tolist(), [[3.0, 4.0]])
            self.assertEqual([p.name for p in net.get_parameters()], ["to", "buffers.weight", "buffers.bias"])
            net.buffers = nn.Dense(2, 2, "zeros")
            self.assertEqual(net(x).asnumpy().tolist(), [[1.0, 2.0]])
            del net.buffers
            self.assertEqual(list(net.buffers()), [])


class Unknown(unittest.TestCase):
    """Keywords that nothing takes are refused."""

    def test_refused(self):
        for call in (lambda: initializer.Zero(value=1), lambda: initializer.HeNormal(value=1), lambda: nn.Dense(2, 2).recompute(mode=1), lambda: runtime.Stream(number=1)):
            self.assertRaisesRegex(TypeError, "unexpected keyword argument", call)
        nn.Dense(2, 2).recompute(mp_comm_recompute=True)

    def test_extents_of_transposed(self):
        for mode, padding in (("same", 0), ("valid", 0), ("pad", 2)):
            layer = nn.Conv2dTranspose(1, 1, 3, stride=2, pad_mode=mode, padding=padding // 2, dilation=2)
            height = layer(Tensor(np.zeros((1, 1, 6, 6), np.float32))).shape[2]
            self.assertEqual(_deconv_output_length(mode, 6, 3, 2, 2, padding), height)


class Names(unittest.TestCase):
    """Names by which later versions have what stands elsewhere."""

    def test_same(self):
        self.assertIs(nn.optim_ex.AdamW, plumb.experimental.optim.AdamW)
        self.assertIs(nn.StepLR, plumb.experimental.optim.lr_scheduler.StepLR)
        self.assertIs(plumb.ops.mean_ext, plumb.mint.mean)
        self.assertIs(plumb.ops.softplus_ext, plumb.mint.nn.functional.softplus)
        self.assertIs(plumb.ops.functional_overload.relu, plumb.ops.relu)
        self.assertIs(nn.LayerNormExt, mint.nn.LayerNorm)
        self.assertIs(auto_generate.mean_ext, mint.mean)
        self.assertEqual(mint.item(Tensor([1.5])), 1.5)
        self.assertEqual(plumb.get_level(), plumb.log.get_level())
        self.assertIs(plumb._c_expression.Tensor, Tensor)

    def test_kinds(self):
        self.assertEqual([repr(kind) for kind in (plumb.list_, plumb.tuple_, plumb.type_none, plumb.number, plumb.bool_)],
                         ["mindspore.list_", "mindspore.tuple_", "mindspore.type_none", "mindspore.number", "mindspore.bool_"])
        self.assertFalse(isinstance(plumb.float32, plumb.TensorType))
        self.assertFalse(isinstance(Tensor(1.0), StubTensor))

    def test_views(self):
        x = np.arange(12).reshape(3, 4).astype(np.float32)
        for found, wanted in ((auto_generate.SliceExtView()(Tensor(x), 1, 0, 4,
                                                            2), x[:, ::2]), (auto_generate.NarrowView()(Tensor(x), 0, 1, 2), x[1:]), (auto_generate.SelectExtView()(Tensor(x), 1, 2), x[:, 2]),
                              (auto_generate.TransposeExtView()(Tensor(x), 0,
                                                                1), x.T), (auto_generate.BroadcastToView()(Tensor(x[0]), (2, 4)), np.stack([x[0]] * 2)), (auto_generate.clamp_scalar(Tensor(x), 2, 5), x.clip(2, 5)),
                              (auto_generate.NewOnes()(Tensor(x), (2,)), np.ones(2, np.float32)), (auto_generate.ExpandDimsView()(Tensor(x), 0), x[None])):
            np.testing.assert_array_equal(found.asnumpy(), wanted)

    def test_unknown_names(self):
        with self.assertRaisesRegex(AttributeError, "NothingExt"):
            nn.NothingExt  # pylint: disable=pointless-statement
        with self.assertRaisesRegex(AttributeError, "nothing_ext"):
            plumb.ops.nothing_ext  # pylint: disable=pointless-statement
        for module, name in ((plumb.ops, "nn_ext"), (plumb.ops, "linalg_ext"), (nn, "functionalExt"), (plumb.ops, "Tensor_ext"), (mint, "HostError")):
            self.assertRaisesRegex(AttributeError, name, getattr, module, name)


if __name__ == "__main__":
    unittest.main()
