"""Repeated calls of operations and of cells: found by what can be told from the arguments in a microsecond.

A direct call's program depends on the operation or cell, on the types of tensors, and on other arguments' values. Where all of
these can be compared at once, a repeated call takes the session of the first without looking closer. A cell is what it was
where its attributes, and those of the cells below, still are.
"""

import numpy as np

from plumb import _capturing
from plumb._programs import with_numbers_as_tensors
from plumb.common.dtype import DType
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops._primitive import Composite, Primitive

# By operation or cell and arguments; the operation is held, for its identity is part of the key.
_runs = {}
_MAX_RUNS = 4096


class Call:
    """A call that can be told from others.

    Attributes:
      run: what an earlier call of its kind compiled; None for the first.
      arrays: the values of its tensors, contiguous.
    """

    def __init__(self, target, args, signature):
        self._target, self._signature = target, signature
        known = _runs.get(signature)
        self.run = known.run if known and known.holds() else None
        self.arrays = [_contiguous(value) for value in _tensors(args)] if self.run else []

    def remember(self, run, arrays):
        """Notes what the call has compiled, unless values of a cell's inputs are inside."""
        if isinstance(self._target, Cell) and len(arrays) != self._signature[2]:
            return
        if len(_runs) >= _MAX_RUNS:
            forget()
        _runs[self._signature] = _Known(self._target, run)


class _Known:
    """What a call has compiled, and what that took for constant."""

    def __init__(self, target, run):
        self.target, self.run = target, run
        cells = target.cells_and_names() if isinstance(target, Cell) else ()
        self._states = [(cell, _state(cell)) for _, cell in cells]

    def holds(self):
        """Whether the call would compile to the same."""
        return not self._states or (self.run.dependencies.hold() and all([_state(cell) == state for cell, state in self._states]))


def _state(cell):
    """What the compiled form of a cell depends on beside what a run's dependencies know."""
    return *cell.compiled_state(), *Cell.cells(cell)  # a child may have the name 'cells'


def find(target, args):
    """Returns the Call of an operation of the compiler or of a cell; None where its arguments have to be looked at."""
    if isinstance(target, Cell):
        kinds = _kinds_of_inputs(args)
        return None if kinds is None or _capturing.active() else Call(target, args, (id(target), kinds, len(_tensors(args))))
    if not isinstance(target, Primitive) or isinstance(target, Composite):
        return None
    args = with_numbers_as_tensors(target.mnemonic, args)
    kinds = tuple([_kind(value) for value in args])
    return None if None in kinds else Call(target, args, (id(target), kinds))


def forget():
    """Drops all runs."""
    _runs.clear()


def _kinds_of_inputs(values):
    """The types of a cell's tensors, and of tuples of them; None where there is something else."""
    kinds = tuple([(value._shape, value._dtype) if type(value) is Tensor else _kinds_of_inputs(value) if type(value) is tuple else None
                   for value in values])
    return None if None in kinds else kinds


def _tensors(values):
    """The tensors among values and in tuples of them."""
    if tuple not in map(type, values):
        return [value for value in values if type(value) is Tensor]
    parts = [_tensors(value) if type(value) is tuple else [value] if type(value) is Tensor else [] for value in values]
    return [value for part in parts for value in part]


def _kind(value):
    kind = type(value)
    if kind is Tensor:
        return value._shape, value._dtype
    if kind in (bool, int, str):
        return kind, value
    if kind is float:
        return kind, repr(value)  # 0.0 equals -0.0, and NaN nothing
    if kind is DType:
        return (value,)
    if kind is tuple:
        parts = tuple([None if type(item) is Tensor else _kind(item) for item in value])
        return None if None in parts else parts
    return None


def _contiguous(tensor):
    array = tensor._array if tensor._array is not None else tensor._elements()
    return array if array.flags.c_contiguous else np.ascontiguousarray(array).reshape(array.shape)
