"""Linear algebra with SciPy's signatures; in the parsable subset.

Integers are computed with in float64. `overwrite_a` and `overwrite_b` allow what is never done, and non-finite elements give
non-finite results whatever `check_finite` says, since a compiled step cannot raise errors.
"""

from plumb import ops as O
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered as _not_offered
from plumb.common._offers import only_defaults as _only_defaults
from plumb.common.api import Whole as _Whole
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C
from plumb.ops import _functions as F
from plumb.ops.function import equations as _equations
from plumb.ops.function import factorizations as _factors


def _floats(who, a):
    """A tensor in float32 or float64."""
    if not isinstance(a, _Tensor):
        raise TypeError(f"For '{who}', the input must be a Tensor, but got {a}")
    if a.dtype in (mstype.int32, mstype.int64):
        return F.cast(a, mstype.float64)
    if a.dtype not in (mstype.float32, mstype.float64):
        raise TypeError(f"For '{who}', the input must be of int32, int64, float32 or float64, but got {a.dtype}")
    return a


def _matrix(who, a):
    a = _floats(who, a)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"For '{who}', the input must be a square matrix, but got {a.shape}")
    return a


def _booleans(who, **given):
    """Raises TypeError for what is not a bool."""
    for name in given:
        if not isinstance(given[name], bool):
            raise TypeError(f"For '{who}', '{name}' must be bool, but got {given[name]}")


def _right_side(who, a, b):
    """A right side of the same element type as a matrix, as a matrix."""
    b = F.cast(_floats(who, b), a.dtype)
    if b.ndim not in (a.ndim, a.ndim - 1) or b.shape[a.ndim - 2] != a.shape[-1]:
        raise ValueError(f"For '{who}', the right side must have {a.shape[-1]} rows, but got {b.shape}")
    return F.expand_dims(b, -1) if b.ndim == a.ndim - 1 else b


def block_diag(*arrs):
    """The matrices, and vectors as rows, along the diagonal of one matrix; zeros elsewhere."""
    return O.block_diag(*C.together(arrs))


def inv(a, overwrite_a=False, check_finite=True):
    """The inverse of a square matrix; infinities or NaN for a singular one."""
    _booleans("inv", overwrite_a=overwrite_a, check_finite=check_finite)
    return O.inverse(_matrix("inv", a))


def det(a, overwrite_a=False, check_finite=True):
    """The determinants of square matrices, (..., m, m)."""
    _booleans("det", overwrite_a=overwrite_a, check_finite=check_finite)
    return O.det(_floats("det", a))


# -- Cholesky


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """The upper triangle u of a = u.T @ u, or the lower one of a = l @ l.T, of a symmetric positive definite matrix; NaN of others."""
    _booleans("cholesky", lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)
    return O.cholesky(_matrix("cholesky", a), not lower)


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """(the triangle of `cholesky`, lower) for `cho_solve`. The other triangle is zero, where SciPy leaves what was there."""
    return cholesky(a, lower, overwrite_a, check_finite), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """x of a @ x = b from the results of `cho_factor`; b is (m,) or (m, k)."""
    c, lower = c_and_lower
    _booleans("cho_solve", lower=lower, overwrite_b=overwrite_b, check_finite=check_finite)
    c = _matrix("cho_solve", c)
    return F.reshape(O.cholesky_solve(_right_side("cho_solve", c, b), c, not lower), b.shape)


# -- eigenvalues


def eigh(a, b=None, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, turbo=True, eigvals=None, type=1,
         check_finite=True):
    """Eigenvalues w, ascending, of a symmetric matrix, and, unless `eigvals_only`, eigenvectors as columns: a @ v = v * w.

    Args:
      lower: which triangle of `a` is read.
      b, type, eigvals: of generalised problems and parts of results, which are not offered.
      turbo: a hint that does not change results.
    """
    _booleans("eigh", lower=lower, eigvals_only=eigvals_only, overwrite_a=overwrite_a, overwrite_b=overwrite_b, turbo=turbo,
              check_finite=check_finite)
    _only_defaults("eigh", b=(b, None), type=(type, 1), eigvals=(eigvals, None))
    a = _matrix("eigh", a)
    w, v = F.eigh(a if lower else F.transpose(a, (1, 0)))
    return w if eigvals_only else (w, v)


# -- elimination


def lu_factor(a, overwrite_a=False, check_finite=True):
    """(l below the diagonal and u, pivots): row i was exchanged with row pivots[i], an int32 that counts from 0."""
    _booleans("lu_factor", overwrite_a=overwrite_a, check_finite=check_finite)
    a = _matrix("lu_factor", a)
    factors, rows = F.lu(a)
    return factors, _factors.pivots_of(rows, a.shape[0])


