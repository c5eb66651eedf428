"""MobileNetV2 on handwritten digits: `tools/python docs/examples/mobilenet_v2.py`.

Inverted residuals (Sandler et al. 2018): a 1x1 convolution widens, a depthwise one looks around, a 1x1 one narrows, and narrow
ends that fit are added. The learning rate warms up and then falls as half a cosine, on the device.
"""

import argparse
import os

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import HeNormal
from plumb.dataset import transforms, vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")
# How often the channels are widened, channels, blocks, stride of the first block: the paper's rows, less deep for small images.
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 40, 2, 2), (6, 96, 1, 1))


def convolution(in_channels, out_channels, kernel=1, stride=1, group=1, rectified=True):
    """A convolution, normalised and, unless it ends a block, rectified."""
    layers = [nn.Conv2d(in_channels, out_channels, kernel, stride, group=group,
                        weight_init=HeNormal(mode="fan_out", nonlinearity="relu")), nn.BatchNorm2d(out_channels)]
    return nn.SequentialCell(layers + [nn.ReLU6()] if rectified else layers)


class Block(nn.Cell):
    """An inverted residual."""

    def __init__(self, in_channels, out_channels, stride, widened):
        super().__init__()
        hidden = in_channels * widened
        widen = [convolution(in_channels, hidden)] if widened > 1 else []
        self.body = nn.SequentialCell(widen + [convolution(hidden, hidden, 3, stride, group=hidden),
                                               convolution(hidden, out_channels, rectified=False)])
        self.adds = stride == 1 and in_channels == out_channels

    def construct(self, x):
        """The block's result."""
        return x + self.body(x) if self.adds else self.body(x)


class MobileNetV2(nn.Cell):
    """For images of one channel; `width` multiplies all channels, rounded to multiples of 8."""

    def __init__(self, width=0.5, classes=10):
        super().__init__()
        channels = [max(8, int(width * row[1] + 4) // 8 * 8) for row in STAGES]
        blocks, last = [convolution(1, channels[0], 3, 1)], channels[0]
        for (widened, _, count, stride), here in zip(STAGES, channels):
            for index in range(count):
                blocks.append(Block(last, here, stride if index == 0 else 1, widened))
                last = here
        self.blocks = nn.SequentialCell(blocks + [convolution(last, 4 * last)])
        self.head = nn.Dense(4 * last, classes, "xavier_uniform")

    def construct(self, images):
        """The logits."""
        return self.head(ops.mean(self.blocks(images), (2, 3)))


def digits(folder, usage, size):
    """The data pipeline: images of unit variance, and labels."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], "image")
    return data.batch(size, drop_remainder=True)


class Rate(nn.learning_rate_schedule.LearningRateSchedule):
    """Rises evenly for the first tenth of the steps, then falls to zero as half a cosine."""

    def __init__(self, highest, steps):
        super().__init__()
        self.warm = max(1, steps // 10)
        self.rise = nn.WarmUpLR(highest, self.warm)
        self.fall = nn.CosineDecayLR(0.0, highest, max(1, steps - self.warm))

    def construct(self, global_step):
        """The rate of a step."""
        if global_step < self.warm:
            return self.rise(global_step)
        return self.fall(global_step - self.warm)


def make_model(width, steps):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = MobileNetV2(width)
    optimizer = nn.Momentum(network.trainable_params(), Rate(0.1, steps), 0.9, weight_decay=4e-5)
    return train.Model(network, nn.CrossEntropyLoss(label_smoothing=0.1), optimizer, {"accuracy"})


def main(arguments=None):
    """Trains; returns the accuracy on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=5, help="passes over the training digits")
    parser.add_argument("--width", type=float, default=0.5, help="multiplier of all channels")
    parser.add_argument("--batch", type=int, default=100, help="images of a step")
    parser.add_argument("--take", type=int, default=0, help="train on so many batches only")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args(arguments)
    data = digits(options.data, "train", options.batch)
    data = data.take(options.take) if options.take else data
    model = make_model(options.width, options.epochs * data.get_dataset_size())
    model.train(options.epochs, data, callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    accuracy = model.eval(digits(options.data, "test", 100), dataset_sink_mode=True)["accuracy"]
    print(f"accuracy on the test digits: {accuracy:.2%}")
    return accuracy


if __name__ == "__main__":
    main()
