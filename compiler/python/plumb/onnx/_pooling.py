"""ONNX pooling, in the parsable subset."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops.function import pooling
from plumb.ops.function.sampling import sampled_bins
from plumb.onnx._contractions import interleaved, window
from plumb.ops._sparse import product
from plumb.onnx._registry import operator
from plumb.onnx._values import numbers, one_of, tensor


def _ceiled(extents, kernel, strides, dilations, low, high):
    """Pads at the ends that let a last window begin inside and end outside."""
    ends = ()
    for axis in range(len(kernel)):
        reach = extents[axis] + low[axis] + high[axis] - dilations[axis] * (kernel[axis] - 1) - 1
        count = -(-reach // strides[axis])
        count = count - 1 if count * strides[axis] >= extents[axis] + low[axis] else count
        ends = ends + (max(high[axis], high[axis] + count * strides[axis] - reach),)
    return ends


@operator("MaxPool")
def max_pool(x, auto_pad="NOTSET", ceil_mode=0, dilations=None, kernel_shape=None, pads=None, storage_order=0, strides=None, outputs=1):
    """The largest of each window, and its place in the whole tensor, int64."""
    strides, gaps, low, high = window(x.shape[2:], kernel_shape, strides, dilations, pads, auto_pad)
    high = _ceiled(x.shape[2:], kernel_shape, strides, gaps, low, high) if ceil_mode else high
    if outputs == 1 and x.ndim <= 4 and gaps == (1,) * len(gaps) and x.dtype in (mstype.float32, mstype.float64, mstype.float16):
        return _plain_max_pool(x, kernel_shape, strides, low, high)
    narrow = x.dtype in (mstype.int8, mstype.uint8)
    values, within = pooling.largest(F.cast(x, mstype.float32) if narrow else x, kernel_shape, strides, low, high, gaps, False)
    values = F.cast(values, x.dtype) if narrow else values
    return values if outputs == 1 else (values, _in_tensor(within, x.shape, storage_order))


def _plain_max_pool(x, kernel, strides, low, high):
    if x.ndim == 3:
        return F.squeeze(F.max_pool2d(F.expand_dims(x, 2), (1,) + kernel, (1,) + strides, (0, 0) + interleaved(low, high)), (2,))
    return F.max_pool2d(x, kernel, strides, interleaved(low, high))


def _in_tensor(within, shape, storage_order):
    """Places in images as places in the tensor; images by columns where `storage_order` is 1."""
    space = product(shape[2:])
    if storage_order:
        within = F.floor_mod(within, shape[3]) * shape[2] + F.floor_div(within, shape[3])
    images = F.reshape(F.arange(shape[0] * shape[1], mstype.int64), tuple(shape[:2]) + (1,) * (len(shape) - 2))
    return within + images * space


@operator("AveragePool")
def average_pool(x, auto_pad="NOTSET", ceil_mode=0, count_include_pad=0, dilations=None, kernel_shape=None, pads=None, strides=None):
    """The mean of each window, of what lies inside unless pads count."""
    strides, gaps, low, high = window(x.shape[2:], kernel_shape, strides, dilations, pads, auto_pad)
    if x.ndim == 4 and not ceil_mode and gaps == (1, 1):
        return F.avg_pool2d(x, kernel_shape, strides, interleaved(low, high), bool(count_include_pad))
    return pooling.mean_of_windows("AveragePool", x, x.ndim - 2, kernel_shape, strides, interleaved(low, high), bool(ceil_mode), bool(count_include_pad), 0,
                                   gaps)


@operator("LpPool")
def lp_pool(x, auto_pad="NOTSET", ceil_mode=0, dilations=None, kernel_shape=None, p=2, pads=None, strides=None):
    """The p-th root of the sum of each window's magnitudes to the power of p."""
    strides, gaps, low, high = window(x.shape[2:], kernel_shape, strides, dilations, pads, auto_pad)
    high = _ceiled(x.shape[2:], kernel_shape, strides, gaps, low, high) if ceil_mode else high
    windows = pooling.windows_of(F.pow(F.abs(x), 1.0 * p), kernel_shape, strides, low, high, gaps, False, 0.0)
    return F.pow(F.reduce_sum(windows, tuple(range(x.ndim, windows.ndim))), 1.0 / p)


def _inner(x):
    return tuple(range(2, x.ndim))


@operator("GlobalAveragePool")
def global_average_pool(x):
    """The mean of each channel."""
    return F.reduce_mean(tensor(x), _inner(x), True)


@operator("GlobalMaxPool")
def global_max_pool(x):
    """The largest element of each channel."""
    return F.reduce_max(tensor(x), _inner(x), True)


@operator("GlobalLpPool")
def global_lp_pool(x, p=2):
    """The p-th root of the sum of each channel's magnitudes to the power of p."""
    return F.pow(F.reduce_sum(F.pow(F.abs(tensor(x)), 1.0 * p), _inner(x), True), 1.0 / p)


