"""Pooling and 1-D convolution against PyTorch's; see together.py. Windows of signals against NumPy's."""

import unittest

import numpy as np
import torch
import torch.nn.functional as tf

import plumb
from plumb import nn, ops
from numeric import distinct, numbers
from together import check

LINE, IMAGE, VOLUME = distinct(2, 3, 11), distinct(2, 3, 7, 9), distinct(1, 2, 5, 6, 7)


def pools():
    """Pooling with overlap, gaps, pads, dilation and ceil mode, with places."""
    yield "max_pool1d", lambda x: ops.max_pool1d(x, 3, 2, 1, 1, True, True), lambda x: tf.max_pool1d(x, 3, 2, 1, 1, True, True), LINE
    yield "max_pool2d", lambda x: ops.max_pool2d(x, (3, 2), (2, 3), 1, 1, True), lambda x: tf.max_pool2d(
        x, (3, 2), (2, 3), 1, 1, False, True), IMAGE
    yield "max_pool2d dilated", lambda x: ops.max_pool2d(x, 2, 1, 1, 2), lambda x: tf.max_pool2d(x, 2, 1, 1, 2), IMAGE
    yield "max_pool2d of one image", lambda x: ops.max_pool2d(x[0], 3, 2, 0, 1, True, True), lambda x: tf.max_pool2d(
        x[0], 3, 2, 0, 1, True, True), IMAGE
    yield "max_pool3d", lambda x: ops.max_pool3d(x, 2, (1, 2, 3), 1, 1, True, True), lambda x: tf.max_pool3d(
        x, 2, (1, 2, 3), 1, 1, True, True), VOLUME
    for ceil in (False, True):
        for count in (False, True):
            yield f"avg_pool1d {ceil} {count}", lambda x, c=ceil, n=count: ops.avg_pool1d(x, 4, 3, 2, c, n), lambda x, c=ceil, n=count: (
                tf.avg_pool1d(x, 4, 3, 2, c, n)), LINE
            yield f"avg_pool2d {ceil} {count}", lambda x, c=ceil, n=count: ops.avg_pool2d(x, (3, 4), 3, 1, c, n), lambda x, c=ceil, n=count: (
                tf.avg_pool2d(x, (3, 4), 3, 1, c, n)), IMAGE
    yield "avg_pool3d", lambda x: ops.avg_pool3d(x, 3, 2, 1, True, False), lambda x: tf.avg_pool3d(x, 3, 2, 1, True, False), VOLUME
    yield "avg_pool3d by a divisor", lambda x: ops.avg_pool3d(x, 2, 2, 0, divisor_override=3), lambda x: tf.avg_pool3d(
        x, 2, 2, divisor_override=3), VOLUME
    yield "lp_pool1d", lambda x: ops.lp_pool1d(x, 3, 2, 3), lambda x: tf.lp_pool1d(x, 3, 2, 3), np.abs(LINE)
    yield "lp_pool2d", lambda x: ops.lp_pool2d(x, 2, (2, 3)), lambda x: tf.lp_pool2d(x, 2.0, (2, 3)), IMAGE
    yield "lp_pool2d over the end", lambda x: ops.lp_pool2d(x, 1, (3, 2), 2, True), lambda x: tf.lp_pool2d(x, 1.0, (3, 2), 2, True), IMAGE
    yield "lp_pool1d over the end", lambda x: ops.lp_pool1d(x, 2, 3, 2, True), lambda x: tf.lp_pool1d(x, 2.0, 3, 2, True), LINE
    yield "lp_pool2d of signed sums", lambda x: ops.lp_pool2d(x, 1, (2, 3)), lambda x: tf.lp_pool2d(x, 1.0, (2, 3)), IMAGE


def layers():
    """What layers of pooling take beside kernels, strides and pads."""
    yield "MaxPool2d with places", nn.MaxPool2d((3, 2), (2, 3), "pad", 1, 1, True), lambda x: tf.max_pool2d(x, (3, 2), (2, 3), 1, 1, False, True), IMAGE
    yield "MaxPool2d dilated", nn.MaxPool2d(2, 1, "pad", 1, (2, 1), ceil_mode=True), lambda x: tf.max_pool2d(x, 2, 1, 1, (2, 1), True), IMAGE
    yield "MaxPool2d of one image", lambda x: nn.MaxPool2d(2, return_indices=True)(x[0]), lambda x: tf.max_pool2d(
        x[0], 2, 1, 0, 1, False, True), IMAGE
    yield "MaxPool1d with places", nn.MaxPool1d(3, 2, "pad", 1, 2, True), lambda x: tf.max_pool1d(x, 3, 2, 1, 2, False, True), LINE
    for count in (False, True):
        yield f"AvgPool2d over the end {count}", nn.AvgPool2d((3, 4), 3, "pad", 1, True, count), lambda x, n=count: tf.avg_pool2d(
            x, (3, 4), 3, 1, True, n), IMAGE
    yield "AvgPool2d by a divisor", nn.AvgPool2d(4, 3, "valid", 0, True, divisor_override=5), lambda x: tf.avg_pool2d(
        x, 4, 3, 0, True, True, 5), IMAGE
    yield "AvgPool1d over the end", nn.AvgPool1d(4, 3, "pad", 2, True), lambda x: tf.avg_pool1d(x, 4, 3, 2, True), LINE


