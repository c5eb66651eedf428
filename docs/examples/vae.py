"""A variational autoencoder that learns to draw digits: `tools/python docs/examples/vae.py --samples digits.pgm`.

The encoder gives a normal distribution for each image, the decoder the probability of each pixel (Kingma and Welling 2013).
The noise between them is drawn on the device, inside the sunk step.
"""

import argparse
import math
import os

import numpy as np

import plumb
from plumb import dataset, nn, ops, train
from plumb.dataset import vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")


def dense(in_channels, out_channels, activation=None):
    """A dense layer with Glorot's first weights."""
    return nn.Dense(in_channels, out_channels, "xavier_uniform", activation=activation)


class VAE(nn.Cell):
    """Two perceptrons with a normal distribution between them; called with images, it gives the loss itself."""

    def __init__(self, hidden=400, latent=16):
        super().__init__()
        self.encoder = nn.SequentialCell(nn.Flatten(), dense(784, hidden, "relu"), dense(hidden, 2 * latent))
        self.decoder = nn.SequentialCell(dense(latent, hidden, "relu"), dense(hidden, 784))
        self.latent, self.pixel_loss = latent, nn.BCEWithLogitsLoss(reduction="sum")

    def construct(self, images):
        """The negative evidence lower bound: nats for an image, mean over the batch."""
        mean, log_variance = ops.split(self.encoder(images), self.latent, 1)
        noise = ops.standard_normal(mean.shape)
        logits = self.decoder(mean + ops.exp(0.5 * log_variance) * noise)
        # Pixels between black and white count as probabilities.
        pixels = self.pixel_loss(logits, images.reshape(logits.shape))
        divergence = -0.5 * ops.reduce_sum(1 + log_variance - mean * mean - ops.exp(log_variance))
        return (pixels + divergence) / images.shape[0]

    def draw(self, points):
        """The images (N, 28, 28) at points of the latent space."""
        return ops.sigmoid(self.decoder(points)).reshape((-1, 28, 28))


def digits(folder, usage, size=100):
    """The data pipeline: images between 0 and 1, without labels."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train").project(["image"])
    return data.map([vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], "image").batch(size, drop_remainder=True)


def save(path, images):
    """Writes images side by side into a PGM file, about as many rows as columns."""
    columns = math.isqrt(len(images))
    rows = [np.concatenate(list(images[first:first + columns]), 1) for first in range(0, columns * columns, columns)]
    pixels = (np.concatenate(rows) * 255).astype(np.uint8)
    with open(path, "wb") as file:
        file.write(b"P5 %d %d 255\n" % pixels.shape[::-1] + pixels.tobytes())


def make_model(hidden=400):
    """A fresh network, which is its own loss and its own measure."""
    plumb.set_seed(1)
    network = VAE(hidden)
    return train.Model(network, optimizer=nn.Adam(network.trainable_params(), learning_rate=0.002), eval_network=network,
                       metrics={"loss"})


def main(arguments=None):
    """Trains and draws; returns the loss on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=10, help="passes over the training digits")
    parser.add_argument("--hidden", type=int, default=400, help="units of each hidden layer")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    parser.add_argument("--samples", metavar="FILE", help="draw 64 digits into this PGM file")
    options = parser.parse_args(arguments)
    model = make_model(options.hidden)
    model.train(options.epochs, digits(options.data, "train"), callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    loss = model.eval(digits(options.data, "test"), dataset_sink_mode=True)["loss"]
    print(f"{loss:.1f} nats for a test digit")
    if options.samples:
        points = np.random.default_rng(1).standard_normal((64, 16)).astype(np.float32)
        save(options.samples, plumb.jit(model.predict_network.draw)(plumb.Tensor(points)).asnumpy())
    return loss


if __name__ == "__main__":
    main()
