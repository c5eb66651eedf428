"""Values of an ONNX graph while it is compiled, in the parsable subset: tensors, and NumPy arrays of what is known then.

Shapes and what is computed from them are arrays of integers, so `Reshape` to a computed shape needs no tensor. The operators that
exporters compute shapes with are computed by NumPy where all their inputs are known; a known value beside a tensor becomes one.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor


def is_known(*values):
    """Whether none of the values is a tensor."""
    return not any([isinstance(value, Tensor) for value in values])


def tensor(value):
    """The value as a tensor."""
    return value if isinstance(value, Tensor) else Tensor(value)


def _elements(value, what):
    """The elements of a known value."""
    if isinstance(value, Tensor):
        raise ValueError(f"{what} must be known while compiling, but are those of a tensor: of an input, which can be handed over as a NumPy "
                         "array, or of an operator that computes tensors only")
    return np.reshape(value, (-1,))


def numbers(value, what):
    """The elements of a known value as a tuple of ints."""
    return tuple([int(one) for one in _elements(value, what)])


def given_numbers(given, attribute, what):
    """Numbers that are an input or, in older operator sets, an attribute; None where they are neither."""
    return attribute if given is None else numbers(given, what)


def number(value, what):
    """The only element of a known value as an int."""
    return numbers(value, what)[0]


def reals(value, what):
    """The elements of a known value as a tuple of floats."""
    return tuple([float(one) for one in _elements(value, what)])


def array(value, dtype):
    """What NumPy has computed as an array: of arrays without axes it makes numbers."""
    return np.array(value, dtype)


def only(value):
    """The only element of a known value, as a number of Python's."""
    return np.reshape(value, (-1,)).tolist()[0]


def given_tensor(value, name, kind, shape):
    """An input of the network; raises TypeError where it has another element type than the file says, ValueError for another shape.

    None in a shape is any extent, and so is the first axis: files that exporters write for one batch serve others, too. Without
    a shape there may be any axes.
    """
    if isinstance(value, Tensor):
        if value.dtype != getattr(mstype, kind.replace("bool", "bool_")):
            raise TypeError(f"the input '{name}' is of {value.dtype}, the file says {kind}")
        shape = value.shape if shape is None else shape
        fits = len(value.shape) == len(shape)
        for extent, wanted in zip(value.shape[1:], shape[1:]):
            fits = fits and wanted in (None, extent)
        if not fits:
            raise ValueError(f"the input '{name}' has the shape {value.shape}, the file says {shape} (None and the first axis are any extent)")
    return value


def given_array(value, name, kind, shape):
    """An input that is known while compiling: numbers, in tuples where there are several; raises ValueError for another number of axes."""
    found = np.array(value, kind)
    if shape is not None and found.ndim != len(shape):
        raise ValueError(f"the input '{name}' has {found.ndim} axes, the file says {shape}")
    return found


def positive(axis, rank):
    """An axis counted from the front; raises ValueError for one that is not there."""
    if axis < -rank or axis >= rank:
        raise ValueError(f"axis {axis} of a tensor of {rank} axes")
    return axis + rank if axis < 0 else axis


def positive_all(axes, rank):
    """Axes counted from the front."""
    return tuple([positive(axis, rank) for axis in axes])


def one_of(value, offered, what):
    """A mode that is among those offered; raises NotImplementedError for another."""
    if value not in offered:
        raise NotImplementedError(f"{what} '{value}' is not offered, only {', '.join(offered)}")
    return value


def is_floating(x):
    """Whether a tensor's elements are real floating point numbers."""
    return x.dtype in (mstype.float32, mstype.float64, mstype.float16, mstype.bfloat16)
