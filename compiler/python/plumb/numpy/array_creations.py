"""Tensors made of numbers: filled, counted, triangular, coordinates, windows; in the parsable subset.

What numbers are known while compiling becomes constants.
"""

import math

from plumb import ops as O
from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C
from plumb.ops import _functions as F


def array(obj, dtype=None, copy=True, ndmin=0):
    """A tensor of a number, nested list or tensor, with at least `ndmin` axes; a tensor of its own unless `copy` is False."""
    x = C.tensor(obj, dtype)
    if copy and isinstance(obj, _Tensor) and x.dtype == obj.dtype:
        x = copy_(x)
    return x if x.ndim >= ndmin else F.reshape(x, (1,) * (ndmin - x.ndim) + x.shape)


def asarray(a, dtype=None):
    """A tensor of a number, nested list or tensor."""
    return C.tensor(a, dtype)


def asfarray(a, dtype=mstype.float32):
    """A tensor of floating point; float32 where `dtype` is of integers."""
    kind = mstype.float32 if dtype is None else C.known_type(dtype)
    return C.tensor(a, kind if kind in C.FLOATS else mstype.float32)


def copy_(a):
    """A tensor of the same values."""
    return C.tensor(a) if not isinstance(a, _Tensor) else F.reshape(a, a.shape)


def zeros(shape, dtype=mstype.float32):
    """Zeros."""
    return F.fill(C.known_type(dtype), C.extents(shape), 0)


def ones(shape, dtype=mstype.float32):
    """Ones."""
    return F.fill(C.known_type(dtype), C.extents(shape), 1)


def empty(shape, dtype=mstype.float32):
    """A tensor whose values do not matter; they are zeros."""
    return F.fill(C.known_type(dtype), C.extents(shape), 0)


def full(shape, fill_value, dtype=None):
    """`fill_value`, a number or what broadcasts to `shape`, everywhere."""
    return F.broadcast_to(C.tensor(fill_value, dtype), C.extents(shape))


def _like(prototype, value, dtype, shape):
    x = C.tensor(prototype)
    return F.fill(x.dtype if dtype is None else C.known_type(dtype), x.shape if shape is None else C.extents(shape), value)


def zeros_like(a, dtype=None, shape=None):
    """Zeros in the shape and of the element type of `a`, unless others are given."""
    return _like(a, 0, dtype, shape)


def ones_like(a, dtype=None, shape=None):
    """Ones in the shape and of the element type of `a`, unless others are given."""
    return _like(a, 1, dtype, shape)


def empty_like(prototype, dtype=None, shape=None):
    """Zeros in the shape and of the element type of `prototype`, unless others are given."""
    return _like(prototype, 0, dtype, shape)


def full_like(a, fill_value, dtype=None, shape=None):
    """`fill_value` in the shape and of the element type of `a`, unless others are given."""
    x = C.tensor(a)
    return full(x.shape if shape is None else shape, C.tensor(fill_value, x.dtype if dtype is None else dtype))