def adaptive():
    """Pooling to a given size, that divides the extents and that does not."""
    yield "adaptive_avg_pool1d", lambda x: ops.adaptive_avg_pool1d(x, 4), lambda x: tf.adaptive_avg_pool1d(x, 4), LINE
    yield "adaptive_avg_pool2d", lambda x: ops.adaptive_avg_pool2d(x, (None, 4)), lambda x: tf.adaptive_avg_pool2d(x, (None, 4)), IMAGE
    yield "adaptive_avg_pool3d", lambda x: ops.adaptive_avg_pool3d(x, (2, 3, 5)), lambda x: tf.adaptive_avg_pool3d(x, (2, 3, 5)), VOLUME
    yield "adaptive_max_pool1d", lambda x: ops.adaptive_max_pool1d(x, 4), lambda x: tf.adaptive_max_pool1d(x, 4), LINE
    yield "adaptive_max_pool2d", lambda x: ops.adaptive_max_pool2d(x, (3, 4), True), lambda x: tf.adaptive_max_pool2d(x, (3, 4), True), IMAGE
    yield "adaptive_max_pool3d", lambda x: ops.adaptive_max_pool3d(x, 3, True), lambda x: tf.adaptive_max_pool3d(x, 3, True), VOLUME
    yield "unfold", lambda x: ops.unfold(x, (2, 3), (2, 1), (1, 0), (1, 2)), lambda x: tf.unfold(x, (2, 3), (2, 1), (1, 0), (1, 2)), IMAGE
    yield "fold", lambda x: ops.fold(x, (5, 6), (2, 3), (2, 1), (1, 0), (1, 2)), lambda x: tf.fold(
        x, (5, 6), (2, 3), (2, 1), (1, 0), (1, 2)), numbers(2, 12, 10)
    yield "conv1d", lambda x, w, b: ops.conv1d(x, w, b, 2, "pad", 1, 2), lambda x, w, b: tf.conv1d(x, w, b, 2, 1, 2), LINE, numbers(
        4, 3, 3), numbers(4)
    yield "conv1d in groups", lambda x, w: ops.conv1d(x, w, None, 1, "same", 0, 1, 3), lambda x, w: tf.conv1d(
        x, w, None, 1, "same", 1, 3), LINE, numbers(6, 1, 3)


class PoolingTest(unittest.TestCase):
    """Two executables."""

    def test_pools(self):
        check(self, pools())

    def test_layers(self):
        check(self, layers())

    def test_adaptive(self):
        check(self, adaptive())

    def test_second_order(self):
        """Gradients of gradients of pooling that shares windows, pads and leaves elements out, by the input and by the gradient."""
        for pool, theirs in ((lambda x: ops.max_pool2d(x, 2, 2, (1, 0)), lambda x: tf.max_pool2d(x, 2, 2, (1, 0))),
                             (lambda x: ops.max_pool2d(x, 3, (2, 4), 1), lambda x: tf.max_pool2d(x, 3, (2, 4), 1)),
                             (lambda x: ops.avg_pool2d(x, 3, (2, 4), 1), lambda x: tf.avg_pool2d(x, 3, (2, 4), 1))):
            def penalty(x, w, pool=pool):
                slope = plumb.grad(lambda x: (pool(x) ** 3 * w).sum())(x)
                return (slope ** 2).sum()

            x = IMAGE.astype(np.float32)
            w = numbers(*pool(plumb.Tensor(x)).shape).astype(np.float32)
            mine = plumb.grad(penalty, (0, 1))(plumb.Tensor(x), plumb.Tensor(w))
            x, w = torch.tensor(x, requires_grad=True), torch.tensor(w, requires_grad=True)
            slope, = torch.autograd.grad((theirs(x) ** 3 * w).sum(), x, create_graph=True)
            for found, expected in zip(mine, torch.autograd.grad((slope ** 2).sum(), (x, w))):
                np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=2e-4, atol=1e-4)

    def test_largest_of_integers(self):
        """What stands outside is never the largest, of whatever type: integers have no infinity to be padded with."""
        from plumb.ops.operations import Dilation2D, MaxPool3DWithArgmax
        pools = (lambda x: ops.max_pool3d(x, 2, 2, 1), lambda x: ops.MaxPool3D(3, 2, "same")(x), nn.MaxPool3d(3, 1, "same"),
                 lambda x: ops.max_pool2d(x[0], 2, 1, 1, 1, True)[0], lambda x: MaxPool3DWithArgmax(2, 2, 1)(x)[0],
                 lambda x: MaxPool3DWithArgmax(2, 2, 1)(x)[1], lambda x: ops.MaxPoolWithArgmax(3, 2, "same")(x[0])[1],
                 lambda x: Dilation2D(1, 1, "SAME")(x[0], x[0, 0, :, 2:4, 3:5]))
        for number, pool in enumerate(pools):
            for kind in (np.int8, np.int32, np.int64, np.uint8):
                values = np.random.default_rng(number).integers(1, 50, (1, 2, 4, 5, 6)) * (1 if np.dtype(kind).kind == "u" else -1)
                expected = pool(plumb.Tensor(values.astype(np.float32))).asnumpy()
                np.testing.assert_array_equal(pool(plumb.Tensor(values.astype(kind))).asnumpy(), expected, f"{number} {kind.__name__}")

    def test_windows(self):
        for ours, theirs in ((ops.hamming_window, np.hamming), (ops.hann_window, np.hanning), (ops.blackman_window, np.blackman),
                             (ops.bartlett_window, np.bartlett), (ops.kaiser_window, lambda n: np.kaiser(n, 12.0))):
            np.testing.assert_allclose(ours(7, False).asnumpy(), theirs(7), rtol=1e-6, atol=1e-7)
            np.testing.assert_allclose(ours(6, dtype=plumb.float32).asnumpy(), theirs(7)[:6], rtol=1e-6, atol=1e-7)


if __name__ == "__main__":
    unittest.main()
