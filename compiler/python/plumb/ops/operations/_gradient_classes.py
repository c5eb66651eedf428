"""Classes of gradients of operators, by what they take: `dy` is the gradient by the operator's result, and `y` that result.

Most of them differentiate the operator; where the result alone is given, the derivative is written by it.
"""

from plumb.ops import _functions as F
from plumb.ops import function as f
from plumb.ops._primitive import Composite
from plumb.ops.grad import GradFunction
from plumb.ops.operations import array_ops, image_ops, math_ops, nn_ops

_OPERATORS = (nn_ops, math_ops, array_ops, image_ops)


def _operator(name):
    return next(vars(module)[name] for module in _OPERATORS if name in vars(module))


class _Gradient(Composite):
    """Base: the arguments are the operator's, and `wanted` are the positions of its inputs by which there are gradients."""

    operator, wanted = None, (0,)

    def __init__(self, *args, **kwargs):
        super().__init__()
        made = _operator(self.operator)(*args, **kwargs)
        self.gradient = GradFunction(made, self.wanted, (), False, sens=True, single=len(self.wanted) == 1)


class _ByInput(_Gradient):
    """From (x, dy)."""

    def construct(self, x, dy):
        """Compiled body."""
        return self.gradient(x, dy)


class _FirstGradient(_Gradient):
    """From (dy, x)."""

    def construct(self, dy, x):
        """Compiled body."""
        return self.gradient(x, dy)


class _FirstGradientAndResult(_Gradient):
    """From (dy, x, y)."""

    def construct(self, dy, x, y):
        """Compiled body."""
        return self.gradient(x, dy)


class _ByResult(_Gradient):
    """From (x, y, dy), where y is the result."""

    def construct(self, x, y, dy):
        """Compiled body."""
        return self.gradient(x, dy)


class _ByTwo(_Gradient):
    """From (x, other, dy)."""

    def construct(self, x, other, dy):
        """Compiled body."""
        return self.gradient(x, other, dy)


class _FirstGradientOfTwo(_Gradient):
    """From (dy, x, other)."""

    def construct(self, dy, x, other):
        """Compiled body."""
        return self.gradient(x, other, dy)


class _WithWeights(_Gradient):
    """From (x, other, dy, weights)."""

    def construct(self, x, other, dy, weight):
        """Compiled body."""
        return self.gradient(x, other, weight, dy)


def _classes(base, names):
    """A class for each operator."""
    return {f"{name}Grad": type(f"{name}Grad", (base,), {"operator": name, "__module__": __name__,
                                                        "__doc__": f"The gradient of `ops.{name}`. {base.__doc__}"})
            for name in names.split()}


globals().update(_classes(_ByInput, "ACos Asin Atan Abs"))
globals().update(_classes(_FirstGradient, "ReLU6 HSwish HSigmoid Softplus FastGeLU SiLU HShrink SoftShrink Logit Mvlgamma"))
globals().update(_classes(_FirstGradientAndResult, "GeLU LRN"))
globals().update(_classes(_ByResult, "L2Normalize MaxPool AvgPool"))
globals().update(_classes(_ByTwo, "SigmoidCrossEntropyWithLogits SmoothL1Loss SoftMarginLoss"))
globals().update(_classes(_FirstGradientOfTwo, "KLDivLoss"))
globals().update(_classes(_WithWeights, "BinaryCrossEntropy"))


class GridSampler2DGrad(_FirstGradientOfTwo):
    """The gradients of `ops.GridSampler2D` by its input and its grid, from (dy, x, grid)."""

    operator, wanted = "GridSampler2D", (0, 1)


class GridSampler3DGrad(_FirstGradientOfTwo):
    """The gradients of `ops.GridSampler3D` by its input and its grid, from (dy, x, grid)."""

    operator, wanted = "GridSampler3D", (0, 1)


class PReLUGrad(_FirstGradientOfTwo):
    """The gradients of `ops.PReLU` by its input and its weight, from (dy, x, weight)."""

    operator, wanted = "PReLU", (0, 1)


class CdistGrad(_Gradient):
    """The gradient of `ops.Cdist` by its first input, from (dy, x, other, the distances)."""

    operator = "Cdist"

    def construct(self, grad, input_x, input_y, cdist):
        """Compiled body."""
        return self.gradient(input_x, input_y, grad)


class _OfResult(Composite):
    """Base of gradients from (y, dy), whose derivative is a function of the result."""

    def construct(self, y, dy):
        """Compiled body."""
        return dy * self.derivative(y)


class SigmoidGrad(_OfResult):
    """The gradient of `ops.Sigmoid` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return y * (1 - y)


class TanhGrad(_OfResult):
    """The gradient of `ops.Tanh` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return 1 - y * y


class SqrtGrad(_OfResult):
    """The gradient of `ops.Sqrt` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return 0.5 / y


class RsqrtGrad(_OfResult):
    """The gradient of `ops.Rsqrt` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return y * y * y * -0.5


class ReciprocalGrad(_OfResult):
    """The gradient of `ops.Reciprocal` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return -y * y


class InvGrad(ReciprocalGrad):
    """The gradient of `ops.Inv` from (y, dy)."""


class AsinhGrad(_OfResult):
    """The gradient of `ops.Asinh` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return 1 / f.cosh(y)


class AcoshGrad(_OfResult):
    """The gradient of `ops.Acosh` from (y, dy)."""

    def derivative(self, y):
        """By the result."""
        return 1 / f.sinh(y)


