"""`mgrid` and `ogrid`: grids of coordinates by slices. They are objects that are indexed, outside of compiled functions."""

from plumb.numpy import array_creations as _creations
from plumb.ops import _functions as F


class _Grid:
    """Coordinates by slices: a step `5j` means five numbers up to and with the end; any other step is their distance."""

    def __init__(self, sparse):
        self._sparse = sparse

    def __getitem__(self, slices):
        if isinstance(slices, slice):
            return _along(slices)
        grid = _creations.meshgrid(*[_along(part) for part in slices], sparse=self._sparse, indexing="ij")
        return list(grid) if self._sparse else F.stack(grid, 0)


def _along(part):
    start = 0 if part.start is None else part.start
    if isinstance(part.step, complex):
        return _creations.linspace(start, part.stop, int(abs(part.step)))
    return _creations.arange(start, part.stop, part.step)


mgrid, ogrid = _Grid(False), _Grid(True)
