"""What cells and tensors say of themselves, and changes of a tensor as a whole: the members that MindSpore's have beside computing."""

import copy
import pickle
import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, nn, ops
from plumb._c_expression import MixedPrecisionType


class Network(nn.Cell):
    """Two layers, one of them in a container."""

    def __init__(self):
        super().__init__()
        self.first = nn.Dense(2, 3)
        self.rest = nn.SequentialCell(nn.Dense(3, 1))

    def construct(self, x):
        """Compiled body."""
        return self.rest(self.first(x))


X = Tensor(np.ones((2, 2), np.float32))


class CellSettingsTest(unittest.TestCase):
    """Members of Cell."""

    def test_scopes(self):
        network = Network()
        self.assertIsNone(network.first.get_scope())
        network.generate_scope()
        scopes = {name: cell.get_scope() for name, cell in network.cells_and_names()}
        self.assertEqual(scopes, {"": None, "first": "Default/first-Dense", "rest": "Default/rest-SequentialCell",
                                  "rest.0": "Default/rest-SequentialCell/0-Dense"})

    def test_phase_follows_the_mode(self):
        network = Network()
        phases = [network.phase, network.set_train().phase, network.set_train(False).phase]
        self.assertEqual(phases, ["train", "train", "predict"])
        network.phase = "export"
        self.assertEqual((network.phase, network.training), ("export", False))
        with self.assertRaisesRegex(TypeError, "'phase' must be a str"):
            network.phase = 3

    def test_inputs_to_come(self):
        network = nn.Dense(3, 1)
        network.set_inputs(Tensor(shape=[None, 3], dtype=plumb.float32))
        open_one = network.get_inputs()[0]
        self.assertEqual((open_one.shape, open_one.dtype, open_one.ndim, open_one.has_init), ((-1, 3), plumb.float32, 2, False))
        self.assertEqual(str(open_one), "Tensor(shape=[-1, 3], dtype=Float32, value= )")
        with self.assertRaisesRegex(ValueError, "stands for inputs to come, by set_inputs; it has no values"):
            open_one.asnumpy()
        self.assertEqual([network(Tensor(np.ones((rows, 3), np.float32))).shape for rows in (2, 5)], [(2, 1), (5, 1)])
        for given in ({}, {"shape": (2, None)}, {"dtype": plumb.float32}):
            with self.assertRaisesRegex(ValueError, "give 'input_data'"):
                Tensor(**given)

    def test_compiled_ahead(self):
        from plumb.common.api import _cell_graph_executor, _pynative_executor
        network = Network()
        self.assertEqual(_cell_graph_executor.compile(network, X), ("predict", True))
        np.testing.assert_array_equal(_cell_graph_executor(network, X).asnumpy(), network(X).asnumpy())
        with self.assertRaisesRegex(TypeError, "must be a Cell"):
            _cell_graph_executor.compile(3)
        _pynative_executor.sync()

    def test_inputs_and_options(self):
        network = Network()
        self.assertEqual((network.get_inputs(), network.jit_config_dict, network.cell_type), (None, {}, None))
        network.set_inputs(X)
        network.set_jit_config(plumb.JitConfig(jit_level="O1"))
        network.update_cell_type("quant")
        self.assertIs(network.get_inputs()[0], X)
        self.assertEqual((network.jit_config_dict["jit_level"], network.cell_type), ("O1", "quant"))
        self.assertEqual(network.create_time, network.create_time)

    def test_casts(self):
        network, whole = Network(), Tensor([1])
        self.assertEqual(network.get_mixed_precision_type(), MixedPrecisionType.NOTSET)
        self.assertIs(network.auto_cast_inputs((X,))[0], X)
        network.to_float(plumb.float16)
        self.assertEqual(network.first.get_mixed_precision_type(), MixedPrecisionType.FP16)
        found = network.auto_cast_inputs((X, whole, (X,)))
        self.assertEqual([found[0].dtype, found[1].dtype, found[2][0].dtype], [plumb.float16, plumb.int64, plumb.float16])
        self.assertEqual([part.dtype for part in network.cast_inputs((X, whole), plumb.float16)], [plumb.float16] * 2)
        network.set_mixed_precision_type(MixedPrecisionType.NOTSET)
        self.assertEqual(network(X).dtype, plumb.float32)
        network.set_mixed_precision_type(MixedPrecisionType.FP16, recursive=False)
        self.assertEqual((network.get_mixed_precision_type(), network.first.get_mixed_precision_type()), (1, 0))

    def test_run_construct_calls(self):
        network = Network()
        np.testing.assert_array_equal(network.run_construct((X,), {}).asnumpy(), network(X).asnumpy())

    def test_one_device(self):
        network = Network()
        expected = network(X).asnumpy()
        network.flatten_weights()
        network.set_data_parallel()
        network.set_auto_parallel()
        network.set_param_ps()
        network.set_parallel_input_with_inputs(X)
        network.load_parameter_slice(None)
        self.assertEqual(len(network.init_parameters_data(auto_parallel_mode=True)), 4)
        network.remove_redundant_parameters()
        network.pipeline_stage = 1
        self.assertEqual(network.pipeline_stage, 1)
        self.assertEqual((network.parameter_layout_dict, network.parallel_parameter_name_list, network.parallel_parameter_merge_net_dict),
                         ({}, (), {}))
        np.testing.assert_array_equal(network(X).asnumpy(), expected)
        with self.assertRaisesRegex(ValueError, "'pipeline_stage' can not be less than 0, but got -1"):
            network.pipeline_stage = -1
        with self.assertRaisesRegex(ValueError, "'fusion_size' must be an int of at least 0"):
            network.flatten_weights(-1)

    def test_options_of_profiling(self):
        for key, value in (("enable_profiling", True), ("profiling_options", "{}"), ("save_dump_path", "/tmp")):
            before = plumb.get_context(key)
            plumb.set_context(**{key: value})
            self.assertEqual(plumb.get_context(key), value)
            plumb.set_context(**{key: before})
        self.assertRaises(TypeError, plumb.set_context, enable_profiling=1)

    def test_names_without_use_say_what_to_use(self):
        network = Network()
        for name, advice in (("set_boost", "which changes results"), ("cell_init_args", "keep the constructor's arguments"),
                             ("get_func_graph_proto", "plumb.export")):
            with self.assertRaisesRegex(AttributeError, f"'{name}'; it is not offered by plumb: .*{advice}"):
                getattr(network, name)
        self.assertFalse(network.bprop_debug)
        network.bprop_debug = True
        self.assertTrue(network.bprop_debug)
        with self.assertRaisesRegex(TypeError, "bprop_debug"):
            network.bprop_debug = "yes"


