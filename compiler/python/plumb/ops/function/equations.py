"""Linear equations, determinants and functions of matrices, with MindSpore's signatures, in the parsable subset.

Square systems go by elimination with row pivots, those that are not by reflections. Matrices of float16 and bfloat16 are
computed with in float32.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.diagonal import diagonal, tril
from plumb.ops.function.factorizations import permutation_of, square, unit, wide
from plumb.ops.function.linalg import matrix_norm
from plumb.ops.function.shape import broadcast_shapes, swapaxes


# -- square systems


def rows_at(x, order):
    """Rows of matrices in an order, which may differ from batch to batch."""
    places = F.broadcast_to(F.expand_dims(order, -1), order.shape + (x.shape[-1],))
    return F.take_along(x, places, x.ndim - 2)


def together(who, a, b):
    """Matrices `a` and right sides `b`, (..., n, k), with the same batches."""
    if a.shape[-2] != b.shape[-2]:
        raise ValueError(f"For '{who}', the right side must have {a.shape[-2]} rows, but got {b.shape}")
    lead = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return F.broadcast_to(a, lead + a.shape[-2:]), F.broadcast_to(b, lead + b.shape[-2:])


def solved(factors, order, b, transpose=False):
    """x of a @ x = b, or of its transpose, from packed factors of a[order]."""
    if transpose:
        half = F.triangular_solve(factors, b, False, True)
        back = F.triangular_solve(factors, half, True, True, True)
        return rows_at(back, F.sort(order, order.ndim - 1, False)[1])
    half = F.triangular_solve(factors, rows_at(b, order), True, False, True)
    return F.triangular_solve(factors, half, False)


def _parts(x):
    """The real and imaginary parts of numbers, real or complex."""
    return (F.real(x), F.imag(x)) if x.dtype in _checks.COMPLEX else (x, F.zeros_like(x))


def _solve_complex(who, a, b):
    """As `solve`, by a real system of twice the order: [[re, -im], [im, re]] of the matrix, [re, im] of the right side."""
    a_real, a_imag = _parts(a)
    b_real, b_imag = _parts(b)
    square(who, a_real)
    rows, columns = a.ndim - 2, a.ndim - 1
    matrix = F.concat((F.concat((a_real, F.neg(a_imag)), columns), F.concat((a_imag, a_real), columns)), rows)
    x = solve(who, matrix, F.concat((b_real, b_imag), b.ndim - 2))
    return F.complex(*F.split(x, x.ndim - 2, 2))


def solve(who, a, b):
    """x of a @ x = b for square matrices; infinite or NaN where one is singular."""
    if a.dtype in _checks.COMPLEX or b.dtype in _checks.COMPLEX:
        return _solve_complex(who, a, b)
    a, b = together(who, square(who, a), wide(who, b))
    factors, order = F.lu(a)
    return solved(factors, order, b)


def inverse(input):
    """The inverses of square matrices; of a singular one infinities or NaN."""
    x = input if _checks.tensor("inverse", input).dtype in _checks.COMPLEX else square("inverse", input)
    return F.cast(solve("inverse", x, unit(x.shape[-1], x.shape[-1], _parts(x)[0])), input.dtype)


def inverse_of(x, adjoint=False):
    """The inverses of square matrices, transposed if `adjoint`.

    MindSpore 2.0.0's gradient with `adjoint` is wrong.
    """
    return inverse(swapaxes(x, -1, -2) if adjoint else x)


def matrix_solve(matrix, rhs, adjoint=False):
    """x of matrix @ x = rhs, of the transposed matrix, conjugate when complex, if `adjoint`."""
    a = swapaxes(F.conj(matrix) if matrix.dtype in _checks.COMPLEX else matrix, -1, -2) if adjoint else matrix
    return F.cast(solve("matrix_solve", a, rhs), rhs.dtype)


def lu_solve(b, LU_data, LU_pivots):
    """x of a @ x = b from a's packed factors and pivots, which count from 1."""
    factors, right = together("lu_solve", square("lu_solve", LU_data), wide("lu_solve", b))
    order = permutation_of(LU_pivots - 1, factors.shape[-1])
    return F.cast(solved(factors, F.broadcast_to(order, factors.shape[:-1]), right), b.dtype)


def triangular_solve(a, b, lower=True, adjoint=False):
    """x of a @ x = b with the lower (upper) triangle of a, transposed if `adjoint`."""
    if a.dtype in _checks.COMPLEX or b.dtype in _checks.COMPLEX:
        a = tril(a) if lower else F.sub(a, tril(a, -1))
        a = F.conj(swapaxes(a, -1, -2)) if adjoint else a
        return _solve_complex("triangular_solve", *together("triangular_solve", a, b))
    matrix, right = together("triangular_solve", square("triangular_solve", a), wide("triangular_solve", b))
    return F.cast(F.triangular_solve(matrix, right, lower, adjoint), b.dtype)


