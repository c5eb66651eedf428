"""Functions of sparse tensors whose results store a number of elements that depends on values.

Where elements stand is worked out on the host, with NumPy; their values are computed by the compiler's operations.
"""

import numpy as np

from plumb.common._structures import on_host
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F

class _CheckOrder:
    """Refuses places that do not rise, where they are known; an object, which the live process calls also where they are not."""

    def __call__(self, who, places):
        if issubclass(type(places), Tensor) and (np.diff(places.asnumpy()) <= 0).any():
            raise ValueError(f"For '{who}', the indices must be in order, and no two of them equal.")


check_order = _CheckOrder()

_DENSE = "call it outside, or compute there with dense tensors, as to_dense() gives them"


def places_of(who, indices, shape):
    """Rows of coordinates as places among all elements of a shape, an array of int64.

    Raises:
      ValueError: if one lies outside of the shape.
    """
    rows = indices.asnumpy().astype(np.int64)
    if rows.size and (rows.min() < 0 or (rows >= np.asarray(shape)).any()):
        wrong = rows[((rows < 0) | (rows >= np.asarray(shape))).any(1)][0]
        raise ValueError(f"For '{who}', the indices {tuple(wrong.tolist())} lie outside of the shape {tuple(shape)}.")
    return np.ravel_multi_index(tuple(rows.T), tuple(shape)) if rows.size else rows.reshape(-1)


def rows_of(who, indptr, count):
    """The row of each of `count` stored elements, an array of int64; raises ValueError when `indptr` does not rise to it from 0."""
    bounds = indptr.asnumpy().astype(np.int64)
    sizes = np.diff(bounds)
    if bounds[0] != 0 or bounds[-1] != count or (sizes < 0).any():
        raise ValueError(f"For '{who}', 'indptr' must rise from 0 to the number of stored elements, {count}.")
    return np.repeat(np.arange(sizes.size), sizes)


def coordinates(places, shape, dtype):
    """Places among all elements of a shape as rows of coordinates, a tensor."""
    return Tensor(np.stack(np.unravel_index(places, shape), 1).astype(dtype.numpy))


def merged(places, values):
    """The different places in rising order, and the sums of the values at each."""
    found, numbers = np.unique(places, return_inverse=True)
    zeros = F.fill(values.dtype, (found.size,) + values.shape[1:], 0)
    return found, F.scatter(zeros, Tensor(numbers.reshape(-1).astype(np.int32)), values, "add") if found.size else zeros


def chosen(values, places):
    """Values by number, an array."""
    if places.size == 0:
        return F.fill(values.dtype, (0,) + values.shape[1:], 0)
    return F.gather(values, Tensor(places.astype(np.int32)), 0)


def pointers(rows, count, dtype):
    """Where in sorted row numbers each of `count` rows begins, and where the last ends, a tensor."""
    return Tensor(np.searchsorted(rows, np.arange(count + 1)).astype(dtype.numpy))


def _joined(tensors):
    """Tensors behind each other; those that hold nothing need no program."""
    held = [tensor for tensor in tensors if tensor.size]
    return F.concat(held, 0) if len(held) > 1 else held[0] if held else tensors[0]


@on_host(_DENSE)
def coalesce(indices, values, shape):
    """Each place once, in order: rows of coordinates and the sums of the values there."""
    places, total = merged(places_of("coalesce", indices, shape), values)
    return coordinates(places, shape, indices.dtype), total


@on_host(_DENSE)
def coo_add(one, other, shape, thresh):
    """The sum of two pairs of indices and values, in order, without sums below `thresh` in size."""
    indices, values = _joined((one[0], other[0])), _joined((one[1], other[1]))
    places, total = merged(places_of("coo_add", indices, shape), values)
    kept = np.flatnonzero(np.abs(total.asnumpy()) >= thresh)
    return coordinates(places[kept], shape, indices.dtype), chosen(total, kept)


@on_host(_DENSE)
def csr_add(one, other, shape):
    """The sum of two triples of indptr, indices and values, in order."""
    places = [rows_of("csr_add", part[0], part[1].size) * shape[1] + _columns("csr_add", part[1], shape[1])
              for part in (one, other)]
    found, total = merged(np.concatenate(places), _joined((one[2], other[2])))
    rows, columns = np.divmod(found, shape[1])
    return pointers(rows, shape[0], one[0].dtype), Tensor(columns.astype(one[1].dtype.numpy)), total


