"""Classes of gradients of pooling by the places that it gave, and of operators that move elements."""

from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops._primitive import Composite


def _scattered(x, places, gradient, lead):
    """Sums of a gradient's elements at their places in zeros like x, whose first `lead` axes have places of their own."""
    rows = 1
    for extent in x.shape[:lead]:
        rows = rows * extent
    zeros = F.fill(gradient.dtype, (rows, x.size // rows), 0)
    flat = F.scatter(zeros, F.reshape(places, (rows, -1)), F.reshape(gradient, (rows, -1)), "add", 1)
    return F.reshape(flat, x.shape)


def _gathered(source, places, lead):
    """The elements of a tensor at places in its axes behind the first `lead` ones."""
    rows = 1
    for extent in source.shape[:lead]:
        rows = rows * extent
    flat = F.gather(F.reshape(source, (rows, -1)), F.reshape(places, (rows, -1)), 1, batch=1)
    return F.reshape(flat, places.shape)


class _ByPlaces(Composite):
    """Base: settings of the pooling, which the places make needless, are kept as they are."""

    lead = 2

    def __init__(self, *settings, **named):
        super().__init__()
        self.settings = (settings, named)


class _InputGradientPlaces(_ByPlaces):
    """From (x, dy, places)."""

    def construct(self, x, grads, argmax):
        """Compiled body."""
        return _scattered(x, argmax, grads, self.lead)


class _GradientInputPlaces(_ByPlaces):
    """From (dy, x, places)."""

    def construct(self, y_grad, x, argmax):
        """Compiled body."""
        return _scattered(x, argmax, y_grad, self.lead)


class _Gathers(_ByPlaces):
    """From (x, dy, places), where the operator has scattered x."""

    def construct(self, x, grads, argmax):
        """Compiled body."""
        return _gathered(grads, argmax, self.lead)


def _named(base, names, lead=2):
    return {f"{name}": type(name, (base,), {"lead": lead, "__module__": __name__, "__doc__": f"The gradient of pooling. {base.__doc__}"})
            for name in names.split()}


globals().update(_named(_InputGradientPlaces, "MaxPoolGradWithArgmaxV2 MaxPool3DGradWithArgmax FractionalMaxPoolGradWithFixedKsize "
                                              "FractionalMaxPool3DGradWithFixedKsize"))
globals().update(_named(_InputGradientPlaces, "MaxPoolGradWithArgmax", 1))
globals().update(_named(_GradientInputPlaces, "AdaptiveMaxPool2DGrad AdaptiveMaxPool3DGrad"))
globals().update(_named(_Gathers, "MaxUnpool2DGrad MaxUnpool3DGrad"))
globals().update(_named(_Gathers, "MaxPoolGradGradWithArgmax", 1))


class ReluGradV2(Composite):
    """The gradient of `ops.ReLUV2`: what the mask leaves of (dy, mask)."""

    def construct(self, gradients, mask):
        """Compiled body."""
        return gradients * F.cast(mask, gradients.dtype)


class TraceGrad(Composite):
    """The gradient of `ops.trace` by its matrix: dy on the diagonal of a matrix of the given shape."""

    def construct(self, y_grad, x_shape):
        """Compiled body."""
        rows, columns = x_shape.tolist() if isinstance(x_shape, Tensor) else x_shape
        diagonal = F.equal(F.iota((rows, columns), 0), F.iota((rows, columns), 1))
        return F.select(diagonal, F.broadcast_to(F.reshape(y_grad, (1, 1)), (rows, columns)), F.fill(y_grad.dtype, (rows, columns), 0))


class LayerNormGrad(Composite):
    """The gradients of `ops.LayerNorm` by x, gamma and beta, from (x, dy, variance, mean, gamma).

    Args:
      begin_norm_axis: the first of the axes over which x was normalised.
      begin_params_axis: the first of the axes of gamma and beta.
    """

    def __init__(self, begin_norm_axis=1, begin_params_axis=1):
        super().__init__()
        self.begin_norm_axis, self.begin_params_axis = begin_norm_axis, begin_params_axis

    def construct(self, x, dy, variance, mean, gamma):
        """Compiled body."""
        norm = self.begin_norm_axis + x.ndim if self.begin_norm_axis < 0 else self.begin_norm_axis
        first = self.begin_params_axis + x.ndim if self.begin_params_axis < 0 else self.begin_params_axis
        axes, rows = tuple(range(norm, x.ndim)), tuple(range(first))
        scale = F.rsqrt(variance + 1e-12)
        normal = (x - mean) * scale
        inner = dy * F.reshape(gamma, (1,) * first + gamma.shape)
        centred = inner - F.reduce_mean(inner, axes, True) - normal * F.reduce_mean(inner * normal, axes, True)
        shape = gamma.shape
        return centred * scale, F.reshape(F.reduce_sum(dy * normal, rows), shape), F.reshape(F.reduce_sum(dy, rows), shape)


__all__ = [name for name in globals() if name[0].isupper() and name not in ("Composite", "F", "Tensor")]
