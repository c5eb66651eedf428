"""CTC losses and their gradients beside PyTorch's, the variants beside sums over all alignments, the greedy decoder beside NumPy."""

import itertools
import unittest

import numpy as np
import torch

import plumb
from plumb import Tensor, nn, ops

STEPS, ROWS, CLASSES, LONGEST = 60, 5, 30, 17
RNG = np.random.default_rng(5)
SCORES = RNG.standard_normal((STEPS, ROWS, CLASSES))
LABELS = RNG.integers(1, 9, (ROWS, LONGEST)).astype(np.int32)
INPUTS, COUNTS = np.array([60, 45, 59, 30, 52], np.int32), np.array([17, 9, 12, 1, 0], np.int32)


def by_torch(scores, inputs, counts, reduction, zero_infinity=False, weights=None):
    """PyTorch's loss of a log_softmax, and its gradient by the scores."""
    x = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    loss = torch.nn.functional.ctc_loss(x.log_softmax(-1), torch.tensor(LABELS.astype(np.int64)), torch.tensor(inputs.astype(np.int64)),
                                        torch.tensor(counts.astype(np.int64)), 0, reduction, zero_infinity)
    (loss if weights is None else loss * torch.tensor(weights)).sum().backward()
    return loss.detach().numpy(), x.grad.numpy()


def by_alignments(probabilities, labels, merges):
    """-log of the sum over all alignments of one row; the last class is the blank."""
    steps, classes = probabilities.shape
    total = 0.0
    for path in itertools.product(range(classes), repeat=steps):
        shown = [c for at, c in enumerate(path) if not (merges and at and path[at - 1] == c)]
        if [c for c in shown if c != classes - 1] == list(labels):
            total += np.prod([probabilities[at, c] for at, c in enumerate(path)])
    return -np.log(total)


def decoded(scores, lengths, merges):
    """The labels of every row, and its best scores' sum."""
    for row, length in enumerate(lengths):
        best = scores[:length, row].argmax(-1)
        kept = [c for at, c in enumerate(best) if c != scores.shape[2] - 1 and not (merges and at and best[at - 1] == c)]
        yield row, kept, -scores[:length, row].max(-1).sum()


