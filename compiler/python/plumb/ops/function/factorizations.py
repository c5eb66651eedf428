"""Factorisations of matrices, with MindSpore's signatures, in the parsable subset.

Matrices stand on the last two axes, axes before them are batches. Those of float16 and bfloat16 are computed with in float32.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.diagonal import tril, triu
from plumb.ops.function.shape import swapaxes


def wide(who, x):
    """Matrices in an element type that factorisations compute in: float32 or float64."""
    x = _checks.floating(who, x)
    if x.ndim < 2:
        raise ValueError(f"For '{who}', the input must have 2 axes at least, but got {x.shape}")
    return x if x.dtype in (mstype.float32, mstype.float64) else F.cast(x, mstype.float32)


def square(who, x):
    """As `wide`, of matrices with as many rows as columns."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{who}', the input must be square matrices, but got {x.shape}")
    return wide(who, x)


def unit(rows, columns, like):
    """A matrix with ones on its diagonal, of the element type of `like`."""
    return F.eye(rows, columns, like.dtype)


def columns_of(x, start, end):
    """Columns from `start` to before `end`."""
    return F.part(x, x.ndim - 1, start, end)


# -- Cholesky


def cholesky(input_x, upper=False):
    """The lower triangle l of l @ l.T for symmetric positive matrices, of which the lower triangle is read; l.T if `upper`.

    NaN where a matrix is not positive definite.
    """
    lower = F.cast(F.cholesky(square("cholesky", input_x)), input_x.dtype)
    return swapaxes(lower, -1, -2) if upper else lower


def cholesky_inverse(input_x, upper=False):
    """The inverse of l @ l.T for a lower triangle l, of u.T @ u for an upper one.

    The gradient by the triangle's other half is 0; MindSpore 2.0.0 gives numbers there.
    """
    x = square("cholesky_inverse", input_x)
    ones = F.broadcast_to(unit(x.shape[-1], x.shape[-1], x), x.shape)
    half = F.triangular_solve(x, ones, not upper)
    product = F.matmul(half, half, False, True) if upper else F.matmul(half, half, True)
    return F.cast(product, input_x.dtype)


def cholesky_solve(input, input2, upper=False):
    """x of a @ x = input with a = l @ l.T for a lower triangle `input2`, u.T @ u for an upper one.

    The gradient by the triangle's other half is 0; MindSpore 2.0.0 gives numbers there.
    """
    factor, b = square("cholesky_solve", input2), wide("cholesky_solve", input)
    half = F.triangular_solve(factor, b, not upper, upper)
    return F.cast(F.triangular_solve(factor, half, not upper, not upper), input.dtype)


# -- orthogonal and triangular


def geqrf(input):
    """LAPACK's form of a QR factorisation: r, with the vectors of the reflections below its diagonal, and their factors tau.

    `orgqr` and `ormqr` make q of it. It has no gradient; that of `qr` is for matrices with at least as many rows as columns.
    """
    factors, tau = F.geqrf(wide("geqrf", input))
    return F.cast(factors, input.dtype), F.cast(tau, input.dtype)


def _reflections(who, input, tau):
    """v and t of the product 1 - v t v.T of the reflections 1 - tau v v.T of the columns of v.

    t is the inverse of 1 / tau on the diagonal and v.T v above it (Puglisi, "Modification of the Householder method based on the
    compact WY representation", 1992).
    """
    x, count = wide(who, input), tau.shape[-1]
    if x.shape[-1] < count or x.shape[:-2] != tau.shape[:-1]:
        raise ValueError(f"For '{who}', 'tau' must have a number for each column of the input, but got {tau.shape} and {x.shape}")
    v = tril(columns_of(x, 0, count), -1) + unit(x.shape[-2], count, x)
    factors = F.cast(tau, x.dtype)
    ones = F.broadcast_to(unit(count, count, x), x.shape[:-2] + (count, count))
    above = triu(F.matmul(v, v, True), 1) * F.expand_dims(factors, -1)
    return v, F.triangular_solve(above, ones * F.expand_dims(factors, -1), False, False, True)


