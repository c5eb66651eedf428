"""Elements and slices picked by number or by truth, with MindSpore's signatures, in the parsable subset.

A negative number counts from the end of its axis; a number outside of the axis is held at its ends.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F


@known_as(condition="cond", input="x", other="y")
def select(cond, x, y):
    """x where the condition holds, y elsewhere: two tensors of one type, or a tensor and a number, an int beside int32, a float beside
    float32.

    Raises TypeError for others.
    """
    if not isinstance(cond, _checks.Tensor):
        raise TypeError("For 'select', 'cond' must be a Tensor.")
    _check_chosen("x", x, "y", y)
    _check_chosen("y", y, "x", x)
    if isinstance(x, _checks.Tensor) and isinstance(y, _checks.Tensor) and x.dtype != y.dtype:
        raise TypeError(f"For 'select', 'x' and 'y' must have one type, but got {x.dtype} and {y.dtype}.")
    return F.select(cond, x, y)


def _check_chosen(name, value, other, beside):
    """Refuses a number that is not beside a tensor of its kind, and what is neither a tensor nor a number."""
    if isinstance(value, _checks.Tensor):
        return
    if not isinstance(value, (int, float)):
        raise TypeError(f"For 'select', '{name}' must be a Tensor, an int or a float.")
    wanted = mstype.int32 if isinstance(value, int) else mstype.float32
    if not isinstance(beside, _checks.Tensor):
        raise TypeError(f"For 'select', where '{name}' is a number, '{other}' must be a Tensor.")
    if beside.dtype != wanted:
        raise TypeError(f"For 'select', beside {value} for '{name}', '{other}' must be of {wanted}, but got {beside.dtype}.")


@known_as(input="x", other="y")
def where(condition, x, y):
    """x where the condition holds, y elsewhere: two tensors of one type, or a tensor and a number, which broadcast.

    A float beside integers makes float32; MindSpore 2.0.0 cuts it to their type. Raises TypeError for two numbers, or two types.
    """
    if not isinstance(x, _checks.Tensor) and not isinstance(y, _checks.Tensor):
        raise TypeError("For 'where', at least one of 'x' and 'y' must be a Tensor.")
    if isinstance(x, _checks.Tensor) and isinstance(y, _checks.Tensor) and x.dtype != y.dtype:
        raise TypeError(f"For 'where', 'x' and 'y' must have one type, but got {x.dtype} and {y.dtype}.")
    return F.select(F.cast(condition, mstype.bool_), x, y)


# -- slices


def slice(input_x, begin, size):
    """The box from `begin` of extents `size`, in which -1 is up to the end."""
    begin, extents = _ints(begin), _ints(size)
    end = ()
    for axis in range(input_x.ndim):
        end = end + (input_x.shape[axis] if extents[axis] == -1 else begin[axis] + extents[axis],)
    return F.strided_slice(input_x, begin, end, (1,) * input_x.ndim)


def _ints(values):
    return tuple(values.tolist()) if isinstance(values, _checks.Tensor) else tuple(values)


def strided_slice(input_x, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0):
    """The box from `begin` to before `end` in steps, of which negative ones go backwards.

    Args:
      begin_mask, end_mask: bit i: axis i begins at its first (ends at its last) element, whatever `begin` (`end`) says.
      ellipsis_mask: its one bit i: place i stands for all axes that the others leave.
      new_axis_mask: bit i: place i puts in an axis of extent 1.
      shrink_axis_mask: bit i: only the element at `begin` is taken, and the axis is dropped.
    """
    begin, end, strides = _ints(begin), _ints(end), _ints(strides)
    axis, shape, dots = 0, (), False
    added = len([place for place in range(len(begin)) if new_axis_mask >> place & 1 and not ellipsis_mask >> place & 1])
    for place in range(len(begin)):
        if ellipsis_mask >> place & 1:
            if dots:
                raise ValueError("For 'strided_slice', 'ellipsis_mask' must have at most one bit")
            left = input_x.ndim - (len(begin) - 1 - added)
            shape, axis, dots = shape + input_x.shape[axis:axis + left], axis + left, True
        elif new_axis_mask >> place & 1:
            shape = shape + (1,)
        else:
            extent, step = input_x.shape[axis], strides[place]
            if step == 0:
                raise ValueError("For 'strided_slice', a stride cannot be 0")
            if shrink_axis_mask >> place & 1:
                first = begin[place] + extent if begin[place] < 0 else begin[place]
                if first < 0 or first >= extent:
                    raise ValueError(f"For 'strided_slice', {begin[place]} lies outside of the extent {extent}")
                input_x = F.part(input_x, axis, first, first + 1)
            else:
                first = None if begin_mask >> place & 1 else begin[place]
                input_x = _stepped(input_x, axis, first, None if end_mask >> place & 1 else end[place], step)
                shape = shape + (input_x.shape[axis],)
            axis = axis + 1
    return F.reshape(input_x, shape + input_x.shape[axis:])


def _stepped(x, axis, begin, end, step):
    """The elements along an axis that a slice of Python names."""
    extent = x.shape[axis]
    numbers = tuple(range(extent))[begin:end:step]
    if len(numbers) == 0:
        return F.part(x, axis, 0, 0)
    if step < 0:
        return F.gather(x, numbers[0] + F.arange(len(numbers)) * step, axis)
    low, high = (0,) * axis + (numbers[0],), x.shape[:axis] + (numbers[-1] + 1,)
    return F.strided_slice(x, low, high, (1,) * axis + (step,))


def narrow(input, axis, start, length):
    """`length` elements along an axis, from `start` on."""
    axis = _checks.one_axis("narrow", axis, input.ndim)
    if start < 0 or length < 0 or start + length > input.shape[axis]:
        raise ValueError(f"For 'narrow', {start} and {length} reach outside of the extent {input.shape[axis]}")
    return F.part(input, axis, start, start + length)


# -- along one axis


def gather(input_params, input_indices, axis, batch_dims=0):
    """Slices of `input_params` along `axis` by number: its shape with the axis replaced by that of `input_indices`.

    Args:
      batch_dims: how many first axes both have in common: their parts are gathered pairwise. A negative number leaves
        that many axes of the indices.
    """
    batch_dims = batch_dims + input_indices.ndim if batch_dims < 0 else batch_dims
    axis = _checks.one_axis("gather", axis.item() if isinstance(axis, _checks.Tensor) else axis, input_params.ndim)
    if batch_dims == 0:
        return F.gather(input_params, F.from_front(input_indices, input_params.shape[axis]), axis)
    lead = input_params.shape[:batch_dims]
    if batch_dims < 0 or batch_dims > axis or input_indices.shape[:batch_dims] != lead:
        raise ValueError(f"For 'gather', 'batch_dims' must name axes before {axis} that both have, but got {batch_dims}")
    count = 1
    for extent in lead:
        count = count * extent
    # The parts lie on the axis itself, one behind another: part i's element j has the number i * extent + j.
    extent = input_params.shape[axis]
    order = tuple(range(batch_dims, axis)) + tuple(range(batch_dims)) + tuple(range(axis, input_params.ndim))
    between, rest = input_params.shape[batch_dims:axis], input_params.shape[axis + 1:]
    rows = F.reshape(F.transpose(input_params, order), between + (count * extent,) + rest)
    inner = input_indices.shape[batch_dims:]
    numbers = F.reshape(F.from_front(F.cast(input_indices, mstype.int32), extent), (count,) + inner)
    numbers = numbers + F.reshape(F.arange(count) * extent, (count,) + (1,) * len(inner))
    picked = F.reshape(F.gather(rows, numbers, len(between)), between + lead + inner + rest)
    # Back to: the common axes, those between, the indices', the rest.
    first = len(between)
    back = tuple(range(first, first + batch_dims)) + tuple(range(first)) + tuple(range(first + batch_dims, picked.ndim))
    return F.transpose(picked, back)


def embedding_lookup(input_params, input_indices, offset):
    """Rows by number less `offset`; zeros for numbers outside.

    The gradient has the shape of the table; MindSpore 2.0.0 gives numbers, rows and that shape.
    """
    numbers = input_indices - offset
    within = F.logical_and(F.greater_equal(numbers, 0), F.less(numbers, input_params.shape[0]))
    rows = F.gather(input_params, F.select(within, numbers, 0), 0)
    within = F.reshape(within, within.shape + (1,) * (input_params.ndim - 1))
    return F.select(within, rows, F.zeros_like(rows))


def index_select(input, axis, index):
    """Slices along an axis by number."""
    return gather(input, index, axis)


def gather_d(x, dim, index):
    """y[…, i, …] = x[…, index[…, i, …], …] along an axis; `index` is no larger than x along the others."""
    return gather_elements(x, dim, index)


def gather_elements(input, dim, index):
    """y[…, i, …] = x[…, index[…, i, …], …] along an axis; `index` is no larger than the input along the others."""
    axis = _checks.one_axis("gather_elements", dim, input.ndim)
    if index.ndim != input.ndim:
        raise ValueError(f"For 'gather_elements', 'index' must have {input.ndim} axes, but got {index.shape}")
    for place in range(input.ndim):
        if place != axis and index.shape[place] > input.shape[place]:
            raise ValueError(f"For 'gather_elements', 'index' of {index.shape} is larger than {input.shape}")
    if input.ndim == 0:
        return input
    return F.take_along(input, index, axis)


# -- by several numbers


def flat_numbers(indices, shape):
    """For rows of numbers of the first axes of `shape`: the number of the slice that each row names, all in order."""
    depth, number = indices.shape[-1], None
    for place in range(depth):
        own = F.squeeze(F.part(indices, indices.ndim - 1, place, place + 1), (-1,))
        own = F.from_front(own, shape[place])
        number = own if number is None else number * shape[place] + own
    return number


def gather_nd(input_x, indices):
    """The elements or slices that rows of numbers of the first axes name."""
    depth = indices.shape[-1]
    if depth > input_x.ndim:
        raise ValueError(f"For 'gather_nd', rows of {depth} numbers name nothing in {input_x.shape}")
    if depth == 0:
        return F.broadcast_to(input_x, indices.shape[:-1] + input_x.shape)
    rows = F.reshape(input_x, (-1,) + input_x.shape[depth:])
    return F.gather(rows, flat_numbers(indices, input_x.shape), 0)


# -- by truth


def masked_fill(input_x, mask, value):
    """`value`, a number or a tensor of one element, where the mask holds, the input elsewhere."""
    if mask.dtype != mstype.bool_:
        raise TypeError(f"For 'masked_fill', 'mask' must be of bool, but got {mask.dtype}")
    filling = F.cast(F.reshape(value, ()), input_x.dtype) if isinstance(value, _checks.Tensor) else F.fill(
        input_x.dtype, (), value)
    return F.select(mask, filling, input_x)


def index_fill(x, axis, index, value):
    """x with `value`, a number or a tensor of one element, in the slices along an axis that `index` names."""
    axis = _checks.one_axis("index_fill", axis.item() if isinstance(axis, _checks.Tensor) else axis, x.ndim)
    numbers = F.from_front(index, x.shape[axis])
    named = F.any(F.equal(F.expand_dims(numbers, -1), F.arange(x.shape[axis])), 0) if index.ndim > 0 else F.equal(
        F.arange(x.shape[axis]), numbers)
    return masked_fill(x, F.reshape(named, (-1,) + (1,) * (x.ndim - 1 - axis)), value)


__all__ = [name for name in offered(globals()) if name not in ("embedding_lookup", "flat_numbers")]
