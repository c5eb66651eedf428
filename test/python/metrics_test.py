"""Metrics against their definitions, written out in NumPy, and in Model.eval."""

import math
import unittest

import numpy as np

import plumb
from plumb import nn, train

RNG = np.random.default_rng(5)
SCORES, CLASSES = RNG.random((2, 6, 4)), RNG.integers(0, 4, (2, 6))
MARKS = RNG.integers(0, 2, (2, 5, 3))


def value(metric, *updates, **kwargs):
    """The metric over several updates, by Tensors and by arrays."""
    metric.clear()
    for number, inputs in enumerate(updates):
        metric.update(*(plumb.Tensor(each) if number % 2 == 0 and isinstance(each, np.ndarray) else each for each in inputs))
    return metric.eval(**kwargs)


class ClassesTest(unittest.TestCase):
    """Shares of right classes."""

    STEPS = tuple(zip(SCORES, CLASSES))

    def setUp(self):
        self.chosen, self.true = SCORES.argmax(2).reshape(-1), CLASSES.reshape(-1)
        self.matrix = np.zeros((4, 4))
        np.add.at(self.matrix, (self.true, self.chosen), 1)
        self.right = np.diag(self.matrix)

    def test_by_class(self):
        precision, recall = (self.right / np.maximum(self.matrix.sum(axis), 1) for axis in (0, 1))
        self.assertAlmostEqual(value(nn.Accuracy(), *self.STEPS), (self.chosen == self.true).mean())
        np.testing.assert_allclose(value(nn.Precision(), *self.STEPS), precision)
        np.testing.assert_allclose(value(nn.Recall(), *self.STEPS, average=True), recall.mean())
        for beta in (1, 2):
            below = beta ** 2 * self.matrix.sum(1) + self.matrix.sum(0)
            np.testing.assert_allclose(value(nn.Fbeta(beta), *self.STEPS), (1 + beta ** 2) * self.right / below)
        one_hot = tuple((scores, np.eye(4)[classes]) for scores, classes in self.STEPS)
        np.testing.assert_allclose(value(train.F1(), *one_hot), value(train.Fbeta(1), *self.STEPS))

    def test_top_k(self):
        ranks = (SCORES > np.take_along_axis(SCORES, CLASSES[..., None], 2)).sum(2)
        for k, make in ((1, nn.Top1CategoricalAccuracy), (3, lambda: nn.TopKCategoricalAccuracy(3)),
                        (5, nn.Top5CategoricalAccuracy)):
            self.assertAlmostEqual(value(make(), *self.STEPS), (ranks < k).mean())

    def test_top_k_of_rows(self):
        """Rows for the classes that occur will do."""
        rows = np.eye(3)[CLASSES[0] % 3]
        self.assertEqual(nn.TopKCategoricalAccuracy(2)(SCORES[0], rows), nn.TopKCategoricalAccuracy(2)(SCORES[0], CLASSES[0] % 3))

    def test_several_labels(self):
        predicted, true = MARKS
        self.assertAlmostEqual(value(nn.Accuracy("multilabel"), (predicted, true)), (predicted == true).all(1).mean())
        np.testing.assert_array_equal(value(nn.Precision("multilabel"), (predicted, true)),
                                      (predicted * true).sum(1) / np.maximum(predicted.sum(1), 1))

    def test_called(self):
        """A metric that is called forgets what was before, and shares are exact quotients."""
        metric = nn.Recall()
        metric.update(SCORES[0], CLASSES[0])
        scores, classes = plumb.Tensor(np.eye(3)[[0, 1, 1, 0]]), plumb.Tensor([0, 1, 0, 0])
        np.testing.assert_array_equal(metric(scores, classes), [2 / 3, 1, 0])
        self.assertEqual(nn.Precision()(scores, classes)[1], 1 / 2)
        self.assertEqual(nn.F1()(scores, classes)[1], 2 / 3)
        self.assertEqual(nn.Loss()(plumb.Tensor([2.0])), 2)

    def test_matrix(self):
        np.testing.assert_array_equal(value(nn.ConfusionMatrix(4), *self.STEPS), self.matrix)
        for mode, axes in (("target", 1), ("prediction", 0), ("all", None)):
            sums = self.matrix.sum(axes, keepdims=True)
            np.testing.assert_allclose(value(nn.ConfusionMatrix(4, mode), *self.STEPS), self.matrix / np.where(sums, sums, 1))

    def test_numbers_of_counts(self):
        predicted, true = (RNG.integers(0, 2, (4, 3, 6)) for _ in range(2))
        tp, fp = (predicted * true).sum(), (predicted * (1 - true)).sum()
        tn, fn = ((1 - predicted) * (1 - true)).sum(), ((1 - predicted) * true).sum()
        for name, expected in (("tpr", tp / (tp + fn)), ("specificity", tn / (tn + fp)), ("f1", 2 * tp / (2 * tp + fp + fn)),
                               ("acc", (tp + tn) / predicted.size), ("ba", (tp / (tp + fn) + tn / (tn + fp)) / 2),
                               ("mcc", (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))):
            np.testing.assert_allclose(value(nn.ConfusionMatrixMetric(True, name), (predicted, true)), [expected])
        each = nn.ConfusionMatrixMetric(False, "accuracy", True, "mean_batch")
        np.testing.assert_allclose(value(each, (predicted, true)), (predicted == true)[:, 1:].mean((0, 2)))


