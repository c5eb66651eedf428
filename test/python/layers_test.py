"""Layers, their gradients and optimizers against NumPy: values in float64, gradients by central differences."""

import functools
import math
import os
import unittest
import warnings

import numpy as np

import plumb
from numeric import avg_pool2d, max_pool2d
from plumb import nn, ops

RNG = np.random.default_rng(11)


def array(*shape):
    """Random numbers of float32."""
    return RNG.standard_normal(shape).astype(np.float32)


def erf(x):
    """The error function."""
    return np.vectorize(math.erf)(x)


def softmax(x):
    """Along the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def normalized(x, axes, eps):
    """Without mean and with unit variance over `axes`."""
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def differences(function, values, which, step=1e-5):
    """Central differences of a scalar function of float64 arrays by `values[which]`."""
    values = [np.array(value, np.float64) for value in values]
    gradient = np.zeros_like(values[which])
    for at in np.ndindex(gradient.shape):
        kept = values[which][at]
        values[which][at] = kept + step
        above = function(*values)
        values[which][at] = kept - step
        gradient[at] = (above - function(*values)) / (2 * step)
        values[which][at] = kept
    return gradient


class Case(unittest.TestCase):
    """A cell's value and all its gradients, weighted so that no gradient vanishes by symmetry."""

    def check(self, cell, formula, x, tolerance=2e-4):
        """Compares `cell(x)` with `formula(x, *weights)`, and the gradients by x and by the weights."""
        parameters = cell.trainable_params()
        weights = [parameter.asnumpy() for parameter in parameters]
        with np.errstate(all="ignore"):
            expected = formula(x.astype(np.float64), *weights)
        factors = array(*expected.shape)
        shares = plumb.Tensor(factors)
        np.testing.assert_allclose(cell(plumb.Tensor(x)).asnumpy(), expected, rtol=1e-4, atol=1e-5)

        def scalar(x):
            return ops.reduce_sum(cell(x) * shares)

        def by_hand(x, *weights):
            return float((formula(x, *weights) * factors).sum())

        if parameters:
            by_x, by_weights = plumb.grad(scalar, 0, parameters)(plumb.Tensor(x))
        else:
            by_x, by_weights = plumb.grad(scalar)(plumb.Tensor(x)), ()
        for i, gradient in enumerate((by_x, *by_weights)):
            name = ("x", *(parameter.name for parameter in parameters))[i]
            np.testing.assert_allclose(gradient.asnumpy(), differences(by_hand, [x, *weights], i), rtol=tolerance,
                                       atol=tolerance, err_msg=name)


class ActivationsTest(Case):
    """Elementwise cells and softmaxes."""

    def test_sigmoid(self):
        self.check(nn.Sigmoid(), lambda x: 1 / (1 + np.exp(-x)), array(3, 5))

    def test_tanh(self):
        self.check(nn.Tanh(), np.tanh, array(3, 5))

    def test_gelu(self):
        self.check(nn.GELU(approximate=False), lambda x: x * 0.5 * (1 + erf(x / np.sqrt(2))), array(3, 5))
        self.check(nn.GELU(), lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3))),
                   array(3, 5))

    def test_silu_and_leaky_relu(self):
        self.check(nn.SiLU(), lambda x: x / (1 + np.exp(-x)), array(3, 5))
        self.check(nn.LeakyReLU(0.1), lambda x: np.where(x > 0, x, 0.1 * x), array(3, 5))
        self.check(nn.ReLU6(), lambda x: np.clip(x, 0, 6), 4 * array(3, 5))

    def test_elu_softplus_and_hard_forms(self):
        self.check(nn.ELU(0.5), lambda x: np.where(x > 0, x, 0.5 * (np.exp(x) - 1)), array(3, 5))
        self.check(nn.Softplus(), lambda x: np.log1p(np.exp(x)), array(3, 5))
        self.check(nn.HSigmoid(), lambda x: np.clip((x + 3) / 6, 0, 1), 3 * array(3, 5))
        self.check(nn.HSwish(), lambda x: x * np.clip((x + 3) / 6, 0, 1), 3 * array(3, 5))

    def test_softplus_of_large_numbers(self):
        x = np.array([-200, -20, 0, 20, 200], np.float32)
        np.testing.assert_allclose(nn.Softplus()(plumb.Tensor(x)).asnumpy(), np.logaddexp(0, x.astype(np.float64)),
                                   rtol=1e-5, atol=1e-8)

    def test_prelu(self):
        self.check(nn.PReLU(3, 0.25), lambda x, w: np.where(x > 0, x, w[:, None] * x), array(2, 3, 4))

    def test_softmaxes(self):
        self.check(nn.Softmax(), softmax, array(3, 5))
        self.check(nn.LogSoftmax(), lambda x: np.log(softmax(x)), array(3, 5))


