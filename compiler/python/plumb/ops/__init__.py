"""Operations: primitive classes (`ops.ReLU()`) and functions (`ops.relu(x)`)."""

from plumb.common._offers import not_offered
from plumb.ops._functions import *  # pylint: disable=wildcard-import
from plumb.ops._functions import print_, strided_slice
from plumb.ops._primitive import Composite, Primitive
from plumb.ops.grad import GradFunction, grad, value_and_grad
from plumb.ops.operations import *  # pylint: disable=wildcard-import
from plumb.ops import composite, functional, operations

absolute = abs
bmm = matmul
cat = concat
negative = neg
subtract = sub
multiply = mul
divide = div
true_divide = div

__getattr__ = not_offered(__name__)
