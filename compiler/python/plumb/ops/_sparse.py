"""What functions of sparse tensors share, on plain tensors, in the parsable subset.

Coordinates are tensors of integers, one row of a matrix for each stored element. Each is checked to lie within its extent as
the numbers of a gather are: an executable ends with an error where one does not.
"""

from plumb.common import dtype as mstype
from plumb.ops import _functions as F

INDEX_TYPES = (mstype.int16, mstype.int32, mstype.int64)


def product(extents):
    """The number of elements of a shape."""
    count = 1
    for extent in extents:
        count = count * extent
    return count


def number_type(count):
    """The element type of numbers below `count`."""
    return mstype.int64 if count >= 2 ** 31 else mstype.int32


def checked(numbers, extent, dtype):
    """Numbers as `dtype`; those outside of [0, extent) end the launch."""
    numbers = F.cast(numbers, mstype.int32) if numbers.dtype == mstype.int16 else numbers
    return F.gather(F.iota((extent,), 0, dtype), numbers, 0)


def column(indices, place):
    """One column of a matrix."""
    return F.squeeze(F.part(indices, 1, place, place + 1), (1,))


def flat_places(indices, shape):
    """Rows of coordinates as places among all elements of a shape, in order."""
    dtype, places = number_type(product(shape)), None
    for axis in range(len(shape)):
        own = checked(column(indices, axis), shape[axis], dtype)
        places = own if places is None else places * shape[axis] + own
    return places


def coordinates(places, shape, dtype):
    """The rows of coordinates, as `dtype`, of places among all elements of a shape."""
    columns = ()
    for axis in range(len(shape) - 1, -1, -1):
        columns = (F.cast(F.floor_mod(places, shape[axis]), dtype),) + columns
        places = F.floor_div(places, shape[axis])
    return F.stack(columns, 1)


def row_numbers(indptr, count):
    """The row of each of `count` elements in order, of which row r has those from indptr[r] to before indptr[r + 1]; int32."""
    rows = indptr.shape[0] - 1
    if rows < 2 or count == 0:
        return F.fill(mstype.int32, (count,), 0)
    starts = checked(F.part(indptr, 0, 1, rows), count + 1, mstype.int32)
    begun = F.scatter(F.fill(mstype.int32, (count + 1,), 0), starts, F.fill(mstype.int32, (rows - 1,), 1), "add")
    return F.part(F.cumsum(begun, 0), 0, 0, count)


def row_pointers(rows, count, dtype):
    """Where in sorted row numbers each of `count` rows begins, and where the last ends, as `dtype`."""
    sizes = F.scatter(F.fill(mstype.int32, (count,), 0), rows, F.ones_like(F.cast(rows, mstype.int32)), "add")
    return F.cast(F.concat((F.fill(mstype.int32, (1,), 0), F.cumsum(sizes, 0)), 0), dtype)


def beside(values, x):
    """Values, one for each first number of `x`, in a shape that broadcasts to x's."""
    return F.reshape(values, values.shape + (1,) * (x.ndim - values.ndim))


def sums(places, values, count):
    """The sums of the values at each of `count` places; 0 where there are none. Places outside are left out."""
    return F.scatter(F.fill(values.dtype, (count,) + values.shape[1:], 0), places, values, "add")


def densified(places, values, shape):
    """A dense tensor of a shape, with the sum of the values at each place."""
    return F.reshape(sums(places, values, product(shape)), shape)


def multiplied(rows, columns, values, row_count, column_count, dense):
    """The product of a matrix of stored values and a dense one; rows of both are summed in order."""
    picked = F.gather(dense, checked(columns, column_count, mstype.int32), 0)
    return sums(rows, picked * beside(values, picked), row_count)


def softmax_of(rows, values, count):
    """The softmax of the values of each row."""
    dtype = values.dtype
    greatest = F.scatter(F.fill(dtype, (count,), float("-inf")), rows, values, "max")
    powers = F.exp(values - F.gather(F.stop_gradient(greatest), rows, 0))
    return powers / F.gather(sums(rows, powers, count), rows, 0)


def picked_from(columns, shape, dense):
    """The elements of a dense tensor, which broadcasts to `shape`, at numbers of its first axes, each axis's in a tensor.

    Raises:
      ValueError: if it does not broadcast to the shape.
    """
    extents = (1,) * (len(shape) - dense.ndim) + dense.shape
    for axis in range(len(extents)):
        if len(extents) > len(shape) or extents[axis] not in (1, shape[axis]):
            raise ValueError(f"A dense tensor of {dense.shape} does not broadcast to a sparse one of {shape}.")
    count = product(extents[:len(columns)])
    dtype = number_type(count)
    places = F.fill(dtype, columns[0].shape, 0)
    for axis in range(len(columns)):
        if extents[axis] > 1:
            places = places * extents[axis] + checked(columns[axis], extents[axis], dtype)
    return F.gather(F.reshape(dense, (count,) + extents[len(columns):]), places, 0)


def columns_of(indices):
    """The columns of a matrix, a tuple."""
    return tuple([column(indices, place) for place in range(indices.shape[1])])


def in_order(indices, values, shape):
    """Rows of coordinates and values in order of the places in a shape; those of one place keep theirs."""
    order = F.sort(flat_places(indices, shape), 0)[1]
    return F.gather(indices, order, 0), F.gather(values, order, 0)


def concatenated(pairs, shapes, axis):
    """Indices and values of sparse tensors of `shapes` beside each other along an axis, in order; and the shape of all."""
    indices, start = (), 0
    for number in range(len(pairs)):
        own = pairs[number][0]
        if shapes[number][:axis] + shapes[number][axis + 1:] != shapes[0][:axis] + shapes[0][axis + 1:]:
            raise ValueError(f"Sparse tensors of {shapes} differ along another axis than {axis}.")
        shift = tuple([start if place == axis else 0 for place in range(len(shapes[0]))])
        indices = indices + (own + F.cast(_row_of(shift), own.dtype),)
        start = start + shapes[number][axis]
    shape = shapes[0][:axis] + (start,) + shapes[0][axis + 1:]
    return in_order(F.concat(indices, 0), F.concat([pair[1] for pair in pairs], 0), shape) + (shape,)


def _row_of(numbers):
    return F.stack([F.fill(mstype.int64, (), number) for number in numbers], 0)
