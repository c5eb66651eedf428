"""Cells that draw random numbers of their own."""

from plumb.common import dtype as mstype
from plumb.common.initializer import Uniform, initializer
from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


class DrawingCell(Cell):
    """Base of cells whose numbers depend on the seed, on the cell, and on how often it was called, not on how the steps are launched.

    `key` and `calls` live on the device, as Parameters do, so that draws go on within a sink. MindSpore's cells have no such
    Parameters: a program does not see them among the others, and checkpoints of runs keep them beside those.
    """

    def __init__(self):
        super().__init__()
        self.key = Parameter(initializer(Uniform(1.0), ()), requires_grad=False)
        self.calls = Parameter(initializer("zeros", (), mstype.int32), requires_grad=False)
        self.key.is_internal = self.calls.is_internal = True

    def drawn(self, shape):
        """The next numbers of this cell: even ones of [0, 1), float32."""
        numbers = F.random_uniform(F.cast(self.key * 8388608.0, mstype.int32), self.calls, shape)
        F.assign(self.calls, self.calls + 1)
        return numbers
