"""Parameters of distributions and bijectors: numbers, arrays and Parameters as tensors of one element type, and their checks."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops._checks import FLOATS, INTEGERS


def as_tensor(value, dtype):
    """A number, list, array or Tensor in an element type; a Parameter stays itself, None stays None."""
    if value is None or isinstance(value, Parameter):
        return value
    if isinstance(value, (bool, str)):
        raise TypeError(f"A parameter of a distribution must be a number, list, array or Tensor, but got {value!r}.")
    return Tensor(np.asarray(value.asnumpy() if isinstance(value, Tensor) else value), dtype)


def element_type(values, dtype):
    """The element type of a distribution's parameters: that of a Tensor of floats among them, the events' own, or float32."""
    for value in values:
        kind = value.dtype if isinstance(value, Tensor) else None
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            kind = mstype.as_dtype(value.dtype)
        if dtype not in FLOATS and kind in FLOATS:
            return kind
    return dtype if dtype in FLOATS else mstype.float32


def shape_of(values):
    """The shape to which values broadcast; None where one is None."""
    if any(value is None for value in values):
        return None
    return tuple(np.broadcast_shapes(*(value.shape if hasattr(value, "shape") else np.shape(value) for value in values)))


def are_numbers(values):
    """Whether no value is a list, array or Tensor."""
    return all(value is None or isinstance(value, (int, float)) for value in values)


def check_type(who, dtype, of_floats=True, of_integers=False):
    """Raises TypeError where a distribution has no events of an element type."""
    if not (of_floats and dtype in FLOATS or of_integers and dtype in INTEGERS):
        raise TypeError(f"For '{who}', the 'dtype' must be of {'floats' if of_floats else 'integers'}"
                        f"{' or integers' if of_floats and of_integers else ''}, but got {dtype}.")


def check_positive(value, name):
    """Raises ValueError where an element that is known now is not above zero."""
    if _known(value) and not (value.asnumpy() > 0).all():
        raise ValueError(f"{name} must be greater than zero.")


def check_share(value, name="Probabilities"):
    """Raises ValueError where an element that is known now is not between 0 and 1."""
    if _known(value) and not ((value.asnumpy() > 0) & (value.asnumpy() < 1)).all():
        raise ValueError(f"{name} must be greater than zero and less than one.")


def check_order(low, high, low_name, high_name):
    """Raises ValueError where elements that are known now are not in order."""
    if _known(low) and _known(high) and not (low.asnumpy() < high.asnumpy()).all():
        raise ValueError(f"{low_name} must be less than {high_name}")


def _known(value):
    return value is not None and not isinstance(value, Parameter)
