"""Padding as cells."""

from plumb.nn.cell import Cell
from plumb.ops.function.padding import mirror_pad, pad, pad_all


class _Pad(Cell):
    """Adds elements at both ends of the last axes.

    Args:
      padding: an int for all ends, or (before, after) of the last axis, then of the one before it, and so on. Constants may leave
        pairs out at the end: those axes stay as they are.
    """

    rank, mode = 1, "constant"

    def __init__(self, padding):
        super().__init__()
        values = (padding,) * (2 * self.rank) if isinstance(padding, int) and not isinstance(padding, bool) else tuple(padding)
        lengths = range(2, 2 * self.rank + 1, 2) if self.mode == "constant" else (2 * self.rank,)
        if len(values) not in lengths or not all(isinstance(value, int) for value in values):
            raise ValueError(f"For '{type(self).__name__}', 'padding' must be an int or {' or '.join(map(str, lengths))} of them, but got "
                             f"{padding}.")
        if self.mode != "constant" and min(values) < 0:
            raise ValueError(f"For '{type(self).__name__}', 'padding' must be at least 0, but got {padding}.")
        self.padding, self.value = values, None

    def construct(self, x):
        """Compiled body."""
        return pad(x, self.padding, self.mode, self.value)


class _ConstantPad(_Pad):
    """Adds one number."""

    def __init__(self, padding, value):
        super().__init__(padding)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"For '{type(self).__name__}', 'value' must be a number, but got {type(value).__name__}.")
        self.value = value


def _classes(base, mode, ranks, what):
    """One class for each number of axes."""
    return [type(f"{what}Pad{rank}d", (base,), {"rank": rank, "mode": mode, "__module__": __name__,
                                               "__doc__": f"Pads the last {rank} axes by mode \"{mode}\"; see `ops.pad`."})
            for rank in ranks]


ConstantPad1d, ConstantPad2d, ConstantPad3d = _classes(_ConstantPad, "constant", (1, 2, 3), "Constant")
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = _classes(_Pad, "reflect", (1, 2, 3), "Reflection")
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = _classes(_Pad, "replicate", (1, 2, 3), "Replication")
ZeroPad2d, = _classes(_Pad, "constant", (2,), "Zero")


class Pad(Cell):
    """Adds elements at both ends of every axis.

    Args:
      paddings: a pair (before, after) for each axis.
      mode: "CONSTANT" (zeros), "REFLECT" (without the edge) or "SYMMETRIC" (with it).
    """

    def __init__(self, paddings, mode="CONSTANT"):
        super().__init__()
        if not isinstance(paddings, tuple) or not all(len(pair) == 2 for pair in paddings):
            raise TypeError(f"For 'Pad', 'paddings' must be a tuple of pairs, but got {paddings}.")
        if mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
            raise ValueError(f"For 'Pad', 'mode' must be 'CONSTANT', 'REFLECT' or 'SYMMETRIC', but got {mode!r}.")
        self.paddings, self.mode = tuple(tuple(pair) for pair in paddings), mode

    def construct(self, x):
        """Compiled body."""
        if self.mode == "CONSTANT":
            return pad_all(x, self.paddings)
        return mirror_pad(x, self.paddings, self.mode)