def orgqr(input, input2):
    """The first columns of q, as many as `input` has, from the results of `geqrf`; `input2` holds the factors tau."""
    v, t = _reflections("orgqr", input, input2)
    rows, columns = input.shape[-2:]
    if rows < columns:
        raise ValueError(f"For 'orgqr', there must be as many rows as columns at least, but got {input.shape}")
    top = swapaxes(F.part(v, v.ndim - 2, 0, columns), -1, -2)
    return F.cast(unit(rows, columns, v) - F.matmul(v, F.matmul(t, top)), input.dtype)


def ormqr(input, tau, other, left=True, transpose=False):
    """q @ other, or other @ q if not `left`, with q, or its transpose, from the results of `geqrf`."""
    v, t = _reflections("ormqr", input, tau)
    x = F.cast(other, v.dtype)
    if x.shape[-2 if left else -1] != v.shape[-2]:
        raise ValueError(f"For 'ormqr', q has {v.shape[-2]} rows and columns, which do not go with {other.shape}")
    t = swapaxes(t, -1, -2) if transpose else t
    change = F.matmul(v, F.matmul(t, F.matmul(v, x, True))) if left else F.matmul(F.matmul(F.matmul(x, v), t), v, False, True)
    return F.cast(x - change, other.dtype)


def complete(q):
    """Orthonormal columns and those that complete them to a square matrix. There is no gradient of the new ones."""
    rows, count = q.shape[-2:]
    if rows == count:
        return q
    factors, tau = F.geqrf(q)
    return F.concat((q, columns_of(_whole("complete", factors, tau), count, rows)), -1)


def _whole(who, factors, tau):
    """All columns of the product of reflections."""
    v, t = _reflections(who, factors, tau)
    return unit(v.shape[-2], v.shape[-2], v) - F.matmul(v, F.matmul(t, v, False, True))


def qr(input, mode="reduced"):
    """q with orthonormal columns and an upper triangular r, of which `input` is the product.

    Args:
      input: (..., m, n).
      mode: "reduced" for q of (..., m, k) and r of (..., k, n) with k the smaller of m and n; "complete" for (..., m, m) and
        (..., m, n), which has no gradient where m > n.
    """
    if mode not in ("reduced", "complete"):
        raise TypeError(f"For 'qr', 'mode' must be 'reduced' or 'complete', but got {mode}")
    x = wide("qr", input)
    if mode == "complete" and x.shape[-2] > x.shape[-1]:
        factors, tau = F.geqrf(x)
        return F.cast(_whole("qr", factors, tau), input.dtype), F.cast(triu(factors), input.dtype)
    q, r = F.qr(x)
    return F.cast(q, input.dtype), F.cast(r, input.dtype)


def qr_of(x, full_matrices=False):
    """As `qr`; complete if `full_matrices`."""
    return qr(x, "complete" if full_matrices else "reduced")


# -- singular values


def svd(input, full_matrices=False, compute_uv=True):
    """Singular values s, descending, and vectors u and v with input = u @ diag(s) @ v.T; s alone without `compute_uv`.

    The sign of each pair of columns is that which makes the largest element of v's positive. Gradients are infinite or NaN where
    singular values are equal or zero and u or v is used; columns that `full_matrices` adds have none.

    Args:
      input: (..., m, n); u is (..., m, k) and v (..., n, k) with k the smaller of m and n.
      full_matrices: whether u and v are square.
    """
    if not isinstance(full_matrices, bool) or not isinstance(compute_uv, bool):
        raise TypeError("For 'svd', 'full_matrices' and 'compute_uv' must be bool")
    s, u, v = F.svd(wide("svd", input))
    s = F.cast(s, input.dtype)
    if not compute_uv:
        return s
    if full_matrices:
        u, v = complete(u), complete(v)
    return s, F.cast(u, input.dtype), F.cast(v, input.dtype)


