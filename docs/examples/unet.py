"""A U-Net that finds discs and squares: `tools/python docs/examples/unet.py`.

Each pixel of a noisy image gets a class: ground, disc or square. The way down halves the image and doubles the channels, the
way up does the reverse, and each of its levels sees the level beside it on the way down (Ronneberger et al. 2015).
"""

import argparse

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.common.initializer import HeUniform

SIDE, CLASSES = 32, 3


def scene(rng):
    """One image (1, SIDE, SIDE) of up to four shapes in noise, and the class of each pixel."""
    rows, columns = np.mgrid[:SIDE, :SIDE]
    classes = np.zeros((SIDE, SIDE), np.int32)
    for _ in range(rng.integers(1, 5)):
        row, column, radius, kind = *rng.uniform(4, SIDE - 4, 2), rng.uniform(3, 7), rng.integers(1, CLASSES)
        down, right = abs(rows - row), abs(columns - column)
        classes[(down ** 2 + right ** 2 < radius ** 2) if kind == 1 else (np.maximum(down, right) < 0.89 * radius)] = kind
    # Both shapes are equally bright and equally large: only their outlines differ.
    image = np.where(classes > 0, 1.0, 0.0) + 0.3 * rng.standard_normal((SIDE, SIDE))
    return image[None].astype(np.float32), classes


def scenes(count, seed, shuffle, size=20):
    """The data pipeline."""
    rng = np.random.default_rng(seed)
    images, classes = zip(*(scene(rng) for _ in range(count)))
    data = dataset.NumpySlicesDataset((np.stack(images), np.stack(classes)), ["image", "classes"], shuffle=shuffle)
    return data.batch(size, drop_remainder=True)


def convolution(in_channels, out_channels):
    """A 3x3 convolution, normalised and rectified."""
    return nn.SequentialCell(nn.Conv2d(in_channels, out_channels, 3, weight_init=HeUniform()), nn.BatchNorm2d(out_channels),
                             nn.ReLU())


def block(in_channels, out_channels):
    """Two convolutions."""
    return nn.SequentialCell(convolution(in_channels, out_channels), convolution(out_channels, out_channels))


class UNet(nn.Cell):
    """Levels of `width`, 2 `width`, 4 `width` … channels, each half as large as the one above."""

    def __init__(self, width=16, levels=3):
        super().__init__()
        widths = [width << level for level in range(levels)]
        self.first = block(1, width)
        self.down = nn.CellList([block(above, below) for above, below in zip(widths, widths[1:])])
        self.halve = nn.MaxPool2d(2, 2)
        self.double = nn.CellList([nn.Conv2dTranspose(below, above, 2, 2, weight_init=HeUniform())
                                   for above, below in reversed(list(zip(widths, widths[1:])))])
        self.up = nn.CellList([block(2 * width, width) for width in reversed(widths[:-1])])
        self.scores = nn.Conv2d(width, CLASSES, 1, has_bias=True, weight_init=HeUniform())

    def construct(self, x):
        """The scores of the classes, (N, CLASSES, H, W)."""
        x = self.first(x)
        beside = []
        for down in self.down:
            beside.append(x)
            x = down(self.halve(x))
        for double, up in zip(self.double, self.up):
            x = up(ops.concat((beside.pop(), double(x)), 1))
        return self.scores(x)


class MeanIoU(train.Metric):
    """For each class, the pixels that are and are said to be of it over those that are or are said to be; their mean."""

    def clear(self):
        """Forgets all pixels."""
        self.counts = np.zeros((CLASSES, CLASSES))

    def update(self, *inputs):
        """Counts the pixels of a batch by (class, class said)."""
        scores, classes = (each.asnumpy() for each in inputs)
        np.add.at(self.counts, (classes.reshape(-1), scores.argmax(1).reshape(-1)), 1)

    def eval(self):
        """The mean over the classes."""
        both = np.diag(self.counts)
        return (both / (self.counts.sum(0) + self.counts.sum(1) - both)).mean()


def make_model(width=16):
    """A fresh network with its loss and optimizer."""
    plumb.set_seed(1)
    network = UNet(width)
    return train.Model(network, nn.CrossEntropyLoss(), nn.Adam(network.trainable_params(), learning_rate=0.01),
                       {"mean IoU": MeanIoU()})


def main(arguments=None):
    """Trains; returns the mean IoU on other scenes."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=10, help="passes over the training scenes")
    parser.add_argument("--scenes", type=int, default=1000, help="training scenes")
    parser.add_argument("--width", type=int, default=16, help="channels of the largest level")
    options = parser.parse_args(arguments)
    model = make_model(options.width)
    model.train(options.epochs, scenes(options.scenes, 1, True), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    quality = model.eval(scenes(200, 2, False), dataset_sink_mode=True)["mean IoU"]
    print(f"mean IoU on 200 other scenes: {quality:.3f}")
    return quality


if __name__ == "__main__":
    main()
