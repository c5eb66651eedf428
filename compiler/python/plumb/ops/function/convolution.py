"""Convolutions and pooling, with MindSpore's signatures, in the parsable subset."""

from plumb.common._offers import known_as, offered
from plumb.ops import _functions as F
from plumb.ops import _windows as W

bias_add = F.bias_add


@known_as(inputs="input", group="groups")
def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """2-D convolution of NCHW images with an OIHW weight; `bias` is added to each channel.

    Args:
      pad_mode: "valid", "same", or "pad" (zeros by `padding`: an int, or top, bottom, left, right).
    """
    stride, dilation = W.pair("stride", stride), W.pair("dilation", dilation)
    pads = W.conv_pads("conv2d", pad_mode, padding, input.shape[2:], weight.shape[2:], stride, dilation)
    result = F.conv2d(input, weight, stride, pads, dilation, groups)
    return result if bias is None else F.bias_add(result, bias)


def conv1d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """1-D convolution of (N, C, L) or (C, L) with a weight (O, C / groups, K); see `conv2d`."""
    if input.ndim == 2:
        return F.squeeze(conv1d(F.expand_dims(input, 0), weight, bias, stride, pad_mode, padding, dilation, groups), (0,))
    sides = _both("padding", padding, 2)
    result = conv2d(F.expand_dims(input, 2), F.expand_dims(weight, 2), bias, (1, _both("stride", stride, 1)[0]), pad_mode,
                    (0, 0) + sides, (1, _both("dilation", dilation, 1)[0]), groups)
    return F.squeeze(result, (2,))


@known_as(inputs="input", group="groups")
def conv3d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """3-D convolution of (N, C, D, H, W) with a weight (O, C / groups, depth, height, width): the sum of 2-D ones over depth.

    Args:
      pad_mode: "valid", "same", or "pad" (zeros by `padding`: an int, three, or head, tail, top, bottom, left, right).
    """
    stride, dilation = _both("stride", stride, 3), _both("dilation", dilation, 3)
    pads = _pads_of_three(pad_mode, padding, input.shape[2:], weight.shape[2:], stride, dilation)
    input = F.pad(input, (0, 0, pads[0], 0, 0), (0, 0, pads[1], 0, 0))
    count, depth = weight.shape[2], input.shape[2]
    places = (depth - (count - 1) * dilation[0] - 1) // stride[0] + 1
    if places < 1:
        raise ValueError(f"For 'conv3d', the kernel {weight.shape[2:]} is larger than the padded input {input.shape[2:]}")
    order, total = F.transpose(input, (2, 0, 1, 3, 4)), None
    for k in range(count):
        start = k * dilation[0]
        images = F.strided_slice(order, (start, 0, 0, 0, 0), (start + (places - 1) * stride[0] + 1,) + order.shape[1:],
                                 (stride[0], 1, 1, 1, 1))
        part = F.conv2d(F.reshape(images, (-1,) + order.shape[2:]), weight[:, :, k], stride[1:], pads[2:], dilation[1:], groups)
        total = part if total is None else total + part
    total = F.reshape(total, (places, input.shape[0]) + total.shape[1:])
    total = F.transpose(total, (1, 2, 0, 3, 4))
    return total if bias is None else F.bias_add(total, bias)


