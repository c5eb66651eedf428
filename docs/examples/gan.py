"""Two networks that play against each other: `tools/python docs/examples/gan.py`.

A generator makes points of noise, a discriminator tells them from points of eight small clouds on a circle (Goodfellow et al.
2014). A step updates each by an optimizer of its own; both, and the noise, are inside the sunk loop. The discriminator sees four
points at a time (Lin et al. 2018): four points of one cloud give a generator away that has forgotten the others.
"""

import argparse

import numpy as np

import plumb
from plumb import dataset, nn, ops

CLOUDS, RADIUS, DEVIATION = 8, 2.0, 0.1
SEEN = 4  # points that the discriminator sees together


def centres():
    """The centres of the clouds."""
    angles = 2 * np.pi * np.arange(CLOUDS) / CLOUDS
    return (RADIUS * np.stack([np.cos(angles), np.sin(angles)], 1)).astype(np.float32)


def clouds(count, size):
    """The data pipeline: points, each cloud as often as the others."""
    rng = np.random.default_rng(1)
    points = centres()[np.arange(count) % CLOUDS] + DEVIATION * rng.standard_normal((count, 2))
    return dataset.NumpySlicesDataset((points.astype(np.float32),), ["point"], shuffle=True).batch(size, drop_remainder=True)


def perceptron(inputs, hidden, outputs):
    """Two hidden layers."""
    widths = [inputs, hidden, hidden]
    layers = [nn.Dense(below, above, "he_uniform", activation="relu") for below, above in zip(widths, widths[1:])]
    return nn.SequentialCell(*layers, nn.Dense(hidden, outputs, "xavier_uniform"))


class Game(nn.Cell):
    """Both players, their losses and their optimizers; a call is one round."""

    def __init__(self, noise=8, hidden=128, rate=0.001):
        super().__init__(auto_prefix=False)  # an optimizer holds weights of others, which a prefix would rename
        self.noise = noise
        self.generator, self.discriminator = perceptron(noise, hidden, 2), perceptron(2 * SEEN, hidden, 1)
        self.generator.update_parameters_name("generator.")
        self.discriminator.update_parameters_name("discriminator.")
        makes, tells = self.generator.trainable_params(), self.discriminator.trainable_params()
        self.make_optimizer = nn.Adam(makes, rate, beta1=0.5, beta2=0.9)
        self.tell_optimizer = nn.Adam(tells, rate, beta1=0.5, beta2=0.9)
        # Each loss is differentiated by the weights of the player whose loss it is.
        self.tell = plumb.value_and_grad(self.tell_loss, None, tells)
        self.make = plumb.value_and_grad(self.make_loss, None, makes)

    def told(self, points):
        """The discriminator's scores, high for real points."""
        return self.discriminator(points.reshape((-1, 2 * SEEN)))

    def tell_loss(self, points, made):
        """How badly real points are told from made ones."""
        real, fake = self.told(points), self.told(made)
        return ops.reduce_mean(ops.softplus(-real)) + ops.reduce_mean(ops.softplus(fake))

    def make_loss(self, noise):
        """How badly the discriminator is deceived."""
        return ops.reduce_mean(ops.softplus(-self.told(self.generator(noise))))

    def construct(self, points):
        """One update of each; returns the discriminator's loss and the generator's."""
        count = points.shape[0]
        tell_loss, gradients = self.tell(points, self.generator(ops.randn(count, self.noise)))
        self.tell_optimizer(gradients)
        make_loss, gradients = self.make(ops.randn(count, self.noise))
        self.make_optimizer(gradients)
        return tell_loss, make_loss

    def made(self, count):
        """So many points of the generator's."""
        return plumb.jit(lambda: self.generator(ops.randn(count, self.noise)))().asnumpy()


def judge(points):
    """The share of points within four deviations of a centre, and of these the share in the least visited cloud."""
    distances = np.linalg.norm(points[:, None] - centres()[None], axis=2)
    good = distances.min(1) < 4 * DEVIATION
    visits = np.bincount(distances.argmin(1)[good], minlength=CLOUDS)
    return good.mean(), visits.min() / max(1, visits.sum())


def main(arguments=None):
    """Trains; returns the two shares that `judge` gives for made points."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--steps", type=int, default=5000, help="rounds")
    parser.add_argument("--sink-size", type=int, default=1000, help="rounds of one launch")
    parser.add_argument("--batch", type=int, default=256, help="points of a round")
    options = parser.parse_args(arguments)
    plumb.set_seed(1)
    game = Game()
    rounds = plumb.data_sink(game, clouds(16 * options.batch, options.batch), sink_size=options.sink_size)
    for number in range(options.steps // options.sink_size):
        tell_loss, make_loss = rounds()
        good, least = judge(game.made(2000))
        print(f"round {(number + 1) * options.sink_size}: losses {float(tell_loss):.3f} and {float(make_loss):.3f}, "
              f"{good:.1%} in clouds, of these {least:.1%} in the least visited of {CLOUDS}", flush=True)
    return good, least


if __name__ == "__main__":
    main()
