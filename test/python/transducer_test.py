"""The loss of transducers beside the lattice in NumPy, sums over all alignments and finite differences."""

import itertools
import unittest

import numpy as np

import plumb
from plumb import Tensor, ops

RNG = np.random.default_rng(7)


def log_softmax(x):
    x = x - x.max(-1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def by_lattice(acts, labels, steps, count, blank):
    """-log of the probability of one row's labels, node after node."""
    scores = log_softmax(acts)
    ways = np.full((steps, count + 1), -np.inf)
    ways[0, 0] = 0
    for t, u in itertools.product(range(steps), range(count + 1)):
        if t:
            ways[t, u] = np.logaddexp(ways[t, u], ways[t - 1, u] + scores[t - 1, u, blank])
        if u:
            ways[t, u] = np.logaddexp(ways[t, u], ways[t, u - 1] + scores[t, u - 1, labels[u - 1]])
    return -(ways[-1, -1] + scores[steps - 1, count, blank])


def by_alignments(acts, labels, blank):
    """-log of the sum over all ways of one row: in which steps the labels are shown."""
    scores = log_softmax(acts)
    steps, count, total = len(acts), len(labels), 0.0
    for shown in itertools.combinations_with_replacement(range(steps), count):
        way = [scores[t, u, labels[u]] for u, t in enumerate(shown)]
        way += [scores[t, sum(at <= t for at in shown), blank] for t in range(steps)]
        total += np.exp(np.sum(way))
    return -np.log(total)


def losses(acts, labels, steps, counts, blank):
    return np.array([by_lattice(*row, blank) for row in zip(acts, labels, steps, counts)])


def slope(acts, labels, steps, counts, blank, weights):
    """Central differences in float64."""
    found, step = np.zeros_like(acts), 1e-5
    for place in np.ndindex(*acts.shape):
        moved = np.zeros_like(acts)
        moved[place] = step
        up, down = (losses(acts + sign * moved, labels, steps, counts, blank) @ weights for sign in (1, -1))
        found[place] = (up - down) / (2 * step)
    return found


def given(shape, blank, dtype=np.float64):
    """Scores, labels and lengths of rows, of which the first is whole."""
    rows, steps, width, classes = shape
    labels = RNG.integers(0, classes - 1, (rows, width - 1)).astype(np.int32)
    labels += labels >= blank
    lengths, counts = RNG.integers(1, steps + 1, rows).astype(np.int32), RNG.integers(0, width, rows).astype(np.int32)
    lengths[0], counts[0] = steps, width - 1
    return 3 * RNG.standard_normal(shape).astype(dtype), labels, lengths, counts


class TransducerTest(unittest.TestCase):
    def test_the_lattice_is_the_sum_over_all_alignments(self):
        for count in range(3):
            acts, labels = RNG.standard_normal((4, count + 1, 5)), RNG.integers(1, 5, count)
            self.assertAlmostEqual(by_lattice(acts, labels, 4, count, 0), by_alignments(acts, labels, 0), 10)

    def test_beside_the_lattice_and_finite_differences(self):
        for shape, blank in (((3, 4, 3, 5), 0), ((2, 1, 4, 4), 3), ((2, 5, 2, 3), 1), ((1, 2, 3, 5), 0), ((2, 3, 1, 4), 0)):
            with self.subTest(shape=shape, blank=blank):
                acts, *rest = given(shape, blank)
                found, gradient = ops.RNNTLoss(blank)(Tensor(acts), *map(Tensor, rest))
                np.testing.assert_allclose(found.asnumpy(), losses(acts, *rest, blank), 1e-10)
                np.testing.assert_allclose(gradient.asnumpy(), slope(acts, *rest, blank, np.ones(shape[0])), 1e-6, 1e-7)

    def test_long_rows(self):
        acts, *rest = given((4, 50, 20, 30), 0)
        for dtype, tolerance in ((np.float16, 4e-3), (np.float32, 1e-5), (np.float64, 1e-10)):
            near = acts.astype(dtype)
            found, gradient = ops.RNNTLoss()(Tensor(near), *map(Tensor, rest))
            self.assertEqual((found.asnumpy().dtype, gradient.asnumpy().dtype, gradient.shape), (dtype, dtype, acts.shape))
            np.testing.assert_allclose(found.asnumpy(), losses(near.astype(np.float64), *rest, 0), tolerance)
            for row, (steps, count) in enumerate(zip(*rest[1:])):
                self.assertFalse(gradient.asnumpy()[row, steps:].any() or gradient.asnumpy()[row, :, count + 1:].any())

    def test_gradient_of_the_loss_in_a_network(self):
        acts, *rest = given((3, 4, 3, 5), 0)
        weights = RNG.standard_normal(3)

        def total(x):
            return ops.reduce_sum(ops.RNNTLoss()(x, *map(Tensor, rest))[0] * Tensor(weights))

        expected = slope(acts, *rest, 0, weights)
        np.testing.assert_allclose(plumb.grad(total)(Tensor(acts)).asnumpy(), expected, 1e-6, 1e-7)
        # Scores that are logarithms of probabilities already give the same loss, and the same gradient before their softmax.
        through = plumb.grad(lambda x: total(ops.log_softmax(x, -1)))(Tensor(acts))
        np.testing.assert_allclose(through.asnumpy(), expected, 1e-6, 1e-7)

    def test_lengths_that_do_not_fit(self):
        acts, labels, _, _ = given((5, 4, 3, 5), 0)
        steps, counts = np.array([4, 5, 0, 3, -1], np.int32), np.array([2, 2, 1, 3, 0], np.int32)
        found, gradient = ops.RNNTLoss()(Tensor(acts), Tensor(labels), Tensor(steps), Tensor(counts))
        np.testing.assert_array_equal(np.isinf(found.asnumpy()), [False, True, True, True, True])
        self.assertTrue(np.isfinite(gradient.asnumpy()).all() and gradient.asnumpy()[0].any())
        self.assertFalse(gradient.asnumpy()[1:].any())

    def test_what_never_happens(self):
        acts = RNG.standard_normal((1, 3, 3, 4))
        acts[..., 1] = -np.inf
        found, gradient = ops.RNNTLoss()(Tensor(acts), Tensor(np.array([[1, 2]], np.int32)), Tensor(np.array([3], np.int32)),
                                         Tensor(np.array([2], np.int32)))
        self.assertTrue(np.isinf(found.asnumpy()[0]))
        self.assertFalse(gradient.asnumpy().any())

    def test_refusals(self):
        acts, labels, steps, counts = map(Tensor, given((2, 4, 3, 5), 0))
        for message, arguments, blank in (("'labels'", (acts, Tensor(np.ones((2, 3), np.int32)), steps, counts), 0),
                                          ("'acts'", (acts[0], labels, steps, counts), 0),
                                          ("'input_lengths'", (acts, labels, steps[:1], counts), 0),
                                          ("'blank_label'", (acts, labels, steps, counts), 5)):
            with self.assertRaisesRegex(ValueError, message):
                ops.RNNTLoss(blank)(*arguments)


if __name__ == "__main__":
    unittest.main()
