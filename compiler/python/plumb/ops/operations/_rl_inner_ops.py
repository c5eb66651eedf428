"""Classes of queues of tuples of tensors by handle, a Tensor of one int64: on the host, outside of compiled functions; a layer of
cuDNN's; and what `_replay_ops` has."""

import collections

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import not_offered, offered
from plumb.common.tensor import Tensor
from plumb.ops.operations._handles import OnHandle, stored
from plumb.ops.operations import _replay_ops
from plumb.ops.operations._replay_ops import *  # pylint: disable=wildcard-import


class _Queue:
    """Tuples of tensors of given shapes in order, with room for so many."""

    def __init__(self, dtype, shapes, size):
        self.dtype, self.shapes, self.size = mstype.as_dtype(dtype), [tuple(shape) for shape in shapes], size
        self.items = collections.deque()


class _OnHandle(OnHandle):
    """What is done to the queue of a handle."""

    kind, thing = _Queue, "queue"


class TensorsQueueCreate(_OnHandle):
    """Makes a queue; its instances are called for a handle.

    Args:
      dtype: the element type of all tensors.
      shapes: the shape of each tensor of a tuple.
      size: how many tuples there is room for; 0 for as many as there are.
      name: a name of the queue's own.
    """

    def __init__(self, dtype, shapes, size=0, name="Q"):
        super().__init__()
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise ValueError(f"For 'TensorsQueueCreate', 'size' must be an int of at least 0, but got {size}.")
        self.arguments, self.queue_name = (dtype, shapes, size), name

    def __call__(self):
        return stored(_Queue(*self.arguments))


class TensorsQueuePut(_OnHandle):
    """Puts a tuple of tensors behind the others: `put(handle, tensors)`; made with the queue's `dtype` and `shapes`.

    Raises:
      ValueError: if a tensor is of another shape or element type, or there is no room.
    """

    def __init__(self, dtype, shapes):
        super().__init__()
        self.dtype, self.shapes = dtype, shapes

    def __call__(self, handle, tensors):
        queue = self.found(handle)
        if queue.size and len(queue.items) >= queue.size:
            raise ValueError(f"For 'TensorsQueuePut', the queue is full: it has room for {queue.size}.")
        if [item.shape for item in tensors] != queue.shapes or any(item.dtype != queue.dtype for item in tensors):
            raise ValueError(f"For 'TensorsQueuePut', the tensors must be {queue.dtype} of {queue.shapes}, but got "
                             f"{[(str(item.dtype), item.shape) for item in tensors]}.")
        queue.items.append(tuple(Tensor(item.asnumpy()) for item in tensors))


class TensorsQueueGet(_OnHandle):
    """The first tuple of tensors; it is taken away if `pop_after_get`. Made with the queue's `dtype` and `shapes`.

    Raises:
      IndexError: if the queue is empty.
    """

    def __init__(self, dtype, shapes, pop_after_get=False, name=""):
        super().__init__()
        self.dtype, self.shapes, self.pop_after_get, self.queue_name = dtype, shapes, bool(pop_after_get), name

    def __call__(self, handle):
        items = self.found(handle).items
        if not items:
            raise IndexError("For 'TensorsQueueGet', the queue is empty.")
        return items.popleft() if self.pop_after_get else items[0]


class TensorsQueueSize(_OnHandle):
    """The number of tuples, a Tensor."""

    def __call__(self, handle):
        return Tensor(np.asarray(len(self.found(handle).items), np.int64))


class TensorsQueueClear(_OnHandle):
    """Takes all tuples away."""

    def __call__(self, handle):
        self.found(handle).items.clear()


class TensorsQueueClose(_OnHandle):
    """Drops the queue; the handle is not used any more."""

    def __call__(self, handle):
        self.dropped(handle)


class CudnnGRU:
    """A layer of cuDNN's, which programs name for GPUs; as in MindSpore, no other device runs it.

    Raises:
      RuntimeError: when it is made.
    """

    def __init__(self, input_size, hidden_size, num_layers, has_bias, bidirectional, dropout):
        del input_size, hidden_size, num_layers, has_bias, bidirectional, dropout
        raise RuntimeError("For 'CudnnGRU', this device has no cuDNN; use nn.GRU, or let the program ask for the device_target 'CPU'.")


__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys(("EnvCreate", "EnvReset", "EnvStep"), "it is a game of MindSpore's own for GPUs; call the environment from the program"),
    **dict.fromkeys(("MuxReceive", "MuxSend"), "it exchanges tensors among processes, and a program is one: leave it out"),
})

__all__ = [name for name in offered(globals()) if name.startswith("TensorsQueue")] + ["CudnnGRU"] + _replay_ops.__all__