class NumbersTest(unittest.TestCase):
    """Errors, perplexity, similarities, curves, translations."""

    def test_means(self):
        first, second = SCORES
        self.assertAlmostEqual(value(nn.MAE(), (first, second)), np.abs(first - second).sum() / 6)
        self.assertAlmostEqual(value(nn.MSE(), (first, second), (second, first)), np.square(first - second).sum() / 6)
        self.assertAlmostEqual(value(nn.Loss(), (np.float32(2),), (np.float32(4),)), 3.0)
        self.assertAlmostEqual(value(nn.Dice(), (first, second)),
                               2 * (first * second).sum() / ((first ** 2).sum() + (second ** 2).sum() + 1e-5) / 6)

    def test_perplexity(self):
        picked = np.take_along_axis(SCORES[0], CLASSES[0][:, None], 1)[:, 0]
        self.assertAlmostEqual(value(nn.Perplexity(), (SCORES[0], CLASSES[0])), np.prod(picked) ** (-1 / 6))
        kept = picked[CLASSES[0] != CLASSES[0][0]]
        self.assertAlmostEqual(value(nn.Perplexity(int(CLASSES[0][0])), (SCORES[0], CLASSES[0])),
                               np.prod(kept) ** (-1 / len(kept)))

    def test_similarity(self):
        rows = SCORES[0] / np.linalg.norm(SCORES[0], axis=1, keepdims=True)
        np.testing.assert_allclose(value(nn.CosineSimilarity(zero_diagonal=False, reduction="sum"), (SCORES[0],)),
                                   (rows @ rows.T).sum(1))

    def test_curves(self):
        scores, labels = RNG.permutation(40) / 40, RNG.integers(0, 2, 40)
        fpr, tpr, thresholds = value(nn.ROC(), (scores, labels))
        for at in (1, 7, 40):
            chosen = scores >= thresholds[at]
            self.assertAlmostEqual(tpr[at], (chosen & (labels == 1)).sum() / (labels == 1).sum())
            self.assertAlmostEqual(fpr[at], (chosen & (labels == 0)).sum() / (labels == 0).sum())
        # The area is the share of pairs that are in order.
        pairs = scores[labels == 1][:, None] > scores[labels == 0][None]
        self.assertAlmostEqual(nn.auc(fpr, tpr), pairs.mean())
        self.assertEqual(len(value(nn.ROC(4), (SCORES[0], np.array([0, 1, 2, 3, 0, 1])))[0]), 4)
        with self.assertRaisesRegex(ValueError, "reorder=True"):
            nn.auc([0, 2, 1], [0, 1, 1])

    def test_bleu(self):
        candidate = "the cat sat on the mat".split()
        references = ["the cat sat on a mat".split(), "a cat is on the mat".split()]
        precisions = 5 / 6, 5 / 5, 3 / 4, 1 / 3
        self.assertAlmostEqual(value(nn.BleuScore(), ([candidate], [references])), np.prod(precisions) ** 0.25)
        self.assertAlmostEqual(value(nn.BleuScore(2), ([candidate[:4]], [references])),
                               math.exp(1 - 6 / 4) * math.sqrt(4 / 4 * 3 / 3))


class SurfacesTest(unittest.TestCase):
    """Distances between the outlines of two rectangles."""

    def test_distances(self):
        first, second = np.zeros((9, 9), int), np.zeros((9, 9), int)
        first[1:6, 2:7], second[3:9, 1:5] = 1, 1

        def outline(mask):
            inside = {tuple(place) for place in np.argwhere(mask)}
            return [place for place in inside if not all((place[0] + i, place[1] + j) in inside
                                                         for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0)))]

        lengths = {"euclidean": lambda i, j: math.hypot(i, j), "chessboard": lambda i, j: max(abs(i), abs(j)),
                   "taxicab": lambda i, j: abs(i) + abs(j)}
        for name, length in lengths.items():
            there, back = ([min(length(a[0] - b[0], a[1] - b[1]) for b in outline(other)) for a in outline(one)]
                           for one, other in ((first, second), (second, first)))
            steps = ((first, second, 1),)
            self.assertAlmostEqual(value(nn.HausdorffDistance(name), *steps), max(there + back))
            self.assertAlmostEqual(value(nn.HausdorffDistance(name, 50.0, True), *steps), np.percentile(there, 50))
            self.assertAlmostEqual(value(nn.MeanSurfaceDistance(False, name), *steps), np.mean(there))
            self.assertAlmostEqual(value(nn.MeanSurfaceDistance(True, name), *steps), (np.mean(there) + np.mean(back)) / 2)
            squares = [np.square(way).mean() for way in (there, back)]
            self.assertAlmostEqual(value(nn.RootMeanSquareDistance(False, name), *steps), squares[0])
            self.assertAlmostEqual(value(nn.RootMeanSquareDistance(True, name), *steps), math.sqrt(np.mean(squares)))

    def test_occlusion(self):
        weights = np.array([[1, 0], [2, 0], [3, 0], [4, 0]], np.float32).T
        network = nn.Dense(4, 2, plumb.Tensor(weights))
        # Covered are an element and the one before it.
        falls = value(nn.OcclusionSensitivity(margin=1), (network, np.ones((1, 4), np.float32), np.array(0)))
        np.testing.assert_allclose(falls, [weights[0][max(at - 1, 0):at + 1].sum() for at in range(4)], rtol=1e-6)
        for box, part in (([1, 2], slice(1, 3)), ([-1, 2], slice(3)), ([2, -1], slice(2, 4)), ([3, 3], 3)):
            found = value(nn.OcclusionSensitivity(margin=1, b_box=box), (network, np.ones((1, 4), np.float32), np.array(0)))
            np.testing.assert_allclose(found, falls[part], rtol=1e-6)
        for box in ([0, 4], [2, 1], [0, 1, 0, 1]):
            with self.assertRaisesRegex(ValueError, "b_box"):
                value(nn.OcclusionSensitivity(b_box=box), (network, np.ones((1, 4), np.float32), np.array(0)))


    def test_occlusion_shape(self):
        """Axes of one element are not in the result."""
        network = nn.SequentialCell(nn.Flatten(), nn.Dense(6, 2))
        self.assertEqual(value(nn.OcclusionSensitivity(), (network, np.ones((1, 1, 2, 3), np.float32), np.array(0))).shape, (2, 3))


