"""A GRU that reads digits row by row: `tools/python docs/examples/gru_classifier.py`.

An image of 28 rows is a sequence of 28 vectors. Two layers run over it in both directions; the states behind the last rows
decide.
"""

import argparse
import os

import plumb
from plumb import dataset, nn, ops, train
from plumb.dataset import transforms, vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")


class Reader(nn.Cell):
    """A GRU of two layers and two directions over the rows of images (N, 1, 28, 28)."""

    def __init__(self, hidden=64, dropout=0.2, classes=10):
        super().__init__()
        self.gru = nn.GRU(28, hidden, num_layers=2, batch_first=True, dropout=dropout, bidirectional=True)
        self.decision = nn.Dense(2 * hidden, classes, "xavier_uniform")

    def construct(self, images):
        """The logits."""
        _, states = self.gru(ops.squeeze(images, 1))
        # The last layer's states stand last: forward, then backward.
        return self.decision(ops.concat((states[-2], states[-1]), 1))


def digits(folder, usage, size):
    """The data pipeline: rows of images between 0 and 1, and labels."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], "image")
    return data.batch(size, drop_remainder=True)


def make_model(hidden, dropout):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = Reader(hidden, dropout)
    return train.Model(network, nn.CrossEntropyLoss(), nn.Adam(network.trainable_params(), learning_rate=0.004), {"accuracy"})


def main(arguments=None):
    """Trains; returns the accuracy on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=5, help="passes over the training digits")
    parser.add_argument("--hidden", type=int, default=64, help="size of a state")
    parser.add_argument("--dropout", type=float, default=0.2, help="share of the lower layer's outputs that is zeroed in training")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args(arguments)
    model = make_model(options.hidden, options.dropout)
    model.train(options.epochs, digits(options.data, "train", 50), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    accuracy = model.eval(digits(options.data, "test", 50), dataset_sink_mode=True)["accuracy"]
    print(f"accuracy on the test digits: {accuracy:.2%}")
    return accuracy


if __name__ == "__main__":
    main()
