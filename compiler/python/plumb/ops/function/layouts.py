"""Orders of axes and of numbers: data formats, permutations, places in arrays, paddings by both conventions; in the parsable subset."""

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops.function.folding import unfold
from plumb.ops.function.padding import pad
from plumb.ops.function.random import multinomial_with_replacement, randperm
from plumb.ops.function.search import argsort


def invert_permutation(x):
    """Where each number stands in a permutation of 0, 1, …: a tuple for a tuple, a tensor for a tensor of one axis."""
    if isinstance(x, Tensor):
        return F.cast(argsort(_checks.integers("InvertPermutation", x)), x.dtype)
    if tuple(sorted(x)) != tuple(range(len(x))):
        raise ValueError(f"For 'InvertPermutation', the values must be 0 to {len(x) - 1}, each once, but got {x}")
    return tuple([list(x).index(number) for number in range(len(x))])


def places_of(indices, dims):
    """The index along each axis of an array of extents `dims`, a tensor, for places among its elements in order: one row an axis."""
    rest, rows = indices, []
    for axis in range(dims.shape[0] - 1, -1, -1):
        extent = F.cast(dims[axis], indices.dtype)
        rows.append(F.floor_mod(rest, extent))
        rest = F.floor_div(rest, extent)
    return F.stack(tuple(rows[::-1]), 0)


def shape_tensor(x):
    """The extents of a tensor, as a tensor of int64."""
    return Tensor(list(x.shape), mstype.int64)


def _formats(who, src_format, dst_format):
    """Where each letter of the source format stands in the destination's."""
    for given in (src_format, dst_format):
        if given not in ("NHWC", "NCHW"):
            raise ValueError(f"For '{who}', a format must be 'NHWC' or 'NCHW', but got {given}")
    return tuple([dst_format.index(letter) for letter in src_format])


def data_format_dim_map(input_x, src_format="NHWC", dst_format="NCHW"):
    """For numbers of axes of the destination format, -4 to 3, those that the same axes have in the source format.

    MindSpore's text has it the other way round, its examples and results are these.
    """
    numbers = Tensor(list(_formats("DataFormatDimMap", dst_format, src_format)), mstype.int32)
    return F.cast(F.gather(numbers, F.floor_mod(_checks.integers("DataFormatDimMap", input_x), 4), 0), input_x.dtype)


def data_format_vec_permute(input_x, src_format="NHWC", dst_format="NCHW"):
    """The rows of (4,) or (4, 2), one for each axis of a source format, in the order of a destination format."""
    if input_x.shape != (4,) and input_x.shape != (4, 2):
        raise ValueError(f"For 'DataFormatVecPermute', the input must have the shape (4,) or (4, 2), but got {input_x.shape}")
    return F.gather(input_x, Tensor(list(_formats("DataFormatVecPermute", dst_format, src_format)), mstype.int32), 0)


def concat_rows(values):
    """Tensors one after another along the first axis."""
    return F.concat(tuple(values), 0)


def image_to_columns(x, ksizes, strides=1, dilations=1, pads=0):
    """The windows of (N, C, H, W) as columns: (N, C, elements of the kernel, number of windows)."""
    found = unfold(x, ksizes, dilations, pads, strides)
    return F.reshape(found, (x.shape[0], x.shape[1], found.shape[1] // x.shape[1], found.shape[2]))


def pad_by_tensor(x, paddings, constant_value=None, mode="constant", paddings_contiguous=True):
    """x padded by numbers known while compiling: (before, after) of the last axis, then of the one before it, and so on.

    Without `paddings_contiguous` all numbers before come first. Modes: "constant", "reflect", "edge", "circular".
    """
    if mode not in ("constant", "reflect", "edge", "circular"):
        raise ValueError(f"For 'PadV3', the 'mode' must be 'constant', 'reflect', 'edge' or 'circular', but got {mode}")
    numbers = paddings.tolist() if isinstance(paddings, Tensor) else list(paddings)
    if not paddings_contiguous:
        half = len(numbers) // 2
        numbers = [numbers[place // 2 + half * (place % 2)] for place in range(len(numbers))]
    if mode != "constant" or constant_value is None:
        return pad(x, numbers, "replicate" if mode == "edge" else mode)
    low = pad(x, numbers)
    if not isinstance(constant_value, Tensor):
        return pad(x, numbers, "constant", constant_value)
    inside = pad(F.fill(mstype.bool_, x.shape, True), numbers)
    return F.select(inside, low, F.broadcast_to(F.cast(constant_value, x.dtype), low.shape))


def _known(x):
    """The number in a Tensor of one element that is known while compiling, or a number itself."""
    number = x.tolist() if isinstance(x, Tensor) else x
    return number[0] if isinstance(number, list) else number


def permutation(n, seed=0, offset=0, dtype=mstype.int64):
    """The numbers from 0 to before `n` in a random order; `n`, `seed` and `offset` are ints or Tensors known while compiling."""
    return randperm(_known(n), _known(seed), _known(offset), dtype)


def classes_by_weights(x, seed, offset, numsamples, replacement=False):
    """Classes drawn by weights, int64; `seed` and `offset` are ints or Tensors known while compiling."""
    return multinomial_with_replacement(x, _known(seed), _known(offset), numsamples, replacement)


def padded_permutation(n, max_length=1, pad=-1, dtype=mstype.int32):
    """The numbers from 0 to before `n`, known while compiling, in a random order, filled up with `pad` to `max_length`."""
    count = _known(n)
    if count < 0 or count > max_length:
        raise ValueError(f"For 'Randperm', 'n' must be from 0 to 'max_length' {max_length}, but got {count}")
    filled = F.fill(dtype, (max_length - count,), pad)
    return F.concat((randperm(count, 0, 0, dtype), filled), 0) if count > 0 else filled


def any_integers(shape, dtype=mstype.int64):
    """Random integers of all of an element type: int32, int64, uint32 or uint64."""
    if dtype not in (mstype.int32, mstype.int64, mstype.uint32, mstype.uint64):
        raise TypeError(f"For 'NonDeterministicInts', 'dtype' must be int32, int64, uint32 or uint64, but got {dtype}")
    drawn = F.cast(_random.even((4,) + _random.extents(shape)) * 65536.0, mstype.int64)
    low = drawn[0] + drawn[1] * 65536
    return F.cast(low if dtype in (mstype.int32, mstype.uint32) else low + (drawn[2] + drawn[3] * 65536) * 2 ** 32, dtype)


def log_normal_numbers(input_x, mean=1.0, std=2.0):
    """Log-normal numbers in the shape and element type of a tensor: exp of normal ones of a mean and a deviation."""
    return F.cast(F.exp(_random.normal(input_x.shape) * std + mean), input_x.dtype)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3):
    """x where positive, elsewhere x times a slope drawn for each element from `lower` to `upper` (Xu et al. 2015)."""
    if lower > upper:
        raise ValueError(f"For 'rrelu', 'lower' must be at most 'upper', but got {lower} and {upper}")
    slopes = F.cast(_random.even(input.shape) * (upper - lower) + lower, input.dtype)
    return F.select(F.greater(input, 0.0), input, input * slopes)


def dyn_shape(input_x):
    """The extents, a tensor of int64."""
    return shape_tensor(input_x)

__all__ = ["dyn_shape", "rrelu"]