def _columns(who, indices, count):
    columns = indices.asnumpy().astype(np.int64)
    if columns.size and (columns.min() < 0 or columns.max() >= count):
        raise ValueError(f"For '{who}', the columns must lie in [0, {count}).")
    return columns


@on_host(_DENSE)
def csr_mm(one, other, shape):
    """The product of two triples of indptr, indices and values of matrices, of the shape `shape`."""
    rows, inner = rows_of("csr_mm", one[0], one[1].size), _columns("csr_mm", one[1], other[0].size - 1)
    rows_of("csr_mm", other[0], other[1].size)
    bounds = other[0].asnumpy().astype(np.int64)
    # Each element of the first matrix meets all of one row of the second.
    counts = np.diff(bounds)[inner]
    first = np.repeat(np.arange(inner.size), counts)
    second = np.arange(first.size) - np.repeat(np.cumsum(counts) - counts, counts) + bounds[inner][first]
    places = rows[first] * shape[1] + _columns("csr_mm", other[1], shape[1])[second]
    products = F.mul(chosen(one[2], first), chosen(other[2], second)) if first.size else chosen(one[2], first)
    found, total = merged(places, products)
    rows, columns = np.divmod(found, shape[1])
    return pointers(rows, shape[0], one[0].dtype), Tensor(columns.astype(one[1].dtype.numpy)), total


@on_host("make the sparse tensor outside, and pass it to the function")
def dense_to_sparse_coo(tensor):
    """The places that are not 0, in order, as rows of coordinates, int32; and the elements there."""
    places = np.flatnonzero(tensor.asnumpy())
    rows = np.stack(np.unravel_index(places, tensor.shape), 1).astype(np.int32)
    return Tensor(rows), chosen(F.reshape(tensor, (-1,)), places)


@on_host("make the sparse tensor outside, and pass it to the function")
def dense_to_sparse_csr(tensor):
    """Where each row begins among the elements that are not 0, their columns, int32, and the elements."""
    places = np.flatnonzero(tensor.asnumpy())
    rows, columns = np.divmod(places, tensor.shape[1])
    bounds = np.searchsorted(rows, np.arange(tensor.shape[0] + 1)).astype(np.int32)
    return Tensor(bounds), Tensor(columns.astype(np.int32)), chosen(F.reshape(tensor, (-1,)), places)


def _shape_tensor(shape):
    return Tensor(np.asarray(shape, np.int64))


def _extents(shape):
    return tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape)


@on_host(_DENSE)
def sparse_add(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, thresh):
    """The sum of two sparse tensors, each place once, in order, without sums below `thresh` in size; and the shape."""
    if _extents(x1_shape) != _extents(x2_shape):
        raise ValueError(f"For 'SparseAdd', the shapes must be the same, but got {_extents(x1_shape)} and {_extents(x2_shape)}.")
    found = coo_add((x1_indices, x1_values), (x2_indices, x2_values), _extents(x1_shape), thresh.item())
    return (*found, x1_shape)


@on_host(_DENSE)
def sparse_slice(indices, values, shape, start, size):
    """The elements in the box from `start` of extents `size`: their coordinates in it, values, and its shape."""
    begin, full = np.asarray(_extents(start)), np.asarray(_extents(shape))
    extents = np.clip(np.minimum(begin + np.asarray(_extents(size)), full) - begin, 0, None)
    rows = indices.asnumpy() - begin
    kept = np.flatnonzero(((rows >= 0) & (rows < extents)).all(1))
    return Tensor(rows[kept].astype(np.int64)), chosen(values, kept), _shape_tensor(extents)


@on_host(_DENSE)
def slice_gradient(backprop_val_grad, indices, start, new_indices):
    """Values of a box at the places where they stood, zeros elsewhere."""
    if backprop_val_grad.shape != new_indices.shape[:1] or indices.shape[1:] != new_indices.shape[1:] or start.shape != indices.shape[1:]:
        raise ValueError(f"For 'SparseSliceGrad', the inputs do not fit each other: {backprop_val_grad.shape}, {indices.shape}, "
                         f"{start.shape} and {new_indices.shape}.")
    places = {tuple(row): number for number, row in enumerate((indices.asnumpy() - start.asnumpy()).tolist())}
    kept = [places.get(tuple(row)) for row in new_indices.asnumpy().tolist()]
    if None in kept:
        raise ValueError("For 'SparseSliceGrad', the input stores no value at one of 'new_indices'.")
    zeros = F.fill(backprop_val_grad.dtype, indices.shape[:1], 0)
    return F.scatter(zeros, Tensor(np.asarray(kept, np.int32)), backprop_val_grad, "update") if kept else zeros


