"""Images and signals at another size, with MindSpore's signatures, in the parsable subset.

Each axis is a linear map of its own: an element is the sum of a few of the input with weights, which are constants of the
program. Its value is computed by gathers of those elements; its gradient is a product with the map's matrix. (At 112 x 112 to
224 x 224 and 64 channels gathers take less than half the time of products, and the scatters that differentiate them twice
that of products.)
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops._primitive import Composite
from plumb.ops.function import pooling
from plumb.ops.function.shape import repeat_elements


# -- maps of one axis: (numbers, weights), each of (wanted, taps)


def _positions(extent, wanted, corners, step=None):
    """Where the elements of the result lie in the input.

    Args:
      corners: "align_corners" (first and last elements coincide), "half_pixel" (the ends of the first and last do) or "asymmetric".
      step: the distance between two; by default what `wanted` makes of it.
    """
    numbers = np.arange(wanted)
    if corners == "align_corners":
        return numbers * (extent - 1) / max(wanted - 1, 1)
    step = extent / wanted if step is None else step
    return (numbers + 0.5) * step - 0.5 if corners == "half_pixel" else numbers * step


def nearest_taps(extent, wanted, corners, step=None):
    """The nearest element: the one at the position rounded down, or, with aligned corners, to the nearest (halves up).

    "half_pixel" takes the element in which the middle lies. Whole numbers decide, unless a step is given.
    """
    numbers = np.arange(wanted)
    if corners == "align_corners":
        places = (2 * numbers * (extent - 1) + max(wanted - 1, 1)) // (2 * max(wanted - 1, 1))
    elif step is not None:
        places = np.floor((numbers + (0.5 if corners == "half_pixel" else 0.0)) * step)
    else:
        places = (2 * numbers + 1) * extent // (2 * wanted) if corners == "half_pixel" else numbers * extent // wanted
    return np.minimum(places, extent - 1).astype(np.int32).reshape(wanted, 1), None


def linear_taps(extent, wanted, corners, step=None):
    """The two elements around each position."""
    places = np.maximum(_positions(extent, wanted, corners, step), 0.0)
    low = np.minimum(np.floor(places), extent - 1)
    share = places - low
    return (np.stack([low, np.minimum(low + 1, extent - 1)], 1).astype(np.int32), np.stack([1.0 - share, share], 1))


def _cubic(distance, a):
    """The convolution kernel of Keys 1981 with the parameter a."""
    x = np.abs(distance)
    return np.where(x <= 1, ((a + 2) * x - (a + 3)) * x * x + 1, np.where(x < 2, (((x - 5) * x + 8) * x - 4) * a, 0.0))


def cubic_taps(extent, wanted, corners, step=None, a=-0.75, renormalised=False, parts=None):
    """The four elements around each position; beyond the ends the last one counts, or, if `renormalised`, none.

    With `parts`, positions between two elements are rounded to that many parts of their distance: MindSpore's kernels look the
    weights up in a table.
    """
    places = _positions(extent, wanted, corners, step)
    numbers = np.floor(places).reshape(-1, 1) + np.arange(-1, 3)
    places = places if parts is None else np.rint(places * parts) / parts
    weights = _cubic(places.reshape(-1, 1) - numbers, a)
    if renormalised:
        weights = weights * ((numbers >= 0) & (numbers < extent))
        weights = weights / weights.sum(1).reshape(-1, 1)
    return np.clip(numbers, 0, extent - 1).astype(np.int32), weights


def area_taps(extent, wanted, corners, step=None):
    """The mean over each element's stretch of the input."""
    step = (extent - 1) / (wanted - 1) if corners == "align_corners" and wanted > 1 else extent / wanted
    first = np.arange(wanted).reshape(-1, 1) * step
    # What a step of whole numbers gives beyond the last element by rounding is no tap.
    numbers = np.floor(first) + np.arange(int(np.ceil(step)) + 1)
    shares = np.minimum(numbers + 1, first + step) - np.maximum(numbers, first)
    shares = np.where(shares > 1e-9, shares, 0.0)
    return np.clip(numbers, 0, extent - 1).astype(np.int32), shares / step