def _pads_of_three(pad_mode, padding, extents, kernel, stride, dilation):
    """Zeros at both ends of three axes."""
    if pad_mode == "valid":
        return (0,) * 6
    if pad_mode == "same":
        pads = ()
        for axis in range(3):
            pads = pads + W.same_pads(extents[axis], kernel[axis], stride[axis], dilation[axis])
        return pads
    if pad_mode != "pad":
        raise ValueError(f"For 'conv3d', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
    if isinstance(padding, int) or len(padding) == 1 or len(padding) == 3:
        sides = _both("padding", padding, 3)
        return (sides[0], sides[0], sides[1], sides[1], sides[2], sides[2])
    return _both("padding", padding, 6)


def conv2d_transpose(input, weight, output, stride, pads, dilation, groups):
    """The adjoint of a 2-D convolution: from its results (N, O, …) to images of the extents `output` (height, width).

    Args:
      weight: (O, C / groups, height, width), as that of the convolution.
      pads: top, bottom, left and right of the convolution.
    """
    shape = (input.shape[0], weight.shape[1] * groups) + output
    return F.conv2d_input_grad(input, weight, shape, stride, pads, dilation, groups)


def transposed_extents(pad_mode, extents, kernel, stride, padding, dilation, more):
    """The extents of a transposed convolution's result, and both pads of each axis of the convolution that it is the adjoint of.

    Args:
      pad_mode: "same" (in * stride), "valid" (in * stride + max(reach - stride, 0), for kernels of that reach), or "pad"
        ((in - 1) * stride + reach - padding + more).
      padding: both pads of each axis, for "pad".
    """
    sizes, pads = (), ()
    for axis in range(len(kernel)):
        reach = (kernel[axis] - 1) * dilation[axis] + 1
        if pad_mode == "same":
            sizes = sizes + (extents[axis] * stride[axis],)
            pads = pads + W.same_pads(sizes[axis], kernel[axis], stride[axis], dilation[axis])
        elif pad_mode == "valid":
            sizes, pads = sizes + (extents[axis] * stride[axis] + max(reach - stride[axis], 0),), pads + (0, 0)
        else:
            ends = (padding[2 * axis], padding[2 * axis + 1])
            sizes, pads = sizes + ((extents[axis] - 1) * stride[axis] + reach - ends[0] - ends[1] + more[axis],), pads + ends
    return sizes, pads


def _placed(x, stride, first, extent):
    """Slices of axis 1 put `stride` apart into `extent` places of zeros, the first at the place `first`; those outside are left out."""
    rest = x.shape[2:]
    if stride > 1:
        x = F.pad(F.expand_dims(x, 2), (0,) * (x.ndim + 1), (0, 0, stride - 1) + (0,) * len(rest), 0.0)
        x = F.reshape(x, (x.shape[0], x.shape[1] * stride) + rest)
        x = F.part(x, 1, 0, x.shape[1] - stride + 1)
    before, after = first, extent - first - x.shape[1]
    x = F.part(x, 1, -before if before < 0 else 0, x.shape[1] + (after if after < 0 else 0))
    return F.pad(x, (0, before if before > 0 else 0) + (0,) * len(rest), (0, after if after > 0 else 0) + (0,) * len(rest), 0.0)


def conv3d_adjoint(input, weight, output, stride, pads, dilation, groups):
    """The adjoint of a 3-D convolution: from its results (N, O, …) to volumes of the extents `output`.

    Each place along the kernel's depth is a transposed 2-D convolution of all slices, whose results are put `stride` apart.

    Args:
      weight: (O, C / groups, depth, height, width), as that of the convolution.
      pads: both pads of each axis of the convolution.
    """
    order, total = F.transpose(input, (0, 2, 1, 3, 4)), None
    images = F.reshape(order, (-1,) + order.shape[2:])
    for k in range(weight.shape[2]):
        part = conv2d_transpose(images, weight[:, :, k], output[1:], stride[1:], pads[2:], dilation[1:], groups)
        part = F.reshape(part, order.shape[:2] + part.shape[1:])
        part = _placed(part, stride[0], k * dilation[0] - pads[0], output[0])
        total = part if total is None else total + part
    return F.transpose(total, (0, 2, 1, 3, 4))


def conv3d_transpose(inputs, weight, pad_mode="valid", padding=0, stride=1, dilation=1, group=1, output_padding=0):
    """Transposed 3-D convolution of (N, C, D, H, W) with a weight (C, O / group, depth, height, width).

    Args:
      pad_mode: "same" (in * stride), "valid" (in * stride + max(kernel - stride, 0)), or "pad"
        ((in - 1) * stride + kernel - padding + output_padding; `padding` an int or both ends of each axis).
      output_padding: what "pad" adds to each extent, below the stride or the dilation.
    """
    stride, dilation, more = _both("stride", stride, 3), _both("dilation", dilation, 3), _both("output_padding", output_padding, 3)
    if pad_mode not in ("same", "valid", "pad"):
        raise ValueError(f"For 'conv3d_transpose', 'pad_mode' must be 'same', 'valid' or 'pad', but got '{pad_mode}'.")
    if pad_mode != "pad" and max(more) > 0:
        raise ValueError("For 'conv3d_transpose', 'output_padding' needs pad_mode='pad'.")
    for axis in range(3):
        if more[axis] > 0 and more[axis] >= max(stride[axis], dilation[axis]):
            raise ValueError("For 'conv3d_transpose', 'output_padding' must be below 'stride' or 'dilation'.")
    sides = (padding,) * 6 if isinstance(padding, int) else _both("padding", padding, 6)
    sizes, pads = transposed_extents(pad_mode, inputs.shape[2:], weight.shape[2:], stride, sides, dilation, more)
    return conv3d_adjoint(inputs, weight, sizes, stride, pads, dilation, group)


def _both(name, value, count):
    """An int, or a tuple of one, as a tuple of `count`."""
    values = (value,) if isinstance(value, int) else tuple(value)
    if len(values) == 1:
        values = values * count
    if len(values) != count:
        raise ValueError(f"The '{name}' must be an int or {count} of them, but got {value}")
    return values


__all__ = [name for name in offered(globals()) if name not in ("conv3d_adjoint", "transposed_extents")]