def arange(start, stop=None, step=None, dtype=None):
    """start, start + step, … before `stop`; from 0 when there is one bound. int32 when all are ints, else float32."""
    first, end = (0, start) if stop is None else (start, stop)
    stride = 1 if step is None else step
    if stride == 0:
        raise ValueError("For 'arange', the step must not be 0")
    kind = C.literal_type((first, end, stride)) if dtype is None else C.known_type(dtype)
    number = math.ceil((end - first) / stride)
    if number <= 0:
        raise ValueError("For 'arange', the range holds no number; tensors have one element at least")
    if isinstance(first, int) and isinstance(stride, int):
        return C.converted(C.count_up(number, mstype.int64) * stride + first, kind)
    return C.converted(C.count_up(number, mstype.float64) * stride + first, kind)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """`num` numbers at equal distance from `start` to `stop`, which is the last one if `endpoint`.

    start, stop: numbers or tensors that broadcast; the new axis stands at `axis`. With `retstep`, the distance as well.
    """
    if not isinstance(num, int) or num <= 0:
        raise ValueError(f"For 'linspace', 'num' must be an int of at least 1, but got {num}")
    first, last = C.floating(start), C.floating(stop)
    gaps = num - 1 if endpoint else num
    step = (last - first) / (gaps if gaps > 0 else 1)
    shape = step.shape
    place = C.one_axis("linspace", axis, len(shape) + 1)
    steps = F.reshape(C.count_up(num, step.dtype), (num,) + (1,) * len(shape))
    values = F.expand_dims(F.broadcast_to(first, shape), 0) + steps * F.expand_dims(step, 0)
    if endpoint and num > 1:  # Rounding must not move the last one.
        values = F.select(F.less(steps, float(gaps)), values, F.expand_dims(F.broadcast_to(last, shape), 0))
    values = C.converted(O.moveaxis(values, 0, place), dtype)
    return (values, step) if retstep else values


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """`base` to the power of `num` numbers at equal distance."""
    return C.converted(F.pow(C.floating(base), linspace(start, stop, num, endpoint, False, None, axis)), dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """`num` numbers with one quotient from `start` to `stop`, which is the last one if `endpoint`."""
    first, last = C.floating(start), C.floating(stop)
    ratio = F.log(last / first)
    powers = linspace(F.zeros_like(ratio), ratio, num, endpoint, False, None, axis)
    if first.ndim > 0:
        first = F.expand_dims(F.broadcast_to(first, ratio.shape), axis)
    return C.converted(first * F.exp(powers), dtype)


def eye(N, M=None, k=0, dtype=mstype.float32):
    """A matrix of N rows and M (by default N) columns with ones on its diagonal number `k`."""
    rows, columns = _places(N, M)
    return F.cast(F.equal(columns - rows, k), C.known_type(dtype))


def identity(n, dtype=mstype.float32):
    """A square matrix with ones on its diagonal."""
    return F.eye(n, n, C.known_type(dtype))


def _places(rows, columns):
    """Numbers of rows, in a column, and of columns, in a row."""
    wide = rows if columns is None else columns
    return F.expand_dims(C.count_up(rows), 1), F.expand_dims(C.count_up(wide), 0)


def tri(N, M=None, k=0, dtype=mstype.float32):
    """A matrix with ones at and below its diagonal number `k`."""
    rows, columns = _places(N, M)
    return F.cast(F.less_equal(columns - rows, k), C.known_type(dtype))


def tril(m, k=0):
    """The lower triangles of matrices: zeros stand above diagonal number `k`."""
    return O.tril(C.tensor(m), k)


def triu(m, k=0):
    """The upper triangles of matrices: zeros stand below diagonal number `k`."""
    return O.triu(C.tensor(m), k)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """Diagonal number `offset` of the matrices that two axes span, on the last axis; outside of them it is empty."""
    x = C.tensor(a)
    if x.ndim < 2:
        raise ValueError("For 'diagonal', the tensor must have two axes at least")
    if offset >= x.shape[axis2] or -offset >= x.shape[axis1]:
        first, second = axis1 % x.ndim, axis2 % x.ndim
        return F.fill(x.dtype, tuple([x.shape[axis] for axis in range(x.ndim) if axis != first and axis != second]) + (0,), 0)
    return O.diagonal(x, offset, axis1, axis2)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    """Sum of diagonal number `offset`."""
    return F.reduce_sum(C.converted(diagonal(a, offset, axis1, axis2), dtype), -1)


def _on_diagonal(x, k):
    """A matrix with the vector `x` on its diagonal number `k`."""
    length = x.shape[0]
    rows, columns = _places(length + abs(k), None)
    padded = F.pad(x, (k if k > 0 else 0,), (-k if k < 0 else 0,), 0)
    return F.select(F.equal(columns - rows, k), padded, F.zeros_like(padded))


def diag(v, k=0):
    """Of a vector, the matrix with it on diagonal number `k`; of a matrix, that diagonal."""
    x = C.tensor(v)
    if x.ndim == 1:
        return _on_diagonal(x, k)
    if x.ndim == 2:
        return diagonal(x, k)
    raise ValueError(f"For 'diag', the tensor must have one or two axes, but got {x.ndim}")


def diagflat(v, k=0):
    """The matrix with all elements of `v` on diagonal number `k`."""
    return _on_diagonal(F.reshape(C.tensor(v), (-1,)), k)


def meshgrid(*xi, sparse=False, indexing="xy"):
    """Coordinates of a grid, one tensor for each of the vectors; with `sparse`, of extent 1 along the others' axes."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"For 'meshgrid', 'indexing' must be 'xy' or 'ij', but got {indexing}")
    vectors = [F.reshape(C.tensor(x), (-1,)) for x in xi]
    rank = len(vectors)
    order = (1, 0) + tuple(range(2, rank)) if indexing == "xy" and rank > 1 else tuple(range(rank))
    shape = tuple([vectors[place].shape[0] for place in order])
    result = ()
    for number in range(rank):
        place = order[number]
        x = F.reshape(vectors[number], (1,) * place + (-1,) + (1,) * (rank - place - 1))
        result = result + (x if sparse else F.broadcast_to(x, shape),)
    return result


def indices(dimensions, dtype=mstype.int32, sparse=False):
    """The number of each element along each axis of a grid; with `sparse`, of extent 1 along the other axes."""
    return list(meshgrid(*[C.count_up(extent, C.known_type(dtype)) for extent in dimensions], sparse=sparse, indexing="ij"))


def ix_(*args):
    """The vectors as tensors that broadcast to the grid of them all."""
    for x in args:
        if C.tensor(x).ndim != 1:
            raise ValueError("For 'ix_', every argument must have one axis")
    return meshgrid(*args, sparse=True, indexing="ij")


def vander(x, N=None, increasing=False):
    """Powers of a vector's elements, each in its row: highest first unless `increasing`."""
    base = C.without_truths(x)
    if base.ndim != 1:
        raise ValueError("For 'vander', the tensor must have one axis")
    number = base.shape[0] if N is None else N
    columns = (F.ones_like(base),)
    for _ in range(number - 1):
        columns = columns + (columns[-1] * base,)
    return F.stack(columns if increasing else columns[::-1], 1)


def _window(number, weights, who):
    """a₀ - a₁ cos(2πn/(N-1)) + a₂ cos(4πn/(N-1)) for n of 0…N-1; nothing for N below 1."""
    if not isinstance(number, int):
        raise TypeError(f"For '{who}', the number of points must be an int, but got {number}")
    if number <= 1:
        return ones(max(number, 0))
    angles = C.count_up(number, mstype.float64) * (2 * math.pi / (number - 1))
    terms = weights[0] - weights[1] * F.cos(angles)
    return F.cast(terms if len(weights) == 2 else terms + weights[2] * F.cos(angles * 2.0), mstype.float32)


def hanning(M):
    """0.5 - 0.5 cos(2πn/(M-1))."""
    return _window(M, (0.5, 0.5), "hanning")


def hamming(M):
    """0.54 - 0.46 cos(2πn/(M-1))."""
    return _window(M, (0.54, 0.46), "hamming")


def blackman(M):
    """0.42 - 0.5 cos(2πn/(M-1)) + 0.08 cos(4πn/(M-1))."""
    return _window(M, (0.42, 0.5, 0.08), "blackman")


def bartlett(M):
    """The triangle from 0 to 1 to 0: 1 - |2n/(M-1) - 1|."""
    if not isinstance(M, int):
        raise TypeError(f"For 'bartlett', the number of points must be an int, but got {M}")
    if M <= 1:
        return ones(max(M, 0))
    return F.cast(1.0 - F.abs(C.count_up(M, mstype.float64) * (2.0 / (M - 1)) - 1.0), mstype.float32)


def _triangle(rows, columns, k, upper):
    """Row and column numbers of a triangle's elements."""
    vertical, horizontal = (), ()
    k = int(k - 1) + 1 if upper else int(k)  # of a number between two diagonals NumPy takes the whole part, of the other triangle's
    for row in range(rows):
        first = min(max(row + k, 0), columns) if upper else 0
        last = columns if upper else min(max(row + k + 1, 0), columns)
        vertical = vertical + (row,) * (last - first)
        horizontal = horizontal + tuple(range(first, last))
    return _Tensor(vertical, mstype.int32), _Tensor(horizontal, mstype.int32)


def tril_indices(n, k=0, m=None):
    """Row and column numbers of the elements at and below diagonal number `k` of a matrix (n, m)."""
    return _triangle(n, n if m is None else m, k, False)


def triu_indices(n, k=0, m=None):
    """Row and column numbers of the elements at and above diagonal number `k` of a matrix (n, m)."""
    return _triangle(n, n if m is None else m, k, True)


def tril_indices_from(arr, k=0):
    """As `tril_indices`, of the matrix `arr`."""
    return tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr, k=0):
    """As `triu_indices`, of the matrix `arr`."""
    return triu_indices(arr.shape[0], k, arr.shape[1])


