"""What programs written for several devices, or for MindSpore 1.x, import and set: the names, and what they do on one device."""

import contextlib
import importlib
import io
import os
import unittest
import unittest.mock

import numpy as np

import plumb
from plumb import _shim, nn, ops
from plumb import _checkparam as checks
from plumb.common.api import _pynative_executor
from plumb.common.initializer import Initializer, _assignment, _calculate_gain, _init_random_uniform, _register, initializer
from plumb.dataset.core import validator_helpers as bounds
from plumb.nn.layer.conv import _check_input_3d
from plumb.nn.wrap.grad_reducer import DistributedGradReducer
from plumb.ops import composite, functional
from plumb.parallel._transformer import layers, moe, op_parallel_config, transformer

_PLACES = """
_c_expression.Cell_ common.dtype.Type communication._comm_helper.get_process_group_ranks experimental.optim.adamw.AdamW Layout
nn.transformer.moe.default_moe_config parallel._transformer.op_parallel_config.MoEParallelConfig
parallel._transformer.transformer.default_transformer_config nn.wrap.cell_wrapper.GradAccumulationCell parallel.nn.Pipeline parallel.shard.Layout train.amp._OutputTo32
_c_expression.typing _c_expression._random_normal _checkparam.Validator _extends.cell_attr_register common.initializer._calculate_correct_fan communication.create_group
dataset.engine.GeneratorDataset dataset.engine.datasets.Dataset dataset.vision.ToPIL log.warning nn.DistributedGradReducer
nn.loss.SoftmaxCrossEntropyWithLogits nn.layer.activation._activation nn.loss.loss._Loss nn.optim.rmsprop.RMSProp nn.optim.sgd.SGD
nn.wrap.cell_wrapper._VirtualDatasetCell ops.composite.clip_by_global_norm ops.functional.tuple_len ops.functional.print common.api._cell_graph_executor common.api.jit_class ops.functional.mixed_precision_cast ops.operations._rl_inner_ops.CudnnGRU ops.operations.AllReduce ops.operations.comm_ops.AllReduce
ops.primitive.constexpr ops.primitive.prim_attr_register parallel._auto_parallel_context.auto_parallel_context
parallel._utils._get_device_num parallel.set_algo_parameters profiler.profiling.Profiler train.amp.build_train_network
train._utils._make_directory train.callback._InternalCallbackParam train.callback._time_monitor.TimeMonitor
train.loss_scale_manager.FixedLossScaleManager train.model.ParallelMode train.serialization.export LossMonitor
ops.function.math_func.matrix_exp ops.function.random_func.random_poisson ops.function.grad.grad_func.jvp ops.operations.linalg_ops.Svd
nn.grad.Jvp ops._grad.grad_base.bprop_getters nn.optim.lars.LARS nn.layer.basic.ResizeBilinear nn.layer.timedistributed.TimeDistributed nn.reinforcement.TensorArray
dataset.callback.DSCallback dataset.audio.transforms.Vad dataset.vision.transforms.Perspective dataset.vision.utils.get_image_size
dataset.text.transforms.ToVectors dataset.engine.samplers.RandomSampler train.metrics.accuracy.Accuracy
common.initializer._INITIALIZER_ALIAS nn.wrap.loss_scale.grad_scale nn.wrap.loss_scale.shard_grad_scale ops.operations._inner_ops.Send
train.callback._callback.InternalCallbackParam train.callback._callback.set_cur_net common._stub_tensor
mindrecord.tools.csv_to_mr.CsvToMR numpy.math_ops.mean scipy.ops_wrapper.matrix_set_diag
"""


class Halves(Initializer):
    """A rule of a program's own."""

    def _initialize(self, arr):
        _assignment(arr, np.full(arr.shape, 0.5))


class Step(nn.TrainOneStepCell):
    """A training step as programs for several devices write it."""

    def __init__(self, network, optimizer):
        super().__init__(network, optimizer)
        self.mean = plumb.parallel._utils._get_gradients_mean()  # pylint: disable=protected-access
        self.grad_reducer = DistributedGradReducer(optimizer.parameters, self.mean, 1)
        self.reduce = ops.AllReduce(ops.ReduceOp.SUM)
        self.cast = ops.Cast().shard(((1, 1),))

    def construct(self, x):
        """Compiled body."""
        loss = self.network(x)
        sens = ops.Fill()(ops.DType()(loss), ops.Shape()(loss), self.sens)
        grads = self.grad_reducer(self.grad(self.network, self.weights)(x, sens))
        return functional.depend(self.reduce(loss), self.optimizer(grads))


