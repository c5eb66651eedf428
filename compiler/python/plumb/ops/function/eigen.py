"""Eigenvalues and logarithms of matrices, systems with three diagonals; with MindSpore's signatures.

Eigenvalues and logarithms of matrices that are not symmetric are complex and worked out on the host, without gradients; the rest
is in the parsable subset.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._structures import on_host
from plumb.common.api import Whole
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function import equations
from plumb.ops.function.factorizations import square

_COMPLEX = {mstype.float32: np.complex64, mstype.float64: np.complex128, mstype.complex64: np.complex64,
            mstype.complex128: np.complex128}


_hosted = on_host("call it outside and pass its result, or use scipy.linalg.eigh, which compiles, for symmetric matrices",
                  "it runs on the host")


def _matrices(who, x):
    """Square matrices as an array of complex numbers, and the width of the result."""
    if not isinstance(x, Tensor) or x.dtype not in _COMPLEX:
        raise TypeError(f"For '{who}', the input must be a Tensor of float32, float64, complex64 or complex128, but got "
                        f"{x.dtype if isinstance(x, Tensor) else type(x).__name__}.")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{who}', the input must be square matrices, but got {x.shape}.")
    return x.asnumpy(), _COMPLEX[x.dtype]


@_hosted
def eig(A):
    """Eigenvalues w, (…, n), and eigenvectors v, the columns of (…, n, n), with A @ v = v * w: complex, of A's precision.

    The vectors have the length 1; the order of the values is not defined.

    Args:
      A: (…, n, n), of float32, float64, complex64 or complex128.

    Raises:
      TypeError, ValueError: for other element types and shapes.
    """
    matrices, kind = _matrices("eig", A)
    values, vectors = np.linalg.eig(matrices)
    return Tensor(values.astype(kind)), Tensor(vectors.astype(kind))


@_hosted
def eigvals(A):
    """The eigenvalues of `eig` alone."""
    matrices, kind = _matrices("eigvals", A)
    return Tensor(np.linalg.eigvals(matrices).astype(kind))


def eig_of(x, compute_v=False):
    """As `eig`; without `compute_v` the vectors are an empty tensor."""
    if compute_v:
        return eig(x)
    values = eigvals(x)
    return values, Tensor(np.zeros((0,), values.dtype.numpy))


def self_adjoint_eig(x, compute_v=True):
    """Eigenvalues of symmetric matrices, rising, and eigenvectors, the columns of (…, n, n); the lower triangle is read.

    Without `compute_v` the vectors are an empty tensor.
    """
    values, vectors = F.eigh(square("SelfAdjointEig", x))
    if not compute_v:
        return F.cast(values, x.dtype), F.fill(x.dtype, (0,), 0)
    return F.cast(values, x.dtype), F.cast(vectors, x.dtype)


# -- logarithms of matrices

# Weights and nodes of Gauss and Legendre on (0, 1): the integral of x (1 + t x)⁻¹ over t is log(1 + x), to rounding for |x| below
# the bound (Higham, "Functions of Matrices", 2008, section 11.4).
_NODES, _WEIGHTS = ((np.polynomial.legendre.leggauss(12)[0] + 1.0) / 2.0, np.polynomial.legendre.leggauss(12)[1] / 2.0)
_NEAR_ONE, _MAX_ROOTS, _MAX_STEPS = 0.25, 64, 60


def _root_of(matrix):
    """The principal square root, by the product form of Denman's and Beavers's iteration."""
    one = np.eye(len(matrix), dtype=matrix.dtype)
    root, rest = matrix, matrix
    for _ in range(_MAX_STEPS):
        inverse = np.linalg.inv(rest)
        root = root @ (one + inverse) / 2.0
        rest = (one + (rest + inverse) / 2.0) / 2.0
        if np.linalg.norm(rest - one, 1) < 1e-15 * len(matrix):
            break
    return root


def _logarithm_of(matrix):
    one, halvings = np.eye(len(matrix), dtype=np.complex128), 0
    matrix = matrix.astype(np.complex128)
    while np.linalg.norm(matrix - one, 1) > _NEAR_ONE and halvings < _MAX_ROOTS:
        matrix, halvings = _root_of(matrix), halvings + 1
    rest = matrix - one
    parts = [weight * np.linalg.solve(one + node * rest, rest) for node, weight in zip(_NODES, _WEIGHTS)]
    return sum(parts) * 2.0 ** halvings


@_hosted
def matrix_logarithm(x):
    """The principal logarithms of square matrices, of which the exponential gives them back.

    Args:
      x: (…, n, n), complex64 or complex128, without eigenvalues that are zero or negative numbers.

    Raises:
      TypeError, ValueError: for other element types and shapes, and for a singular matrix.
    """
    matrices, kind = _matrices("MatrixLogarithm", x)
    if matrices.dtype.kind != "c":
        raise TypeError(f"For 'MatrixLogarithm', the input must be of complex64 or complex128, but got {x.dtype}.")
    try:
        found = [_logarithm_of(matrix) for matrix in matrices.reshape((-1,) + x.shape[-2:])]
    except np.linalg.LinAlgError:
        raise ValueError("For 'MatrixLogarithm', the input must not be singular.") from None
    return Tensor(np.asarray(found, kind).reshape(x.shape))


# -- three diagonals


@Whole
def tridiagonal_solve(diagonals, rhs, partial_pivoting=True):
    """x of a @ x = rhs for matrices a with three diagonals, by elimination with row pivots of the dense matrix.

    Args:
      diagonals: (…, 3, n): what stands above the diagonal (its last element does not count), on it, and below (its first does not).
      rhs: (…, n, k).
      partial_pivoting: without effect: rows are always exchanged, which is more exact than without.
    """
    x = _checks.floating("TridiagonalSolve", diagonals)
    extent = x.shape[-1]
    if x.ndim < 2 or x.shape[-2] != 3 or rhs.ndim < 2 or rhs.shape[-2] != extent:
        raise ValueError(f"For 'TridiagonalSolve', the inputs must be (…, 3, n) and (…, n, k), but got {x.shape} and {rhs.shape}")
    columns, rows = F.reshape(F.arange(extent), (1, -1)), F.reshape(F.arange(extent), (-1, 1))
    matrix = 0.0
    for place in range(3):
        row = F.expand_dims(F.squeeze(F.part(x, x.ndim - 2, place, place + 1), (x.ndim - 2,)), -1)
        matrix = matrix + row * F.cast(F.equal(columns - rows, 1 - place), x.dtype)
    return F.cast(equations.solve("TridiagonalSolve", matrix, rhs), rhs.dtype)


__all__ = ["eig", "eigvals"]
