"""Images sampled at places that are inputs, with MindSpore's signatures, in the parsable subset.

Channels stand last while elements are gathered: a place's channels lie side by side in memory.
"""

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F


def affine_grid(theta, size, align_corners=False):
    """The places, for `grid_sample`, that affine maps give the elements of images or volumes.

    Args:
      theta: maps (N, 2, 3) or (N, 3, 4).
      size: (N, C, H, W) or (N, C, D, H, W).
      align_corners: whether -1 and 1 are the middles of the first and last elements, instead of their outer ends.

    Returns:
      (N, H, W, 2) or (N, D, H, W, 3), x first.
    """
    sizes = tuple(size.tolist()) if isinstance(size, _checks.Tensor) else tuple(size)
    rank = len(sizes) - 2
    if rank not in (2, 3) or theta.shape != (sizes[0], rank, rank + 1):
        raise ValueError(f"For 'affine_grid', 'theta' of {theta.shape} does not fit 'size' {sizes}")
    space, columns = sizes[2:], ()
    for axis in range(rank - 1, -1, -1):
        extent = space[axis]
        numbers = F.cast(F.arange(extent), theta.dtype)
        places = (numbers * (2.0 / max(extent - 1, 1)) - (1.0 if extent > 1 else 0.0)) if align_corners else (numbers * 2.0 + 1.0) / extent - 1.0
        columns = columns + (F.reshape(F.broadcast_to(F.reshape(places, (-1,) + (1,) * (rank - 1 - axis)), space), (-1, 1)),)
    places = F.concat(columns + (F.ones_like(columns[0]),), 1)
    made = F.matmul(F.broadcast_to(F.expand_dims(places, 0), (sizes[0],) + places.shape), F.transpose(theta, (0, 2, 1)))
    return F.reshape(made, (sizes[0],) + space + (rank,))


def _reflected(x, low, span):
    """x mirrored at `low` and at `low + span` until it lies between."""
    if span <= 0:
        return F.zeros_like(x)
    away = F.abs(x - low)
    turns = F.floor(F.stop_gradient(away) / span)
    rest = away - turns * span
    return F.select(F.equal(turns - F.floor(turns * 0.5) * 2.0, 0.0), rest + low, (span + low) - rest)


def _pixel(place, extent, padding_mode, align_corners):
    """A place from -1 to 1 as a number of elements, brought into the image unless zeros stand outside."""
    x = (place + 1.0) * (0.5 * (extent - 1)) if align_corners else ((place + 1.0) * extent - 1.0) * 0.5
    if padding_mode == "reflection":
        x = _reflected(x, 0.0, extent - 1.0) if align_corners else _reflected(x, -0.5, 1.0 * extent)
    return x if padding_mode == "zeros" else F.minimum(F.maximum(x, 0.0), extent - 1.0)


def _rows_of(x):
    """(N, C, …) as rows of channels, one for each element."""
    order = (0,) + tuple(range(2, x.ndim)) + (1,)
    return F.reshape(F.transpose(x, order), (-1, x.shape[1]))


def inside(places, space):
    """Whether places, one number for each axis, lie among the elements."""
    within = None
    for axis in range(len(space)):
        here = F.logical_and(F.greater_equal(places[axis], 0.0), F.less_equal(places[axis], space[axis] - 1.0))
        within = here if within is None else F.logical_and(within, here)
    return within


def picked(rows, images, places, space):
    """The rows at places (numbers of elements, as floats, one for each axis) of images; zeros outside."""
    number = images
    for axis in range(len(space)):
        number = number * space[axis] + F.cast(F.minimum(F.maximum(places[axis], 0.0), space[axis] - 1.0), mstype.int32)
    found = F.gather(rows, number, 0)
    return F.select(F.expand_dims(inside(places, space), -1), found, F.zeros_like(found))


def between(rows, images, places, space):
    """The rows at places between elements, by two along each axis; zeros outside."""
    lows = tuple([F.floor(F.stop_gradient(place)) for place in places])
    total = None
    for corner in range(2 ** len(space)):
        chosen, weight = (), None
        for axis in range(len(space)):
            up = corner // 2 ** axis % 2
            share = places[axis] - lows[axis]
            share = share if up else 1.0 - share
            chosen, weight = chosen + (lows[axis] + up,), share if weight is None else weight * share
        part = picked(rows, images, chosen, space) * F.expand_dims(weight, -1)
        total = part if total is None else total + part
    return total


