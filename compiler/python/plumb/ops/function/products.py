"""Products of vectors, matrices and tensors, with MindSpore's signatures, in the parsable subset."""

from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F


def matmul(input, other, transpose_a=False, transpose_b=False):
    """Matrix product as NumPy's: vectors are rows on the left and columns on the right, leading axes broadcast.

    Args:
      transpose_a, transpose_b: whether a matrix is transposed first; MindSpore has them in `ops.MatMul` alone.
    """
    if input.ndim > 1 and other.ndim > 1:
        return F.matmul(input, other, transpose_a, transpose_b)
    left = F.expand_dims(input, 0) if input.ndim == 1 else input
    right = F.expand_dims(other, 1) if other.ndim == 1 else other
    product = F.matmul(left, right, transpose_a and input.ndim > 1, transpose_b and other.ndim > 1)
    axes = ((-1,) if other.ndim == 1 else ()) + ((-2,) if input.ndim == 1 else ())
    return F.squeeze(product, axes)


def bmm(input_x, mat2):
    """Matrix products of a batch."""
    return F.matmul(input_x, mat2)


__all__ = offered(globals())
