"""Pooling of one to three axes, with MindSpore's signatures, in the parsable subset.

Images are (N, C, …); without N too. A window is gathered as axes of its own, where no operation of the compiler does it.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _windows as W


def several_of(who, name, value, rank):
    """An int, or a tuple of `rank` of them, as a tuple."""
    values = (value,) * rank if isinstance(value, int) else tuple(value)
    if len(values) == 1:
        values = values * rank
    if len(values) != rank:
        raise ValueError(f"For '{who}', '{name}' must be an int or {rank} of them, but got {value}")
    return values


def _batched(who, x, rank):
    """x with an axis of images in front, and whether it was put in."""
    if x.ndim not in (rank + 1, rank + 2):
        raise ValueError(f"For '{who}', the input must have {rank + 1} or {rank + 2} axes, but got {x.shape}")
    return (x, False) if x.ndim == rank + 2 else (F.expand_dims(x, 0), True)


def _places(extent, kernel, stride, low, high, dilation, ceil):
    """How many windows an axis has; in ceil mode also one that ends outside, but begins inside."""
    reach = extent + low + high - dilation * (kernel - 1) - 1
    count = (-(-reach // stride) if ceil else reach // stride) + 1
    return count - 1 if ceil and (count - 1) * stride >= extent + low else count


def windows_of(x, kernel, stride, low, high, dilation, ceil, filling):
    """The windows of (N, C, …): (N, C, places…, kernel…), with `filling` outside."""
    rank = len(kernel)
    counts = tuple([_places(x.shape[2 + i], kernel[i], stride[i], low[i], high[i], dilation[i], ceil) for i in range(rank)])
    ends = tuple([(counts[i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1 - low[i] - x.shape[2 + i] for i in range(rank)])
    x = F.pad(x, (0, 0) + tuple(low), (0, 0) + tuple([end if end > 0 else 0 for end in ends]), filling)
    for i in range(rank):
        numbers = F.expand_dims(F.arange(counts[i]) * stride[i], 1) + F.arange(kernel[i]) * dilation[i]
        x = F.gather(x, numbers, 2 + 2 * i)
    order = (0, 1) + tuple(range(2, 2 + 2 * rank, 2)) + tuple(range(3, 2 + 2 * rank, 2))
    return F.transpose(x, order)


def _inner(rank):
    return tuple(range(2 + rank, 2 + 2 * rank))


# -- the largest


def _max_pool(who, x, rank, kernel_size, stride, padding, dilation, ceil):
    """The largest of each window and its place in the image, int64."""
    x, added = _batched(who, x, rank)
    kernel = several_of(who, "kernel_size", kernel_size, rank)
    steps = kernel if stride is None else several_of(who, "stride", stride, rank)
    pads, gaps = several_of(who, "padding", padding, rank), several_of(who, "dilation", dilation, rank)
    for i in range(rank):
        if pads[i] * 2 > kernel[i]:
            raise ValueError(f"For '{who}', 'padding' must be at most half of 'kernel_size', but got {padding}")
    values, places = largest(x, kernel, steps, pads, pads, gaps, ceil)
    return (F.squeeze(values, (0,)), F.squeeze(places, (0,))) if added else (values, places)


def largest(x, kernel, steps, low, high, gaps, ceil):
    """The largest element of each window of (N, C, …), and its position in the volume, int64.

    Args:
      kernel, steps, gaps: extents of the windows, their distances, and those of the elements within one; a number for each axis.
      low, high: pads before and behind each axis, of -inf.
      ceil: whether a last window may reach over the end.
    """
    rank = len(kernel)
    windows = windows_of(x, kernel, steps, low, high, gaps, ceil, float("-inf"))
    flat = F.reshape(windows, windows.shape[:2 + rank] + (-1,))
    chosen = F.argmax(flat, -1)
    values = F.squeeze(F.take_along(flat, F.expand_dims(chosen, -1), 2 + rank), (-1,))
    place, within, number = None, 1, chosen
    for i in range(rank - 1, -1, -1):
        step = F.floor_mod(number, kernel[i]) * gaps[i]
        number = F.floor_div(number, kernel[i])
        own = F.reshape(F.arange(values.shape[2 + i]) * steps[i] - low[i], (-1,) + (1,) * (rank - 1 - i)) + step
        place = own * within if place is None else place + own * within
        within = within * x.shape[2 + i]
    return values, F.cast(place, mstype.int64)


def padded_max_pool2d(x, kernel, stride, pads):
    """The largest element of each window of images with pads at top, bottom, left and right, and its place, int64."""
    return largest(x, kernel, stride, pads[::2], pads[1::2], (1, 1), False)


def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Largest element of each window, to the first of which its gradient goes.

    MindSpore 2.0.0's gradient misses the largest element of some windows.

    Args:
      stride: `kernel_size` when None.
      padding: an int or two: rows at top and bottom, columns left and right; they never win.
      return_indices: whether the places in the images, row by row, come behind, int64.
      ceil_mode: whether a last window that begins inside, but ends outside, counts.
    """
    if dilation not in (1, (1, 1)) or return_indices or x.ndim == 3:
        values, places = _max_pool("max_pool2d", x, 2, kernel_size, stride, padding, dilation, ceil_mode)
        return (values, places) if return_indices else values
    kernel = W.pair("kernel_size", kernel_size)
    stride = kernel if stride is None else W.pair("stride", stride)
    return F.max_pool2d(x, kernel, stride, W.pool_pads(x.shape[2:], kernel, stride, W.image_pads(padding), ceil_mode))


