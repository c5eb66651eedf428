"""`mindspore.ops.operations.comm_ops`: exchanges between devices."""

from plumb.communication.management import ReduceOp
from plumb.ops.operations.device_ops import AllGather, AllReduce, Broadcast, ReduceScatter