class NormalisationTest(Case):
    """Batch and layer normalisation."""

    def made(self, cell, *names):
        """Gives the named parameters random values around one."""
        for name in names:
            parameter = getattr(cell, name)
            parameter.set_data(plumb.Tensor(1 + 0.3 * np.abs(array(*parameter.shape))))
        return cell

    def test_batch_norm_by_batch(self):
        for cell, shape, axes in ((nn.BatchNorm2d(3), (4, 3, 5, 2), (0, 2, 3)), (nn.BatchNorm1d(4), (6, 4), (0,)),
                                  (nn.BatchNorm1d(4), (3, 4, 5), (0, 2)),
                                  (nn.BatchNorm3d(2), (2, 2, 3, 2, 2), (0, 2, 3, 4))):
            with self.subTest(shape=shape):
                along = (1, -1) + (1,) * (len(shape) - 2)
                self.made(cell.bn2d if len(shape) == 5 else cell, "gamma", "beta")
                self.check(cell.set_train(),
                           lambda x, gamma, beta, axes=axes, along=along:
                           normalized(x, axes, 1e-5) * gamma.reshape(along) + beta.reshape(along), 2 + array(*shape))

    def test_batch_norm_by_moving_averages(self):
        cell = self.made(nn.BatchNorm2d(3), "gamma", "beta", "moving_mean", "moving_variance")
        mean, variance = cell.moving_mean.asnumpy(), cell.moving_variance.asnumpy()
        form = (3, 1, 1)

        def formula(x, gamma, beta):
            scale = gamma / np.sqrt(variance + 1e-5)
            return x * scale.reshape(form) + (beta - mean * scale).reshape(form)

        self.check(cell, formula, array(2, 3, 2, 2))
        np.testing.assert_array_equal(cell.moving_mean.asnumpy(), mean)

    def test_averages_move_once_per_step(self):
        cell, x = nn.BatchNorm2d(3).set_train(), 2 + array(4, 3, 5, 2)
        optimizer = nn.SGD(cell.trainable_params(), 0.0)
        step = nn.TrainOneStepCell(nn.WithLossCell(cell, nn.MSELoss()), optimizer).set_train()
        mean, variance = np.zeros(3), np.ones(3)
        for _ in range(3):
            step(plumb.Tensor(x), plumb.Tensor(np.zeros_like(x)))
            mean = 0.9 * mean + 0.1 * x.mean((0, 2, 3), dtype=np.float64)
            variance = 0.9 * variance + 0.1 * x.var((0, 2, 3), ddof=1, dtype=np.float64)
            np.testing.assert_allclose(cell.moving_mean.asnumpy(), mean, rtol=1e-5)
            np.testing.assert_allclose(cell.moving_variance.asnumpy(), variance, rtol=1e-5)

    def test_batch_norm_is_exact_far_from_zero(self):
        x = 1000 + array(8, 2, 4, 4)
        actual = nn.BatchNorm2d(2).set_train()(plumb.Tensor(x)).asnumpy()
        np.testing.assert_allclose(actual, normalized(x.astype(np.float64), (0, 2, 3), 1e-5), atol=1e-3)

    def test_batch_norm_names_and_defaults(self):
        cell = nn.BatchNorm2d(3)
        self.assertEqual((cell.eps, cell.momentum), (1e-5, 0.9))
        self.assertEqual(sorted(cell.parameters_dict()), ["beta", "gamma", "mean", "variance"])
        self.assertEqual([p.name for p in nn.BatchNorm2d(3, affine=False).trainable_params()], [])

    def test_layer_norm(self):
        self.check(self.made(nn.LayerNorm((5,), epsilon=1e-5), "gamma", "beta"),
                   lambda x, gamma, beta: normalized(x, (-1,), 1e-5) * gamma + beta, 1 + array(2, 3, 5))
        self.check(self.made(nn.LayerNorm((3, 4), 1, 1), "gamma", "beta"),
                   lambda x, gamma, beta: normalized(x, (1, 2), 1e-7) * gamma + beta, array(2, 3, 4))

    def test_group_norm(self):
        self.check(self.made(nn.GroupNorm(2, 4), "gamma", "beta"),
                   lambda x, gamma, beta: normalized(x.reshape(2, 2, -1), (2,), 1e-5).reshape(x.shape)
                   * gamma[:, None, None] + beta[:, None, None], array(2, 4, 3, 2))

    def test_wrong_shapes(self):
        with self.assertRaisesRegex(plumb._parse.CompileError, "nn.BatchNorm got an input"):
            nn.BatchNorm2d(3)(plumb.Tensor(array(2, 4, 2, 2)))
        with self.assertRaisesRegex(plumb._parse.CompileError, "nn.LayerNorm got an input"):
            nn.LayerNorm((3,))(plumb.Tensor(array(2, 4)))