def max_pool1d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
    """Largest element of each window of one axis; see `max_pool2d`."""
    values, places = _max_pool("max_pool1d", x, 1, kernel_size, stride, padding, dilation, ceil_mode)
    return (values, places) if return_indices else values


def max_pool3d(x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    """Largest element of each window of three axes; see `max_pool2d`."""
    values, places = _max_pool("max_pool3d", x, 3, kernel_size, stride, padding, dilation, ceil_mode)
    return (values, places) if return_indices else values


# -- the mean


def mean_of_windows(who, x, rank, kernel_size, stride, padding, ceil, count_pad, divisor, dilation=None):
    """The mean of each window; what a window has behind the pads at the end is not counted."""
    kind, (x, added) = x.dtype, _batched(who, F.widened(x), rank)
    kernel, steps = several_of(who, "kernel_size", kernel_size, rank), several_of(who, "stride", stride, rank)
    pads = padding if isinstance(padding, tuple) and len(padding) == 2 * rank else ()
    low = tuple(pads[::2]) if len(pads) > 0 else several_of(who, "padding", padding, rank)
    high = tuple(pads[1::2]) if len(pads) > 0 else low
    gaps = (1,) * rank if dilation is None else dilation
    total = F.reduce_sum(windows_of(x, kernel, steps, low, high, gaps, ceil, 0.0), _inner(rank))
    if divisor:
        result = total / (1.0 * divisor)
    else:
        around = F.fill(x.dtype, (1, 1) + x.shape[2:], 1)
        if count_pad:
            around = F.pad(around, (0, 0) + low, (0, 0) + high, 1.0)
            counts = windows_of(around, kernel, steps, (0,) * rank, (0,) * rank, gaps, ceil, 0.0)
            for i in range(rank):
                counts = F.part(counts, 2 + i, 0, total.shape[2 + i])
        else:
            counts = windows_of(around, kernel, steps, low, high, gaps, ceil, 0.0)
        result = total / F.reduce_sum(counts, _inner(rank))
    result = F.cast(result, kind)
    return F.squeeze(result, (0,)) if added else result


def avg_pool1d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True):
    """Mean of each window of one axis; see `avg_pool2d`."""
    return mean_of_windows("avg_pool1d", input_x, 1, kernel_size, stride, padding, ceil_mode, count_include_pad, 0)