def diag_indices(n, ndim=2):
    """The numbers 0 to n - 1, once for each axis."""
    return (C.count_up(n),) * ndim


def pad(arr, pad_width, mode="constant", stat_length=None, constant_values=0, end_values=0, reflect_type="even", **kwargs):
    """Elements put before and after along each axis.

    Args:
      pad_width: an int, (before, after) for all axes, or one such pair for each axis.
      mode: "constant", "edge", "reflect", "symmetric", "wrap", "empty", "linear_ramp", "maximum", "minimum" or "mean".
      constant_values, end_values: what "constant" adds and where "linear_ramp" ends; given as `pad_width` is.
      stat_length: how many elements at the edges "maximum", "minimum" and "mean" look at, given as `pad_width` is; None: all.
      reflect_type: "even", or "odd" for twice the edge less what "reflect" and "symmetric" mirror.
    """
    if reflect_type not in ("even", "odd"):
        raise ValueError(f"For 'pad', reflect_type must be 'even' or 'odd', but got {reflect_type}")
    for name, value in kwargs.items():
        raise TypeError(f"For 'pad', the mode {mode} takes no argument {name}")
    x = C.tensor(arr)
    widths, fills = _pairs(pad_width, x.ndim), _pairs(end_values if mode == "linear_ramp" else constant_values, x.ndim)
    lengths = ((None, None),) * x.ndim if stat_length is None else _pairs(stat_length, x.ndim)
    for axis in range(x.ndim):
        before, after = widths[axis]
        if before + after > 0 and mode in ("reflect", "symmetric") and reflect_type == "odd":
            x = _mirrored(x, axis, before, after, mode)
        elif before + after > 0:
            x = _padded(x, axis, before, after, mode, fills[axis], lengths[axis])
    return x


