"""ONNX operators on shapes, in the parsable subset."""

import numpy as np

from plumb import ops
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.onnx._elementwise import type_of
from plumb.ops._sparse import product
from plumb.onnx._registry import operator
from plumb.onnx._values import given_numbers, is_known, number, numbers, one_of, only, positive, positive_all, tensor


# -- what is known of a tensor

@operator("Shape")
def shape(x, start=0, end=None):
    """The extents of axes `start` to before `end`, known while compiling."""
    return np.array(x.shape[start:] if end is None else x.shape[start:end], "int64")


@operator("Size")
def size(x):
    """The number of elements, known while compiling."""
    return np.array(product(x.shape), "int64")


# -- the same elements

@operator("Reshape", known=(1,))
def reshape(x, sizes=None, allowzero=0, shape=None):  # pylint: disable=redefined-outer-name
    """x with other extents; 0 keeps one unless `allowzero` is set, -1 is what remains."""
    wanted = shape if sizes is None else numbers(sizes, "the extents of Reshape")
    if not allowzero:
        wanted = tuple([x.shape[place] if extent == 0 else extent for place, extent in enumerate(wanted)])
    return np.reshape(x, wanted) if is_known(x) else F.reshape(x, tuple(wanted))


@operator("Flatten")
def flatten(x, axis=1):
    """Two axes: those before `axis`, those from it on."""
    extents = (product(x.shape[:axis]), product(x.shape[axis:]))
    return np.reshape(x, extents) if is_known(x) else F.reshape(x, extents)


@operator("Squeeze", known=(1,))
def squeeze(x, given=None, axes=None):
    """x without axes of extent 1."""
    found = given_numbers(given, axes, "the axes of Squeeze")
    if is_known(x):
        return np.squeeze(x) if found is None else np.squeeze(x, tuple(found))
    return ops.squeeze(x) if found is None else F.squeeze(x, positive_all(found, x.ndim))


@operator("Unsqueeze", known=(1,))
def unsqueeze(x, given=None, axes=None):
    """x with axes of extent 1 at places among the result's."""
    found = given_numbers(given, axes, "the axes of Unsqueeze")
    rank = x.ndim + len(found)
    added = positive_all(found, rank)
    extents, place = (), 0
    for axis in range(rank):
        extents = extents + ((1,) if axis in added else (x.shape[place],))
        place = place if axis in added else place + 1
    return np.reshape(x, extents) if is_known(x) else F.reshape(x, extents)


@operator("Transpose")
def transpose(x, perm=None):
    """x with its axes in another order, the reverse one by default."""
    order = tuple(range(x.ndim - 1, -1, -1)) if perm is None else perm
    return np.transpose(x, order) if is_known(x) else F.transpose(x, order)


@operator("Expand", known=(1,))
def expand(x, sizes):
    """x broadcast with a tensor of the extents `sizes`."""
    wanted = numbers(sizes, "the extents of Expand")
    if is_known(x):
        return np.array(np.broadcast_arrays(x, np.empty(wanted))[0])
    return F.broadcast_to(x, ops.broadcast_shapes(x.shape, wanted))


@operator("Tile", since=6, known=(1,))
def tile(x, repeats):
    """x repeated along each axis."""
    counts = numbers(repeats, "the repeats of Tile")
    return np.tile(x, counts) if is_known(x) else F.tile(x, counts)


@operator("DepthToSpace")
def depth_to_space(x, blocksize, mode="DCR"):
    """Channels moved to squares of pixels: "DCR" takes the square's places first, "CRD" the channels."""
    one_of(mode, ("DCR", "CRD"), "DepthToSpace with mode")
    count, channels, height, width = x.shape
    parts = channels // (blocksize * blocksize)
    if mode == "DCR":
        x = F.transpose(F.reshape(x, (count, blocksize, blocksize, parts, height, width)), (0, 3, 4, 1, 5, 2))
    else:
        x = F.transpose(F.reshape(x, (count, parts, blocksize, blocksize, height, width)), (0, 1, 4, 2, 5, 3))
    return F.reshape(x, (count, parts, height * blocksize, width * blocksize))


