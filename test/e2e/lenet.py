"""The LeNet-5 training that the end-to-end tests share: network, data and a short run."""

import os

import plumb
from plumb import dataset, nn, train
from plumb.common.initializer import TruncatedNormal
from plumb.dataset import transforms, vision

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
DIGITS = os.path.join(ROOT, "test", "data", "mnist")
NAMES = ("conv1.weight", "conv2.weight", "fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias", "fc3.weight", "fc3.bias")


class LeNet5(nn.Cell):
    """LeNet-5 with every weight and bias drawn from one truncated normal."""

    def __init__(self, sigma):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=TruncatedNormal(sigma))
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=TruncatedNormal(sigma))
        self.fc1 = nn.Dense(400, 120, TruncatedNormal(sigma), TruncatedNormal(sigma))
        self.fc2 = nn.Dense(120, 84, TruncatedNormal(sigma), TruncatedNormal(sigma))
        self.fc3 = nn.Dense(84, 10, TruncatedNormal(sigma), TruncatedNormal(sigma))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)

    def construct(self, x):
        """The computation."""
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = plumb.ops.reshape(x, (x.shape[0], -1))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


def digits(usage="train", batch_size=32, shuffle=True, folder=DIGITS):
    """The data pipeline."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=shuffle)
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Resize((32, 32)), vision.Rescale(1 / 255, 0.0),
                     vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], "image")
    data = data.shuffle(1000) if shuffle else data
    return data.batch(batch_size, drop_remainder=True)


def make_model(sigma=0.1, metrics=None):
    """A fresh network with its loss and optimizer, from seed 1."""
    plumb.set_seed(1)
    network = LeNet5(sigma)
    return train.Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
                       nn.Momentum(network.trainable_params(), 0.01, 0.9), metrics=metrics)


class Losses(train.Callback):
    """Keeps every step's loss."""

    def __init__(self):
        self.values = []

    def step_report(self, step, loss):
        """Hears a step."""
        assert step == len(self.values) + 1
        self.values.append(loss)


def weights(model):
    """The trained values by name."""
    parameters = model._network.parameters_dict()
    return {name: parameters[name].asnumpy() for name in NAMES}
