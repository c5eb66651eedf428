"""ONNX products and convolutions, in the parsable subset."""

from plumb import ops
from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.ops.function.convolution import conv2d_transpose, conv3d_adjoint
from plumb.onnx._registry import operator
from plumb.onnx._values import is_floating, tensor


@operator("MatMul")
def matmul(x, y):
    """The product of matrices, as NumPy's matmul."""
    return ops.matmul(tensor(x), tensor(y))


@operator("Gemm")
def gemm(a, b, c=None, alpha=1.0, beta=1.0, transA=0, transB=0, broadcast=0):  # pylint: disable=invalid-name
    """alpha * a @ b + beta * c, where a and b may be transposed."""
    made = F.matmul(tensor(a), tensor(b), transpose_a=bool(transA), transpose_b=bool(transB))
    made = made * alpha if alpha != 1.0 else made
    if c is None or beta == 0.0:
        return made
    return made + (tensor(c) * beta if beta != 1.0 else tensor(c))


@operator("Einsum")
def einsum(*operands, equation):
    """The sum of products that an equation describes."""
    return ops.einsum(equation.replace(" ", ""), *[tensor(one) for one in operands])


@operator("Det")
def det(x):
    """Determinants of the matrices of the last two axes."""
    return ops.det(tensor(x)) if x.ndim > 2 else F.reshape(ops.det(F.expand_dims(tensor(x), 0)), ())


# -- convolutions

def kernel_of(weight, given):
    """The extents of a weight's kernel; raises ValueError where the attribute `kernel_shape` says others."""
    if given is not None and tuple(given) != tuple(weight.shape[2:]):
        raise ValueError(f"kernel_shape {given} is not that of the weight, {weight.shape[2:]}")
    return weight.shape[2:]


