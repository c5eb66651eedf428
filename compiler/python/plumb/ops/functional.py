"""`mindspore.ops.functional`: the functions of `plumb.ops` under the r1.x name."""

from plumb.common.dtype import float_type as _FLOATS
from plumb.common.tensor import Tensor
from plumb.ops._maps import add_flags, partial
from plumb.ops._primitive import Primitive
from plumb.ops.function import *  # pylint: disable=wildcard-import
from plumb.ops.grad import grad, value_and_grad
from plumb.ops._taylor import derivative, jet
from plumb.ops.transforms import get_grad, jacfwd, jacrev, jvp, linearize, vjp, vmap


def mixed_precision_cast(dst_type, x):
    """The tensor of floats, or each of a structure of tensors, as `dst_type`; anything else as it is."""
    if isinstance(x, (tuple, list)):
        return type(x)([mixed_precision_cast(dst_type, part) for part in x])
    if isinstance(x, dict):
        return {name: mixed_precision_cast(dst_type, part) for name, part in x.items()}
    return x.astype(dst_type) if isinstance(x, Tensor) and x.dtype in _FLOATS else x
