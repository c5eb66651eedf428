"""Elements and slices changed by number, with MindSpore's signatures, in the parsable subset.

The functions of Parameters write their result into the Parameter and return it; those of tensors return a new tensor. A row
of numbers, or a number of the first axis, that lies outside is an error of the step at the caller's line. Numbers along an
axis and those of `index_put` count from the end where they are negative, others must not be.
"""

from plumb.common import dtype as mstype
from plumb.common import parameter as _parameter
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def _flat(indices, shape, wrap):
    """For rows of numbers of the first axes of `shape`: the number of the slice that each names."""
    depth, number, count = indices.shape[-1], None, 1
    for extent in shape[:depth]:
        count = count * extent
    indices = F.cast(indices, mstype.int64 if count >= 2 ** 31 else mstype.int32)
    for place in range(depth):
        own = F.reshape(F.part(indices, indices.ndim - 1, place, place + 1), (-1,))
        own = F.from_front(own, shape[place], wrap)
        number = own if number is None else number * shape[place] + own
    return number


def slices_changed(who, x, indices, updates, mode, wrap=False):
    """x with the slices that rows of numbers name changed by `updates`; with `wrap` negative numbers count from the end."""
    depth = indices.shape[-1]
    if depth > x.ndim or updates.shape != indices.shape[:-1] + x.shape[depth:]:
        raise ValueError(f"For '{who}', the updates must be of {indices.shape[:-1] + x.shape[depth:]}, but got {updates.shape}")
    rest = x.shape[depth:]
    rows = F.reshape(x, (-1,) + rest)
    changed = F.scatter(rows, _flat(indices, x.shape, wrap), F.reshape(F.cast(updates, x.dtype), (-1,) + rest), mode)
    return F.reshape(changed, x.shape)


def _written(who, variable, value):
    """Writes the value into a Parameter and returns it; raises TypeError when it is none.

    The result is the value, not what the Parameter holds then: gradients go through it.
    """
    if not isinstance(variable, _parameter.Parameter):
        raise TypeError(f"For '{who}', the first input must be a Parameter")
    return F.depend(value, F.assign(variable, value))


# -- new tensors, by rows of numbers


def tensor_scatter_update(input_x, indices, updates):
    """The input with slices replaced; of several updates of one slice the last counts."""
    return slices_changed("tensor_scatter_update", input_x, indices, updates, "update")


def tensor_scatter_add(input_x, indices, updates):
    """The input with updates added to slices."""
    return slices_changed("tensor_scatter_add", input_x, indices, updates, "add")


def tensor_scatter_sub(input_x, indices, updates):
    """The input with updates subtracted from slices."""
    return slices_changed("tensor_scatter_sub", input_x, indices, updates, "sub")


def tensor_scatter_mul(input_x, indices, updates):
    """The input with slices multiplied by updates."""
    return slices_changed("tensor_scatter_mul", input_x, indices, updates, "mul")


def tensor_scatter_div(input_x, indices, updates):
    """The input with slices divided by updates."""
    return slices_changed("tensor_scatter_div", input_x, indices, updates, "div")


def tensor_scatter_max(input_x, indices, updates):
    """The input with the larger of slices and updates."""
    return slices_changed("tensor_scatter_max", input_x, indices, updates, "max")


def tensor_scatter_min(input_x, indices, updates):
    """The input with the smaller of slices and updates."""
    return slices_changed("tensor_scatter_min", input_x, indices, updates, "min")


def scatter_nd(indices, updates, shape):
    """Zeros of a shape with updates added to the slices that rows of numbers name."""
    extents = tuple(shape.tolist()) if isinstance(shape, _checks.Tensor) else tuple(shape)
    return slices_changed("scatter_nd", F.fill(updates.dtype, extents, 0), indices, updates, "add")


# -- Parameters, by rows of numbers


def scatter_nd_update(input_x, indices, updates, use_locking=True):
    """Replaces slices of a Parameter."""
    return _written("scatter_nd_update", input_x, tensor_scatter_update(input_x, indices, updates))


def scatter_nd_add(input_x, indices, updates, use_locking=False):
    """Adds updates to slices of a Parameter."""
    return _written("scatter_nd_add", input_x, tensor_scatter_add(input_x, indices, updates))


