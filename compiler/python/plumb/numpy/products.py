"""Products of tensors, norms, covariances, convolutions; in the parsable subset."""

from plumb import ops as O
from plumb.common._offers import offered
from plumb.numpy import _common as C
from plumb.numpy import array_ops as A
from plumb.numpy.array_creations import diagonal as _diagonal
from plumb.ops import _functions as F


def matmul(x1, x2, dtype=None):
    """Matrix product: vectors are rows on the left and columns on the right, leading axes broadcast."""
    x, y = C.together((x1, x2))
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("For 'matmul', a number is no matrix; use 'multiply'")
    return C.converted(O.matmul(x, y), dtype)


def dot(a, b):
    """Sum of products over the last axis of `a` and the last but one of `b` (its last when it has one axis)."""
    x, y = C.together((a, b))
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    return tensordot(x, y, ((x.ndim - 1,), (y.ndim - 2 if y.ndim > 1 else 0,)))


def inner(a, b):
    """Sum of products over the last axes of both."""
    x, y = C.together((a, b))
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if x.shape[-1] != y.shape[-1]:
        raise ValueError(f"For 'inner', the last axes must be equally long, but the shapes are {x.shape} and {y.shape}")
    return tensordot(x, y, ((x.ndim - 1,), (y.ndim - 1,)))


def outer(a, b):
    """Products of all elements of `a` with all of `b`: a matrix."""
    return F.expand_dims(A.ravel(C.tensor(a)), 1) * F.expand_dims(A.ravel(C.tensor(b)), 0)


def tensordot(a, b, axes=2):
    """Sum of products over axes: the last `axes` of `a` with the first of `b`, or the pairs that (of a, of b) name."""
    x, y = C.together((a, b))
    if isinstance(axes, int):
        left, right = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        left = tuple([C.one_axis("tensordot", axis, x.ndim) for axis in C.extents(axes[0])])
        right = tuple([C.one_axis("tensordot", axis, y.ndim) for axis in C.extents(axes[1])])
    lengths = [x.shape[axis] for axis in left]
    if len(left) != len(right) or lengths != [y.shape[axis] for axis in right]:
        raise ValueError(f"For 'tensordot', the axes {left} of {x.shape} do not fit the axes {right} of {y.shape}")
    rows = tuple([axis for axis in range(x.ndim) if axis not in left])
    columns = tuple([axis for axis in range(y.ndim) if axis not in right])
    shape = tuple([x.shape[axis] for axis in rows]) + tuple([y.shape[axis] for axis in columns])
    length = C.product(lengths)
    one = F.reshape(F.transpose(x, rows + left) if x.ndim > 0 else x, (-1, length))
    other = F.reshape(F.transpose(y, right + columns) if y.ndim > 0 else y, (length, -1))
    return F.reshape(F.matmul(one, other), shape)