@on_host(_DENSE)
def sparse_split(split_dim, indices, values, shape, num_split):
    """A sparse tensor cut into parts along an axis, the first ones larger by one: coordinates, values and shapes of all."""
    axis, extents = int(split_dim), _extents(shape)
    sizes = [extents[axis] // num_split + (part < extents[axis] % num_split) for part in range(num_split)]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    parts = [sparse_slice(indices, values, shape, [int(start) if place == axis else 0 for place in range(len(extents))],
                          [int(size) if place == axis else extent for place, extent in enumerate(extents)])
             for start, size in zip(starts, sizes)]
    return tuple(tuple(column) for column in zip(*parts))


def _extremum(who, choose, x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape):
    shape = _extents(x1_shape)
    if shape != _extents(x2_shape):
        raise ValueError(f"For '{who}', the shapes must be the same, but got {shape} and {_extents(x2_shape)}.")
    one, other = places_of(who, x1_indices, shape), places_of(who, x2_indices, shape)
    found = np.union1d(one, other)
    zeros = F.fill(x1_values.dtype, (found.size,), 0)
    spread = [F.scatter(zeros, Tensor(np.searchsorted(found, places).astype(np.int32)), values, "update")
              for places, values in ((one, x1_values), (other, x2_values))]
    return coordinates(found, shape, x1_indices.dtype), choose(*spread)


@on_host(_DENSE)
def sparse_maximum(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape):
    """The larger of the elements of two sparse tensors where one of them stores any: coordinates in order, and values."""
    return _extremum("SparseSparseMaximum", F.maximum, x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)


@on_host(_DENSE)
def sparse_minimum(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape):
    """The smaller of the elements of two sparse tensors where one of them stores any: coordinates in order, and values."""
    return _extremum("SparseSparseMinimum", F.minimum, x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape)


@on_host(_DENSE)
def fill_empty_rows(indices, values, dense_shape, default_value):
    """A sparse matrix with `default_value` in the first column of rows that store nothing.

    Returns coordinates and values by rows, which rows were empty, and where each element given now stands.
    """
    rows = indices.asnumpy().astype(np.int64)
    count = _extents(dense_shape)[0]
    places_of("SparseFillEmptyRows", indices, _extents(dense_shape))
    empty = np.bincount(rows[:, 0], minlength=count) == 0
    added = np.flatnonzero(empty)
    every = np.concatenate((rows, np.stack((added, np.zeros_like(added)), 1)))
    order = np.argsort(every[:, 0], kind="stable")
    filled = F.concat((values, F.broadcast_to(F.reshape(default_value, (1,)), (added.size,))), 0) if added.size else values
    where = np.empty(order.size, np.int64)
    where[order] = np.arange(order.size)
    return Tensor(every[order]), chosen(filled, order), Tensor(empty), Tensor(where[:rows.shape[0]])


@on_host(_DENSE)
def count_output(indices, values, dense_shape, weights, binary_output, minlength, maxlength):
    """How often each value occurs in each row, or the sum of its weights: coordinates (row, value), counts, and the shape.

    Args:
      binary_output: whether counts are 1.
      minlength: least extent of the values; maxlength: values from it on are left out. -1 for none.
    """
    numbers, rows = values.asnumpy().astype(np.int64), indices.asnumpy()[:, 0].astype(np.int64)
    places_of("SparseCountSparseOutput", indices, _extents(dense_shape))
    kept = np.flatnonzero((numbers < maxlength) | (maxlength < 0))
    width = max(numbers[kept].max(initial=-1) + 1, minlength) if maxlength < 0 else maxlength
    shares = weights if weights.size else F.fill(values.dtype, values.shape, 1)
    shape = (_extents(dense_shape)[0], int(width))
    found, counts = merged(rows[kept] * shape[1] + numbers[kept], chosen(shares, kept))
    counts = F.ones_like(counts) if binary_output else counts
    return coordinates(found, shape, indices.dtype), counts, _shape_tensor(shape)


@on_host(_DENSE)
def csr_matrix_add(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense_shape, x2_batch_pointers,
                   x2_row_pointers, x2_col_indices, x2_values, alpha, beta):
    """alpha * x1 + beta * x2 of two matrices in rows, each place once, in order; see `_sparse_matrices`."""
    _single("SparseMatrixAdd", x1_dense_shape, x2_dense_shape)
    found = csr_add((x1_row_pointers, x1_col_indices, F.mul(x1_values, alpha)),
                    (x2_row_pointers, x2_col_indices, F.mul(x2_values, beta)), _extents(x1_dense_shape))
    return x1_dense_shape, _ends(found[2], x1_batch_pointers), *found