def window(extents, kernel, strides, dilations, pads, auto_pad):
    """(strides, dilations, pads at the beginnings, pads at the ends) of windows over axes."""
    rank = len(kernel)
    strides = (1,) * rank if strides is None else strides
    dilations = (1,) * rank if dilations is None else dilations
    if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        low, high = (), ()
        for axis in range(rank):
            count = -(-extents[axis] // strides[axis])
            total = max((count - 1) * strides[axis] + (kernel[axis] - 1) * dilations[axis] + 1 - extents[axis], 0)
            first = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
            low, high = low + (first,), high + (total - first,)
        return strides, dilations, low, high
    if auto_pad not in ("NOTSET", "VALID"):
        raise ValueError(f"auto_pad '{auto_pad}' is unknown")
    pads = (0,) * (2 * rank) if pads is None or auto_pad == "VALID" else pads
    return strides, dilations, tuple(pads[:rank]), tuple(pads[rank:])


def interleaved(low, high):
    """Both pads of each axis, one axis behind the other."""
    both = ()
    for first, last in zip(low, high):
        both = both + (first, last)
    return both


def _convolved(x, weight, strides, dilations, low, high, group):
    """A convolution of one to three axes, without a bias."""
    if x.ndim == 3:
        made = F.conv2d(F.expand_dims(x, 2), F.expand_dims(weight, 2), (1,) + strides, (0, 0) + interleaved(low, high), (1,) + dilations, group)
        return F.squeeze(made, (2,))
    if x.ndim == 4:
        return F.conv2d(x, weight, strides, interleaved(low, high), dilations, group)
    return ops.conv3d(x, weight, None, strides, "pad", interleaved(low, high), dilations, group)


@operator("Conv")
def conv(x, weight, bias=None, auto_pad="NOTSET", dilations=None, group=1, kernel_shape=None, pads=None, strides=None):
    """A convolution of (N, C, …), one to three axes, with a weight (M, C / group, …)."""
    x, weight = tensor(x), tensor(weight)
    if x.ndim not in (3, 4, 5):
        raise ValueError(f"Conv of an input of shape {x.shape}: one to three axes behind the channels are offered")
    steps, gaps, low, high = window(x.shape[2:], kernel_of(weight, kernel_shape), strides, dilations, pads, auto_pad)
    if min(low + high) < 0:
        raise NotImplementedError(f"Conv with negative pads, {pads}, is not offered")
    made = _convolved(x, weight, steps, gaps, low, high, group)
    return made if bias is None else F.bias_add(made, tensor(bias))


@operator("ConvTranspose")
def conv_transpose(x, weight, bias=None, auto_pad="NOTSET", dilations=None, group=1, kernel_shape=None, output_padding=None, output_shape=None,
                   pads=None, strides=None):
    """The adjoint of a convolution: (N, C, …), one to three axes, with a weight (C, M / group, …)."""
    x, weight = tensor(x), tensor(weight)
    kernel, rank = kernel_of(weight, kernel_shape), x.ndim - 2
    strides = (1,) * rank if strides is None else strides
    dilations = (1,) * rank if dilations is None else dilations
    more = (0,) * rank if output_padding is None else output_padding
    extents, low, high = (), (), ()
    for axis in range(rank):
        whole = strides[axis] * (x.shape[2 + axis] - 1) + more[axis] + (kernel[axis] - 1) * dilations[axis] + 1
        if output_shape is not None or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            extent = x.shape[2 + axis] * strides[axis] if output_shape is None else output_shape[axis - rank]
            total = max(whole - extent, 0)
            first = total // 2 if auto_pad == "SAME_UPPER" else total - total // 2
            low, high, extents = low + (first,), high + (total - first,), extents + (extent,)
        else:
            first, last = (0, 0) if pads is None else (pads[axis], pads[axis + rank])
            low, high, extents = low + (first,), high + (last,), extents + (whole - first - last,)
    made = _transposed(x, weight, extents, strides, dilations, interleaved(low, high), group)
    return made if bias is None else F.bias_add(made, tensor(bias))


def _transposed(x, weight, extents, strides, dilations, pads, group):
    """The adjoint of a convolution of one to three axes."""
    if x.ndim == 3:
        made = conv2d_transpose(F.expand_dims(x, 2), F.expand_dims(weight, 2), (1,) + extents, (1,) + strides, (0, 0) + pads, (1,) + dilations, group)
        return F.squeeze(made, (2,))
    if x.ndim == 4:
        return conv2d_transpose(x, weight, extents, strides, pads, dilations, group)
    return conv3d_adjoint(x, weight, extents, strides, pads, dilations, group)


# -- of integers

def centred(x, zero):
    """Integers less their zero point, int32."""
    x = F.cast(tensor(x), mstype.int32)
    return x if zero is None else x - F.cast(tensor(zero), mstype.int32)


def rows_beside(zero, x):
    """Zero points or scales of rows, as they stand beside a matrix."""
    zero = tensor(zero)
    return F.expand_dims(zero, -1) if zero.ndim == 1 and zero.shape[0] > 1 and x.ndim > 1 else zero


def product_of_integers(a, b):
    """The product of int32 matrices."""
    if is_floating(a):
        raise TypeError("a product of integers got floats")
    return F.cast(ops.matmul(F.cast(a, mstype.float64), F.cast(b, mstype.float64)), mstype.int32)


@operator("MatMulInteger")
def matmul_integer(a, b, a_zero_point=None, b_zero_point=None):
    """The product of 8-bit matrices less their zero points, int32."""
    a_zero = None if a_zero_point is None else rows_beside(a_zero_point, a)
    return product_of_integers(centred(a, a_zero), centred(b, b_zero_point))


@operator("ConvInteger")
def conv_integer(x, weight, x_zero_point=None, w_zero_point=None, auto_pad="NOTSET", dilations=None, group=1, kernel_shape=None, pads=None,
                 strides=None):
    """A convolution of 8-bit numbers less their zero points, int32; kernels may have one for each channel of the result."""
    if w_zero_point is not None and w_zero_point.ndim == 1:
        w_zero_point = F.reshape(tensor(w_zero_point), (-1,) + (1,) * (weight.ndim - 1))
    images, kernels = centred(x, x_zero_point), centred(weight, w_zero_point)
    made = conv(F.cast(images, mstype.float64), F.cast(kernels, mstype.float64), None, auto_pad, dilations, group, kernel_shape, pads, strides)
    return F.cast(made, mstype.int32)


@operator("DeformConv")
def deformable_convolution(x, weight, offset, bias=None, mask=None, dilations=None, group=1, kernel_shape=None, offset_group=1, pads=None, strides=None):
    """A convolution whose windows' elements are read at places of their own, between elements (Dai et al. 2017, Zhu et al. 2018)."""
    kernel = kernel_of(weight, kernel_shape)
    if len(kernel) != 2:
        raise NotImplementedError("DeformConv is offered for images of two axes")
    strides, gaps, low, high = window(x.shape[2:], kernel, strides, dilations, pads, "NOTSET")
    offset, count = tensor(offset), offset_group * kernel[0] * kernel[1]
    shifts = F.reshape(offset, (offset.shape[0], count, 2) + offset.shape[2:])
    shares = F.fill(offset.dtype, (offset.shape[0], count) + offset.shape[2:], 1) if mask is None else tensor(mask)
    places = F.concat((shifts[:, :, 1], shifts[:, :, 0], shares), 1)
    return ops.deformable_conv2d(tensor(x), tensor(weight), places, kernel, (1, 1) + strides, (low[0], high[0], low[1], high[1]),
                                 None if bias is None else tensor(bias), (1, 1) + gaps, group, offset_group)
