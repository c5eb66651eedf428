"""Data whose last batch is smaller: it trains and evaluates, sunk and not, as NumPy does; executables refuse it by name."""

import unittest

import numpy as np

from plumb import dataset, nn, train
from plumb.common.initializer import Zero

ROWS, SIZE, RATE = 11, 4, 0.1
X = np.random.default_rng(1).standard_normal((ROWS, 3)).astype(np.float32)
Y = X @ np.array([[1.0], [-2.0], [0.5]], np.float32)


def rows(**kwargs):
    """Eleven rows in batches of four."""
    return dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False).batch(SIZE, **kwargs)


def model():
    """Linear regression from zero weights, with its weight."""
    net = nn.Dense(3, 1, weight_init=Zero(), has_bias=False)
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), RATE), metrics={"mse", "loss"}), net


def by_hand(epochs):
    """The same by NumPy; returns (weights, the loss of every step)."""
    weights, losses = np.zeros((3, 1)), []
    for _ in range(epochs):
        for first in range(0, ROWS, SIZE):
            x, y = X[first:first + SIZE], Y[first:first + SIZE]
            error = x @ weights - y
            losses.append(np.mean(error ** 2))
            weights = weights - RATE * 2 * x.T @ error / len(x)
    return weights, losses


class Losses(train.Callback):
    """Collects what each step, or sink, gives."""

    def __init__(self):
        self.losses = []

    def step_end(self, run_context):
        """After each."""
        self.losses.append(float(run_context.original_args().net_outputs))


class RaggedTest(unittest.TestCase):
    """See the file's head."""

    def test_train(self):
        for sink in (False, True):
            made, net = model()
            heard = Losses()
            made.train(3, rows(), callbacks=[heard], dataset_sink_mode=sink)
            weights, losses = by_hand(3)
            np.testing.assert_allclose(net.weight.asnumpy(), weights.T, rtol=1e-5)
            np.testing.assert_allclose(heard.losses, losses[2::3] if sink else losses, rtol=1e-4)
            self.assertEqual(made.steps, 9)

    def test_sinks_of_any_size(self):
        made, net = model()
        made.train(3, rows(), dataset_sink_mode=True, sink_size=2)
        weights, _ = by_hand(2)
        np.testing.assert_allclose(net.weight.asnumpy(), weights.T, rtol=1e-5)

    def test_eval_and_fit(self):
        made, _ = model()
        metrics = made.eval(rows())
        self.assertAlmostEqual(metrics["mse"], float(np.mean(Y ** 2)), places=4)
        made.fit(2, rows(drop_remainder=True), rows())
        made.fit(1, rows(), rows())

    def test_executables_refuse_it_before_anything_runs(self):
        with self.assertRaisesRegex(ValueError, r"The last batch of a pass has 3 rows instead of 4, but a sunk step .*drop_remainder"):
            train.data_sink(lambda x, y: (x.sum() + y.sum()), rows(), sink_size=1)

    def test_what_is_ragged(self):
        from plumb.train._ragged import remainder
        plain = dataset.NumpySlicesDataset((X,), ["x"], shuffle=False)
        self.assertEqual([remainder(each) for each in (
            plain, plain.batch(4), plain.batch(4, True), plain.batch(11), plain.repeat(4).batch(4), plain.batch(4).take(2),
            plain.batch(4).take(3), plain.batch(4).repeat(2), plain.take(8).batch(4))], [0, 3, 0, 0, 0, 0, 3, 3, 0])


if __name__ == "__main__":
    unittest.main()
