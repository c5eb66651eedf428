"""A perceptron of three dense layers, 784-512-512-10, on handwritten digits: `tools/python docs/examples/mlp.py`."""

import argparse
import math
import os
import time

import plumb
from plumb import dataset, nn, train
from plumb.common.initializer import HeUniform, Uniform
from plumb.dataset import transforms, vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")
BATCH = 128


def dense(in_channels, out_channels, activation=None):
    """A dense layer whose first values are uniform between plus and minus one over the root of `in_channels`."""
    return nn.Dense(in_channels, out_channels, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(in_channels)),
                    activation=activation)


class MLP(nn.Cell):
    """Two hidden layers."""

    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.fc1 = dense(784, 512, "relu")
        self.fc2 = dense(512, 512, "relu")
        self.fc3 = dense(512, 10)

    def construct(self, x):
        """The logits."""
        return self.fc3(self.fc2(self.fc1(self.flatten(x))))


def digits(folder=DIGITS, usage="train", batch_size=BATCH):
    """The data pipeline: rows in a new order each epoch, scaled to about unit variance."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()],
                    "image")
    return data.batch(batch_size, drop_remainder=True)


def make_model():
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = MLP()
    return train.Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                       nn.Momentum(network.trainable_params(), learning_rate=0.01, momentum=0.9),
                       metrics={"accuracy"})


def main():
    """Trains and evaluates."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--steps", type=int, default=620, help="training steps")
    parser.add_argument("--sink-size", type=int, default=62, help="steps of one launch")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args()
    model, start = make_model(), time.perf_counter()
    model.train(max(1, options.steps // options.sink_size), digits(options.data), callbacks=[train.LossMonitor()],
                dataset_sink_mode=True, sink_size=options.sink_size)
    print(f"{model.steps / (time.perf_counter() - start):.1f} steps/s, compiling included")
    print(f"accuracy on the test digits: {model.eval(digits(options.data, 'test', 16))['accuracy']:.2%}")


if __name__ == "__main__":
    main()
