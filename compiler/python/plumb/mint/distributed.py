"""`mindspore.mint.distributed`: exchanges among processes, of which there is one: results are stored in the outputs that a call gives.

Those that MindSpore has return a handle to wait for return None in its place: what they give is there. `async_op` and the other settings
of exchanges among several processes change nothing.
"""

import copy
import itertools

from plumb.common._offers import EXCHANGED, not_offered
from plumb.communication import management
from plumb.communication.management import GlobalComm, ReduceOp, check_group

_numbers = itertools.count()  # of groups without a name

__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys("P2POp batch_isend_irecv irecv isend recv send".split(), EXCHANGED),
    "TCPStore": "it keeps values for several processes, and there is one: use a dict"})


def _group(who, group, *ranks):
    """The group's name; raises RuntimeError before `init_process_group`, ValueError for other processes than the one."""
    name = GlobalComm.WORLD_COMM_GROUP if group is None else group
    check_group(who, name)
    if any(rank != 0 for rank in ranks):
        raise ValueError(f"For '{who}', there is one process, 0, but got {ranks}.")
    return name


def is_available():
    """True: there is a process to exchange with, this one."""
    return True


def is_initialized():
    """Whether `init_process_group` has been called."""
    return GlobalComm.INITED


def init_process_group(backend="hccl", init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", pg_options=None,
                       device_id=None):
    """Begins with the one process that there is; raises ValueError where there would be others, RuntimeError for an unknown backend."""
    if world_size not in (-1, 1) or rank not in (-1, 0):
        raise ValueError(f"For 'init_process_group', there is one process: 'world_size' can be 1 and 'rank' 0, but got {world_size} and {rank}.")
    management.init(backend)


def destroy_process_group(group=None):
    """Ends what `init_process_group` began, or a group that `new_group` made."""
    if group in (None, GlobalComm.WORLD_COMM_GROUP):
        management.release()
    else:
        management.destroy_group(group)


def new_group(ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None):
    """Makes a group of the one process; returns its name."""
    name = group_desc or f"group_{next(_numbers)}"
    management.create_group(name, [0] if ranks is None else ranks)
    return name


def get_rank(group=None):
    """0, the number of the one process."""
    return management.get_rank(_group("get_rank", group))


def get_world_size(group=None):
    """1, the number of processes."""
    return management.get_group_size(_group("get_world_size", group))


def get_backend(group=None):
    """The name of the backend, MindSpore's for CPUs."""
    _group("get_backend", group)
    return GlobalComm.BACKEND


def get_global_rank(group, group_rank):
    """0, the process's number among all."""
    return management.get_world_rank_from_group_rank(_group("get_global_rank", group, group_rank), group_rank)


def get_group_rank(group, global_rank):
    """0, the process's number in the group."""
    return management.get_group_rank_from_world_rank(global_rank, _group("get_group_rank", group, global_rank))


def get_process_group_ranks(group=None):
    """[0], the numbers of the group's processes."""
    return management.get_process_group_ranks(_group("get_process_group_ranks", group))


def barrier(group=None, async_op=False, device_ids=None):
    """Returns at once: no other process is waited for."""
    _group("barrier", group)


def _reduced(who, op):
    """Raises ValueError for what is no ReduceOp."""
    known = (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD)
    if op not in known:
        raise ValueError(f"For '{who}', the 'op' must be one of {known}, but got {op!r}.")


def all_reduce(tensor, op=ReduceOp.SUM, group=None, async_op=False):
    """Leaves the tensor: its sum over one process."""
    _reduced("all_reduce", op)
    _group("all_reduce", group)


def reduce(tensor, dst, op=ReduceOp.SUM, group=None, async_op=False):
    """Leaves the tensor: its sum over one process."""
    _reduced("reduce", op)
    _group("reduce", group, dst)


def broadcast(tensor, src, group=None, async_op=False):
    """Leaves the tensor, which is that of the process `src`."""
    _group("broadcast", group, src)


