"""Public functions that make, move and pick elements, with MindSpore's signatures, in the parsable subset.

Tensors come first and are passed by position; every other parameter has MindSpore's name and default.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _functions as F

cast = F.cast
transpose = F.transpose
broadcast_to = F.broadcast_to
tile = F.tile
stack = F.stack
expand_dims = F.expand_dims
select = F.select
shape = F.shape
dtype = F.dtype
rank = F.rank
size = F.size
strided_slice = F.strided_slice
depend = F.depend
stop_gradient = F.stop_gradient
assign = F.assign
assign_add = F.assign_add
assign_sub = F.assign_sub
print_ = F.print_


def reshape(input, shape):
    """The same elements in another shape; one extent may be -1."""
    return F.reshape(input, shape)


def concat(tensors, axis=0):
    """The tensors one behind another along an axis."""
    return F.concat(tensors, axis)


def squeeze(input, axis=None):
    """Without the axes of extent 1; only those of `axis` when it is given."""
    return F.squeeze(input, () if axis is None else axis)


def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    """The axes from `start_dim` to `end_dim` on one axis; order "F" reverses all axes first."""
    if order == "F":
        input = F.transpose(input, tuple(range(input.ndim - 1, -1, -1)))
    first = start_dim if start_dim >= 0 else start_dim + input.ndim
    last = end_dim if end_dim >= 0 else end_dim + input.ndim
    return F.reshape(input, input.shape[:first] + (-1,) + input.shape[last + 1:])


def _between(x, axis, start, end):
    """The elements of `x` from `start` to before `end` along an axis."""
    begin, stop = (0,) * x.ndim, x.shape
    return F.strided_slice(x, begin[:axis] + (start,) + begin[axis + 1:], stop[:axis] + (end,) + stop[axis + 1:],
                           (1,) * x.ndim)


def split(tensor, split_size_or_sections, axis=0):
    """Slices along an axis, a tuple of tensors.

    Args:
      split_size_or_sections: an int, the extent of each slice (the last may be smaller), or the extents of all of them.
    """
    axis = axis if axis >= 0 else axis + tensor.ndim
    extent, sections = tensor.shape[axis], split_size_or_sections
    if isinstance(sections, int):
        if sections <= 0:
            raise ValueError("For 'split', 'split_size_or_sections' must be positive")
        if extent % sections == 0:
            return F.split(tensor, axis, extent // sections)
        sections = (sections,) * (extent // sections) + (extent % sections,)
    parts, start = (), 0
    for section in sections:
        parts = parts + (_between(tensor, axis, start, start + section),)
        start = start + section
    if start != extent:
        raise ValueError("For 'split', the sections must add up to the extent of the axis")
    return parts


def pad(input_x, padding, mode="constant", value=None):
    """Adds elements at both ends of axes: padding is (before, after) of the last axis, then of the one before it, and so on.

    Args:
      padding: an even number of ints of at least 0.
      mode: "constant".
      value: what is added; 0 when None.
    """
    if mode != "constant":
        raise ValueError("For 'pad', only mode='constant' is offered")
    if len(padding) % 2 != 0 or len(padding) > 2 * input_x.ndim:
        raise ValueError("For 'pad', 'padding' must be pairs of ints, at most one for each axis")
    rest = (0,) * (input_x.ndim - len(padding) // 2)
    before, after = rest + tuple(padding[::2])[::-1], rest + tuple(padding[1::2])[::-1]
    return F.pad(input_x, before, after, 0.0 if value is None else value)


def gather(input_params, input_indices, axis, batch_dims=0):
    """Elements of `input_params` along `axis` by number."""
    if batch_dims != 0:
        raise ValueError("For 'gather', only batch_dims=0 is offered")
    return F.gather(input_params, input_indices, axis)


def one_hot(indices, depth, on_value, off_value, axis=-1):
    """Rows of `depth` elements, on an axis put in at `axis`: `on_value` at the index, `off_value` elsewhere.

    The values are tensors or numbers; the result has their element type (float32 for numbers).
    """
    if isinstance(on_value, (int, float)):
        rows = F.one_hot(indices, depth, on_value, off_value)
    else:
        rows = F.select(F.greater(F.one_hot(indices, depth), 0.5), on_value, off_value)
    last = indices.ndim
    if axis < 0 or axis == last:
        return rows
    return F.transpose(rows, tuple(range(axis)) + (last,) + tuple(range(axis, last)))


def fill(type, shape, value):
    """A tensor of `type` and `shape` filled with `value`."""
    return F.fill(type, shape, value)


def ones(shape, dtype=None):
    """A tensor of ones, of float32 by default."""
    return F.fill(mstype.float32 if dtype is None else dtype, shape, 1)


def zeros(size, dtype=None):
    """A tensor of zeros, of float32 by default."""
    return F.fill(mstype.float32 if dtype is None else dtype, size, 0)


def ones_like(input, *, dtype=None):
    """Ones in the shape of `input`, of its element type by default."""
    return F.fill(input.dtype if dtype is None else dtype, input.shape, 1)


def zeros_like(input, *, dtype=None):
    """Zeros in the shape of `input`, of its element type by default."""
    return F.fill(input.dtype if dtype is None else dtype, input.shape, 0)


def eye(n, m=None, dtype=None):
    """A matrix of `n` rows and `m` columns (`n` by default) with ones on the diagonal, of float32 by default."""
    return F.eye(n, n if m is None else m, mstype.float32 if dtype is None else dtype)


__all__ = offered(globals())
