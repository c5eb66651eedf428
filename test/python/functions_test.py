"""Public functions of `ops`, values and gradients, against PyTorch's; see together.py."""

import unittest

import numpy as np
import torch
import torch.nn.functional as tf

import plumb
from plumb import ops
from numeric import numbers
from together import Fixed, check

X = numbers(3, 4) * 2
Y = numbers(3, 4, seed=1)
POSITIVE = numbers(3, 4, low=0.2, high=3.0)
SHARE = numbers(3, 4, low=0.05, high=0.95)
KINKS = np.array([-4.0, -3, -1, -0.5, -0.25, 0.25, 0.5, 1, 3, 4])


def activations():
    """Activations; kinks are among the arguments where PyTorch's gradient is one-sided."""
    yield "celu", lambda x: ops.celu(x, 1.5), lambda x: tf.celu(x, 1.5), X
    yield "elu", ops.elu, tf.elu, X
    yield "elu at 0", ops.elu, tf.elu, np.array([0.0, -0.0, 1.0])
    yield "celu at 0", lambda x: ops.celu(x, 1.5), lambda x: tf.celu(x, 1.5), np.array([0.0, -0.0, 1.0])
    yield "selu", ops.selu, tf.selu, X
    yield "gelu", ops.gelu, tf.gelu, X
    yield "gelu by tanh", lambda x: ops.gelu(x, "tanh"), lambda x: tf.gelu(x, approximate="tanh"), X
    yield "fast_gelu", ops.fast_gelu, lambda x: x * torch.sigmoid(1.702 * x), X
    yield "glu", lambda x: ops.glu(x, 1), lambda x: tf.glu(x, 1), X
    yield "hardshrink", lambda x: ops.hardshrink(x, 0.5), lambda x: tf.hardshrink(x, 0.5), KINKS
    yield "hardsigmoid", ops.hardsigmoid, tf.hardsigmoid, KINKS
    yield "hardswish", ops.hardswish, tf.hardswish, X
    yield "hardtanh", lambda x: ops.hardtanh(x, -1.0, 0.5), lambda x: tf.hardtanh(x, -1.0, 0.5), KINKS + 0.01
    yield "leaky_relu", ops.leaky_relu, lambda x: tf.leaky_relu(x, 0.2), X
    yield "logsigmoid", ops.logsigmoid, tf.logsigmoid, X * 20
    yield "logit", ops.logit, torch.logit, SHARE
    yield "logit with eps", lambda x: ops.logit(x, 0.2), lambda x: torch.logit(x, 0.2), SHARE
    yield "mish", ops.mish, tf.mish, X * 5
    yield "prelu", ops.prelu, tf.prelu, numbers(2, 3, 5), numbers(3, seed=1)
    yield "prelu of a number", ops.prelu, tf.prelu, np.array(-0.8), np.array([0.3])
    yield "prelu by one", ops.prelu, tf.prelu, X, np.array([0.3])
    yield "relu", ops.relu, tf.relu, X
    yield "relu6", ops.relu6, tf.relu6, X * 4
    yield "sigmoid", ops.sigmoid, torch.sigmoid, X * 10
    yield "silu", ops.silu, tf.silu, X * 10
    yield "softmax of a tuple", lambda x: ops.softmax(x, (1,)), lambda x: tf.softmax(x, 1), X
    yield "softmin", lambda x: ops.softmin(x, 0), lambda x: tf.softmin(x, 0), X
    yield "softplus", ops.softplus, tf.softplus, X * 20
    yield "softplus by beta", lambda x: ops.softplus(x, 3, 5), lambda x: tf.softplus(x, 3, 5), X
    yield "softshrink", lambda x: ops.softshrink(x, 0.5), lambda x: tf.softshrink(x, 0.5), KINKS
    yield "softsign", ops.softsign, tf.softsign, X
    yield "tanhshrink", ops.tanhshrink, tf.tanhshrink, X
    yield "threshold", lambda x: ops.threshold(x, 0.5, -2.0), lambda x: tf.threshold(x, 0.5, -2.0), KINKS


CLASSES = np.array([2, 0, 3])
SIGNS = np.where(numbers(3, 4, seed=5) > 0, 1.0, -1.0)
BINARY = (numbers(3, 4, seed=6) > 0) * 1.0
LABELS = np.array([[3, 0, -1, 1], [1, -1, 2, 0], [0, 1, 2, 3]])


