"""Tensors in NumPy's functions.

A number of NumPy's, or an array of no axes, on the left of an operator, as `np.float64(2) * tensor`, leaves the operation to the tensor, whose result is
a tensor that has a gradient. All other functions of NumPy's, and operators beside its arrays, take the tensor's values.
"""

import numpy as np

_OPERATORS = {"add": "radd", "subtract": "rsub", "multiply": "rmul", "divide": "rtruediv", "true_divide": "rtruediv",
              "floor_divide": "rfloordiv", "remainder": "rmod", "power": "rpow", "bitwise_and": "rand", "bitwise_or": "ror",
              "bitwise_xor": "rxor", "left_shift": "rlshift", "right_shift": "rrshift", "equal": "eq", "not_equal": "ne",
              "less": "gt", "less_equal": "ge", "greater": "lt", "greater_equal": "le"}


def apply_ufunc(tensor, ufunc, method, *inputs, **options):
    """NumPy's `__array_ufunc__`."""
    operator = _OPERATORS.get(ufunc.__name__)
    is_number = isinstance(inputs[0], (np.generic, np.ndarray)) and not inputs[0].shape
    if method == "__call__" and operator and not options and is_number and inputs[1] is tensor:
        return getattr(tensor, f"__{operator}__")(inputs[0][()])
    if any(hasattr(array, "asnumpy") for array in options.get("out", ())):
        return NotImplemented
    return getattr(ufunc, method)(*(np.asarray(value) if hasattr(value, "asnumpy") else value for value in inputs), **options)