class Descent(nn.Optimizer):
    """An optimizer of a program's own, by the members of its base."""

    def construct(self, gradients):
        """Compiled body."""
        gradients = self._grad_sparse_indices_deduplicate(self.scale_grad(gradients))
        rate = self.get_lr()
        done = self.hyper_map(functional.partial(_descend, rate), self._parameters, gradients, self.optim_filter)
        return self.broadcast_params(done) if self.use_parallel else done


def _descend(rate, weight, gradient, chosen):
    return ops.assign(weight, weight - rate * gradient) if chosen else weight


class ScaledStep(nn.TrainOneStepWithLossScaleCell):
    """A step of a program's own on a scaled loss, by the members of its base."""

    def construct(self, x):
        """Compiled body."""
        loss = self.network(x)
        status, scale = self.start_overflow_check(loss, self.scale_sense)
        grads = self.grad(self.network, self.weights)(x, ops.ones_like(loss) * scale)
        grads = self.hyper_map(functional.partial(_unscale, scale), self.grad_reducer(grads))
        overflow = self.process_loss_scale(self.get_overflow_status(status, grads))
        if not overflow:
            loss = functional.depend(loss, self.optimizer(grads))
        return loss, overflow, self.reduce_sum(ops.stack((self.base, scale)), 0)


def _unscale(scale, grad):
    return grad / scale


class NamesTest(unittest.TestCase):
    """Where names stand."""

    def test_split_by_an_axis(self):
        """MindSpore 1.x has the axis as the second argument of `split`, before the number of slices."""
        for split in (lambda x: ops.split(x, 1, output_num=2), plumb.jit(lambda x: ops.split(x, 1, output_num=2))):
            self.assertEqual([part.asnumpy().tolist() for part in split(plumb.Tensor([[0, 1, 2, 3], [4, 5, 6, 7]]))], [[[0, 1], [4, 5]], [[2, 3], [6, 7]]])

    def test_groups_of_convolutions(self):
        """ops.conv2d and conv3d of MindSpore 1.x call their groups `group`."""
        def grouped(x, weight):
            return ops.conv2d(inputs=x, weight=weight, group=2)
        x, weight = [plumb.Tensor(np.arange(np.prod(shape), dtype=np.float32).reshape(shape)) for shape in ((1, 4, 3, 3), (2, 2, 2, 2))]
        for call in (grouped, plumb.jit(grouped)):
            np.testing.assert_array_equal(call(x, weight).asnumpy(), ops.conv2d(x, weight, groups=2).asnumpy())
        volume, kernel = ops.expand_dims(x, 2), ops.expand_dims(weight, 2)
        np.testing.assert_array_equal(ops.conv3d(volume, kernel, group=2).asnumpy()[:, :, 0], grouped(x, weight).asnumpy())

    def test_limits_of_clip(self):
        """Tensor.clip of MindSpore 1.x calls its limits xmin and xmax."""
        def clipped(x):
            return x.clip(xmin=1.0, xmax=2.0)
        for call in (clipped, plumb.jit(clipped)):
            np.testing.assert_array_equal(call(plumb.Tensor(np.arange(4, dtype=np.float32))).asnumpy(), [1, 1, 2, 2])

    def test_places(self):
        _shim.install()
        for name in _PLACES.split():
            module, _, last = ("mindspore." + name).rpartition(".")
            self.assertTrue(hasattr(importlib.import_module(module), last), name)

    def test_helpers_of_numpy(self):
        _shim.install()
        tensors = importlib.import_module("mindspore.numpy.utils")._to_tensor
        self.assertEqual([value.asnumpy().tolist() for value in tensors([1.0, 2.0], 3)], [[1, 2], 3])
        self.assertEqual(tensors((1, 2.5)).dtype, plumb.float32)
        self.assertRaises(TypeError, tensors, "text")
        raised = importlib.import_module("mindspore.numpy.utils_const")
        for name, kind in (("value", ValueError), ("type", TypeError), ("runtime", RuntimeError)):
            self.assertRaisesRegex(kind, "size 3", getattr(raised, f"_raise_{name}_error"), "size ", 3)
        self.assertRaisesRegex(NotImplementedError, "none", raised._raise_unimplemented_error, "none")

    def test_other_places(self):
        """A module that only names another one's place offers nothing but that one's names, and gives no name to the packages around."""
        _shim.install()
        operations = importlib.import_module("mindspore.ops")
        self.assertIs(operations.function.math_func.matrix_exp, ops.matrix_exp)
        with self.assertRaisesRegex(ImportError, "Nothing"):
            from mindspore.nn.optim.lars import Nothing  # pylint: disable=unused-import,import-outside-toplevel
        for missing in ("mindspore.nn.optim.nothing", "mindspore.ops.function.nothing_func"):
            with self.assertRaisesRegex(ModuleNotFoundError, missing):
                importlib.import_module(missing)
        with self.assertRaises(AttributeError):
            importlib.import_module("mindspore.dataset.vision.transforms").Nothing  # pylint: disable=expression-not-assigned

    def test_a_function_and_a_module_of_one_name(self):
        _shim.install()
        module = importlib.import_module("mindspore.parallel.shard")
        self.assertIs(module.Layout, plumb.Layout)
        self.assertIs(module(nn.ReLU, ((1,),)), nn.ReLU)

    def test_advice_beside_what_is_in_parts(self):
        for name in ("load_distributed_checkpoint", "transform_checkpoints", "unified_safetensors"):
            with self.assertRaisesRegex(NotImplementedError, "load_checkpoint reads them whole"):
                getattr(plumb, name)("a", "b")
            self.assertEqual(repr(getattr(plumb.parallel, name)).split("parallel.")[1], repr(getattr(plumb, name)).split("plumb.", 1)[1])

    def test_private_modules_of_this_package_are_not_served(self):
        _shim.install()
        with self.assertRaisesRegex(ModuleNotFoundError, "mindspore._engine"):
            importlib.import_module("mindspore._engine")