def lu(a, permute_l=False, overwrite_a=False, check_finite=True):
    """(p, l, u) with a = p @ l @ u, p an int32 permutation matrix; (p @ l, u) if `permute_l`. `a` is (m, n)."""
    _booleans("lu", permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    a = _floats("lu", a)
    if a.ndim != 2:
        raise ValueError(f"For 'lu', the input must be a matrix, but got {a.shape}")
    factors, rows = F.lu(a)
    lower, upper = _factors.lu_parts(factors)
    p = _factors.permutation_matrix(rows, rows)
    return (F.matmul(F.cast(p, a.dtype), lower), upper) if permute_l else (p, lower, upper)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """x of a @ x = b, or of a.T @ x = b for a `trans` of 1 or 2, from the results of `lu_factor`; b is (m,) or (m, k)."""
    factors, pivots = lu_and_piv
    _booleans("lu_solve", overwrite_b=overwrite_b, check_finite=check_finite)
    if trans not in (0, 1, 2):
        raise ValueError(f"For 'lu_solve', 'trans' must be 0, 1 or 2, but got {trans}")
    factors = _matrix("lu_solve", factors)
    order = _factors.permutation_of(pivots, factors.shape[0])
    return F.reshape(_equations.solved(factors, order, _right_side("lu_solve", factors, b), trans != 0), b.shape)


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, debug=None, check_finite=True):
    """x of a @ x = b with a triangle of a.

    Args:
      a: (..., m, m), of which the lower or upper triangle is read.
      b: (..., m) or (..., m, k).
      trans: 0 or "N"; 1, "T", 2 or "C" for the transposed matrix.
      unit_diagonal: whether the diagonal is one, and not read.
    """
    _booleans("solve_triangular", lower=lower, unit_diagonal=unit_diagonal, overwrite_b=overwrite_b, check_finite=check_finite)
    if debug is not None:
        raise ValueError(f"For 'solve_triangular', 'debug' must be None, but got {debug}")
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise ValueError(f"For 'solve_triangular', 'trans' must be 0, 1, 2, 'N', 'T' or 'C', but got {trans}")
    a = _floats("solve_triangular", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"For 'solve_triangular', the input must be square matrices, but got {a.shape}")
    right = _right_side("solve_triangular", a, b)
    return F.reshape(F.triangular_solve(a, right, lower, trans not in (0, "N"), unit_diagonal), b.shape)


def _of_one_type(one, other):
    """Two tensors of floating point, both of the wider type."""
    if one.dtype == other.dtype:
        return one, other
    return F.cast(one, mstype.float64), F.cast(other, mstype.float64)


def lstsq(A, B, rcond=None, driver=None):
    """(x of the least |A @ x - B|, and of those the shortest; squares of what is left, rank and singular values of A).

    Args:
      A, B: (..., m, n), and (..., m) of a matrix or (..., m, k).
      rcond: None only: singular values count that are more than the largest, times the element type's distance of 1 to the next.
      driver: LAPACK's name of an algorithm; results that it does not compute are tensors without elements. "gels" has no rank; "gelsd"
        and "gelss" alone have singular values; None and "gelsy" have no squares, and no driver has them where m <= n.

    A and B are of the wider of their two types.
    """
    _only_defaults("lstsq", rcond=(rcond, None))
    if driver not in (None, "gels", "gelsy", "gelss", "gelsd"):
        raise ValueError(f"For 'lstsq', 'driver' must be None, 'gels', 'gelsy', 'gelss' or 'gelsd', but got {driver}")
    A, B = _of_one_type(_floats("lstsq", A), _floats("lstsq", B))
    if A.ndim < 2 or B.ndim not in (A.ndim, A.ndim - 1) or B.shape[A.ndim - 2] != A.shape[-2]:
        raise ValueError(f"For 'lstsq', matrices of {A.shape} and right sides of {B.shape} do not fit")
    right = F.expand_dims(B, -1) if B.ndim == A.ndim - 1 else B
    values, u, v = O.svd(A)
    counts = F.greater(values, F.reduce_max(values, (-1,), True) * (1.1920929e-07 if A.dtype == mstype.float32 else 2.220446049250313e-16))
    shares = F.select(counts, 1.0 / F.select(counts, values, F.ones_like(values)), F.zeros_like(values))
    solution = F.matmul(v, F.expand_dims(shares, -1) * F.matmul(O.swapaxes(u, -1, -2), right))
    left = F.reduce_sum(F.square(F.matmul(A, solution) - right), (-2,))
    none = F.fill(A.dtype, (0,), 0)
    rank = F.reduce_sum(F.cast(counts, mstype.int64), (-1,))
    return (F.squeeze(solution, (-1,)) if B.ndim == A.ndim - 1 else solution,
            left if driver in ("gels", "gelss", "gelsd") and A.shape[-2] > A.shape[-1] else none,
            F.fill(mstype.int64, (0,), 0) if driver == "gels" else rank, values if driver in ("gelss", "gelsd") else none)


# Plain Python's calls are one program each.
eigh, lu_factor, lu, lu_solve, cho_solve = _Whole(eigh), _Whole(lu_factor), _Whole(lu), _Whole(lu_solve), _Whole(cho_solve)
lstsq = _Whole(lstsq)

__getattr__ = _not_offered(__name__)