@operator("MaxUnpool", known=(2,))
def max_unpool(x, places, output_shape=None, kernel_shape=None, pads=None, strides=None):
    """Zeros but for the elements of x, each at its place in the whole tensor."""
    if output_shape is not None:
        shape = numbers(output_shape, "the output shape of MaxUnpool")
    strides = (1,) * len(kernel_shape) if strides is None else strides
    pads = (0,) * (2 * len(kernel_shape)) if pads is None else pads
    own = tuple(x.shape[:2])
    for axis in range(len(kernel_shape)):
        own = own + ((x.shape[2 + axis] - 1) * strides[axis] + kernel_shape[axis] - pads[axis] - pads[axis + len(kernel_shape)],)
    if output_shape is None:
        shape = own
    count = product(shape)
    places = tensor(places)
    if shape != own:  # places are those of the smaller tensor
        places = _moved(places, own, shape)
    made = F.scatter(F.fill(x.dtype, (count,), 0), F.reshape(places, (-1,)), F.reshape(tensor(x), (-1,)), "update")
    return F.reshape(made, shape)


def _moved(places, shape, wanted):
    """Places in a tensor of one shape as places in a larger one."""
    found, step = None, 1
    for axis in range(len(shape) - 1, -1, -1):
        own = F.floor_mod(places, shape[axis]) * step
        places, step = F.floor_div(places, shape[axis]), step * wanted[axis]
        found = own if found is None else found + own
    return found


@operator("Col2Im", known=(1, 2))
def columns_to_image(x, image_shape, block_shape, dilations=None, pads=None, strides=None):
    """(N, C * block, places) added up to images (N, C, …), each place a block of the image."""
    extents, block = numbers(image_shape, "the image_shape of Col2Im"), numbers(block_shape, "the block_shape of Col2Im")
    strides, gaps, low, high = window(extents, block, strides, dilations, pads, "NOTSET")
    space = tuple([extents[axis] + low[axis] + high[axis] for axis in range(len(extents))])
    x, found = tensor(x), np.zeros((1, 1), "int64")
    for axis in range(len(extents)):
        count = (space[axis] - gaps[axis] * (block[axis] - 1) - 1) // strides[axis] + 1
        own = np.reshape(np.arange(block[axis]) * gaps[axis], (-1, 1)) + np.reshape(np.arange(count) * strides[axis], (1, -1))
        found = np.reshape(np.reshape(found, (found.shape[0], 1, -1, 1)) * space[axis] + np.reshape(own, (1, block[axis], 1, count)),
                           (found.shape[0] * block[axis], -1))
    images = x.shape[0] * (x.shape[1] // product(block))
    places = np.reshape(np.arange(images), (-1, 1)) * product(space) + np.reshape(found, (1, -1))
    made = F.scatter(F.fill(x.dtype, (images * product(space),), 0), F.reshape(Tensor(places.astype(np.int32)), (-1,)), F.reshape(x, (-1,)), "add")
    made = F.reshape(made, (x.shape[0], -1) + space)
    for axis in range(len(extents)):
        made = F.part(made, axis + 2, low[axis], low[axis] + extents[axis])
    return made


@operator("RoiAlign", since=16)
def roi_align(x, rois, batch_indices, coordinate_transformation_mode="half_pixel", mode="avg", output_height=1, output_width=1,
              sampling_ratio=0, spatial_scale=1.0):
    """Boxes (x1, y1, x2, y2) of images as squares of bins: the mean or the largest of bilinear samples of each (He et al. 2017).

    A sampling_ratio of 0, as many samples as a bin has pixels, is not offered: it depends on the boxes.
    """
    if sampling_ratio < 1:
        raise NotImplementedError("RoiAlign with sampling_ratio 0 is not offered: how many samples that takes depends on the boxes")
    one_of(mode, ("avg", "max"), "RoiAlign with mode")
    one_of(coordinate_transformation_mode, ("half_pixel", "output_half_pixel"), "RoiAlign with coordinate_transformation_mode")
    half, rois, firsts, reaches = coordinate_transformation_mode == "half_pixel", tensor(rois), (), ()
    for axis in range(2):
        first = rois[:, 1 - axis] * spatial_scale
        reach = rois[:, 3 - axis] * spatial_scale - first
        firsts, reaches = firsts + (first - 0.5 if half else first,), reaches + (reach if half else F.maximum(reach, 1.0),)
    samples = sampled_bins(tensor(x), F.cast(tensor(batch_indices), mstype.int32), firsts, reaches, (output_height, output_width), sampling_ratio)
    return F.transpose(F.reduce_mean(samples, (2, 4)) if mode == "avg" else F.reduce_max(samples, (2, 4)), (0, 3, 1, 2))


@operator("RoiAlign")
def roi_align_of_10(x, rois, batch_indices, mode="avg", output_height=1, output_width=1, sampling_ratio=0, spatial_scale=1.0):
    """Boxes without the half pixel, as before operator set 16."""
    return roi_align(x, rois, batch_indices, "output_half_pixel", mode, output_height, output_width, sampling_ratio, spatial_scale)
