"""Operations where an extent is 0: on tensors without elements, and with parts without elements; see together.py."""

import unittest

import numpy as np
import torch

from plumb import ops
from numeric import numbers
from together import Fixed, check

NONE, TALL, SOME = np.zeros((0, 3)), np.zeros((3, 0)), numbers(4, 6)
NOWHERE = np.zeros(0, np.int32)


def parts():
    """Functions that give parts without elements, at the front, between and at the end."""
    for indices in ([0, 3], [3, 3], [3, 2], [0, 3, 10], [6], [7, 8], [-7, 2, -1]):
        for axis in (0, 1):
            yield (f"tensor_split {indices} {axis}", lambda x, i=indices, a=axis: ops.tensor_split(x, i, a),
                   lambda x, i=indices, a=axis: torch.tensor_split(x, i, a), SOME)
    yield "tensor_split in 7", lambda x: ops.tensor_split(x, 7, 1), lambda x: torch.tensor_split(x, 7, 1), SOME
    yield "split", lambda x: ops.split(x, 1, 1), lambda x: torch.split(x, 1, 1), NONE
    yield "rows", lambda x: (x[4:], x[:0], x[9:]), lambda x: (x[4:], x[:0], x[9:]), SOME
    yield "columns", lambda x: (x[:, 6:], x[1:1, 6:], x[4:, ::2]), lambda x: (x[:, 6:], x[1:1, 6:], x[4:, ::2]), SOME
    yield "rows of none", lambda x: (x[:, 3:], x[0:, 1:]), lambda x: (x[:, 3:], x[0:, 1:]), NONE
    yield "concat", lambda x, y: ops.concat((x, y, x), 0), lambda x, y: torch.cat((x, y, x), 0), NONE, SOME[:, :3]
    yield "concat of none", lambda x: ops.concat((x, x), 1), lambda x: torch.cat((x, x), 1), NONE
    yield "stack", lambda x: ops.stack((x, x)), lambda x: torch.stack((x, x)), NONE
    yield "gather", lambda x, i: ops.gather(x, i, 0), lambda x, i: x[i.long()], SOME, NOWHERE
    yield "roll", lambda x: ops.roll(x, 1, 1), lambda x: torch.roll(x, 1, 1), NONE
    yield "flip", lambda x: ops.flip(x, (0, 1)), lambda x: torch.flip(x, (0, 1)), NONE
    yield "pad", lambda x: ops.pad(x, (1, 1)), lambda x: torch.nn.functional.pad(x, (1, 1)), NONE


def arithmetic():
    """Elementwise functions, reductions and products."""
    for name in ("exp", "tanh", "sigmoid", "abs", "square", "neg", "sin"):
        yield name, getattr(ops, name), getattr(torch, name), NONE
    yield "add", lambda x, y: x + y, lambda x, y: x + y, NONE, SOME[:1, :3]
    yield "select", lambda x: ops.select(x > 0, x, -x), lambda x: torch.where(x > 0, x, -x), NONE
    for axis in (0, 1):
        yield f"sum {axis}", lambda x, a=axis: x.sum(a), lambda x, a=axis: x.sum(a), NONE
    yield "sum", lambda x: x.sum(), lambda x: x.sum(), NONE
    yield "cumsum", lambda x: ops.cumsum(x, 0), lambda x: torch.cumsum(x, 0), NONE
    yield "softmax", lambda x: ops.softmax(x, 1), lambda x: torch.softmax(x, 1), NONE
    yield "of none", ops.matmul, torch.matmul, TALL, NONE
    yield "to none", ops.matmul, torch.matmul, NONE, TALL
    yield "of some", ops.matmul, torch.matmul, NONE, SOME[:3]
    yield "batches", ops.bmm, torch.bmm, np.zeros((0, 2, 3)), np.zeros((0, 3, 2))
    yield "transpose", lambda x: ops.transpose(x, (1, 0)), lambda x: x.T, NONE
    yield "broadcast", lambda x: ops.broadcast_to(x, (2, 0, 3)), lambda x: x.expand(2, 0, 3), NONE
    yield "conv2d", ops.conv2d, torch.conv2d, np.zeros((0, 2, 5, 4)), Fixed(numbers(3, 2, 3, 3))


class EmptyTest(unittest.TestCase):
    """One program for each table."""


for _table in (parts, arithmetic):
    setattr(EmptyTest, f"test_{_table.__name__}", lambda self, t=_table: check(self, t()))


if __name__ == "__main__":
    unittest.main()
