"""`mint.linalg`: linear algebra with PyTorch's arguments."""

from plumb import ops
from plumb.common._offers import not_offered
from plumb.ops import cholesky, det, slogdet


def inv(input):
    """The inverse of square matrices."""
    return ops.inverse(input)


def qr(A, mode="reduced"):
    """(an orthogonal matrix, an upper triangular one) whose product is A."""
    return ops.qr(A, mode)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors along `dim`."""
    return ops.vector_norm(x, ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """The norm of matrices in the two axes `dim`."""
    return ops.matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The norm of a vector or matrix."""
    return ops.norm(A, ord, dim, keepdim, dtype=dtype)


__getattr__ = not_offered(__name__)