class Attention(nn.Cell):
    """Softmax attention of several heads, as batched products and transposes."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Dense(width, 3 * width)

    def construct(self, x):
        """The attended values."""
        batch, length, width = x.shape
        depth = width // self.heads
        parts = ops.transpose(ops.reshape(self.qkv(x), (batch, length, 3, self.heads, depth)), (2, 0, 3, 1, 4))
        shares = ops.softmax(ops.matmul(parts[0], parts[1], transpose_b=True) * depth ** -0.5, -1)
        return ops.reshape(ops.transpose(ops.matmul(shares, parts[2]), (0, 2, 1, 3)), (batch, length, width))


class StructureTest(Case):
    """Attention, embeddings, residual sums, pooling over everything."""

    def test_attention(self):
        def formula(x, weight, bias):
            q, k, v = (x @ weight.T + bias).reshape(2, 3, 3, 2, 2).transpose(2, 0, 3, 1, 4)
            shares = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(2))
            return (shares @ v).transpose(0, 2, 1, 3).reshape(2, 3, 4)

        self.check(Attention(4, 2), formula, array(2, 3, 4))

    def test_embedding(self):
        numbers = np.array([[0, 2, 2], [6, 2, 0]], np.int32)
        factors = array(2, 3, 4)
        shares = plumb.Tensor(factors)
        for one_hot in (False, True):
            cell = nn.Embedding(7, 4, use_one_hot=one_hot)
            table = cell.embedding_table.asnumpy()
            np.testing.assert_array_equal(cell(plumb.Tensor(numbers)).asnumpy(), table[numbers])
            gradient = plumb.grad(lambda ids: ops.reduce_sum(cell(ids) * shares), None,
                                  cell.embedding_table)(plumb.Tensor(numbers))
            expected = np.zeros((7, 4))
            np.add.at(expected, numbers, factors)
            np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-6)

    def test_embedding_padding(self):
        table = nn.Embedding(5, 3, padding_idx=1).embedding_table.asnumpy()
        np.testing.assert_array_equal(table[1], np.zeros(3))
        self.assertTrue((table[0] != 0).any())

    def test_residual_and_global_pooling(self):
        class Residual(nn.Cell):
            """relu(scale * x) + x, averaged over the image."""

            def __init__(self):
                super().__init__()
                self.scale = plumb.Parameter(plumb.Tensor(np.float32(0.7)))

            def construct(self, x):
                """The means."""
                return ops.ReduceMean()(ops.relu(x * self.scale) + x, (2, 3))

        self.check(Residual(), lambda x, scale: (np.maximum(x * scale, 0) + x).mean((2, 3)), array(2, 3, 4, 4))
        self.check(nn.AdaptiveAvgPool2d(1), lambda x: x.mean((2, 3), keepdims=True), array(2, 3, 4, 4))
        self.check(nn.AdaptiveAvgPool2d((None, 2)), lambda x: x.reshape(2, 3, 4, 2, 2).mean(4), array(2, 3, 4, 4))

    def test_pooling(self):
        """What "same" pads is no part of a mean, and never the largest; of "pad", zeros are."""
        def inside(x):
            padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 1)), constant_values=np.nan)
            return np.nanmean(np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2], (4, 5))

        images = array(2, 3, 7, 6)
        self.check(nn.AvgPool2d(3, 2, "same"), inside, images)
        self.check(nn.AvgPool2d(3, 2, "pad", (1, 0), count_include_pad=False),
                   lambda x: avg_pool2d(x, (3, 3), (2, 2), (1, 1, 0, 0), False), images)
        self.check(nn.AvgPool2d(3, 2, "pad", 1), lambda x: avg_pool2d(x, (3, 3), (2, 2), (1, 1, 1, 1)), images)
        self.check(nn.AvgPool2d(3, 1, divisor_override=4),
                   lambda x: avg_pool2d(x, (3, 3), (1, 1)) * 2.25, images)
        self.check(nn.MaxPool2d(2, 2, "pad", 0, ceil_mode=True),
                   lambda x: max_pool2d(x, (2, 2), (2, 2), (0, 1, 0, 0)), images - 9)


def philox(key, counter, count):
    """Uniform numbers as the dialect's page says: Philox2x32-10 of (key, counter, element)."""
    left = np.arange(count, dtype=np.uint64)
    right, mask = np.full(count, counter, np.uint64), np.uint64(0xFFFFFFFF)
    key = np.uint64(key % 2 ** 32)
    for _ in range(10):
        product = left * np.uint64(0xD256D193)
        left, right = (product >> np.uint64(32)) ^ key ^ right, product & mask
        key = (key + np.uint64(0x9E3779B9)) & mask
    return (left >> np.uint64(8)).astype(np.float32) / np.float32(2 ** 24)


