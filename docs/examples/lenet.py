"""LeNet-5 on handwritten digits, trained in sinks: `tools/python docs/examples/lenet.py`.

One executable holds the step, the loop and the queue. The host starts it once per sink and hears every step's loss
while it runs.
"""

import argparse
import os
import time

import plumb
from plumb import dataset, nn, train
from plumb.common.initializer import TruncatedNormal
from plumb.dataset import transforms, vision

HERE = os.path.dirname(os.path.abspath(__file__))
DIGITS = os.path.join(HERE, "..", "..", "test", "data", "mnist")


class LeNet5(nn.Cell):
    """Two convolutions and three dense layers."""

    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=TruncatedNormal(0.1))
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=TruncatedNormal(0.1))
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.dense = nn.SequentialCell(nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(),
                                       nn.Dense(84, classes))

    def construct(self, x):
        """The computation; it is compiled."""
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        return self.dense(self.flatten(x))


def digits(folder, usage, batch_size, shuffle):
    """Returns the data pipeline: decode, scale to about unit variance, shuffle, batch."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=shuffle)
    data = data.map(transforms.TypeCast(plumb.int32), input_columns="label")
    data = data.map([vision.Resize((32, 32)), vision.Rescale(1 / 255, 0.0),
                     vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], input_columns="image")
    return data.batch(batch_size, drop_remainder=shuffle)


class Meter(train.Callback):
    """Hears every step's loss; prints the mean and the speed of each sink after LossMonitor's line."""

    def begin(self, run_context):
        """Starts with nothing heard."""
        self.losses = []

    def step_begin(self, run_context):
        """Starts the clock of a sink."""
        self.start, self.losses = time.perf_counter(), []

    def step_report(self, step, loss):
        """Hears one step while the loop runs."""
        self.losses.append(float(loss))

    def step_end(self, run_context):
        """Prints what the sink did."""
        seconds = time.perf_counter() - self.start
        mean = sum(self.losses) / len(self.losses)
        print(f"    mean loss of the sink {mean:.4f}, {len(self.losses) / seconds:.1f} steps/s", flush=True)


def main():
    """Trains, evaluates, and says how it went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10, help="passes over the training digits")
    parser.add_argument("--sink-size", type=int, default=250, help="steps of one launch")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args()

    plumb.set_seed(1)
    training = digits(options.data, "train", 32, shuffle=True)
    # The last batch of the test digits would be smaller: 16 divides them evenly.
    testing = digits(options.data, "test", 16, shuffle=False)
    network = LeNet5()
    model = train.Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                        nn.Momentum(network.trainable_params(), learning_rate=0.02, momentum=0.9),
                        metrics={"accuracy"})
    sinks = max(1, options.epochs * training.get_dataset_size() // options.sink_size)
    start = time.perf_counter()
    model.train(sinks, training, callbacks=[train.LossMonitor(), Meter()], dataset_sink_mode=True,
                sink_size=options.sink_size)
    seconds = time.perf_counter() - start
    print(f"{model.steps} steps in {model.launches} launches, {seconds:.1f} s with compiling")
    print(f"accuracy on the test digits: {model.eval(testing)['accuracy']:.2%}")


if __name__ == "__main__":
    main()
