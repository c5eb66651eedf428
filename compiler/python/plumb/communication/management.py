"""The one process of the one group."""

import os

_state = {"initialised": False, "groups": set()}
_GROUPS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")


class ReduceOp:
    """How values of several processes are reduced."""

    SUM, MAX, MIN, PROD = "sum", "max", "min", "prod"


class GlobalComm:
    """Names of the backend and of the group of all devices."""

    BACKEND = "mccl"
    WORLD_COMM_GROUP = "mccl_world_group"
    INITED = False  # whether `init` has begun


HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP = _GROUPS


def init(backend_name=None):
    """Accepts to be the only process; raises where the environment says that there are more."""
    if backend_name not in (None, "hccl", "nccl", "mccl"):
        raise RuntimeError(f"For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', but got "
                           f"{backend_name!r}.")
    for name in ("RANK_SIZE", "MS_WORKER_NUM", "OMPI_COMM_WORLD_SIZE"):
        if int(os.environ.get(name) or 1) > 1:
            raise RuntimeError(f"The environment variable {name} asks for {os.environ[name]} processes, but plumb trains on one "
                               f"device; start one process without it.")
    _state["initialised"] = GlobalComm.INITED = True


def release():
    """Ends what `init` began."""
    _state["initialised"] = GlobalComm.INITED = False


def get_rank(group=GlobalComm.WORLD_COMM_GROUP):
    """Returns 0, the number of the only process; raises before `init`."""
    check_group("get_rank", group)
    return 0


def get_group_size(group=GlobalComm.WORLD_COMM_GROUP):
    """Returns 1, the number of processes; raises before `init`."""
    check_group("get_group_size", group)
    return 1


def get_local_rank(group=GlobalComm.WORLD_COMM_GROUP):
    """Returns 0; raises before `init`."""
    check_group("get_local_rank", group)
    return 0


def get_local_rank_size(group=GlobalComm.WORLD_COMM_GROUP):
    """Returns 1; raises before `init`."""
    check_group("get_local_rank_size", group)
    return 1


def create_group(group, rank_ids):
    """Makes a group of the only process under another name."""
    if list(rank_ids) != [0]:
        raise ValueError(f"For 'create_group', the 'rank_ids' must be [0], the only process, but got {rank_ids}.")
    _state["groups"].add(group)


def destroy_group(group):
    """Ends a group that `create_group` made."""
    _state["groups"].discard(group)


def get_process_group_ranks(group=GlobalComm.WORLD_COMM_GROUP):
    """Returns [0], the number of the only process; raises before `init`."""
    check_group("get_process_group_ranks", group)
    return [0]


def get_world_rank_from_group_rank(group, group_rank_id):
    """Returns 0."""
    check_group("get_world_rank_from_group_rank", group)
    return group_rank_id


def get_group_rank_from_world_rank(world_rank_id, group):
    """Returns 0."""
    check_group("get_group_rank_from_world_rank", group)
    return world_rank_id


def check_group(who, group):
    """Raises RuntimeError before `init`, ValueError for a group that there is not."""
    if not _state["initialised"]:
        raise RuntimeError(f"For '{who}', the distributed communication is not initialised; call 'init' first.")
    if group not in _GROUPS and group not in _state["groups"]:
        raise ValueError(f"For '{who}', there is no group '{group}': all processes are in the one of {GlobalComm.WORLD_COMM_GROUP}.")
