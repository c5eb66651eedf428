"""Mixed precision: which types networks compute in, how losses are scaled, what happens to steps that overflow."""

import unittest

import numpy as np
import torch

import plumb
from plumb import amp, nn, ops
from plumb.common import dtype as mstype
from plumb.nn.wrap.loss_scale import _grad_overflow, _grad_scale
from plumb.train import amp as parts

RNG = np.random.default_rng(21)
HALF, FULL = mstype.float16, mstype.float32


class Network(nn.Cell):
    """A layer of the white list, normalisation, and something else."""

    def __init__(self):
        super().__init__()
        self.dense, self.norm, self.act = nn.Dense(3, 4, "ones"), nn.BatchNorm1d(4), nn.Tanh()

    def construct(self, x):
        """The result, and zeros of the types on the way."""
        x = self.dense(x)
        first = ops.zeros((1,), x.dtype)
        x = self.norm(x)
        second = ops.zeros((1,), x.dtype)
        return self.act(x), first, second


def rows(count=64):
    """A small regression."""
    x = RNG.standard_normal((count, 3)).astype(np.float32)
    return x, (x @ np.array([[1.0], [-2.0], [0.5]], np.float32))


def dataset(arrays, batch=8):
    """Its dataset."""
    return plumb.dataset.NumpySlicesDataset(arrays, ["x", "y"], shuffle=False).batch(batch)


class LevelsTest(unittest.TestCase):
    """What each level converts."""

    def test_types(self):
        x = plumb.Tensor(np.ones((2, 3), np.float32))
        for level in ("O0", "O1", "O2", "O3"):
            with self.subTest(level):
                network = amp.auto_mixed_precision(Network(), level)
                result, *seen = network(x)
                self.assertEqual(tuple(each.dtype for each in seen)[:2], (FULL, FULL))
                self.assertEqual(result.dtype, FULL)
                self.assertEqual(network.dense._float_type, None if level == "O0" else HALF)
                self.assertEqual(network.norm._float_type, {"O2": FULL, "O3": HALF}.get(level))
                self.assertEqual(network.act._float_type, {"O2": HALF, "O3": HALF}.get(level))
                self.assertEqual(network.dense.weight.dtype, FULL)

    def test_rounding(self):
        """A product in float16 is PyTorch's of the rounded operands."""
        x, weight = RNG.standard_normal((4, 3)).astype(np.float32), RNG.standard_normal((2, 3)).astype(np.float32)
        expected = (torch.tensor(x).half().float() @ torch.tensor(weight).half().float().T).half().float().numpy()
        for level in ("O1", "O2", "O3"):
            layer = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(3, 2, plumb.Tensor(weight))), level)
            np.testing.assert_allclose(layer(plumb.Tensor(x)).asnumpy(), expected, rtol=1e-3, err_msg=level)

    def test_own_lists(self):
        network = amp.custom_mixed_precision(Network(), white_list=[nn.BatchNorm1d])
        self.assertEqual((network.dense._float_type, network.norm._float_type), (None, HALF))
        network = amp.custom_mixed_precision(Network(), black_list=amp.get_black_list() + [nn.Dense], dtype=mstype.bfloat16)
        self.assertEqual((network.dense._float_type, network.act._float_type), (FULL, mstype.bfloat16))
        self.assertIn(nn.Dense, amp.get_white_list())
        for problem, call in (("one of", lambda: amp.custom_mixed_precision(Network())),
                              ("not supported", lambda: amp.auto_mixed_precision(Network(), "O9")),
                              ("boost_level", lambda: plumb.Model(Network(), boost_level="O1"))):
            with self.assertRaisesRegex(ValueError, problem):
                call()


