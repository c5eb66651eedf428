"""Classes of gradients of other operations; `grad` and `GradOperation` need none of them."""

from plumb.common._offers import offered
from plumb.ops import _functions as F
from plumb.ops import _sparse_host as host
from plumb.ops import function as f
from plumb.ops._primitive import Composite
from plumb.ops.function import incomplete, patches
from plumb.ops.function.diagonal import tril
from plumb.ops.function.equations import triangular_solve
from plumb.ops.function.shape import swapaxes
from plumb.ops.grad import GradFunction
from plumb.ops.operations._gradient_classes import *  # pylint: disable=wildcard-import
from plumb.ops.operations._gradients_at_places import *  # pylint: disable=wildcard-import


class IgammaGradA(Composite):
    """The derivative of `ops.igamma(a, x)` by a, element by element, for tensors of floating point that broadcast."""

    def construct(self, a, x):
        """Compiled body."""
        return incomplete.igamma_by_order(a, x)


class AffineGridGrad(Composite):
    """The gradient of `ops.affine_grid` by its maps: from the gradient of the places, (N, H, W, 2) or (N, D, H, W, 3), and the extents.

    Args:
      align_corners: as of `affine_grid`.
    """

    def __init__(self, align_corners=False):
        super().__init__()
        self.align_corners = bool(align_corners)
        self.gradient = GradFunction(f.affine_grid, (0,), (), False, sens=True)

    def construct(self, y_grad, x_size):
        """Compiled body."""
        sizes = tuple(x_size.tolist()) if f.is_tensor(x_size) else tuple(x_size)
        rank = len(sizes) - 2
        maps = F.fill(y_grad.dtype, (sizes[0], rank, rank + 1), 0)
        return self.gradient(maps, sizes, self.align_corners, F.reshape(y_grad, (sizes[0],) + sizes[2:] + (rank,)))


class CholeskyGrad(Composite):
    """The gradient of `ops.cholesky` by its input, symmetric, from the lower triangle l and the gradient by it, (…, n, n)."""

    def construct(self, x, grad):
        """Compiled body."""
        inner = tril(F.matmul(x, tril(grad), True))
        diagonal = f.matrix_band_part(inner, 0, 0)
        inner = inner - diagonal * 0.5
        # l⁻ᵀ inner l⁻¹, made symmetric.
        left = triangular_solve(x, inner, True, True)
        both = swapaxes(triangular_solve(x, swapaxes(left, -1, -2), True, True), -1, -2)
        return (both + swapaxes(both, -1, -2)) * 0.5


class SparseSliceGrad(Composite):
    """The gradient of `ops.SparseSlice` by the values: those of the slice where they stood, zeros elsewhere; on the host.

    Inputs:
      backprop_val_grad: the gradient by the slice's values, (M,).
      indices: where the input's values stand, (N, R), int64.
      start: the slice's first place, (R,), int64.
      new_indices: where the slice's values stand in the slice, (M, R), as SparseSlice gives them.
    """

    def construct(self, backprop_val_grad, indices, start, new_indices):
        """The body."""
        return host.slice_gradient(backprop_val_grad, indices, start, new_indices)


class _DilationGradient(Composite):
    """A gradient of `Dilation2D`."""

    position = 0

    def __init__(self, stride, dilation, pad_mode="SAME", data_format="NCHW"):
        super().__init__()
        self.settings = (stride, dilation, pad_mode, data_format)
        self.gradient = GradFunction(patches.dilation2d, (self.position,), (), False, sens=True)

    def construct(self, x, filter, out_backprop):
        """Compiled body."""
        return self.gradient(x, filter, *self.settings, out_backprop)


class Dilation2DBackpropInput(_DilationGradient):
    """The gradient of `Dilation2D` by its images: that of each place goes to the window's element that its sum came from."""


class Dilation2DBackpropFilter(_DilationGradient):
    """The gradient of `Dilation2D` by its filter, as `Dilation2DBackpropInput`."""

    position = 1


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("Composite", "F", "GradFunction")]
