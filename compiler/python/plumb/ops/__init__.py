"""Operations: primitive classes (`ops.ReLU()`) and functions (`ops.relu(x)`)."""

from plumb.common._offers import not_offered
from plumb.ops._array import *  # pylint: disable=wildcard-import
from plumb.ops._array import print_
from plumb.ops._math import *  # pylint: disable=wildcard-import
from plumb.ops._nn import *  # pylint: disable=wildcard-import
from plumb.ops._primitive import Composite, Primitive
from plumb.ops.grad import GradFunction, grad, value_and_grad
from plumb.ops.operations import *  # pylint: disable=wildcard-import
from plumb.ops import composite, functional, operations

absolute = abs
cat = concat
negative = neg
multiply = mul
divide = div

__getattr__ = not_offered(__name__)
