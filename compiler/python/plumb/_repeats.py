"""Repeated calls of operations: found by what can be told from the arguments in a microsecond.

A direct call's program depends on the operation, on the types of tensors, and on other arguments' values. Where all of these
can be compared at once, a repeated call takes the session of the first without looking closer.
"""

import numpy as np

from plumb._programs import with_numbers_as_tensors
from plumb.common.dtype import DType
from plumb.common.tensor import Tensor
from plumb.ops._primitive import Composite, Primitive

# By operation and arguments; the operation is held, for its identity is part of the key.
_runs = {}
_MOST_RUNS = 4096


class Call:
    """A call that can be told from others.

    Attributes:
      run: what an earlier call of its kind compiled; None for the first.
      arrays: the values of its tensors, contiguous.
    """

    def __init__(self, target, args, signature):
        self._target, self._signature = target, signature
        _, self.run = _runs.get(signature, (None, None))
        self.arrays = [_contiguous(value) for value in args if type(value) is Tensor] if self.run else []

    def remember(self, run):
        """Notes what the call has compiled."""
        if len(_runs) >= _MOST_RUNS:
            forget()
        _runs[self._signature] = (self._target, run)


def find(target, args):
    """Returns the Call of an operation of the compiler; None where its arguments have to be looked at."""
    if not isinstance(target, Primitive) or isinstance(target, Composite):
        return None
    args = with_numbers_as_tensors(target.mnemonic, args)
    kinds = tuple([_kind(value) for value in args])
    return None if None in kinds else Call(target, args, (id(target), kinds))


def forget():
    """Drops all runs."""
    _runs.clear()


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
    array = tensor._array if tensor._array is not None else tensor.asnumpy()
    return array if array.flags.c_contiguous else np.ascontiguousarray(array).reshape(array.shape)