class Checked(nn.Conv1d):
    """A layer with a check of its own."""

    def construct(self, x):
        _check_input_3d(self.shape(x))
        return super().construct(x)


class BlockChecksTest(unittest.TestCase):
    """Checks that programs' own blocks of large language models make, and settings that they take."""

    def test_arguments(self):
        class Block:
            """A block whose arguments are checked."""

            @layers._args_type_validator_check(width=checks.check_positive_int, act=layers._valid_type_checks([str], "Block"),
                                               kind=layers._valid_value_checks([plumb.float32, plumb.float16], "Block"))
            def __init__(self, width, act="gelu", kind=plumb.float32):
                self.width = width

        self.assertEqual(Block(3, act="relu", kind=plumb.float16).width, 3)
        for error, arguments in ((ValueError, {"width": 0}), (TypeError, {"width": 1, "act": 3}), (TypeError, {"width": 1, "kind": plumb.int8})):
            self.assertRaises(error, lambda arguments=arguments: Block(**arguments))

    def test_inputs(self):
        class Block(nn.Cell):
            """A block whose inputs are checked while it is compiled."""

            def construct(self, x, past=None):
                """Compiled body."""
                layers._check_input_dtype(x.dtype, "x", [plumb.float32], self.cls_name)
                layers._check_past_none_input_none(False, "past", self.cls_name, None, past is not None, past is None)
                return x

        x = plumb.Tensor(np.ones((4, 2), np.float32))
        self.assertEqual(Block()(x).shape, (4, 2))
        with self.assertRaisesRegex(TypeError, "Int32"):
            Block()(x.astype(plumb.int32))
        with self.assertRaisesRegex(TypeError, "must be None where use_past is False"):
            Block()(x, x)

    def test_shapes(self):
        check = layers._LayerInputCheck
        self.assertTrue(check.check_shape_equal((2, 3), "x", "Block", [[3], [2, 3]]) and check.check_shape_length((2, 3), "x", "Block", [2, 3]))
        self.assertTrue(check.check_shape_equal_without_batch((8, 3), "x", "Block", [4, 3]))
        for function, arguments in ((check.check_shape_equal, ([2, 4],)), (check.check_shape_length, (3,)),
                                    (check.check_shape_equal_without_batch, ([4, 3],))):
            with self.assertRaisesRegex(ValueError, "'Block'"):
                function((2, 3), "x", "Block", *arguments)
        with self.assertRaisesRegex(ValueError, "axis 1"):
            check.check_shape_value_on_axis((2, 3), 1, "x", "Block", 2)

    def test_settings(self):
        block = nn.Dense(2, 2)
        transformer._get_lambda_func()(block, layer_id=1, offset=0, parallel_config=transformer.default_transformer_config, layers=2)
        self.assertEqual(block.pipeline_stage, 0)
        moe._check_moe_config(moe.default_moe_config, None)
        for settings in (op_parallel_config.MoEParallelConfig(), transformer.default_transformer_config):
            op_parallel_config._check_config(settings)
        self.assertRaises(TypeError, moe._check_moe_config, 3)
        self.assertRaises(TypeError, op_parallel_config._check_config, 3)
        self.assertRaises(ValueError, op_parallel_config.MoEParallelConfig, expert_parallel=2)
        with self.assertRaisesRegex(NotImplementedError, "FeedForward"):
            moe.MoE(hidden_size=4)


