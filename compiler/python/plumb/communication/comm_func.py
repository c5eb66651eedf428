"""`mindspore.communication.comm_func` of 2.4 and later: exchanges among processes, of which there is one.

Those that MindSpore has return a handle to wait for return None in its place: what they give is there.
"""

from plumb.common._offers import EXCHANGED, not_offered
from plumb.common.tensor import Tensor
from plumb.communication.management import GlobalComm, check_group

_WORLD = GlobalComm.WORLD_COMM_GROUP

__getattr__ = not_offered(__name__, instead=dict.fromkeys(
    """P2POp all_to_all_single_with_output_shape all_to_all_v_c all_to_all_with_output_shape batch_isend_irecv irecv isend recv
    send""".split(), EXCHANGED))


def _own(who, tensor, group):
    check_group(who, group)
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For '{who}', the argument 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
    return tensor


def barrier(group=_WORLD):
    """Returns at once: no other process is waited for."""
    check_group("barrier", group)


def all_reduce(tensor, op="sum", group=_WORLD, async_op=False):
    """(The tensor, None): its sum over one process."""
    return _own("all_reduce", tensor, group), None


def all_gather_into_tensor(tensor, group=_WORLD, async_op=False):
    """(The tensor, None): those of one process."""
    return _own("all_gather_into_tensor", tensor, group), None


def reduce_scatter_tensor(tensor, op="sum", group=_WORLD, async_op=False):
    """(The tensor, None): one process's share is all."""
    return _own("reduce_scatter_tensor", tensor, group), None


def broadcast(tensor, src=0, group=_WORLD):
    """The tensor of the process `src`, which is this one."""
    return _own("broadcast", tensor, group)


def reduce(tensor, dst=0, op="sum", group=_WORLD):
    """The tensor: its sum over one process."""
    return _own("reduce", tensor, group)


def scatter_tensor(tensor, src=0, group=_WORLD):
    """The tensor: one process's share is all."""
    return _own("scatter_tensor", tensor, group)


def gather_into_tensor(tensor, dst=0, group=_WORLD):
    """The tensor: those of one process."""
    return _own("gather_into_tensor", tensor, group)