class LossesTest(Case):
    """Cross entropies with weights of classes, rows that are left out, and smoothing."""

    def test_cross_entropy(self):
        labels = np.array([[2, -1, 0], [1, 1, 2]], np.int32)
        weight = np.array([0.5, 2.0, 1.5])
        kept, classes = labels >= 0, np.maximum(labels, 0)

        def formula(x, smoothing, reduction):
            scores = np.log(softmax(x.transpose(0, 2, 1)))
            factors = weight[classes] * kept
            picked = np.take_along_axis(scores, classes[..., None], -1)[..., 0]
            spread = (scores * weight).sum(-1) * kept
            losses = -(1 - smoothing) * picked * factors - smoothing / 3 * spread
            return losses if reduction == "none" else losses.sum() / (factors.sum() if reduction == "mean" else 1)

        for smoothing, reduction in ((0.0, "mean"), (0.1, "none"), (0.2, "sum"), (0.3, "mean")):
            with self.subTest(smoothing=smoothing, reduction=reduction):
                loss = nn.CrossEntropyLoss(plumb.Tensor(weight.astype(np.float32)), -1, reduction, smoothing)
                self.check(Labelled(loss, labels), lambda x, s=smoothing, r=reduction: formula(x, s, r), array(2, 3, 3))

    def test_rows_of_no_class(self):
        """Labels that are no class, as padding has them, count zero where rows are not averaged."""
        labels = np.array([1, -1, 7, 2], np.int32)

        def formula(x, reduction):
            losses = -np.log(softmax(x))[np.arange(4), labels % 3] * [1, 0, 0, 1]
            return losses if reduction == "none" else losses.sum()

        for reduction in ("none", "sum"):
            with self.subTest(reduction=reduction):
                loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction=reduction)
                self.check(Labelled(loss, labels), lambda x, r=reduction: formula(x, r), array(4, 3))

    def test_probabilities(self):
        targets = softmax(array(4, 3)).astype(np.float32)
        self.check(Labelled(nn.CrossEntropyLoss(label_smoothing=0.3), targets),
                   lambda x: -(np.log(softmax(x)) * (targets * 0.7 + 0.1)).sum(1).mean(), array(4, 3))


class Labelled(nn.Cell):
    """A loss with its labels."""

    def __init__(self, loss, labels):
        super().__init__()
        self.loss, self.labels = loss, plumb.Tensor(labels)

    def construct(self, x):
        """The loss."""
        return self.loss(x, self.labels)


class HabitsTest(unittest.TestCase):
    """What programs try that were written after PyTorch's manner, and optimizers of other networks."""

    def test_advice(self):
        net = nn.Dense(2, 2)
        for owner, words in ((plumb.Tensor([1.0]), {"backward": "value_and_grad", "detach": "ops.stop_gradient", "cuda": "device_target"}),
                             (net, {"parameters": "trainable_params", "eval": "set_train", "to": "to_float", "forward": "construct"}),
                             (nn.SGD(net.trainable_params()), {"step": "value_and_grad", "zero_grad": "nothing adds them up"})):
            for name, advice in words.items():
                with self.subTest(name), self.assertRaisesRegex(AttributeError, f"'{name}'.*{advice}"):
                    getattr(owner, name)

    def test_optimizer_of_another_network(self):
        net, other = nn.SequentialCell(nn.Dense(2, 2)), nn.Dense(2, 2)
        with self.assertWarnsRegex(UserWarning, r"Parameters \(weight, …\) are none of the network's") as heard:
            nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(other.trainable_params()))
        self.assertEqual(os.path.basename(heard.filename), "layers_test.py")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()[:1]))