def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """Mean of each window.

    Args:
      padding: an int, two (rows, columns) or four (top, bottom, left, right): zeros around the image.
      ceil_mode: whether a last window that begins inside, but ends outside, counts.
      count_include_pad: whether they count among the elements that a sum is divided by.
      divisor_override: what a sum is divided by instead; 0 is none.
    """
    if ceil_mode or input_x.ndim == 3:
        return mean_of_windows("avg_pool2d", input_x, 2, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    kernel, stride, pads = W.pair("kernel_size", kernel_size), W.pair("stride", stride), W.image_pads(padding)
    if divisor_override:
        return F.avg_pool2d(input_x, kernel, stride, pads) * (kernel[0] * kernel[1] / divisor_override)
    return F.avg_pool2d(input_x, kernel, stride, pads, count_include_pad)


def avg_pool3d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=0):
    """Mean of each window of three axes; see `avg_pool2d`."""
    return mean_of_windows("avg_pool3d", input_x, 3, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _lp_pool(who, x, rank, norm_type, kernel_size, stride, ceil):
    kernel = several_of(who, "kernel_size", kernel_size, rank)
    steps = kernel if stride is None else several_of(who, "stride", stride, rank)
    batched, added = _batched(who, x, rank)
    windows = windows_of(F.pow(batched, 1.0 * norm_type), kernel, steps, (0,) * rank, (0,) * rank, (1,) * rank, ceil, 0.0)
    total = F.reduce_sum(windows, _inner(rank))
    if ceil:
        inside = windows_of(F.ones_like(batched), kernel, steps, (0,) * rank, (0,) * rank, (1,) * rank, ceil, 0.0)
        total = F.div(total, F.reduce_mean(inside, _inner(rank)))
    empty = F.equal(total, 0.0)
    result = F.select(empty, total, F.pow(F.select(empty, F.ones_like(total), total), 1.0 / norm_type))
    return F.squeeze(result, (0,)) if added else result


def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of order `norm_type` of each window of one axis: the root of the sum of powers, in which signs count.

    A window that `ceil_mode` lets stand over the end counts as if it were full of its mean. The root is NaN where an odd order above 1 has a sum below zero, as MindSpore's and PyTorch's are.
    """
    return _lp_pool("lp_pool1d", x, 1, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The norm of order `norm_type` of each window: the root of the sum of powers, in which signs count; see `lp_pool1d`."""
    return _lp_pool("lp_pool2d", x, 2, norm_type, kernel_size, stride, ceil_mode)


# -- to a given size


def _sizes(who, x, rank, output_size):
    """The extents of the result; None keeps one."""
    sizes = (output_size,) * rank if isinstance(output_size, int) else tuple(output_size)
    if len(sizes) != rank:
        raise ValueError(f"For '{who}', 'output_size' must be an int or {rank} of them, but got {output_size}")
    return tuple([x.shape[x.ndim - rank + i] if sizes[i] is None else sizes[i] for i in range(rank)])


def _bounds(extent, size):
    """The first element of each of `size` windows that cover an axis, and the one behind the last."""
    numbers = F.arange(size)
    return F.floor_div(numbers * extent, size), -F.floor_div(-(numbers + 1) * extent, size)


def _adaptive_avg(who, x, rank, output_size):
    sizes, kind, x = _sizes(who, x, rank, output_size), x.dtype, F.widened(x)
    for i in range(rank):
        axis = x.ndim - rank + i
        first, behind = _bounds(x.shape[axis], sizes[i])
        numbers = F.expand_dims(F.arange(x.shape[axis]), 1)
        within = F.logical_and(F.greater_equal(numbers, first), F.less(numbers, behind))
        shares = F.cast(within, x.dtype) / F.cast(behind - first, x.dtype)
        order = tuple([place for place in range(x.ndim) if place != axis]) + (axis,)
        back = tuple(range(axis)) + (x.ndim - 1,) + tuple(range(axis, x.ndim - 1))
        rows = F.transpose(x, order)
        pooled = F.matmul(F.reshape(rows, (-1, x.shape[axis])), shares)
        x = F.transpose(F.reshape(pooled, rows.shape[:-1] + (sizes[i],)), back)
    return F.cast(x, kind)


def adaptive_avg_pool1d(input, output_size):
    """Means of windows that cover the last axis, as many as `output_size` says."""
    return _adaptive_avg("adaptive_avg_pool1d", input, 1, output_size)


def adaptive_avg_pool2d(input, output_size):
    """Means of windows that cover the last two axes; None in `output_size` keeps an extent."""
    return _adaptive_avg("adaptive_avg_pool2d", input, 2, output_size)


def adaptive_avg_pool3d(input, output_size):
    """Means of windows that cover the last three axes; None in `output_size` keeps an extent."""
    return _adaptive_avg("adaptive_avg_pool3d", _checks.floating("adaptive_avg_pool3d", input), 3, output_size)


def _adaptive_max(who, x, rank, output_size):
    """The largest of each window, and its place in the image, int64."""
    batched, added = _batched(who, x, rank)
    sizes, lead = _sizes(who, x, rank, output_size), batched.ndim - rank
    windows, tables = batched, ()
    for i in range(rank):
        extent = batched.shape[lead + i]
        widest = 1
        for number in range(sizes[i]):
            own = -(-(number + 1) * extent // sizes[i]) - number * extent // sizes[i]
            widest = own if own > widest else widest
        first, behind = _bounds(extent, sizes[i])
        table = F.minimum(F.expand_dims(first, 1) + F.arange(widest), F.expand_dims(behind, 1) - 1)
        windows, tables = F.gather(windows, table, lead + 2 * i), tables + (table,)
    order = tuple(range(lead)) + tuple(range(lead, lead + 2 * rank, 2)) + tuple(range(lead + 1, lead + 2 * rank, 2))
    flat = F.reshape(F.transpose(windows, order), batched.shape[:lead] + sizes + (-1,))
    number = F.argmax(flat, -1)
    values = F.squeeze(F.take_along(flat, F.expand_dims(number, -1), flat.ndim - 1), (-1,))
    place, within = None, 1
    for i in range(rank - 1, -1, -1):
        widest = tables[i].shape[1]
        rows = F.reshape(F.arange(sizes[i]) * widest, (-1,) + (1,) * (rank - 1 - i))
        own = F.gather(F.reshape(tables[i], (-1,)), rows + F.floor_mod(number, widest), 0)
        number = F.floor_div(number, widest)
        place = own * within if place is None else place + own * within
        within = within * batched.shape[lead + i]
    places = F.cast(place, mstype.int64)
    return (F.squeeze(values, (0,)), F.squeeze(places, (0,))) if added else (values, places)


def adaptive_max_pool1d(input, output_size):
    """The largest of windows that cover the last axis, as many as `output_size` says."""
    return _adaptive_max("adaptive_max_pool1d", input, 1, output_size)[0]


def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest of windows that cover the last two axes, and if wanted their places in the images, int64."""
    values, places = _adaptive_max("adaptive_max_pool2d", input, 2, output_size)
    return (values, places) if return_indices else values


def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest of windows that cover the last three axes, and if wanted their places in the images, int64."""
    values, places = _adaptive_max("adaptive_max_pool3d", input, 3, output_size)
    return (values, places) if return_indices else values


# -- back to where the largest were


def _unpool(who, x, indices, rank, kernel_size, stride, padding, output_size):
    kernel = several_of(who, "kernel_size", kernel_size, rank)
    steps = kernel if stride in (None, 0) else several_of(who, "stride", stride, rank)
    pads = several_of(who, "padding", padding, rank)
    lead, extents, count, places = x.shape[:x.ndim - rank], (), 1, 1
    if output_size is not None and len(output_size) > 0:
        extents = tuple(output_size)[len(output_size) - rank:]
    else:
        for i in range(rank):
            extents = extents + ((x.shape[x.ndim - rank + i] - 1) * steps[i] - 2 * pads[i] + kernel[i],)
    for i in range(rank):
        count, places = count * extents[i], places * x.shape[x.ndim - rank + i]
    rows, numbers = F.reshape(x, (-1, places)), F.reshape(indices, (-1, places))
    filled = F.scatter(F.fill(x.dtype, (rows.shape[0], count), 0), numbers, rows, "update", 1)
    return F.reshape(filled, lead + extents)


def max_unpool1d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the elements at the places that `max_pool1d` gave."""
    return _unpool("max_unpool1d", x, indices, 1, kernel_size, stride, padding, output_size)


@known_as(input="x")
def max_unpool2d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the elements at the places that `max_pool2d` gave."""
    return _unpool("max_unpool2d", x, indices, 2, kernel_size, stride, padding, output_size)


def max_unpool3d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros with the elements at the places that `max_pool3d` gave."""
    return _unpool("max_unpool3d", x, indices, 3, kernel_size, stride, padding, output_size)


__all__ = [name for name in offered(globals()) if name not in ("largest", "mean_of_windows", "several_of", "windows_of")]