# -- determinants


def _sign_of(order, dtype):
    """1 for an even number of exchanges that bring numbers into an order, -1 for an odd one."""
    later = tril(F.cast(F.greater(F.expand_dims(order, -2), F.expand_dims(order, -1)), mstype.int32), -1)
    return 1.0 - 2.0 * F.cast(F.reduce_sum(later, (-2, -1)) % 2, dtype)


def slogdet(input):
    """The signs and the logarithms of the magnitudes of determinants; 0 and -inf of a singular matrix."""
    factors, order = F.lu(square("slogdet", input))
    pivots = diagonal(factors, 0, -2, -1)
    sign = _sign_of(order, factors.dtype) * F.reduce_prod(F.sign(pivots), (-1,))
    logarithm = F.reduce_sum(F.log(F.abs(pivots)), (-1,))
    return F.cast(F.stop_gradient(sign), input.dtype), F.cast(logarithm, input.dtype)


def log_matrix_determinant(input):
    """The signs and the logarithms of the magnitudes of determinants."""
    return slogdet(input)


def det(input):
    """Determinants of square matrices."""
    factors, order = F.lu(square("det", input))
    pivots = diagonal(factors, 0, -2, -1)
    return F.cast(F.reduce_prod(pivots, (-1,)) * F.stop_gradient(_sign_of(order, factors.dtype)), input.dtype)


def matrix_determinant(input):
    """Determinants of square matrices."""
    return det(input)


def logdet(input):
    """Logarithms of determinants; NaN of negative ones."""
    sign, logarithm = slogdet(input)
    return F.select(F.less(sign, 0.0), F.fill(logarithm.dtype, (), math.nan), logarithm)


# -- systems that are not square


def lstsq(input, A):
    """x with the smallest |input @ x - A|, or the smallest x with input @ x = A where there are more columns than rows.

    Args:
      input: (m, n) of full rank.
      A: (m, k) or (m,).
    """
    x = wide("lstsq", input)
    if x.ndim != 2 or A.ndim not in (1, 2) or A.shape[0] != x.shape[0]:
        raise ValueError(f"For 'lstsq', the inputs must be (m, n) and (m, k) or (m,), but got {input.shape} and {A.shape}")
    right = F.cast(F.reshape(A, (-1, 1)) if A.ndim == 1 else A, x.dtype)
    result = F.cast(least_squares(x, right), input.dtype)
    return result


def least_squares(x, right):
    """As `lstsq`, of batches of matrices."""
    if x.shape[-2] >= x.shape[-1]:
        q, r = F.qr(x)
        return F.triangular_solve(r, F.matmul(q, right, True), False)
    q, r = F.qr(swapaxes(x, -1, -2))
    return F.matmul(q, F.triangular_solve(r, right, False, True))


def matrix_solve_ls(matrix, rhs, l2_regularizer, fast=True):
    """x with the smallest |matrix @ x - rhs|² + l2_regularizer |x|².

    Args:
      fast: whether the normal equations are solved, which lose half of the digits; else `l2_regularizer` does not count.
    """
    x, right = wide("matrix_solve_ls", matrix), wide("matrix_solve_ls", rhs)
    if not fast:
        return F.cast(least_squares(x, right), matrix.dtype)
    is_tall = x.shape[-2] >= x.shape[-1]
    count = x.shape[-1] if is_tall else x.shape[-2]
    normal = F.matmul(x, x, True) if is_tall else F.matmul(x, x, False, True)
    normal = normal + unit(count, count, x) * F.cast(l2_regularizer, x.dtype)
    if is_tall:
        return F.cast(_solve_positive(normal, F.matmul(x, right, True)), matrix.dtype)
    return F.cast(F.matmul(x, _solve_positive(normal, right), True), matrix.dtype)


def _solve_positive(a, b):
    lower = F.cholesky(a)
    return F.triangular_solve(lower, F.triangular_solve(lower, b), True, True)


def pinv(x, *, atol=None, rtol=None, hermitian=False):
    """The pseudo-inverses of matrices, by their singular values.

    Args:
      x: (..., m, n).
      atol, rtol: singular values of at most the larger one of `atol` and `rtol` times the largest singular value count as zero; numbers
        or tensors of batches' shape. By default 0, and max(m, n) times the distance from 1 to the next number, or 0 beside `atol`.
      hermitian: whether x is symmetric; the lower triangle is read.
    """
    if not isinstance(hermitian, bool):
        raise TypeError(f"For 'pinv', 'hermitian' must be bool, but got {hermitian}")
    a = square("pinv", x) if hermitian else wide("pinv", x)
    if rtol is None:
        larger = a.shape[-1] if a.shape[-1] > a.shape[-2] else a.shape[-2]
        rtol = larger * (2.0 ** -52 if x.dtype == mstype.float64 else 2.0 ** -23) if atol is None else 0.0
    absolute, relative = _limit(0.0 if atol is None else atol, a), _limit(rtol, a)
    if hermitian:
        values, u = F.eigh(a)
        v, sizes = u, F.abs(values)
    else:
        values, u, v = F.svd(a)
        sizes = values
    limit = F.maximum(absolute, relative * F.reduce_max(sizes, (-1,), True))
    counts = F.greater(sizes, limit)
    shares = F.select(counts, 1.0 / F.select(counts, values, F.ones_like(values)), F.zeros_like(values))
    return F.cast(F.matmul(v * F.expand_dims(shares, -2), u, False, True), x.dtype)


