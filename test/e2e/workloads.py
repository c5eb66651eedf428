"""The larger examples as the end-to-end tests use them: models, batches, and a PyTorch twin of each network."""

import os
import sys

from plumb import train

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "docs", "examples"))

import mlp  # pylint: disable=wrong-import-position
import resnet  # pylint: disable=wrong-import-position
import transformer  # pylint: disable=wrong-import-position

STRIDE = 211  # of the elements kept of a weight; prime, so that all axes are met

# name: (model, data of that many batches, steps compared)
WORKLOADS = {
    "mlp": (mlp.make_model, lambda: mlp.digits(), 20),
    "resnet8": (lambda: resnet.make_model(8), lambda: resnet.images(2), 6),
    "resnet20": (lambda: resnet.make_model(20), lambda: resnet.images(2), 3),
    "transformer": (transformer.make_model, lambda: transformer.sequences(2), 10),
}


class Losses(train.Callback):
    """Keeps every step's loss."""

    def __init__(self):
        self.values = []

    def step_report(self, step, loss):
        """Hears a step."""
        self.values.append(float(loss))


def weights(model):
    """The network's values by name, moving averages included."""
    return {name: parameter.asnumpy() for name, parameter in model._network.parameters_dict().items()}
