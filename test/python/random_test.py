"""Random functions: moments and shares of the distributions, streams by seed, draws inside of sinks.

A mean of n draws is judged by six of its standard deviations: draws repeat, so a test that passes goes on passing.
"""

import math
import os
import random
import tempfile
import unittest

import numpy as np

import plumb
from plumb import nn, ops, train

COUNT = 200_000


def drawn(function, *args, **kwargs):
    """What a function draws, compiled as a whole."""
    return plumb.jit(lambda: function(*args, **kwargs))().asnumpy()


class DistributionsTest(unittest.TestCase):
    """Each beside its distribution function, by Kolmogorov's distance."""

    def setUp(self):
        plumb.set_seed(11)

    def check_distribution(self, values, below):
        """The share of draws below each value is the distribution function there."""
        values = np.sort(values.reshape(-1).astype(np.float64))
        steps = np.arange(1, len(values) + 1) / len(values)
        distance = np.abs(np.array([below(x) for x in values[::50]]) - steps[::50]).max()
        self.assertLess(distance, 2.2 / math.sqrt(len(values)))

    def test_even(self):
        self.check_distribution(drawn(ops.rand, COUNT), lambda x: x)
        self.check_distribution(drawn(ops.uniform, (COUNT,), -1.0, 3.0), lambda x: (x + 1) / 4)
        self.check_distribution(drawn(ops.UniformReal(), (COUNT // 2, 2)), lambda x: x)
        low, high = plumb.Tensor([[0.0], [10.0]], plumb.float32), plumb.Tensor([1.0, 20.0], plumb.float32)
        values = drawn(ops.uniform, (), low, high)
        self.assertEqual(values.shape, (2, 2))
        self.assertTrue(10 <= values[1, 1] < 20)

    def test_normal(self):
        def below(x):
            return 0.5 * (1 + math.erf(x / math.sqrt(2)))

        self.check_distribution(drawn(ops.standard_normal, (COUNT,)), below)
        self.check_distribution(drawn(ops.StandardNormal(3, 4), (COUNT,)), below)
        self.check_distribution(drawn(ops.normal, (COUNT,), 5.0, 0.5), lambda x: below((x - 5) / 0.5))
        values = drawn(ops.standard_normal, (COUNT,))
        self.assertLess(abs((values[1:] * values[:-1]).mean()), 6 / math.sqrt(COUNT))
        cut = drawn(ops.TruncatedNormal(), (COUNT,))
        self.assertLessEqual(np.abs(cut).max(), 2.0)
        self.check_distribution(cut, lambda x: (below(x) - below(-2)) / (below(2) - below(-2)))

    def test_laplace(self):
        def below(x):
            return 0.5 * math.exp(x) if x < 0 else 1 - 0.5 * math.exp(-x)

        self.check_distribution(drawn(ops.standard_laplace, (COUNT,)), below)
        self.check_distribution(drawn(ops.StandardLaplace(seed=2), (COUNT,)), below)
        self.check_distribution(drawn(ops.laplace, (COUNT,), 1.0, 2.0), lambda x: below((x - 1) / 2))

    def check_shares(self, values, shares):
        """The classes come as often as they should."""
        values = values.reshape(-1)
        self.assertEqual(set(values.tolist()), {number for number, share in enumerate(shares) if share})
        for number, share in enumerate(shares):
            deviation = math.sqrt(share * (1 - share) / len(values))
            self.assertLessEqual(abs((values == number).mean() - share), 6 * deviation)

    def test_whole_numbers(self):
        self.check_shares(drawn(ops.randint, 0, 7, (COUNT,)), [1 / 7] * 7)
        self.check_shares(drawn(ops.UniformInt(seed=9), (COUNT,), 0, 5), [1 / 5] * 5)
        large = drawn(ops.randint, -2 ** 40, 2 ** 40, (1000,))
        self.assertEqual((large.dtype, len(set(large.tolist()))), (np.int64, 1000))
        self.assertEqual(drawn(ops.randint_like, plumb.Tensor(np.zeros((2, 3), np.int32)), 4, 5).tolist(), [[4] * 3] * 2)

    def test_classes(self):
        weights = np.array([1.0, 0.0, 2.0, 5.0], np.float32)
        self.check_shares(drawn(ops.multinomial, plumb.Tensor(weights), 40_000), weights / 8)
        self.check_shares(drawn(ops.multinomial, plumb.Tensor(weights.astype(np.int64)), 40_000), weights / 8)
        scores = plumb.Tensor(np.log([[0.5, 0.3, 0.2]]).astype(np.float32))
        self.check_shares(drawn(ops.random_categorical, scores, 40_000), [0.5, 0.3, 0.2])
        without = drawn(ops.multinomial, plumb.Tensor(np.ones((500, 4), np.float32)), 3, False)
        self.assertTrue(all(len(set(row)) == 3 for row in without.tolist()))
        self.check_shares(without[:, 0], [1 / 4] * 4)
        self.check_shares(drawn(ops.bernoulli, plumb.Tensor(np.zeros(COUNT, np.int32)), 0.3), [0.7, 0.3])

    def test_orders(self):
        self.assertEqual(sorted(drawn(ops.randperm, 100).tolist()), list(range(100)))
        rows = np.arange(60, dtype=np.float32).reshape(20, 3)
        shuffled = drawn(ops.shuffle, plumb.Tensor(rows))
        self.assertEqual(sorted(map(tuple, shuffled)), sorted(map(tuple, rows)))
        self.assertNotEqual(shuffled.tolist(), rows.tolist())
        self.assertEqual(ops.shuffle(plumb.Tensor(2.5)).asnumpy(), 2.5)
        for error, wrong in ((TypeError, (2,)), (TypeError, (plumb.Tensor(rows), 1.5)), (TypeError, (plumb.Tensor(rows), True)),
                             (ValueError, (plumb.Tensor(rows), -3))):
            self.assertRaisesRegex(error, "For 'shuffle'", ops.shuffle, *wrong)

    def test_gumbel_softmax(self):
        logits = plumb.Tensor(np.log(np.tile([[0.6], [0.1], [0.3]], (1, 20_000))).astype(np.float32))
        hard = drawn(ops.gumbel_softmax, logits, 0.5, True, 0)
        self.check_shares(hard.argmax(0), [0.6, 0.1, 0.3])
        self.assertEqual(set(np.unique(hard)), {0.0, 1.0})
        gradient = plumb.grad(lambda x: ops.gumbel_softmax(x, 1.0, True)[0, 0])(plumb.Tensor(np.zeros((1, 3), np.float32)))
        self.assertTrue(gradient.asnumpy().any())
        self.assertAlmostEqual(float(gradient.asnumpy().sum()), 0.0, places=6)

    def test_dropout(self):
        ones = plumb.Tensor(np.ones((100, 20, 50), np.float32))
        for function, axes in ((ops.dropout, ()), (ops.dropout1d, (2,))):
            result = drawn(function, ones, 0.2)
            self.assertEqual(sorted(set(np.unique(result).round(6))), [0.0, 1.25])
            self.assertAlmostEqual(float(result.mean()), 1.0, delta=0.06)
            self.assertTrue((result.min(axes, keepdims=True) == result.max(axes, keepdims=True)).all() if axes else True)
        self.assertTrue((drawn(ops.dropout, ones, 0.2, False) == 1).all())
        result, mask = (each.asnumpy() for each in ops.Dropout(keep_prob=0.8)(ones))
        np.testing.assert_allclose(result, mask / 0.8)
        gradient = plumb.value_and_grad(lambda x: ops.dropout(x, 0.5).sum())(ones)
        self.assertAlmostEqual(float(gradient[0]), float(gradient[1].asnumpy().sum()), delta=0.5)


class StreamsTest(unittest.TestCase):
    """Every draw is another one; seeds start streams."""

    def test_seeds(self):
        plumb.set_seed(5)
        first, second = ops.randn(8).asnumpy(), ops.randn(8).asnumpy()
        self.assertTrue((first != second).all())
        plumb.set_seed(5)
        np.testing.assert_array_equal(ops.randn(8).asnumpy(), first)
        plumb.set_seed(6)
        self.assertTrue((ops.randn(8).asnumpy() != first).all())
        plumb.set_seed(5)
        other = ops.randn(8, seed=1).asnumpy()
        self.assertTrue((other != first).all())
        plumb.set_seed(5)
        np.testing.assert_array_equal(ops.randn(8, seed=1).asnumpy(), other)

    def test_sunk_steps(self):
        """Noise differs from step to step, and is the same sunk and step by step."""
        class Noise(nn.Cell):
            """The mean of two draws, beside a weight."""

            def __init__(self):
                super().__init__()
                self.weight = plumb.Parameter(np.zeros(1, np.float32), name="weight")
                self.drawn = ops.StandardNormal(seed=3)

            def construct(self, x):
                """The value that the weight is drawn to."""
                target = ops.randn(1) + self.drawn((1,))
                return ops.reduce_sum((self.weight - target - x) ** 2)

        heard = []
        for sink in (True, False):
            plumb.set_seed(2)
            network, losses = Noise(), []
            data = plumb.dataset.NumpySlicesDataset((np.zeros((6, 1), np.float32),), ["x"], shuffle=False).batch(1)
            listener = train.Callback()
            listener.step_report = lambda step, loss, kept=losses: kept.append(float(loss))
            plumb.Model(network, optimizer=nn.SGD(network.trainable_params(), 0.0)).train(2, data, listener, dataset_sink_mode=sink)
            heard.append(losses)
        self.assertEqual(heard[0], heard[1])
        self.assertEqual(len(set(heard[0])), 12)

    def test_resume(self):
        """A run that goes on from a checkpoint draws what it would have drawn."""
        def trained(folder, epochs, initial=0):
            plumb.set_seed(4)
            network = nn.SequentialCell(nn.Dense(2, 2, "ones"))
            model = plumb.Model(network, lambda x, y: ops.mse_loss(ops.dropout(x, 0.5), y), nn.SGD(network.trainable_params(), 0.1))
            if initial:
                plumb.load_checkpoint(os.path.join(folder, f"net-{initial}_4.ckpt"), model.train_network)
            rows = (np.ones((8, 2), np.float32), np.zeros((8, 2), np.float32))
            data = plumb.dataset.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(2)
            keeper = train.ModelCheckpoint("net", folder, train.CheckpointConfig(save_checkpoint_steps=4))
            model.train(epochs, data, keeper, dataset_sink_mode=True, initial_epoch=initial)
            return network[0].weight.asnumpy()

        with tempfile.TemporaryDirectory() as folder:
            at_once = trained(folder, 3)
            np.testing.assert_array_equal(trained(folder, 3, 1), at_once)

    def test_mistakes(self):
        x = plumb.Tensor(np.ones((2, 3), np.float32))
        for problem, call in (("'p' must be in", lambda: ops.dropout(x, 1.5)), ("'low' must be an int", lambda: ops.randint(3, 3, (2,))),
                              ("must be float32 or int32", lambda: ops.uniform((2,), 0.0, 1.0, dtype=plumb.float16)),
                              ("'num_samples' must be at most", lambda: ops.multinomial(x, 4, False))):
            with self.assertRaisesRegex((TypeError, ValueError), problem):
                call()


class DrawnByPythonTest(unittest.TestCase):
    """In PyNative mode each call of a function draws the numbers that Python would draw; in a graph they are constants."""

    def setUp(self):
        self.addCleanup(plumb.set_context, mode=plumb.get_context("mode"))
        plumb.set_context(mode=plumb.PYNATIVE_MODE)
        self.x = plumb.Tensor(np.ones((2, 3), np.float32))
        self.weight = plumb.Parameter(plumb.Tensor(np.ones((2, 3), np.float32)), name="weight")

    def gradients(self, draw):
        """Three gradients of a function whose factor is what `draw` gives, each with what Python draws afterwards."""
        found = []
        gradient = plumb.grad(lambda x: (x * self.weight * draw()).sum(), None, self.weight)
        for _ in range(3):
            found.append((float(gradient(self.x).asnumpy()[0, 0]), draw()))
        return found

    def test_gradients(self):
        own, other = np.random.default_rng(3), random.Random(3)
        for draw, restart in ((lambda: float(np.random.randn(2)[1]), lambda: np.random.seed(3)),
                              (lambda: random.uniform(1, 2), lambda: random.seed(3)),
                              (lambda: float(own.normal()), lambda: setattr(own.bit_generator, "state", np.random.default_rng(3).bit_generator.state)),
                              (other.random, lambda: other.seed(3))):
            restart()
            found = self.gradients(draw)
            restart()
            for pair in found:
                np.testing.assert_allclose(pair, (draw(), draw()), rtol=1e-6)

    def test_cells(self):
        class Noisy(nn.Cell):
            def construct(self, x):
                return x + float(np.random.rand())

        cell = Noisy()
        self.assertEqual(len({float(cell(self.x).asnumpy()[0, 0]) for _ in range(4)}), 4)
        plumb.set_context(mode=plumb.GRAPH_MODE)
        cell = Noisy()
        self.assertEqual(len({float(cell(self.x).asnumpy()[0, 0]) for _ in range(4)}), 1)

    def test_jit(self):
        noisy = plumb.jit(lambda x: x + float(np.random.rand()))
        self.assertEqual(len({float(noisy(self.x).asnumpy()[0, 0]) for _ in range(4)}), 1)


if __name__ == "__main__":
    unittest.main()