def _kernel(name, distance):
    """Weights of a kernel by distance; what rounding has left between two elements counts as between them."""
    x = np.round(np.abs(distance), 6)
    if name[:7] == "lanczos":
        reach = 1.0 * int(name[7:])
        return np.where(x < reach, np.sinc(x) * np.sinc(x / reach), 0.0)
    if name == "gaussian":
        return np.where(x < 1.5, np.exp(-2.0 * x * x), 0.0)
    if name == "box":
        return np.where(x < 0.5, 1.0, np.where(x == 0.5, 0.5, 0.0))
    if name == "triangle":
        return np.maximum(1.0 - x, 0.0)
    if name == "keyscubic":
        return _cubic(x, -0.5)
    near = (7.0 / 6.0 * x - 2.0) * x * x + 8.0 / 9.0
    far = ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


def kernel_taps(extent, wanted, name, scale, translation, antialias):
    """Elements weighted by a kernel around the position (i + 0.5 - translation) / scale; 0 where that lies outside."""
    middle = (np.arange(wanted).reshape(-1, 1) + 0.5 - translation) / scale
    width = max(1.0 / scale, 1.0) if antialias else 1.0
    numbers = np.arange(extent)
    weights = _kernel(name, (numbers + 0.5 - middle) / width)
    total = weights.sum(1).reshape(-1, 1)
    usable = (middle >= 0) & (middle <= extent) & (np.abs(total) > 1e-9)
    weights = np.where(usable, weights / np.where(usable, total, 1.0), 0.0)
    return np.broadcast_to(numbers, weights.shape).astype(np.int32), weights


# -- maps applied


def _matrix(extent, numbers, weights):
    """The map's matrix, (wanted, extent)."""
    total = np.zeros((numbers.shape[0], extent))
    for tap in range(numbers.shape[1]):
        marks = numbers[:, tap].reshape(-1, 1) == np.arange(extent)
        total = total + (marks if weights is None else marks * weights[:, tap].reshape(-1, 1))
    return total


def _product(x, matrix, axis):
    """The product of a matrix with an axis of x."""
    shape = x.shape[:axis] + (matrix.shape[0],) + x.shape[axis + 1:]
    if axis == x.ndim - 1:
        return F.reshape(F.matmul(F.reshape(x, (-1, x.shape[axis])), _constant(matrix.T, x.dtype)), shape)
    rest = 1
    for extent in x.shape[axis + 1:]:
        rest = rest * extent
    return F.reshape(F.matmul(_constant(matrix, x.dtype), F.reshape(x, (-1, x.shape[axis], rest))), shape)


class _Mapped(Composite):
    """A linear map of one axis."""

    def construct(self, x, numbers, weights, axis):
        """Compiled body."""
        if numbers.shape[1] > 8:
            return _product(x, _matrix(x.shape[axis], numbers, weights), axis)
        total, rest = None, (1,) * (x.ndim - 1 - axis)
        for tap in range(numbers.shape[1]):
            part = F.gather(x, _checks.Tensor(numbers[:, tap]), axis)
            if weights is not None:
                part = part * F.reshape(_constant(weights[:, tap], x.dtype), (-1,) + rest)
            total = part if total is None else total + part
        return total

    def bprop(self, x, numbers, weights, axis, out, dout):
        """The product with the transposed matrix."""
        return (_product(dout, _matrix(x.shape[axis], numbers, weights).T, axis), None, None, None)


_mapped = _Mapped()


def _constant(array, dtype):
    """Weights as a tensor; those of the nearest elements, zeros and ones, go with integers, too."""
    made = _checks.Tensor(array.astype(np.float64 if dtype == mstype.float64 else np.float32))
    return made if dtype in (mstype.float32, mstype.float64) else F.cast(made, dtype)


