"""Shapes and layouts: the same elements in other places, with MindSpore's signatures, in the parsable subset.

A negative axis counts from the end; errors about axes and extents are ValueErrors.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _checks
from plumb.ops import _functions as F

cast, transpose, tile, shape, dtype, rank, size = F.cast, F.transpose, F.tile, F.shape, F.dtype, F.rank, F.size
expand_dims, stop_gradient = F.expand_dims, F.stop_gradient


def broadcast_to(input, shape):
    """A tensor of another shape in which axes of extent 1, and axes before the first one, repeat their elements.

    Args:
      input: the tensor, of any element type.
      shape: the extents, an int or a tuple of them, where -1 keeps the tensor's own; or a tensor of them whose values are known.

    Raises:
      ValueError: where the tensor does not fit the shape.
    """
    return F.broadcast_to(input, _checks.extents(shape) if isinstance(shape, _checks.Tensor) else shape)


def reshape(input, shape):
    """The same elements in another shape; one extent may be -1."""
    return F.reshape(input, _checks.extents(shape) if isinstance(shape, _checks.Tensor) else shape)


def identity(x):
    """The input itself."""
    return x


def deepcopy(input_x):
    """The input itself: tensors of compiled code never change."""
    return input_x


def numel(input):
    """The number of elements."""
    return _checks.tensor("numel", input).size


def squeeze(input, axis=None):
    """Without the axes of extent 1; only those of `axis` when it is given."""
    return F.squeeze(input, () if axis is None else axis)


def unsqueeze(input, dim):
    """A new axis of extent 1 at `dim`."""
    return F.expand_dims(input, dim)


def ravel(input):
    """All elements on one axis."""
    return F.reshape(input, (-1,))


def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    """The axes from `start_dim` to `end_dim` on one axis; order "F" reverses all axes first."""
    if order not in ("C", "F"):
        raise ValueError(f"For 'flatten', 'order' must be 'C' or 'F', but got {order}")
    if input.ndim == 0:
        return F.reshape(input, (1,))
    if order == "F":
        input = F.transpose(input, tuple(range(input.ndim - 1, -1, -1)))
    if input.ndim == 1:
        return input
    first = _checks.one_axis("flatten", start_dim, input.ndim)
    last = _checks.one_axis("flatten", end_dim, input.ndim)
    if first > last:
        raise ValueError("For 'flatten', 'start_dim' must not be behind 'end_dim'")
    return F.reshape(input, input.shape[:first] + (-1,) + input.shape[last + 1:])


def unflatten(input, dim, sizes):
    """The axis `dim` split into axes of extents `sizes`, of which one may be -1."""
    axis = _checks.one_axis("unflatten", dim, input.ndim)
    return F.reshape(input, input.shape[:axis] + tuple(sizes) + input.shape[axis + 1:])


# -- order of axes


def permute(input, axis):
    """The axes in another order."""
    return F.transpose(input, axis)


def swapaxes(input, axis0, axis1):
    """Two axes exchanged."""
    first, second = _checks.one_axis("swapaxes", axis0, input.ndim), _checks.one_axis("swapaxes", axis1, input.ndim)
    return F.transpose(input, tuple([second if axis == first else first if axis == second else axis
                                     for axis in range(input.ndim)]))


def swapdims(input, dim0, dim1):
    """Two axes exchanged."""
    return swapaxes(input, dim0, dim1)


def moveaxis(x, source, destination):
    """Axes moved to other places; the others keep their order."""
    sources = _checks.all_axes("moveaxis", source, x.ndim)
    targets = _checks.all_axes("moveaxis", destination, x.ndim)
    if len(sources) != len(targets):
        raise ValueError("For 'moveaxis', 'source' and 'destination' must be equally long")
    rest = [axis for axis in range(x.ndim) if axis not in sources]
    order, taken = (), 0
    for place in range(x.ndim):
        if place in targets:
            for number in range(len(targets)):
                if targets[number] == place:
                    order = order + (sources[number],)
        else:
            order = order + (rest[taken],)
            taken = taken + 1
    return F.transpose(x, order)


movedim = moveaxis


def t(input):
    """A matrix transposed; a vector or number as it is."""
    if input.ndim > 2:
        raise ValueError(f"For 't', the input must have at most 2 axes, but got {input.shape}")
    return F.transpose(input, (1, 0)) if input.ndim == 2 else input


def adjoint(x):
    """The last two axes exchanged, and complex numbers conjugated."""
    swapped = swapaxes(x, -1, -2)
    return F.conj(swapped) if x.dtype in _checks.COMPLEX else swapped


def conjugate_transpose(x, perm):
    """The axes in another order, and complex numbers conjugated."""
    turned = F.transpose(x, perm)
    return F.conj(turned) if x.dtype in _checks.COMPLEX else turned


# -- repetition


def expand(input_x, size):
    """Extents of 1 repeated up to `size`, a tuple or a tensor that is known while compiling, in which -1 keeps an extent."""
    return F.broadcast_to(input_x, tuple(size.tolist()) if isinstance(size, _checks.Tensor) else size)


def broadcast_shapes(*shapes):
    """The shape that shapes broadcast to."""
    rank = 0
    for one in shapes:
        rank = len(one) if len(one) > rank else rank
    result = ()
    for place in range(-rank, 0):
        extent = 1
        for one in shapes:
            own = one[place] if -place <= len(one) else 1
            if own != 1 and extent != 1 and own != extent:
                raise ValueError(f"The shapes {shapes} do not broadcast")
            extent = own if extent == 1 else extent
        result = result + (extent,)
    return result


def repeat_elements(x, rep, axis=0):
    """Each element `rep` times behind itself along an axis."""
    axis = _checks.one_axis("repeat_elements", axis, x.ndim)
    copies = F.broadcast_to(F.expand_dims(x, axis + 1), x.shape[:axis + 1] + (rep,) + x.shape[axis + 1:])
    return F.reshape(copies, x.shape[:axis] + (x.shape[axis] * rep,) + x.shape[axis + 1:])


def repeat_interleave(input, repeats, axis=None):
    """Each element behind itself along an axis, or of all in order when `axis` is None.

    Args:
      repeats: how often: an int, or one for each element of the axis.
    """
    if axis is None:
        input, axis = F.reshape(input, (-1,)), 0
    axis = _checks.one_axis("repeat_interleave", axis, input.ndim)
    if isinstance(repeats, int):
        return repeat_elements(input, repeats, axis)
    if isinstance(repeats, _checks.Tensor):
        repeats = repeats.tolist()
    if len(repeats) == 1:
        return repeat_elements(input, repeats[0], axis)
    if len(repeats) != input.shape[axis]:
        raise ValueError(f"For 'repeat_interleave', 'repeats' must hold {input.shape[axis]} numbers, but got {repeats}")
    places = ()
    for number in range(len(repeats)):
        places = places + (number,) * repeats[number]
    return F.gather(input, _checks.Tensor(places, mstype.int32), axis)


# -- reversal


def flip(input, dims):
    """The elements in reverse order along axes; along none where `dims` is ()."""
    axes = () if isinstance(dims, (tuple, list)) and len(dims) == 0 else _checks.all_axes("flip", dims, input.ndim)
    for axis in axes:
        input = F.gather(input, input.shape[axis] - 1 - F.arange(input.shape[axis]), axis)
    return input


def reverse(x, axis):
    """The elements in reverse order along axes."""
    return flip(x, axis)


def fliplr(input):
    """The elements in reverse order along axis 1."""
    return flip(input, (1,))


def flipud(input):
    """The elements in reverse order along axis 0."""
    return flip(input, (0,))


def roll(input, shifts, dims=None):
    """The elements moved on along axes; those that leave at the end come in at the start. On one axis when `dims` is None."""
    if dims is None:
        return F.reshape(roll(F.reshape(input, (-1,)), shifts, 0), input.shape)
    axes = (dims,) if isinstance(dims, int) else tuple(dims)
    steps = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    if len(axes) != len(steps):
        raise ValueError("For 'roll', 'shifts' and 'dims' must be equally long")
    for number in range(len(axes)):
        axis = _checks.one_axis("roll", axes[number], input.ndim)
        extent = input.shape[axis]
        first = -steps[number] % extent if extent > 0 else 0
        if first != 0:
            input = F.concat((F.part(input, axis, first, extent), F.part(input, axis, 0, first)), axis)
    return input


def rot90(input, k, dims):
    """Rotated `k` times by 90 degrees, from the first of two axes towards the second."""
    axes = _checks.all_axes("rot90", dims, input.ndim)
    if len(axes) != 2:
        raise ValueError(f"For 'rot90', 'dims' must be two axes, but got {dims}")
    turns = k % 4
    if turns == 0:
        return input
    if turns == 2:
        return flip(input, axes)
    if turns == 1:
        return swapaxes(flip(input, (axes[1],)), axes[0], axes[1])
    return flip(swapaxes(input, axes[0], axes[1]), (axes[1],))


def reverse_sequence(x, seq_lengths, seq_dim, batch_dim=0):
    """The first elements along `seq_dim`, as many as `seq_lengths` says for each part of `batch_dim`, in reverse order."""
    axis, batch = _checks.one_axis("reverse_sequence", seq_dim, x.ndim), _checks.one_axis("reverse_sequence", batch_dim,
                                                                                        x.ndim)
    extents = tuple([x.shape[batch] if place == batch else 1 for place in range(x.ndim)])
    lengths = F.reshape(F.cast(seq_lengths, mstype.int32), extents)
    numbers = F.reshape(F.arange(x.shape[axis]), tuple([-1 if place == axis else 1 for place in range(x.ndim)]))
    places = F.select(F.less(numbers, lengths), lengths - 1 - numbers, numbers)
    whole = tuple([x.shape[place] if place in (axis, batch) else 1 for place in range(x.ndim)])
    return F.take_along(x, F.broadcast_to(F.broadcast_to(places, whole), x.shape), axis)


# -- blocks of images


def channel_shuffle(x, groups):
    """The channels of axis 1, in `groups` groups, one of each group after another."""
    if x.shape[1] % groups != 0:
        raise ValueError(f"For 'channel_shuffle', {groups} groups do not divide {x.shape[1]} channels")
    parts = F.reshape(x, (x.shape[0], groups, x.shape[1] // groups) + x.shape[2:])
    return F.reshape(swapaxes(parts, 1, 2), x.shape)


def pixel_shuffle(input, upscale_factor):
    """(…, C * r², H, W) to (…, C, H * r, W * r)."""
    r = upscale_factor
    channels, rows, columns = input.shape[-3:]
    if channels % (r * r) != 0:
        raise ValueError(f"For 'pixel_shuffle', {channels} channels are no multiple of {r * r}")
    parts = F.reshape(input, (-1, channels // (r * r), r, r, rows, columns))
    parts = F.transpose(parts, (0, 1, 4, 2, 5, 3))
    return F.reshape(parts, input.shape[:-3] + (channels // (r * r), rows * r, columns * r))


def pixel_unshuffle(input, downscale_factor):
    """(…, C, H * r, W * r) to (…, C * r², H, W)."""
    r = downscale_factor
    channels, rows, columns = input.shape[-3:]
    if rows % r != 0 or columns % r != 0:
        raise ValueError(f"For 'pixel_unshuffle', the extents of {input.shape} are no multiples of {r}")
    parts = F.reshape(input, (-1, channels, rows // r, r, columns // r, r))
    parts = F.transpose(parts, (0, 1, 3, 5, 2, 4))
    return F.reshape(parts, input.shape[:-3] + (channels * r * r, rows // r, columns // r))


def depth_to_space(x, block_size):
    """(N, C * b², H, W) to (N, C, H * b, W * b): the blocks' rows and columns lead among the channels."""
    b = block_size
    count, channels, rows, columns = x.shape
    if channels % (b * b) != 0:
        raise ValueError(f"For 'DepthToSpace', {channels} channels are no multiple of {b * b}")
    parts = F.transpose(F.reshape(x, (count, b, b, channels // (b * b), rows, columns)), (0, 3, 4, 1, 5, 2))
    return F.reshape(parts, (count, channels // (b * b), rows * b, columns * b))


def space_to_depth(x, block_size):
    """(N, C, H * b, W * b) to (N, C * b², H, W): the blocks' rows and columns lead among the channels."""
    b = block_size
    count, channels, rows, columns = x.shape
    if rows % b != 0 or columns % b != 0:
        raise ValueError(f"For 'SpaceToDepth', the extents of {x.shape} are no multiples of {b}")
    parts = F.transpose(F.reshape(x, (count, channels, rows // b, b, columns // b, b)), (0, 3, 5, 1, 2, 4))
    return F.reshape(parts, (count, channels * b * b, rows // b, columns // b))


def space_to_batch_nd(input_x, block_size, paddings):
    """Blocks of the padded axes from 1 on spread over axis 0: (N, …) to (N * b1 * b2 …, …).

    Args:
      block_size: extents of a block; an int is for every axis.
      paddings: (before, after) for each blocked axis.
    """
    first = input_x.ndim - len(paddings)
    blocks = (block_size,) * len(paddings) if isinstance(block_size, int) else tuple(block_size)
    before = (0,) * first + tuple([pair[0] for pair in paddings])
    after = (0,) * first + tuple([pair[1] for pair in paddings])
    padded = F.pad(input_x, before, after, 0.0)
    extents, count = padded.shape[:first], 1
    for number in range(len(blocks)):
        extent = padded.shape[first + number]
        if extent % blocks[number] != 0:
            raise ValueError(f"For 'space_to_batch_nd', the block {blocks} does not divide {padded.shape}")
        extents = extents + (extent // blocks[number], blocks[number])
        count = count * blocks[number]
    inner = tuple(range(first + 1, first + 2 * len(blocks), 2))
    outer = tuple(range(first, first + 2 * len(blocks), 2))
    moved = F.transpose(F.reshape(padded, extents), inner + tuple(range(first)) + outer)
    return F.reshape(moved, (count * input_x.shape[0],) + input_x.shape[1:first] + tuple([extents[at] for at in outer]))


def batch_to_space_nd(input_x, block_shape, crops):
    """What `space_to_batch_nd` spread over axis 0 back in its places, without `crops` elements at the ends."""
    first = input_x.ndim - len(crops)
    blocks = (block_shape,) * len(crops) if isinstance(block_shape, int) else tuple(block_shape)
    count = 1
    for block in blocks:
        count = count * block
    if input_x.shape[0] % count != 0:
        raise ValueError(f"For 'batch_to_space_nd', the extent {input_x.shape[0]} is no multiple of {count}")
    parts = F.reshape(input_x, blocks + (input_x.shape[0] // count,) + input_x.shape[1:])
    order, extents = tuple(range(len(blocks), len(blocks) + first)), (input_x.shape[0] // count,) + input_x.shape[1:first]
    for number in range(len(blocks)):
        order = order + (len(blocks) + first + number, number)
        extents = extents + (input_x.shape[first + number] * blocks[number],)
    whole = F.reshape(F.transpose(parts, order), extents)
    for number in range(len(blocks)):
        axis = first + number
        whole = F.part(whole, axis, crops[number][0], extents[axis] - crops[number][1])
    return whole


__all__ = offered(globals())
