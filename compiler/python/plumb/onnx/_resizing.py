"""ONNX operators on images at other sizes and places, in the parsable subset.

Each axis is a linear map of its own (`ops/function/resize.py`), whose elements and weights are known while compiling. Coordinates and
roundings: https://onnx.ai/onnx/operators/onnx__Resize.html.
"""

import numpy as np

from plumb import ops
from plumb.ops import _functions as F
from plumb.ops.function.resize import mapped
from plumb.onnx._registry import operator
from plumb.onnx._values import number, numbers, one_of, positive_all, reals, tensor


def _coordinates(mode, extent, wanted, scale, bounds):
    """Where the elements of the result lie among those of the input."""
    places = np.arange(wanted)
    if mode == "align_corners":
        return places * ((extent - 1) / max(wanted - 1, 1)) if wanted > 1 else places * 0.0
    if mode == "asymmetric":
        return places / scale
    if mode == "tf_half_pixel_for_nn":
        return (places + 0.5) / scale
    if mode == "half_pixel_symmetric":
        middle = extent / 2 * (1 - wanted / (extent * scale))
        return middle + (places + 0.5) / scale - 0.5
    if mode == "pytorch_half_pixel":
        return (places + 0.5) / scale - 0.5 if wanted > 1 else places * 0.0
    if mode == "tf_crop_and_resize":
        if wanted > 1:
            return bounds[0] * (extent - 1) + places * ((bounds[1] - bounds[0]) * (extent - 1) / (wanted - 1))
        return places + 0.5 * (bounds[0] + bounds[1]) * (extent - 1)
    if mode == "half_pixel":
        return (places + 0.5) / scale - 0.5
    raise ValueError(f"the coordinate_transformation_mode '{mode}' of Resize is unknown")


_ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def _nearest(places, extent, rounding):
    """The element that each position takes."""
    one_of(rounding, _ROUNDINGS, "Resize with nearest_mode")
    if rounding == "round_prefer_floor":
        found = np.ceil(places - 0.5)
    elif rounding == "round_prefer_ceil":
        found = np.floor(places + 0.5)
    else:
        found = np.floor(places) if rounding == "floor" else np.ceil(places)
    return np.reshape(np.clip(found, 0, extent - 1).astype(np.int32), (-1, 1)), None


def _cubic_weights(share, a):
    """Weights of the four elements around a position, `share` behind the second (Keys 1981)."""
    near, far = np.stack([share, 1 - share], 1), np.stack([share + 1, 2 - share], 1)
    inner = ((a + 2) * near - (a + 3)) * near * near + 1
    outer = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a
    return np.stack([outer[:, 0], inner[:, 0], inner[:, 1], outer[:, 1]], 1)


def _wide_weights(share, mode, a, scale):
    """(places beside the element below, weights) of an image that is made smaller: each element's reach grows as the image shrinks."""
    first = int(np.floor((-1 if mode == "linear" else -2) / scale) + 1)
    beside = np.arange(first, (2 if mode == "linear" else 4) - first)
    distance = np.abs(np.reshape(beside, (1, -1)) - np.reshape(share, (-1, 1))) * scale
    if mode == "linear":
        weights = np.clip(1 - distance, 0, 1)
    else:
        inner = ((a + 2) * distance - (a + 3)) * distance * distance + 1
        outer = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
        weights = np.where(distance <= 1, inner, np.where(distance < 2, outer, 0.0))
    return beside, weights / np.reshape(np.sum(weights, 1), (-1, 1))


def _smooth(places, extent, mode, a, exclude_outside, narrowed):
    """Elements and weights around each position; `narrowed` is the scale of an image that is made smaller without steps, else 1."""
    low = np.floor(places)
    share = places - low
    if narrowed < 1.0:
        beside, weights = _wide_weights(share, mode, a, narrowed)
        found = np.reshape(low, (-1, 1)) + np.reshape(beside, (1, -1))
    elif mode == "linear":
        found, weights = np.stack([low, low + 1], 1), np.stack([1 - share, share], 1)
    else:
        found, weights = np.stack([low - 1, low, low + 1, low + 2], 1), _cubic_weights(share, a)
    if exclude_outside:
        weights = np.where((found < 0) | (found >= extent), 0.0, weights)
        weights = weights / np.reshape(np.sum(weights, 1), (-1, 1))
    return np.clip(found, 0, extent - 1).astype(np.int32), weights


