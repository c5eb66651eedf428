"""Activation and loss cells beside PyTorch: values of each, and the gradient of a random sum of all, in one compilation."""

import unittest

import numpy as np
import torch

import plumb
from plumb import nn, ops

RNG = np.random.default_rng(12)
# At least 0.03 from every kink of an activation below.
X = (RNG.permutation(60).reshape(3, 4, 5) - 29.5).astype(np.float32) / 7
T = torch.nn

ACTIVATIONS = [
    (nn.ReLU(), T.ReLU()), (nn.ReLU6(), T.ReLU6()), (nn.Sigmoid(), T.Sigmoid()), (nn.LogSigmoid(), T.LogSigmoid()),
    (nn.Tanh(), T.Tanh()), (nn.Tanhshrink(), T.Tanhshrink()), (nn.GELU(False), T.GELU()),
    (nn.GELU(), T.GELU(approximate="tanh")), (nn.FastGelu(), lambda x: x * torch.sigmoid(1.702 * x)), (nn.SiLU(), T.SiLU()),
    (nn.Mish(), T.Mish()), (nn.LeakyReLU(0.3), T.LeakyReLU(0.3)), (nn.ELU(), T.ELU()), (nn.CELU(2.0), T.CELU(2.0)),
    (nn.SeLU(), T.SELU()), (nn.Softplus(), T.Softplus()), (nn.Softsign(), T.Softsign()),
    (nn.SoftShrink(0.4), T.Softshrink(0.4)), (nn.HShrink(), T.Hardshrink()), (nn.HSigmoid(), T.Hardsigmoid()),
    (nn.HSwish(), T.Hardswish()), (nn.Hardtanh(-0.6, 0.7), T.Hardtanh(-0.6, 0.7)),
    (nn.Threshold(0.1, 20.0), T.Threshold(0.1, 20.0)), (nn.Softmax(1), T.Softmax(1)), (nn.Softmax2d(), T.Softmax(0)),
    (nn.Softmin(), T.Softmin(-1)), (nn.LogSoftmax(0), T.LogSoftmax(0)), (nn.GLU(1), T.GLU(1)),
]

A, B, C = (RNG.uniform(0.1, 0.9, (3, 4)).astype(np.float32) for _ in range(3))
P = A / A.sum(1, keepdims=True)
LOG_P = np.log(P)
SIGNS, CLASSES = np.array([1, -1, 1], np.float32), np.array([0, 2, 1], np.int32)
SIGN_TABLE = np.where(RNG.random((3, 4)) > 0.5, 1, -1).astype(np.float32)
LABELS = np.array([[0, 2, -1, 1], [1, -1, 0, 0], [3, 0, 1, -1]], np.int32)
WEIGHT = np.array([0.5, 2.0, 1.0, 3.0], np.float32)
W, TW = plumb.Tensor(WEIGHT), torch.tensor(WEIGHT)
IMAGES = RNG.standard_normal((2, 3, 4)).astype(np.float32)
IMAGE_CLASSES = RNG.integers(0, 3, (2, 1, 4)).astype(np.int32)


def focal(weight=None, gamma=2.0, reduce=torch.mean):
    """Focal loss by its formula."""
    def loss(x, y):
        logs = torch.log_softmax(x, 1)
        weights = torch.ones(x.shape[1]) if weight is None else weight
        picked = logs.gather(1, y.long())[:, 0]
        return reduce(weights[y.long()[:, 0]] * -(1 - picked.exp()) ** gamma * picked)

    return loss


def focal_of_shares(x, y):
    """Focal loss of shares of all classes, for each class its mean over the pixels."""
    logs = torch.log_softmax(x, 1)
    return (-(1 - logs.exp()) ** 2 * logs * y).flatten(2).mean(2)


def dice(x, y):
    """Dice loss by its formula."""
    return 1 - 2 * (x * y).sum() / ((x ** 2).sum() + (y ** 2).sum() + 1e-5)


def dice_of_classes(x, y):
    """The mean over classes."""
    x = torch.softmax(x, -1)
    return sum(dice(x[:, i], y[:, i]) for i in range(y.shape[1])) / y.shape[1]


