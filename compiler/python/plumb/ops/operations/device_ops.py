"""Classes that exchange tensors between devices, of which there is one, and that look for overflows."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.communication.management import GlobalComm, ReduceOp
from plumb.ops import _functions as F
from plumb.ops import _overflows
from plumb.ops._primitive import Composite
from plumb.ops.function.compare import isfinite


class _OverOne(Composite):
    """What the classes of one group of one device share: the result is the tensor itself.

    Args:
      group: the group's name.
    """

    def __init__(self, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__()
        if not isinstance(group, str):
            raise TypeError(f"For '{type(self).__name__}', the 'group' must be str, but got {type(group).__name__}.")
        self.group = group

    def construct(self, x):
        """Compiled body."""
        return x


class _Reduction(_OverOne):
    """What the classes that reduce share.

    Args:
      op: one of `ReduceOp`: the sum, product, maximum and minimum over one device are its tensor.
    """

    def __init__(self, op=ReduceOp.SUM, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        if op not in (ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MAX, ReduceOp.MIN):
            raise ValueError(f"For '{type(self).__name__}', the 'op' must be one of ReduceOp, but got {op!r}.")
        self.op = op


class AllReduce(_Reduction):
    """The sum (product, maximum, minimum) over the devices of a tensor that each has: over one, the tensor."""


class ReduceScatter(_Reduction):
    """This device's share of the sum over the devices: over one, the tensor."""


class AllGather(_OverOne):
    """The tensors of all devices along the first axis: of one, the tensor."""


class Broadcast(_OverOne):
    """The first device's tensors for all devices.

    Args:
      root_rank: the device whose tensors they are, 0.

    Called with a tuple of tensors.
    """

    def __init__(self, root_rank, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        self.root_rank = _only(self, "root_rank", root_rank)


class Reduce(_Reduction):
    """The sum (product, maximum, minimum) over the devices, for one of them: over one, the tensor.

    Args:
      dest_rank: the device that gets it, 0.
      op, group: as of AllReduce.
    """

    def __init__(self, dest_rank, op=ReduceOp.SUM, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(op, group)
        self.dest_rank = _only(self, "dest_rank", dest_rank)


class CollectiveGather(_OverOne):
    """The tensors of all devices along the first axis, for one of them, `dest_rank`, which is 0: of one, the tensor."""

    def __init__(self, dest_rank, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        self.dest_rank = _only(self, "dest_rank", dest_rank)


class CollectiveScatter(_OverOne):
    """This device's share of the tensor of one, `src_rank`, which is 0: of one, the tensor."""

    def __init__(self, src_rank=0, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        self.src_rank = _only(self, "src_rank", src_rank)


class AlltoAll(_OverOne):
    """What each device has for each other: of one, the tensor.

    Args:
      split_count: 1, the number of devices.
      split_dim, concat_dim: the axes along which tensors are split and joined.
    """

    def __init__(self, split_count, split_dim, concat_dim, group=GlobalComm.WORLD_COMM_GROUP):
        super().__init__(group)
        if split_count != 1:
            raise ValueError(f"For 'AlltoAll', the 'split_count' must be 1, the number of devices, but got {split_count}.")
        self.split_count, self.split_dim, self.concat_dim = split_count, split_dim, concat_dim


class Barrier(_OverOne):
    """Waits for all devices: for one, not at all."""

    def construct(self):
        """Compiled body."""
        return None


def _only(operation, name, rank):
    """Returns the number of the only device; raises ValueError for another."""
    if rank != 0:
        raise ValueError(f"For '{type(operation).__name__}', the '{name}' must be 0, the only device, but got {rank}.")
    return rank


class FloatStatus(Composite):
    """1 where an element of the tensor is infinite or NaN, else 0: float32 of shape (1,)."""

    def construct(self, x):
        """Compiled body."""
        return F.reshape(1.0 - F.cast(F.all(isfinite(x)), mstype.float32), (1,))


class NPUAllocFloatStatus(Composite):
    """Makes a register of overflows. It looks at what `ops.depend(register, values)` names, and at nothing else."""

    def construct(self):
        """Compiled body."""
        return _overflows.new_register()


class NPUGetFloatStatus(Composite):
    """Reads a register: `ops.depend(register, result)` then is its flags, float32 of shape (8,), 1 where a value overflowed."""

    def construct(self, input_x):
        """Compiled body."""
        return _overflows.read_register(input_x)


class NPUClearFloatStatus(Composite):
    """Clears a register, which looks at what is named later."""

    def construct(self, input_x):
        """Compiled body."""
        return _overflows.new_register()


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("Composite", "GlobalComm", "ReduceOp")]
