"""Norms, distances and linear equations, with MindSpore's signatures, in the parsable subset.

Systems are solved by Gauss and Jordan's elimination with row pivoting, one column in each round of a loop, so a program's size
does not depend on the matrix's. No gradient goes through the loop: that of an inverse comes from two steps of Newton's
iteration x (2 - a x), which leave the value as it is and have the inverse's first and second derivatives.
"""

import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.diagonal import diagonal, tril
from plumb.ops.function.shape import swapaxes


# -- norms


def vector_norm(x, ord=2, axis=None, keepdims=False, *, dtype=None):
    """The norm of order `ord` over axes: a number, inf, -inf, or 0 for the count of what is not 0."""
    x = _checks.real("vector_norm", x if dtype is None else F.cast(x, dtype))
    axes = _checks.all_axes("vector_norm", axis, x.ndim)
    size = F.abs(x)
    if ord == math.inf:
        return F.reduce_max(size, axes, keepdims)
    if ord == -math.inf:
        return F.reduce_min(size, axes, keepdims)
    if ord == 0:
        return F.reduce_sum(F.cast(F.not_equal(x, 0.0), x.dtype), axes, keepdims)
    if ord == 1:
        return F.reduce_sum(size, axes, keepdims)
    if ord == 2:
        return _root(F.reduce_sum(F.square(x), axes, keepdims))
    # 0 has a slope of 0, also where its power has none.
    zero = F.equal(size, 0.0)
    powers = F.pow(F.select(zero, F.ones_like(size), size), 1.0 * ord)
    total = F.reduce_sum(F.select(zero, F.zeros_like(size) if ord > 0 else F.fill(x.dtype, (), math.inf), powers), axes, keepdims)
    empty = F.equal(total, 0.0)
    return F.select(empty, F.zeros_like(total), F.pow(F.select(empty, F.ones_like(total), total), 1.0 / ord))


def _root(squares):
    """Square roots, with a slope of 0 at 0."""
    zero = F.equal(squares, 0.0)
    return F.select(zero, F.zeros_like(squares), F.sqrt(F.select(zero, F.ones_like(squares), squares)))


def matrix_norm(A, ord="fro", axis=(-2, -1), keepdims=False, *, dtype=None):
    """The norm of matrices on two axes: "fro", or the largest (-: smallest) sum of magnitudes of a column (1) or row (inf)."""
    x = _checks.real("matrix_norm", A if dtype is None else F.cast(A, dtype))
    rows, columns = _checks.all_axes("matrix_norm", axis, x.ndim)
    if ord == "fro":
        return vector_norm(x, 2, (rows, columns), keepdims)
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"For 'matrix_norm', 'ord' must be 'fro', 1, -1, inf or -inf, but got {ord}; those of singular values "
                         "are not offered")
    summed = rows if ord in (1, -1) else columns
    sums = F.reduce_sum(F.abs(x), (summed,), True)
    other = columns if summed == rows else rows
    result = F.reduce_max(sums, (other,), True) if ord > 0 else F.reduce_min(sums, (other,), True)
    return result if keepdims else F.squeeze(result, (rows, columns))


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """Norms: of all elements (2) by default; of vectors along one axis, of matrices on two, by `ord`."""
    if dim is None and (ord is None or ord == 2 and A.ndim == 1):
        flat = vector_norm(F.reshape(A, (-1,)), 2, None, False, dtype=dtype)
        return F.reshape(flat, (1,) * A.ndim) if keepdim else flat
    if dim is None and A.ndim > 2:
        raise ValueError(f"For 'norm', 'ord' without 'dim' needs at most 2 axes, but got {A.shape}")
    axes = _checks.all_axes("norm", dim, A.ndim)
    if ord is None:
        return vector_norm(A, 2, axes, keepdim, dtype=dtype)
    if len(axes) == 2:
        return matrix_norm(A, ord, axes, keepdim, dtype=dtype)
    return vector_norm(A, ord, axes, keepdim, dtype=dtype)


def lp_norm(x, axis, p=2, keep_dims=False, epsilon=1e-12):
    """The norm of order p over axes, at least `epsilon` before the root is taken."""
    axes = _checks.all_axes("LpNorm", axis, x.ndim)
    total = F.reduce_sum(F.pow(F.abs(x), 1.0 * p) if p != 2 else F.square(x), axes, keep_dims)
    return F.pow(F.maximum(total, epsilon), 1.0 / p)


def l2_normalize(x, axis=0, epsilon=1e-4):
    """x over its norm along an axis, whose square is at least `epsilon`."""
    axes = _checks.all_axes("L2Normalize", axis, x.ndim)
    return x * F.rsqrt(F.maximum(F.reduce_sum(F.square(x), axes, True), epsilon))