def _stored(who, output, value, group, *ranks):
    """Stores a tensor in an output; raises TypeError for another element type, ValueError for another shape."""
    _group(who, group, *ranks)
    if output.dtype != value.dtype:
        raise TypeError(f"For '{who}', the output must be of {value.dtype.name}, the input's element type, but got {output.dtype.name}.")
    if output.shape != value.shape:
        raise ValueError(f"For '{who}', one process's output has the input's shape {value.shape}, but got {output.shape}.")
    output.copy_(value)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """Stores the tensors of one process."""
    _stored("all_gather_into_tensor", output_tensor, input_tensor, group)


def all_gather_into_tensor_uneven(output, input, output_split_sizes=None, group=None, async_op=False):
    """Stores the tensors of one process."""
    _stored("all_gather_into_tensor_uneven", output, input, group)


def reduce_scatter_tensor(output, input, op=ReduceOp.SUM, group=None, async_op=False):
    """Stores one process's share, which is all."""
    _reduced("reduce_scatter_tensor", op)
    _stored("reduce_scatter_tensor", output, input, group)


def reduce_scatter_tensor_uneven(output, input, input_split_sizes=None, op=ReduceOp.SUM, group=None, async_op=False):
    """Stores one process's share, which is all."""
    _reduced("reduce_scatter_tensor_uneven", op)
    _stored("reduce_scatter_tensor_uneven", output, input, group)


def scatter_tensor(output_tensor, input_tensor, src=0, group=None, async_op=False):
    """Stores one process's share, which is all."""
    _stored("scatter_tensor", output_tensor, input_tensor, group, src)


def gather_into_tensor(output_tensor, input_tensor, dst=0, group=None, async_op=False):
    """Stores the tensors of one process."""
    _stored("gather_into_tensor", output_tensor, input_tensor, group, dst)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Stores what the process has for itself, which is all."""
    _stored("all_to_all_single", output, input, group)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Stores what the process has for itself: the one tensor of a list in that of another."""
    _stored("all_to_all", *_only("all_to_all", output_tensor_list), *_only("all_to_all", input_tensor_list), group)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """Stores the tensor in the one of a list."""
    _stored("all_gather", *_only("all_gather", tensor_list), tensor, group)


def reduce_scatter(output, input_list, op=ReduceOp.SUM, group=None, async_op=False):
    """Stores the one tensor of a list, its sum over one process."""
    _reduced("reduce_scatter", op)
    _stored("reduce_scatter", output, *_only("reduce_scatter", input_list), group)


def scatter(tensor, scatter_list, src=0, group=None, async_op=False):
    """Stores the one tensor of a list."""
    _stored("scatter", tensor, *_only("scatter", scatter_list), group, src)


def gather(tensor, gather_list, dst=0, group=None, async_op=False):
    """Stores the tensor in the one of a list."""
    _stored("gather", *_only("gather", gather_list), tensor, group, dst)


def _only(who, values):
    """The values of one process; raises TypeError for no list, ValueError for several."""
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"For '{who}', the values of all processes must be a list, but got {type(values).__name__}.")
    if len(values) != 1:
        raise ValueError(f"For '{who}', there is one process, but got a list of {len(values)}.")
    return values


def scatter_object_list(scatter_object_output_list, scatter_object_input_list, src=0, group=None):
    """Stores a copy of the one object of a list in the first place of another."""
    _group("scatter_object_list", group, src)
    scatter_object_output_list[0], = map(copy.deepcopy, _only("scatter_object_list", scatter_object_input_list))


def gather_object(obj, object_gather_list=None, dst=0, group=None):
    """Stores a copy of an object in the one place of a list."""
    _group("gather_object", group, dst)
    _only("gather_object", object_gather_list)[0] = copy.deepcopy(obj)


def all_gather_object(object_list, obj, group=None):
    """Stores a copy of an object in the one place of a list."""
    _group("all_gather_object", group)
    _only("all_gather_object", object_list)[0] = copy.deepcopy(obj)


def broadcast_object_list(object_list, src=0, group=None, device=None):
    """Leaves the objects, which are those of the process `src`."""
    _group("broadcast_object_list", group, src)
