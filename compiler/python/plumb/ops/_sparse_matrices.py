"""Functions behind classes of sparse tensors that are given as tensors one by one, in the parsable subset.

A sparse tensor is given by rows of coordinates, values and a shape; a batch of matrices in rows by a shape, by where each matrix
begins among the stored elements (batch pointers), by where each row begins among those of its matrix (row pointers, one behind
another), by columns and values. Shapes must be known while compiling.
"""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _sparse, _sparse_host
from plumb.ops.function import elementwise, scan, sparse_func


def extents(shape):
    """A shape given as a tensor or a sequence, as a tuple of ints."""
    return tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape)


def _shape_beside(shape, dtype):
    """A shape as a tensor of `dtype`."""
    return F.stack([F.fill(dtype, (), extent) for extent in shape], 0)


# -- by coordinates


def _at_places(indices, shape, dense):
    return _sparse.picked_from(_sparse.columns_of(indices), extents(shape), dense)


def dense_cwise_add(x1_indices, x1_values, x1_shape, x2):
    """Values plus the elements of a dense tensor, which broadcasts, at their places."""
    return x1_values + _at_places(x1_indices, x1_shape, x2)


def dense_cwise_mul(x1_indices, x1_values, x1_shape, x2):
    """Values times the elements of a dense tensor, which broadcasts, at their places."""
    return x1_values * _at_places(x1_indices, x1_shape, x2)


def dense_cwise_div(x1_indices, x1_values, x1_shape, x2):
    """Values over the elements of a dense tensor, which broadcasts, at their places; integers towards 0."""
    others = _at_places(x1_indices, x1_shape, x2)
    return F.cast(elementwise.truncate_div(x1_values, others), x1_values.dtype) if x1_values.dtype not in mstype.float_type \
        else x1_values / others


def reorder(indices, values, shape):
    """Coordinates and values in order."""
    return _sparse.in_order(indices, values, extents(shape))


def to_dense(indices, values, sparse_shape):
    """The dense tensor; values at one place are summed."""
    shape = extents(sparse_shape)
    return _sparse.densified(_sparse.flat_places(indices, shape), values, shape)


def to_dense_with(indices, output_shape, values, default_value, validate_indices):
    """The dense tensor, `default_value` elsewhere; `values` may be one for all.

    Raises:
      ValueError: if `validate_indices` is set and indices are out of order or equal. Where they are computed, the launch ends.
    """
    shape = extents(output_shape)
    places = _sparse.flat_places(F.reshape(indices, (-1, len(shape))), shape)
    if validate_indices and places.size > 1:
        _sparse_host.check_order("SparseToDenseV2", places)
        falls = F.less_equal(F.part(places, 0, 1, places.size), F.part(places, 0, 0, places.size - 1))
        places = F.pad(_sparse.checked(F.cast(falls, mstype.int32), 1, places.dtype), (1,), (0,), 0) + places
    filled = F.broadcast_to(F.reshape(default_value, (1,)), (_sparse.product(shape),))
    return F.reshape(F.scatter(filled, places, F.broadcast_to(values, places.shape), "update"), shape)


def softmax(indices, values, shape):
    """The softmax of the values of each row of the last axis."""
    lead = extents(shape)[:-1]
    rows = _sparse.flat_places(F.part(indices, 1, 0, len(lead)), lead)
    return _sparse.softmax_of(rows, values, _sparse.product(lead))


def tensor_dense_add(x1_indices, x1_values, x1_shape, x2):
    """The sum with a dense tensor, a dense one."""
    return x2 + to_dense(x1_indices, x1_values, x1_shape)


def tensor_dense_matmul(indices, values, sparse_shape, dense, adjoint_st=False, adjoint_dt=False):
    """The product of a sparse matrix and a dense one, either of them transposed before, a dense one."""
    shape, rows, columns = extents(sparse_shape), _sparse.column(indices, 0), _sparse.column(indices, 1)
    if adjoint_st:
        shape, rows, columns = (shape[1], shape[0]), columns, rows
    dense = F.transpose(dense, (1, 0)) if adjoint_dt else dense
    if len(shape) != 2 or dense.ndim != 2 or dense.shape[0] != shape[1]:
        raise ValueError(f"For 'SparseTensorDenseMatmul', matrices of {shape} and {dense.shape} have no product.")
    rows = _sparse.checked(rows, shape[0], mstype.int32)
    return _sparse.multiplied(rows, columns, values, shape[0], shape[1], dense)


