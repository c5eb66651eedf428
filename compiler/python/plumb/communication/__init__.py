"""`mindspore.communication` for one device: what programs ask before they train on one or on many."""

from plumb.common._offers import not_offered
from plumb.communication import comm_func
from plumb.communication.management import (HCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, GlobalComm,
                                            create_group, destroy_group, get_group_rank_from_world_rank, get_group_size,
                                            get_local_rank, get_local_rank_size, get_process_group_ranks, get_rank,
                                            get_world_rank_from_group_rank, init, release)

__getattr__ = not_offered(__name__, instead={"get_comm_name": "it names a connection of other devices; get_rank and get_group_size tell of the one"})