def mapped(x, taps, axes):
    """The maps of several axes, one after the other; 16-bit floats by float32 in between."""
    narrow = x.dtype == mstype.float16 or x.dtype == mstype.bfloat16
    result = F.cast(x, mstype.float32) if narrow else x
    for map_of, axis in zip(taps, axes):
        result = _mapped(result, map_of[0], map_of[1], axis)
    return F.cast(result, x.dtype) if narrow else result


def resized(x, sizes, taps, corners, first=2, steps=None, **options):
    """x with the axes from `first` on at other sizes, by a function of taps."""
    maps, axes = (), ()
    for number in range(len(sizes)):
        extent, step = x.shape[first + number], None if steps is None else steps[number]
        whole = sizes[number] % extent == 0 and corners != "align_corners" and step in (None, extent / sizes[number])
        if taps is nearest_taps and whole:
            x = repeat_elements(x, sizes[number] // extent, first + number)
        elif extent != sizes[number] or step is not None and step != 1.0:
            maps = maps + (taps(extent, sizes[number], corners, step, **options),)
            axes = axes + (first + number,)
    return mapped(x, maps, axes)


def bicubic(x, sizes, corners, steps=None):
    """Images (N, C, H, W) by four elements along each axis; see `interpolate`."""
    middles = corners == "half_pixel"
    return resized(x, sizes, cubic_taps, corners, 2, steps, a=-0.5 if middles else -0.75, renormalised=middles, parts=1024)


def sizes_of(who, size, count):
    """`count` extents of an int, a tuple or list of ints, or a tensor of them."""
    size = size.tolist() if isinstance(size, _checks.Tensor) else size
    sizes = (size,) * count if isinstance(size, int) else tuple(size)
    sizes = sizes * count if len(sizes) == 1 else sizes
    if len(sizes) != count:
        raise ValueError(f"For '{who}', 'size' must be an int or {count} of them, but got {size}")
    for extent in sizes:
        if extent < 1:
            raise ValueError(f"For '{who}', 'size' must be above 0, but got {size}")
    return sizes


def corners_of(who, align_corners, half_pixel_centers=False):
    """The word for two flags, of which at most one holds."""
    if align_corners and half_pixel_centers:
        raise ValueError(f"For '{who}', 'align_corners' and 'half_pixel_centers' exclude each other")
    return "align_corners" if align_corners else "half_pixel" if half_pixel_centers else "asymmetric"


_RANKS = {"nearest": (3, 4, 5), "nearest-exact": (3, 4, 5), "linear": (3,), "bilinear": (4,), "trilinear": (5,), "bicubic": (4,),
          "area": (3, 4, 5)}


def _by_older_names(input, sizes, scales, mode, corners):
    """`interpolate` as MindSpore 1.8 to 1.10 have it: signals or images, linear between elements."""
    mode = "linear" if mode == "nearest" else mode
    if mode not in ("linear", "bilinear") or input.ndim not in _RANKS[mode]:
        raise ValueError(f"For 'interpolate' with 'sizes' or 'scales', 'mode' must be 'linear' for inputs of 3 axes or 'bilinear' for 4, but got "
                         f"'{mode}' for {input.shape}")
    if corners not in ("align_corners", "half_pixel", "asymmetric"):
        raise ValueError(f"For 'interpolate', 'coordinate_transformation_mode' must be 'align_corners', 'half_pixel' or 'asymmetric', but got "
                         f"'{corners}'")
    if (sizes is None) == (scales is None):
        raise ValueError("For 'interpolate', give one of 'sizes' and 'scales'")
    if scales is not None:
        if len(scales) != input.ndim or scales[0] != 1 or scales[1] != 1:
            raise ValueError(f"For 'interpolate', 'scales' must have one number for each axis of {input.shape}, the first two of them 1, but "
                             f"got {scales}")
        sizes = tuple([int(input.shape[place] * scales[place]) for place in range(2, input.ndim)])
    return resized(input, sizes_of("interpolate", sizes, input.ndim - 2), linear_taps, corners, 2)


def _check_arguments(input, size, scale_factor, mode, align_corners, recompute_scale_factor):
    """Raises ValueError for arguments of `interpolate` that do not go together."""
    if mode not in _RANKS:
        raise ValueError(f"For 'interpolate', 'mode' must be in {list(_RANKS)}, but got {mode}")
    if input.ndim not in _RANKS[mode]:
        raise ValueError(f"For 'interpolate', mode '{mode}' takes inputs of {_RANKS[mode]} axes, but got {input.shape}")
    if (size is None) == (scale_factor is None):
        raise ValueError("For 'interpolate', give one of 'size' and 'scale_factor'")
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise ValueError(f"For 'interpolate', 'align_corners' does not go with mode '{mode}'")
    if recompute_scale_factor and size is not None:
        raise ValueError("For 'interpolate', 'recompute_scale_factor' does not go with 'size'")


def _sizes_by(scale_factor, extents):
    """(`extents` times a number or one for each, rounded down; the factors)."""
    count = len(extents)
    factors = (scale_factor,) * count if isinstance(scale_factor, (int, float)) else tuple(scale_factor)
    if len(factors) != count:
        raise ValueError(f"For 'interpolate', 'scale_factor' must be a number or {count} of them, but got {scale_factor}")
    return sizes_of("interpolate", tuple([int(extents[place] * factors[place]) for place in range(count)]), count), factors


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, *, sizes=None, scales=None,
                coordinate_transformation_mode=None, roi=None):
    """Signals, images or volumes (N, C, …) at another size.

    Args:
      size: the extents, an int or one for each axis; or
      scale_factor: what they are multiplied by, rounded down. Positions are 1 / scale_factor apart, unless `recompute_scale_factor`
        says that the extents decide, as they do for a size.
      mode: "nearest" (the element at the position rounded down), "nearest-exact" (the one its middle lies in), "linear", "bilinear",
        "trilinear" (between two along each axis), "bicubic" (by four: the kernel of Keys 1981, with -0.75 and the last elements
        repeated where corners are aligned, else with -0.5 and only what lies inside; positions count in 1024ths), or "area" (means, see adaptive pooling).
      align_corners: for linear and cubic modes, whether the first and last elements coincide, instead of their outer ends.
      sizes, scales, coordinate_transformation_mode: what MindSpore 1.8 to 1.10 have in place of the others, beside `mode`, "linear" by
        default or "bilinear": extents, or a factor for each axis, the first two included; "align_corners", "half_pixel" or "asymmetric".
      roi: None, as there.
    """
    is_older = sizes is not None or scales is not None
    others = (size, scale_factor, align_corners, recompute_scale_factor) if is_older else (coordinate_transformation_mode,)
    if any([value is not None for value in others]):
        raise ValueError("For 'interpolate', 'sizes', 'scales' and 'coordinate_transformation_mode' stand in the place of 'size', 'scale_factor', "
                         "'align_corners' and 'recompute_scale_factor', not beside them")
    if roi is not None:
        raise ValueError(f"For 'interpolate', 'roi' must be None, but got {roi}")
    if is_older:
        return _by_older_names(input, sizes, scales, mode, coordinate_transformation_mode or "align_corners")
    _check_arguments(input, size, scale_factor, mode, align_corners, recompute_scale_factor)
    count, steps = input.ndim - 2, None
    if size is not None:
        sizes = sizes_of("interpolate", size, count)
    else:
        sizes, factors = _sizes_by(scale_factor, input.shape[2:])
        steps = None if recompute_scale_factor else tuple([1.0 / factor for factor in factors])
    if mode == "area":
        return pooling._adaptive_avg("interpolate", input, count, sizes)
    if mode in ("nearest", "nearest-exact"):
        return resized(input, sizes, nearest_taps, "asymmetric" if mode == "nearest" else "half_pixel", 2, steps)
    corners = corners_of("interpolate", align_corners, not align_corners)
    if mode == "bicubic":
        return bicubic(input, sizes, corners, steps)
    return resized(input, sizes, linear_taps, corners, 2, steps)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """`interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)


interpolate, upsample = Whole(interpolate), Whole(upsample)

__all__ = ["interpolate", "upsample"]