class InnerPartsTest(unittest.TestCase):
    """Inner parts of MindSpore that programs import."""

    def test_bounds(self):
        for name, kind in (("UINT8", np.uint8), ("INT32", np.int32), ("UINT64", np.uint64), ("INT64", np.int64)):
            self.assertEqual((getattr(bounds, name + "_MIN"), getattr(bounds, name + "_MAX")), (np.iinfo(kind).min, np.iinfo(kind).max))
        self.assertNotEqual(np.float32(bounds.FLOAT_MAX_INTEGER), np.float32(bounds.FLOAT_MAX_INTEGER - 1))
        self.assertEqual(np.float32(bounds.FLOAT_MAX_INTEGER), np.float32(bounds.FLOAT_MAX_INTEGER + 1))

    def test_check_in_a_layer(self):
        self.assertEqual(Checked(2, 3, 1)(plumb.ops.ones((1, 2, 5), plumb.float32)).shape, (1, 3, 5))
        self.assertRaisesRegex(ValueError, "3 axes", Checked(2, 3, 1), plumb.ops.ones((1, 2, 5, 5), plumb.float32))

    def test_end_of_calls(self):
        self.assertIsNone(_pynative_executor.sync())


class SettingsTest(unittest.TestCase):
    """Settings that are about other devices."""

    def test_context(self):
        plumb.set_context(enable_graph_kernel=True, mempool_block_size="2GB", reserve_class_name_in_scope=False)
        self.assertEqual(plumb.get_context("mempool_block_size"), "2GB")
        heard = io.StringIO()
        with contextlib.redirect_stderr(heard):
            plumb.set_context(max_device_memory="3GB")
        self.assertIn("max_device_memory='3GB' is about other devices; ignored", heard.getvalue())
        with self.assertRaisesRegex(TypeError, "must be bool"):
            plumb.set_context(enable_graph_kernel="yes")
        with self.assertRaisesRegex(ValueError, "one process|in one"):
            plumb.set_ps_context(enable_ps=True)

    def test_parallel(self):
        context = importlib.import_module("plumb.parallel._auto_parallel_context").auto_parallel_context()
        plumb.reset_auto_parallel_context()
        self.assertFalse(context.get_device_num_is_set())
        plumb.set_auto_parallel_context(device_num=1, parallel_mode="semi_auto_parallel", full_batch=True)
        self.assertTrue(context.get_device_num_is_set())
        self.assertEqual(context.get_parallel_mode(), "semi_auto_parallel")
        plumb.reset_auto_parallel_context()
        plumb.set_algo_parameters(elementwise_op_strategy_follow=True)
        self.assertTrue(plumb.get_algo_parameters("elementwise_op_strategy_follow"))
        plumb.reset_algo_parameters()
        with self.assertRaisesRegex(ValueError, "there is no 'speed'"):
            plumb.set_algo_parameters(speed=1)

    def test_log(self):
        for level, count in (("0", 5), ("2", 3), ("4", 1)):
            heard = io.StringIO()
            with unittest.mock.patch.dict(os.environ, GLOG_v=level), contextlib.redirect_stderr(heard):
                for write in (plumb.log.debug, plumb.log.info, plumb.log.warning, plumb.log.error, plumb.log.critical):
                    write("step %d", 7)
            self.assertEqual(heard.getvalue().count("step 7"), count)
        self.assertRegex(heard.getvalue(), r"\[CRITICAL\] ME\(\d+.*older_names_test.py:\d+\] step 7")

    def test_checks(self):
        self.assertEqual(checks.check_positive_int(3, "size", "Net"), 3)
        with self.assertRaisesRegex(ValueError, "For 'Net', the 'size' should be > value: 0, but got 0"):
            checks.Validator.check_positive_int(0, "size", "Net")
        with self.assertRaisesRegex(TypeError, "must be int"):
            checks.check_positive_int(True, "size")
        with self.assertRaisesRegex(ValueError, r"in the range of \[0.0, 1.0\), but got 1.0"):
            checks.check_float_range(1.0, 0.0, 1.0, checks.Rel.INC_LEFT, "beta")
        with self.assertRaisesRegex(TypeError, "must be str or list, but got int"):
            checks.check_value_type("name", 3, [str, list])