def _limit(given, like):
    """A tolerance as a tensor that broadcasts to singular values."""
    if isinstance(given, _checks.Tensor):
        return F.expand_dims(F.cast(given, like.dtype), -1)
    return F.fill(like.dtype, (1,), given)


def cond(A, p=None):
    """The norm of order `p` of matrices times that of their inverses; see `matrix_norm`. By default, and for 2, the largest over
    the smallest singular value, also of matrices that are not square."""
    x = wide("cond", A)
    if p is None or p in (2, -2):
        s = F.svd(x)[0]
        return F.cast(s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1], A.dtype)
    return F.cast(matrix_norm(x, p) * matrix_norm(inverse(x), p), A.dtype)


# -- functions of matrices


def matrix_power(input, n):
    """Powers of square matrices, of the inverses for a negative n."""
    x = _checks.inexact("matrix_power", input) if n >= 0 else square("matrix_power", input)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For 'matrix_power', the input must be square matrices, but got {x.shape}")
    if n == 0:
        return F.broadcast_to(unit(x.shape[-1], x.shape[-1], x), x.shape)
    base, left, result = inverse(x) if n < 0 else x, -n if n < 0 else n, None
    while left > 0:
        if left % 2 == 1:
            result = base if result is None else F.matmul(result, base)
        left = left // 2
        if left > 0:
            base = F.matmul(base, base)
    return F.cast(result, input.dtype)


# The coefficients of Padé's approximation of degree 13, and the norm up to which it is right to rounding (Higham, "The scaling and
# squaring method for the matrix exponential revisited", 2005).
_PADE = tuple([math.factorial(26 - k) * math.comb(13, k) / math.factorial(26) for k in range(14)])
_PADE_NORM, _MAX_SQUARINGS, _LOG_OF_2 = 5.37, 16, math.log(2.0)


def matrix_exp(input):
    """The exponentials of square matrices; NaN of one whose largest column sum of magnitudes is above 350,000."""
    x = square("matrix_exp", input)
    size = matrix_norm(F.stop_gradient(x), 1, keepdims=True)
    count = F.maximum(F.ceil(F.log(size / _PADE_NORM) * (1.0 / _LOG_OF_2)), 0.0)
    scaled = x * F.exp(F.minimum(count, 1.0 * _MAX_SQUARINGS) * -_LOG_OF_2)
    result = _exp_of_small(scaled)
    for step in range(_MAX_SQUARINGS):
        result = F.select(F.less(count, step + 0.5), result, F.matmul(result, result))
    result = F.select(F.less(count, _MAX_SQUARINGS + 0.5), result, F.fill(x.dtype, (), math.nan))
    return F.cast(result, input.dtype)


def _exp_of_small(x):
    one, second = unit(x.shape[-1], x.shape[-1], x), F.matmul(x, x)
    fourth = F.matmul(second, second)
    sixth = F.matmul(second, fourth)
    b = _PADE
    odd = F.matmul(sixth, sixth * b[13] + fourth * b[11] + second * b[9]) + sixth * b[7] + fourth * b[5] + second * b[3] + one * b[1]
    odd = F.matmul(x, odd)
    even = F.matmul(sixth, sixth * b[12] + fourth * b[10] + second * b[8]) + sixth * b[6] + fourth * b[4] + second * b[2] + one * b[0]
    return solve("matrix_exp", even - odd, even + odd)


# Plain Python's calls are one program each.
inverse, matrix_solve, lu_solve, slogdet, det, logdet = (
    Whole(inverse), Whole(matrix_solve), Whole(lu_solve), Whole(slogdet), Whole(det), Whole(logdet))
lstsq, matrix_solve_ls, pinv, cond, matrix_exp = Whole(lstsq), Whole(matrix_solve_ls), Whole(pinv), Whole(cond), Whole(matrix_exp)

_OTHERS = ("Whole", "broadcast_shapes", "diagonal", "tril", "permutation_of", "square", "unit", "wide", "matrix_norm", "swapaxes", "rows_at",
           "together", "solved", "solve", "inverse_of", "triangular_solve", "least_squares", "matrix_solve_ls")
__all__ = [name for name in offered(globals()) if name not in _OTHERS]
