"""Fractional pooling (Graham 2014): windows of images and volumes whose places are drawn, in the parsable subset."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function.pooling import several_of
from plumb.ops.function.random import rand, randperm


def _steps(extent, wanted, pseudo_random, seed, seed2):
    """The first element of each of `wanted` stretches that cover an axis, and behind the last: (wanted + 1,), int32.

    Each has extent // wanted elements or one more: which have, a random order says, or, if `pseudo_random`, one random number u by
    ceil((i + u) * extent / wanted).
    """
    least, rest = extent // wanted, extent % wanted
    if rest == 0:
        return F.arange(wanted + 1) * least
    if not pseudo_random:
        order = _checks.Tensor(_drawn(seed, seed2, wanted)) if seed else randperm(wanted)
        longer = F.cast(F.less(order, rest), mstype.int32)
        return F.concat((F.fill(mstype.int32, (1,), 0), F.cumsum(longer + least, 0)), 0)
    alpha = extent / wanted
    most = min((least + 2) / alpha - 1.0, (extent + 1 - least) / alpha - (wanted - 1))
    share = F.fill(mstype.float32, (1,), _drawn(seed, seed2, 0)) if seed else rand(1)
    ends = F.ceil((F.cast(F.arange(wanted), mstype.float32) + share * most) * alpha)
    inner = F.cast(F.part(ends, 0, 1, wanted), mstype.int32) - 1
    return F.concat((F.fill(mstype.int32, (1,), 0), inner, F.fill(mstype.int32, (1,), extent)), 0)


def _drawn(seed, seed2, count):
    """What seeds fix: a random order of so many numbers, int32, or of none a random number. Both are constants of the program."""
    source = np.random.default_rng((abs(seed), abs(seed2)))
    return source.permutation(count).astype(np.int32) if count > 0 else float(source.random())


def _table(steps, extent, wanted, overlapping):
    """The elements of each stretch, filled up with its last one, and how many it has; neighbours share one if `overlapping`."""
    first = F.part(steps, 0, 0, wanted)
    last = F.minimum(F.part(steps, 0, 1, wanted + 1) - (0 if overlapping else 1), extent - 1)
    widest = extent // wanted + (0 if extent % wanted == 0 else 1) + (1 if overlapping else 0)
    numbers = F.expand_dims(first, 1) + F.arange(widest)
    return F.minimum(numbers, F.expand_dims(last, 1)), last - first + 1, F.less_equal(numbers, F.expand_dims(last, 1))


def pool_by_ratio(who, x, pooling_ratio, pseudo_random, overlapping, seed, seed2, mean):
    """Images (N, H, W, C) pooled by the largest or the mean of stretches, and the stretches' ends along both axes, int64."""
    if len(pooling_ratio) != 4 or pooling_ratio[0] != 1.0 or pooling_ratio[3] != 1.0 or min(pooling_ratio) < 1.0:
        raise ValueError(f"For '{who}', 'pooling_ratio' must be [1.0, rows, columns, 1.0] of at least 1, but got {pooling_ratio}")
    # The mean of integers is one, cut.
    ends, result = (), F.cast(x, mstype.float64) if mean and x.dtype not in _checks.FLOATS else x
    for axis in (1, 2):
        extent = x.shape[axis]
        wanted = int(extent / pooling_ratio[axis])
        if wanted < 1:
            raise ValueError(f"For '{who}', 'pooling_ratio' {pooling_ratio} leaves nothing of {x.shape}")
        steps = _steps(extent, wanted, pseudo_random, seed + axis if seed else 0, seed2)
        numbers, sizes, within = _table(steps, extent, wanted, overlapping)
        windows = F.gather(result, numbers, axis)
        shape = (1,) * axis + numbers.shape + (1,) * (x.ndim - 1 - axis)
        if mean:
            windows = F.select(F.reshape(within, shape), windows, F.zeros_like(windows))
            sums = F.reduce_sum(windows, (axis + 1,))
            result = sums / F.cast(F.reshape(sizes, (1,) * axis + (-1,) + (1,) * (x.ndim - 1 - axis)), sums.dtype)
        else:
            result = F.reduce_max(windows, (axis + 1,))
        ends = ends + (F.cast(steps, mstype.int64),)
    return (F.cast(result, x.dtype),) + ends