# (ours, PyTorch's, inputs): the first of the inputs is differentiated.
LOSSES = [
    (nn.L1Loss("sum"), T.L1Loss(reduction="sum"), A, B), (nn.MAELoss(), T.L1Loss(), A, B),
    (nn.MSELoss("none"), T.MSELoss(reduction="none"), A, B),
    (nn.RMSELoss(), lambda x, y: torch.sqrt(((x - y) ** 2).mean()), A, B),
    (nn.SmoothL1Loss(0.3), T.SmoothL1Loss(reduction="none", beta=0.3), A, B), (nn.HuberLoss(delta=0.2), T.HuberLoss(delta=0.2), A, B),
    (nn.SoftMarginLoss(), T.SoftMarginLoss(), A, SIGN_TABLE),
    (nn.HingeEmbeddingLoss(0.5), T.HingeEmbeddingLoss(0.5), A, SIGN_TABLE),
    (nn.MarginRankingLoss(0.1), T.MarginRankingLoss(0.1), A[:, 0], B[:, 0], SIGNS),
    (nn.CosineEmbeddingLoss(0.2), T.CosineEmbeddingLoss(0.2), A, B, SIGNS),
    (nn.TripletMarginLoss(), T.TripletMarginLoss(), A, B, C),
    (nn.TripletMarginLoss(swap=True, reduction="none"), T.TripletMarginLoss(swap=True, reduction="none"), A, B, C),
    (nn.TripletMarginWithDistanceLoss(lambda x, y: ops.abs(x - y).sum(1), True),
     T.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(1), swap=True), A, B, C),
    (nn.KLDivLoss(), T.KLDivLoss(reduction="mean"), LOG_P, B), (nn.KLDivLoss("batchmean"), T.KLDivLoss(reduction="batchmean"), LOG_P, B),
    (nn.BCELoss(), T.BCELoss(), A, B), (nn.BCELoss(W, "sum"), T.BCELoss(TW, reduction="sum"), A, B),
    (nn.BCEWithLogitsLoss(pos_weight=W), T.BCEWithLogitsLoss(pos_weight=TW), A, B),
    (nn.GaussianNLLLoss(full=True), T.GaussianNLLLoss(full=True), A, B, C),
    (nn.PoissonNLLLoss(), T.PoissonNLLLoss(), A, B), (nn.PoissonNLLLoss(False, True), T.PoissonNLLLoss(False, True), A, B * 5),
    (nn.MultiMarginLoss(2), T.MultiMarginLoss(2), A, CLASSES), (nn.MultilabelMarginLoss(), T.MultiLabelMarginLoss(), A, LABELS),
    (nn.MultiLabelSoftMarginLoss(W), T.MultiLabelSoftMarginLoss(TW), A, (B > 0.5).astype(np.float32)),
    (nn.DiceLoss(), dice, A, B), (nn.MultiClassDiceLoss(), dice_of_classes, A, B),
    (nn.NLLLoss(W, 1), T.NLLLoss(TW, ignore_index=1), LOG_P, CLASSES),
    (nn.CrossEntropyLoss(W, label_smoothing=0.1), T.CrossEntropyLoss(TW, label_smoothing=0.1), A, CLASSES),
    (nn.SoftmaxCrossEntropyWithLogits(), lambda x, y: -(torch.log_softmax(x, -1) * y).sum(-1), A, P),
    (nn.FocalLoss(W), focal(TW), A, CLASSES[:, None]), (nn.FocalLoss(gamma=1.5), focal(gamma=1.5), IMAGES, IMAGE_CLASSES),
    (nn.FocalLoss(None, 1.5, "sum"), focal(None, 1.5, lambda losses: losses.flatten(1).mean(1).sum()), IMAGES, IMAGE_CLASSES),
    (nn.FocalLoss(reduction="none"), focal(reduce=lambda losses: losses.flatten(1).mean(1)), IMAGES, IMAGE_CLASSES),
    (nn.FocalLoss(reduction="none"), focal_of_shares, IMAGES, np.abs(IMAGES)),
]


IMAGE, WIDE = RNG.standard_normal((2, 4, 6, 6)).astype(np.float32), RNG.standard_normal((2, 4, 7, 5)).astype(np.float32)
ROW, SOLID = RNG.standard_normal((2, 4, 9)).astype(np.float32), RNG.standard_normal((2, 4, 5, 6, 4)).astype(np.float32)
FN = torch.nn.functional