def scatter_nd_sub(input_x, indices, updates, use_locking=False):
    """Subtracts updates from slices of a Parameter."""
    return _written("scatter_nd_sub", input_x, tensor_scatter_sub(input_x, indices, updates))


def scatter_nd_mul(input_x, indices, updates, use_locking=False):
    """Multiplies slices of a Parameter by updates."""
    return _written("scatter_nd_mul", input_x, tensor_scatter_mul(input_x, indices, updates))


def scatter_nd_div(input_x, indices, updates, use_locking=False):
    """Divides slices of a Parameter by updates."""
    return _written("scatter_nd_div", input_x, tensor_scatter_div(input_x, indices, updates))


def scatter_nd_max(input_x, indices, updates, use_locking=False):
    """Takes the larger of slices of a Parameter and updates."""
    return _written("scatter_nd_max", input_x, tensor_scatter_max(input_x, indices, updates))


def scatter_nd_min(input_x, indices, updates, use_locking=False):
    """Takes the smaller of slices of a Parameter and updates."""
    return _written("scatter_nd_min", input_x, tensor_scatter_min(input_x, indices, updates))


# -- Parameters, by numbers of the first axis


def _rows_changed(who, variable, indices, updates, mode):
    changed = slices_changed(who, variable, F.expand_dims(indices, -1), updates, mode)
    return _written(who, variable, changed)


def scatter_update(input_x, indices, updates):
    """Replaces rows of a Parameter."""
    return _rows_changed("scatter_update", input_x, indices, updates, "update")


def scatter_add(input_x, indices, updates):
    """Adds updates to rows of a Parameter."""
    return _rows_changed("scatter_add", input_x, indices, updates, "add")


def scatter_sub(input_x, indices, updates):
    """Subtracts updates from rows of a Parameter."""
    return _rows_changed("scatter_sub", input_x, indices, updates, "sub")


def scatter_mul(input_x, indices, updates):
    """Multiplies rows of a Parameter by updates."""
    return _rows_changed("scatter_mul", input_x, indices, updates, "mul")


def scatter_div(input_x, indices, updates):
    """Divides rows of a Parameter by updates."""
    return _rows_changed("scatter_div", input_x, indices, updates, "div")


def scatter_max(input_x, indices, updates):
    """Takes the larger of rows of a Parameter and updates."""
    return _rows_changed("scatter_max", input_x, indices, updates, "max")


def scatter_min(input_x, indices, updates):
    """Takes the smaller of rows of a Parameter and updates."""
    return _rows_changed("scatter_min", input_x, indices, updates, "min")


# -- element by element along an axis


def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    """y[…, index[…, i, …], …] = updates[…, i, …] along an axis, or added to it by reduction "add"."""
    if reduction not in ("none", "add"):
        raise ValueError(f"For 'tensor_scatter_elements', 'reduction' must be 'none' or 'add', but got {reduction}")
    axis = _checks.one_axis("tensor_scatter_elements", axis, input_x.ndim)
    if indices.shape != updates.shape or indices.ndim != input_x.ndim:
        raise ValueError(f"For 'tensor_scatter_elements', 'indices' and 'updates' must have one shape of {input_x.ndim} axes, but "
                         f"got {indices.shape} and {updates.shape}")
    places = F.flat_places(indices, input_x.shape, axis)
    changed = F.scatter(F.reshape(input_x, (-1,)), F.reshape(places, (-1,)), F.reshape(F.cast(updates, input_x.dtype), (-1,)),
                        "update" if reduction == "none" else "add")
    return F.reshape(changed, input_x.shape)


def scatter(input, axis, index, src):
    """The input with y[…, index[…, i, …], …] = src[…, i, …] along an axis; `src` is a tensor or a number."""
    if not isinstance(src, _checks.Tensor):
        src = F.fill(input.dtype, index.shape, src)
    return tensor_scatter_elements(input, index, src, axis)


# -- slices along an axis


def _along(who, x, indices, updates, axis, mode):
    """x with the slices along an axis that numbers name changed by those of `updates`."""
    axis = _checks.one_axis(who, axis, x.ndim)
    order = (axis,) + tuple([place for place in range(x.ndim) if place != axis])
    back = tuple(range(1, axis + 1)) + (0,) + tuple(range(axis + 1, x.ndim))
    numbers = F.from_front(indices, x.shape[axis])
    rows = F.scatter(F.transpose(x, order), F.reshape(numbers, (-1,)), F.transpose(F.cast(updates, x.dtype), order), mode)
    return F.transpose(rows, back)


