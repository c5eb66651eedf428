"""ONNX reductions and searches for extremes, in the parsable subset."""

import numpy as np

from plumb import ops
from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.ops.function.scan import scan_sum
from plumb.onnx._registry import operator
from plumb.onnx._values import array, given_numbers, is_floating, is_known, numbers, positive, positive_all, tensor


def _reduction(name, known, computed):
    """Enters a reduction; axes are an input or, in older operator sets, an attribute; without any it is of all axes."""
    def reduction(x, given=None, axes=None, keepdims=1, noop_with_empty_axes=0):
        found = given_numbers(given, axes, "the axes of a reduction")
        if found is None or len(found) == 0:
            if noop_with_empty_axes:
                return x
            found = tuple(range(x.ndim))
        found = positive_all(found, x.ndim)
        if is_known(x) and known is not None:
            return known(x, found, bool(keepdims))
        return computed(tensor(x), found, bool(keepdims))
    operator(name, known=(1,))(reduction)


def _known(function):
    def run(x, axes, keepdims):
        return np.array(function(x, axis=axes, keepdims=keepdims), x.dtype)
    return run


def _sum(x, axes, keepdims):
    return F.reduce_sum(x, axes, keepdims) if len(axes) > 0 else x


def _mean(x, axes, keepdims):
    if is_floating(x):
        return F.reduce_mean(x, axes, keepdims)
    return F.cast(F.reduce_mean(F.cast(x, mstype.float64), axes, keepdims), x.dtype)


def _max(x, axes, keepdims):
    if x.dtype == mstype.bool_:
        return F.cast(F.reduce_max(F.cast(x, mstype.int8), axes, keepdims), mstype.bool_)
    return F.reduce_max(x, axes, keepdims)


def _min(x, axes, keepdims):
    if x.dtype == mstype.bool_:
        return F.cast(F.reduce_min(F.cast(x, mstype.int8), axes, keepdims), mstype.bool_)
    return F.reduce_min(x, axes, keepdims)


def _real(x):
    """Floats as they are, integers as float64."""
    return x if is_floating(x) else F.cast(x, mstype.float64)


def _magnitudes(x, axes, keepdims):
    return _sum(F.abs(x), axes, keepdims)


def _squares(x, axes, keepdims):
    return _sum(F.square(x), axes, keepdims)


def _length(x, axes, keepdims):
    return F.cast(F.sqrt(_squares(_real(x), axes, keepdims)), x.dtype)


def _log_sum(x, axes, keepdims):
    return F.cast(F.log(_sum(_real(x), axes, keepdims)), x.dtype)


def _log_sum_exp(x, axes, keepdims):
    return F.cast(ops.logsumexp(_real(x), axes, keepdims), x.dtype)


for _name, _function, _computed in (
        ("ReduceSum", _known(np.sum), _sum), ("ReduceMean", _known(np.mean), _mean), ("ReduceMax", _known(np.max), _max), ("ReduceMin", _known(np.min), _min),
        ("ReduceProd", _known(np.prod), F.reduce_prod), ("ReduceL1", None, _magnitudes), ("ReduceL2", None, _length),
        ("ReduceSumSquare", None, _squares), ("ReduceLogSum", None, _log_sum), ("ReduceLogSumExp", None, _log_sum_exp)):
    _reduction(_name, _function, _computed)


def _place(find, x, axis, keepdims, select_last_index):
    """The first or last place of an extreme along an axis, int64."""
    x, axis = tensor(x), positive(axis, x.ndim)
    found = find(ops.flip(x, (axis,)) if select_last_index else x, axis)
    found = F.cast(found, mstype.int64)
    found = x.shape[axis] - 1 - found if select_last_index else found
    return F.expand_dims(found, axis) if keepdims else found


@operator("ArgMax")
def arg_max(x, axis=0, keepdims=1, select_last_index=0):
    """The place of the largest element along an axis."""
    return _place(F.argmax, x, axis, keepdims, select_last_index)


@operator("ArgMin")
def arg_min(x, axis=0, keepdims=1, select_last_index=0):
    """The place of the smallest element along an axis."""
    return _place(F.argmin, x, axis, keepdims, select_last_index)


@operator("CumSum", known=(1,))
def cumulative_sum(x, axis, exclusive=0, reverse=0):
    """Sums of all elements up to each along an axis; without the element itself, or from the end."""
    if is_known(x) and not exclusive and not reverse:
        return array(np.cumsum(x, numbers(axis, "the axis of CumSum")[0]), x.dtype)
    return scan_sum(tensor(x), positive(numbers(axis, "the axis of CumSum")[0], x.ndim), bool(exclusive), bool(reverse))


@operator("CumProd", known=(1,))
def cumulative_product(x, axis, exclusive=0, reverse=0):
    """Products of all elements up to each along an axis; without the element itself, or from the end."""
    x = tensor(x)
    axis = positive(numbers(axis, "the axis of CumProd")[0], x.ndim)
    x = ops.flip(x, (axis,)) if reverse else x
    if exclusive:
        ones = F.ones_like(F.part(x, axis, 0, 1))
        x = F.concat((ones, F.part(x, axis, 0, x.shape[axis] - 1)), axis)
    made = F.cast(ops.cumprod(x, axis), x.dtype)
    return ops.flip(made, (axis,)) if reverse else made
