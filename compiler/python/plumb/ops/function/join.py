"""Joining tensors and cutting them apart, with MindSpore's signatures, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.shape import broadcast_shapes

stack = F.stack


def concat(tensors, axis=0):
    """The tensors one behind another along an axis."""
    return F.concat(tensors, axis)


cat = concat


def atleast_1d(inputs):
    """The tensor, or each of a list, as one of at least one axis."""
    return _each(_at_least_1d, inputs)


def atleast_2d(inputs):
    """The tensor, or each of a list, as one of at least two axes; those put in lead."""
    return _each(_at_least_2d, inputs)


def atleast_3d(inputs):
    """The tensor, or each of a list, as one of at least three axes: a vector lies on the second, a matrix on the first two."""
    return _each(_at_least_3d, inputs)


def _each(function, inputs):
    if isinstance(inputs, (tuple, list)):
        return tuple([function(x) for x in inputs])
    return function(inputs)


def _at_least_1d(x):
    return F.reshape(x, (1,)) if x.ndim == 0 else x


def _at_least_2d(x):
    return F.reshape(x, (1, -1)) if x.ndim < 2 else x


def _at_least_3d(x):
    if x.ndim < 2:
        return F.reshape(x, (1, -1, 1))
    return F.expand_dims(x, 2) if x.ndim == 2 else x


def hstack(tensors):
    """The tensors side by side: along axis 1, vectors along their only one."""
    parts = atleast_1d(tensors)
    return F.concat(parts, 0 if parts[0].ndim == 1 else 1)


def vstack(inputs):
    """The tensors one below another; vectors are rows."""
    return F.concat(atleast_2d(inputs), 0)


def row_stack(tensors):
    """`vstack`."""
    return vstack(tensors)


@known_as(tensors="inputs")
def dstack(inputs):
    """The tensors one behind another along the third axis."""
    return F.concat(atleast_3d(inputs), 2)


def column_stack(tensors):
    """Vectors as columns, and matrices, side by side."""
    return F.concat(tuple([F.reshape(x, (-1, 1)) if x.ndim < 2 else x for x in tensors]), 1)


# -- cutting apart


def split(tensor, split_size_or_sections=None, axis=0, output_num=None):
    """Slices along an axis, a tuple of tensors.

    Args:
      split_size_or_sections: an int, the extent of each slice (the last may be smaller), or the extents of all of them.
      output_num: the number of slices of one extent, in place of `split_size_or_sections`, as MindSpore 1.x has it; there the
        second argument is the axis.
    """
    is_axis = isinstance(split_size_or_sections, int) and -tensor.ndim <= split_size_or_sections < tensor.ndim
    if is_axis and output_num is not None and axis == 0:
        axis, split_size_or_sections = split_size_or_sections, None
    if (split_size_or_sections is None) == (output_num is None):
        raise TypeError("For 'split', give either 'split_size_or_sections' or 'output_num'.")
    axis = _checks.one_axis("split", axis, tensor.ndim)
    if output_num is not None:
        parts = F.split(tensor, axis, output_num)
        return (parts,) if isinstance(parts, _checks.Tensor) else parts
    extent, sections = tensor.shape[axis], split_size_or_sections
    if isinstance(sections, int):
        if sections <= 0:
            raise ValueError("For 'split', 'split_size_or_sections' must be positive")
        if extent % sections == 0:
            parts = F.split(tensor, axis, extent // sections)
            return parts if extent > sections else (parts,) if isinstance(parts, _checks.Tensor) else parts
        sections = (sections,) * (extent // sections) + (extent % sections,)
    parts, start = (), 0
    for section in sections:
        parts = parts + (F.part(tensor, axis, start, start + section),)
        start = start + section
    if start != extent:
        raise ValueError("For 'split', the sections must add up to the extent of the axis")
    return parts


def split_of(x, size_splits, split_dim, num_split):
    """`split` by a list of `num_split` extents, of which one may be -1."""
    if len(size_splits) != num_split:
        raise ValueError(f"For 'SplitV', 'num_split' must be {len(size_splits)}, but got {num_split}")
    known = 0
    for extent in size_splits:
        known = known + (extent if extent != -1 else 0)
    rest = x.shape[split_dim] - known
    return split(x, tuple([rest if extent == -1 else extent for extent in size_splits]), split_dim)


def tensor_split(input, indices_or_sections, axis=0):
    """Slices along an axis: as many as an int says, the first ones larger by one element where needed, or cut at indices."""
    axis = _checks.one_axis("tensor_split", axis, input.ndim)
    extent, bounds = input.shape[axis], ()
    if isinstance(indices_or_sections, int):
        if indices_or_sections <= 0:
            raise ValueError("For 'tensor_split', the number of slices must be positive")
        for number in range(1, indices_or_sections):
            larger = extent % indices_or_sections
            bounds = bounds + (number * (extent // indices_or_sections) + (number if number < larger else larger),)
    else:
        for index in indices_or_sections:
            place = index + extent if index < 0 else index
            bounds = bounds + (0 if place < 0 else extent if place > extent else place,)
    parts, start = (), 0
    for bound in bounds + (extent,):
        parts = parts + (F.part(input, axis, start, bound if bound > start else start),)
        start = bound
    return parts


def hsplit(input, indices_or_sections):
    """tensor_split along axis 1, of a vector along its only one."""
    return tensor_split(input, indices_or_sections, 0 if input.ndim == 1 else 1)


def vsplit(input, indices_or_sections):
    """tensor_split along axis 0."""
    return tensor_split(input, indices_or_sections, 0)


def dsplit(input, indices_or_sections):
    """tensor_split along axis 2."""
    return tensor_split(input, indices_or_sections, 2)


def chunk(input, chunks, axis=0):
    """At most `chunks` slices of one extent along an axis; the last may be smaller."""
    if chunks <= 0:
        raise ValueError(f"For 'chunk', 'chunks' must be positive, but got {chunks}")
    axis = _checks.one_axis("chunk", axis, input.ndim)
    return split(input, -(-input.shape[axis] // chunks), axis)


def unbind(input, dim=0):
    """The slices along an axis, without it."""
    axis = _checks.one_axis("unbind", dim, input.ndim)
    return tuple([F.squeeze(F.part(input, axis, number, number + 1), (axis,)) for number in range(input.shape[axis])])


def unstack(input_x, axis=0):
    """The slices along an axis, without it."""
    return unbind(input_x, axis)


# -- grids


def meshgrid(*inputs, indexing="xy"):
    """Vectors repeated to the grid that they span; "xy" exchanges the first two axes, "ij" does not."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"For 'meshgrid', 'indexing' must be 'xy' or 'ij', but got {indexing}")
    vectors = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)) else inputs
    count = len(vectors)
    places = tuple(range(count))
    if indexing == "xy" and count > 1:
        places = (1, 0) + places[2:]
    extents = tuple([vectors[place].size for place in places])
    grids = ()
    for number in range(count):
        place = places[number]
        column = F.reshape(vectors[number], tuple([-1 if axis == place else 1 for axis in range(count)]))
        grids = grids + (F.broadcast_to(column, extents),)
    return grids


