"""Large batches from small ones, in mixed precision: `tools/python docs/examples/accumulation.py`.

Gradients of several small batches are added up on the device, and only the last one of each group updates the network: the
memory is that of a small batch, the step that of a large one. Layers compute in float16, with a loss that is scaled so that
small gradients survive; a group whose gradients overflow is dropped and the scale is lowered.
"""

import argparse
import os

import plumb
from plumb import Parameter, Tensor, amp, dataset, nn, ops, train
from plumb.dataset import transforms, vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")


def make_network():
    """A small convolutional network."""
    return nn.SequentialCell(
        nn.Conv2d(1, 16, 5, 2, weight_init="he_uniform"), nn.ReLU(), nn.Conv2d(16, 32, 5, 2, weight_init="he_uniform"), nn.ReLU(),
        nn.Flatten(), nn.Dense(32 * 7 * 7, 128, "he_uniform", activation="relu"), nn.Dense(128, 10, "xavier_uniform"))


class AccumulatingStep(nn.Cell):
    """One small batch: adds its gradients up, and after every `count`-th updates the network by their mean.

    Args:
      network: gives the loss.
      optimizer: updates the network.
      count: batches of a group.
      scaler: scales the loss; None for networks in float32.
    """

    def __init__(self, network, optimizer, count, scaler=None):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.count, self.scaler = network, optimizer, count, scaler
        self.gradients = plumb.value_and_grad(self.scaled_loss, None, optimizer.parameters)
        self.sums = optimizer.parameters.clone("sum", "zeros")
        self.batches = Parameter(Tensor(0, plumb.int32), name="batches", requires_grad=False)
        self.map = ops.HyperMap()

    def scaled_loss(self, images, labels):
        """The loss of a batch, scaled."""
        loss = self.network(images, labels)
        return loss if self.scaler is None else self.scaler.scale(loss)

    def unscaled(self, values):
        """A tensor, or a tuple of them, without the scale."""
        return values if self.scaler is None else self.scaler.unscale(values)

    def construct(self, images, labels):
        """One batch; returns its loss."""
        loss, gradients = self.gradients(images, labels)
        self.map(ops.partial(ops.assign_add), self.sums, gradients)
        ops.assign_add(self.batches, 1)
        if self.batches % self.count == 0:
            self.update()
        return self.unscaled(loss)

    def update(self):
        """The step of a whole group."""
        finite = amp.all_finite(self.sums)
        if finite:
            means = ()
            for each in self.unscaled(self.sums):
                means = means + (each / self.count,)
            self.optimizer(means)
        if self.scaler is not None:
            self.scaler.adjust(finite)
        for each in self.sums:
            ops.assign(each, ops.zeros_like(each))


def digits(folder, usage, size):
    """The data pipeline: images of unit variance, and labels."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], "image")
    return data.batch(size, drop_remainder=True)


def make_step(count, level="O2", rate=0.05):
    """A fresh network, and the step that trains it."""
    plumb.set_seed(1)
    network = make_network()
    optimizer = nn.Momentum(network.trainable_params(), rate, 0.9)
    amp.auto_mixed_precision(network, level)  # float16; the parameters, sums and moments stay float32
    scaler = None if level == "O0" else amp.DynamicLossScaler(2.0 ** 16, 2, 100)
    return network, AccumulatingStep(nn.WithLossCell(network, nn.CrossEntropyLoss()), optimizer, count, scaler)


def main(arguments=None):
    """Trains; returns the accuracy on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=5, help="passes over the training digits")
    parser.add_argument("--batch", type=int, default=20, help="images that are in memory at once")
    parser.add_argument("--count", type=int, default=5, help="batches of an update")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args(arguments)
    network, step = make_step(options.count)
    # The step is its own optimizer: Model only sinks it.
    model = train.Model(step)
    model.train(options.epochs, digits(options.data, "train", options.batch), [train.LossMonitor()], dataset_sink_mode=True)
    judge = train.Model(network, nn.CrossEntropyLoss(), metrics={"accuracy"})
    accuracy = judge.eval(digits(options.data, "test", 100), dataset_sink_mode=True)["accuracy"]
    print(f"{model.steps} batches, the scale of the loss is {float(step.scaler.scale_value):g} now; "
          f"accuracy on the test digits: {accuracy:.2%}")
    return accuracy


if __name__ == "__main__":
    main()
