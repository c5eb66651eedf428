"""Parameters that stand alone in a sunk step: those that the loss does not depend on, scalars, and a table that is used twice."""

import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, dataset, nn, ops, train

X = np.linspace(-1, 1, 144, dtype=np.float32).reshape(24, 6)
RATE, DECAY, STEPS = 0.1, 0.2, 3
OPTIMIZERS = {
    "SGD": lambda p, decay: nn.SGD(p, RATE, weight_decay=decay), "SGD with momentum": lambda p, decay: nn.SGD(p, RATE, 0.9, weight_decay=decay),
    "Momentum": lambda p, decay: nn.Momentum(p, RATE, 0.9, decay), "Adam": lambda p, decay: nn.Adam(p, RATE, weight_decay=decay),
    "AdamWeightDecay": lambda p, decay: nn.AdamWeightDecay(p, RATE, weight_decay=decay),
    "RMSProp": lambda p, decay: nn.RMSProp(p, RATE, weight_decay=decay), "Adagrad": lambda p, decay: nn.Adagrad(p, weight_decay=decay)}


def sunk(net, optimizer, *columns):
    """Trains three steps in one launch, in the order of the rows."""
    rows = dataset.NumpySlicesDataset(columns, [f"c{i}" for i in range(len(columns))], shuffle=False).batch(8, drop_remainder=True)
    train.Model(net, None, optimizer).train(1, rows, dataset_sink_mode=True, sink_size=STEPS)


class Unused(nn.Cell):
    """A layer, and a Parameter that nothing reads."""

    def __init__(self, shape):
        super().__init__()
        self.layer = nn.Dense(6, 6)
        self.unused = Parameter(Tensor(np.ones(shape, np.float32)))

    def construct(self, x):
        return ops.reduce_mean(ops.square(self.layer(x)))


class Scaled(nn.Cell):
    """A batch times a function of one Parameter."""

    def __init__(self, function, shape):
        super().__init__()
        self.function, self.p = function, Parameter(Tensor(np.full(shape, 0.7, np.float32)))

    def construct(self, x):
        return ops.reduce_mean(ops.square(x * self.function(self.p)))


class Tied(nn.Cell):
    """An embedding whose table is the output's weight, too."""

    def __init__(self, vocabulary, width):
        super().__init__()
        self.table = nn.Embedding(vocabulary, width)

    def construct(self, ids):
        table = self.table.embedding_table
        logits = ops.matmul(ops.reshape(self.table(ids), (-1, table.shape[1])), table.T)
        return ops.cross_entropy(logits, ops.reshape(ids, (-1,)))


def slope(function, x):
    """The derivative of a function of one number."""
    return (function(x + 1e-5) - function(x - 1e-5)) / 2e-5


class LoneParametersTest(unittest.TestCase):
    """Sunk steps beside what they must do."""

    def test_unused_stays_without_decay(self):
        for name, make in OPTIMIZERS.items():
            with self.subTest(name):
                net = Unused((7, 9))
                sunk(net, make(net.trainable_params(), 0.0), X)
                np.testing.assert_array_equal(net.unused.asnumpy(), np.ones((7, 9)))

    def test_unused_decays(self):
        expected = {"SGD": (1 - RATE * DECAY) ** STEPS, "AdamWeightDecay": (1 - RATE * DECAY) ** STEPS}
        for name, make in OPTIMIZERS.items():
            for shape in ((), (7, 9)):
                with self.subTest(name, shape=shape):
                    net = Unused(shape)
                    sunk(net, make(net.trainable_params(), DECAY), X)
                    result = net.unused.asnumpy()
                    self.assertTrue((result == result.flat[0]).all() and 0 < result.flat[0] < 1, result)
                    if name in expected:
                        np.testing.assert_allclose(result, expected[name], rtol=1e-6)

    def test_functions_of_a_scalar(self):
        functions = {"sigmoid": (ops.sigmoid, lambda p: 1 / (1 + np.exp(-p))), "product": (lambda p: p * p + 1.0, lambda p: p * p + 1),
                     "exp": (lambda p: ops.exp(-p), lambda p: np.exp(-p))}
        for name, (function, reference) in functions.items():
            for shape in ((), (1,), (6,)):
                with self.subTest(name, shape=shape):
                    net = Scaled(function, shape)
                    sunk(net, nn.SGD(net.trainable_params(), RATE), X)
                    p = np.full(6 if shape == (6,) else 1, 0.7)
                    for rows in np.split(X.astype(np.float64), STEPS):
                        pull = 2 * (rows ** 2 * reference(p)).reshape(-1, 6 // len(p), len(p)).sum((0, 1)) / rows.size * slope(reference, p)
                        p = p - RATE * pull
                    np.testing.assert_allclose(net.p.asnumpy().reshape(-1), p, rtol=1e-5)

    def test_table_at_both_ends(self):
        """With as many looked-up rows as make a lookup of its own, and few."""
        for batch, length in ((2, 3), (16, 40)):
            with self.subTest(batch=batch):
                net, ids = Tied(32, 16), np.random.default_rng(1).integers(0, 32, (batch, length)).astype(np.int32)
                start = net.table.embedding_table.asnumpy().astype(np.float64)
                found = plumb.grad(net, None, net.trainable_params())(Tensor(ids))[0].asnumpy()
                flat = ids.reshape(-1)
                logits = start[flat] @ start.T
                shares = np.exp(logits - logits.max(1, keepdims=True))
                pull = (shares / shares.sum(1, keepdims=True) - np.eye(32)[flat]) / len(flat)
                expected = pull.T @ start[flat]
                np.add.at(expected, flat, pull @ start)
                np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