def _taps(mode, extent, wanted, scale, bounds, coordinates, rounding, a, exclude_outside, antialias):
    places = _coordinates(coordinates, extent, wanted, scale, bounds)
    one_of(mode, ("nearest", "linear", "cubic"), "Resize with mode")
    if mode == "nearest":
        return _nearest(places, extent, rounding)
    return _smooth(places, extent, mode, a, exclude_outside, scale if antialias else 1.0)


def _outside(places, extent):
    return (places < 0) | (places > extent - 1)


def _scaled(extent, factor):
    """An extent times a scale, rounded as float32, down to a whole number: 10 times 0.7 is 7."""
    return number(np.array([extent], "float32") * np.array([factor], "float32"), "a scaled extent")


@operator("Resize", since=11, known=(1, 2, 3))
def resize(x, roi=None, scales=None, sizes=None, coordinate_transformation_mode="half_pixel", cubic_coeff_a=-0.75, exclude_outside=0,
           extrapolation_value=0.0, mode="nearest", nearest_mode="round_prefer_floor", axes=None, keep_aspect_ratio_policy="stretch", antialias=0):
    """x at other extents, by nearest elements, or by linear or cubic maps of each axis."""
    one_of(keep_aspect_ratio_policy, ("stretch", "not_larger", "not_smaller"), "Resize with keep_aspect_ratio_policy")
    x = tensor(x)
    chosen = tuple(range(x.ndim)) if axes is None else positive_all(axes, x.ndim)
    by_size = sizes is not None and sizes.size > 0
    wanted = numbers(sizes, "the sizes of Resize") if by_size else ()
    factors = () if by_size else reals(scales, "the scales of Resize")
    bounds = reals(roi, "the roi of Resize") if roi is not None and roi.size > 0 else (0.0,) * len(chosen) + (1.0,) * len(chosen)
    common = 0.0  # one scale for all axes
    if by_size and keep_aspect_ratio_policy != "stretch":
        scales_ = [count / x.shape[axis] for count, axis in zip(wanted, chosen)]
        common = min(scales_) if keep_aspect_ratio_policy == "not_larger" else max(scales_)
        wanted = tuple([int(np.floor(x.shape[axis] * common + 0.5)) for axis in chosen])
    maps, changed, masks = (), (), ()
    for place, axis in enumerate(chosen):
        extent = x.shape[axis]
        count = wanted[place] if by_size else _scaled(extent, factors[place])
        scale = (common if common else count / extent) if by_size else factors[place]
        box = (bounds[place], bounds[place + len(chosen)])
        if count != extent or scale != 1.0 or coordinate_transformation_mode == "tf_crop_and_resize":
            maps = maps + (_taps(mode, extent, count, scale, box, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, exclude_outside, antialias),)
            changed = changed + (axis,)
            if coordinate_transformation_mode == "tf_crop_and_resize":
                masks = masks + (_outside(_coordinates("tf_crop_and_resize", extent, count, scale, box), extent),)
    made = mapped(x, maps, changed)
    for axis, mask in zip(changed, masks):
        beside = np.reshape(mask, (-1,) + (1,) * (x.ndim - axis - 1))
        made = F.select(F.broadcast_to(tensor(beside), made.shape), F.zeros_like(made) + extrapolation_value, made)
    return made


@operator("Resize", since=10, known=(1,))
@operator("Upsample", since=9, known=(1,))
def upsample(x, scales, mode="nearest"):
    """x at extents that are multiplied, from the first element on."""
    return resize(x, None, scales, None, "asymmetric", -0.75, 0, 0.0, mode, "floor")


@operator("Upsample", since=7)
def upsample_by_attribute(x, scales=(), mode="nearest"):
    """x at extents that are multiplied, from the first element on."""
    return upsample(x, np.array(scales, "float32"), mode)


@operator("GridSample", since=16)
def grid_sample(x, grid, align_corners=0, mode="bilinear", padding_mode="zeros"):
    """Images at the places of a grid, -1 to 1."""
    one_of(mode, ("bilinear", "linear", "nearest"), "GridSample with mode")
    return ops.grid_sample(tensor(x), tensor(grid), "bilinear" if mode == "linear" else mode, padding_mode, bool(align_corners))


@operator("AffineGrid", known=(1,))
def affine_grid(theta, size, align_corners=0):
    """The places of an image's elements, -1 to 1, as affine maps of (N, 2, 3) or (N, 3, 4) move them."""
    return ops.affine_grid(tensor(theta), numbers(size, "the size of AffineGrid"), bool(align_corners))