class ReluGrad(Composite):
    """The gradient of `ops.ReLU` from (dy, y)."""

    def construct(self, y_backprop, x):
        """Compiled body."""
        return f.where(x > 0, y_backprop, 0)


class EluGrad(Composite):
    """The gradient of `ops.Elu` of alpha 1 from (dy, y)."""

    def construct(self, y_grad, x):
        """Compiled body."""
        return f.where(x > 0, y_grad, y_grad * (x + 1))


class LogSoftmaxGrad(Composite):
    """The gradient of `ops.LogSoftmax` from (y, dy)."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, logits, grad):
        """Compiled body."""
        return grad - F.exp(logits) * F.reduce_sum(grad, self.axis, True)


class DropoutGrad(Composite):
    """The gradient of `ops.Dropout` from (dy, the mask of kept elements)."""

    def __init__(self, keep_prob=0.5):
        super().__init__()
        self.keep_prob = keep_prob

    def construct(self, x, mask):
        """Compiled body."""
        return x * F.cast(mask, x.dtype) / self.keep_prob


class BiasAddGrad(Composite):
    """The gradient of `ops.BiasAdd` by the bias, from dy: its sums over all axes but the channels'."""

    def __init__(self, data_format="NCHW"):
        super().__init__()
        self.channels_last = data_format == "NHWC"

    def construct(self, d_output):
        """Compiled body."""
        rank = len(d_output.shape)
        kept = rank - 1 if self.channels_last else 1
        return F.reduce_sum(d_output, tuple([axis for axis in range(rank) if axis != kept]))


class MaximumGrad(Composite):
    """The gradients of `ops.Maximum` by both inputs, from (x, y, dy); of equal elements the first one has it."""

    def __init__(self, grad_x=True, grad_y=True):
        super().__init__()
        self.grad_x, self.grad_y = grad_x, grad_y
        self.spread = GradFunction(_both, (0, 1), (), False, sens=True, single=False)

    def chosen(self, x, y):
        """Where the first input is the result."""
        return x >= y

    def construct(self, x, y, dy):
        """Compiled body."""
        first, second = self.spread(x, y, self.chosen(x, y), dy)
        return first, second


def _both(x, y, first):
    return f.where(first, x, y)


class MinimumGrad(MaximumGrad):
    """The gradients of `ops.Minimum` by both inputs, from (x, y, dy); of equal elements the first one has it."""

    def chosen(self, x, y):
        """Where the first input is the result."""
        return x <= y


class ResizeBilinearGrad(Composite):
    """The gradient of `ops.ResizeBilinear` from (dy, the image)."""

    operator = staticmethod(image_ops._bilinear)

    def __init__(self, align_corners=False, half_pixel_centers=False):
        super().__init__()
        self.settings = align_corners, half_pixel_centers
        self.gradient = GradFunction(self.operator, (0,), (), False, sens=True)

    def construct(self, grads, original_image):
        """Compiled body."""
        return self.gradient(original_image, grads.shape[2:], *self.settings, grads)


class ResizeBicubicGrad(ResizeBilinearGrad):
    """The gradient of `ops.ResizeBicubic` from (dy, the image)."""

    operator = staticmethod(image_ops._bicubic)


class ResizeNearestNeighborGrad(Composite):
    """The gradient of `ops.ResizeNearestNeighbor` from (dy, the image's height and width)."""

    def __init__(self, align_corners=False, half_pixel_centers=False):
        super().__init__()
        self.settings = align_corners, half_pixel_centers
        self.gradient = GradFunction(image_ops._nearest, (0,), (), False, sens=True)

    def construct(self, grads, size):
        """Compiled body."""
        return self.gradient(F.fill(grads.dtype, grads.shape[:2] + tuple(size), 0), grads.shape[2:], *self.settings, "NCHW", grads)


class Conv2DBackpropFilter(Composite):
    """The gradient of `ops.Conv2D` by its weight, from (dy, x, the weight's shape)."""

    def __init__(self, out_channel, kernel_size, pad_mode="valid", pad=0, pad_list=(0, 0, 0, 0), mode=1, stride=(1, 1), dilation=(1, 1, 1, 1),
                 group=1, data_format="NCHW"):
        super().__init__()
        convolution = nn_ops.Conv2D(out_channel, kernel_size, mode, pad_mode, pad, stride, dilation[-2:], group, data_format)
        self.gradient = GradFunction(convolution, (1,), (), False, sens=True)

    def construct(self, doutput, input_x, filter_size):
        """Compiled body."""
        return self.gradient(input_x, F.fill(input_x.dtype, filter_size, 0), doutput)


class StridedSliceGrad(Composite):
    """The gradient of `ops.StridedSlice` from (dy, the input's shape, begin, end, strides)."""

    def __init__(self, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0):
        super().__init__()
        self.gradient = GradFunction(array_ops.StridedSlice(begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask), (0,), (),
                                     False, sens=True)

    def construct(self, dy, shapex, begin, end, strides):
        """Compiled body."""
        return self.gradient(F.fill(dy.dtype, shapex, 0), begin, end, strides, dy)


class SliceGrad(Composite):
    """The gradient of `ops.Slice` from (dy, x, begin, size)."""

    def __init__(self):
        super().__init__()
        self.gradient = GradFunction(array_ops.Slice(), (0,), (), False, sens=True)

    def construct(self, dy, x, begin, size):
        """Compiled body."""
        return self.gradient(x, begin, size, dy)


__all__ = [name for name in globals() if name[0].isupper() and name not in ("Composite", "F", "GradFunction")]
