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
    (nn.HSwish(), T.Hardswish()), (nn.Hardtanh(-0.5, 0.7), T.Hardtanh(-0.5, 0.7)),
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


def focal(weight=None, gamma=2.0):
    """Focal loss by its formula."""
    def loss(x, y):
        logs = torch.log_softmax(x, 1)
        weights = torch.ones(x.shape[1]) if weight is None else weight
        picked = logs.gather(1, y.long())[:, 0]
        return (weights[y.long()[:, 0]] * -(1 - picked.exp()) ** gamma * picked).mean()

    return loss


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


if __name__ == "__main__":
    unittest.main()
