"""Functions of sparse tensors, with MindSpore's signatures, in the parsable subset.

Functions whose results store a number of elements that depends on values (`coo_add`, `csr_add`, `csr_mm` …) work outside of
compiled functions; inside, they are refused by name.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.sparse_tensor import COOTensor, CSRTensor, RowTensor
from plumb.common._structures import assembled
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _sparse, _sparse_host
from plumb.ops.function import scan


def _is(who, x, kind):
    """Raises TypeError unless `x` is of a class of sparse tensors."""
    if not isinstance(x, kind):
        raise TypeError(f"For '{who}', the input must be a {kind.__name__}, but got {type(x).__name__}.")


# -- conversions


def csr_to_coo(tensor):
    """A matrix in rows as one of which each stored element has a row and a column."""
    _is("csr_to_coo", tensor, CSRTensor)
    return tensor.to_coo()


def csr_to_dense(csr_tensor):
    """A matrix in rows as a dense one."""
    _is("csr_to_dense", csr_tensor, CSRTensor)
    return csr_tensor.to_dense()


def coo2csr(row_indices, height):
    """Where each of `height` rows begins among elements of sorted row numbers, and where the last ends."""
    return _sparse.row_pointers(_sparse.checked(row_indices, height, mstype.int32), height, row_indices.dtype)


def csr2coo(indptr, nnz):
    """The row number of each of `nnz` stored elements."""
    return F.cast(_sparse.row_numbers(indptr, nnz), indptr.dtype)


def _matrix(who, tensor):
    """Raises TypeError or ValueError unless it is a matrix."""
    _checks.tensor(who, tensor)
    if tensor.ndim != 2:
        raise ValueError(f"For '{who}', the input must have 2 axes, but got {tensor.shape}.")


def dense_to_sparse_coo(tensor):
    """The elements of a matrix that are not 0, with row and column each, int32."""
    _matrix("dense_to_sparse_coo", tensor)
    return assembled(COOTensor, _sparse_host.dense_to_sparse_coo(tensor), tensor.shape)


def dense_to_sparse_csr(tensor):
    """The elements of a matrix that are not 0, in rows, with int32 columns."""
    _matrix("dense_to_sparse_csr", tensor)
    return assembled(CSRTensor, _sparse_host.dense_to_sparse_csr(tensor), tensor.shape)


def make_coo_tensor(indices, values, dense_shape):
    """A COOTensor of its parts."""
    return COOTensor(indices, values, dense_shape)


make_sparse_tensor = make_coo_tensor


def make_csr_tensor(indptr, indices, values, dense_shape):
    """A CSRTensor of its parts."""
    return CSRTensor(indptr, indices, values, dense_shape)


def make_row_tensor(indices, values, dense_shape):
    """A RowTensor of its parts."""
    return RowTensor(indices, values, dense_shape)


make_row_tensor_inner = make_row_tensor


def row_tensor_add(x, y):
    """The rows of two RowTensors of one shape, together."""
    _is("row_tensor_add", x, RowTensor)
    _is("row_tensor_add", y, RowTensor)
    if x.dense_shape != y.dense_shape:
        raise ValueError(f"For 'row_tensor_add', the shapes must be the same, but got {x.dense_shape} and {y.dense_shape}.")
    return RowTensor(F.concat((x.indices, y.indices), 0), F.concat((x.values, y.values), 0), x.dense_shape)


# -- parts


def coo_tensor_get_indices(x):
    """Rows and columns of stored elements."""
    return x.indices


def coo_tensor_get_values(x):
    """The stored elements."""
    return x.values


def coo_tensor_get_dense_shape(x):
    """The extents."""
    return x.shape


csr_tensor_get_indices = row_tensor_get_indices = coo_tensor_get_indices
csr_tensor_get_values = row_tensor_get_values = coo_tensor_get_values
csr_tensor_get_dense_shape = row_tensor_get_dense_shape = coo_tensor_get_dense_shape


def csr_tensor_get_indptr(x):
    """Where each row begins."""
    return x.indptr


# -- arithmetic


def csr_mul(x, y):
    """The stored elements times those of a dense tensor, which broadcasts; times one number: the values alone, a Tensor."""
    _is("csr_mul", x, CSRTensor)
    return x * y


def csr_div(x, y):
    """The stored elements over those of a dense tensor, which broadcasts; over one number: the values alone, a Tensor."""
    _is("csr_div", x, CSRTensor)
    return x / y


def csr_gather(indptr, indices, dense, sparse_shape):
    """The elements of a dense tensor, which broadcasts to the sparse one's shape, where that one stores elements."""
    rows = _sparse.row_numbers(indptr, indices.size)
    return _sparse.picked_from((rows, indices), sparse_shape, dense)


