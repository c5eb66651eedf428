"""TensorArray: a list of tensors of one type and shape, on the host."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor


class TensorArray:
    """A list of tensors of one element type and shape, which grows as it is written to. Compiled functions take lists instead.

    Args:
      dtype, element_shape: of each tensor.
      dynamic_size: whether it grows without a limit; otherwise up to `size`.
      size: the most elements where `dynamic_size` is False.
      name: a name of the object's own.
    """

    def __init__(self, dtype, element_shape, dynamic_size=True, size=0, name="TA"):
        self._dtype, self._shape, self.name = mstype.as_dtype(dtype), tuple(element_shape), name
        self._most, self._items = None if dynamic_size else size, []

    def write(self, index, value):
        """Stores a tensor or number at an index; places before it that nothing was written to are zeros. Returns True."""
        if index < 0 or self._most is not None and index >= self._most:
            raise IndexError(f"For 'TensorArray', the index must be from 0 to below {self._most}, but got {index}.")
        array = np.asarray(value.asnumpy() if isinstance(value, Tensor) else value, self._dtype.numpy)
        if array.shape != self._shape:
            raise ValueError(f"For 'TensorArray', an element must have the shape {list(self._shape)}, but got {list(array.shape)}.")
        while len(self._items) <= index:
            self._items.append(np.zeros(self._shape, self._dtype.numpy))
        self._items[index] = array.copy()
        return True

    def read(self, index):
        """The tensor at an index."""
        if not 0 <= index < len(self._items):
            raise IndexError(f"For 'TensorArray', there are {len(self._items)} elements, but got the index {index}.")
        return Tensor(self._items[index])

    def stack(self):
        """All tensors as one, with a first axis more."""
        return Tensor(np.stack(self._items) if self._items else np.zeros((0,) + self._shape, self._dtype.numpy))

    def size(self):
        """The number of elements, a Tensor."""
        return Tensor(np.asarray(len(self._items), np.int64))

    def clear(self):
        """Takes all elements away."""
        self._items = []
        return True

    def close(self):
        """Takes all elements away; the array is not used any more."""
        self._items = []
        return True
