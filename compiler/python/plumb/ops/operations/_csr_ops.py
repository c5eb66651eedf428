"""Classes of matrices stored row by row, given as tensors one by one: `indptr`, `indices`, `values` and the shape, a tuple.

See `CSRTensor` for what they hold, and the functions of `ops` that take one for what is computed.
"""

from plumb.common._offers import offered
from plumb.common.sparse_tensor import CSRTensor
from plumb.ops import function as f
from plumb.ops._primitive import function_classes


def reduce_sum(indptr, indices, values, dense_shape, axis):
    """The sums along axis 1, in a column, or along axis 0, in a row."""
    return CSRTensor(indptr, indices, values, dense_shape).sum(axis)


def times_vector(indptr, indices, values, dense_shape, dense):
    """The product with a dense matrix of one column."""
    return CSRTensor(indptr, indices, values, dense_shape).mv(dense)


def times_matrix(indptr, indices, values, dense_shape, dense):
    """The product with a dense matrix."""
    return CSRTensor(indptr, indices, values, dense_shape).mm(dense)


def multiplied(indptr, indices, values, dense_shape, dense):
    """The stored elements times those of a dense tensor, which broadcasts: new values, a vector."""
    return values * f.csr_gather(indptr, indices, dense, dense_shape)


def divided(indptr, indices, values, dense_shape, dense):
    """The stored elements over those of a dense tensor, which broadcasts: new values, a vector."""
    return values / f.csr_gather(indptr, indices, dense, dense_shape)


globals().update(function_classes({
    "COO2CSR": f.coo2csr,
    "CSR2COO": f.csr2coo,
    "CSRDiv": divided,
    "CSRGather": f.csr_gather,
    "CSRMM": times_matrix,
    "CSRMV": times_vector,
    "CSRMul": multiplied,
    "CSRReduceSum": reduce_sum,
}))

__all__ = [name for name in offered(globals()) if name[0].isupper() and name != "CSRTensor"]
