"""Primitive classes, MindSpore's `ops.ReLU()` spelling: made once, called later.

Those that are one operation of the compiler are made by `simple_class`, most others from a function by a table
(`function_classes`): a class's name, its constructor's parameters and their defaults stand once.
"""

from plumb.common._offers import offered
from plumb.ops.operations.array_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.complex_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.custom_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.device_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.fractional_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.image_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.layout_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.math_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.nn_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.optimizer_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.other_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.pool_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.random_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.sparse_ops import *  # pylint: disable=wildcard-import
from plumb.ops.operations.summary_ops import *  # pylint: disable=wildcard-import

__all__ = [name for name in offered(globals()) if name[0].isupper()]