def index_add(x, indices, y, axis, use_lock=True, check_index_bound=True):
    """Adds slices of y to those of x along an axis: into x when it is a Parameter, else in a new tensor."""
    result = _along("index_add", x, indices, y, axis, "add")
    return _written("index_add", x, result) if isinstance(x, _parameter.Parameter) else result


def inplace_index_add(var, indices, updates, axis):
    """Adds slices of `updates` to those of a Parameter along an axis."""
    return _written("inplace_index_add", var, _along("inplace_index_add", var, indices, updates, axis, "add"))


def _numbers(indices):
    """A tensor of an int, a tuple of them or a tensor."""
    if isinstance(indices, _checks.Tensor):
        return indices
    return _checks.Tensor((indices,) if isinstance(indices, int) else tuple(indices), mstype.int32)


def inplace_add(x, v, indices):
    """x with rows of v added to those that `indices` names.

    Gradients pass to x and v; MindSpore 2.0.0 gives zeros for both.
    """
    return _along("inplace_add", x, _numbers(indices), v, 0, "add")


def inplace_sub(x, v, indices):
    """x with rows of v subtracted from those that `indices` names.

    Gradients pass to x and v; MindSpore 2.0.0 gives zeros for both.
    """
    return _along("inplace_sub", x, _numbers(indices), v, 0, "sub")


def inplace_update(x, v, indices):
    """x with the rows that `indices` names replaced by those of v.

    Gradients pass to x and v; MindSpore 2.0.0 gives zeros for both.
    """
    return _along("inplace_update", x, _numbers(indices), v, 0, "update")


def inplace_update_at(x, indices, v):
    """`inplace_update` with the numbers before the rows."""
    return inplace_update(x, v, indices)


def index_put(x, indices, values, accumulate=False):
    """x with the elements that a tuple of tensors of numbers names replaced by values, or with values added to them.

    Raises:
      TypeError: an index is of truth values, which name other elements than their numbers: `masked_fill`, `where`.
    """
    if any(index.dtype == mstype.bool_ for index in indices):
        raise TypeError("For 'index_put', 'indices' must be tensors of integers, but one is of bool: use ops.where or ops.masked_scatter")
    numbers = F.stack(_broadcast(indices), -1)
    shape = numbers.shape[:-1] + x.shape[numbers.shape[-1]:]
    mode = "add" if accumulate else "update"
    return slices_changed("index_put", x, numbers, F.broadcast_to(values, shape), mode, wrap=True)


def _broadcast(indices):
    total = indices[0]
    for index in indices[1:]:
        total = total + index
    return tuple([F.cast(F.broadcast_to(index, total.shape), mstype.int32) for index in indices])


def slice_scatter(input, src, axis=0, start=None, end=None, step=1):
    """The input with the elements from `start` to before `end` in steps along an axis replaced by `src`."""
    axis = _checks.one_axis("slice_scatter", axis, input.ndim)
    extent = input.shape[axis]
    first = 0 if start is None else start + extent if start < 0 else start
    last = extent if end is None else end + extent if end < 0 else end
    last = extent if last > extent else last
    numbers = F.arange(-((first - last) // step)) * step + first
    return _along("slice_scatter", input, numbers, src, axis, "update")


def select_scatter(input, src, axis, index):
    """The input with the slice of a number along an axis replaced by `src`."""
    axis = _checks.one_axis("select_scatter", axis, input.ndim)
    return _along("select_scatter", input, F.fill(mstype.int32, (1,), index), F.expand_dims(src, axis), axis, "update")


def masked_scatter(x, mask, tensor):
    """x with the elements where the mask holds replaced by those of `tensor` in order."""
    shape = F.add(F.cast(mask, mstype.int32), F.cast(F.zeros_like(x), mstype.int32)).shape
    marks = F.reshape(F.broadcast_to(mask, shape), (-1,))
    places = F.cumsum(F.cast(marks, mstype.int32), 0) - 1
    values = F.gather(F.reshape(F.cast(tensor, x.dtype), (-1,)), F.maximum(places, 0), 0)
    return F.reshape(F.select(marks, values, F.reshape(F.broadcast_to(x, shape), (-1,))), shape)


__all__ = [name for name in offered(globals()) if name not in ("inplace_update_at", "slices_changed")]