class TensorStatesTest(unittest.TestCase):
    """Members of Tensor and Parameter."""

    def test_settings_of_several_devices(self):
        weight = plumb.Parameter(Tensor(np.ones((1, 2), np.float32)), name="w", layerwise_parallel=True, parallel_optimizer=False)
        self.assertEqual((weight.layerwise_parallel, weight.parallel_optimizer, weight.inited_param, weight.key), (True, False, None, -1))
        with self.assertRaisesRegex(TypeError, "layerwise_parallel"):
            plumb.Parameter(1.0, layerwise_parallel="yes")

    def test_another_shape(self):
        """`set_data` gives one to a Parameter where the program says so, also to one that was computed with."""
        weight = plumb.Parameter(Tensor(np.ones((1, 2), np.float32)), name="w")
        scaled = plumb.jit(lambda x: x * weight)
        self.assertEqual(scaled(Tensor(2.0)).shape, (1, 2))
        with self.assertRaisesRegex(ValueError, "Can not change the shape"):
            weight.set_data(Tensor(np.ones((1, 4), np.float32)))
        weight.set_data(Tensor(np.full((1, 4), 3, np.float32)), slice_shape=True)
        self.assertEqual(scaled(Tensor(2.0)).asnumpy().tolist(), [[6, 6, 6, 6]])

    def test_sparse(self):
        dense = np.array([[0, 2.5, 0], [1, 0, -3]], np.float32)
        for made in (Tensor(dense).to_coo(), Tensor(dense).to_csr()):
            np.testing.assert_array_equal(made.to_dense().asnumpy(), dense)
            self.assertEqual((made.indices.dtype, made.values.shape), (plumb.int32, (3,)))
        with self.assertRaisesRegex(ValueError, "2 axes"):
            Tensor([1.0]).to_coo()

    def test_value_and_type_of_a_tensor(self):
        x = Tensor([1.5, 2.0])
        self.assertEqual(x.set_dtype(plumb.int32), plumb.int32)
        self.assertEqual((x.dtype, x.asnumpy().tolist()), (plumb.int32, [1, 2]))
        source = np.ones((2, 3))
        self.assertIs(x.assign_value(Tensor(source)), x)
        self.assertEqual((x.shape, x.dtype), ((2, 3), plumb.float64))
        with self.assertRaisesRegex(TypeError, "must be a Tensor"):
            x.assign_value(source)

    def test_a_constant_of_compiled_code_keeps_its_value(self):
        held = Tensor([1.0, 2.0])
        self.assertEqual(plumb.jit(lambda x: x + held)(Tensor([1.0, 1.0])).asnumpy().tolist(), [2, 3])
        for change in (lambda: held.assign_value(Tensor([5.0, 5.0])), lambda: held.set_dtype(plumb.float16)):
            with self.assertRaisesRegex(RuntimeError, "compiled code holds the value as its constant"):
                change()

    def test_a_parameter_of_another_type_is_compiled_anew(self):
        network = Network()
        expected = network(X).asnumpy()
        trained = copy.deepcopy(network)
        for parameter in network.get_parameters():
            self.assertEqual(parameter.set_dtype(plumb.float64), plumb.float64)
        result = network(Tensor(X, plumb.float64))
        self.assertEqual(result.dtype, plumb.float64)
        np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-6)
        np.testing.assert_array_equal(trained(X).asnumpy(), expected)

    def test_compiled_networks_are_pickled(self):
        network = Network()
        expected = network(X).asnumpy()
        for copied in (pickle.loads(pickle.dumps(network)), copy.deepcopy(network)):
            np.testing.assert_array_equal(copied(X).asnumpy(), expected)

    def test_trained_networks_are_copied(self):
        network = Network()
        step = nn.TrainOneStepCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.1))
        for make in (copy.deepcopy, copy.copy, lambda each: pickle.loads(pickle.dumps(each))):
            step(Tensor(X), network(Tensor(X)) * 0.5)  # whose session has the newest values
            before = make(next(network.get_parameters()))
            self.assertEqual(before.asnumpy().tolist(), next(network.get_parameters()).asnumpy().tolist())
            step(Tensor(X), network(Tensor(X)) * 0.5)
            copied = make(network)
            expected = network(X).asnumpy()
            np.testing.assert_array_equal(copied(X).asnumpy(), expected)
            self.assertNotEqual(before.asnumpy().tolist(), next(network.get_parameters()).asnumpy().tolist())

    def test_a_copy_of_a_constant_changes(self):
        held = Tensor([1.0, 2.0])
        plumb.jit(lambda x: x + held)(Tensor([1.0, 1.0]))
        for made in (copy.deepcopy(held), copy.copy(held), held.copy()):
            made[0] = 5.0
            self.assertEqual((made.asnumpy().tolist(), held.asnumpy().tolist()), ([5, 2], [1, 2]))

    def test_states(self):
        x = Tensor([1.0])
        self.assertEqual((x.init_flag, x.is_init(), x.param_info, x.delta_seed, x.is_persistent_data(), x.adapter_flag),
                         (False, False, None, 0, False, False))
        x.set_init_flag(True)
        self.assertEqual((x.init_flag, x.is_init()), (True, True))
        x.flush_from_cache()
        drawn = plumb.common.initializer.initializer("ones", (2,))
        drawn.data_sync(True)
        self.assertFalse(drawn.has_init)
        with self.assertRaisesRegex(AttributeError, "set_cast_dtype.*Cell.to_float"):
            x.set_cast_dtype(plumb.float16)

    def test_parameter_info(self):
        weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        weight.param_info.requires_grad = False
        weight.param_info.name = "other"
        self.assertEqual((weight.name, weight.requires_grad, weight.param_info.parameter_shape), ("other", False, [2]))
        self.assertFalse(weight.is_init)
        self.assertEqual((weight.param_info.layerwise_parallel, weight.param_info.comm_fusion), (False, 1))

    def test_a_session_gives_back_what_it_holds(self):
        weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        plumb.jit(lambda x: ops.assign_add(weight, x))(Tensor([1.0, 1.0]))
        weight.data_sync(True)
        self.assertEqual(weight.asnumpy().tolist(), [2, 3])


if __name__ == "__main__":
    unittest.main()
