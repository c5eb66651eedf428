"""A network looked at operation by operation, then compiled: `tools/python docs/examples/eager.py`.

In PyNative mode, the one that a program starts in, each operation runs when Python reaches it, compiled by the same compiler and kept
on disk, so its numbers are those of the compiled network. Hooks see values on their way; NumPy's arrays
go in and out, those of other frameworks by DLPack.
"""

import argparse

import numpy as np

import plumb
from plumb import Tensor, nn, ops
from plumb.utils.dlpack import from_dlpack, to_dlpack


class Classifier(nn.Cell):
    """Two dense layers; in PyNative mode it may print and read values."""

    def __init__(self, features=16, classes=4):
        super().__init__()
        self.hidden, self.head = nn.Dense(features, 64), nn.Dense(64, classes)

    def construct(self, x):
        """Scores."""
        x = ops.relu(self.hidden(x))
        return self.head(x)


def main(arguments=None):
    """Runs both ways; returns (scores by operations, scores compiled, what the hook saw, a gradient both ways)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=8)
    options = parser.parse_args(arguments)
    plumb.set_context(mode=plumb.PYNATIVE_MODE)
    plumb.set_seed(1)
    array = np.random.default_rng(1).standard_normal((options.rows, 16)).astype(np.float32)
    net, x, seen = Classifier(), Tensor(array), []
    labels = Tensor(np.arange(options.rows, dtype=np.int32) % 4)

    def look(cell_id, inputs, output):
        seen.append(float((output > 0).astype(plumb.float32).mean()))
        print(f"the hidden layer gives {output.shape}, {seen[-1]:.0%} above 0")

    handle = net.hidden.register_forward_hook(look)
    scores = net(x)
    handle.remove()
    print("the first row's scores:", scores[0], "; the largest:", int(scores[0].argmax()))
    loss = lambda x: ops.cross_entropy(net(x), labels)
    by_operations = plumb.grad(loss)(x)
    plumb.set_context(mode=plumb.GRAPH_MODE)
    compiled, by_program = net(x), plumb.grad(loss)(x)
    print(f"compiled, scores differ by at most {float((compiled - scores).abs().max()):.1e}, "
          f"gradients by {float((by_program - by_operations).abs().max()):.1e}")
    shared = from_dlpack(to_dlpack(compiled))
    print("handed over and back by DLPack:", bool((shared == compiled).all()))
    return scores.asnumpy(), compiled.asnumpy(), seen, by_operations.asnumpy(), by_program.asnumpy()


if __name__ == "__main__":
    main()