class CtcTest(unittest.TestCase):
    def compare(self, inputs, counts, dtype, tolerance, **options):
        weights = RNG.standard_normal(ROWS) if options["reduction"] == "none" else None
        scale = Tensor(np.ones(1, dtype) if weights is None else weights.astype(dtype))

        def total(scores, steps, lengths):
            loss = ops.ctc_loss(ops.log_softmax(scores, -1), Tensor(LABELS), steps, lengths, **options)[0]
            return ops.reduce_sum(loss * scale), loss

        (_, loss), gradient = plumb.value_and_grad(total, 0, has_aux=True)(
            Tensor(SCORES.astype(dtype)), Tensor(inputs), Tensor(counts))
        expected, slope = by_torch(SCORES.astype(dtype), inputs, counts, weights=weights, **options)
        np.testing.assert_allclose(loss.asnumpy(), expected, tolerance)
        np.testing.assert_allclose(gradient.asnumpy(), slope, 100 * tolerance, tolerance)

    def test_beside_torch(self):
        for reduction in ("none", "mean", "sum"):
            with self.subTest(reduction):
                self.compare(INPUTS, COUNTS, np.float32, 1e-5, reduction=reduction)
        self.compare(INPUTS, COUNTS, np.float64, 1e-10, reduction="none")

    def test_more_labels_than_steps(self):
        short = np.array([60, 8, 59, 30, 52], np.int32)
        self.compare(short, COUNTS, np.float32, 1e-5, reduction="none", zero_infinity=True)
        loss, _ = ops.ctc_loss(Tensor(SCORES.astype(np.float32)), Tensor(LABELS), Tensor(short), Tensor(COUNTS), 0, "none")
        self.assertEqual(np.isinf(loss.asnumpy()).tolist(), [False, True, False, False, False])

    def test_impossible_classes(self):
        with np.errstate(divide="ignore"):
            scores = np.log(np.array([[[0.5, 0.5, 0.0]], [[0.25, 0.75, 0.0]]]))
        made = [ops.ctc_loss(Tensor(scores, plumb.float64), Tensor([[label]], plumb.int32), (2,), (1,))[0] for label in (1, 2)]
        np.testing.assert_allclose(made[0].asnumpy(), -np.log(1 - 0.125))
        self.assertTrue(np.isinf(made[1].asnumpy()))

    def test_layer(self):
        scores = Tensor(SCORES.astype(np.float32))
        log = ops.log_softmax(scores, -1)
        loss = nn.CTCLoss()(log, Tensor(LABELS), Tensor(INPUTS), Tensor(COUNTS))
        np.testing.assert_allclose(loss.asnumpy(), by_torch(SCORES, INPUTS, COUNTS, "mean")[0], 1e-5)
        one = nn.CTCLoss(reduction="none")(log[:, 0], Tensor(LABELS[0]), Tensor(INPUTS[:1]), Tensor(COUNTS[:1]))
        np.testing.assert_allclose(one.asnumpy(), by_torch(SCORES, INPUTS, COUNTS, "none")[0][0], 1e-5)

    def test_labels_as_a_list(self):
        scores = RNG.standard_normal((5, 3, 3)).astype(np.float32)
        rows = [[0, 0, 1], [1, 1], [0]]
        indices = np.array([[row, at] for row, labels in enumerate(rows) for at in range(len(labels))])
        values, lengths = np.array(sum(rows, []), np.int32), np.array([5, 5, 4], np.int32)
        shares = np.exp(scores.astype(np.float64))
        shares /= shares.sum(-1, keepdims=True)
        for collapses, merges in itertools.product((False, True), (False, True)):
            with self.subTest(collapses=collapses, merges=merges):
                kept = [[c for at, c in enumerate(row) if not (collapses and at and row[at - 1] == c)] for row in rows]
                expected = [by_alignments(shares[:length, at], row, merges) for at, (row, length) in enumerate(zip(kept, lengths))]
                loss, gradient = ops.CTCLoss(collapses, merges)(Tensor(scores), Tensor(indices), Tensor(values), Tensor(lengths))
                np.testing.assert_allclose(loss.asnumpy(), expected, 2e-5)
                moved = RNG.standard_normal(scores.shape).astype(np.float32) * 1e-2
                ends = [ops.CTCLoss(collapses, merges)(Tensor(scores + sign * moved), Tensor(indices), Tensor(values), Tensor(lengths))[0]
                        for sign in (1, -1)]
                change = (ends[0].asnumpy().astype(np.float64) - ends[1].asnumpy()).sum() / 2
                np.testing.assert_allclose((gradient.asnumpy() * moved).sum(), change, 1e-2, 1e-4)

    def test_greedy(self):
        lengths = np.array([60, 45, 59, 1, 52], np.int32)
        scores = SCORES[:, :, :4].astype(np.float32)
        for merges in (True, False):
            indices, values, shape, score = ops.ctc_greedy_decoder(Tensor(scores), Tensor(lengths), merges)
            rows = list(decoded(scores, lengths, merges))
            self.assertEqual(values.asnumpy().tolist(), [c for _, kept, _ in rows for c in kept])
            self.assertEqual(indices.asnumpy().tolist(), [[row, at] for row, kept, _ in rows for at in range(len(kept))])
            self.assertEqual(shape.asnumpy().tolist(), [ROWS, max(len(kept) for _, kept, _ in rows)])
            np.testing.assert_allclose(score.asnumpy()[:, 0], [total for _, _, total in rows], 1e-5)

    def test_refusals(self):
        log = Tensor(SCORES.astype(np.float32))
        with self.assertRaisesRegex(ValueError, "'blank' must be in"):
            ops.ctc_loss(log, Tensor(LABELS), Tensor(INPUTS), Tensor(COUNTS), CLASSES)
        with self.assertRaisesRegex(ValueError, "must be .T, N, C."):
            ops.ctc_loss(log, Tensor(LABELS[:2]), Tensor(INPUTS), Tensor(COUNTS))
        with self.assertRaisesRegex(ValueError, "reduction"):
            nn.CTCLoss(reduction="max")


if __name__ == "__main__":
    unittest.main()
