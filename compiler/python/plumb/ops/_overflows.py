"""The register in which other devices note overflows, as far as programs use one: of values that are named by `depend`.

A device that keeps such a register notes the overflows of whatever it computes. Here a register is told which
values to look at: those that `depend(register, values)` has put before it is read. Programs that scale their loss name the
gradients so. In the parsable subset; classes of the public API are in `ops.operations.device_ops`.
"""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops.function.compare import isfinite

_WIDTH = 8  # how many elements programs expect


def _register(flags, state):
    """A register: `flags`, float32 of shape (8,), are 1 where a value it looked at is infinite or NaN; `state` says what was done."""
    return "register of overflows", flags, state


def _is_register(value):
    return isinstance(value, tuple) and len(value) == 3 and isinstance(value[0], str) and value[0] == "register of overflows"


def new_register():
    """A register that has looked at nothing."""
    return _register(F.fill(mstype.float32, (_WIDTH,), 0.0), "new")


def read_register(register):
    """The register, read: who depends on it has the flags."""
    if not _is_register(register) or register[2] == "new":
        raise NotImplementedError("A register of overflows looks at what is named: put ops.depend(register, gradients) before it "
                                  "is read, or use nn.TrainOneStepWithLossScaleCell, amp.all_finite or ops.FloatStatus.")
    return _register(register[1], "read")


def depend(value, expr):
    """`value`; what `expr` does happens before it. A register looks at the values of `expr`, and gives its flags once it was read."""
    if _is_register(value):
        return _after(value, expr)
    if _is_register(expr):
        return value
    return F.depend(value, expr)


def _after(register, expr):
    if _is_register(expr):
        return expr[1] if expr[2] == "read" else expr
    return _register(_looked(register[1], expr), "looked")


def _looked(flags, values):
    if isinstance(values, (tuple, list)):
        for part in values:
            flags = _looked(flags, part)
        return flags
    if isinstance(values, Tensor) and values.dtype in mstype.float_type:
        return F.maximum(flags, 1.0 - F.cast(F.all(isfinite(values)), mstype.float32))
    return flags
