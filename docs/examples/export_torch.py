"""A network of PyTorch and handwritten digits as files: `tools/python docs/examples/export_torch.py /tmp/digits`.

Writes /tmp/digits.onnx and /tmp/digits.npz, which plumbc compiles to a training without Python; see docs/onnx.md. It needs PyTorch
(Debian's python3-torch).
"""

import argparse
import os
import warnings

import numpy as np
import torch
from plumb import dataset
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
DIGITS = os.path.join(HERE, "..", "..", "test", "data", "mnist")


def network():
    """Convolutions with normalisation, and a dense layer."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, 2, 1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.BatchNorm2d(32), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.1), nn.Linear(32 * 7 * 7, 10))


def digits(folder):
    """Images (N, 1, 28, 28) from 0 to 1, and their labels."""
    rows = dataset.MnistDataset(folder, usage="train", shuffle=False).create_tuple_iterator(num_epochs=1, output_numpy=True)
    images, labels = zip(*rows)
    return np.stack(images).transpose(0, 3, 1, 2).astype(np.float32) / 255, np.array(labels).astype(np.int32).reshape(-1)


def main():
    """Writes both files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("stem", help="the files' path without .onnx and .npz")
    parser.add_argument("--data", default=DIGITS, help="folder of MNIST's files")
    options = parser.parse_args()
    torch.manual_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # As it is, to be trained: in the form for inference normalisations would be folded into convolutions.
        torch.onnx.export(network().eval(), torch.zeros(1, 1, 28, 28), options.stem + ".onnx", training=torch.onnx.TrainingMode.PRESERVE,
                          input_names=["images"], output_names=["scores"], dynamic_axes={"images": {0: "batch"}})
    images, labels = digits(options.data)
    np.savez(options.stem + ".npz", images=images, labels=labels)


if __name__ == "__main__":
    main()