def three_of_svd(a, full_matrices=False, compute_uv=True):
    """As `svd`; without `compute_uv` u and v are one zero each, as MindSpore gives."""
    if compute_uv:
        return svd(a, full_matrices, compute_uv)
    return svd(a, full_matrices, compute_uv), F.fill(a.dtype, (1,), 0), F.fill(a.dtype, (1,), 0)


# -- triangles of elimination


def permutation_of(pivots, extent):
    """Which row comes where, after row i was exchanged with row pivots[i], for i in rising order; pivots count from 0."""
    numbers, step = F.arange(extent), F.fill(mstype.int32, (), 0)
    order, given = F.broadcast_to(numbers, pivots.shape[:-1] + (extent,)), F.cast(pivots, mstype.int32)
    while F.less(step, pivots.shape[-1]):
        there = F.equal(numbers, F.gather(given, F.reshape(step, (1,)), -1))
        order = _exchanged(order, F.equal(numbers, step), there)
        step = step + 1
    return order


def _exchanged(order, here, there):
    """Numbers, of which those at two places, marked along the last axis, are exchanged."""
    one = F.reduce_sum(F.select(here, order, 0), (-1,), True)
    other = F.reduce_sum(F.select(there, order, 0), (-1,), True)
    return F.select(here, other, F.select(there, one, order))


def pivots_of(rows, count):
    """The pivots, counted from 0, of the first `count` exchanges that bring rows into an order."""
    extent = rows.shape[-1]
    numbers, step = F.arange(extent), F.fill(mstype.int32, (), 0)
    order, pivots = F.broadcast_to(numbers, rows.shape), F.zeros_like(rows)
    while F.less(step, count):
        here = F.broadcast_to(F.equal(numbers, step), rows.shape)
        there = F.equal(order, F.gather(rows, F.reshape(step, (1,)), -1))
        place = F.reduce_sum(F.select(there, F.broadcast_to(numbers, rows.shape), 0), (-1,), True)
        pivots = F.select(here, place, pivots)
        order = _exchanged(order, here, there)
        step = step + 1
    return F.part(pivots, pivots.ndim - 1, 0, count)


def lu_parts(factors):
    """l with ones on its diagonal, and u, from packed factors."""
    rows, columns = factors.shape[-2:]
    small = rows if rows < columns else columns
    lower = tril(columns_of(factors, 0, small), -1) + unit(rows, small, factors)
    return lower, triu(F.part(factors, factors.ndim - 2, 0, small))


def permutation_matrix(order, like):
    """The matrix p of x = p @ x[order], of the element type of `like`."""
    numbers = F.expand_dims(F.arange(order.shape[-1]), -1)
    return F.cast(F.equal(numbers, F.expand_dims(order, -2)), like.dtype)


def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """p, l and u of p @ l @ u from packed factors and pivots, which count from 1; None for what is not wanted."""
    rows, columns = LU_data.shape[-2:]
    if LU_pivots.shape[-1] != (rows if rows < columns else columns):
        raise ValueError(f"For 'lu_unpack', there must be a pivot for each column of l, but got {LU_pivots.shape} and {LU_data.shape}")
    p = permutation_matrix(permutation_of(LU_pivots - 1, rows), LU_data) if unpack_pivots else None
    lower, upper = lu_parts(LU_data) if unpack_data else (None, None)
    return p, lower, upper


# Plain Python's calls are one program each.
cholesky_inverse, cholesky_solve, orgqr, ormqr, qr, svd, lu_unpack = (
    Whole(cholesky_inverse), Whole(cholesky_solve), Whole(orgqr), Whole(ormqr), Whole(qr), Whole(svd), Whole(lu_unpack))

_OTHERS = ("Whole", "wide", "square", "unit", "columns_of", "complete", "permutation_of", "pivots_of", "lu_parts", "permutation_matrix",
           "qr_of", "three_of_svd", "tril", "triu", "swapaxes")
__all__ = [name for name in offered(globals()) if name not in _OTHERS]