def like(cell, other, *inputs):
    """A row for a layer and PyTorch's, which takes its parameters."""
    for name, parameter in other.named_parameters():
        parameter.data = torch.tensor(getattr(cell, name).asnumpy().reshape(parameter.shape))
        parameter.requires_grad = False
    return (cell, other, *inputs)


def patches(x):
    """Patches of 2 by 3, with the channels of a patch's element next to each other."""
    columns = FN.unfold(x, (2, 3), (1, 2), 0, (2, 1)).reshape(2, 4, 6, -1)
    return columns.transpose(1, 2).reshape(2, 24, 2, 4)


LAYERS = [
    like(nn.Conv1d(4, 6, 3, 2, "pad", 1, 2, 2, True, "xavier_uniform", "ones"), T.Conv1d(4, 6, 3, 2, 1, 2, 2), ROW),
    like(nn.Conv3d(4, 6, (3, 2, 3), (2, 1, 1), "pad", (1, 1, 0, 0, 2, 2), 1, 2, True, "xavier_uniform", "ones"),
         T.Conv3d(4, 6, (3, 2, 3), (2, 1, 1), (1, 0, 2), groups=2), SOLID),
    like(nn.Conv3d(4, 2, 2, 1, "valid", 0, (2, 1, 1), weight_init="xavier_uniform"),
         T.Conv3d(4, 2, 2, dilation=(2, 1, 1), bias=False), SOLID),
    like(nn.Conv2dTranspose(4, 6, 3, 2, "pad", 1, 1, 1, 2, True, "xavier_uniform", "ones"),
         T.ConvTranspose2d(4, 6, 3, 2, 1, 1, 2), WIDE),
    like(nn.Conv2dTranspose(4, 6, (3, 2), (2, 3), "valid", weight_init="xavier_uniform"),
         T.ConvTranspose2d(4, 6, (3, 2), (2, 3), 0, (0, 1), bias=False), WIDE),
    like(nn.Conv2dTranspose(4, 3, 4, 2, "same", weight_init="xavier_uniform"), T.ConvTranspose2d(4, 3, 4, 2, 1, bias=False), WIDE),
    like(nn.Conv1dTranspose(4, 6, 3, 2, "pad", 1, weight_init="xavier_uniform"), T.ConvTranspose1d(4, 6, 3, 2, 1, bias=False), ROW),
    like(nn.BiDense(6, 9, 2), T.Bilinear(6, 9, 2), IMAGE[0, 0], ROW.reshape(8, 9)[:6].copy()),
    (nn.MaxPool1d(3, 2), T.MaxPool1d(3, 2), ROW), (nn.MaxPool1d(3, 2, "pad", 1), T.MaxPool1d(3, 2, 1), ROW),
    (nn.AvgPool1d(3, 2, "pad", 1), T.AvgPool1d(3, 2, 1), ROW), (nn.MaxPool3d(2, 2), T.MaxPool3d(2, 2), SOLID),
    (nn.MaxPool3d((3, 2, 2), 2, "pad", 1), T.MaxPool3d((3, 2, 2), 2, 1), SOLID),
    (nn.MaxPool3d(3, 1, "same"), T.MaxPool3d(3, 1, 1), SOLID),
    (nn.AvgPool3d(2, 1, "pad", 1, count_include_pad=False), T.AvgPool3d(2, 1, 1, count_include_pad=False), SOLID),
    (nn.AvgPool3d((3, 1, 3), 1, "same", count_include_pad=False), T.AvgPool3d((3, 1, 3), 1, (1, 0, 1), count_include_pad=False), SOLID),
    (nn.AvgPool3d((3, 1, 3), 1, "same"), T.AvgPool3d((3, 1, 3), 1, (1, 0, 1)), SOLID),
    (nn.AvgPool3d(2, 2, "same", count_include_pad=False), T.AvgPool3d(2, 2, ceil_mode=True, count_include_pad=False), SOLID),
    (nn.AdaptiveAvgPool1d(4), T.AdaptiveAvgPool1d(4), ROW), (nn.AdaptiveAvgPool2d((3, 2)), T.AdaptiveAvgPool2d((3, 2)), WIDE),
    (nn.AdaptiveAvgPool3d(3), T.AdaptiveAvgPool3d(3), SOLID), (nn.AdaptiveMaxPool1d(4), T.AdaptiveMaxPool1d(4), ROW),
    (nn.AdaptiveMaxPool2d(4), T.AdaptiveMaxPool2d(4), WIDE), (nn.AdaptiveMaxPool3d(3), T.AdaptiveMaxPool3d(3), SOLID),
    (nn.LPPool1d(2, 3, 2), T.LPPool1d(2, 3, 2), np.abs(ROW)), (nn.LPPool2d(3, 2), T.LPPool2d(3, 2), np.abs(IMAGE)),
    (nn.InstanceNorm1d(4), T.InstanceNorm1d(4), ROW), (nn.InstanceNorm2d(4), T.InstanceNorm2d(4), WIDE),
    (nn.InstanceNorm3d(4), T.InstanceNorm3d(4), SOLID),
    (nn.LRN(1, 2.0, 0.5, 0.75), T.LocalResponseNorm(3, 1.5, 0.75, 2.0), IMAGE),
    (nn.ReflectionPad1d((1, 2)), T.ReflectionPad1d((1, 2)), ROW), (nn.ReflectionPad2d((1, 2, 3, 0)), T.ReflectionPad2d((1, 2, 3, 0)), WIDE),
    (nn.ReplicationPad2d(2), T.ReplicationPad2d(2), WIDE), (nn.ReplicationPad3d(1), T.ReplicationPad3d(1), SOLID),
    (nn.ConstantPad2d((1, 2), 0.5), T.ConstantPad1d((1, 2), 0.5), ROW), (nn.ConstantPad3d((1, 0, 2, -1), 2), T.ConstantPad2d((1, 0, 2, -1), 2), WIDE),
    (nn.ConstantPad1d((1, -2), 0.5), T.ConstantPad1d((1, -2), 0.5), ROW), (nn.ZeroPad2d((1, 2, 0, 1)), T.ZeroPad2d((1, 2, 0, 1)), WIDE),
    (nn.Pad(((1, 1), (0, 0), (2, 1))), lambda x: FN.pad(x, (2, 1, 0, 0, 1, 1)), ROW),
    (nn.PixelShuffle(2), T.PixelShuffle(2), IMAGE), (nn.PixelUnshuffle(2), T.PixelUnshuffle(2), IMAGE),
    (nn.ChannelShuffle(2), lambda x: x.reshape(2, 2, 2, 6, 6).transpose(1, 2).reshape(2, 4, 6, 6), IMAGE), (nn.Upsample((5, 9)), T.Upsample((5, 9)), IMAGE),
    (nn.Upsample(scale_factor=(2.0, 1.5)), T.Upsample(scale_factor=(2.0, 1.5)), IMAGE),
    (nn.Unfold([1, 2, 3, 1], [1, 2, 1, 1], [1, 1, 2, 1]), patches, np.ascontiguousarray(np.pad(WIDE, ((0, 0),) * 3 + ((0, 3),))[:, :, :5])),
    (nn.Unflatten(1, (2, 2)), T.Unflatten(1, (2, 2)), IMAGE), (nn.Tril(), torch.tril, WIDE), (nn.Triu(), torch.triu, WIDE),
    (nn.L1Regularizer(0.5), lambda x: 0.5 * x.abs().sum(), WIDE),
    (nn.MatMul(True), lambda x, y: x.transpose(-1, -2) @ y, IMAGE, IMAGE),
    (nn.TimeDistributed(nn.Softmax(), 1, 0), T.Softmax(-1), ROW), (nn.TimeDistributed(nn.Softmax(0), 1), T.Softmax(0), ROW),
]


