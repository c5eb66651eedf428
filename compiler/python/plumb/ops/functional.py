"""`mindspore.ops.functional`: the functions of `plumb.ops` under the r1.x name."""

from plumb.ops._maps import add_flags, partial
from plumb.ops._primitive import Primitive
from plumb.ops.function import *  # pylint: disable=wildcard-import
from plumb.ops.grad import grad, value_and_grad
from plumb.ops._taylor import derivative, jet
from plumb.ops.function.state import print_ as print  # pylint: disable=redefined-builtin
from plumb.ops.transforms import get_grad, jacfwd, jacrev, jvp, linearize, vjp, vmap