class PartsTest(unittest.TestCase):
    """Parts of a training step that programs' own steps call."""

    def test_normalisation_and_loss(self):
        settings = parts._config_level["O2"]
        self.assertEqual((settings["cast_model_type"], settings["keep_batchnorm_fp32"]), (plumb.float16, True))
        network = nn.SequentialCell(nn.Conv2d(1, 2, 1), nn.BatchNorm2d(2), nn.Flatten()).to_float(settings["cast_model_type"])
        large = plumb.Tensor(np.full((2, 1, 4, 4), 300, np.float32))
        parts._do_keep_batchnorm_fp32(network)
        self.assertEqual(network(large).dtype, plumb.float16)
        network.set_train()
        network[0].weight.set_data(plumb.Tensor(np.full((2, 1, 1, 1), 0.8, np.float32)))
        network(large * plumb.Tensor(np.arange(16, dtype=np.float32).reshape(4, 4)))
        self.assertTrue(np.isfinite(network[1].moving_variance.asnumpy()).all())  # above what float16 holds
        self.assertGreater(network[1].moving_variance.asnumpy().max(), 65504)
        for kind, expected in ((plumb.float16, plumb.float32), (plumb.float32, plumb.float16)):
            loss = parts._add_loss_network(nn.Identity(), nn.MSELoss(), kind)
            self.assertEqual(loss(ops.cast(large, plumb.float16), ops.cast(large, plumb.float16)).dtype, expected)
        self.assertRaisesRegex(TypeError, "must be a Cell", parts._add_loss_network, network, 3, plumb.float16)
        converted = parts._OutputTo32(nn.Dense(2, 2).to_float(plumb.float16))
        self.assertEqual(converted(plumb.Tensor([[1.0, 2.0]])).dtype, plumb.float32)
        self.assertEqual([parameter.name for parameter in converted.get_parameters()], ["weight", "bias"])

    def test_overflow(self):
        for values, flag in (([1.0, 2.0], 0), ([1.0, np.inf], 1), ([np.nan, 0.0], 1)):
            found = plumb.jit(lambda x: ops.HyperMap()(_grad_overflow, (x, x)))(plumb.Tensor(values, plumb.float32))
            self.assertEqual([one.asnumpy().tolist() for one in found], [[flag]] * 2)

    def test_gradients_without_their_scale(self):
        """The scale is a factor of float32; each gradient keeps its type."""
        gradients = (plumb.Tensor([8.0, -4.0], plumb.float32), plumb.Tensor([2.0], plumb.float16))
        hyper_map = ops.HyperMap()
        for run in (lambda function: function, plumb.jit):
            found = run(lambda scale: hyper_map(ops.partial(_grad_scale, scale), gradients))(plumb.Tensor(4.0, plumb.float32))
            self.assertEqual([(str(one.dtype), one.asnumpy().tolist()) for one in found], [("Float32", [2, -1]), ("Float16", [0.5])])


class ScalersTest(unittest.TestCase):
    """Scaling in steps that users write."""

    def test_dynamic(self):
        scaler = amp.DynamicLossScaler(2 ** 10, 2, 2)
        gradients = (plumb.Tensor(np.array([np.inf, 1.0], np.float16)), plumb.Tensor(np.array([0.5], np.float32)))
        self.assertFalse(amp.all_finite(gradients))
        self.assertTrue(amp.all_finite(gradients[1:]))
        np.testing.assert_allclose(scaler.unscale(gradients)[1].asnumpy(), [0.5 / 1024])
        self.assertEqual(float(scaler.scale(plumb.Tensor(2.0))), 2048.0)
        scales = []
        for finite in (False, True, True, True, False, True, True):
            scaler.adjust(plumb.Tensor(finite))
            scales.append(float(scaler.scale_value.asnumpy()))
        self.assertEqual(scales, [512, 512, 1024, 1024, 512, 512, 1024])
        fixed = amp.StaticLossScaler(8.0)
        self.assertEqual((float(fixed.scale(plumb.Tensor(2.0))), float(fixed.unscale(plumb.Tensor(2.0)))), (16.0, 0.25))

    def test_within_a_step(self):
        """A compiled step of functions skips the update of one bad batch, sunk, and goes on."""
        network = nn.Dense(3, 1, "zeros", has_bias=False)
        loss, optimizer = nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1)
        scaler = amp.DynamicLossScaler(4.0, 2, 100)

        def forward(x, y):
            return scaler.scale(loss(network(x), y))

        gradient = plumb.value_and_grad(forward, None, optimizer.parameters)

        def step(x, y):
            value, gradients = gradient(x, y)
            finite = amp.all_finite(gradients)
            if finite:
                optimizer(scaler.unscale(gradients))
            scaler.adjust(finite)
            return scaler.unscale(value)

        x, y = rows(8)
        x[3] = np.inf
        plumb.data_sink(step, dataset((x, y), 1), sink_size=8)()
        weight = np.zeros((1, 3))
        for row, target in zip(x, y):
            if np.isfinite(row).all():
                weight = weight - 0.1 * 2 * (weight @ row - target)[:, None] * row
        np.testing.assert_allclose(network.weight.asnumpy(), weight, rtol=1e-4)
        self.assertEqual((float(scaler.scale_value.asnumpy()), int(scaler.counter.asnumpy())), (2.0, 4))


