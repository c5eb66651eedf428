"""What plumbc runs for an ONNX file: the network compiled for data, or trained on it.

    plumbc net.onnx -- --data test.npz                             one call; batches of its shape are pushed
    plumbc net.onnx -- --data train.npz --loss softmax-cross-entropy --optimizer momentum --learning-rate 0.05 --batch-size 64

Without a loss the executable has no data pipeline: whoever embeds it pushes batches of the data's shape (`runtime/api`).

A data file holds arrays with the names of the network's inputs, rows along their first axis; of one input any name will do. Labels
have the name "labels", or what --labels says.
"""

import argparse
import fnmatch
import sys
import zipfile

import numpy as np

from plumb import dataset, nn
from plumb.common.api import jit
from plumb.common.seed import set_seed
from plumb.common.tensor import Tensor
from plumb.onnx.network import load
from plumb.train.callback import LossMonitor
from plumb.train.model import Model

_LOSSES = {
    "softmax-cross-entropy": lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
    "binary-cross-entropy": nn.BCEWithLogitsLoss, "mean-squared-error": nn.MSELoss, "mean-absolute-error": nn.L1Loss}
_OPTIMIZERS = {
    "sgd": lambda weights, options: nn.SGD(weights, options.learning_rate, weight_decay=options.weight_decay),
    "momentum": lambda weights, options: nn.Momentum(weights, options.learning_rate, options.momentum, options.weight_decay),
    "adam": lambda weights, options: nn.Adam(weights, options.learning_rate, weight_decay=options.weight_decay),
    "adamw": lambda weights, options: nn.AdamWeightDecay(weights, options.learning_rate, weight_decay=options.weight_decay)}


def main(path, arguments):
    """Runs the recipe that the arguments describe; ends by SystemExit where it cannot: 1 for files at fault, 2 for arguments."""
    options = _parser(path).parse_args(arguments)
    set_seed(options.seed)
    try:
        net = load(path)
        arrays = _arrays(net, options)
        _freeze(net, options.freeze)
    except (NotImplementedError, OSError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        sys.exit(1)
    if options.loss is None:
        jit(net)(*[Tensor(array) for array in arrays])
    else:
        _train(net, arrays, options)


def _train(net, arrays, options):
    """Trains the network on rows of the arrays, the last of which are labels."""
    rows = dataset.NumpySlicesDataset(tuple(arrays), ["data", "labels"], shuffle=options.shuffle)
    model = Model(net, _LOSSES[options.loss](), _OPTIMIZERS[options.optimizer](net.trainable_params(), options))
    batches = rows.batch(options.batch_size, drop_remainder=True)
    model.train(options.epochs, batches, LossMonitor(), dataset_sink_mode=True, sink_size=options.sink_size)


def _parser(path):
    parser = argparse.ArgumentParser(prog=f"plumbc {path} --", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--data", required=True, metavar="FILE.npz", help="arrays of the inputs, and of labels to train with")
    parser.add_argument("--labels", default="labels", metavar="NAME", help="the labels' array")
    parser.add_argument("--loss", choices=sorted(_LOSSES), help="what to train; without one the network is compiled for calls")
    parser.add_argument("--optimizer", choices=sorted(_OPTIMIZERS), default="momentum")
    parser.add_argument("--learning-rate", type=float, default=0.01, metavar="RATE")
    parser.add_argument("--momentum", type=float, default=0.9, help="of the optimizer of this name")
    parser.add_argument("--weight-decay", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--batch-size", type=int, default=32, metavar="ROWS")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--sink-size", type=int, default=-1, metavar="STEPS", help="steps of a launch; -1 is an epoch's")
    parser.add_argument("--freeze", action="append", default=[], metavar="PATTERN",
                        help="Parameters that are not trained, by name, such as 'mask' or 'encoder.*'")
    parser.add_argument("--shuffle", action="store_true", help="another order of rows in each epoch")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def _arrays(net, options):
    """The arrays of the inputs in their order, and of the labels where there is a loss; raises ValueError where one is missing."""
    found = _read(options.data)
    names = [name for name, _, _, _ in net.inputs]
    if options.loss is not None and len(names) != 1:
        raise ValueError(f"training takes a network of one input and its labels, but this one has {len(names)} inputs")
    labels = found.pop(options.labels, None) if options.loss is not None or options.labels not in names else None
    if len(names) == 1 and names[0] not in found and len(found) == 1:
        found = {names[0]: next(iter(found.values()))}
    missing = [name for name in names if name not in found]
    if missing:
        raise ValueError(f"{options.data} has no array '{missing[0]}'; it has {', '.join(found) or 'none'}")
    arrays = [_converted(found[name], kind) for name, kind, _, _ in net.inputs]
    if options.loss is None:
        return arrays
    if labels is None:
        raise ValueError(f"{options.data} has no labels '{options.labels}'")
    return arrays + [labels.astype(np.int32) if labels.dtype == np.int64 else labels]


def _read(path):
    """The arrays of a file by name; raises ValueError where it is no .npz file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (zipfile.BadZipFile, TypeError, AttributeError, EOFError) as problem:
        raise ValueError(f"{path} is no file of arrays by name, as numpy.savez writes it: {problem}") from None


def _converted(array, kind):
    """A float array in the width that the network takes."""
    return array.astype(kind) if array.dtype.kind == "f" and kind in ("float16", "float32", "float64") else array


def _freeze(net, patterns):
    """Keeps Parameters from the optimizer."""
    for pattern in patterns:
        chosen = [one for one in net.get_parameters() if fnmatch.fnmatch(one.name, pattern)]
        if not chosen:
            raise ValueError(f"no Parameter has the name '{pattern}'; there are {', '.join(one.name for one in net.get_parameters())}")
        for one in chosen:
            one.requires_grad = False
