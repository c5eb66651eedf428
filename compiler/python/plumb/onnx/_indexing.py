"""ONNX operators that read and write by indices, in the parsable subset."""

import numpy as np

from plumb import ops
from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops._sparse import product
from plumb.ops.function.scatter import slices_changed
from plumb.onnx._registry import operator
from plumb.onnx._values import array, is_known, number, one_of, positive, tensor


@operator("Gather")
def gather(x, indices, axis=0):
    """Slices along an axis; negative indices count from the end."""
    if is_known(x, indices):
        return array(np.take(x, indices, axis), x.dtype)
    x, axis = tensor(x), positive(axis, x.ndim)
    if is_known(indices) and indices.ndim == 0:
        return x[(slice(None),) * axis + (int(indices),)]
    return F.gather(x, F.from_front(tensor(indices), x.shape[axis]), axis)


@operator("GatherElements")
def gather_elements(x, indices, axis=0):
    """x[…, indices[…, i, …], …] along an axis."""
    if is_known(x, indices):
        return np.take_along_axis(x, indices, axis)
    x, axis = tensor(x), positive(axis, x.ndim)
    return F.take_along(x, tensor(indices), axis)


@operator("GatherND")
def gather_nd(x, indices, batch_dims=0):
    """Slices that the last axis of `indices` names by their first axes behind the batch's."""
    if is_known(x, indices) and batch_dims == 0:
        return array(x[tuple(np.moveaxis(indices, -1, 0))], x.dtype)
    x, indices = tensor(x), tensor(indices)
    if batch_dims > 0:
        count = product(x.shape[:batch_dims])
        flat = F.reshape(x, (count,) + x.shape[batch_dims:])
        inner = F.reshape(indices, (count,) + indices.shape[batch_dims:])
        parts = [gather_nd(flat[row], inner[row]) for row in range(count)]
        made = F.stack(tuple(parts), 0)
        return F.reshape(made, x.shape[:batch_dims] + made.shape[1:])
    return ops.gather_nd(x, indices)


_MODES = {"none": "update", "add": "add", "mul": "mul", "min": "min", "max": "max"}


@operator("Scatter")
@operator("ScatterElements")
def scatter_elements(x, indices, updates, axis=0, reduction="none"):
    """x with x[…, indices[…, i, …], …] replaced by, or joined with, updates[…, i, …]."""
    one_of(reduction, tuple(_MODES), "ScatterElements with reduction")
    x, updates = tensor(x), tensor(updates)
    axis = positive(axis, x.ndim)
    found = F.flat_places(tensor(indices), x.shape, axis)
    changed = F.scatter(F.reshape(x, (-1,)), F.reshape(found, (-1,)), F.reshape(updates, (-1,)), _MODES[reduction])
    return F.reshape(changed, x.shape)


def _replaced(x, places, updates):
    """A known x of one axis with the elements at places replaced, of several at one place by the last."""
    marks = np.reshape(np.arange(x.shape[0]), (-1, 1)) == np.reshape(np.mod(places, x.shape[0]), (1, -1))
    last = marks.shape[1] - 1 - np.argmax(marks[:, ::-1], 1)
    return array(np.where(np.any(marks, 1), np.take(np.reshape(updates, (-1,)), last), x), x.dtype)


@operator("ScatterND")
def scatter_nd(x, indices, updates, reduction="none"):
    """x with slices, named as by GatherND, replaced by or joined with those of `updates`."""
    one_of(reduction, tuple(_MODES), "ScatterND with reduction")
    if is_known(x, indices, updates) and reduction == "none" and x.ndim == 1:
        return _replaced(x, indices, updates)
    return slices_changed("ScatterND", tensor(x), tensor(indices), tensor(updates), _MODES[reduction], wrap=True)


@operator("TopK", known=(1,))
def top_k(x, given=None, axis=-1, largest=1, sorted=1, k=None):  # pylint: disable=redefined-builtin
    """The largest or smallest elements along an axis, in order, and their places, int64."""
    count = k if given is None else number(given, "the k of TopK")
    axis, x = positive(axis, x.ndim), tensor(x)
    order = ops.argsort(x, axis, bool(largest))
    order = F.part(order, axis, 0, count)
    return F.take_along(x, order, axis), F.cast(order, mstype.int64)


@operator("NonZero", known=(0,))
def non_zero(x):
    """Places of what is not zero, known while compiling: one row for each axis."""
    if not is_known(x):
        raise ValueError("NonZero of values that are not known while compiling: the result's extent depends on them")
    return np.array(np.nonzero(x), "int64")


@operator("Compress", known=(1,))
def compress(x, condition, axis=None):
    """Slices along an axis, or elements, of which the condition holds; it must be known while compiling."""
    if not is_known(condition):
        raise ValueError("the condition of Compress must be known while compiling: the result's extent depends on it")
    kept = np.nonzero(condition)[0]
    x = tensor(x) if axis is not None else F.reshape(tensor(x), (-1,))
    return F.gather(x, Tensor(kept.astype(np.int32)), 0 if axis is None else positive(axis, x.ndim))


@operator("Unique", known=(0,))
def unique(x, axis=None, sorted=1, outputs=1):  # pylint: disable=redefined-builtin
    """Values that differ, known while compiling, and the numbers of the first, of each, and how often each is there."""
    if not is_known(x):
        raise ValueError("Unique of values that are not known while compiling: the result's extent depends on them")
    values, first, back, counts = np.unique(x, True, True, True, axis=axis)
    if not sorted:
        order = np.argsort(first)
        values = np.take(values, order, 0 if axis is None else axis)
        first, counts, back = first[order], counts[order], np.argsort(order)[back]
    found = (values, first, back, counts)
    return values if outputs == 1 else found[:outputs]
