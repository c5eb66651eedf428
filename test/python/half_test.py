"""f16 and bf16: sums of any length are right to the last bit or two, because they are made in f32 and rounded once.

References are float64 on the rounded inputs. Sizes are those at which a sum in 16 bits has stood still long ago.
"""

import unittest

import numpy as np

import plumb
from plumb import nn, ops

RNG = np.random.default_rng(3)
#: Element type and twice the error of one rounding: a sum in f32 may round to the neighbour.
KINDS = ((plumb.float16, 2.0 ** -10), (plumb.bfloat16, 2.0 ** -8))


def rounded(x, kind):
    """x as numbers of `kind`, in float64."""
    if kind is plumb.float16:
        return x.astype(np.float16).astype(np.float64)
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)


def softmax(x):
    """Along the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class SumsTest(unittest.TestCase):
    """Everything that adds many elements into one."""

    def check(self, function, reference, *inputs):
        """Compares `function` of the inputs in each small type with `reference` of the same numbers."""
        for kind, error in KINDS:
            with self.subTest(kind=kind):
                def compiled(*tensors):
                    return ops.cast(function(*[ops.cast(tensor, kind) for tensor in tensors]), plumb.float32)

                expected = reference(*[rounded(value, kind) for value in inputs])
                actual = plumb.jit(compiled)(*[plumb.Tensor(value) for value in inputs]).asnumpy()
                least = 2.0 ** -24  # The step of the smallest numbers of f16.
                np.testing.assert_allclose(actual, expected, rtol=error,
                                           atol=max(error * 1e-2 * np.abs(expected).max(), least))

    def test_means(self):
        for shape, axis in (((1_000_000,), (0,)), ((200_000, 3), (0,)), ((1000, 1000), (1,)), ((4, 8, 112, 112), (0, 2, 3))):
            self.check(lambda x, axis=axis: ops.reduce_mean(x, axis), lambda x, axis=axis: x.mean(axis),
                       RNG.random(shape, np.float32))

    def test_sums_and_products(self):
        self.check(lambda x: ops.reduce_sum(x, 0), lambda x: x.sum(0), RNG.random((100_000, 2), np.float32) * 0.5)
        self.check(lambda x: ops.reduce_prod(x, 0), lambda x: x.prod(0),
                   1 + RNG.standard_normal((1000, 3), np.float32) * 0.05)

    def test_mean_of_what_overflows(self):
        x = np.full((5000,), 40000, np.float32)
        self.check(ops.reduce_mean, np.mean, x)
        spread = np.where(np.arange(5000) % 2, x, 100).astype(np.float32)
        self.check(ops.std, np.std, spread)
        self.check(lambda x: ops.std_mean(x)[0], np.std, spread)
        self.check(lambda x: ops.avg_pool1d(ops.reshape(x, (1, 1, -1)), 2, 2), lambda x: x.reshape(1, 1, -1, 2).mean(-1), spread)
        self.check(lambda x: ops.adaptive_avg_pool1d(ops.reshape(x, (1, 1, -1)), 1), lambda x: x.mean().reshape(1, 1, 1), spread)
        self.check(lambda x: ops.AvgPool3D(2, 2)(ops.reshape(x, (1, 5, 10, 10, 10))),
                   lambda x: x.reshape(5, 5, 2, 5, 2, 5, 2).mean((2, 4, 6))[None], spread)

    def test_softmax(self):
        logits = RNG.standard_normal((3, 50_000), np.float32)
        self.check(lambda x: ops.softmax(x, -1), softmax, logits)
        self.check(lambda x: ops.log_softmax(x, -1), lambda x: np.log(softmax(x)), logits)
        labels = np.array([5, 49_999, 0], np.int32)
        classes = plumb.Tensor(labels)
        self.check(lambda x: ops.sparse_softmax_cross_entropy(x, classes),
                   lambda x: -np.log(softmax(x))[np.arange(3), labels], logits)

    def test_pooling(self):
        images = RNG.random((1, 2, 60, 60), np.float32)
        self.check(lambda x: ops.avg_pool2d(x, 60, 1), lambda x: x.mean((2, 3), keepdims=True), images)
        self.check(lambda x: ops.avg_pool2d(x, 60, 1, ceil_mode=True), lambda x: x.mean((2, 3), keepdims=True), images)
        self.check(lambda x: ops.adaptive_avg_pool2d(x, 1), lambda x: x.mean((2, 3), keepdims=True), images)
        self.check(lambda x: ops.std(x, (2, 3)), lambda x: x.std((2, 3)), images)

    def test_products(self):
        left, right = RNG.random((5, 8192), np.float32), RNG.random((8192, 3), np.float32)
        self.check(ops.matmul, np.matmul, left, right)
        self.check(lambda x, w: ops.conv2d(x, w), lambda x, w: np.einsum("nchw,ochw->no", x, w)[..., None, None],
                   RNG.random((2, 64, 9, 9), np.float32), RNG.random((4, 64, 9, 9), np.float32))

    def test_normalisation(self):
        x = 3 + RNG.standard_normal((2, 20_000), np.float32)
        self.check(nn.LayerNorm((20_000,)), lambda x: (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True), x)


class GradientsTest(unittest.TestCase):
    """Gradients are sums too: over the batch, over places, over equal indices."""

    def compare(self, function, reference, *inputs):
        """Compares gradients by all inputs, of an adjoint of ones."""
        for kind, error in KINDS:
            with self.subTest(kind=kind):
                def total(*tensors):
                    value = function(*[ops.cast(tensor, kind) for tensor in tensors])
                    return ops.reduce_sum(ops.cast(value, plumb.float32))

                positions = tuple(range(len(inputs)))
                made = plumb.grad(total, positions)(*[plumb.Tensor(value) for value in inputs])
                expected = reference(*[rounded(value, kind) for value in inputs])
                for actual, wanted in zip(made, expected):
                    np.testing.assert_allclose(actual.asnumpy(), wanted, rtol=error)

    def test_biases_and_broadcasts(self):
        self.compare(lambda x, b: x + b, lambda x, b: (np.ones(x.shape), np.full(b.shape, 50_000.0)),
                     np.zeros((50_000, 3), np.float32), np.zeros(3, np.float32))

    def test_weights_of_products(self):
        x, w = RNG.random((20_000, 3), np.float32), RNG.random((3, 2), np.float32)
        self.compare(ops.matmul, lambda x, w: (np.tile(w.sum(1), (20_000, 1)), np.tile(x.sum(0)[:, None], (1, 2))), x, w)

    def test_weights_of_convolutions(self):
        x, w = RNG.random((2, 3, 100, 100), np.float32), RNG.random((2, 3, 1, 1), np.float32)
        self.compare(lambda x, w: ops.conv2d(x, w),
                     lambda x, w: (np.broadcast_to(w.sum(0), (2, 3, 100, 100)).copy() * 1.0,
                                   np.tile(x.sum((0, 2, 3))[None, :, None, None], (2, 1, 1, 1))), x, w)

    def test_rows_looked_up_often(self):
        table, rows = np.zeros((4, 2), np.float32), plumb.Tensor(np.repeat(np.arange(3), 3000).astype(np.int32))
        self.compare(lambda table: ops.gather(table, rows, 0),
                     lambda table: (np.array([[3000.0] * 2] * 3 + [[0.0] * 2]),), table)


class Network(nn.Cell):
    """A small image classifier without kinks, computed in one element type."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind
        self.conv = nn.Conv2d(3, 16, 3, weight_init="he_uniform", has_bias=True)
        self.norm = nn.BatchNorm2d(16)
        self.dense = nn.Dense(16, 10, weight_init="he_uniform")

    def construct(self, x, labels):
        """The mean loss, large enough that no adjoint is among the smallest numbers of f16."""
        conv, kind = self.conv, self.kind
        x = ops.conv2d(ops.cast(x, kind), ops.cast(conv.weight, kind), ops.cast(conv.bias, kind), 1, "same")
        x = ops.reduce_mean(ops.silu(self.norm(x)), (2, 3))
        x = ops.matmul(x, ops.cast(self.dense.weight, kind), transpose_b=True) + ops.cast(self.dense.bias, kind)
        return ops.cast(ops.cross_entropy(x, labels), plumb.float32) * 4096.0


class NetworksTest(unittest.TestCase):
    """Gradients of a whole network in 16 bits beside those in f32."""

    def gradients(self, kind):
        """The gradients of all weights, for one seed."""
        plumb.set_seed(5)
        network = Network(kind).set_train()
        rng = np.random.default_rng(8)
        images = plumb.Tensor(rng.standard_normal((64, 3, 32, 32)).astype(np.float32))
        labels = plumb.Tensor(rng.integers(0, 10, 64).astype(np.int32))
        made = plumb.grad(network, None, network.trainable_params())(images, labels)
        return [gradient.asnumpy().astype(np.float64) for gradient in made], network.trainable_params()

    def test_gradients(self):
        exact, parameters = self.gradients(plumb.float32)
        for kind, bound in ((plumb.float16, 0.002), (plumb.bfloat16, 0.012)):
            for gradient, wanted, parameter in zip(self.gradients(kind)[0], exact, parameters):
                if parameter.name == "conv.bias":
                    continue  # Zero but for rounding: what follows takes means away.
                error = np.linalg.norm(gradient - wanted) / np.linalg.norm(wanted)
                self.assertLess(error, bound, f"{kind} {parameter.name}")


if __name__ == "__main__":
    unittest.main()
