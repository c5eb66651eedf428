#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts the project's small MNIST out of the whole one: the first digits of each class, in their order.

Usage: cut_mnist.py FROM [TO] [--train 8000] [--test 2000]

FROM holds MNIST's four IDX files, plain or gzip; TO (default: test/data/mnist) gets four gzip files. The result depends on
nothing but the input, so that running it again changes no byte.
"""

import argparse
import gzip
import os
import struct
import sys

CLASSES = 10


def read(folder, name, dimensions):
    """Returns the sizes and the bytes of IDX file `name`, plain or gzip."""
    path = os.path.join(folder, name)
    if os.path.exists(path):
        data = open(path, "rb").read()
    elif os.path.exists(path + ".gz"):
        data = gzip.open(path + ".gz", "rb").read()
    else:
        sys.exit(f"cut_mnist: {folder} holds neither {name} nor {name}.gz")
    magic, *sizes = struct.unpack_from(f">{dimensions + 1}I", data)
    if magic != 0x0800 + dimensions:
        sys.exit(f"cut_mnist: {name}: magic number 0x{magic:08x}")
    return sizes, data[4 * (dimensions + 1):]


def write(folder, name, sizes, data):
    """Writes IDX file `name`.gz without a time stamp."""
    header = struct.pack(f">{len(sizes) + 1}I", 0x0800 + len(sizes), *sizes)
    with open(os.path.join(folder, name + ".gz"), "wb") as file:
        file.write(gzip.compress(header + data, compresslevel=9, mtime=0))


def cut(source, target, prefix, count):
    """Cuts `count` digits, as many of each class, of the set `prefix`."""
    (_, height, width), images = read(source, prefix + "-images-idx3-ubyte", 3)
    _, labels = read(source, prefix + "-labels-idx1-ubyte", 1)
    left = [count // CLASSES] * CLASSES
    chosen = []
    for index, label in enumerate(labels):
        if left[label] > 0:
            left[label] -= 1
            chosen.append(index)
    if any(left):
        sys.exit(f"cut_mnist: {prefix}: too few digits of some class")
    size = height * width
    pixels = b"".join(images[i * size:(i + 1) * size] for i in chosen)
    write(target, prefix + "-images-idx3-ubyte", [len(chosen), height, width], pixels)
    write(target, prefix + "-labels-idx1-ubyte", [len(chosen)], bytes(labels[i] for i in chosen))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="FROM")
    parser.add_argument("target", metavar="TO", nargs="?",
                        default=os.path.join(os.path.dirname(__file__), "../../test/data/mnist"))
    parser.add_argument("--train", type=int, default=8000)
    parser.add_argument("--test", type=int, default=2000)
    arguments = parser.parse_args()
    os.makedirs(arguments.target, exist_ok=True)
    cut(arguments.source, arguments.target, "train", arguments.train)
    cut(arguments.source, arguments.target, "t10k", arguments.test)


if __name__ == "__main__":
    main()
