"""Classes of images: other sizes, samples, boxes and colours."""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.api import Whole
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops import function as f
from plumb.ops._primitive import Composite, Named, function_classes
from plumb.ops.grad import GradFunction
from plumb.ops.function import boxes, colours, combined_boxes, resize, sampling

_FLAGS = {"align_corners": False, "half_pixel_centers": False}


@Whole
def _nearest(x, size, align_corners=False, half_pixel_centers=False, data_format="NCHW"):
    """Images whose elements are each the nearest one of the input."""
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError(f"For 'ResizeNearestNeighbor', 'data_format' must be 'NCHW' or 'NHWC', but got {data_format}")
    corners = resize.corners_of("ResizeNearestNeighbor", align_corners, half_pixel_centers)
    return resize.resized(x, size, resize.nearest_taps, corners, 2 if data_format == "NCHW" else 1)


@Whole
def _bilinear(x, size, align_corners=False, half_pixel_centers=False):
    """Images (N, C, H, W) at another size, by two elements along each axis; of integers in float32."""
    corners = resize.corners_of("ResizeBilinear", align_corners, half_pixel_centers)
    return resize.resized(_checks.real("ResizeBilinear", x), size, resize.linear_taps, corners)


@Whole
def _bicubic(images, size, align_corners=False, half_pixel_centers=False):
    """Images (N, C, H, W) at another size, by four elements along each axis; see `ops.interpolate`."""
    corners = resize.corners_of("ResizeBicubic", align_corners, half_pixel_centers)
    return resize.bicubic(_checks.real("ResizeBicubic", images), size, corners)


@Whole
def _area(images, size, align_corners=False):
    """Images (N, H, W, C) at another size, float32: the means over each element's stretch of the input."""
    x = F.cast(images, mstype.float32)
    return resize.resized(x, size, resize.area_taps, "align_corners" if align_corners else "asymmetric", 1)


@Whole
def _linear(x, size, coordinate_transformation_mode="align_corners"):
    """Signals (N, C, W) at another size, by two elements."""
    if coordinate_transformation_mode not in ("align_corners", "half_pixel"):
        raise ValueError(f"For 'ResizeLinear1D', 'coordinate_transformation_mode' must be 'align_corners' or 'half_pixel', but got "
                         f"{coordinate_transformation_mode}")
    return resize.resized(x, size, resize.linear_taps, coordinate_transformation_mode)


@Whole
def _translated(images, size, scale, translation, kernel_type="lanczos3", antialias=True):
    """Images (N, H, W, C) scaled, moved and cut to a size, float32; weights by a kernel, which grows with the scale if `antialias`."""
    x, maps = F.cast(images, mstype.float32), ()
    for axis in range(2):
        maps = maps + (resize.kernel_taps(x.shape[1 + axis], size[axis], kernel_type, scale[axis], translation[axis], antialias),)
    return resize.mapped(x, maps, (1, 2))


def _sized(function, who, count=2):
    """The function with its second input, a size, as ints: a tensor's values are read before anything is compiled."""
    def with_ints(x, size, **options):
        return function(x, resize.sizes_of(who, size, count), **options)
    with_ints.__doc__ = function.fn.__doc__
    return with_ints


class ResizeV2(Composite):
    """Images (N, C, H, W) at another size; `roi` and `scales` are not used.

    Args:
      coordinate_transformation_mode: "half_pixel", "align_corners" or "asymmetric".
      mode: "nearest" (the element at the position rounded down, of "align_corners" to the nearest; "half_pixel" counts as
        "asymmetric"), "linear" or "cubic".

    Inputs:
      x, roi, scales, and `sizes`: the extents of all axes, a Tensor of four ints that is known while compiling.

    Raises:
      ValueError: for other modes, and for sizes that differ from x's first two extents.
    """

    def __init__(self, coordinate_transformation_mode="half_pixel", mode="nearest"):
        super().__init__()
        if coordinate_transformation_mode not in ("half_pixel", "align_corners", "asymmetric") or mode not in ("nearest", "linear", "cubic"):
            raise ValueError(f"For 'ResizeV2', coordinate_transformation_mode='{coordinate_transformation_mode}' and mode='{mode}' are "
                             f"not offered.")
        self.corners, self.mode = coordinate_transformation_mode, mode

    def construct(self, x, roi, scales, sizes):
        """Compiled body."""
        extents = resize.sizes_of("ResizeV2", sizes, 4)
        if x.ndim != 4 or extents[:2] != x.shape[:2]:
            raise ValueError(f"For 'ResizeV2', the sizes {extents} must keep the first two extents of {x.shape}")
        if self.mode == "nearest":
            return resize.resized(x, extents[2:], resize.nearest_taps, "align_corners" if self.corners == "align_corners" else "asymmetric")
        taps = resize.linear_taps if self.mode == "linear" else resize.cubic_taps
        return resize.resized(_checks.real("ResizeV2", x), extents[2:], taps, self.corners)


