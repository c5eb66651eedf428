"""Primitive classes, MindSpore's `ops.ReLU()` spelling: made once, called later.

Those that are one operation of the compiler are made by `simple_class`, most others from a function by a table
(`function_classes`): a class's name, its constructor's parameters and their defaults stand once.
"""

from plumb.common._offers import HASHED as _HASHED, SERVED as _SERVED, not_offered, offered
from plumb.ops.operations.array_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.complex_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.custom_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.device_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.fractional_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.image_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.inner_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.layout_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.loop_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.math_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.nn_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.optimizer_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.other_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.pool_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.random_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.sparse_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.rl_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.summary_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.uncommon_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations import (_csr_ops, _grad_ops, _inner_ops, _rl_inner_ops, _tensor_array, array_ops, custom_ops, image_ops, math_ops,
                                  nn_ops, other_ops, random_ops, sparse_ops)

__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys(("MapTensorErase", "MapTensorGet", "MapTensorGetGrad", "MapTensorGetKeys", "MapTensorPut"), _HASHED),
    **dict.fromkeys(("Pull", "Push"), _SERVED),
})

__all__ = [name for name in offered(globals()) if name[0].isupper()]

# MindSpore divides the classes among its modules otherwise: each has all of them.
for _module in (array_ops, custom_ops, image_ops, math_ops, nn_ops, other_ops, random_ops, sparse_ops):
    for _name in __all__:
        vars(_module).setdefault(_name, globals()[_name])
