"""Values of an ONNX graph while it is compiled, in the parsable subset: tensors, and NumPy arrays of what is known then.

Shapes and what is computed from them are arrays of integers, so `Reshape` to a computed shape needs no tensor. An operator on
known values alone is computed by NumPy; a known value beside a tensor becomes one.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F


def is_known(*values):
    """Whether none of the values is a tensor."""
    return not any([isinstance(value, Tensor) for value in values])


def tensor(value):
    """The value as a tensor."""
    return value if isinstance(value, Tensor) else Tensor(value)


def numbers(value, what):
    """The elements of a known value as a tuple of ints."""
    if isinstance(value, Tensor):
        raise ValueError(f"{what} must be known while compiling, but depend on the values of an input; hand them over as a NumPy array")
    return tuple([int(number) for number in np.reshape(value, (-1,))])


def number(value, what):
    """The only element of a known value as an int."""
    return numbers(value, what)[0]


def reals(value, what):
    """The elements of a known value as a tuple of floats."""
    if isinstance(value, Tensor):
        raise ValueError(f"{what} must be known while compiling, but depend on the values of an input; hand them over as a NumPy array")
    return tuple([float(one) for one in np.reshape(value, (-1,))])


def array(value, dtype):
    """What NumPy has computed as an array: of arrays without axes it makes numbers."""
    return np.array(value, dtype)


def only(value):
    """The only element of a known value, as a number of Python's."""
    return np.reshape(value, (-1,)).tolist()[0]


def given_shape(value, name, shape):
    """An input of the network; raises ValueError where it has another shape than the file says (None: any extent).

    The first axis may have any extent: files that exporters write for one batch serve others, too.
    """
    if isinstance(value, Tensor):
        fits = len(value.shape) == len(shape)
        for extent, wanted in zip(value.shape[1:], shape[1:]):
            fits = fits and wanted in (None, extent)
        if not fits:
            raise ValueError(f"the input '{name}' has the shape {value.shape}, the file says {shape} (None and the first axis are any extent)")
    return value


def given_array(value, kind, shape):
    """An input that is known while compiling: numbers, in tuples where there are several."""
    return np.reshape(np.array(value, kind), shape)


def positive(axis, rank):
    """An axis counted from the front; raises ValueError for one that is not there."""
    if axis < -rank or axis >= rank:
        raise ValueError(f"axis {axis} of a tensor of {rank} axes")
    return axis + rank if axis < 0 else axis


def positive_all(axes, rank):
    """Axes counted from the front."""
    return tuple([positive(axis, rank) for axis in axes])


def places(indices, extent):
    """Indices of which negative ones count from the end, from the front."""
    return F.select(F.less(indices, 0), indices + extent, indices)


def is_floating(x):
    """Whether a tensor's elements are real floating point numbers."""
    return x.dtype in (mstype.float32, mstype.float64, mstype.float16, mstype.bfloat16)