def numbers_like(grid, space):
    """For each place of a grid (N, …) the number of its image."""
    count = 1
    for extent in space:
        count = count * extent
    return F.reshape(F.broadcast_to(F.expand_dims(F.arange(grid.shape[0]), 1), (grid.shape[0], count)), (-1,))


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Images (N, C, H, W) or volumes (N, C, D, H, W) at the places of a grid (N, …, 2 or 3), x first, from -1 to 1.

    Args:
      mode: "bilinear", by two elements along each axis, or "nearest" (halves to the even one).
      padding_mode: what stands outside: "zeros", the "border", or the image mirrored ("reflection").
      align_corners: whether -1 and 1 are the middles of the first and last elements, instead of their outer ends.
    """
    rank = input.ndim - 2
    if rank not in (2, 3) or grid.ndim != input.ndim or grid.shape[-1] != rank or grid.shape[0] != input.shape[0]:
        raise ValueError(f"For 'grid_sample', the grid of {grid.shape} does not fit the input of {input.shape}")
    if mode not in ("bilinear", "nearest"):
        raise ValueError(f"For 'grid_sample', 'mode' must be 'bilinear' or 'nearest', but got {mode}")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(f"For 'grid_sample', 'padding_mode' must be 'zeros', 'border' or 'reflection', but got {padding_mode}")
    space, out, places = input.shape[2:], grid.shape[1:-1], ()
    for axis in range(rank):
        place = F.reshape(F.part(grid, grid.ndim - 1, rank - 1 - axis, rank - axis), (-1,))
        places = places + (_pixel(place, space[axis], padding_mode, align_corners),)
    images, rows = numbers_like(grid, out), _rows_of(input)
    if mode == "nearest":
        made = picked(rows, images, tuple([F.round(F.stop_gradient(place)) for place in places]), space)
    else:
        made = between(rows, images, places, space)
    made = F.reshape(made, (input.shape[0],) + out + (input.shape[1],))
    return F.transpose(made, (0, rank + 1) + tuple(range(1, rank + 1)))


def grid_of(rows, columns):
    """Places along y (B, H) and x (B, W) as places (B * H * W,) of both."""
    shape = rows.shape + (columns.shape[1],)
    return (F.reshape(F.broadcast_to(F.expand_dims(rows, 2), shape), (-1,)), F.reshape(F.broadcast_to(F.expand_dims(columns, 1), shape), (-1,)))


def _steps(first, last, extent, wanted):
    """`wanted` places from a first to a last one, in shares of the image; the middle when one is wanted."""
    first, last = F.expand_dims(first, 1) * (extent - 1.0), F.expand_dims(last, 1) * (extent - 1.0)
    if wanted == 1:
        return (first + last) * 0.5
    return first + (last - first) * (F.reshape(F.cast(F.arange(wanted), first.dtype), (1, -1)) / (wanted - 1.0))


def _steps_in_elements(first, last, extent, wanted):
    """`wanted` places, evenly in the whole elements from that at a first to that at a last share of the image, and in it."""
    first, last = F.stop_gradient(F.trunc(first * extent)), F.stop_gradient(F.trunc(last * extent))
    count = F.expand_dims(F.maximum(last - first + 1.0, 1.0), 1)
    steps = (F.reshape(F.cast(F.arange(wanted), first.dtype), (1, -1)) + 0.5) * (count / wanted) - 0.5
    places = F.expand_dims(first, 1) + F.minimum(F.maximum(steps, 0.0), count - 1.0)
    return F.minimum(F.maximum(places, 0.0), extent - 1.0)


def crop_and_resize(image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0):
    """Boxes of images (N, H, W, C) at one size: (number of boxes, *crop_size, C), float32.

    Args:
      boxes: (y1, x1, y2, x2) from 0 to 1, the middles of the first and last elements; a box may be turned round.
      box_indices: each box's image.
      method: "bilinear" or "nearest"; "bilinear_v2" cuts whole elements out and resizes these. What it wants from outside of an
        image are the elements at the edge; MindSpore 2.0.0 takes whatever stands there in memory.
      extrapolation_value: what stands outside of an image, but with "bilinear_v2".
    """
    if method not in ("bilinear", "nearest", "bilinear_v2"):
        raise ValueError(f"For 'crop_and_resize', 'method' must be 'bilinear', 'bilinear_v2' or 'nearest', but got {method}")
    x, sizes, space = F.cast(image, mstype.float32), tuple(crop_size), image.shape[1:3]
    sides, steps = tuple([boxes[:, place] for place in range(4)]), _steps_in_elements if method == "bilinear_v2" else _steps
    places = grid_of(steps(sides[0], sides[2], space[0], sizes[0]), steps(sides[1], sides[3], space[1], sizes[1]))
    images = F.cast(F.reshape(box_indices, (-1, 1)), mstype.int32)
    images = F.reshape(F.broadcast_to(images, (boxes.shape[0], sizes[0] * sizes[1])), (-1,))
    rows = F.reshape(x, (-1, x.shape[3]))
    if method == "nearest":
        made = picked(rows, images, tuple([F.floor(F.stop_gradient(place) + 0.5) for place in places]), space)
    else:
        made = between(rows, images, places, space)
    made = F.select(F.expand_dims(inside(places, space), 1), made, F.fill(made.dtype, made.shape, extrapolation_value))
    return F.reshape(made, (boxes.shape[0],) + sizes + (x.shape[3],))


def sampled_bins(features, images, firsts, reaches, bins, sample_num):
    """Samples of boxes of features (N, C, H, W): (boxes, bins, samples, bins, samples, C), 0 where they lie outside of the image.

    Args:
      images: each box's image, int32.
      firsts, reaches: where the boxes begin and how far they reach, in pixels, along height and width.
      bins: how many along height and width.
      sample_num: samples along each side of a bin.
    """
    space, axes = features.shape[2:], ()
    for axis in range(2):
        shares = (F.cast(F.arange(bins[axis] * sample_num), firsts[axis].dtype) + 0.5) / (bins[axis] * sample_num)
        axes = axes + (F.expand_dims(firsts[axis], 1) + F.expand_dims(reaches[axis], 1) * F.reshape(shares, (1, -1)),)
    places = grid_of(axes[0], axes[1])
    count = places[0].shape[0] // images.shape[0]
    numbers = F.reshape(F.broadcast_to(F.expand_dims(images, 1), (images.shape[0], count)), (-1,))
    outside = None
    for axis in range(2):
        away = F.logical_or(F.less(places[axis], -1.0), F.greater(places[axis], 1.0 * space[axis]))
        outside = away if outside is None else F.logical_or(outside, away)
    held = tuple([F.minimum(F.maximum(places[axis], 0.0), space[axis] - 1.0) for axis in range(2)])
    made = between(_rows_of(features), numbers, held, space)
    made = F.cast(F.select(F.expand_dims(outside, 1), F.zeros_like(made), made), features.dtype)
    return F.reshape(made, (images.shape[0], bins[0], sample_num, bins[1], sample_num, features.shape[1]))


def roi_align(features, rois, pooled_height, pooled_width, spatial_scale, sample_num=2, roi_end_mode=1):
    """Boxes of features (N, C, H, W) as (boxes, C, pooled_height, pooled_width): means of samples in each bin (He et al. 2017).

    Args:
      rois: rows of an image's number and (x1, y1, x2, y2). A box whose x1 and x2 are both within 0.001 of 0 is padding: it makes
        zeros and no gradient, where MindSpore 2.0.0 leaves what stood in memory.
      spatial_scale: what the boxes are multiplied by.
      sample_num: samples along each side of a bin, at least 1.
      roi_end_mode: 1 puts a box's end one pixel on; 0 does not, and takes sides of at least 1. MindSpore 2.0.0 takes the gradient
        of 1 for both.
    """
    if sample_num < 1 or roi_end_mode not in (0, 1) or rois.shape[1] != 5:
        raise ValueError("For 'ROIAlign', 'sample_num' must be above 0, 'roi_end_mode' 0 or 1, and 'rois' of shape (R, 5)")
    firsts, reaches = (), ()
    for axis in range(2):
        first = rois[:, 2 - axis] * spatial_scale
        reach = (rois[:, 4 - axis] + roi_end_mode) * spatial_scale - first
        firsts, reaches = firsts + (first,), reaches + (F.maximum(reach, 1.0) if roi_end_mode == 0 else reach,)
    made = sampled_bins(features, F.cast(rois[:, 0], mstype.int32), firsts, reaches, (pooled_height, pooled_width), sample_num)
    made, padding = F.reduce_mean(made, (2, 4)), F.less(F.maximum(F.abs(rois[:, 1]), F.abs(rois[:, 3])), 0.001)
    made = F.select(F.reshape(padding, (-1, 1, 1, 1)), F.zeros_like(made), made)
    return F.transpose(made, (0, 3, 1, 2))


def ps_roi_pooling(features, rois, spatial_scale, group_size, output_dim):
    """Boxes of features (N, output_dim * group_size², H, W) as (boxes, output_dim, group_size, group_size): the mean of each bin, of the
    feature that stands for the bin (Dai et al. 2016); 0 for an empty one.

    Args:
      rois: (batches, 5, boxes of each): an image's number and (x1, y1, x2, y2). MindSpore 2.0.0 computes but the first box of each.
      spatial_scale: what the boxes are multiplied by.
    """
    if features.shape[1] != output_dim * group_size * group_size or rois.ndim != 3 or rois.shape[1] != 5:
        raise ValueError(f"For 'PSROIPooling', 'features' must have {output_dim} * {group_size}² channels and 'rois' the shape (batch, 5, "
                         f"boxes), but got {features.shape} and {rois.shape}")
    count, _, height, width = features.shape
    boxes = F.cast(F.reshape(F.transpose(rois, (0, 2, 1)), (-1, 5)), mstype.float32)
    rows = _within_bins(boxes[:, 2], boxes[:, 4], spatial_scale, group_size, height)
    columns = _within_bins(boxes[:, 1], boxes[:, 3], spatial_scale, group_size, width)
    shares = F.expand_dims(F.expand_dims(rows, 2), 4) * F.expand_dims(F.expand_dims(columns, 1), 3)
    shares = F.reshape(shares, (-1, group_size * group_size, 1, height * width))
    shares = shares / F.maximum(F.reduce_sum(shares, 3, True), 1.0)
    image = F.equal(F.expand_dims(boxes[:, 0], 1), F.reshape(F.cast(F.arange(count), mstype.float32), (1, -1)))
    shares = shares * F.cast(F.reshape(image, (-1, 1, count, 1)), mstype.float32)
    shares = F.transpose(F.reshape(shares, (boxes.shape[0], group_size * group_size, -1)), (1, 2, 0))
    x = F.reshape(F.cast(features, mstype.float32), (count, output_dim, group_size * group_size, height * width))
    x = F.reshape(F.transpose(x, (2, 1, 0, 3)), (group_size * group_size, output_dim, -1))
    made = F.transpose(F.matmul(x, shares), (2, 1, 0))
    return F.cast(F.reshape(made, (-1, output_dim, group_size, group_size)), features.dtype)


def _within_bins(first, last, scale, bins, extent):
    """1 where an element of an axis is in a bin of a box, 0 elsewhere: (boxes, bins, extent); the axis's last is in none."""
    start = F.floor(first * scale + 0.5)
    step = F.reshape(F.maximum(F.floor(last * scale + 0.5) - start, 0.1) / bins, (-1, 1, 1))
    number = F.reshape(F.cast(F.arange(bins), mstype.float32), (1, -1, 1))
    place = F.reshape(F.cast(F.arange(extent), mstype.float32), (1, 1, -1))
    start = F.reshape(start, (-1, 1, 1))
    end = F.minimum(F.ceil((number + 1.0) * step + start), extent - 1.0)
    return F.cast(F.logical_and(F.greater_equal(place, F.floor(number * step + start)), F.less(place, end)), mstype.float32)


ps_roi_pooling = Whole(ps_roi_pooling)
affine_grid, grid_sample, crop_and_resize, roi_align = Whole(affine_grid), Whole(grid_sample), Whole(crop_and_resize), Whole(roi_align)

__all__ = ["affine_grid", "crop_and_resize", "grid_sample"]
