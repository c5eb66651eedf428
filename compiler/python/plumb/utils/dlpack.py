"""DLPack: tensors of other libraries and ours over the same memory, without copies.

`to_dlpack` and `from_dlpack` as `mindspore.utils.dlpack` has them; `torch.from_dlpack(tensor)` and its like take a Tensor
itself. The protocol: https://dmlc.github.io/dlpack/latest/python_spec.html.
"""

import numpy as np

from plumb.common.tensor import Tensor


def to_dlpack(tensor):
    """Returns a capsule over the memory of a tensor; who takes it must not change what it holds."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'to_dlpack', the argument must be a Tensor, but got {type(tensor).__name__}.")
    return tensor.__dlpack__()


def from_dlpack(value):
    """Returns a Tensor that shares memory with `value`.

    Args:
      value: an object with `__dlpack__` whose memory is a CPU's, or what `to_dlpack` returned.

    Raises:
      TypeError: for anything else.
    """
    if not hasattr(value, "__dlpack__"):
        value = _Capsule(value)
    try:
        return Tensor.from_numpy(np.from_dlpack(value))
    except (BufferError, RuntimeError, AttributeError, ValueError) as problem:
        raise TypeError(f"For 'from_dlpack', the argument must hold an array in the CPU's memory: {problem}") from None


class _Capsule:
    """A capsule as NumPy takes it: by an object that hands it out."""

    def __init__(self, capsule):
        if type(capsule).__name__ != "PyCapsule":
            raise TypeError(f"For 'from_dlpack', the argument must have '__dlpack__', but got {type(capsule).__name__}.")
        self._capsule = capsule

    def __dlpack__(self, **_):
        return self._capsule

    def __dlpack_device__(self):
        return _CPU


_CPU = (1, 0)  # kDLCPU, the first of them
