"""`mindspore.ops.operations.comm_ops`: exchanges between devices."""

from plumb.common._offers import not_offered
from plumb.communication.management import ReduceOp
from plumb.ops.operations.device_ops import AllGather, AllReduce, Broadcast, ReduceScatter

__getattr__ = not_offered(__name__, instead={
    "_VirtualDataset": "it tells several devices how a batch is split, and a program runs on one: use the batch itself"})