def _starts(samples, extent, wanted, kernel):
    """The first element of each window along an axis for random numbers u of each channel: those of the last one are at the end."""
    if wanted == 1:
        return F.fill(mstype.int32, samples.shape + (1,), extent - kernel)
    alpha = (extent - kernel) / (wanted - 1)
    numbers = F.cast(F.arange(wanted - 1), samples.dtype)
    wide = F.expand_dims(samples, -1)
    places = F.cast((numbers + wide) * alpha, mstype.int32) - F.cast(wide * alpha, mstype.int32)
    return F.concat((places, F.fill(mstype.int32, samples.shape + (1,), extent - kernel)), samples.ndim)


def pool_by_samples(who, x, samples, kernel_size, output_size, rank):
    """The largest of windows (N, C, …) whose places `samples` (N, C, rank) give, and their places in the image, int64."""
    kernel, sizes = several_of(who, "kernel_size", kernel_size, rank), several_of(who, "output_size", output_size, rank)
    lead, flat = x.shape[:2], F.fill(mstype.int32, (1,) * (2 + 2 * rank), 0)
    for axis in range(rank):
        extent = x.shape[2 + axis]
        if sizes[axis] + kernel[axis] - 1 > extent:
            raise ValueError(f"For '{who}', {sizes[axis]} windows of {kernel[axis]} do not fit into {extent} elements")
        # Random numbers stand in the order of the axes from the last one.
        own = F.squeeze(F.part(samples, 2, rank - 1 - axis if rank == 2 else axis, rank - axis if rank == 2 else axis + 1), (2,))
        starts = F.broadcast_to(_starts(own, extent, sizes[axis], kernel[axis]), lead + (sizes[axis],))
        places = F.expand_dims(starts, 3) + F.arange(kernel[axis])
        shape = lead + (1,) * axis + (sizes[axis],) + (1,) * (rank - 1) + (kernel[axis],) + (1,) * (rank - 1 - axis)
        flat = flat * extent + F.reshape(places, shape)
    flat = F.reshape(F.broadcast_to(flat, lead + sizes + kernel), lead + sizes + (-1,))
    rows = F.reshape(x, lead + (-1,))
    windows = F.reshape(F.take_along(rows, F.reshape(flat, lead + (-1,)), 2), flat.shape)
    number = F.expand_dims(F.argmax(windows, -1), -1)
    return (F.squeeze(F.take_along(windows, number, flat.ndim - 1), (-1,)),
            F.cast(F.squeeze(F.take_along(flat, number, flat.ndim - 1), (-1,)), mstype.int64))


def _fractional(who, input, kernel_size, output_size, output_ratio, return_indices, samples, rank):
    if (output_size is None) and (output_ratio is None):
        raise ValueError(f"For '{who}', give 'output_size' or 'output_ratio'")
    x = input if input.ndim == rank + 2 else F.expand_dims(input, 0)
    if output_size is None:
        ratios = (output_ratio,) * rank if isinstance(output_ratio, float) else tuple(output_ratio)
        output_size = tuple([int(x.shape[2 + axis] * ratios[axis]) for axis in range(rank)])
    drawn = rand(x.shape[0], x.shape[1], rank) if samples is None else samples
    values, places = pool_by_samples(who, x, drawn, kernel_size, output_size, rank)
    if input.ndim != rank + 2:
        values, places = F.squeeze(values, (0,)), F.squeeze(places, (0,))
    return (values, places) if return_indices else values


def fractional_max_pool2d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """The largest of windows of images (N, C, H, W) or (C, H, W) at random places.

    Args:
      output_size: how many windows along each axis, or
      output_ratio: that number over the extent.
      return_indices: whether the places in the images come behind, int64.
      _random_samples: (N, C, 2), from 0 to 1, instead of numbers drawn on the device.
    """
    return _fractional("fractional_max_pool2d", input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 2)


def fractional_max_pool3d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
    """The largest of windows of volumes (N, C, D, H, W) or (C, D, H, W) at random places; see `fractional_max_pool2d`."""
    return _fractional("fractional_max_pool3d", input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 3)


__all__ = ["fractional_max_pool2d", "fractional_max_pool3d"]
