"""Operations: primitive classes (`ops.ReLU()`) and functions (`ops.relu(x)`)."""

from plumb.common._offers import not_offered
from plumb.ops._hosted import custom_info_register, kernel, ms_kernel
from plumb.ops._primitive import Composite, Primitive
from plumb.ops.function import *  # pylint: disable=wildcard-import
from plumb.common._marks import constexpr
from plumb.communication.management import ReduceOp
from plumb.ops.grad import GradFunction, grad, value_and_grad
from plumb.ops._maps import HyperMap, Map, MultitypeFuncGraph, add_flags, partial
from plumb.ops.operations import *  # pylint: disable=wildcard-import
from plumb.ops._taylor import derivative, jet
from plumb.ops.transforms import get_grad, jacfwd, jacrev, jvp, linearize, vjp, vmap
from plumb.ops import composite, function, functional, operations, primitive
from plumb.ops.primitive import prim_attr_register

C, F, P = composite, functional, operations

__getattr__ = not_offered(__name__)
