"""`mindspore.communication` for one device: what programs ask before they train on one or on many."""

from plumb.common._offers import not_offered
from plumb.communication.management import (GlobalComm, get_group_size, get_local_rank, get_local_rank_size, get_rank,
                                            init, release)

__getattr__ = not_offered(__name__)