def _pairs(value, rank):
    """(before, after) for each axis."""
    if isinstance(value, (int, float)):
        return ((value, value),) * rank
    if isinstance(value[0], (int, float)):
        return ((value[0], value[-1]),) * rank
    pairs = tuple([(pair[0], pair[-1]) for pair in value])
    if len(pairs) == 1:
        return pairs * rank
    if len(pairs) != rank:
        raise ValueError(f"For 'pad', there must be one pair for each of {rank} axes, but got {value}")
    return pairs


def _mirrored(x, axis, before, after, mode):
    """`x` mirrored at its edges in place and value: what stands k periods away is higher by twice the distance of the edges."""
    extent = x.shape[axis]
    period = 2 * extent if mode == "symmetric" else max(2 * extent - 2, 1)
    sources, signs, firsts, lasts = [], [], [], []
    for place in range(-before, extent + after):
        beyond = place % period >= extent
        sources.append(_source(place, extent, mode))
        signs.append(-1 if beyond else 1)
        firsts.append(-2 * (place // period))
        lasts.append(2 * (place // period) + (2 if beyond else 0))
    shape = (-1,) + (1,) * (x.ndim - axis - 1)
    signs, firsts, lasts = [F.reshape(_Tensor(tuple(factors), x.dtype), shape) for factors in (signs, firsts, lasts)]
    picked = F.gather(x, _Tensor(tuple(sources), mstype.int32), axis)
    return picked * signs + F.part(x, axis, 0, 1) * firsts + F.part(x, axis, extent - 1, extent) * lasts


def _padded(x, axis, before, after, mode, fill, lengths):
    """`x` with elements added along one axis."""
    extent = x.shape[axis]
    if mode in ("edge", "reflect", "symmetric", "wrap"):
        places = [_source(place, extent, mode) for place in range(-before, extent + after)]
        return F.gather(x, _Tensor(tuple(places), mstype.int32), axis)
    if mode in ("constant", "empty"):
        return F.concat((_filled(x, axis, before, fill[0]), x, _filled(x, axis, after, fill[1])), axis)
    if mode == "linear_ramp":
        return F.concat((_ramp(x, axis, before, fill[0], 0), x, _flipped(_ramp(x, axis, after, fill[1], extent - 1), axis)), axis)
    if mode not in ("maximum", "minimum", "mean"):
        raise ValueError(f"For 'pad', there is no mode {mode}")
    first, last = [extent if length is None else min(length, extent) for length in lengths]
    if first < 1 or last < 1:
        raise ValueError(f"For 'pad', stat_length must be at least 1, but got {lengths}")
    left, right = _statistic(F.part(x, axis, 0, first), axis, mode), _statistic(F.part(x, axis, extent - last, extent), axis, mode)
    return F.concat((_repeated(left, axis, before), x, _repeated(right, axis, after)), axis)


def _statistic(x, axis, mode):
    """The largest, the smallest or the mean along an axis."""
    if mode == "mean":
        return F.cast(F.reduce_mean(C.floating(x), axis, True), x.dtype)
    return F.reduce_max(x, axis, True) if mode == "maximum" else F.reduce_min(x, axis, True)


def _source(place, extent, mode):
    """Which element stands at `place`, before 0 or behind the last."""
    if mode == "edge":
        return min(max(place, 0), extent - 1)
    if mode == "wrap":
        return place % extent
    period = 2 * extent if mode == "symmetric" else max(2 * extent - 2, 1)
    within = place % period
    return within if within < extent else period - within - (1 if mode == "symmetric" else 0)


def _filled(x, axis, number, value):
    return F.fill(x.dtype, x.shape[:axis] + (number,) + x.shape[axis + 1:], value)


def _repeated(x, axis, number):
    return F.broadcast_to(x, x.shape[:axis] + (number,) + x.shape[axis + 1:])


def _flipped(x, axis):
    return O.flip(x, axis)


def _ramp(x, axis, number, end, edge):
    """`number` elements from `end` to before the element at `edge`."""
    last = F.gather(x, _Tensor((edge,), mstype.int32), axis)
    shares = F.reshape(C.count_up(number, mstype.float32) / max(number, 1), (-1,) + (1,) * (x.ndim - axis - 1))
    return F.cast(C.floating(last) * shares + (1.0 - shares) * end, x.dtype)


__all__ = offered(globals())
