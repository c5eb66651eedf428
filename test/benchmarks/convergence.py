"""LeNet-5 and ResNet-8 on all of MNIST, in float32 and in mixed precision, beside PyTorch in float32.

    tools/python test/benchmarks/convergence.py --data ~/mnist

Everybody begins with the same weights and sees the same batches in the same order, by the same learning rates. Prints a table of
accuracies on the test digits; exits with 1 where one differs from PyTorch's by more than --limit.
"""

import argparse
import math
import os
import sys
import time

import numpy as np

import plumb
from plumb import amp, dataset, nn, train
from plumb.common.initializer import initializer
from plumb.dataset import transforms, vision

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "docs", "examples"))

import lenet  # pylint: disable=wrong-import-position
import resnet  # pylint: disable=wrong-import-position

BATCH = 100
SIDES = {"LeNet-5": 32, "ResNet-8": 28}  # of an image
EPOCHS = {"LeNet-5": 3, "ResNet-8": 1}
LEVELS = ("O0", "O2 bf16", "O2 f16")


def make_network(name):
    """A fresh network, from seed 1."""
    plumb.set_seed(1)
    if name == "LeNet-5":
        network = lenet.LeNet5()
        for layer in (0, 2, 4):  # by default so small that the first epoch learns nothing
            weight = network.dense[layer].weight
            weight.set_data(initializer("he_uniform", weight.shape))
        return network
    network = resnet.ResNet(8)
    network.conv = resnet.convolution(1, 16, 3)  # digits are grey
    return network


def digits(options, usage, side):
    """The data pipeline; training digits come in a new order each epoch."""
    data = dataset.MnistDataset(options.data, usage=usage, shuffle=usage == "train")
    data = data.map(transforms.TypeCast(plumb.int32), "label")
    resize = [vision.Resize((side, side))] if side != 28 else []
    data = data.map(resize + [vision.Rescale(1 / 255, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081), vision.HWC2CHW()], "image")
    data = data.batch(BATCH, drop_remainder=True)
    return data.take(options.batches) if options.batches else data


def rates(steps, highest=0.05):
    """The learning rate of each step: half a cosine behind a short rise."""
    return [highest * min(1.0, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * step / steps)) for step in range(steps)]


def ours(name, level, epochs, options):
    """Trains; returns the accuracy and the losses."""
    network, side = make_network(name), SIDES[name]
    data, losses = digits(options, "train", side), []
    optimizer = nn.Momentum(network.trainable_params(), rates(epochs * data.get_dataset_size()), 0.9)
    if level == "O2 bf16":
        network = amp.auto_mixed_precision(network, "O2", plumb.bfloat16)  # its range is float32's: no scale is needed
    model = train.Model(network, nn.CrossEntropyLoss(), optimizer, {"accuracy"}, amp_level="O2" if level == "O2 f16" else "O0")
    listener = train.Callback()
    listener.step_report = lambda step, loss: losses.append(float(loss))
    model.train(epochs, data, listener, dataset_sink_mode=True)
    return model.eval(digits(options, "test", side), dataset_sink_mode=True)["accuracy"], losses


def torch_lenet(w, x, _):
    """LeNet's logits."""
    import torch.nn.functional as F
    for conv in ("conv1", "conv2"):
        x = F.max_pool2d(F.relu(F.conv2d(x, w[conv + ".weight"])), 2)
    x = x.flatten(1)
    for layer in (0, 2, 4):
        x = F.linear(F.relu(x) if layer else x, w[f"dense.{layer}.weight"], w[f"dense.{layer}.bias"])
    return x


def torch_resnet(w, x, training):
    """ResNet's logits."""
    import torch.nn.functional as F

    def norm(name, value):
        return F.batch_norm(value, w[name + ".moving_mean"], w[name + ".moving_variance"], w[name + ".gamma"], w[name + ".beta"],
                            training, 0.1, 1e-5)

    x = F.relu(norm("bn", F.conv2d(x, w["conv.weight"], padding=1)))
    for block in range(3):
        name = f"blocks.{block}."
        stride = 1 if block == 0 else 2
        y = F.relu(norm(name + "bn1", F.conv2d(x, w[name + "conv1.weight"], stride=stride, padding=1)))
        y = norm(name + "bn2", F.conv2d(y, w[name + "conv2.weight"], padding=1))
        if block:
            x = norm(name + "shortcut.1", F.conv2d(x, w[name + "shortcut.0.weight"], stride=stride))
        x = F.relu(x + y)
    return F.linear(x.mean((2, 3)), w["head.weight"], w["head.bias"])


def theirs(name, epochs, options):
    """PyTorch's accuracy and losses from the same weights on the same batches."""
    import torch
    torch.set_num_threads(1)
    forward = {"LeNet-5": torch_lenet, "ResNet-8": torch_resnet}[name]
    network, side = make_network(name), SIDES[name]
    trained = {each.name for each in network.trainable_params()}
    w = {key: torch.tensor(value.asnumpy().copy(), requires_grad=key in trained) for key, value in network.parameters_dict().items()}
    data, losses = digits(options, "train", side), []
    optimizer = torch.optim.SGD([value for value in w.values() if value.requires_grad], 0.1, momentum=0.9)
    batches = iter(data.repeat())
    for rate in rates(epochs * data.get_dataset_size()):
        images, labels = (torch.tensor(each.asnumpy()) for each in next(batches))
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(forward(w, images, True), labels.long())
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    with torch.no_grad():
        right = [forward(w, torch.tensor(images.asnumpy()), False).argmax(1).numpy() == labels.asnumpy()
                 for images, labels in digits(options, "test", side)]
    return float(np.mean(right)), losses


def parse(arguments=None):
    """The command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", default=os.path.join(ROOT, "test", "data", "mnist"), help="folder with MNIST's IDX files, plain or gzip")
    parser.add_argument("--epochs", type=int, default=0, help="passes over the training digits; by default 3 of LeNet-5, 1 of ResNet-8")
    parser.add_argument("--networks", default=",".join(SIDES), help="of " + ", ".join(SIDES))
    parser.add_argument("--levels", default=",".join(LEVELS), help="of " + ", ".join(LEVELS))
    parser.add_argument("--limit", type=float, default=0.003, help="difference of accuracies that is too large")
    parser.add_argument("--batches", type=int, default=0, help="look at so many batches only")
    return parser.parse_args(arguments)


def main():
    """Trains everybody; returns the exit code."""
    options = parse()
    failed = False
    print("| network | computed by | accuracy | difference | mean loss of the last 100 steps | seconds |\n|---|---|---|---|---|---|")
    for name in options.networks.split(","):
        reference, epochs = None, options.epochs or EPOCHS[name]
        for level in ("PyTorch", *options.levels.split(",")):
            start = time.perf_counter()
            accuracy, losses = theirs(name, epochs, options) if level == "PyTorch" else ours(name, level, epochs, options)
            reference = accuracy if reference is None else reference
            failed = failed or abs(accuracy - reference) > options.limit
            print(f"| {name} | {level} | {accuracy:.2%} | {accuracy - reference:+.2%} | {np.mean(losses[-100:]):.4f} | "
                  f"{time.perf_counter() - start:.0f} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
