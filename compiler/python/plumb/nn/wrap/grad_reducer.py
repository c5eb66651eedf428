"""`DistributedGradReducer`: sums of gradients over devices."""

from plumb.nn.cell import Cell


class DistributedGradReducer(Cell):
    """Gives the gradients that it is called with, which are the sums and the means over one device.

    Args:
      parameters: the Parameters whose gradients they are.
      mean: whether means over the devices are meant.
      degree: the number of devices, 1; None stands for all there are.
      fusion_type, group: how messages between devices are gathered, and between which; there are none.

    Raises:
      ValueError: if `degree` is a number of several devices.
    """

    def __init__(self, parameters, mean=None, degree=None, fusion_type=1, group="mccl_world_group"):
        super().__init__(auto_prefix=False)
        if degree not in (None, 1):
            raise ValueError(f"For 'DistributedGradReducer', degree={degree} needs several devices; plumb trains on one.")
        self.mean = bool(mean)
        self.degree = 1

    def construct(self, grads):
        """Compiled body."""
        return grads
