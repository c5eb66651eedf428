"""Layers of mathematics, combined ones, lookups; initial values with a structure: closed forms, NumPy and PyTorch."""

import copy
import unittest
import warnings

import numpy as np
import torch

import plumb
from plumb import Tensor, nn
from plumb.common import initializer as rules
from plumb.common.initializer import initializer

RNG = np.random.default_rng(31)


def matrix(count, size):
    """Symmetric positive definite matrices."""
    a = RNG.normal(size=(count, size, size))
    return (a @ a.transpose(0, 2, 1) + size * np.eye(size)).astype(np.float32)


class OwnDense(nn.Dense):
    """Computes with the operations that its layer holds, as the following do."""

    def construct(self, x):
        rows = self.reshape(x, (-1, self.shape_op(x)[-1]))
        return self.reshape(self.bias_add(self.matmul(rows, self.weight), self.bias), self.shape_op(x)[:-1] + (self.out_channels,))


class OwnConv1d(nn.Conv1d):
    def construct(self, x):
        return self.squeeze(self.bias_add(self.conv2d(self.expand_dims(x, 2), self.weight), self.bias))


class OwnConv2d(nn.Conv2d):
    def construct(self, x):
        return self.bias_add(self.conv2d(x, self.weight), self.bias)


class OwnConv3d(nn.Conv3d):
    def construct(self, x):
        return self.bias_add(self.conv3d(x, self.weight), self.bias)


class OwnGroupNorm(nn.GroupNorm):
    def construct(self, x):
        rows = self.reshape(x, (x.shape[0], self.num_groups, -1))
        centred = rows - self.reduce_mean(rows, 2)
        variance = self.reduce_sum(self.square(centred), 2) / rows.shape[2]
        normalised = self.reshape(centred / self.sqrt(variance + self.eps), self.shape(x))
        return normalised * self.reshape(self.gamma, (-1, 1, 1)) + self.reshape(self.beta, (-1, 1, 1))


class OperationsOfLayersTest(unittest.TestCase):
    """Subclasses of layers compute with the layers' operations."""

    def test_results(self):
        def normal(*shape):
            return Tensor(RNG.normal(size=shape).astype(np.float32))

        options = {"has_bias": True, "bias_init": "ones"}
        for name, arguments, options, x in (
                ("Dense", (4, 3), {"bias_init": "ones"}, normal(2, 5, 4)),
                ("Conv1d", (2, 4, 3), {"stride": 2, "pad_mode": "pad", "padding": 2, "group": 2, **options}, normal(2, 2, 9)),
                ("Conv2d", (2, 4, 3), {"pad_mode": "pad", "padding": (1, 2, 0, 1), "dilation": 2, **options}, normal(2, 2, 9, 8)),
                ("Conv3d", (2, 4, (1, 2, 3)), {"pad_mode": "valid", "stride": (1, 2, 1), **options}, normal(1, 2, 4, 5, 6)),
                ("GroupNorm", (2, 4), {"beta_init": "ones"}, normal(2, 4, 3, 3))):
            with self.subTest(name=name):
                own, layer = globals()["Own" + name](*arguments, **options), getattr(nn, name)(*arguments, **options)
                plumb.load_param_into_net(own, layer.parameters_dict())
                np.testing.assert_allclose(own(x).asnumpy(), layer(x).asnumpy(), rtol=1e-5, atol=1e-6)


class MathTest(unittest.TestCase):
    """One formula each."""

    def test_special(self):
        x, y = RNG.uniform(0.1, 30, (4, 50)).astype(np.float32), RNG.uniform(0.1, 30, (4, 50)).astype(np.float32)
        wide, other = torch.tensor(x).double(), torch.tensor(y).double()
        for cell, expected in ((nn.LGamma(), torch.lgamma(wide)), (nn.DiGamma(), torch.digamma(wide))):
            np.testing.assert_allclose(cell(Tensor(x)).asnumpy(), expected, rtol=3e-6, atol=3e-6)
        np.testing.assert_allclose(nn.LBeta()(Tensor(x), Tensor(y)).asnumpy(),
                                   torch.lgamma(wide) + torch.lgamma(other) - torch.lgamma(wide + other), rtol=1e-6)
        np.testing.assert_allclose(nn.IGamma()(Tensor(x), Tensor(y)).asnumpy(), torch.special.gammainc(wide, other), rtol=2e-6, atol=1e-37)

    def test_logsumexp(self):
        x = RNG.normal(0, 50, (3, 4, 5)).astype(np.float32)
        for axis, axes, keep in ((1, 1, False), ((0, 2), (0, 2), True), ((), (0, 1, 2), False)):
            expected = torch.logsumexp(torch.tensor(x), axes, keep)
            np.testing.assert_allclose(nn.ReduceLogSumExp(axis, keep)(Tensor(x)).asnumpy(), expected, rtol=1e-5)

    def test_matrices(self):
        a = matrix(3, 6)
        np.testing.assert_allclose(nn.MatDet()(Tensor(a)).asnumpy(), np.linalg.det(a), rtol=1e-4)
        np.testing.assert_allclose(nn.MatInverse()(Tensor(a)).asnumpy(), np.linalg.inv(a), atol=1e-5)

    def test_clip(self):
        x = RNG.normal(size=(4, 16)).astype(np.float32)
        norm = np.linalg.norm(x)
        np.testing.assert_allclose(nn.ClipByNorm()(Tensor(x), Tensor(np.float32(1))).asnumpy(), x / norm, rtol=1e-5)
        np.testing.assert_allclose(nn.ClipByNorm()(Tensor(x), Tensor(np.float32(100))).asnumpy(), x, rtol=1e-6)
        rows = x * np.minimum(1, 2 / np.linalg.norm(x, axis=1, keepdims=True))
        np.testing.assert_allclose(nn.ClipByNorm(1)(Tensor(x), Tensor(np.float32(2))).asnumpy(), rows, rtol=1e-5)
        gradient = plumb.grad(lambda value: nn.ClipByNorm()(value, Tensor(np.float32(1))).sum())(Tensor(np.zeros((2, 2), np.float32)))
        np.testing.assert_array_equal(gradient.asnumpy(), np.ones((2, 2)))


