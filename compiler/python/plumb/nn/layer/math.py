"""Mathematical functions as cells, and norms of tensors cut."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops import _checks
from plumb.ops.function.diagonal import diag_embed, diagonal, matrix_set_diag
from plumb.ops.function.equations import inverse
from plumb.ops.function.factorizations import cholesky
from plumb.ops.function.incomplete import igamma
from plumb.ops.function.linalg import clipped_by_norm
from plumb.ops.function.loss import cosine_similarity
from plumb.ops.function.mathematical import digamma, lgamma
from plumb.ops.function.reduce import logsumexp


class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) over axes.

    Args:
      axis: an int or a tuple; () means all axes.
      keep_dims: whether the axes stay, with extent 1.
    """

    def __init__(self, axis, keep_dims=False):
        super().__init__()
        self.axis, self.keep_dims = axis, keep_dims

    def construct(self, x):
        """Compiled body."""
        return logsumexp(x, _checks.all_axes("ReduceLogSumExp", self.axis, x.ndim), self.keep_dims)


class Norm(Cell):
    """The square root of the sum of squares over axes.

    Args:
      axis: an int or a tuple; () means all axes.
      keep_dims: whether the axes stay, with extent 1.
    """

    def __init__(self, axis=(), keep_dims=False):
        super().__init__()
        self.axis, self.keep_dims = axis, bool(keep_dims)

    def construct(self, x):
        """Compiled body."""
        return F.sqrt(F.reduce_sum(F.square(x), _checks.all_axes("Norm", self.axis, x.ndim), self.keep_dims))


class Range(Cell):
    """Gives the numbers from `start` to before `limit` by `delta`, or from 0 to before `start`: a constant."""

    def __init__(self, start, limit=None, delta=1):
        super().__init__()
        if delta == 0:
            raise ValueError("For 'Range', the 'delta' must not be 0.")
        bounds = (0, start) if limit is None else (start, limit)
        numbers = np.arange(*bounds, delta)
        self.result = Tensor(numbers.astype(np.int32 if numbers.dtype.kind == "i" else np.float32))

    def construct(self):
        """Compiled body."""
        return self.result


class Moments(Cell):
    """The mean and the variance over axes; those of float16 are computed in float32.

    Args:
      axis: an int or a tuple; () and None mean all axes.
      keep_dims: whether the axes stay, with extent 1.
    """

    def __init__(self, axis=None, keep_dims=None):
        super().__init__()
        self.axis, self.keep_dims = () if axis is None else axis, bool(keep_dims)

    def construct(self, x):
        """Compiled body."""
        axes = _checks.all_axes("Moments", self.axis, x.ndim)
        wide = F.cast(x, mstype.float32) if x.dtype == mstype.float16 else x
        mean = F.reduce_mean(wide, axes, True)
        variance = F.reduce_mean(F.square(wide - mean), axes, self.keep_dims)
        return F.cast(F.reduce_mean(wide, axes, self.keep_dims), x.dtype), F.cast(variance, x.dtype)


class LGamma(Cell):
    """The logarithm of the gamma function's magnitude."""

    def construct(self, x):
        """Compiled body."""
        return lgamma(x)


class DiGamma(Cell):
    """The derivative of LGamma."""

    def construct(self, x):
        """Compiled body."""
        return digamma(x)


class IGamma(Cell):
    """The regularised lower incomplete gamma function P(a, x). That of MindSpore 2.0.0 is infinite in some calls."""

    def construct(self, a, x):
        """Compiled body."""
        return igamma(a, x)


class LBeta(Cell):
    """The logarithm of the beta function of numbers above 0. That of MindSpore 2.0.0 differs from call to call for some."""

    def construct(self, x, y):
        """Compiled body. In float64, since sums of large logarithms cancel."""
        kind = F.add(_checks.real("LBeta", x), _checks.real("LBeta", y)).dtype
        x, y = F.cast(x, mstype.float64), F.cast(y, mstype.float64)
        return F.cast(F.lgamma(x) + F.lgamma(y) - F.lgamma(x + y), kind)


class MatInverse(Cell):
    """The inverse of symmetric, positive definite matrices (…, N, N)."""

    def construct(self, a):
        """Compiled body."""
        return inverse(_checks.floating("MatInverse", a))


class MatDet(Cell):
    """The determinant of symmetric, positive definite matrices (…, N, N), by Cholesky's factors."""

    def construct(self, a):
        """Compiled body."""
        factor = cholesky(_checks.floating("MatDet", a))
        return F.square(F.reduce_prod(diagonal(factor, 0, -2, -1), (-1,)))


class MatrixDiag(Cell):
    """Matrices (…, N, N) with vectors (…, N) as their diagonals and zeros elsewhere."""

    def construct(self, input_x):
        """Compiled body."""
        return diag_embed(input_x)


class MatrixDiagPart(Cell):
    """The main diagonals (…, min(M, N)) of matrices (…, M, N)."""

    def construct(self, input_x):
        """Compiled body."""
        return diagonal(input_x, 0, -2, -1)


class MatrixSetDiag(Cell):
    """Matrices (…, M, N) with the main diagonals of `diagonal`, (…, min(M, N)), in place of their own."""

    def construct(self, input_x, diagonal):
        """Compiled body."""
        expected = input_x.shape[:-2] + (min(input_x.shape[-2], input_x.shape[-1]),)
        if diagonal.shape != expected or diagonal.dtype != input_x.dtype:
            raise ValueError(f"For 'MatrixSetDiag', the diagonals must be {input_x.dtype} of {expected}, but got {diagonal.dtype} of {diagonal.shape}")
        return matrix_set_diag(input_x, diagonal)


class ClipByNorm(Cell):
    """x times clip_norm / max(norm, clip_norm), with the 2-norm over `axis`, or over all axes where it is None.

    MindSpore 2.0.0 scales all rows but the first by other factors where there is an axis.
    """

    def __init__(self, axis=None):
        super().__init__()
        self.axis = axis

    def construct(self, x, clip_norm):
        """Compiled body."""
        return clipped_by_norm(x, clip_norm, self.axis)


class CosineSimilarity(Cell):
    """The cosines of vectors along an axis: `nn.layer.CosineSimilarity`, since `nn.CosineSimilarity` is a metric.

    Args:
      dim: the axis.
      eps: a length is at least so much.

    Inputs:
      x1, x2: Tensors of floating point whose shapes broadcast; the result has one axis less.
    """

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def construct(self, x1, x2):
        """Compiled body."""
        return cosine_similarity(x1, x2, self.dim, self.eps)
