"""ResNet-8 and ResNet-20 for images of 3x32x32 (CIFAR's shape): `tools/python docs/examples/resnet.py --depth 20`.

The images are made up: a pattern per class and noise over it, so that nothing need be downloaded.
"""

import argparse
import math
import time

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import HeUniform, Uniform

BATCH = 128
BATCHES = 16


def convolution(in_channels, out_channels, kernel, stride=1):
    """A convolution without bias that keeps the extents, but for the stride."""
    return nn.Conv2d(in_channels, out_channels, kernel, stride, pad_mode="pad", padding=kernel // 2,
                     weight_init=HeUniform(math.sqrt(5)))


class Block(nn.Cell):
    """Two 3x3 convolutions and a shortcut around them; a 1x1 convolution is the shortcut where the shape changes."""

    def __init__(self, in_channels, out_channels, stride):
        super().__init__()
        self.conv1 = convolution(in_channels, out_channels, 3, stride)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.conv2 = convolution(out_channels, out_channels, 3)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.shortcut = nn.SequentialCell()
        if stride != 1 or in_channels != out_channels:
            self.shortcut = nn.SequentialCell(convolution(in_channels, out_channels, 1, stride),
                                              nn.BatchNorm2d(out_channels))

    def construct(self, x):
        """The block's result."""
        y = ops.relu(self.bn1(self.conv1(x)))
        return ops.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


class ResNet(nn.Cell):
    """A residual network of depth 6n + 2 with 16, 32 and 64 channels."""

    def __init__(self, depth=20, classes=10):
        super().__init__()
        if depth % 6 != 2:
            raise ValueError(f"The depth must be 6n + 2, but got {depth}.")
        self.conv = convolution(3, 16, 3)
        self.bn = nn.BatchNorm2d(16)
        blocks, width = [], 16
        for channels in (16, 32, 64):
            for index in range(depth // 6):
                blocks.append(Block(width, channels, 2 if index == 0 and channels != 16 else 1))
                width = channels
        self.blocks = nn.SequentialCell(blocks)
        self.head = nn.Dense(64, classes, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(64)))

    def construct(self, x):
        """The logits."""
        x = self.blocks(ops.relu(self.bn(self.conv(x))))
        return self.head(ops.mean(x, (2, 3)))


def images(batches=BATCHES, shuffle=True):
    """Made-up images with their classes, in batches."""
    rng = np.random.default_rng(5)
    patterns = rng.standard_normal((10, 3, 32, 32)).astype(np.float32)
    labels = rng.integers(0, 10, batches * BATCH).astype(np.int32)
    noise = rng.standard_normal((batches * BATCH, 3, 32, 32)).astype(np.float32)
    data = dataset.NumpySlicesDataset((noise + 0.5 * patterns[labels], labels), ["image", "label"], shuffle=shuffle)
    return data.batch(BATCH, drop_remainder=True)


def make_model(depth=20):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = ResNet(depth)
    return train.Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                       nn.Momentum(network.trainable_params(), learning_rate=0.01, momentum=0.9))


def main():
    """Trains."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--depth", type=int, default=20, help="number of layers, 6n + 2")
    parser.add_argument("--steps", type=int, default=64, help="training steps")
    parser.add_argument("--sink-size", type=int, default=16, help="steps of one launch")
    parser.add_argument("--batches", type=int, default=BATCHES, help="batches in the data set")
    options = parser.parse_args()
    model, start = make_model(options.depth), time.perf_counter()
    model.train(max(1, options.steps // options.sink_size), images(options.batches), callbacks=[train.LossMonitor()],
                dataset_sink_mode=True, sink_size=options.sink_size)
    print(f"{model.steps / (time.perf_counter() - start):.2f} steps/s, compiling included")


if __name__ == "__main__":
    main()
