"""A vision transformer on handwritten digits: `tools/python docs/examples/vit.py`.

An image is cut into patches, each patch becomes a vector with a place, and a transformer looks at them all at once (Dosovitskiy
et al. 2020). A vector of its own, put before them, gathers the answer.
"""

import argparse
import os

import plumb
from plumb import Parameter, dataset, nn, ops, train
from plumb.common.initializer import TruncatedNormal, initializer
from plumb.dataset import transforms, vision

DIGITS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "data", "mnist")


class ViT(nn.Cell):
    """Transformer layers over the patches of square images of one channel."""

    def __init__(self, side=28, patch=7, width=64, heads=4, layers=4, classes=10):
        super().__init__()
        count = (side // patch) ** 2
        # A convolution whose stride is its window is one product for each patch.
        self.patches = nn.Conv2d(1, width, patch, patch, pad_mode="valid", has_bias=True, weight_init=TruncatedNormal(0.1))
        self.answer = Parameter(initializer(TruncatedNormal(0.2), (1, 1, width)))
        self.places = Parameter(initializer(TruncatedNormal(0.2), (1, count + 1, width)))
        self.layers = nn.SequentialCell([
            nn.TransformerEncoderLayer(width, heads, 2 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
            for _ in range(layers)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.head = nn.Dense(width, classes, "xavier_uniform")

    def construct(self, images):
        """The logits."""
        x = self.patches(images)
        x = x.reshape(x.shape[:2] + (-1,)).transpose((0, 2, 1))
        answer = ops.broadcast_to(self.answer, (x.shape[0], 1, x.shape[2]))
        x = self.layers(ops.concat((answer, x), 1) + self.places)
        return self.head(self.norm(x[:, 0]))


def digits(folder, usage, size=50):
    """The data pipeline: images of unit variance, and labels."""
    data = dataset.MnistDataset(folder, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    data = data.map([vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], "image")
    return data.batch(size, drop_remainder=True)


def groups(network, decay):
    """The parameters in two groups: matrices decay; biases, norms and places do not."""
    matrices = [each for each in network.trainable_params() if each.ndim > 1 and each.name not in ("answer", "places")]
    names = {each.name for each in matrices}
    others = [each for each in network.trainable_params() if each.name not in names]
    return [{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]


def rates(steps, highest=0.002):
    """The learning rate of each step: it rises for a tenth of them, then falls to zero as half a cosine."""
    warm = steps // 10
    return (nn.warmup_lr(highest, warm, 1, warm) +
            nn.cosine_decay_lr(0.0, highest, steps - warm, 1, steps - warm))


def make_model(layers, steps):
    """A fresh network with its loss and optimizer; the list of rates lies on the device."""
    plumb.set_seed(1)
    network = ViT(layers=layers)
    optimizer = nn.AdamWeightDecay(groups(network, 0.05), rates(steps), beta2=0.99)
    return train.Model(network, nn.CrossEntropyLoss(), optimizer, {"accuracy"})


def main(arguments=None):
    """Trains; returns the accuracy on the test digits."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--epochs", type=int, default=8, help="passes over the training digits")
    parser.add_argument("--layers", type=int, default=4, help="layers of the transformer")
    parser.add_argument("--data", default=DIGITS, help="folder with MNIST's IDX files, plain or gzip")
    options = parser.parse_args(arguments)
    data = digits(options.data, "train")
    model = make_model(options.layers, options.epochs * data.get_dataset_size())
    model.train(options.epochs, data, callbacks=[train.LossMonitor()], dataset_sink_mode=True)
    accuracy = model.eval(digits(options.data, "test"), dataset_sink_mode=True)["accuracy"]
    print(f"accuracy on the test digits: {accuracy:.2%}")
    return accuracy


if __name__ == "__main__":
    main()
