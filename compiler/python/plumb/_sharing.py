"""How several devices would share tensors (`Layout`) and functions (`shard`): one device has each whole."""

import math

from plumb.common._refusals import refused


class Layout:
    """A grid of devices with a name for each of its axes; called with names, how the axes of a tensor would lie on it.

    Args:
      device_matrix: the extents of the grid, ints above 0; their product is 1, the number of devices.
      alias_name: a name for each.
      rank_list: the devices' numbers, [0]; None is all.
    """

    def __init__(self, device_matrix, alias_name, rank_list=None):
        for name, value in (("device_matrix", device_matrix), ("alias_name", alias_name)):
            if not isinstance(value, tuple):
                raise TypeError(f"For 'Layout', the '{name}' must be a tuple, but got {type(value).__name__}.")
        if len(device_matrix) != len(alias_name) or len(set(alias_name)) != len(alias_name) or "None" in alias_name or "" in alias_name:
            raise ValueError(f"For 'Layout', there must be a name of its own for each extent {device_matrix}, but got {alias_name}.")
        if any(isinstance(extent, bool) or not isinstance(extent, int) or extent < 1 for extent in device_matrix):
            raise ValueError(f"For 'Layout', the extents must be ints above 0, but got {device_matrix}.")
        if math.prod(device_matrix) != 1 or rank_list not in (None, [0]):
            raise refused(ValueError, f"For 'Layout', a grid {device_matrix} of devices {rank_list or ''} needs several; plumb trains on one.")
        self.device_matrix, self.alias_name, self.rank_list, self.tensor_map = device_matrix, alias_name, [0], None

    def __call__(self, *tensor_map):
        """The layout of a tensor: for each of its axes a name of the grid's, a tuple of names, or "None"."""
        for entry in tensor_map:
            for name in entry if isinstance(entry, tuple) else (entry,):
                if name != "None" and name not in self.alias_name:
                    raise ValueError(f"For 'Layout', there is no axis '{name}'; there are {', '.join(self.alias_name)}.")
        found = Layout(self.device_matrix, self.alias_name)
        found.tensor_map = tensor_map
        return found

    def to_dict(self):
        """What the layout says, by name."""
        return {"device_matrix": self.device_matrix, "alias_name": self.alias_name, "rank_list": self.rank_list,
                "tensor_map": self.tensor_map}


def shard(fn, in_strategy, out_strategy=None, parameter_plan=None, device="Ascend", level=0):
    """How several devices would share a function; returns the function, which one device computes whole.

    Args:
      fn: a function or Cell.
      in_strategy, out_strategy: for each input and result a tuple of ints, 1 for every axis, a Layout or None.
      parameter_plan: strategies by names of Parameters, likewise.
      device, level: not used by one device.

    Raises:
      ValueError: where an axis would be cut.
    """
    del device, level
    if not callable(fn):
        raise TypeError(f"For 'shard', the 'fn' must be a function or a Cell, but got {type(fn).__name__}.")
    for strategies in (in_strategy, out_strategy or (), tuple((parameter_plan or {}).values())):
        if not isinstance(strategies, tuple):
            raise TypeError(f"For 'shard', strategies must be tuples, but got {type(strategies).__name__}.")
        for strategy in strategies:
            if isinstance(strategy, tuple) and any(not isinstance(one, Layout) and one != 1 for one in strategy):
                raise refused(ValueError, f"For 'shard', the strategy {strategy} needs several devices; plumb trains on one.")
    return fn