def passed_on(function):
    """A decorator of a program's."""
    @functools.wraps(function)
    def passed(*args, **kwargs):
        return function(*args, **kwargs)
    return passed


class Decorated(nn.Cell):
    """Doubles."""

    @passed_on
    def construct(self, x):
        """Compiled body."""
        return x * 2


class LayersOfTypesTest(unittest.TestCase):
    """Layers without Parameters, and normalisation, in an element type of their own: as MindSpore 2.0.0's, in both modes."""

    def test_results(self):
        layers = {name: getattr(nn, name) for name in ("ReLU", "ReLU6", "GELU", "Softmax", "LogSoftmax", "Sigmoid", "Tanh", "SiLU", "HSwish",
                                                       "HSigmoid", "ELU", "LeakyReLU", "Flatten", "Identity")}
        layers |= {"Dropout": lambda: nn.Dropout(p=0.5).set_train(), "MaxPool2d": lambda: nn.MaxPool2d(2), "AvgPool2d": lambda: nn.AvgPool2d(2),
                   "LayerNorm": lambda: nn.LayerNorm((8,)), "PReLU": nn.PReLU, "Decorated": Decorated,
                   "SequentialCell": lambda: nn.SequentialCell(nn.ReLU())}
        x = plumb.Tensor(np.random.default_rng(1).random((2, 4, 8, 8)).astype(np.float32))
        self.addCleanup(plumb.set_context, mode=plumb.PYNATIVE_MODE)
        for mode in (plumb.PYNATIVE_MODE, plumb.GRAPH_MODE):
            plumb.set_context(mode=mode)
            for name, make in layers.items():
                for computed, given in ((plumb.float16, x), (plumb.float32, x.astype(plumb.float16))):
                    with self.subTest(name, mode=mode, dtype=str(computed)):
                        self.assertEqual(make().to_float(computed)(given).dtype, computed)


class DropoutTest(unittest.TestCase):
    """Random zeroing: its numbers, its gradient, its independence from launches."""

    def test_numbers_and_gradient(self):
        plumb.set_seed(3)
        cell, x = nn.Dropout(p=0.3).set_train(), array(5, 7)
        key = int(np.float32(cell.key.asnumpy()) * 2 ** 23)
        for call in range(3):
            kept = (philox(key, 2 * call, x.size) >= 0.3).reshape(x.shape) / 0.7
            np.testing.assert_allclose(cell(plumb.Tensor(x)).asnumpy(), x * kept, rtol=1e-6)
            kept = (philox(key, 2 * call + 1, x.size) >= 0.3).reshape(x.shape) / 0.7
            gradient = plumb.grad(lambda x: ops.reduce_sum(cell(x)))(plumb.Tensor(x)).asnumpy()
            np.testing.assert_allclose(gradient, kept, rtol=1e-6)

    def test_share(self):
        drawn = ops.random_uniform(plumb.Tensor(np.int32(77)), plumb.Tensor(np.int32(5)), (1000, 100)).asnumpy()
        self.assertTrue((drawn >= 0).all() and (drawn < 1).all())
        for p in (0.1, 0.5, 0.9):
            self.assertAlmostEqual((drawn < p).mean(), p, delta=0.006)

    def test_off(self):
        x = array(3, 3)
        np.testing.assert_array_equal(nn.Dropout(p=0.5)(plumb.Tensor(x)).asnumpy(), x)
        np.testing.assert_array_equal(nn.Dropout(p=0.0).set_train()(plumb.Tensor(x)).asnumpy(), x)
        with self.assertRaisesRegex(ValueError, "'p' must be at least 0 and below 1"):
            nn.Dropout(p=1.0)

    def test_element_types(self):
        """The results are of the input's type, whatever the layers draw or train is of."""
        for dtype in (plumb.float16, plumb.bfloat16, plumb.float32, plumb.float64):
            for cell, shape in ((nn.Dropout(p=0.5), (4,)), (nn.Dropout1d(0.5), (2, 3, 4)), (nn.Dropout2d(0.5), (2, 3, 4, 4)),
                                (nn.Dropout3d(0.5), (2, 3, 2, 2, 2)), (nn.PReLU(), (2, 3)), (nn.PReLU(3), (2, 3)), (nn.RReLU(), (2, 3))):
                with self.subTest(cell=type(cell).__name__, dtype=str(dtype)):
                    x = plumb.Tensor(array(*shape)).astype(dtype)
                    self.assertEqual(cell.set_train()(x).dtype, dtype)
                    self.assertEqual(plumb.grad(lambda x: cell(x).sum())(x).dtype, dtype)

    def test_launches_change_nothing(self):
        values = []
        for sink, sink_size, epochs in ((True, 8, 1), (True, 2, 4), (False, -1, 1)):
            plumb.set_seed(7)
            network = nn.SequentialCell(nn.Dense(4, 16), nn.Dropout(p=0.4), nn.Dense(16, 1), nn.Dropout(p=0.1))
            model = plumb.train.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1))
            rng = np.random.default_rng(1)
            rows = (rng.standard_normal((32, 4)).astype(np.float32), rng.standard_normal((32, 1)).astype(np.float32))
            data = plumb.dataset.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(4)
            model.train(epochs, data, dataset_sink_mode=sink, sink_size=sink_size)
            values.append(network[0].weight.asnumpy().copy())
            self.assertEqual(int(network[1].calls.asnumpy()), 8)
        np.testing.assert_array_equal(values[0], values[1])
        np.testing.assert_array_equal(values[0], values[2])