class All(nn.Cell):
    """Every cell on its own inputs: their results, and the sum of all elements by random factors."""

    def __init__(self, cells, shapes):
        super().__init__()
        self.cells_to_call = nn.CellList(cells)
        self.factors = tuple(plumb.Tensor(RNG.uniform(0.5, 1.5, shape).astype(np.float32)) for shape in shapes)

    def construct(self, counts, *inputs):
        """(sum, results …); `counts` says how many of the inputs each cell takes."""
        results, start, total = (), 0, 0.0
        for i in range(len(counts)):
            result = self.cells_to_call[i](*inputs[start:start + counts[i]])
            total = total + (result * self.factors[i]).sum()
            results, start = results + (result,), start + counts[i]
        return (total,) + results


class TablesTest(unittest.TestCase):
    """All cells of a table."""

    def compare(self, table):
        """Values and gradients by each cell's first input."""
        inputs = [each for row in table for each in row[2:]]
        counts = tuple(len(row) - 2 for row in table)
        firsts = tuple(1 + sum(counts[:i]) for i in range(len(table)))
        tensors = [torch.tensor(each.astype(np.int64) if each.dtype.kind == "i" else each, requires_grad=number in [first - 1 for first in firsts])
                   for number, each in enumerate(inputs)]
        expected = [row[1](*tensors[first - 1:first - 1 + count]) for row, first, count in zip(table, firsts, counts)]
        cell = All([row[0] for row in table], [tuple(value.shape) for value in expected])
        sum((value * torch.tensor(factor.asnumpy())).sum() for value, factor in zip(expected, cell.factors)).backward()
        values, gradients = plumb.value_and_grad(cell, firsts, has_aux=True)(counts, *map(plumb.Tensor, inputs))
        for i, row in enumerate(table):
            with self.subTest(f"{i}: {type(row[0]).__name__}"):
                np.testing.assert_allclose(values[i + 1].asnumpy(), expected[i].detach().numpy(), rtol=2e-5, atol=2e-6)
                np.testing.assert_allclose(gradients[i].asnumpy(), tensors[firsts[i] - 1].grad.numpy(), rtol=1e-4, atol=1e-5)

    def test_activations(self):
        self.compare([row + (X,) for row in ACTIVATIONS])

    def test_losses(self):
        self.compare(LOSSES)

    def test_layers(self):
        self.compare(LAYERS)

    def test_places(self):
        _, places = nn.AdaptiveMaxPool2d(3, True)(plumb.Tensor(IMAGE))
        _, where = FN.adaptive_max_pool2d(torch.tensor(IMAGE), 3, True)
        np.testing.assert_array_equal(places.asnumpy(), where.numpy())

    def test_channels_dropped(self):
        for cell, shape in ((nn.Dropout1d(0.5), (8, 16, 5)), (nn.Dropout2d(0.5), (8, 16, 3, 3)), (nn.Dropout3d(0.5), (8, 16, 2, 2, 2))):
            x = plumb.Tensor(np.ones(shape, np.float32))
            np.testing.assert_array_equal(cell(x).asnumpy(), np.ones(shape))
            thinned = cell.set_train()(x).asnumpy()
            self.assertEqual(sorted(set(thinned.reshape(-1))), [0.0, 2.0])
            flat = thinned.reshape(8, 16, -1)
            self.assertTrue((flat == flat[:, :, :1]).all())
            self.assertAlmostEqual(thinned.mean(), 1.0, delta=0.3)

    def test_random_slopes(self):
        cell, x = nn.RReLU(0.2, 0.4), plumb.Tensor(np.full((1000,), -2.0, np.float32))
        first, second = cell(x).asnumpy(), cell(x).asnumpy()
        self.assertTrue((first >= -0.8).all() and (first <= -0.4).all())
        self.assertAlmostEqual(first.mean(), -0.6, delta=0.02)
        self.assertFalse((first == second).all())

    def test_wrong_arguments(self):
        for make in (lambda: nn.SmoothL1Loss(0), lambda: nn.CosineEmbeddingLoss(2.0), lambda: nn.L1Loss("average"),
                     lambda: nn.RReLU(0.5, 0.1), lambda: nn.Hardtanh(1.0, 0.0), lambda: nn.CELU(0.0), lambda: nn.DiceLoss(0)):
            with self.assertRaises(ValueError):
                make()

    def test_a_bend_is_checked_where_it_is_used(self):
        """Some programs make a loss with None and call another one."""
        loss = nn.HuberLoss(delta=None)
        self.assertRaises(TypeError, loss, plumb.Tensor(A), plumb.Tensor(B))
        self.assertRaises(ValueError, nn.HuberLoss(delta=-1.0), plumb.Tensor(A), plumb.Tensor(B))


if __name__ == "__main__":
    unittest.main()