class ScaleAndTranslate(Composite):
    """Scales images (N, H, W, C), moves them and cuts them to a size; see `kernel_taps`.

    Args:
      kernel_type: "lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic" or "mitchellcubic".
      antialias: whether the kernel is wider where images become smaller.
    """

    def __init__(self, kernel_type="lanczos3", antialias=True):
        super().__init__()
        known = ("lanczos1", "lanczos3", "lanczos5", "gaussian", "box", "triangle", "keyscubic", "mitchellcubic")
        if kernel_type not in known:
            raise ValueError(f"For 'ScaleAndTranslate', 'kernel_type' must be in {known}, but got {kernel_type}.")
        self.kernel_type, self.antialias = kernel_type, bool(antialias)

    def construct(self, images, size, scale, translation):
        """Compiled body; scale and translation are known while compiling."""
        scales, moves = tuple(scale.tolist()), tuple(translation.tolist())
        if min(scales) <= 0:
            raise ValueError(f"For 'ScaleAndTranslate', the scale must be above 0, but got {scales}")
        return _translated(images, resize.sizes_of("ScaleAndTranslate", size, 2), scales, moves, self.kernel_type, self.antialias)


class ExtractGlimpse(Composite):
    """Windows of images (N, H, W, C) around places, float32.

    Args:
      centered: whether (0, 0) is the image's middle and places are halved, instead of the first element.
      normalized: whether places are shares, of which 1 is the image's extent.
      uniform_noise: whether uniform numbers of [0, 1) stand outside, whatever `noise` says.
      noise: what stands outside: "zero", "uniform", or "gaussian" (normal numbers, 0 for negative ones).
    """

    def __init__(self, centered=True, normalized=True, uniform_noise=True, noise="uniform"):
        super().__init__()
        if noise not in ("zero", "uniform", "gaussian"):
            raise ValueError(f"For 'ExtractGlimpse', 'noise' must be 'zero', 'uniform' or 'gaussian', but got {noise}.")
        self.centered, self.normalized = bool(centered), bool(normalized)
        self.noise = "uniform" if uniform_noise else noise

    def construct(self, x, size, offsets):
        """Compiled body."""
        return _glimpses(x, resize.sizes_of("ExtractGlimpse", size, 2), offsets, self.centered, self.normalized, self.noise)


@Whole
def _glimpses(x, size, offsets, centered, normalized, noise):
    """Windows whose middles are given, row by row."""
    places = ()
    for axis in range(2):
        extent, start = x.shape[1 + axis], offsets[:, axis]
        start = start * (1.0 * extent) if normalized else start
        start = start * 0.5 + 0.5 * extent if centered else start
        first = F.trunc(start - 0.5 * size[axis])
        places = places + (F.expand_dims(first, 1) + F.cast(F.reshape(F.arange(size[axis]), (1, -1)), first.dtype),)
    grid = sampling.grid_of(places[0], places[1])
    images = sampling.numbers_like(offsets, size)
    made = sampling.picked(F.reshape(F.cast(x, mstype.float32), (-1, x.shape[3])), images, grid, x.shape[1:3])
    if noise != "zero":
        others = f.rand(*made.shape) if noise == "uniform" else F.maximum(f.standard_normal(made.shape), 0.0)
        made = F.select(F.expand_dims(sampling.inside(grid, x.shape[1:3]), 1), made, others)
    return F.reshape(made, (x.shape[0],) + size + (x.shape[3],))


class CropAndResize(Composite):
    """Cuts boxes out of images (N, H, W, C) and gives them one size; see `ops.crop_and_resize`.

    "bilinear_v2" takes the elements at the edge for what is outside of an image, and has a gradient; MindSpore 2.0.0 takes whatever
    stands there in memory, and has none.
    """

    def __init__(self, method="bilinear", extrapolation_value=0.0):
        super().__init__()
        if method not in ("bilinear", "nearest", "bilinear_v2"):
            raise ValueError(f"For 'CropAndResize', 'method' must be 'bilinear', 'bilinear_v2' or 'nearest', but got {method}.")
        self.method, self.extrapolation_value = method, extrapolation_value

    def construct(self, x, boxes, box_index, crop_size):
        """Compiled body."""
        return f.crop_and_resize(x, boxes, box_index, crop_size, self.method, self.extrapolation_value)


class CombinedNonMaxSuppression(Composite):
    """The best boxes of all classes; see `combined_nms`. It runs on the host, outside of compiled functions."""

    def __init__(self, pad_per_class=False, clip_boxes=True):
        super().__init__()
        self.pad_per_class, self.clip_boxes = bool(pad_per_class), bool(clip_boxes)

    def construct(self, *inputs):
        """The body."""
        return combined_boxes.combined_nms(*inputs, self.pad_per_class, self.clip_boxes)


class CropAndResizeGradImage(Composite):
    """The gradient of `CropAndResize` by its images: from gradients (boxes, rows, columns, C), the boxes, their images and the
    images' shape, a constant Tensor of four ints.

    Args:
      T: the result's element type.
      method: "bilinear" or "nearest".
    """

    def __init__(self, T, method="bilinear"):
        super().__init__()
        self.T, self.method = T, method
        self.gradient = GradFunction(f.crop_and_resize, (0,), (), False, sens=True)

    def construct(self, grads, boxes, box_index, image_size):
        """Compiled body."""
        images = F.fill(mstype.float32, resize.sizes_of("CropAndResizeGradImage", image_size, 4), 0)
        return F.cast(self.gradient(images, boxes, box_index, grads.shape[1:3], self.method, 0.0, grads), self.T)


