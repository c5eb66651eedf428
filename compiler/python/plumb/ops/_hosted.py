"""Operators of Python functions: they run outside of compiled functions, on arrays."""

import itertools
import math
import types

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._structures import OnHost
from plumb.common.tensor import Tensor

_REASON, _ADVICE = "it is a function of Python, which runs on the host", "call it outside, or write it with plumb.ops, in C or as ops.CustomMLIR"


def _zeros(shape, dtype, scope=None):
    """An array for results, or for parts of them."""
    return np.zeros(tuple(shape), np.dtype(dtype))


def _casts():
    return {name: np.dtype(name).type for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16",
                                                    "uint32", "uint64")}


# What a function of the hybrid language uses without importing it: buffers, loops, and functions of one number.
_HYBRID = _casts() | {
    "output_tensor": _zeros, "allocate": _zeros, "grid": lambda extents: itertools.product(*map(range, extents)),
    "vectorize": range, "parallel": range, "reduce": range, "rsqrt": lambda x: 1.0 / np.sqrt(x), "power": np.power, "erf": math.erf,
} | {name: getattr(np, name) for name in ("abs", "exp", "log", "sqrt", "sin", "cos", "tanh", "floor", "ceil", "trunc", "round", "sign",
                                          "isnan", "isinf", "isfinite", "logical_and", "logical_or", "logical_not")}


def in_hybrid_language(function):
    """The function as Python runs it, with what its language has in place of imports."""
    known = {name: value for name, value in _HYBRID.items() if name not in function.__globals__}
    return types.FunctionType(function.__code__, {**function.__globals__, **known}, function.__name__, function.__defaults__,
                              function.__closure__)


def kernel(fn=None, reg_info=None, compile_attrs=None):
    """Marks a function of the hybrid language, for `ops.Custom(fn)`; usable as `@kernel` and `@kernel(reg_info=…)`.

    Args:
      reg_info: what `CustomRegOp` gave.
      compile_attrs: settings of another compiler; they change nothing.
    """
    if fn is None:
        return lambda function: kernel(function, reg_info, compile_attrs)
    if not isinstance(fn, types.FunctionType):
        raise TypeError(f"For 'kernel', there must be a function, but got {type(fn).__name__}.")
    fn.is_hybrid, fn.reg_info = True, reg_info
    return fn


ms_kernel = kernel


def custom_info_register(*reg_info):
    """Returns a decorator that keeps registrations with a function of Python, for `ops.Custom`."""
    def decorator(function):
        function.reg_info = list(reg_info)
        return function
    return decorator


class _Hosted:
    """Runs a function on arrays of the inputs.

    Args:
      name: what messages call the operator.
      function: takes arrays; returns an array or a tuple of them.
      results: the rule for shapes and dtypes of the results, or None for what comes out.
    """

    def __init__(self, name, function, results):
        self.__name__ = self.__qualname__ = name
        self.function = in_hybrid_language(function) if getattr(function, "is_hybrid", False) else function
        self.results = results

    def __call__(self, *inputs):
        made = self.function(*[x.asnumpy() for x in inputs])
        arrays = [np.asarray(part) for part in (made if isinstance(made, tuple) else (made,))]
        if self.results is not None:
            arrays = self._checked(arrays, inputs)
        tensors = tuple(map(Tensor, arrays))
        return tensors if isinstance(made, tuple) else tensors[0]

    def _checked(self, arrays, inputs):
        _, shapes, dtypes = self.results([x.shape for x in inputs], [x.dtype for x in inputs])
        if [array.shape for array in arrays] != list(shapes):
            raise ValueError(f"the custom operator '{self.__name__}' gives {[array.shape for array in arrays]}, but its out_shape is "
                             f"{list(shapes)}")
        return [array.astype(mstype.as_dtype(dtype).numpy) for array, dtype in zip(arrays, dtypes)]


def hosted(name, function, results):
    """The function as one that compiled functions refuse by name."""
    return OnHost(_Hosted(name, function, results), _ADVICE, _REASON)