@on_host(_DENSE)
def csr_matrix_mm(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense_shape, x2_batch_pointers,
                  x2_row_pointers, x2_col_indices, x2_values, transpose_a, transpose_b, adjoint_a, adjoint_b):
    """The product of two matrices in rows, each place once, in order, either of them transposed before."""
    from plumb.ops import _sparse_matrices
    _single("SparseMatrixSparseMatMul", x1_dense_shape, x2_dense_shape)
    one = (x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values)
    other = (x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values)
    one = _sparse_matrices.csr_transpose(*one) if transpose_a or adjoint_a else one
    other = _sparse_matrices.csr_transpose(*other) if transpose_b or adjoint_b else other
    shape = (_extents(one[0])[0], _extents(other[0])[1])
    if _extents(one[0])[1] != _extents(other[0])[0]:
        raise ValueError(f"For 'SparseMatrixSparseMatMul', {_extents(one[0])} and {_extents(other[0])} have no product.")
    found = csr_mm(one[2:], other[2:], shape)
    return F.cast(_shape_tensor(shape), x1_dense_shape.dtype), _ends(found[2], x1_batch_pointers), *found


def _single(who, *shapes):
    for shape in shapes:
        if len(_extents(shape)) != 2:
            raise ValueError(f"For '{who}', batches of matrices are not offered: give each matrix, of 2 axes, by itself.")


def _ends(values, pointers):
    return Tensor(np.asarray([0, values.size], pointers.dtype.numpy))


# -- sets in rows

_SETS = {"a-b": np.setdiff1d, "b-a": lambda one, other: np.setdiff1d(other, one), "intersection": np.intersect1d,
         "union": np.union1d}


def _sets(who, operation, lead, dtype, rows):
    """A set operation on pairs of arrays, one for each place of the axes `lead`: sparse rows of the results."""
    if operation.lower() not in _SETS:
        raise ValueError(f"For '{who}', 'set_operation' must be one of {', '.join(_SETS)}, but got {operation!r}.")
    found = [_SETS[operation.lower()](*pair) for pair in rows]
    longest = max((row.size for row in found), default=0)
    places = [np.stack(np.broadcast_arrays(*np.unravel_index(number, lead), np.arange(row.size)), 1)
              for number, row in enumerate(found)]
    return (Tensor(np.concatenate(places).astype(np.int64)), Tensor(np.concatenate(found).astype(dtype.numpy)),
            _shape_tensor(tuple(lead) + (longest,)))


@on_host(_DENSE)
def dense_to_dense_set(x1, x2, set_operation, validate_indices):
    """A set operation along the last axes of two tensors: coordinates, elements in order, and the shape."""
    lead = x1.shape[:-1]
    if x1.ndim < 2 or lead != x2.shape[:-1]:
        raise ValueError(f"For 'DenseToDenseSetOperation', {x1.shape} and {x2.shape} must have all axes but the last in common.")
    rows = zip(x1.asnumpy().reshape(-1, x1.shape[-1]), x2.asnumpy().reshape(-1, x2.shape[-1]))
    return _sets("DenseToDenseSetOperation", set_operation, lead, x1.dtype, rows)


@on_host(_DENSE)
def dense_to_sparse_set(x1, x2_indices, x2_values, x2_shape, set_operation, validate_indices):
    """A set operation along the last axes of a dense and a sparse tensor: coordinates, elements in order, and the shape."""
    who, lead, shape = "DenseToSparseSetOperation", x1.shape[:-1], _extents(x2_shape)
    if x1.ndim < 2 or lead != shape[:-1]:
        raise ValueError(f"For '{who}', {x1.shape} and {shape} must have all axes but the last in common.")
    places = places_of(who, x2_indices, shape)
    if validate_indices and (np.diff(places) <= 0).any():
        raise ValueError(f"For '{who}', the indices must be in order, and no two of them equal.")
    numbers, values = places // shape[-1], x2_values.asnumpy()
    rows = [(row, values[numbers == number]) for number, row in enumerate(x1.asnumpy().reshape(-1, x1.shape[-1]))]
    return _sets(who, set_operation, lead, x1.dtype, rows)