def losses():
    """Losses under every way of reduction."""
    for how in ("mean", "sum", "none"):
        yield f"mse {how}", lambda x, y, r=how: ops.mse_loss(x, y, r), lambda x, y, r=how: tf.mse_loss(x, y, reduction=r), X, Y
        yield f"l1 {how}", lambda x, y, r=how: ops.l1_loss(x, y, r), lambda x, y, r=how: tf.l1_loss(x, y, reduction=r), X, Y
        yield (f"smooth_l1 {how}", lambda x, y, r=how: ops.smooth_l1_loss(x, y, 0.7, r),
               lambda x, y, r=how: tf.smooth_l1_loss(x, y, reduction=r, beta=0.7), X, Y)
        yield (f"huber {how}", lambda x, y, r=how: ops.huber_loss(x, y, r, 0.7),
               lambda x, y, r=how: tf.huber_loss(x, y, reduction=r, delta=0.7), X, Y)
        yield (f"huber at its bend {how}", lambda x, y, r=how: ops.huber_loss(x, y, r, 1.0),
               lambda x, y, r=how: tf.huber_loss(x, y, reduction=r, delta=1.0), SIGNS, np.zeros_like(SIGNS))
        yield (f"soft_margin {how}", lambda x, y, r=how: ops.soft_margin_loss(x, y, r),
               lambda x, y, r=how: tf.soft_margin_loss(x, y, reduction=r), X, Fixed(SIGNS))
        yield (f"hinge_embedding {how}", lambda x, y, r=how: ops.hinge_embedding_loss(x, y, 1.2, r),
               lambda x, y, r=how: tf.hinge_embedding_loss(x, y, 1.2, reduction=r), X, SIGNS.astype(np.int32))
        yield (f"margin_ranking {how}", lambda x, y, s, r=how: ops.margin_ranking_loss(x, y, s, 0.3, r),
               lambda x, y, s, r=how: tf.margin_ranking_loss(x, y, s, 0.3, reduction=r), X, Y, SIGNS.astype(np.int32))
        yield (f"binary_cross_entropy {how}", lambda x, y, w, r=how: ops.binary_cross_entropy(x, y, w, r),
               lambda x, y, w, r=how: tf.binary_cross_entropy(x, y, w, reduction=r), SHARE, Fixed(SHARE[::-1].copy()),
               Fixed(POSITIVE))
        yield (f"kl_div {how}", lambda x, y, r=how: ops.kl_div(x, y, r), lambda x, y, r=how: tf.kl_div(x, y, reduction=r), X, SHARE)
        yield (f"gaussian_nll {how}", lambda x, y, v, r=how: ops.gaussian_nll_loss(x, y, v, True, reduction=r),
               lambda x, y, v, r=how: tf.gaussian_nll_loss(x, y, v, True, reduction=r), X, Y, POSITIVE)
        yield (f"cosine_embedding {how}", lambda x, y, s, r=how: ops.cosine_embedding_loss(x, y, s, 0.1, r),
               lambda x, y, s, r=how: tf.cosine_embedding_loss(x, y, s, 0.1, reduction=r), X, Y, np.array([1, -1, 1]))
        yield (f"triplet_margin {how}", lambda x, y, z, r=how: ops.triplet_margin_loss(x, y, z, 1.5, 2, 1e-6, True, r),
               lambda x, y, z, r=how: tf.triplet_margin_loss(x, y, z, 1.5, 2, 1e-6, True, reduction=r), X, Y, POSITIVE)
        yield (f"multi_margin {how}", lambda x, y, w, r=how: ops.multi_margin_loss(x, y, 2, 0.8, w, r),
               lambda x, y, w, r=how: tf.multi_margin_loss(x, y, 2, 0.8, w, reduction=r), X, CLASSES, Fixed(POSITIVE[0]))
        yield (f"multilabel_margin {how}", lambda x, y, r=how: ops.multilabel_margin_loss(x, y, r),
               lambda x, y, r=how: tf.multilabel_margin_loss(x, y, reduction=r), X, LABELS)
        yield (f"multilabel_soft_margin {how}", lambda x, y, r=how: ops.multilabel_soft_margin_loss(x, y, reduction=r),
               lambda x, y, r=how: tf.multilabel_soft_margin_loss(x, y, reduction=r), X, Fixed(BINARY))
        yield (f"nll {how}", lambda x, y, w, r=how: ops.nll_loss(x, y, w, 0, r),
               lambda x, y, w, r=how: tf.nll_loss(x, y, w, ignore_index=0, reduction=r), X, CLASSES, Fixed(POSITIVE[0]))
        yield (f"nll of images {how}", lambda x, y, r=how: ops.nll_loss(x, y, None, 1, r),
               lambda x, y, r=how: tf.nll_loss(x, y, ignore_index=1, reduction=r), numbers(2, 4, 3), np.array([[0, 1, 2], [3, 1, 0]]))
        yield (f"cross_entropy {how}", lambda x, y, w, r=how: ops.cross_entropy(x, y, w, 0, r, 0.1),
               lambda x, y, w, r=how: tf.cross_entropy(x, y, w, ignore_index=0, reduction=r, label_smoothing=0.1),
               X, CLASSES, Fixed(POSITIVE[0]))
        yield (f"with logits {how}", lambda x, y, w, p, r=how: ops.binary_cross_entropy_with_logits(x, y, w, p, r),
               lambda x, y, w, p, r=how: tf.binary_cross_entropy_with_logits(x, y, w, reduction=r, pos_weight=p),
               X * 30, Fixed(SHARE), Fixed(POSITIVE), Fixed(POSITIVE[0]))
    yield "kl_div batchmean", lambda x, y: ops.kl_div(x, y, "batchmean"), lambda x, y: tf.kl_div(x, y, reduction="batchmean"), X, SHARE
    yield "cosine_similarity", lambda x, y: ops.cosine_similarity(x, y, 0), lambda x, y: tf.cosine_similarity(x, y, 0), X, Y