class StepsTest(unittest.TestCase):
    """TrainOneStepWithLossScaleCell, and Model with levels and managers."""

    def test_overflow_is_skipped_in_a_sink(self):
        """The scale halves until gradients of float16 fit, and doubles after three steps; sunk and step by step alike."""
        arrays, results = rows(), []
        for sink in (True, False):
            plumb.set_seed(3)
            network = nn.Dense(3, 1, "xavier_uniform", has_bias=False)
            model = plumb.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.05), amp_level="O2",
                                loss_scale_manager=amp.DynamicLossScaleManager(2.0 ** 18, 2, 3))
            seen = []

            class Watch(plumb.train.Callback):
                """Keeps what steps report."""

                def step_end(self, run_context):
                    """Loss, overflow, scale of the last step of a launch."""
                    seen.append([float(np.asarray(each.asnumpy())) for each in run_context.original_args().net_outputs])

            model.train(2, dataset(arrays), Watch(), dataset_sink_mode=sink)
            results.append((network.weight.asnumpy().copy(), seen))
        np.testing.assert_array_equal(results[0][0], results[1][0])
        steps = results[1][1]
        self.assertEqual(results[0][1], [steps[7], steps[15]])
        self.assertEqual(steps[0][2], 2.0 ** 18)
        self.assertTrue(any(step[1] for step in steps) and not all(step[1] for step in steps))
        for before, after in zip(steps, steps[1:]):
            if before[1]:
                self.assertEqual(after[2], before[2] / 2)
        self.assertLess(steps[-1][0], steps[0][0])

    def test_fixed_scale(self):
        """With nothing to round, a scaled step is the unscaled one."""
        arrays, weights = rows(), []
        for options in ({}, {"loss_scale_manager": amp.FixedLossScaleManager(64.0)},
                        {"loss_scale_manager": amp.FixedLossScaleManager(64.0, False)}):
            network = nn.Dense(3, 1, "ones")
            scale = 64.0 if len(weights) == 2 else 1.0
            optimizer = nn.Momentum(network.trainable_params(), 0.05, 0.9, loss_scale=scale)
            plumb.Model(network, nn.MSELoss(), optimizer, **options).train(1, dataset(arrays))
            weights.append(network.weight.asnumpy().copy())
        np.testing.assert_allclose(weights[1], weights[0], rtol=1e-6)
        np.testing.assert_allclose(weights[2], weights[0], rtol=1e-6)

    def test_scale_as_a_tensor(self):
        network = nn.Dense(3, 1, "ones")
        step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), 0.1),
                                                plumb.Tensor([1024.0], plumb.float32))
        x, y = rows(4)
        _, overflow, scale = step(plumb.Tensor(x), plumb.Tensor(y))
        self.assertEqual((bool(overflow), float(scale)), (False, 1024.0))
        step.set_sense_scale(plumb.Tensor([2.0], plumb.float32))
        self.assertEqual(float(step(plumb.Tensor(x), plumb.Tensor(y))[2]), 2.0)

    def test_scale_of_a_subclass(self):
        """A step that scales by means of its own gives the class it derives from no scale."""
        class Step(nn.TrainOneStepCell):
            """Halves the gradients."""

            def __init__(self, network, optimizer):
                super().__init__(network, optimizer, sens=None)
                self.half = plumb.Tensor(0.5, plumb.float32)

            def construct(self, *inputs):
                loss = self.network(*inputs)
                return ops.depend(loss, self.optimizer(self.grad(self.network, self.weights)(*inputs, self.half)))

        x, y = map(plumb.Tensor, rows(4))
        moved = []
        for kind, rate in ((Step, 0.2), (nn.TrainOneStepCell, 0.1)):
            network = nn.Dense(3, 1, "ones")
            kind(nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params(), rate))(x, y)
            moved.append(network.weight.asnumpy())
        np.testing.assert_allclose(*moved, rtol=1e-6)

    def test_register_of_overflows(self):
        """Steps for devices that note overflows: the register looks at the gradients, which the step puts before it is read."""
        class Step(nn.TrainOneStepCell):
            """Leaves out the update where the register says so."""

            def __init__(self, network, optimizer):
                super().__init__(network, optimizer)
                self.make, self.read, self.clear = ops.NPUAllocFloatStatus(), ops.NPUGetFloatStatus(), ops.NPUClearFloatStatus()

            def started(self, before, scale):
                """A register, and the scale, which waits for it."""
                register = ops.depend(self.make(), before)
                return register, ops.depend(scale, self.clear(register))

            def construct(self, x, scale):
                loss = self.network(x)
                register, scale = self.started(loss, scale)
                gradients = self.grad(self.network, self.weights)(x, scale)
                register = ops.depend(register, gradients)
                register = ops.depend(register, self.read(register))
                over = ops.ReduceSum()(register, (0,)) > 0
                if not over:
                    loss = ops.depend(loss, self.optimizer(gradients))
                return loss, over, register.shape

        x = plumb.Tensor(np.ones((1, 2), np.float32))
        for mode in (plumb.GRAPH_MODE, plumb.PYNATIVE_MODE):
            plumb.set_context(mode=mode)
            try:
                network = nn.Dense(2, 1, "ones", has_bias=False)
                step = Step(network, nn.SGD(network.trainable_params(), 0.1))
                seen = [step(x, plumb.Tensor([[scale]], plumb.float32)) for scale in (1.0, np.inf, 2.0)]
                self.assertEqual([(bool(over), shape) for _, over, shape in seen], [(False, (8,)), (True, (8,)), (False, (8,))])
                np.testing.assert_allclose(network.weight.asnumpy(), [[0.7, 0.7]], rtol=1e-6)
                with self.assertRaisesRegex(Exception, "A register of overflows looks at what is named: put ops.depend"):
                    plumb.jit(lambda: ops.NPUGetFloatStatus()(ops.NPUAllocFloatStatus()()))()
            finally:
                plumb.set_context(mode=plumb.GRAPH_MODE)

    def test_managers(self):
        manager = amp.DynamicLossScaleManager(16, 2, 2)
        for overflow in (True, False, False):
            manager.update_loss_scale(overflow)
        self.assertEqual(manager.get_loss_scale(), 16)
        self.assertIsNone(amp.FixedLossScaleManager(2.0, False).get_update_cell())
        self.assertTrue(amp.FixedLossScaleManager().get_drop_overflow_update())
        with self.assertRaisesRegex(ValueError, "cast_type is not offered"):
            amp.build_train_network(nn.Dense(1, 1), None, cast_type=HALF)

    def test_levels_learn_alike(self):
        arrays = rows(128)
        for level in ("O0", "O1", "O2", "O3"):
            plumb.set_seed(5)
            network = nn.SequentialCell(nn.Dense(3, 16, "xavier_uniform"), nn.BatchNorm1d(16), nn.ReLU(), nn.Dense(16, 1, "xavier_uniform"))
            model = plumb.Model(network, nn.MSELoss(), nn.Adam(network.trainable_params(), 0.02), {"loss"}, amp_level=level)
            data = dataset(arrays, 32)
            model.train(40, data, dataset_sink_mode=True)
            self.assertLess(model.eval(data)["loss"], 0.15, level)


