"""Diagonals, triangles and bands of matrices, with MindSpore's signatures, in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.shape import moveaxis


def offsets(rows, columns):
    """A matrix of column less row: the number of the diagonal that each element lies on."""
    return F.arange(columns) - F.expand_dims(F.arange(rows), 1)


def _where(condition, x):
    """x where the condition holds, zeros elsewhere."""
    return F.select(condition, x, F.zeros_like(x))


def tril(input, diagonal=0):
    """The lower triangles of the last two axes, up to and with a diagonal; zeros elsewhere."""
    return _where(F.less_equal(offsets(input.shape[-2], input.shape[-1]), diagonal), input)


def triu(input, diagonal=0):
    """The upper triangles of the last two axes, from a diagonal on; zeros elsewhere."""
    return _where(F.greater_equal(offsets(input.shape[-2], input.shape[-1]), diagonal), input)


def matrix_band_part(x, lower, upper):
    """The diagonals of the last two axes from `lower` below the main one to `upper` above; a negative number is all of them."""
    numbers = offsets(x.shape[-2], x.shape[-1])
    low, high = F.cast(lower, mstype.int32) if isinstance(lower, _checks.Tensor) else lower, upper
    high = F.cast(upper, mstype.int32) if isinstance(upper, _checks.Tensor) else high
    return _where(F.logical_and(_within(-numbers, low), _within(numbers, high)), x)


def _within(numbers, limit):
    """Whether numbers are at most `limit`, which holds nothing when negative."""
    if isinstance(limit, int):
        return F.less_equal(numbers, limit) if limit >= 0 else F.equal(numbers, numbers)
    if limit.ndim > 0:
        limit = F.expand_dims(F.expand_dims(limit, -1), -1)
    return F.logical_or(F.less_equal(numbers, limit), F.less(limit, 0))


def _indices(places, dtype):
    rows, columns = tuple([place[0] for place in places]), tuple([place[1] for place in places])
    return _checks.Tensor((rows, columns), dtype)


def tril_indices(row, col, offset=0, *, dtype=mstype.int64):
    """Rows and columns of the elements of a lower triangle, up to and with the diagonal `offset`, in two rows."""
    return _indices([(i, j) for i, j in _places(row, col) if j - i <= offset], dtype)


def triu_indices(row, col, offset=0, *, dtype=mstype.int64):
    """Rows and columns of the elements of an upper triangle, from the diagonal `offset` on, in two rows."""
    return _indices([(i, j) for i, j in _places(row, col) if j - i >= offset], dtype)


def _places(rows, columns):
    return [(number // columns, number % columns) for number in range(rows * columns)]


# -- one diagonal


def diagonal(input, offset=0, dim1=0, dim2=1):
    """A diagonal of two axes, as a new last one; above the main one for a positive offset."""
    first, second = _checks.all_axes("diagonal", (dim1, dim2), input.ndim)
    x = moveaxis(input, (first, second), (-2, -1))
    rows, columns = x.shape[-2:]
    count = (rows if rows < columns - offset else columns - offset) if offset >= 0 else (
        columns if columns < rows + offset else rows + offset)
    if count <= 0:
        raise ValueError(f"For 'diagonal', the diagonal {offset} lies outside of {input.shape}")
    start = offset if offset >= 0 else -offset * columns
    flat = F.reshape(x, x.shape[:-2] + (rows * columns,))
    return F.gather(flat, F.arange(count) * (columns + 1) + start, -1)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices on two axes of the result, with the last axis of the input as a diagonal and zeros elsewhere."""
    rank = input.ndim + 1
    first, second = _checks.all_axes("diag_embed", (dim1, dim2), rank)
    extent = input.shape[-1] + (offset if offset >= 0 else -offset)
    low = offset if offset >= 0 else 0
    wide = F.pad(input, (0,) * (rank - 2) + (low,), (0,) * (rank - 2) + (extent - input.shape[-1] - low,), 0.0)
    spread = F.broadcast_to(F.expand_dims(wide, -2), input.shape[:-1] + (extent, extent))
    return moveaxis(_where(F.equal(offsets(extent, extent), offset), spread), (-2, -1), (first, second))