class CombinedTest(unittest.TestCase):
    """The same numbers as of the parts."""

    def test_convolution(self):
        net, x = nn.Conv2dBnAct(3, 8, 3, has_bn=True, has_bias=True, activation="relu"), RNG.normal(size=(2, 3, 9, 9)).astype(np.float32)
        for mode in (True, False):
            net.set_train(mode)
            expected = nn.ReLU()(net.batchnorm(net.conv(Tensor(x)))).asnumpy()
            np.testing.assert_allclose(net(Tensor(x)).asnumpy(), expected, rtol=1e-4, atol=1e-4)
        self.assertEqual([value.name for value in net.trainable_params()], ["conv.weight", "conv.bias", "batchnorm.gamma", "batchnorm.beta"])

    def test_dense(self):
        net, x = nn.DenseBnAct(6, 4, activation="leakyrelu", alpha=0.3), RNG.normal(size=(5, 6)).astype(np.float32)
        linear = net.dense(Tensor(x)).asnumpy()
        np.testing.assert_allclose(net(Tensor(x)).asnumpy(), np.where(linear > 0, linear, 0.3 * linear), rtol=1e-5, atol=1e-7)
        other = nn.DenseBnAct(6, 4, activation="leakyrelu", alpha=0.3, after_fake=False)  # of quantised training alone
        other.dense = net.dense
        np.testing.assert_array_equal(other(Tensor(x)).asnumpy(), net(Tensor(x)).asnumpy())


    def test_one_device(self):
        x = Tensor(RNG.normal(size=(4, 3, 5, 5)).astype(np.float32))
        one, other = nn.SyncBatchNorm(3).set_train(), nn.BatchNorm2d(3).set_train()
        np.testing.assert_array_equal(one(x).asnumpy(), other(x).asnumpy())
        np.testing.assert_array_equal(one.moving_variance.asnumpy(), other.moving_variance.asnumpy())
        np.testing.assert_array_equal(nn.SyncBatchNorm(3, process_groups=[[0]]).set_train()(x).asnumpy(), other(x).asnumpy())
        with self.assertRaisesRegex(ValueError, r"can be None or \[\[0\]\], but got \[\[0, 1\]\]"):
            nn.SyncBatchNorm(3, process_groups=[[0, 1]])


class LookupTest(unittest.TestCase):
    """EmbeddingLookup."""

    def test_rows(self):
        table = RNG.normal(size=(10, 4)).astype(np.float32)
        net = nn.EmbeddingLookup(10, 4, Tensor(table))
        numbers = np.array([[1, 9], [0, 12]])
        expected = np.where((numbers < 10)[..., None], table[np.minimum(numbers, 9)], 0)
        np.testing.assert_array_equal(net(Tensor(numbers)).asnumpy(), expected)
        cut = nn.EmbeddingLookup(10, 4, Tensor(table), max_norm=1.0)(Tensor(np.arange(10))).asnumpy()
        np.testing.assert_allclose(cut, table / np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "slice_mode"):
            nn.EmbeddingLookup(10, 4, slice_mode="field_slice")

    def test_gradient(self):
        net = nn.EmbeddingLookup(5, 2, "ones")
        gradient = plumb.grad(lambda numbers: net(numbers).sum(), None, net.trainable_params())(Tensor(np.array([1, 1, 7])))
        np.testing.assert_array_equal((gradient[0] if isinstance(gradient, tuple) else gradient).asnumpy(),
                                      [[0, 0], [2, 2], [0, 0], [0, 0], [0, 0]])