class CropAndResizeGradBoxes(Composite):
    """The gradient of `CropAndResize` by its boxes: from gradients (boxes, rows, columns, C), images, boxes and their images.

    Args:
      method: "bilinear".
    """

    def __init__(self, method="bilinear"):
        super().__init__()
        if method != "bilinear":
            raise ValueError(f"For 'CropAndResizeGradBoxes', 'method' must be 'bilinear', but got {method}.")
        self.method = method
        self.gradient = GradFunction(f.crop_and_resize, (1,), (), False, sens=True)

    def construct(self, grads, images, boxes, box_index):
        """Compiled body."""
        return self.gradient(images, boxes, box_index, grads.shape[1:3], self.method, 0.0, grads)


class _UpsampleVolumes(Composite):
    """Gives volumes (N, C, D, H, W) another size."""

    mode, align_corners = "nearest", None

    def __init__(self, output_size=None, scales=None):
        super().__init__()
        if output_size is not None and scales is not None:
            raise ValueError(f"For '{type(self).__name__}', give one of 'output_size' and 'scales'.")
        self.output_size = None if output_size is None else tuple(output_size)
        self.scales = None if scales is None else tuple(scales)

    def construct(self, x, output_size=None, scales=None):
        """Compiled body; the size, or the scales, were given to the constructor or stand here, as newer MindSpore has it."""
        size = self.output_size if output_size is None else tuple(output_size)
        scales = self.scales if scales is None else tuple(scales)
        if (size is None) == (scales is None):
            raise ValueError(f"For '{self.name}', give one of 'output_size' and 'scales'")
        return f.interpolate(x, size, scales, self.mode, self.align_corners)


class UpsampleNearest3D(_UpsampleVolumes):
    """Gives volumes (N, C, D, H, W) another size; each element is the nearest one of the input."""


class UpsampleTrilinear3D(_UpsampleVolumes):
    """Gives volumes (N, C, D, H, W) another size, by two elements along each axis."""

    mode = "trilinear"

    def __init__(self, output_size=None, scales=None, align_corners=False):
        super().__init__(output_size, scales)
        self.align_corners = bool(align_corners)


TABLE = {
    "AdjustHue": colours.adjust_hue,
    "AdjustSaturation": colours.adjust_saturation,
    "AffineGrid": (f.affine_grid, {"align_corners": False}),
    "BoundingBoxDecode": (f.bounding_box_decode, {"max_shape": ..., "means": (0.0, 0.0, 0.0, 0.0), "stds": (1.0, 1.0, 1.0, 1.0),
                                                  "wh_ratio_clip": 0.016}),
    "BoundingBoxEncode": (f.bounding_box_encode, {"means": (0.0, 0.0, 0.0, 0.0), "stds": (1.0, 1.0, 1.0, 1.0)}),
    "CheckValid": f.check_valid,
    "GridSampler2D": (f.grid_sample, {"interpolation_mode": Named("bilinear", "mode"), "padding_mode": "zeros", "align_corners": False}),
    "GridSampler3D": (f.grid_sample, {"interpolation_mode": Named("bilinear", "mode"), "padding_mode": "zeros", "align_corners": False}),
    "HSVToRGB": colours.hsv_to_rgb,
    "IOU": (f.iou, {"mode": "iou"}),
    "NMSWithMask": (boxes.nms_with_mask, {"iou_threshold": 0.5}),
    "NonMaxSuppressionV3": boxes.non_max_suppression,
    "NonMaxSuppressionWithOverlaps": boxes.non_max_suppression_by,
    "PSROIPooling": (sampling.ps_roi_pooling, {"spatial_scale": ..., "group_size": ..., "output_dim": ...}),
    "RGBToHSV": colours.rgb_to_hsv,
    "ROIAlign": (sampling.roi_align, {"pooled_height": ..., "pooled_width": ..., "spatial_scale": ..., "sample_num": 2, "roi_end_mode": 1}),
    "ResizeArea": (_sized(_area, "ResizeArea"), {"align_corners": False}),
    "ResizeBicubic": (_sized(_bicubic, "ResizeBicubic"), _FLAGS),
    "ResizeBilinear": (_bilinear, {"size": ...} | _FLAGS),
    "ResizeBilinearV2": (_sized(_bilinear, "ResizeBilinearV2"), _FLAGS),
    "ResizeLinear1D": (_sized(_linear, "ResizeLinear1D", 1), {"coordinate_transformation_mode": "align_corners"}),
    "ResizeNearestNeighbor": (_nearest, {"size": ..., "align_corners": False}),
    "ResizeNearestNeighborV2": (_sized(_nearest, "ResizeNearestNeighborV2"), _FLAGS | {"data_format": "NHWC"}),
}

globals().update(function_classes(TABLE))

__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("Composite", "F", "GradFunction", "Named", "TABLE",
                                                                               "Whole")]