def kron(a, b):
    """Blocks of `b`, each multiplied by one element of `a`."""
    x, y = C.together((a, b))
    rank = x.ndim if x.ndim > y.ndim else y.ndim
    left, right = (1,) * (rank - x.ndim) + x.shape, (1,) * (rank - y.ndim) + y.shape
    wide, narrow, shape = (), (), ()
    for axis in range(rank):
        wide, narrow = wide + (left[axis], 1), narrow + (1, right[axis])
        shape = shape + (left[axis] * right[axis],)
    return F.reshape(F.reshape(x, wide) * F.reshape(y, narrow), shape)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Vector products of vectors of two or three components, which stand on the given axes."""
    x, y = C.together((a, b))
    x = A.moveaxis(x, axisa if axis is None else axis, -1)
    y = A.moveaxis(y, axisb if axis is None else axis, -1)
    if x.shape[-1] not in (2, 3) or y.shape[-1] not in (2, 3):
        raise ValueError("For 'cross', the vectors must have two or three components")
    third = x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    if x.shape[-1] == 2 and y.shape[-1] == 2:
        return third
    height = x[..., 2] if x.shape[-1] == 3 else F.zeros_like(x[..., 0])
    other = y[..., 2] if y.shape[-1] == 3 else F.zeros_like(y[..., 0])
    first = x[..., 1] * other - height * y[..., 1]
    second = height * y[..., 0] - x[..., 0] * other
    return A.moveaxis(F.stack(A.broadcast_arrays(first, second, third), -1), -1, axisc if axis is None else axis)


def multi_dot(arrays):
    """The product of several matrices; the first and the last may be vectors."""
    result = C.tensor(arrays[0])
    for number in range(1, len(arrays)):
        result = dot(result, arrays[number])
    return result


def matrix_power(a, n):
    """The product of `n` times the matrices `a`."""
    x = C.tensor(a)
    if not isinstance(n, int) or n < 0:
        raise ValueError(f"For 'matrix_power', only ints of at least 0 are offered, but got {n}")
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For 'matrix_power', the matrices must be square, but the shape is {x.shape}")
    result = F.broadcast_to(F.eye(x.shape[-1], x.shape[-1], x.dtype), x.shape)
    while n > 0:
        if n % 2 == 1:
            result = O.matmul(result, x)
        n = n // 2
        if n > 0:
            x = O.matmul(x, x)
    return result


def norm(x, ord=None, axis=None, keepdims=False):
    """Norms of vectors (one axis) or matrices (two axes); by default the root of the sum of all squares.

    ord: of vectors inf, -inf, 0 or any other number; of matrices "fro", "nuc", 1, -1, 2, -2, inf or -inf.
    """
    a = C.inexact(x)
    axes = C.all_axes("norm", axis, a.ndim)
    if ord is None:
        return O.vector_norm(a, 2, axes, keepdims)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise ValueError(f"For 'norm', '{ord}' is no norm of vectors")
        return O.vector_norm(a, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError(f"For 'norm', 'ord' needs one axis or two, but got {axis}")
    return O.matrix_norm(a, ord, axes, keepdims)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    """Covariances of variables, which are rows of `m` and `y` (columns, unless `rowvar`), over their observations.

    The sum of weights less `ddof` divides: 0 with `bias`, else 1. fweights: how often, and aweights: how much, each counts.
    """
    rows = _variables(m, rowvar)
    if y is not None:
        rows = A.concatenate((rows, _variables(y, rowvar)), 0)
    less = (0 if bias else 1) if ddof is None else ddof
    weights = None if fweights is None else C.floating(fweights)
    if aweights is not None:
        weights = C.floating(aweights) if weights is None else weights * C.floating(aweights)
    if weights is None:
        weights = F.fill(_magnitudes(rows).dtype, (rows.shape[1],), 1)
    total = F.reduce_sum(weights)
    distances = rows - F.reduce_sum(rows * weights, 1, True) / total
    if aweights is None or less == 0:
        divisor = total - float(less)
    else:
        divisor = total - F.reduce_sum(weights * C.floating(aweights)) * float(less) / total
    result = F.matmul(distances * weights, _conjugates(distances), transpose_b=True) / divisor
    return C.converted(F.squeeze(result), dtype)


def _conjugates(x):
    return F.conj(x) if x.dtype in C.COMPLEX else x


def _magnitudes(x):
    return F.complex_abs(x) if x.dtype in C.COMPLEX else x


def _variables(m, rowvar):
    x = C.inexact(m)
    if x.ndim > 2:
        raise ValueError("For 'cov' and 'corrcoef', the tensors must have two axes at most")
    x = A.atleast_2d(x)
    return x if rowvar or x.shape[0] == 1 else F.transpose(x, (1, 0))


def corrcoef(x, y=None, rowvar=True, dtype=None):
    """Correlations: covariances over the products of standard deviations."""
    covariances = cov(x, y, rowvar)
    if covariances.ndim == 0:
        return C.converted(covariances / covariances, dtype)
    deviations = F.sqrt(_magnitudes(_diagonal(covariances)))
    return C.converted(covariances / F.expand_dims(deviations, 1) / F.expand_dims(deviations, 0), dtype)


def _sliding(a, v, mode, who):
    """Sums of products of `v` at every place over `a`: all, as many as `a` has elements, or where it lies within."""
    x, y = C.together((a, v))
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"For '{who}', the tensors must have one axis")
    long, short = x.shape[0], y.shape[0]
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"For '{who}', 'mode' must be 'full', 'same' or 'valid', but got {mode}")
    padded = F.pad(x, (short - 1,), (short - 1,), 0)
    if x.dtype in C.FLOATS:
        everywhere = F.reshape(F.conv2d(F.reshape(padded, (1, 1, 1, -1)), F.reshape(y, (1, 1, 1, -1))), (-1,))
    else:
        places = F.expand_dims(C.count_up(long + short - 1), 1) + C.count_up(short)
        everywhere = F.reduce_sum(F.gather(padded, places, 0) * y, 1)
    if mode == "full":
        return everywhere
    start, number = ((short - 1) // 2, long) if mode == "same" else (short - 1, long - short + 1)
    return everywhere[start:start + number]


def _row(value):
    """The tensor of a value, of one axis where it is one number."""
    x = C.tensor(value)
    return F.reshape(x, (1,)) if x.ndim == 0 else x


def convolve(a, v, mode="full"):
    """Sums of products of `a` with `v` reversed, the longer one standing still.

    MindSpore 2.0.0's gradient by the shorter one is wrong.
    """
    x, y = _row(a), _row(v)
    if x.shape[0] < y.shape[0]:
        x, y = y, x
    return _sliding(x, A.flip(y), mode, "convolve")


def correlate(a, v, mode="valid"):
    """Sums of products of `a` with `v` at every place.

    Integers keep their type; MindSpore 2.0.0 gives float32.
    """
    x, y = C.tensor(a), C.tensor(v)
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(f"For 'correlate', both inputs must have one axis, but got the shapes {x.shape} and {y.shape}")
    if x.shape[0] < y.shape[0]:
        return A.flip(_sliding(y, x, mode, "correlate"))
    return _sliding(x, y, mode, "correlate")


__all__ = offered(globals())