def csr_mv(csr_tensor, dense):
    """The product of a sparse matrix and a dense one of one column."""
    _is("csr_mv", csr_tensor, CSRTensor)
    return csr_tensor.mv(dense)


def csr_mm(a, b, trans_a=False, trans_b=False, adjoint_a=False, adjoint_b=False):
    """The product of two sparse matrices, either of them transposed before; of which each place is stored once, in order.

    The second may be dense, and then the product is. Matrices are real, so an adjoint is a transposed one.
    """
    _is("csr_mm", a, CSRTensor)
    a = _transposed(a) if trans_a or adjoint_a else a
    if isinstance(b, CSRTensor):
        return a.mm(_transposed(b) if trans_b or adjoint_b else b)
    return a.mm(F.transpose(b, (1, 0)) if trans_b or adjoint_b else b)


def _transposed(x):
    """A matrix in rows, transposed."""
    rows, columns = _sparse.row_numbers(x.indptr, x.indices.size), _sparse.checked(x.indices, x.shape[1], mstype.int32)
    columns, order = F.sort(columns, 0)
    parts = (_sparse.row_pointers(columns, x.shape[1], x.indptr.dtype), F.cast(F.gather(rows, order, 0), x.indices.dtype),
             F.gather(x.values, order, 0))
    return assembled(CSRTensor, parts, (x.shape[1], x.shape[0]))


def csr_reduce_sum(csr_tensor, axis):
    """The sums along axis 1, in a column, or along axis 0, in a row."""
    _is("csr_reduce_sum", csr_tensor, CSRTensor)
    return csr_tensor.sum(axis)


def csr_add(a, b, alpha, beta):
    """alpha * a + beta * b, each place stored once, in order."""
    _is("csr_add", a, CSRTensor)
    return a.add(b, alpha, beta)


def csr_softmax(logits, dtype):
    """The softmax of the stored elements of each row, as `dtype`."""
    _is("csr_softmax", logits, CSRTensor)
    rows = _sparse.row_numbers(logits.indptr, logits.indices.size)
    return logits.with_values(_sparse.softmax_of(rows, F.cast(logits.values, dtype), logits.shape[0]))


def coo_add(x1, x2, thresh):
    """The sum, each place stored once, in order, without sums below `thresh`, a tensor, in size."""
    _is("coo_add", x1, COOTensor)
    return x1.add(x2, thresh)


def coo_concat(sp_input, concat_dim=0):
    """Sparse tensors beside each other along an axis, their elements in order."""
    if len(sp_input) < 2:
        raise ValueError("For 'coo_concat', there must be at least two tensors.")
    for x in sp_input:
        _is("coo_concat", x, COOTensor)
    axis = _checks.one_axis("coo_concat", concat_dim, sp_input[0].ndim)
    pairs = [(x.indices, x.values) for x in sp_input]
    indices, values, shape = _sparse.concatenated(pairs, [x.shape for x in sp_input], axis)
    return assembled(COOTensor, (indices, values), shape)


def coalesce(x_indices, x_values, x_shape):
    """Each place once, in order: coordinates (axes, N), the sums of the values there, and the shape.

    Args:
      x_indices: the coordinates, (axes, N): a row for each axis.
      x_values: a value for each column.
      x_shape: the extents, a tensor.

    The Primitive of MindSpore 2.0.0 on a CPU leaves room for the places that were merged, or does not end.
    """
    shape = tuple(x_shape.tolist())
    indices, values = _sparse_host.coalesce(F.transpose(x_indices, (1, 0)), x_values, shape)
    return F.transpose(indices, (1, 0)), values, x_shape


# -- segments of rows by number


def sparse_segment_mean(x, indices, segment_ids):
    """The means of the rows of `x` that `indices` names, of each of sorted segments; 0 in an empty one."""
    return segment_averages(x, indices, segment_ids, scan.count_of(segment_ids), False)


def segment_sums(x, indices, segment_ids, count):
    """The sums of rows by number, of each of `count` segments."""
    return _sparse.sums(segment_ids, F.gather(x, indices, 0), count)


def segment_averages(x, indices, segment_ids, count, root):
    """The sums of rows by number over how many they are, or over its square root, of each of `count` segments."""
    total = segment_sums(x, indices, segment_ids, count)
    sizes = _sparse.sums(segment_ids, F.fill(x.dtype, segment_ids.shape, 1), count)
    sizes = F.maximum(sizes, F.fill(x.dtype, (), 1))
    return total / _sparse.beside(F.sqrt(sizes) if root else sizes, total)


__all__ = [name for name in offered(globals()) if name not in ("segment_sums", "segment_averages")]