def broadcast_tensors(*inputs):
    """The tensors repeated to the shape that theirs broadcast to."""
    shape = broadcast_shapes(*[x.shape for x in inputs])
    return tuple([F.broadcast_to(x, shape) for x in inputs])


def cartesian_prod(*inputs):
    """All rows with one element of each vector; the last one's changes first."""
    if len(inputs) == 1:
        return inputs[0]
    return F.stack(tuple([F.reshape(grid, (-1,)) for grid in meshgrid(*inputs, indexing="ij")]), 1)


@known_as(input="x")
def combinations(x, r=2, with_replacement=False):
    """All rows of `r` elements of a vector, in their order, each at most once unless `with_replacement`."""
    if x.ndim != 1:
        raise ValueError(f"For 'combinations', the input must be a vector, but got {x.shape}")
    rows = ((),)
    for _ in range(r):
        longer = ()
        for row in rows:
            first = 0 if len(row) == 0 else row[-1] if with_replacement else row[-1] + 1
            for place in range(first, x.shape[0]):
                longer = longer + (row + (place,),)
        rows = longer
    if len(rows) == 0 or r == 0:
        raise ValueError(f"For 'combinations', {x.shape[0]} elements give no row of {r}; tensors have one element at least")
    places = ()
    for row in rows:
        places = places + row
    return F.reshape(F.gather(x, _checks.Tensor(places, mstype.int32), 0), (-1, r))


def block_diag(*inputs):
    """A matrix with matrices along its diagonal and zeros elsewhere; vectors are rows."""
    parts = tuple([_at_least_2d(x) for x in inputs])
    columns, left, rows = 0, 0, ()
    for part in parts:
        columns = columns + part.shape[1]
    for part in parts:
        rows = rows + (F.pad(part, (0, left), (0, columns - left - part.shape[1]), 0.0),)
        left = left + part.shape[1]
    return F.concat(rows, 0)


__all__ = [name for name in offered(globals()) if name not in ("broadcast_shapes", "split_of")]
