"""`mindspore.ops.functional`: the functions of `plumb.ops` under the r1.x name."""

from plumb.common._structures import compiled_as
from plumb.ops._maps import add_flags, partial
from plumb.ops._primitive import Primitive
from plumb.ops.function import *  # pylint: disable=wildcard-import
from plumb.ops.grad import grad, value_and_grad
from plumb.ops._taylor import derivative, jet
from plumb.ops.function.state import print_ as print  # pylint: disable=redefined-builtin
from plumb.ops.transforms import get_grad, jacfwd, jacrev, jvp, linearize, vjp, vmap


@compiled_as(Primitive("is_constant"))
def isconstant(x):
    """Whether a value is known while a function is compiled; outside of one everything is."""
    del x
    return True


def is_sequence_value_unknown(x):
    """Whether an item of a tuple or list is known only when the function runs."""
    return not isconstant(x)


def is_sequence_shape_unknown(x):
    """Whether a tuple or list has as many items as a tensor says: never, in functions of fixed sizes."""
    del x
    return False


def is_dynamic_sequence_element_unknown(x):
    """Whether nothing is known of the items of a sequence of variable length; there are none such."""
    raise TypeError(f"For 'is_dynamic_sequence_element_unknown', the input must be a sequence of variable length, but got one of {len(x)} items")