class FirstValuesTest(unittest.TestCase):
    """Layers start as MindSpore 2.0 starts them."""

    def test_normal_weights_and_no_biases(self):
        for cell in (nn.Dense(300, 400), nn.Conv2d(32, 64, 5, has_bias=True)):
            weight = cell.weight.asnumpy()
            self.assertAlmostEqual(weight.std(), 0.01, delta=2e-4)
            self.assertAlmostEqual(weight.mean(), 0.0, delta=2e-4)
            self.assertGreater(np.abs(weight).max(), 0.03)
            self.assertFalse(cell.bias.asnumpy().any())


    def test_weights_of_sequences(self):
        """Layers of sequences take a weight of three axes, a tensor or a rule's, and keep it with the fourth."""
        values = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
        x = plumb.Tensor(np.ones((1, 2, 5), np.float32))
        for kind in (nn.Conv1d, nn.Conv1dTranspose):
            for weight in (plumb.Tensor(values), plumb.Parameter(plumb.Tensor(values), name="other")):
                layer, same = kind(2, 2, 3, weight_init=weight), kind(2, 2, 3, weight_init=plumb.Tensor(values[:, :, None]))
                self.assertEqual((layer.weight.shape, layer.weight.name), ((2, 2, 1, 3), "weight"))
                np.testing.assert_array_equal(layer(x).asnumpy(), same(x).asnumpy())
            drawn = kind(2, 2, 3, weight_init=plumb.common.initializer.initializer("ones", (2, 2, 3)))
            np.testing.assert_array_equal(drawn.weight.asnumpy(), np.ones((2, 2, 1, 3)))