class ArgumentsTest(unittest.TestCase):
    """Arguments of wrong types."""

    def test_types(self):
        for make in (lambda: nn.BleuScore("3"), lambda: nn.BleuScore(4, 1), lambda: nn.ConfusionMatrix("1"),
                     lambda: nn.ConfusionMatrix(2, threshold="a"), lambda: nn.ConfusionMatrixMetric(1),
                     lambda: nn.ConfusionMatrixMetric(calculation_method=1), lambda: nn.ConfusionMatrixMetric(metric_name=1),
                     lambda: nn.MeanSurfaceDistance(1), lambda: nn.RootMeanSquareDistance(1), lambda: nn.Fbeta("1"),
                     lambda: nn.OcclusionSensitivity(False), lambda: nn.OcclusionSensitivity(margin=True), lambda: nn.Dice("a"),
                     lambda: nn.HausdorffDistance(directed=1), lambda: nn.CosineSimilarity(zero_diagonal=1)):
            with self.assertRaises(TypeError):
                make()
        with self.assertRaisesRegex(ValueError, r"one in an axis, but got the shape \(1, 1\)"):
            nn.Loss()(plumb.Tensor([[1.0]]))


class EvaluationTest(unittest.TestCase):
    """Metrics by name and of users in Model.eval; which outputs they get."""

    def test_model(self):
        class Largest(nn.Metric):
            """The largest second output."""

            def clear(self):
                """Nothing seen."""
                self.best = -np.inf

            @nn.rearrange_inputs
            def update(self, *inputs):
                """Takes one array."""
                self.best = max(self.best, self._convert_data(inputs[0]).max())

            def eval(self):
                """The largest."""
                return self.best

        network = nn.Dense(2, 3, weight_init="ones")
        rows = RNG.random((12, 2)).astype(np.float32), RNG.integers(0, 3, 12).astype(np.int32)
        data = plumb.dataset.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(4)
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        metrics = {"acc": nn.Accuracy(), "loss": nn.Loss(), "largest": Largest().set_indexes([1]), "top": nn.Top1CategoricalAccuracy()}
        model = train.Model(network, loss, metrics=metrics)
        results = [model.eval(data, dataset_sink_mode=sink) for sink in (True, False)]
        self.assertEqual(results[0], results[1])
        self.assertAlmostEqual(results[0]["loss"], math.log(3), places=5)
        self.assertAlmostEqual(results[0]["acc"], (rows[1] == 0).mean())
        self.assertAlmostEqual(results[0]["largest"], rows[0].sum(1).max(), places=6)
        own = train.Model(network, metrics={"mae", "loss"}, eval_network=nn.WithEvalCell(network, loss), eval_indexes=[0, 1, 1])
        self.assertAlmostEqual(own.eval(data)["mae"], 0.0)
        itself = train.Model(nn.WithLossCell(network, loss), metrics={"loss"}, eval_network=nn.WithLossCell(network, loss))
        self.assertAlmostEqual(itself.eval(data)["loss"], math.log(3), places=5)  # one result, the loss alone
        itself.train(1, data)
        self.assertAlmostEqual(own.eval(data, dataset_sink_mode=False)["mae"], 0.0)
        with self.assertRaisesRegex(RuntimeError, "connected to other network"):
            train.Model(network, loss).train(1, data)
        with self.assertRaisesRegex(ValueError, "'eval_indexes' must be a list of three"):
            train.Model(network, eval_network=network, eval_indexes=[0])


if __name__ == "__main__":
    unittest.main()