def addmm(indices, values, sparse_shape, x2_dense, x3_dense, alpha, beta):
    """alpha * (sparse @ x2) + beta * x3."""
    return tensor_dense_matmul(indices, values, sparse_shape, x2_dense) * alpha + x3_dense * beta


def sspaddmm(x1_indices, x1_values, x1_shape, x2_indices, x2_values, x2_shape, x3_dense, alpha, beta):
    """beta * x1 + alpha * (x2 @ x3), x3 dense: the elements of x1, then each of x2 times a row of x3; (2, N) coordinates, int64."""
    count, width = x2_values.size, x3_dense.shape[1]
    rows, inner = _sparse.columns_of(F.transpose(x2_indices, (1, 0)))
    rows = _sparse.checked(rows, extents(x2_shape)[0], mstype.int64)
    products = F.gather(x3_dense, inner, 0) * F.expand_dims(x2_values * F.reshape(alpha, ()), 1)
    spread = F.broadcast_to(F.expand_dims(rows, 1), (count, width))
    columns = F.broadcast_to(F.iota((width,), 0, mstype.int64), (count, width))
    places = F.stack((F.reshape(spread, (-1,)), F.reshape(columns, (-1,))), 0)
    values = F.concat((x1_values * F.reshape(beta, ()), F.reshape(products, (-1,))), 0)
    return F.concat((F.cast(x1_indices, mstype.int64), places), 1), values, F.cast(x1_shape, mstype.int64)


def concat(sp_input_indices, sp_input_values, sp_input_shapes, concat_dim):
    """Sparse tensors beside each other along an axis, in order: coordinates, values and shape."""
    if len(sp_input_indices) < 2:
        raise ValueError("For 'SparseConcat', there must be at least two tensors.")
    shapes = [extents(shape) for shape in sp_input_shapes]
    axis = concat_dim + len(shapes[0]) if concat_dim < 0 else concat_dim
    pairs = list(zip(sp_input_indices, sp_input_values))
    indices, values, shape = _sparse.concatenated(pairs, shapes, axis)
    return indices, values, _shape_beside(shape, mstype.int64)


