"""Layers whose Parameters are of a type that the program names, as MindSpore 2.1 and later have them."""

import functools
import inspect

from plumb.common import dtype as mstype

_OWN = inspect.Parameter("dtype", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=mstype.float32)


def typed(kind):
    """Class decorator: the constructor's last argument is `dtype`, the type of the layer's float32 Parameters, float32 by default.

    Raises TypeError where it is no type of floating point.
    """
    make, known = kind.__init__, inspect.signature(kind.__init__)
    count = len(known.parameters) - 1

    @functools.wraps(make)
    def __init__(self, *args, **kwargs):
        if len(args) == count + 1 and "dtype" not in kwargs:
            args, kwargs = args[:count], {**kwargs, "dtype": args[count]}
        dtype = kwargs.pop("dtype", None) or mstype.float32
        floating(type(self).__name__, dtype)
        make(self, *args, **kwargs)
        if mstype.as_dtype(dtype) is not mstype.float32:
            _convert(self, mstype.as_dtype(dtype))

    __init__.__signature__ = known.replace(parameters=[*known.parameters.values(), _OWN])
    kind.__init__ = __init__
    return kind


def floating(who, dtype):
    """Raises TypeError where the type of a layer's Parameters is no type of floating point."""
    if mstype.as_dtype(dtype) not in mstype.float_type:
        raise TypeError(f"For '{who}', the 'dtype' must be a type of floating point, but got {dtype}.")


def _convert(cell, dtype):
    """Makes the cell's float32 Parameters of another type, but internal ones."""
    for _, part in cell.cells_and_names():
        for _, parameter in part.parameters_and_names(expand=False):
            if parameter.dtype is mstype.float32:
                parameter.set_dtype(dtype)