def diag(input):
    """The matrix with a vector as its diagonal; in general (…) becomes (…, …)."""
    matrix = diag_embed(F.reshape(input, (-1,)))
    return F.reshape(matrix, input.shape + input.shape)


def diagflat(input, offset=0):
    """The matrix with all elements, in order, as a diagonal."""
    return diag_embed(F.reshape(input, (-1,)), offset)


def diag_part(x):
    """The diagonal of what `diag` made: (…, …) becomes (…)."""
    half = x.ndim // 2
    if x.ndim % 2 != 0 or x.shape[:half] != x.shape[half:]:
        raise ValueError(f"For 'DiagPart', the shape must be one twice, but got {x.shape}")
    count = 1
    for extent in x.shape[:half]:
        count = count * extent
    return F.reshape(diagonal(F.reshape(x, (count, count))), x.shape[:half])


def trace_of(x, offset=0, axis1=0, axis2=1):
    """The sum of a diagonal of two axes."""
    return F.reduce_sum(diagonal(x, offset, axis1, axis2), (-1,))


def fill_diagonal(input, fill_value, wrap=False):
    """The input with `fill_value` where all indices are equal.

    Args:
      wrap: whether the diagonal of a matrix with more rows than columns begins anew behind a row that it left out.
    """
    if input.ndim < 2:
        raise ValueError(f"For 'fill_diagonal', the input must have at least 2 axes, but got {input.shape}")
    if input.ndim == 2:
        rows, columns = input.shape
        numbers = F.arange(rows * columns)
        marks = F.equal(F.floor_mod(numbers, columns + 1), 0)
        if not wrap:
            marks = F.logical_and(marks, F.less(numbers, columns * columns))
        marks = F.reshape(marks, input.shape)
    else:
        marks = F.fill(mstype.bool_, input.shape, 1)
        for axis in range(1, input.ndim):
            if input.shape[axis] != input.shape[0]:
                raise ValueError(f"For 'fill_diagonal', the extents of {input.shape} must be equal")
            numbers = F.reshape(F.arange(input.shape[0]), (-1,) + (1,) * (input.ndim - 1 - axis))
            marks = F.logical_and(marks, F.equal(numbers, F.reshape(F.arange(input.shape[0]), (-1,) + (1,) * (
                input.ndim - 1))))
    return F.select(marks, F.fill(input.dtype, (), fill_value), input)


# -- several diagonals at once


def _bounds(k):
    """The first and last number of diagonals that an int, a pair or a tensor of them names."""
    if isinstance(k, _checks.Tensor):
        k = k.tolist()
    if isinstance(k, int):
        return k, k
    return (k[0], k[0]) if len(k) == 1 else (k[0], k[1])


def _lengths(numbers, rows, columns):
    """The extents of diagonals."""
    return F.minimum(rows + F.minimum(numbers, 0), columns - F.maximum(numbers, 0))


def _longest(low, high, rows, columns):
    """The extent of the longest diagonal: the one nearest to the main one."""
    number = low if low > 0 else high if high < 0 else 0
    below, beside = rows + (number if number < 0 else 0), columns - (number if number > 0 else 0)
    # Beside the main one a wide or high matrix has others as long.
    return below if below < beside else beside


def _shifts(numbers, align, rows, columns, longest):
    """How far diagonals are moved to the right in their rows: the first word is for superdiagonals, the second for others."""
    if align not in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"):
        raise ValueError(f"'align' must be 'RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT' or 'RIGHT_RIGHT', but got '{align}'")
    gaps = longest - _lengths(numbers, rows, columns)
    above = gaps if align in ("RIGHT_LEFT", "RIGHT_RIGHT") else F.zeros_like(gaps)
    below = gaps if align in ("LEFT_RIGHT", "RIGHT_RIGHT") else F.zeros_like(gaps)
    return F.select(F.greater_equal(numbers, 0), above, below)