def total_smooth_l1(x, y, weights):
    """The sum of weighted losses in f32."""
    return (ops.smooth_l1_loss(x, y).astype(plumb.float32) * weights).sum()


class FunctionsTest(unittest.TestCase):
    """Every table in one executable."""

    def test_activations(self):
        check(self, activations())

    def test_relu6_at_its_kinks(self):
        """Its gradient is zero at zero, and passes at six: MindSpore 2.0.0's."""
        x = plumb.Tensor(np.array([0, 6, 6.5, 3, -1], np.float32))
        np.testing.assert_array_equal(plumb.grad(ops.relu6)(x).asnumpy(), [0, 1, 0, 1, 0])

    def test_gradients_at_limits(self):
        """Half passes to what is held at its limit; leaky_relu has the mean of its slopes at zero: MindSpore 2.0.0's."""
        x = plumb.Tensor(np.array([-2, -1, 0, 1, 2], np.float32))
        for function in (ops.hardtanh, lambda x: ops.clip(x, -1.0, 1.0), lambda x: ops.clip_by_value(x, plumb.Tensor(-1.0), plumb.Tensor(1.0))):
            np.testing.assert_array_equal(plumb.grad(function)(x).asnumpy(), [0, 0.5, 1, 0.5, 0])
        for alpha in (0.1, 2.0):
            np.testing.assert_allclose(plumb.grad(lambda x, alpha=alpha: ops.leaky_relu(x, alpha))(x).asnumpy(),
                                       [alpha, alpha, (1 + alpha) / 2, 1, 1], rtol=1e-6)
        for kind in (plumb.uint8, plumb.bool_):
            np.testing.assert_array_equal(ops.hardtanh(plumb.Tensor([0, 1, 3]).astype(kind)).asnumpy(), [0, 1, 1])

    def test_losses(self):
        check(self, losses())

    def test_squared_errors_of_integers(self):
        """They are of float32, as in MindSpore, and do not overflow; a float beside integers gives its type."""
        first, second = np.array([100, 3, 50]), np.array([2, 90, 7])
        for kind in (np.int8, np.uint8, np.int32, np.int64):
            for how in ("none", "sum", "mean"):
                made = ops.mse_loss(plumb.Tensor(first.astype(kind)), plumb.Tensor(second.astype(kind)), how).asnumpy()
                squares = (first - second) ** 2
                np.testing.assert_allclose(made, squares if how == "none" else getattr(squares, how)(), rtol=1e-6)
                self.assertEqual(made.dtype, np.float32)
        self.assertEqual(ops.mse_loss(plumb.Tensor(first), plumb.Tensor(second.astype(np.float16))).dtype, plumb.float16)

    def test_smooth_l1_of_half_precision_at_beta(self):
        """A distance that rounds to beta has the slope of one branch, not of half of one."""
        x, y = (plumb.Tensor(np.array(values, np.float16)) for values in ([[1.05, -0.35, 0.9]], [[0.05, 0.45, 0.4]]))
        slopes = plumb.grad(total_smooth_l1)(x, y, plumb.Tensor(np.ones((1, 3), np.float32))).asnumpy()
        np.testing.assert_allclose(slopes, [[1, -0.8, 0.5]], rtol=2e-3)


if __name__ == "__main__":
    unittest.main()