@operator("SpaceToDepth")
def space_to_depth(x, blocksize):
    """Squares of pixels moved to channels."""
    count, channels, height, width = x.shape
    x = F.reshape(x, (count, channels, height // blocksize, blocksize, width // blocksize, blocksize))
    x = F.transpose(x, (0, 3, 5, 1, 2, 4))
    return F.reshape(x, (count, channels * blocksize * blocksize, height // blocksize, width // blocksize))


# -- parts, joined

@operator("Concat")
def concat(*values, axis=1):
    """Values one behind another along an axis."""
    if is_known(*values):
        return np.concatenate(values, axis)
    return ops.concat(tuple([tensor(value) for value in values]), axis)


@operator("Split", known=(1,))
def split(x, given=None, axis=0, split=None, num_outputs=None, outputs=1):  # pylint: disable=redefined-outer-name
    """Parts along an axis: of given extents, else as even as can be, the last one the smallest."""
    axis, sizes = positive(axis, x.ndim), given_numbers(given, split, "the extents of Split")
    if sizes is None:
        count = outputs if num_outputs is None else num_outputs
        extent = -(-x.shape[axis] // count)
        sizes = tuple([min(extent, x.shape[axis] - place * extent) for place in range(count)])
    parts, first = [], 0
    for extent in sizes:
        parts.append(part_of(x, axis, first, first + extent, 1))
        first = first + extent
    return parts[0] if outputs == 1 else tuple(parts)


def part_of(x, axis, begin, end, step):
    """Elements along an axis as of a slice of Python's."""
    index = (slice(None),) * axis + (slice(begin, end, step),)
    return x[index]


@operator("Slice", known=(1, 2, 3, 4))
def slice_(x, starts=None, ends=None, given_axes=None, given_steps=None, axes=None):
    """Parts along axes; the bounds are inputs, or attributes before operator set 10."""
    firsts = starts if isinstance(starts, tuple) else numbers(starts, "the starts of Slice")
    lasts = ends if isinstance(ends, tuple) else numbers(ends, "the ends of Slice")
    chosen = given_numbers(given_axes, axes, "the axes of Slice")
    steps = (1,) * len(firsts) if given_steps is None else numbers(given_steps, "the steps of Slice")
    chosen = tuple(range(len(firsts))) if chosen is None else chosen
    for axis, first, last, step in zip(chosen, firsts, lasts, steps):
        axis = positive(axis, x.ndim)
        extent = x.shape[axis]
        outside = step < 0 and last < -extent
        x = part_of(x, axis, max(first, -extent) if step > 0 else first, None if outside else last, step)
    return x


_PAD_MODES = ("constant", "edge", "reflect", "wrap")  # as NumPy calls them, too


@operator("Pad", known=(1, 2, 3))
def pad(x, given=None, filling=None, given_axes=None, mode="constant", pads=None, value=0.0, paddings=None):
    """x with elements around it: a constant, the edge, or the inside reflected or wrapped."""
    ends = given_numbers(given, paddings if pads is None else pads, "the pads of Pad")
    one_of(mode, _PAD_MODES, "Pad with mode")
    axes = tuple(range(x.ndim)) if given_axes is None else positive_all(numbers(given_axes, "the axes of Pad"), x.ndim)
    low, high = [0] * x.ndim, [0] * x.ndim
    for place, axis in enumerate(axes):
        low[axis], high[axis] = ends[place], ends[place + len(axes)]
    if is_known(x) and min(low + high) >= 0:
        options = {"constant_values": value if filling is None else only(filling)} if mode == "constant" else {}
        return np.pad(x, list(zip(low, high)), mode, **options)
    x = tensor(x)
    for axis in range(x.ndim):
        x = _padded(x, axis, low[axis], high[axis], mode, value if filling is None else only(filling))
    return x


def _padded(x, axis, low, high, mode, value):
    """x with pads along one axis; negative ones cut."""
    extent = x.shape[axis]
    if low < 0 or high < 0:
        x = part_of(x, axis, max(-low, 0), extent - max(-high, 0), 1)
        return _padded(x, axis, max(low, 0), max(high, 0), mode, value)
    if low == 0 and high == 0:
        return x
    if mode == "constant":
        before, after = (0,) * axis + (low,) + (0,) * (x.ndim - axis - 1), (0,) * axis + (high,) + (0,) * (x.ndim - axis - 1)
        return F.pad(x, before, after, value)
    numbers_ = np.arange(-low, extent + high)
    if mode == "edge":
        found = np.clip(numbers_, 0, extent - 1)
    elif mode == "wrap":
        found = np.mod(numbers_, extent)
    else:
        found = (extent - 1) - np.abs(np.mod(numbers_, max(2 * (extent - 1), 1)) - (extent - 1))
    return F.gather(x, Tensor(found.astype(np.int32)), axis)


@operator("CenterCropPad", known=(1,))
def center_crop_pad(x, sizes, axes=None):
    """x cut, or with zeros around it, to extents of some axes; what is odd is cut and added at the end."""
    wanted, x = numbers(sizes, "the extents of CenterCropPad"), tensor(x)
    for axis, extent in zip(range(x.ndim) if axes is None else positive_all(axes, x.ndim), wanted):
        more = extent - x.shape[axis]
        if more < 0:
            x = part_of(x, axis, -more // 2, -more // 2 + extent, 1)
        elif more > 0:
            x = _padded(x, axis, more // 2, more - more // 2, "constant", 0.0)
    return x


# -- tensors made

@operator("ConstantOfShape", known=(0,))
def constant_of_shape(sizes, value=None):
    """A value in all places, known while compiling; 0.0 by default."""
    filling = np.zeros((1,), "float32") if value is None else value
    return np.full(numbers(sizes, "the extents of ConstantOfShape"), only(filling), filling.dtype)


@operator("Range", known=(0, 1, 2))
def range_(start, limit, delta):
    """start, start + delta, … before limit, known while compiling."""
    if not is_known(start, limit, delta):
        raise ValueError("the bounds of Range must be known while compiling")
    return np.arange(only(start), only(limit), only(delta), start.dtype)


@operator("EyeLike")
def eye_like(x, dtype=None, k=0):
    """Ones along a diagonal, zeros elsewhere, in the shape of x."""
    return F.cast(Tensor(np.eye(x.shape[0], x.shape[1], k, np.float32)), tensor(x).dtype if dtype is None else type_of(dtype))


@operator("Trilu", known=(1,))
def trilu(x, k=None, upper=1):
    """What stands on one side of a diagonal, zeros elsewhere."""
    diagonal, x = 0 if k is None else number(k, "the diagonal of Trilu"), tensor(x)
    distance = np.arange(x.shape[-1]).reshape(1, -1) - np.arange(x.shape[-2]).reshape(-1, 1)
    kept = distance >= diagonal if upper else distance <= diagonal
    return F.select(Tensor(np.broadcast_to(kept, x.shape[-2:])), x, F.zeros_like(x)) if x.size > 0 else x


@operator("OneHot", known=(1,))
def one_hot(indices, depth, values, axis=-1):
    """values[1] where an index names the place along a new axis, else values[0]; indices outside name none."""
    count, indices, values = number(depth, "the depth of OneHot"), tensor(indices), tensor(values)
    axis = positive(axis, indices.ndim + 1)
    indices = F.cast(indices, F.arange(1).dtype)
    indices = F.select(indices < 0, indices + count, indices)
    marks = F.equal(F.expand_dims(indices, axis), F.reshape(F.arange(count), (-1,) + (1,) * (indices.ndim - axis)))
    return F.select(marks, values[1], values[0])


@operator("ReverseSequence")
def reverse_sequence(x, lengths, batch_axis=1, time_axis=0):
    """The first elements of each row along time, as many as its length says, backwards."""
    return ops.reverse_sequence(tensor(x), tensor(lengths), time_axis, batch_axis)
