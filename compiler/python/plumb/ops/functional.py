"""`mindspore.ops.functional`: the functions of `plumb.ops` under the r1.x name."""

from plumb.ops._array import *  # pylint: disable=wildcard-import
from plumb.ops._array import print_
from plumb.ops._math import *  # pylint: disable=wildcard-import
from plumb.ops._nn import *  # pylint: disable=wildcard-import
from plumb.ops.grad import grad, value_and_grad
