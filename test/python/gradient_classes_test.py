"""Classes of operators' gradients, beside PyTorch's automatic differentiation."""

import unittest

import numpy as np
import torch

from plumb import Tensor
from plumb.ops.operations import _grad_ops as G

RNG = np.random.default_rng(4)
T, N = torch, torch.nn.functional


def array(*shape, low=-2.0, high=2.0):
    """Random numbers."""
    return RNG.uniform(low, high, shape).astype(np.float32)


SHARES, ROWS, IMAGES = array(3, 4, low=0.2, high=0.8), array(3, 4), array(2, 3, 4, 6)
# The class, PyTorch's function, the input; which of dy, x and the result y the class takes.
ONE_INPUT = [
    (G.ACosGrad(), T.acos, SHARES, "x dy"), (G.AsinGrad(), T.asin, SHARES, "x dy"), (G.AtanGrad(), T.atan, ROWS, "x dy"),
    (G.AbsGrad(), T.abs, ROWS, "x dy"), (G.AcoshGrad(), T.acosh, SHARES + 1, "y dy"), (G.AsinhGrad(), T.asinh, ROWS, "y dy"),
    (G.SigmoidGrad(), T.sigmoid, ROWS, "y dy"), (G.TanhGrad(), T.tanh, ROWS, "y dy"), (G.SqrtGrad(), T.sqrt, SHARES, "y dy"),
    (G.RsqrtGrad(), T.rsqrt, SHARES, "y dy"), (G.InvGrad(), T.reciprocal, SHARES, "y dy"), (G.ReciprocalGrad(), T.reciprocal, SHARES, "y dy"),
    (G.ReluGrad(), T.relu, ROWS, "dy y"), (G.EluGrad(), N.elu, ROWS, "dy y"), (G.ReLU6Grad(), N.relu6, 5 * ROWS, "dy x"),
    (G.HSwishGrad(), N.hardswish, 3 * ROWS, "dy x"), (G.HSigmoidGrad(), N.hardsigmoid, 3 * ROWS, "dy x"), (G.SoftplusGrad(), N.softplus, ROWS, "dy x"),
    (G.GeLUGrad(), lambda x: N.gelu(x, approximate="tanh"), ROWS, "dy x y"), (G.SiLUGrad(), N.silu, ROWS, "dy x"),
    (G.HShrinkGrad(0.7), lambda x: N.hardshrink(x, 0.7), ROWS, "dy x"), (G.SoftShrinkGrad(0.7), lambda x: N.softshrink(x, 0.7), ROWS, "dy x"),
    (G.LogitGrad(), T.logit, SHARES, "dy x"), (G.LogSoftmaxGrad(0), lambda x: N.log_softmax(x, 0), ROWS, "y dy"),
    (G.L2NormalizeGrad(1, 1e-12), lambda x: N.normalize(x, dim=1), ROWS, "x y dy"),
    (G.MaxPoolGrad(2, 2), lambda x: N.max_pool2d(x, 2), IMAGES, "x y dy"), (G.AvgPoolGrad(2, 2), lambda x: N.avg_pool2d(x, 2), IMAGES, "x y dy"),
    (G.ResizeBilinearGrad(True), lambda x: N.interpolate(x, (7, 5), mode="bilinear", align_corners=True), IMAGES, "dy x"),
    (G.ResizeBicubicGrad(True), lambda x: N.interpolate(x, (7, 5), mode="bicubic", align_corners=True), IMAGES, "dy x"),
]


def by_torch(function, *inputs):
    """The result, a gradient by it, and the gradients by the inputs."""
    tensors = [torch.tensor(value, requires_grad=True) for value in inputs]
    result = function(*tensors)
    gradient = array(*result.shape)
    result.backward(torch.tensor(gradient))
    return result.detach().numpy(), gradient, [tensor.grad.numpy() for tensor in tensors]