class GradientCellsTest(unittest.TestCase):
    """WithGradCell, ForwardValueAndGrad, ParameterUpdate."""

    def compare(self, results, *expected):
        """Compares all tensors in nested tuples."""
        flat = [results]
        while any(isinstance(each, (tuple, list)) for each in flat):
            flat = [part for each in flat for part in (each if isinstance(each, (tuple, list)) else (each,))]
        self.assertEqual(len(flat), len(expected))
        for value, want in zip(flat, expected):
            np.testing.assert_allclose(value.asnumpy().reshape(np.shape(want)), want)

    def test_values(self):
        network = nn.Dense(2, 1, "ones", has_bias=False)
        x, y = plumb.Tensor(np.array([[1.0, 2.0]], np.float32)), plumb.Tensor(np.array([[1.0]], np.float32))
        weight, inputs = np.array([[4.0, 8.0]]), np.array([[4.0, 4.0]])
        loss = nn.WithLossCell(network, nn.MSELoss())
        self.compare(nn.WithGradCell(network, nn.MSELoss())(x, y), weight)
        both = nn.ForwardValueAndGrad(loss, network.trainable_params(), True, True)
        self.compare(both(x, y), [[4.0]], inputs, -inputs[:, :1], weight)
        self.compare(nn.ForwardValueAndGrad(loss)(x, y), [[4.0]], inputs)
        twice = nn.ForwardValueAndGrad(loss, sens_param=True)
        self.compare(twice(x, y, plumb.Tensor(np.float32(2.0))), [[4.0]], 2 * inputs)
        nn.ParameterUpdate(network.weight)(plumb.Tensor(np.zeros((1, 2), np.float32)))
        self.assertFalse(network.weight.asnumpy().any())


if __name__ == "__main__":
    unittest.main()
