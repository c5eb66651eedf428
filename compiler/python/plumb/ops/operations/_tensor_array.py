"""Classes of lists of tensors by handle, a Tensor of one int64: on the host, outside of compiled functions; see `nn.TensorArray`."""

from plumb.common import tensor_array
from plumb.common._offers import offered
from plumb.common.tensor import Tensor
from plumb.ops.operations._handles import OnHandle, stored


class _OnHandle(OnHandle):
    """What is done to the list of a handle."""

    kind, thing, instead = tensor_array.TensorArray, "list", ", and Python's lists inside"


class TensorArray(_OnHandle):
    """Makes a list; its instances are called for a handle.

    Args:
      dtype, element_shape: of each tensor.
      dynamic_size: whether the list grows without a limit; otherwise up to `size`.
      size: the most elements where `dynamic_size` is False.
      name: a name of the list's own.
    """

    def __init__(self, dtype, element_shape, dynamic_size=True, size=0, name="TA"):
        super().__init__()
        self.arguments = (dtype, element_shape, dynamic_size, size, name)

    def __call__(self):
        return stored(tensor_array.TensorArray(*self.arguments))


def _number(index):
    return int(index.asnumpy()) if isinstance(index, Tensor) else index


class TensorArrayWrite(_OnHandle):
    """Stores a tensor or number at an index: `write(handle, index, value)`."""

    def __call__(self, handle, index, value):
        self.found(handle).write(_number(index), value)


class TensorArrayRead(_OnHandle):
    """The tensor at an index: `read(handle, index)`; made with the list's `dtype` and `element_shape`."""

    def __init__(self, dtype, element_shape):
        super().__init__()
        self.dtype, self.element_shape = dtype, element_shape

    def __call__(self, handle, index):
        return self.found(handle).read(_number(index))


class TensorArrayStack(_OnHandle):
    """All tensors as one, with a first axis more; made with what the list was made with."""

    def __init__(self, dtype, element_shape, dynamic_size=True, size=0):
        super().__init__()
        self.dtype, self.element_shape, self.dynamic_size, self.size = dtype, element_shape, dynamic_size, size

    def __call__(self, handle):
        return self.found(handle).stack()


class TensorArraySize(_OnHandle):
    """The number of elements, a Tensor."""

    def __call__(self, handle):
        return self.found(handle).size()


class TensorArrayClear(_OnHandle):
    """Takes all elements away."""

    def __call__(self, handle):
        self.found(handle).clear()


class TensorArrayClose(_OnHandle):
    """Drops the list; the handle is not used any more."""

    def __call__(self, handle):
        self.dropped(handle)


__all__ = [name for name in offered(globals()) if name.startswith("TensorArray")]
