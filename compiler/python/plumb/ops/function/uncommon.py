"""Operators that few programs use: of MindSpore's own devices, of recommendation models, of its compiler; in the parsable subset."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import known_as
from plumb.common._structures import on_host
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops._maps import HyperMap
from plumb.ops._sparse import product
from plumb.ops.function.creation import fill, range as _range
from plumb.ops.function.index import slice as _slice
from plumb.ops.function.scatter import scatter_nd_add
from plumb.ops.function.shape import batch_to_space_nd, reshape

fill_, reshape_, tensor_range, tensor_slice = fill, reshape, _range, _slice


def mixed_precision_cast(dst_dtype, x):
    """The tensor of floats, or each of a structure of tensors, as `dst_dtype`; anything else as it is."""
    if isinstance(x, (tuple, list)):
        return type(x)([mixed_precision_cast(dst_dtype, part) for part in x])
    if isinstance(x, dict):
        return {name: mixed_precision_cast(dst_dtype, part) for name, part in x.items()}
    return x.astype(dst_dtype) if isinstance(x, Tensor) and x.dtype in mstype.float_type else x


@known_as(x="input_x")
def shape_(input_x):
    """The shape, a tuple of ints."""
    return input_x.shape


def is_sequence_value_unknown(shape):
    """Whether an extent of a shape is open: of the stand-ins that `set_inputs` takes; in compiled code all extents are known."""
    return -1 in shape


def is_sequence_shape_unknown(shape):
    """Whether the number of a shape's extents is open."""
    return -2 in shape


@known_as(input_data="shape")
def shape_mul(shape):
    """The number of elements of a shape."""
    return product(shape)


def hyper_add(x, y):
    """The sums of the leaves of two nested tuples or lists."""
    return HyperMap()(F.add, x, y)


def relu_with_mask(x):
    """The ReLU of images (N, C, H, W), and for each element a bit that says whether it is above 0.

    Bits are of uint8, (N, C / 16, H, W, 2), or (N, C / 32, H, W, 4) for 8-bit elements, rounded up: those of neighbouring channels in
    one byte, the lowest of a byte first. MindSpore 2.0.0 on a CPU writes a byte for each element in order, beyond the mask's end.

    Raises:
      ValueError: for an input of another number of axes.
    """
    if x.ndim != 4:
        raise ValueError(f"For 'ReLUV2', the input must be (N, C, H, W), but got {x.shape}")
    size = 4 if x.dtype in (mstype.int8, mstype.uint8) else 2
    blocks = -(-x.shape[1] // (8 * size))
    positive = F.cast(F.greater(x, F.zeros_like(x)), mstype.int32)
    positive = F.pad(positive, (0, 0, 0, 0), (0, blocks * 8 * size - x.shape[1], 0, 0), 0)
    parts = F.reshape(positive, (x.shape[0], blocks, size, 8) + x.shape[2:])
    weights = F.reshape(F.bitwise_left_shift(1, F.arange(8)), (8, 1, 1))
    bits = F.transpose(F.reduce_sum(parts * weights, (3,)), (0, 1, 3, 4, 2))
    return F.relu(x), F.cast(bits, mstype.uint8)


def with_bits(input_x, mask, keep_prob):
    """The elements whose bit is set in what `ops.DropoutGenMask` gave, divided by `keep_prob`; zeros elsewhere."""
    if mask.dtype != mstype.uint8 or mask.size * 8 < input_x.size:
        raise ValueError(f"For 'DropoutDoMask', {input_x.size} elements take {-(-input_x.size // 128) * 16} bytes of uint8, but got "
                         f"{mask.shape} of {mask.dtype}")
    bits = F.bitwise_right_shift(F.reshape(F.cast(mask, mstype.int32), (-1, 1)), F.arange(8))
    kept = F.reshape(F.reshape(F.floor_mod(bits, 2), (-1,))[:input_x.size], input_x.shape)
    return input_x * F.cast(kept, input_x.dtype) / F.cast(keep_prob, input_x.dtype)


def from_blocks(input_x, block_shape, crops):
    """What `ops.batch_to_space_nd` gives, with `block_shape` and `crops` as constant tensors or tuples."""
    blocks, ends = [part.tolist() if isinstance(part, Tensor) else part for part in (block_shape, crops)]
    return batch_to_space_nd(input_x, tuple(blocks), ends)


def gathered(input_params, input_indices, axis):
    """Slices along an axis by number, as `ops.Gather`; gradients are dense."""
    return F.gather(input_params, input_indices, axis)


def added_apart(input_x, indices, updates):
    """As `ops.scatter_nd_add`, which also adds what two indices name."""
    if not isinstance(input_x, Parameter):
        raise TypeError("For 'ScatterNonAliasingAdd', the input must be a Parameter")
    return scatter_nd_add(input_x, indices, updates)


def spread_keys(x, per_group_size, group_num):
    """Where keys stand when they are dealt out to groups: x % group_num * per_group_size + x // group_num.

    Raises:
      TypeError: if `x` is no tensor of integers.
      ValueError: if a size is not above 0.
    """
    _checks.integers("MapUniform", x)
    if per_group_size < 1 or group_num < 1:
        raise ValueError(f"For 'MapUniform', 'per_group_size' and 'group_num' must be above 0, but got {per_group_size} and {group_num}")
    return F.floor_mod(x, group_num) * per_group_size + F.floor_div(x, group_num)


@on_host("call it outside and pass what it gives, or use ops.select, which keeps the size")
def kept_ids(input_x, max_num, offset):
    """x - offset where that is from 0 to before `max_num`, and the places of those elements, in its element type."""
    moved = _checks.integers("SubAndFilter", input_x).asnumpy().reshape(-1) - int(offset)
    places = np.flatnonzero((moved >= 0) & (moved < int(max_num)))
    return Tensor(moved[places].astype(input_x.dtype.numpy)), Tensor(places.astype(input_x.dtype.numpy))


@on_host("call it outside and pass what it gives; nn.SampledSoftmaxLoss compiles")
def accidental_hits(true_classes, sampled_candidates, num_true=1):
    """Which sampled classes are true ones: the rows, int32, the places among those sampled, and the lowest float32 for each."""
    true, drawn = true_classes.asnumpy(), sampled_candidates.asnumpy()
    if true.ndim != 2 or true.shape[1] != num_true or drawn.ndim != 1:
        raise ValueError(f"For 'ComputeAccidentalHits', the true classes must be (N, {num_true}) and those sampled a vector, but got "
                         f"{true.shape} and {drawn.shape}.")
    rows, _, places = np.nonzero(true[:, :, None] == drawn)
    lowest = np.full(len(rows), np.finfo(np.float32).min, np.float32)
    return Tensor(rows.astype(np.int32)), Tensor(places.astype(true.dtype)), Tensor(lowest)


__all__ = ["fill_", "hyper_add", "is_sequence_shape_unknown", "is_sequence_value_unknown", "mixed_precision_cast", "reshape_", "shape_", "shape_mul", "tensor_range", "tensor_slice"]