def reshape(indices, shape, new_shape):
    """Coordinates in a new shape, of which one extent may be -1, and the shape.

    MindSpore 2.0.0 gives whatever stands in memory where an extent is -1.
    """
    old, new = extents(shape), extents(new_shape)
    known = _sparse.product([extent for extent in new if extent >= 0])
    missing = len([extent for extent in new if extent == -1])
    if missing > 1 or missing == 1 and (known == 0 or _sparse.product(old) % known != 0):
        raise ValueError(f"For 'SparseReshape', {new} cannot be a shape of {old}.")
    new = tuple([_sparse.product(old) // known if extent == -1 else extent for extent in new])
    if _sparse.product(new) != _sparse.product(old):
        raise ValueError(f"For 'SparseReshape', {new} has not as many elements as {old}.")
    return _sparse.coordinates(_sparse.flat_places(indices, old), new, indices.dtype), _shape_beside(new, mstype.int64)


def set_size(set_indices, set_values, set_shape):
    """How many different values each row of the last axis stores, int32."""
    lead = extents(set_shape)[:-1]
    count, stored = _sparse.product(lead), set_values.size
    values, order = F.sort(set_values, 0)
    rows = F.gather(_sparse.flat_places(F.part(set_indices, 1, 0, len(lead)), lead), order, 0)
    rows, order = F.sort(rows, 0)
    values = F.gather(values, order, 0)
    first = F.fill(mstype.int32, (1,), 1)
    if stored > 1:
        changes = F.logical_or(F.not_equal(F.part(rows, 0, 1, stored), F.part(rows, 0, 0, stored - 1)),
                               F.not_equal(F.part(values, 0, 1, stored), F.part(values, 0, 0, stored - 1)))
        first = F.concat((first, F.cast(changes, mstype.int32)), 0)
    return F.reshape(_sparse.sums(rows, first, count), lead)


# -- segments


def segment_sum(x, indices, segment_ids):
    """The sums of rows by number, of each of sorted segments."""
    return sparse_func.segment_sums(x, indices, segment_ids, scan.count_of(segment_ids))


def segment_sum_of(x, indices, segment_ids, num_segments):
    """The sums of rows by number, of each segment; 0 in an empty one."""
    return sparse_func.segment_sums(x, indices, segment_ids, num_segments.item())


def segment_sqrt_n(x, indices, segment_ids):
    """The sums of rows by number over the root of how many they are, of each of sorted segments."""
    return sparse_func.segment_averages(x, indices, segment_ids, scan.count_of(segment_ids), True)


def segment_sqrt_n_of(x, indices, segment_ids, num_segments):
    """The sums of rows by number over the root of how many they are, of each segment; 0 in an empty one."""
    return sparse_func.segment_averages(x, indices, segment_ids, num_segments.item(), True)


def segment_mean_of(x, indices, segment_ids, num_segments):
    """The means of rows by number, of each segment; 0 in an empty one."""
    return sparse_func.segment_averages(x, indices, segment_ids, num_segments.item(), False)


# -- matrices in rows, maybe batches of them


def _batches(shape):
    """How many matrices, rows of each and columns a shape of two or three extents has."""
    sizes = extents(shape)
    if len(sizes) not in (2, 3):
        raise ValueError(f"Matrices in rows, and batches of them, have a shape of 2 or 3 extents, but got {sizes}.")
    return (1,) + sizes if len(sizes) == 2 else sizes


def _bounds(shape, batch_pointers, row_pointers):
    """Where each row of all matrices, one behind another, begins among the stored elements, and where the last ends, int32."""
    count, rows, _ = _batches(shape)
    starts = F.cast(F.reshape(row_pointers, (count, rows + 1)), mstype.int32)
    starts = starts + F.expand_dims(F.cast(F.part(batch_pointers, 0, 0, count), mstype.int32), 1)
    last = F.reshape(F.part(starts, 1, rows, rows + 1), (-1,))
    return F.concat((F.reshape(F.part(starts, 1, 0, rows), (-1,)), F.part(last, 0, count - 1, count)), 0)


def _rows(shape, batch_pointers, row_pointers, stored):
    """The row, counted through all matrices, of each stored element, int32."""
    return _sparse.row_numbers(_bounds(shape, batch_pointers, row_pointers), stored)


def _pointers(rows, shape, dtype):
    """Batch pointers and row pointers of elements whose rows, counted through all matrices, are sorted."""
    count, height, _ = _batches(shape)
    bounds = _sparse.row_pointers(rows, count * height, mstype.int32)
    starts = F.reshape(F.part(bounds, 0, 0, count * height), (count, height))
    batches = F.concat((F.part(starts, 1, 0, 1), F.reshape(F.part(bounds, 0, count * height, count * height + 1), (1, 1))), 0)
    ends = F.part(batches, 0, 1, count + 1)
    own = F.concat((starts, ends), 1) - F.part(batches, 0, 0, count)
    return F.cast(F.reshape(batches, (-1,)), dtype), F.cast(F.reshape(own, (-1,)), dtype)


def csr_to_coordinates(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """Matrices in rows by coordinates: those, the values, and the shape."""
    sizes = extents(x_dense_shape)
    rows = F.cast(_rows(sizes, x_batch_pointers, x_row_pointers, x_values.size), x_col_indices.dtype)
    columns = (rows, x_col_indices) if len(sizes) == 2 else (
        F.floor_div(rows, sizes[1]), F.floor_mod(rows, sizes[1]), x_col_indices)
    return F.stack(columns, 1), x_values, x_dense_shape


def coordinates_to_csr(x_indices, x_values, x_dense_shape):
    """Sorted coordinates as matrices in rows: shape, batch pointers, row pointers, columns, values."""
    sizes = extents(x_dense_shape)
    rows = _sparse.flat_places(F.part(x_indices, 1, 0, len(sizes) - 1), sizes[:-1])
    batches, pointers = _pointers(rows, sizes, x_indices.dtype)
    return x_dense_shape, batches, pointers, _sparse.column(x_indices, len(sizes) - 1), x_values


def dense_to_csr(dense_input, indices):
    """The elements of dense matrices at sorted coordinates as matrices in rows; see `coordinates_to_csr`."""
    shape = _shape_beside(dense_input.shape, indices.dtype)
    values = F.gather(F.reshape(dense_input, (-1,)), _sparse.flat_places(indices, dense_input.shape), 0)
    sizes = dense_input.shape
    rows = _sparse.flat_places(F.part(indices, 1, 0, len(sizes) - 1), sizes[:-1])
    batches, pointers = _pointers(rows, sizes, indices.dtype)
    return shape, batches, pointers, _sparse.column(indices, len(sizes) - 1), values


def csr_to_dense(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """Matrices in rows as dense ones."""
    sizes = extents(x_dense_shape)
    rows = _rows(sizes, x_batch_pointers, x_row_pointers, x_values.size)
    count, height, width = _batches(sizes)
    places = _sparse.flat_places(F.stack((rows, F.cast(x_col_indices, mstype.int32)), 1), (count * height, width))
    return _sparse.densified(places, x_values, sizes)


def csr_transpose(dense_shape, batch_pointers, row_pointers, col_indices, values, conjugate=False):
    """Each matrix transposed; `conjugate` changes nothing in real ones."""
    sizes = extents(dense_shape)
    count, height, width = _batches(sizes)
    rows = _rows(sizes, batch_pointers, row_pointers, values.size)
    columns = _sparse.checked(col_indices, width, mstype.int32)
    mirrored = F.floor_div(rows, height) * width + columns
    mirrored, order = F.sort(mirrored, 0)
    shape = sizes[:-2] + (width, height)
    _, pointers = _pointers(mirrored, shape, row_pointers.dtype)
    column = F.cast(F.gather(F.floor_mod(rows, height), order, 0), col_indices.dtype)
    return _shape_beside(shape, dense_shape.dtype), batch_pointers, pointers, column, F.gather(values, order, 0)


def csr_matmul(x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense, transpose_x1, transpose_x2,
               adjoint_x1, adjoint_x2, transpose_output, conjugate_output):
    """Each matrix times a dense one of a batch, each of both transposed or not, the result as well. Real ones are their conjugates."""
    sizes = extents(x1_dense_shape)
    count, height, width = _batches(sizes)
    rows = _rows(sizes, x1_batch_pointers, x1_row_pointers, x1_values.size)
    columns = F.floor_div(rows, height) * width + _sparse.checked(x1_col_indices, width, mstype.int32)
    swapped = transpose_x1 or adjoint_x1
    swap = tuple(range(len(sizes) - 2)) + (len(sizes) - 1, len(sizes) - 2)
    dense = F.transpose(x2_dense, swap) if transpose_x2 or adjoint_x2 else x2_dense
    inner, outer = (height, width) if swapped else (width, height)
    if dense.ndim != len(sizes) or dense.shape[:-1] != sizes[:-2] + (inner,):
        raise ValueError(f"For 'SparseMatrixMatMul', matrices of {sizes} and {x2_dense.shape} have no product.")
    flat = F.reshape(dense, (count * inner, dense.shape[-1]))
    one, other = (columns, rows) if swapped else (rows, columns)
    total = _sparse.multiplied(one, other, x1_values, count * outer, count * inner, flat)
    total = F.reshape(total, sizes[:-2] + (outer, dense.shape[-1]))
    return F.transpose(total, swap) if transpose_output else total


def csr_nnz(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """How many elements each matrix stores, int32."""
    count = x_batch_pointers.size
    return F.cast(F.part(x_batch_pointers, 0, 1, count) - F.part(x_batch_pointers, 0, 0, count - 1), mstype.int32)


def csr_softmax(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values, dtype):
    """The softmax of the stored elements of each row, as `dtype`; the other parts as they are."""
    sizes = extents(x_dense_shape)
    count, height, _ = _batches(sizes)
    # A single number of all elements is taken for the batch pointers as well.
    batches = F.fill(mstype.int32, (1,), 0) if count == 1 else x_batch_pointers
    rows = _rows(sizes, batches, x_row_pointers, x_values.size)
    values = _sparse.softmax_of(rows, F.cast(x_values, dtype), count * height)
    return x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, values