class OptimizersTest(unittest.TestCase):
    """Several steps of loss = sum((w @ x)^2) against the formulas; test/python/engine_test.py has Momentum and Adam."""

    STEPS = 5

    def compare(self, make, update, rtol=1e-5):
        """Trains by `make(parameters)` and by hand: `update(w, gradient, state, step)` returns the new w."""
        cell = nn.Dense(2, 1, weight_init="ones", has_bias=False)
        step = nn.TrainOneStepCell(nn.WithLossCell(cell, nn.MSELoss("sum")), make(cell.trainable_params())).set_train()
        x, weight, state = np.array([1.0, 2.0]), np.ones(2), {}
        for count in range(self.STEPS):
            step(plumb.Tensor(x.astype(np.float32)[None]), plumb.Tensor(np.zeros((1, 1), np.float32)))
            weight = update(weight, 2 * (weight @ x) * x, state, count)
            np.testing.assert_allclose(cell.weight.asnumpy()[0], weight, rtol=rtol, err_msg=f"step {count}")

    def test_sgd(self):
        self.compare(lambda p: nn.SGD(p, 0.01), lambda w, g, state, step: w - 0.01 * g)

        def heavy(weight, gradient, state, step):
            gradient = gradient + 0.1 * weight
            state["v"] = 0.9 * state["v"] + gradient if step else gradient
            return weight - 0.01 * (gradient + 0.9 * state["v"])

        self.compare(lambda p: nn.SGD(p, 0.01, 0.9, weight_decay=0.1, nesterov=True), heavy)

    def test_adam_with_decay_and_rates(self):
        rates = [0.01, 0.02, 0.005]

        def update(weight, gradient, state, step):
            gradient = gradient + 0.1 * weight
            state["m"] = 0.8 * state.get("m", 0) + 0.2 * gradient
            state["v"] = 0.99 * state.get("v", 0) + 0.01 * gradient ** 2
            rate = rates[min(step, 2)] * np.sqrt(1 - 0.99 ** (step + 1)) / (1 - 0.8 ** (step + 1))
            return weight - rate * state["m"] / (np.sqrt(state["v"]) + 1e-6)

        self.compare(lambda p: nn.Adam(p, rates, 0.8, 0.99, 1e-6, weight_decay=0.1), update)

    def test_adam_weight_decay(self):
        def update(weight, gradient, state, step):
            state["m"] = 0.9 * state.get("m", 0) + 0.1 * gradient
            state["v"] = 0.999 * state.get("v", 0) + 0.001 * gradient ** 2
            return weight - 0.01 * (state["m"] / (np.sqrt(state["v"]) + 1e-6) + 0.1 * weight)

        self.compare(lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=0.1), update)

    def test_rmsprop(self):
        def update(weight, gradient, state, step):
            state["s"] = 0.8 * state.get("s", 1) + 0.2 * gradient ** 2
            state["m"] = 0.5 * state.get("m", 0) + 0.01 * gradient / np.sqrt(state["s"] + 1e-6)
            return weight - state["m"]

        self.compare(lambda p: nn.RMSProp(p, 0.01, 0.8, 0.5, 1e-6), update)

        def centered(weight, gradient, state, step):
            state["s"] = 0.9 * state.get("s", 1) + 0.1 * gradient ** 2
            state["g"] = 0.9 * state.get("g", 0) + 0.1 * gradient
            return weight - 0.01 * gradient / np.sqrt(state["s"] - state["g"] ** 2 + 1e-10)

        self.compare(lambda p: nn.RMSProp(p, 0.01, centered=True), centered)

    def test_adagrad(self):
        def update(weight, gradient, state, step):
            gradient = gradient + 0.1 * weight
            state["h"] = state.get("h", 0.1) + gradient ** 2
            return weight - 0.01 * gradient / np.sqrt(state["h"])

        self.compare(lambda p: nn.Adagrad(p, learning_rate=0.01, weight_decay=0.1), update)
        self.compare(lambda p: nn.Adagrad(p, 4.0, 0.01, update_slots=False), lambda w, g, state, step: w - 0.005 * g)

    def test_dampening(self):
        def update(weight, gradient, state, step):
            state["v"] = 0.9 * state["v"] + 0.75 * gradient if step else gradient
            return weight - 0.01 * state["v"]

        self.compare(lambda p: nn.SGD(p, 0.01, 0.9, dampening=0.25), update)

    def test_what_decays(self):
        """Biases do; scales and shifts of normalisation do not, but under SGD."""
        for make, normalisation in ((lambda p: nn.Momentum(p, 1.0, 0.0, weight_decay=0.1), 0.0),
                                    (lambda p: nn.AdamWeightDecay(p, 1.0, weight_decay=0.1), 0.0),
                                    (lambda p: nn.SGD(p, 1.0, weight_decay=0.1), 0.1)):
            cells = nn.Dense(2, 2, weight_init="ones", bias_init="ones"), nn.LayerNorm((2,), beta_init="ones")
            parameters = [parameter for cell in cells for parameter in cell.trainable_params()]
            make(parameters)(tuple(plumb.Tensor(np.zeros(p.shape, np.float32)) for p in parameters))
            for parameter, decay in zip(parameters, (0.1, 0.1, normalisation, normalisation)):
                np.testing.assert_allclose(parameter.asnumpy(), 1 - decay, rtol=1e-6, err_msg=parameter.name)

    def test_loss_scale(self):
        self.compare(lambda p: nn.Momentum(p, 0.01, 0.0, loss_scale=4.0), lambda w, g, state, step: w - 0.01 * g / 4)


if __name__ == "__main__":
    unittest.main()
