"""Norms and distances, with MindSpore's signatures, in the parsable subset."""

import math

from plumb.common import _refusals
from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.factorizations import wide
from plumb.ops.function.shape import moveaxis


# -- norms


def vector_norm(x, ord=2, axis=None, keepdims=False, *, dtype=None):
    """The norm of order `ord` over axes: a number, inf, -inf, or 0 for the count of what is not 0; of complex numbers a real one."""
    x = _magnitudes(_checks.real("vector_norm", x if dtype is None else F.cast(x, dtype)))
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


def _magnitudes(x):
    """Magnitudes of complex numbers; real ones as they are."""
    return F.complex_abs(x) if x.dtype in _checks.COMPLEX else x


def _root(squares):
    """Square roots, with a slope of 0 at 0."""
    zero = F.equal(squares, 0.0)
    return F.select(zero, F.zeros_like(squares), F.sqrt(F.select(zero, F.ones_like(squares), squares)))


def matrix_norm(A, ord="fro", axis=(-2, -1), keepdims=False, *, dtype=None):
    """The norm of matrices on two axes: "fro"; the largest (-: smallest) sum of magnitudes of a column (1) or row (inf); the
    largest (2) or smallest (-2) singular value, or the sum of all ("nuc")."""
    x = _checks.real("matrix_norm", A if dtype is None else F.cast(A, dtype))
    rows, columns = _checks.all_axes("matrix_norm", axis, x.ndim)
    if ord == "fro":
        return vector_norm(x, 2, (rows, columns), keepdims)
    if ord in ("nuc", 2, -2):
        return _norm_of_singular_values(x, ord, rows, columns, keepdims)
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"For 'matrix_norm', 'ord' must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, but got {ord}")
    summed = rows if ord in (1, -1) else columns
    sums = F.reduce_sum(F.magnitudes(x), (summed,), True)
    other = columns if summed == rows else rows
    result = F.reduce_max(sums, (other,), True) if ord > 0 else F.reduce_min(sums, (other,), True)
    return result if keepdims else F.squeeze(result, (rows, columns))


def _norm_of_singular_values(x, ord, rows, columns, keepdims):
    s = F.svd(wide("matrix_norm", moveaxis(x, (rows, columns), (-2, -1))))[0]
    norms = F.reduce_sum(s, (-1,)) if ord == "nuc" else s[..., 0] if ord == 2 else s[..., -1]
    norms = norms if ord == "nuc" else F.cast(norms, x.dtype)
    if not keepdims:
        return norms
    return F.reshape(norms, tuple([1 if axis in (rows, columns) else x.shape[axis] for axis in range(x.ndim)]))


def nuclear_norm(x, axis=None, keepdims=False):
    """The sum of singular values of matrices on two axes; by default of a matrix."""
    return matrix_norm(x, "nuc", (0, 1) if axis is None else axis, keepdims)


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """Norms: of all elements (2) by default; of vectors along one axis, of matrices on two, by `ord`; of complex numbers complex ones.

    Elements that are largest together share the gradient of an infinite order; MindSpore 2.0.0 gives it to each.
    """
    kind = A.dtype if dtype is None else dtype
    found = _real_norm(A, ord, dim, keepdim, dtype)
    return F.cast(found, kind) if kind in _checks.COMPLEX else found


def _real_norm(A, ord, dim, keepdim, dtype):
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
    total = F.reduce_sum(F.pow(F.magnitudes(x), 1.0 * p) if p != 2 else F.square(_magnitudes(x)), axes, keep_dims)
    return F.pow(F.maximum(total, epsilon), 1.0 / p)


def l2_normalize(x, axis=0, epsilon=1e-4):
    """x over its norm along an axis, whose square is at least `epsilon`."""
    axes = _checks.all_axes("L2Normalize", axis, x.ndim)
    return x * F.rsqrt(F.maximum(F.reduce_sum(F.square(_magnitudes(x)), axes, True), epsilon))


def renorm(input, p, axis, maxnorm):
    """The slices along an axis, those with a larger norm of order p scaled to `maxnorm`."""
    axis = _checks.one_axis("renorm", axis, input.ndim)
    others = tuple([place for place in range(input.ndim) if place != axis])
    lengths = vector_norm(input, p, others, True)
    return input * F.select(F.greater(lengths, maxnorm), maxnorm / (lengths + 1e-7), F.ones_like(lengths))


def clip_by_norm(x, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """x, or all of a list together, scaled so that the norm is at most `max_norm`."""
    if error_if_nonfinite:
        raise _refusals.RefusedValueError("For 'clip_by_norm', error_if_nonfinite=True is not offered: a compiled step cannot raise errors")
    single = isinstance(x, _checks.Tensor)
    parts = (x,) if single else tuple(x)
    lengths = F.stack(tuple([vector_norm(part, norm_type) for part in parts]), 0)
    factor = F.minimum(max_norm / (vector_norm(lengths, norm_type) + 1e-6), 1.0)
    clipped = tuple([part * factor for part in parts])
    return clipped[0] if single else clipped


def clipped_by_norm(x, clip_norm, axis=None):
    """x times clip_norm / max(norm, clip_norm), with the 2-norm over axes, or over all where `axis` is None."""
    axes = _checks.all_axes("ClipByNorm", axis, x.ndim)
    wide = F.cast(_checks.floating("ClipByNorm", x), mstype.float32)
    total = F.reduce_sum(F.square(wide), axes, True)
    # Where all is zero the root has no derivative, and nothing is to be cut.
    norm = F.select(F.greater(total, 0.0), F.sqrt(F.select(F.greater(total, 0.0), total, F.ones_like(total))), total)
    return F.cast(wide * clip_norm / F.maximum(norm, clip_norm), x.dtype)


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
    """Covariances of the rows, of one row its variance, of shape (); of f16 as f32; of complex numbers, those with the conjugates of the others.

    Args:
      correction: what is subtracted from the number of observations.
      fweights, aweights: how often each observation counts, and its weight.
    """
    x = _checks.real("cov", input)
    x = F.cast(x, mstype.float32) if x.dtype == mstype.float16 else x
    single = x.ndim < 2 or x.shape[0] == 1
    x = F.reshape(x, (1, -1)) if single else x
    weights, kind = None, _magnitudes(x).dtype
    for given in (fweights, aweights):
        if given is not None:
            weights = F.cast(given, kind) if weights is None else weights * F.cast(given, kind)
    if weights is None:
        centred = x - F.reduce_mean(x, (1,), True)
        covariances = F.matmul(centred, _conjugates(centred), transpose_b=True) / (1.0 * (x.shape[1] - correction))
    else:
        total = F.reduce_sum(weights)
        centred = x - F.reduce_sum(x * weights, (1,), True) / total
        squares = total if aweights is None else F.reduce_sum(weights * F.cast(aweights, kind)) / total
        count = total - correction * (1.0 if aweights is None else squares)
        covariances = F.matmul(centred * weights, _conjugates(centred), transpose_b=True) / F.maximum(count, 0.0)
    return F.reshape(covariances, ()) if single else covariances


def _conjugates(x):
    return F.conj(x) if x.dtype in _checks.COMPLEX else x


_OTHERS = ("clipped_by_norm", "moveaxis", "wide", "nuclear_norm", "lp_norm", "l2_normalize")
__all__ = [name for name in offered(globals()) if name not in _OTHERS]