class GradientsTest(unittest.TestCase):
    """Each class is given what its operator had, and the gradient by the result."""

    def check(self, found, expected, who):
        """Compares one or several gradients."""
        for one, other in zip(found if isinstance(found, tuple) else (found,), expected, strict=True):
            np.testing.assert_allclose(one.asnumpy(), other, rtol=2e-4, atol=2e-5, err_msg=type(who).__name__)

    def test_of_one_input(self):
        for gradient, function, x, order in ONE_INPUT:
            y, dy, expected = by_torch(function, x)
            given = {"x": x, "y": y, "dy": dy}
            self.check(gradient(*(Tensor(given[name]) for name in order.split())), expected, gradient)

    def test_of_two_inputs(self):
        other = array(4)
        for gradient, function in ((G.MaximumGrad(), T.maximum), (G.MinimumGrad(), T.minimum)):
            _, dy, expected = by_torch(function, ROWS, other)
            self.check(gradient(Tensor(ROWS), Tensor(other), Tensor(dy)), expected, gradient)
        _, dy, expected = by_torch(N.prelu, IMAGES, SHARES[0, :3])
        self.check(G.PReLUGrad()(Tensor(dy), Tensor(IMAGES), Tensor(SHARES[0, :3])), expected, G.PReLUGrad)
        other = array(2, 4)
        y, dy, expected = by_torch(T.cdist, ROWS, other)
        self.check(G.CdistGrad()(Tensor(dy), Tensor(ROWS), Tensor(other), Tensor(y)), expected[:1], G.CdistGrad)
        weight = array(5, 3, 3, 3)
        _, dy, expected = by_torch(lambda x, w: N.conv2d(x, w, stride=2, padding=1), IMAGES, weight)
        gradient = G.Conv2DBackpropFilter(5, 3, pad_mode="pad", pad=1, stride=(2, 2))
        self.check(gradient(Tensor(dy), Tensor(IMAGES), weight.shape), expected[1:], gradient)

    def test_of_losses(self):
        target, weight = array(3, 4, low=0.0, high=1.0), array(3, 4, low=0.5, high=1.0)
        _, dy, expected = by_torch(lambda x: N.binary_cross_entropy(x, T.tensor(target), T.tensor(weight), reduction="none"), SHARES)
        self.check(G.BinaryCrossEntropyGrad("none")(*map(Tensor, (SHARES, target, dy, weight))), expected, G.BinaryCrossEntropyGrad)
        _, dy, expected = by_torch(lambda x: N.binary_cross_entropy_with_logits(x, T.tensor(target), reduction="none"), ROWS)
        self.check(G.SigmoidCrossEntropyWithLogitsGrad()(*map(Tensor, (ROWS, target, dy))), expected, G.SigmoidCrossEntropyWithLogitsGrad)
        _, dy, expected = by_torch(lambda x: N.kl_div(x, T.tensor(target), reduction="mean"), ROWS)
        self.check(G.KLDivLossGrad("mean")(Tensor(dy), Tensor(ROWS), Tensor(target)), expected, G.KLDivLossGrad)

    def test_of_parts(self):
        _, dy, expected = by_torch(lambda x: x[0:2, 1:4:2], ROWS)
        self.check(G.StridedSliceGrad()(Tensor(dy), (3, 4), (0, 1), (2, 4), (1, 2)), expected, G.StridedSliceGrad)
        _, dy, expected = by_torch(lambda x: x[1:3, 0:2], ROWS)
        self.check(G.SliceGrad()(Tensor(dy), Tensor(ROWS), (1, 0), (2, 2)), expected, G.SliceGrad)
        dy = array(2, 3, 4, 6)
        self.check(G.BiasAddGrad()(Tensor(dy)), [dy.sum((0, 2, 3))], G.BiasAddGrad)
        self.check(G.BiasAddGrad("NHWC")(Tensor(dy)), [dy.sum((0, 1, 2))], G.BiasAddGrad)
        mask = ROWS > 0
        self.check(G.DropoutGrad(0.8)(Tensor(SHARES), Tensor(mask.astype(np.float32))), [SHARES * mask / 0.8], G.DropoutGrad)
        _, dy, expected = by_torch(lambda x: N.interpolate(x, (8, 12), mode="nearest"), IMAGES)
        self.check(G.ResizeNearestNeighborGrad()(Tensor(dy), (4, 6)), expected, G.ResizeNearestNeighborGrad)


    def test_by_places(self):
        """Pooling whose places are given, and what scatters by them."""
        volumes = array(2, 3, 4, 4, 6)
        for classes, pool, x, count in (
                ((G.MaxPoolGradWithArgmaxV2(2, 2), G.FractionalMaxPoolGradWithFixedKsize()), N.max_pool2d, IMAGES, 2),
                ((G.MaxPool3DGradWithArgmax(2, 2, 0), G.FractionalMaxPool3DGradWithFixedKsize()), N.max_pool3d, volumes, 3)):
            places = pool(torch.tensor(x), 2, return_indices=True)[1].numpy()
            _, dy, expected = by_torch(lambda x, pool=pool: pool(x, 2), x)
            for gradient in classes:
                self.check(gradient(Tensor(x), Tensor(dy), Tensor(places)), expected, gradient)
            other = (G.AdaptiveMaxPool2DGrad, G.AdaptiveMaxPool3DGrad)[count - 2]()
            self.check(other(Tensor(dy), Tensor(x), Tensor(places)), expected, other)
            back = (G.MaxUnpool2DGrad, G.MaxUnpool3DGrad)[count - 2](2, 2)
            unpool = (N.max_unpool2d, N.max_unpool3d)[count - 2]
            _, dy, expected = by_torch(lambda y, places=places, unpool=unpool, x=x: unpool(y, torch.tensor(places), 2, output_size=x.shape),
                                       dy)
            self.check(back(Tensor(places.astype(np.float32)), Tensor(dy), Tensor(places)), expected, back)

    def test_by_places_among_channels(self):
        """MaxPoolWithArgmax counts its places through all channels."""
        places = N.max_pool2d(torch.tensor(IMAGES), 2, return_indices=True)[1].numpy() + 24 * np.arange(3).reshape(1, 3, 1, 1)
        _, dy, expected = by_torch(lambda x: N.max_pool2d(x, 2), IMAGES)
        places = Tensor(places.astype(np.int32))
        self.check(G.MaxPoolGradWithArgmax(2, 2)(Tensor(IMAGES), Tensor(dy), places), expected, G.MaxPoolGradWithArgmax)
        taken = G.MaxPoolGradGradWithArgmax(2, 2)(Tensor(IMAGES), Tensor(IMAGES), places)
        np.testing.assert_array_equal(taken.asnumpy(), N.max_pool2d(torch.tensor(IMAGES), 2).numpy())

    def test_of_normalisation(self):
        gamma, beta = array(4, 6), array(4, 6)
        _, dy, expected = by_torch(lambda x, g, b: N.layer_norm(x, (4, 6), g, b, 0.0), IMAGES, gamma, beta)
        mean, variance = IMAGES.mean((2, 3), keepdims=True), IMAGES.var((2, 3), keepdims=True)
        self.check(G.LayerNormGrad(2, 2)(*map(Tensor, (IMAGES, dy, variance, mean, gamma))), expected, G.LayerNormGrad)

    def test_of_others(self):
        _, dy, expected = by_torch(T.trace, ROWS)
        self.check(G.TraceGrad()(Tensor(dy), Tensor([3, 4])), expected, G.TraceGrad)
        self.check(G.ReluGradV2()(Tensor(SHARES), Tensor((ROWS > 0).astype(np.uint8))), [SHARES * (ROWS > 0)], G.ReluGradV2)
        signs = np.sign(ROWS)
        _, dy, expected = by_torch(lambda x: N.soft_margin_loss(x, T.tensor(signs), reduction="none"), SHARES)
        self.check(G.SoftMarginLossGrad("none")(Tensor(SHARES), Tensor(signs), Tensor(dy)), expected, G.SoftMarginLossGrad)
        _, dy, expected = by_torch(lambda x: T.mvlgamma(x, 2), SHARES + 2)
        self.check(G.MvlgammaGrad(2)(Tensor(dy), Tensor(SHARES + 2)), expected, G.MvlgammaGrad)
        grid = array(2, 3, 3, 2, low=-1.0, high=1.0)
        _, dy, expected = by_torch(lambda x, g: N.grid_sample(x, g, align_corners=False), IMAGES, grid)
        self.check(G.GridSampler2DGrad()(Tensor(dy), Tensor(IMAGES), Tensor(grid)), expected, G.GridSampler2DGrad)


if __name__ == "__main__":
    unittest.main()