def matrix_diag_part(x, k=0, padding_value=0, align="RIGHT_LEFT"):
    """Diagonals of the last two axes, one in each row from the highest down; a single one without that axis.

    Args:
      k: the number of the diagonal, or the first and last of several.
      padding_value: stands where a diagonal is shorter than the longest.
      align: the side to which superdiagonals are moved, and that of the others.
    """
    low, high = _bounds(k)
    rows, columns = x.shape[-2:]
    longest = _longest(low, high, rows, columns)
    numbers = high - F.expand_dims(F.arange(high - low + 1), 1)
    along = F.arange(longest) - _shifts(numbers, align, rows, columns, longest)
    within = F.logical_and(F.greater_equal(along, 0), F.less(along, _lengths(numbers, rows, columns)))
    places = F.select(F.greater_equal(numbers, 0), numbers, -numbers * columns) + along * (columns + 1)
    if low == high:
        within, places = F.squeeze(within, (0,)), F.squeeze(places, (0,))
    flat = F.reshape(x, x.shape[:-2] + (rows * columns,))
    picked = F.gather(flat, F.select(within, places, 0), -1)
    return F.select(within, picked, _filler(x, padding_value))


def _filler(x, value):
    """A number, or a tensor of one, as a tensor beside x."""
    return F.cast(F.reshape(value, ()), x.dtype) if isinstance(value, _checks.Tensor) else F.fill(x.dtype, (), value)


def _number(value):
    return value.tolist() if isinstance(value, _checks.Tensor) else value


def _spread(diagonals, low, high, rows, columns, align):
    """Rows of diagonals at their places in a matrix, and which elements lie on one."""
    width, numbers = diagonals.shape[-1], offsets(rows, columns)
    along = F.minimum(F.expand_dims(F.arange(rows), 1), F.arange(columns))
    sources = (high - numbers) * width + along + _shifts(numbers, align, rows, columns, width)
    marks = F.logical_and(F.greater_equal(numbers, low), F.less_equal(numbers, high))
    lead = diagonals.shape[:-1] if low == high else diagonals.shape[:-2]
    flat = F.reshape(diagonals, lead + ((high - low + 1) * width,))
    return F.gather(flat, F.select(marks, sources, 0), -1), marks


def matrix_diag(x, k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with rows of x as diagonals, from the highest down, and `padding_value` elsewhere.

    Args:
      k: the number of the diagonal, or the first and last of several.
      num_rows, num_cols: the extents of the matrices; -1 is the smallest that fits.
      align: the side to which superdiagonals are moved, and that of the others.
    """
    low, high = _bounds(k)
    rows, columns = _number(num_rows), _number(num_cols)
    longest = x.shape[-1]
    least_rows = longest + (-high if high < 0 else 0)
    least_columns = longest + (low if low > 0 else 0)
    if rows == -1 and columns == -1:
        rows = columns = least_rows if least_rows > least_columns else least_columns
    rows = least_rows if rows == -1 else rows
    columns = least_columns if columns == -1 else columns
    matrix, marks = _spread(x, low, high, rows, columns, align)
    return F.select(marks, matrix, _filler(x, padding_value))


def matrix_set_diag(x, diagonal, k=0, align="RIGHT_LEFT"):
    """x with the diagonals of its last two axes taken from rows of `diagonal`, from the highest down; see `matrix_diag`."""
    low, high = _bounds(k)
    matrix, marks = _spread(diagonal, low, high, x.shape[-2], x.shape[-1], align)
    return F.select(marks, matrix, x)


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """The input with a diagonal of two axes replaced by the last axis of `src`."""
    first, second = _checks.all_axes("diagonal_scatter", (dim1, dim2), input.ndim)
    x = moveaxis(input, (first, second), (-2, -1))
    matrix, marks = _spread(src, offset, offset, x.shape[-2], x.shape[-1], "RIGHT_LEFT")
    return moveaxis(F.select(marks, matrix, x), (-2, -1), (first, second))


__all__ = [name for name in offered(globals()) if name not in ("offsets", "moveaxis", "trace_of")]
