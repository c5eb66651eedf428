"""A training with shuffled data, random layers, a rate that changes with each step and an optimizer with state, for
run_checkpoint_test; 6 steps in an epoch.

    run_checkpoint_program.py FOLDER EPOCHS      trains in sinks of 500 steps with checkpoints
"""

import sys

import numpy as np

import plumb
from plumb import dataset, nn, ops, train

X = np.random.RandomState(0).randn(48, 6).astype(np.float32)
Y = (np.arange(48) % 3).astype(np.int32)


class Noisy(nn.Cell):
    """Two layers with dropout and noise."""

    def __init__(self):
        super().__init__()
        self.first, self.drop, self.last = nn.Dense(6, 8), nn.Dropout(p=0.5), nn.Dense(8, 3)

    def construct(self, x):
        """Returns the classes' scores."""
        return self.last(self.drop(ops.relu(self.first(x)))) + 0.01 * ops.randn(8, 3)


def rows():
    """The data from Python."""
    for x, y in zip(X, Y):
        yield x, y


def make(kind="arrays", seed=7):
    """Returns a fresh model and its data."""
    plumb.set_seed(seed)
    net = Noisy()
    if kind == "arrays":
        data = dataset.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=True)
    else:
        data = dataset.GeneratorDataset(rows, ["x", "y"]).shuffle(20)
    rates = [0.01 / (1 + step) for step in range(200)]
    model = train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                        nn.Adam(net.trainable_params(), rates), metrics={"loss", "accuracy"})
    return model, data.batch(8, drop_remainder=True)


if __name__ == "__main__":
    trained, batches = make()
    trained.train(int(sys.argv[2]), batches, [train.RunCheckpoint(sys.argv[1], every_n_steps=7)], dataset_sink_mode=True,
                  sink_size=500)