def renorm(input, p, axis, maxnorm):
    """The slices along an axis, those with a larger norm of order p scaled to `maxnorm`."""
    axis = _checks.one_axis("renorm", axis, input.ndim)
    others = tuple([place for place in range(input.ndim) if place != axis])
    lengths = vector_norm(input, p, others, True)
    return input * F.select(F.greater(lengths, maxnorm), maxnorm / (lengths + 1e-7), F.ones_like(lengths))


def clip_by_norm(x, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """x, or all of a list together, scaled so that the norm is at most `max_norm`."""
    if error_if_nonfinite:
        raise ValueError("For 'clip_by_norm', error_if_nonfinite=True is not offered: a compiled step cannot raise errors")
    single = isinstance(x, _checks.Tensor)
    parts = (x,) if single else tuple(x)
    lengths = F.stack(tuple([vector_norm(part, norm_type) for part in parts]), 0)
    factor = F.minimum(max_norm / (vector_norm(lengths, norm_type) + 1e-6), 1.0)
    clipped = tuple([part * factor for part in parts])
    return clipped[0] if single else clipped


def clip_by_global_norm(x, clip_norm=1.0, use_norm=None):
    """Tensors of a list scaled so that the norm of all their elements is at most `clip_norm`."""
    if use_norm is not None:
        raise ValueError("For 'clip_by_global_norm', 'use_norm' must be None")
    total = 0.0
    for part in x:
        total = total + F.cast(F.reduce_sum(F.square(F.cast(part, mstype.float32))), mstype.float32)
    length = F.sqrt(total)
    factor = clip_norm / F.maximum(length, clip_norm)
    return tuple([part * F.cast(factor, part.dtype) for part in x])


# -- distances


def dist(input, other, p=2):
    """The norm of order p of all elements of the difference."""
    return vector_norm(F.sub(input, other), p)


def cdist(x1, x2, p=2.0):
    """The norms of order p of the differences of all pairs of rows: (…, P, M) and (…, R, M) to (…, P, R)."""
    return vector_norm(F.expand_dims(x1, -2) - F.expand_dims(x2, -3), p, -1)


def pdist(input, p=2.0):
    """The norms of order p of the differences of all pairs of different rows."""
    rows = input.shape[-2]
    first, second = (), ()
    for number in range(rows):
        first = first + (number,) * (rows - 1 - number)
        second = second + tuple(range(number + 1, rows))
    one, other = _checks.Tensor(first, mstype.int32), _checks.Tensor(second, mstype.int32)
    return vector_norm(F.gather(input, one, -2) - F.gather(input, other, -2), p, -1)


def cov(input, *, correction=1, fweights=None, aweights=None):
    """Covariances of the rows.

    Args:
      correction: what is subtracted from the number of observations.
      fweights, aweights: how often each observation counts, and its weight.
    """
    x = _checks.real("cov", input)
    single = x.ndim < 2
    x = F.reshape(x, (1, -1)) if single else x
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = F.cast(given, x.dtype) if weights is None else weights * F.cast(given, x.dtype)
    if weights is None:
        centred = x - F.reduce_mean(x, (1,), True)
        covariances = F.matmul(centred, centred, transpose_b=True) / (1.0 * (x.shape[1] - correction))
    else:
        total = F.reduce_sum(weights)
        centred = x - F.reduce_sum(x * weights, (1,), True) / total
        squares = total if aweights is None else F.reduce_sum(weights * F.cast(aweights, x.dtype)) / total
        count = total - correction * (1.0 if aweights is None else squares)
        covariances = F.matmul(centred * weights, centred, transpose_b=True) / F.maximum(count, 0.0)
    return F.reshape(covariances, ()) if single else covariances


# -- elimination


def _square(who, x):
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{who}', the input must be square matrices, but got {x.shape}")
    return _checks.floating(who, x)


def _eliminated(x):
    """The inverses of matrices, and the signs and logarithms of their determinants' magnitudes; no gradient passes."""
    extent, lead = x.shape[-1], x.shape[:-2]
    unit = F.broadcast_to(F.eye(extent, extent, x.dtype), x.shape)
    rows = F.concat((F.stop_gradient(x), unit), -1)
    numbers, column = F.arange(extent), F.fill(mstype.int32, (), 0)
    sign, logarithm = F.fill(x.dtype, lead, 1), F.fill(x.dtype, lead, 0)
    while F.less(column, extent):
        here = F.cast(F.equal(numbers, column), x.dtype)
        entries = F.gather(rows, F.reshape(column, (1,)), -1)[..., 0]
        # Of the rows not used yet, the one with the largest entry comes here.
        left = F.select(F.greater_equal(numbers, column), F.abs(entries), -1.0)
        place = F.argmax(left, -1)
        there = F.cast(F.equal(numbers, F.expand_dims(place, -1)), x.dtype)
        pivot_row = F.reduce_sum(rows * F.expand_dims(there, -1), (-2,), True)
        own_row = F.reduce_sum(rows * F.expand_dims(here, -1), (-2,), True)
        rows = rows + F.expand_dims(there, -1) * (own_row - pivot_row)
        pivot = F.reduce_sum(entries * there, (-1,))
        entries = entries + there * (F.reduce_sum(entries * here, (-1,), True) - F.expand_dims(pivot, -1))
        scaled = pivot_row / F.expand_dims(F.expand_dims(pivot, -1), -1)
        others = F.expand_dims(entries * (1.0 - here), -1)
        rows = F.select(F.expand_dims(F.greater(here, 0.5), -1), scaled, rows - others * scaled)
        sign = sign * F.sign(pivot) * F.select(F.equal(place, column), 1.0, -1.0)
        logarithm = logarithm + F.log(F.abs(pivot))
        column = column + 1
    inverse = F.stop_gradient(rows)[..., extent:]
    return inverse, F.stop_gradient(sign), F.stop_gradient(logarithm)


def _refined(x, inverse):
    """One step of Newton's iteration for the inverse of x."""
    return inverse * 2.0 - F.matmul(inverse, F.matmul(x, inverse))


def inverse(input):
    """The inverses of square matrices; of a singular one infinities or NaN."""
    x = _square("inverse", input)
    return _refined(x, _refined(x, _eliminated(x)[0]))


def inverse_of(x, adjoint=False):
    """The inverses of square matrices, transposed if `adjoint`."""
    return inverse(swapaxes(x, -1, -2) if adjoint else x)


def matrix_solve(matrix, rhs, adjoint=False):
    """x of matrix @ x = rhs, of the transposed matrix if `adjoint`."""
    x = swapaxes(matrix, -1, -2) if adjoint else matrix
    return F.matmul(inverse(x), rhs)


def slogdet(input):
    """The signs and the logarithms of the magnitudes of determinants."""
    x = _square("slogdet", input)
    start, sign, logarithm = _eliminated(x)
    return sign, logarithm + _change(x, start)


def _change(x, start):
    """0, with the derivatives of log|det x| up to the second: tr(y d) - tr(y d y d) / 2 with y = x^-1 and d = x - x."""
    step = F.matmul(start, x - F.stop_gradient(x))
    return F.reduce_sum(diagonal(step, 0, -2, -1), (-1,)) - F.reduce_sum(step * swapaxes(step, -1, -2), (-2, -1)) * 0.5


def log_matrix_determinant(input):
    """The signs and the logarithms of the magnitudes of determinants."""
    return slogdet(input)


def det(input):
    """Determinants of square matrices."""
    sign, logarithm = slogdet(input)
    return sign * F.exp(logarithm)


def matrix_determinant(input):
    """Determinants of square matrices."""
    return det(input)


def logdet(input):
    """Logarithms of determinants; NaN of negative ones."""
    sign, logarithm = slogdet(input)
    return F.select(F.less(sign, 0.0), F.fill(logarithm.dtype, (), math.nan), logarithm)


def matrix_power(input, n):
    """Powers of square matrices, of the inverses for a negative n."""
    x = _square("matrix_power", input)
    if n == 0:
        return F.broadcast_to(F.eye(x.shape[-1], x.shape[-1], x.dtype), x.shape)
    base, left, result = inverse(x) if n < 0 else x, -n if n < 0 else n, None
    while left > 0:
        if left % 2 == 1:
            result = base if result is None else F.matmul(result, base)
        left = left // 2
        if left > 0:
            base = F.matmul(base, base)
    return result


# -- triangles


def cholesky(input_x, upper=False):
    """The lower triangle l of l @ l.T for symmetric positive matrices, of which the lower triangle is read; l.T if `upper`."""
    lower = F.cholesky(_square("cholesky", input_x))
    return swapaxes(lower, -1, -2) if upper else lower


def cholesky_inverse(input_x, upper=False):
    """The inverse of l @ l.T for a lower triangle l, of u.T @ u for an upper one."""
    half = inverse(input_x)
    return F.matmul(half, swapaxes(half, -1, -2)) if upper else F.matmul(swapaxes(half, -1, -2), half)


def cholesky_solve(input, input2, upper=False):
    """x of a @ x = input with a = l @ l.T for a lower triangle `input2`, u.T @ u for an upper one."""
    return F.matmul(cholesky_inverse(input2, upper), input)


def triangular_solve(a, b, lower=True, adjoint=False):
    """x of a @ x = b with the lower (upper) triangle of a, transposed if `adjoint`."""
    triangle = tril(a) if lower else swapaxes(tril(swapaxes(a, -1, -2)), -1, -2)
    return matrix_solve(triangle, b, adjoint)


_OTHERS = ("swapaxes", "diagonal", "tril", "triangular_solve", "inverse_of", "lp_norm", "l2_normalize")
__all__ = [name for name in offered(globals()) if name not in _OTHERS]