class OperatorsTest(unittest.TestCase):
    """Operators on one device, and others that programs of that time use."""

    def test_step_for_several_devices(self):
        net = nn.Dense(3, 1, weight_init="ones", has_bias=False)
        step = Step(nn.SequentialCell(net), nn.SGD(net.trainable_params(), 0.5))
        self.assertEqual(step(plumb.Tensor(np.ones((1, 3), np.float32))).asnumpy().tolist(), [[3.0]])
        self.assertEqual(net.weight.asnumpy().tolist(), [[0.5] * 3])

    def test_gradients_of_any_number_of_inputs(self):
        class Product(nn.Cell):
            """x * y * y."""

            def construct(self, *inputs):
                """Compiled body."""
                x, y = inputs
                return x * y * y

        class Gradients(nn.Cell):
            """Its gradients with an adjoint."""

            def __init__(self):
                super().__init__()
                self.grad = ops.GradOperation(get_all=True, sens_param=True)(Product())

            def construct(self, *inputs):
                """Compiled body."""
                return self.grad(*inputs, ops.ones_like(inputs[0]) * 2.0)

        x, y = plumb.Tensor([2.0]), plumb.Tensor([3.0])
        self.assertEqual([float(part) for part in Gradients()(x, y)], [18.0, 24.0])
        self.assertEqual([float(part) for part in ops.GradOperation(get_all=True)(Product())(x, y)], [9.0, 12.0])

    def test_adjoints_that_broadcast(self):
        square = ops.GradOperation(sens_param=True)(lambda v: v * v)
        for value, sens, result in (([2.0], 10.0, [40.0]), (3.0, [10.0], 60.0), ([[1.0, 1.0]] * 2, [1.0, 2.0], [[2.0, 4.0]] * 2)):
            self.assertEqual(square(plumb.Tensor(np.float32(value)), plumb.Tensor(np.float32(sens))).asnumpy().tolist(), result)
        with self.assertRaisesRegex(Exception, r"sens is a Tensor\[Float32\] of shape \(3,\), but the function returns shape \(2,\)"):
            square(plumb.Tensor([1.0, 1.0]), plumb.Tensor([1.0, 1.0, 1.0]))

    def test_layerwise_rates_with_groups(self):
        def trained(groups):
            net = nn.SequentialCell(nn.Dense(3, 2, weight_init="ones"), nn.Dense(2, 1, weight_init="ones"))
            first, second = net[0].trainable_params(), net[1].trainable_params()
            optimizer = nn.LARS(nn.Momentum(groups(first, second), 0.5, 0.9), coefficient=0.02)
            nn.TrainOneStepCell(net, optimizer)(plumb.Tensor(np.arange(3, dtype=np.float32).reshape(1, 3)))
            return [parameter.asnumpy() for parameter in net.trainable_params()]

        alike = trained(lambda first, second: first + second)
        for one, other in zip(alike, trained(lambda first, second: [{"params": first}, {"params": second}])):
            self.assertTrue((one == other).all())
        slower = trained(lambda first, second: [{"params": first, "lr": 0.25}, {"params": second}])
        self.assertTrue((slower[2] == alike[2]).all())
        np.testing.assert_allclose(1 - slower[0], (1 - alike[0]) / 2, rtol=1e-5)

    def test_kinds_of_types(self):
        kinds = importlib.import_module("plumb._c_expression").typing
        self.assertEqual([isinstance(plumb.int8, kind) for kind in (kinds.Number, kinds.Int, kinds.UInt, kinds.Float)],
                         [True, True, False, False])
        self.assertNotIsInstance(3, kinds.Number)

    def test_numbers_that_rules_fill_weights_with(self):
        from plumb import _c_expression
        for fill, mean, deviation in ((_c_expression._random_normal, 3, 2), (_c_expression._random_uniform, 2.5, 0.5 / 12 ** 0.5)):
            first, second, third = (np.zeros((40, 50), np.float32) for _ in range(3))
            for seed, array in ((5, first), (5, second), (6, third)):
                fill(seed, array, *((3, 2) if mean == 3 else (2.25, 2.75)))
            self.assertTrue((first == second).all() and (first != third).any())
            np.testing.assert_allclose([first.mean(), first.std()], [mean, deviation], rtol=0.05)

    def test_a_layer_of_another_device(self):
        from plumb.ops.operations._rl_inner_ops import CudnnGRU
        with self.assertRaisesRegex(RuntimeError, "no cuDNN; use nn.GRU"):
            CudnnGRU(3, 4, 1, True, False, 0.0)

    def test_members_that_subclasses_use(self):
        net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        step = ScaledStep(net, Descent(0.25, net.trainable_params()), nn.FixedLossScaleUpdateCell(8.0))
        loss, overflow, more = step(plumb.Tensor([[1.0, 2.0]]))
        self.assertEqual((loss.asnumpy().tolist(), bool(overflow), float(more)), ([[3.0]], False, 9.0))
        self.assertEqual(net.weight.asnumpy().tolist(), [[0.75, 0.5]])
        self.assertEqual(float(step(plumb.Tensor([[np.inf, 2.0]]))[1]), 1.0)
        self.assertEqual(net.weight.asnumpy().tolist(), [[0.75, 0.5]])

    def test_exchanges_on_one_device(self):
        x = plumb.Tensor(np.arange(4, dtype=np.float32))
        for exchange in (ops.AllReduce(), ops.AllGather(), ops.ReduceScatter("max"), lambda y: ops.Broadcast(0)((y,))[0]):
            self.assertEqual(exchange(x).asnumpy().tolist(), [0, 1, 2, 3])
        with self.assertRaisesRegex(ValueError, "'root_rank' must be 0"):
            ops.Broadcast(1)

    def test_overflow(self):
        for value, status in ((1.0, 0.0), (np.inf, 1.0), (np.nan, 1.0)):
            self.assertEqual(ops.FloatStatus()(plumb.Tensor([0.0, value])).asnumpy().tolist(), [status])
        with self.assertRaisesRegex(NotImplementedError, "ops.FloatStatus"):
            ops.NPUGetFloatStatus()(ops.NPUAllocFloatStatus()())

    def test_random_choice(self):
        mask = np.zeros((6, 5), np.bool_)
        mask[1:3, 2:] = True
        places, real = (x.asnumpy() for x in ops.RandomChoiceWithMask(4)(plumb.Tensor(mask)))
        self.assertTrue(real.all() and mask[tuple(places.T)].all())
        self.assertEqual(len({tuple(place) for place in places}), 4)
        places, real = (x.asnumpy() for x in ops.RandomChoiceWithMask(40, 3, 1)(plumb.Tensor(mask)))
        self.assertEqual((places.dtype, real.sum(), real[:6].all(), places[6:].any()), (np.int32, 6, True, False))

    def test_pooling_with_places(self):
        x = np.random.default_rng(1).normal(size=(2, 3, 5, 7)).astype(np.float32)
        for mode, stride in (("valid", 2), ("same", 1), ("SAME", 2)):
            values, places = ops.MaxPoolWithArgmax(3, stride, mode)(plumb.Tensor(x))
            self.assertTrue((values.asnumpy() == ops.MaxPool(3, stride, mode)(plumb.Tensor(x)).asnumpy()).all())
            flat = np.take_along_axis(x.reshape(2, -1), places.asnumpy().reshape(2, -1), 1)
            self.assertTrue((flat.reshape(values.shape) == values.asnumpy()).all())

    def test_layers(self):
        x = np.random.default_rng(2).normal(size=(3, 4)).astype(np.float32)
        np.testing.assert_allclose(nn.Norm(1, True)(plumb.Tensor(x)).asnumpy(), np.linalg.norm(x, axis=1, keepdims=True), rtol=1e-6)
        mean, variance = nn.Moments(0)(plumb.Tensor(x))
        np.testing.assert_allclose(mean.asnumpy(), x.mean(0), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(variance.asnumpy(), x.var(0), rtol=1e-5)
        self.assertEqual(nn.Range(1, 8, 2)().asnumpy().tolist(), [1, 3, 5, 7])

    def test_split_into_a_number_of_parts(self):
        x = plumb.Tensor(np.arange(12, dtype=np.float32).reshape(2, 6))
        for split in (ops.split, plumb.jit(lambda x, axis, output_num: ops.split(x, axis=axis, output_num=output_num))):
            for number in (1, 2, 3):
                parts = [part.asnumpy().tolist() for part in split(x, axis=-1, output_num=number)]
                self.assertEqual(parts, [part.tolist() for part in np.split(x.asnumpy(), number, -1)])
        for wrong in ({}, {"split_size_or_sections": 2, "output_num": 2}):
            with self.assertRaisesRegex(TypeError, "give either 'split_size_or_sections' or 'output_num'"):
                ops.split(x, **wrong)

    def test_functions(self):
        apply = composite.MultitypeFuncGraph("apply")

        @apply.register("Function", "Tensor")
        def _apply(function, x):
            return function(x)

        @composite.add_flags(has_effect=True)
        def run(x):
            shares = functional.make_range(2, 5)
            return apply(ops.neg, x) * functional.tuple_len(shares) + functional.tuple_setitem(shares, -1, 9)[2]

        self.assertEqual(plumb.jit(run)(plumb.Tensor([1.0, 2.0])).asnumpy().tolist(), [6.0, 3.0])


    def test_types_of_numbers(self):
        """Numbers of any width are Python's; a bool is none but a Number."""
        kind = composite.MultitypeFuncGraph("kind")
        for name, factor in (("Bool", 2.0), ("Float32", 3.0), ("Int64", 5.0)):
            kind.register("Tensor", name)(lambda x, _, factor=factor: x * factor)

        def all_of(x):
            return kind(x, True), kind(x, 1.5), kind(x, 2)

        for run in (all_of, plumb.jit(all_of)):
            self.assertEqual([value.item() for value in run(plumb.Tensor(1.0))], [2, 3, 5])
        number = composite.MultitypeFuncGraph("number")
        number.register("Number")(lambda x: x + 1)
        self.assertEqual((number(True), number(1), number(1.5)), (2, 2, 2.5))
        self.assertRaises(TypeError, kind, plumb.Tensor(1.0), "text")


class InitializersTest(unittest.TestCase):
    """Rules of programs' own."""

    def test_values(self):
        self.assertEqual(nn.Dense(2, 2, weight_init=Halves()).weight.asnumpy().tolist(), [[0.5, 0.5]] * 2)
        _register("half")(Halves)
        self.assertEqual(initializer("half", [3], plumb.float16).asnumpy().tolist(), [0.5] * 3)

    def test_helpers(self):
        values = _init_random_uniform(2.0, 4.0, (1000,))
        self.assertTrue(values.min() >= 2.0 and values.max() < 4.0 and values.max() - values.min() > 1.8)
        self.assertAlmostEqual(_calculate_gain("leaky_relu", 1.0), 1.0)


class PicturesTest(unittest.TestCase):
    """Pillow's images between operations."""

    def test_pillow(self):
        vision = plumb.dataset.vision
        image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
        picture = vision.ToPIL()(image)
        self.assertEqual(picture.size, (4, 4))
        self.assertEqual(np.asarray(vision.CenterCrop(2)(picture)).tolist(), image[1:3, 1:3].tolist())
        with self.assertRaisesRegex(TypeError, "uint8"):
            vision.ToPIL()(image.astype(np.float32))


class KindsOfTypesTest(unittest.TestCase):
    """Names for several element types at once, and the short ones."""

    def test_kinds(self):
        from plumb.common import dtype as mstype
        from plumb._c_expression import typing
        self.assertTrue(isinstance(plumb.int32, plumb.Int) and not isinstance(plumb.uint8, plumb.Int))
        self.assertTrue(isinstance(plumb.float16, typing.Float) and isinstance(plumb.uint8, mstype.UInt))
        self.assertEqual((len(mstype.number_type), len(mstype.signed_type), len(mstype.uint_type)), (13, 9, 4))
        self.assertNotIn(plumb.bool_, mstype.number_type)
        self.assertEqual((mstype.byte, mstype.intp, mstype.uint, mstype.single),
                         (plumb.int8, plumb.int64, plumb.uint64, plumb.float32))


class InnerNamesTest(unittest.TestCase):
    """Names of MindSpore's inner modules that libraries import."""

    def test_checks(self):
        from plumb._checkparam import Validator
        self.assertIs(Validator.check_type_name("x", int, [int, str], "F"), int)
        Validator.check_subclass("x", plumb.float32, (plumb.float16, plumb.float32), "F")
        Validator.check_types_same_and_valid({"a": plumb.int8, "b": plumb.int8}, [plumb.int8], "F")
        for message, check, arguments in (
                ("'x' should be one of str, but got int", Validator.check_type_name, ("x", int, [str], "F")),
                ("'x' must be one of Float16, but got Bool", Validator.check_subclass, ("x", plumb.bool_, [plumb.float16], "F")),
                ("type of 'b' should be same as 'a'", Validator.check_types_same_and_valid,
                 ({"a": plumb.int8, "b": plumb.int16}, [plumb.int8, plumb.int16], "F"))):
            self.assertRaisesRegex(TypeError, message, check, *arguments)

    def test_one_device(self):
        from plumb.parallel import _ps_context, _utils
        self.assertFalse(_utils._is_sharding_propagation() or _ps_context._is_role_sched() or _ps_context._is_ps_mode())
        self.assertRaisesRegex(ValueError, "device_number must be 1", _utils._device_number_check, "stand_alone", 2)

    def test_losses_of_steps(self):
        from plumb.train.callback._callback import _handle_loss
        two = plumb.Tensor([1.0, 3.0])
        self.assertEqual((_handle_loss(two), _handle_loss((two, 1)) is two, _handle_loss(5)), (2.0, True, 5))

    def test_warnings_once(self):
        from plumb import log
        with self.assertLogs("ME", "WARNING") as seen:
            @log._LogActionOnce(logger=log, key="Some")
            def some(number):
                return number + 1

            self.assertEqual((some(1), some(2)), (2, 3))
        self.assertEqual(len(seen.output), 1)

    def test_operations_in_layers(self):
        x = plumb.Tensor([1.0, 2.0])
        for layer, name in ((plumb.nn.Softmax(), "softmax"), (plumb.nn.Dropout(p=0.25), "dropout")):
            operation = getattr(layer, name)
            self.assertIs(operation.shard(((1,),)), operation)
        for name in "ReLU ReLU6 GELU FastGelu Sigmoid Tanh HSigmoid HSwish ELU SeLU Mish Softsign LogSoftmax".split():
            layer = getattr(plumb.nn, name)()
            operation = getattr(layer, {"FastGelu": "fast_gelu", "LogSoftmax": "log_softmax"}.get(name, name.lower()))
            np.testing.assert_allclose(operation.shard(((1,),))(x).asnumpy(), layer(x).asnumpy(), rtol=1e-3, err_msg=name)
        self.assertEqual(plumb.nn.Softmax().softmax(x).asnumpy().tolist(), plumb.nn.Softmax()(x).asnumpy().tolist())

    def test_own_attributes_go_before_operations(self):
        """Cells have an operation `cast`, unless they, or their class, have something else of this name."""
        class Whole(plumb.nn.Cell):
            def construct(self, x):
                return self.cast(x, plumb.int32)

        class Child(plumb.nn.Softmax):
            def __init__(self):
                super().__init__()
                self.softmax, self.cast = plumb.nn.ReLU(), 2

            def construct(self, x):
                return self.softmax(x) * self.cast

        class Method(plumb.nn.Cell):
            def cast(self, x):
                return x + 1

            def construct(self, x):
                return self.cast(x)

        x = plumb.Tensor([-1.5, 2.5])
        for cell, expected in ((Whole(), [-1, 2]), (Child(), [0, 5]), (Method(), [-0.5, 3.5])):
            for call in (cell, plumb.jit(cell.construct)):
                self.assertEqual(call(x).asnumpy().tolist(), expected)

    def test_places(self):
        from plumb import version
        from plumb.common.api import cells_compile_cache
        from plumb.dataset.transforms import py_transforms
        from plumb.train.serialization import context
        self.assertEqual((version.__version__, cells_compile_cache, context.GRAPH_MODE), ("2.0.0", {}, 0))
        self.assertEqual(plumb.nn.ReLU().compile_cache, set())
        self.assertTrue(isinstance(py_transforms.PyTensorOperation, type))
        gather = plumb.ops.operations.GatherV2()
        self.assertEqual(gather(plumb.Tensor([1.0, 2.0, 3.0]), plumb.Tensor([2, 0]), 0).asnumpy().tolist(), [3.0, 1.0])


if __name__ == "__main__":
    unittest.main()
