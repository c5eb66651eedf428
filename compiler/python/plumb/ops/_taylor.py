"""Derivatives of higher order along a path: `jet` and `derivative`.

The path is a function of one number t, and so is the inner product of what the function makes of it with fixed `sens`. Its
derivatives by t, one nested in the other, are linear in `sens`, so the gradient by that is the derivative of the function.
"""

import numpy as np

from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops._primitive import Composite
from plumb.ops.grad import GradFunction
from plumb.ops.transforms import _as_tuple, _helper, _tensors


class _OnPath(Composite):
    """The inner product of `sens` with a function of the inputs at the time t of a path, given by its derivatives at 0."""

    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, t, sens, inputs, series):
        places = ()
        for number in range(len(inputs)):
            place, power = inputs[number], 1.0
            for order in range(series[number].shape[0]):
                power = power * t / (order + 1.0)
                place = place + series[number][order] * power
            places = places + (place,)
        results = self.fn(*places)
        results = results if isinstance(results, tuple) else (results,)
        total = 0.0
        for result, weight in zip(results, sens):
            total = total + F.reduce_sum(result * weight)
        return total


class _ByTime(Composite):
    """The derivative of such a product by t."""

    def __init__(self, inner):
        super().__init__()
        self.derivative = GradFunction(inner, (0,), (), False)

    def construct(self, t, sens, inputs, series):
        return self.derivative(t, sens, inputs, series)


def _derivatives(who, fn, primals, series, orders):
    """The results of `fn`, and their derivatives of the given orders along the path, one for each order."""
    primals, series = _tensors(who, "primals", primals), _tensors(who, "series", series)
    if len(primals) != len(series) or any(part.shape[1:] != value.shape or part.dtype != value.dtype
                                          for part, value in zip(series, primals)):
        raise ValueError(f"For '{who}', each of 'series' must have one axis more than its input, in front, and the same element type.")
    outputs = fn(*primals)
    zeros = tuple(Tensor(np.zeros(item.shape, item.dtype.numpy)) for item in _as_tuple(outputs))
    time, inner, found = Tensor(np.zeros((), primals[0].dtype.numpy)), _helper(_OnPath, fn), []
    for order in range(1, max(orders) + 1):
        inner = _helper(_ByTime, inner)
        if order in orders:
            found.append(_as_tuple(GradFunction(inner, (1,), (), False)(time, zeros, primals, series)))
    return outputs, found


def _like(outputs, parts):
    return tuple(parts) if isinstance(outputs, tuple) else parts[0]


def jet(fn, primals, series):
    """The results of `fn`, and their derivatives of all orders up to that of `series` along a path.

    Args:
      fn: a function or Cell of Tensors of floating point, which returns one Tensor or a tuple of them.
      primals: where the path is at t = 0, a Tensor or a tuple of Tensors.
      series: the path's derivatives at t = 0, from the first on, along a new first axis: a Tensor for each of `primals`.

    Returns:
      The results, and the derivatives of each along a new first axis.

    Raises:
      TypeError: if an input is no Tensor.
      ValueError: if the shapes or element types of `primals` and `series` do not fit.
    """
    count = _tensors("jet", "series", series)[0].shape[0]
    outputs, found = _derivatives("jet", fn, primals, series, range(1, count + 1))
    rows = [Tensor(np.stack([order[place].asnumpy() for order in found])) for place in range(len(found[0]))]
    return outputs, _like(outputs, rows)


def derivative(fn, primals, order):
    """The results of `fn`, and their derivatives of one order along the path on which every element rises by t.

    For functions of each element alone, those are the derivatives of the function.

    Args:
      fn, primals: as for `jet`.
      order: which derivative, an int above 0.

    Raises:
      ValueError: if `order` is below 1.
    """
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise ValueError(f"For 'derivative', the 'order' must be an int above 0, but got {order}.")
    series = []
    for value in _tensors("derivative", "primals", primals):
        path = np.zeros((order,) + value.shape, value.dtype.numpy)
        path[0] = 1
        series.append(Tensor(path))
    outputs, found = _derivatives("derivative", fn, primals, tuple(series), (order,))
    return outputs, _like(outputs, found[0])