class InitialValuesTest(unittest.TestCase):
    """Rules with a structure."""

    def test_integers(self):
        """Drawn numbers are cut to integers; of booleans all that are not 0 are true."""
        for kind in (plumb.int32, plumb.int8):
            values = initializer(rules.Normal(4.0), (50, 60), kind).asnumpy()
            self.assertEqual(values.dtype, kind.numpy)
            self.assertTrue(3.5 < values.std() < 4.5 and abs(values.mean()) < 0.4 and (values < -4).any())
            self.assertFalse(initializer("uniform", (50,), kind).asnumpy().any())
        self.assertTrue(initializer("normal", (3, 4), plumb.bool_).asnumpy().all())
        self.assertFalse(nn.Embedding(5, 3, dtype=plumb.int32)(plumb.Tensor([1, 4])).asnumpy().any())

    def test_dirac(self):
        for groups, shape in ((1, (3, 4, 5)), (2, (6, 4, 3, 3)), (1, (5, 3, 3, 3, 3))):
            expected = torch.nn.init.dirac_(torch.empty(shape), groups)
            np.testing.assert_array_equal(initializer(rules.Dirac(groups), shape).asnumpy(), expected)
        np.testing.assert_array_equal(initializer("identity", (2, 3)).asnumpy(), np.eye(2, 3))
        with self.assertRaisesRegex(ValueError, "divisible"):
            initializer(rules.Dirac(2), (3, 3, 3))

    def test_orthogonal(self):
        for shape in ((20, 8), (8, 20), (6, 3, 5, 5)):
            value = initializer(rules.Orthogonal(2.0), shape).asnumpy()
            flat = value.reshape(shape[0], -1).astype(np.float64)
            product = flat @ flat.T if flat.shape[0] <= flat.shape[1] else flat.T @ flat
            np.testing.assert_allclose(product, 4 * np.eye(len(product)), atol=1e-5)
        plumb.set_seed(3)
        self.assertFalse(np.array_equal(initializer("orthogonal", (4, 4)).asnumpy(), initializer("orthogonal", (4, 4)).asnumpy()))

    def test_sparse(self):
        value = initializer(rules.Sparse(0.3, 2.0), (50, 200)).asnumpy()
        np.testing.assert_array_equal((value == 0).sum(0), 15)
        self.assertAlmostEqual(value[value != 0].std(), 2.0, delta=0.1)

    def test_variance(self):
        shape = (400, 300)
        for mode, count in (("fan_in", 300), ("fan_out", 400), ("fan_avg", 350)):
            for distribution in ("uniform", "truncated_normal", "untruncated_normal"):
                value = initializer(rules.VarianceScaling(2.0, mode, distribution), shape).asnumpy()
                self.assertAlmostEqual(value.var() * count, 2.0, delta=0.03)
        limit = 2 * (2 / 300) ** 0.5 / 0.8796
        self.assertLess(np.abs(initializer(rules.VarianceScaling(2.0), shape).asnumpy()).max(), limit * 1.0001)
        weight = nn.Dense(3, 3, weight_init="orthogonal").weight.asnumpy()
        np.testing.assert_allclose(weight @ weight.T, np.eye(3), atol=1e-5)


class Replaced(nn.Cell):
    """A cell whose children have names of methods that later versions of MindSpore's cells have."""

    def __init__(self):
        super().__init__()
        self.register_buffer, self.other = nn.ReLU(), nn.Dropout(p=0.5)

    def construct(self, x):
        """Runs them."""
        return self.register_buffer(self.other(x))


class ReplacedTest(unittest.TestCase):
    """Children that programs replace through `_cells`."""

    def test_named_like_a_method(self):
        net, x = Replaced(), plumb.Tensor([2.0])
        copied = copy.deepcopy(net)
        self.assertEqual(float(net(x)[0]), 2)
        net._cells["register_buffer"] = nn.Sigmoid()
        self.assertIs(net.register_buffer, net._cells["register_buffer"])
        self.assertAlmostEqual(float(net(x)[0]), 0.8807971, places=6)
        self.assertEqual(float(copied(x)[0]), 2)
        copied._cells["register_buffer"] = nn.Tanh()
        self.assertAlmostEqual(float(copied(x)[0]), 0.9640276, places=6)

    def test_replaced_without_parameters(self):
        """What a container was made of, a tuple of cells, is said to be left out only where it has trained Parameters."""
        net = nn.SequentialCell(nn.Dropout(p=0.5), nn.Dense(2, 2))
        net._cells["0"] = nn.Identity()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            net.trainable_params()

    def test_layers_that_draw_have_no_parameters(self):
        """As MindSpore's: none among the Parameters, in state dicts and in files that are not of a run."""
        net = nn.SequentialCell(nn.Dropout(p=0.5), nn.Dense(2, 2), nn.RReLU(), nn.BatchNorm1d(2))
        names = ["1.weight", "1.bias", "3.moving_mean", "3.moving_variance", "3.gamma", "3.beta"]
        self.assertEqual([list(net.parameters_dict()), [param.name for param in net.get_parameters()], list(net.state_dict())], [names] * 3)
        self.assertEqual(list(nn.BatchNorm1d(2).parameters_dict()), ["mean", "variance", "gamma", "beta"])
        net.set_train()(plumb.Tensor(np.ones((3, 2), np.float32)))


if __name__ == "__main__":
    unittest.main()
