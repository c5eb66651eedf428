"""A detector's head whose anchors are computed while compiling: `tools/python docs/examples/known_values.py`.

What does not depend on a tensor's data is Python's own: dataclasses, enums, dicts, comprehensions, f-strings and NumPy run while the
program is compiled, and only their results reach the executable. Shapes count among what is known.
"""

import argparse
import dataclasses
import enum

import numpy as np

import plumb
from plumb import Tensor, nn, ops


class Shape(enum.Enum):
    """Forms of anchors, by height over width."""
    WIDE = 0.5
    SQUARE = 1.0
    TALL = 2.0


@dataclasses.dataclass(frozen=True)
class Level:
    """A level of the pyramid: pixels of the image for each of its places, and its anchors' sizes in such steps."""
    stride: int
    sizes: tuple = (2.0, 4.0)

    @property
    def name(self):
        """The level's name among the maps."""
        return f"p{self.stride}"


LEVELS = (Level(8), Level(16), Level(32, sizes=(4.0, 8.0)))


def anchors(level, rows, columns):
    """Boxes (places * shapes * sizes, 4) as middles and extents: x, y, width, height."""
    sides = [(size * level.stride / np.sqrt(shape.value), size * level.stride * np.sqrt(shape.value)) for shape in Shape for size in level.sizes]
    middles = [((column + 0.5) * level.stride, (row + 0.5) * level.stride) for row in range(rows) for column in range(columns)]
    return np.array([middle + side for middle in middles for side in sides], np.float32)


class Head(nn.Cell):
    """Boxes of all levels, from offsets to their anchors."""

    def __init__(self, channels=16):
        super().__init__()
        self.offsets = nn.CellDict({level.name: nn.Conv2d(channels, 4 * len(Shape) * len(level.sizes), 1, has_bias=True) for level in LEVELS})

    def construct(self, maps):
        """Boxes (N, anchors, 4) as corners."""
        found = []
        for level in LEVELS:
            x = self.offsets[level.name](maps[level.name])
            moved = x.transpose(0, 2, 3, 1).reshape(x.shape[0], -1, 4)
            own = Tensor(anchors(level, *x.shape[2:]))
            middle, extent = own[:, :2] + moved[..., :2] * own[:, 2:], own[:, 2:] * ops.exp(moved[..., 2:])
            found.append(ops.concat((middle - extent / 2, middle + extent / 2), -1))
        return ops.concat(found, 1)


def main(arguments=None):
    """Computes the boxes of an image of random features; returns (the head, its maps, the boxes)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--side", type=int, default=256, help="pixels of the image, a multiple of 32")
    options = parser.parse_args(arguments)
    plumb.set_context(mode=plumb.GRAPH_MODE)
    rng, head = np.random.default_rng(1), Head()
    maps = {level.name: Tensor(rng.standard_normal((2, 16, options.side // level.stride, options.side // level.stride), np.float32))
            for level in LEVELS}
    boxes = head(maps)
    print(f"{boxes.shape[1]} boxes of an image of {options.side} pixels; the first of each level:")
    first = 0
    for level in LEVELS:
        print(f"  {level.name}: {boxes[0, first].asnumpy().round(1).tolist()}")
        first += len(anchors(level, options.side // level.stride, options.side // level.stride))
    return head, maps, boxes


if __name__ == "__main__":
    main()
