"""BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d to 3d, LayerNorm, GroupNorm and LRN.

How values are normalised stands in `ops/function/normalization.py`.
"""

from plumb.common._docs import described_by
from plumb.common._offers import known_as, only_defaults
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.ops import _checks
from plumb.ops import _functions as F
from plumb.ops.function import normalization as N
from plumb.ops.operations.array_ops import Reshape
from plumb.ops.operations.math_ops import ReduceMean, ReduceSum, Sqrt, Square
from plumb.ops.operations.nn_ops import LayerNorm as LayerNormOperation
from plumb.ops.operations.other_ops import Shape


@typed
class _BatchNorm(Cell):
    """Normalises every channel (axis 1) over the batch and all other axes.

    Args:
      num_features: number of channels.
      eps: added to the variance.
      momentum: share of the old moving average that stays in each step.
      affine: whether scale (`gamma`) and shift (`beta`) are trained.
      gamma_init, beta_init, moving_mean_init: first values: initializers, their names, tensors or numbers.
      moving_var_init: first moving variance. It follows the unbiased variance, as on MindSpore's GPUs and Ascend; its CPU
        backend takes the biased one.
      use_batch_statistics: True takes the batch's mean and variance, False the moving ones; None takes the batch's in
        training alone.
      data_format: "NCHW", the channels on axis 1.

    The input is of floating point, the result of its shape and type.

    Raises:
      ValueError: if a number is out of range, or the input has another rank or number of channels.
    """

    ranks = ()

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, data_format="NCHW"):
        super().__init__()
        who = type(self).__name__
        if isinstance(num_features, bool) or not isinstance(num_features, int) or num_features < 1:
            raise ValueError(f"For '{who}', 'num_features' must be a positive int, but got {num_features}.")
        if not 0 <= momentum <= 1:
            raise ValueError(f"For '{who}', the 'momentum' must be between 0 and 1, but got {momentum}.")
        if eps <= 0:
            raise ValueError(f"For '{who}', 'eps' must be above 0, but got {eps}.")
        if data_format != "NCHW":
            raise ValueError(f"For '{who}', channels on axis 1 are offered only, but got '{data_format}'.")
        self.num_features, self.eps, self.momentum = num_features, float(eps), float(momentum)
        self.use_batch_statistics = use_batch_statistics
        shape = (num_features,)
        self.moving_mean = Parameter(initializer(moving_mean_init, shape), name="mean", requires_grad=False)
        self.moving_variance = Parameter(initializer(moving_var_init, shape), name="variance", requires_grad=False)
        self.gamma = Parameter(initializer(gamma_init, shape), requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape), requires_grad=affine)

    def construct(self, x):
        """Compiled body."""
        if x.ndim not in self.ranks or x.shape[1] != self.num_features:
            raise ValueError("nn.BatchNorm got an input of a rank that does not fit, or of another number of channels")
        wide = F.widened(_checks.floating("BatchNorm", x))
        if self.use_batch_statistics or (self.use_batch_statistics is None and self.training):
            return F.cast(self.by_batch(wide), x.dtype)
        return F.cast(self.by_average(wide), x.dtype)

    def by_batch(self, x):
        """Normalises by the batch's own statistics and moves the averages towards them, once."""
        result, mean, variance, unbiased = N.by_batch(x, self.gamma, self.beta, self.eps)
        self.follow(self.moving_mean, mean, 1.0)
        self.follow(self.moving_variance, variance, unbiased)
        return result

    def by_average(self, x):
        """Normalises by the moving averages."""
        return N.by_average(x, self.gamma, self.beta, self.moving_mean, self.moving_variance, self.eps)

    def follow(self, average, value, factor):
        """Moves a moving average towards `value * factor`: the variance's factor makes it the unbiased one."""
        value = F.reshape(F.stop_gradient(value), (self.num_features,))
        F.assign(average, average * self.momentum + value * (factor * (1.0 - self.momentum)))

    def extend_repr(self):
        """What `repr` shows."""
        return (f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, "
                f"beta={self.beta}, moving_mean={self.moving_mean}, moving_variance={self.moving_variance}")


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""

    ranks = (4,)


@typed
class BatchNorm3d(Cell):
    """Batch normalisation of (N, C, D, H, W), by the layer `bn2d` of (N, C, D * H, W), which has the Parameters.

    Arguments as of BatchNorm2d, with the `data_format` "NCDHW".

    Raises:
      ValueError: as BatchNorm2d.
    """

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, data_format="NCDHW"):
        super().__init__()
        only_defaults("BatchNorm3d", data_format=(data_format, "NCDHW"))
        self.bn2d = BatchNorm2d(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                                use_batch_statistics)

    def construct(self, x):
        """Compiled body."""
        if x.ndim != 5:
            raise ValueError("nn.BatchNorm3d takes an input of (N, C, D, H, W)")
        batch, channels, depth, height, width = x.shape
        return F.reshape(self.bn2d(F.reshape(x, (batch, channels, depth * height, width))), x.shape)


described_by(_BatchNorm, BatchNorm1d, BatchNorm2d)


@typed
class SyncBatchNorm(_BatchNorm):
    """Batch normalisation of two to five axes over the batches of all devices, of which there is one: as BatchNorm.

    Args:
      process_groups: None, or [[0]]: the groups of devices whose batches are normalised together.
      others: as of BatchNorm2d.
    """

    ranks = (2, 3, 4, 5)

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, process_groups=None):
        if process_groups is not None and [list(group) for group in process_groups] != [[0]]:
            raise ValueError(f"For 'SyncBatchNorm', there is one device: 'process_groups' can be None or [[0]], but got {process_groups}.")
        super().__init__(num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
                         use_batch_statistics)


@typed
class LayerNorm(Cell):
    """Normalises over the trailing axes of `normalized_shape`, for each position of the others by itself.

    Args:
      normalized_shape: extents of the axes normalised over, a tuple or list.
      begin_norm_axis: first axis normalised over; -1 is the last.
      begin_params_axis: first axis of scale and shift; must be the same axis.
      epsilon: added to the variance.
    """

    def __init__(self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init="ones",
                 beta_init="zeros", epsilon=1e-7):
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)) or not normalized_shape:
            raise TypeError(f"For 'LayerNorm', 'normalized_shape' must be a tuple or list of ints, but got "
                            f"{normalized_shape}.")
        if begin_norm_axis != begin_params_axis:
            raise ValueError(f"For 'LayerNorm', 'begin_norm_axis' and 'begin_params_axis' must be the same, but got "
                             f"{begin_norm_axis} and {begin_params_axis}.")
        self.normalized_shape = tuple(normalized_shape)
        self.begin_norm_axis, self.begin_params_axis, self.epsilon = begin_norm_axis, begin_params_axis, float(epsilon)
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape))
        self.beta = Parameter(initializer(beta_init, self.normalized_shape))
        # The operation by itself, which gives mean and variance, too, for subclasses.
        self.layer_norm = LayerNormOperation(begin_norm_axis, begin_params_axis, epsilon)

    @known_as(input_x="x")
    def construct(self, x):
        """Compiled body."""
        begin = self.begin_norm_axis if self.begin_norm_axis >= 0 else x.ndim + self.begin_norm_axis
        if x.shape[begin:] != self.normalized_shape:
            raise ValueError("nn.LayerNorm got an input whose trailing extents are not 'normalized_shape'")
        _, centred, variance, way = N.moments(F.widened(x), tuple(range(begin, x.ndim)))
        scale = F.rsqrt(variance + self.epsilon)
        return F.cast((centred * scale + way * scale) * self.gamma + self.beta, x.dtype)

    def extend_repr(self):
        """What `repr` shows."""
        return (f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
                f"begin_params_axis={self.begin_norm_axis}, gamma{self.gamma}, beta={self.beta}")


@typed
class GroupNorm(Cell):
    """Normalises groups of channels (axis 1) over themselves and all later axes, for each row by itself.

    Args:
      num_groups: number of groups; it divides `num_channels`.
      num_channels: number of channels.
      eps: added to the variance.
      affine: whether scale and shift are trained.
    """

    # The operations that MindSpore's layer computes with: subclasses with a `construct` of their own call them.
    reduce_mean, reduce_sum, square, sqrt = ReduceMean(keep_dims=True), ReduceSum(keep_dims=True), Square(), Sqrt()
    shape, reshape = Shape(), Reshape()

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, gamma_init="ones", beta_init="zeros"):
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ValueError(f"For 'GroupNorm', 'num_channels' must be divisible by 'num_groups', but got "
                             f"{num_channels} and {num_groups}.")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, float(eps), bool(affine)
        self.gamma = Parameter(initializer(gamma_init, (num_channels,)), requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,)), requires_grad=affine)

    def construct(self, x):
        """Compiled body."""
        if x.shape[1] != self.num_channels:
            raise ValueError("nn.GroupNorm got an input of another number of channels")
        _, centred, variance, way = N.moments(F.reshape(F.widened(x), (x.shape[0], self.num_groups, -1)), (2,))
        scale = F.rsqrt(variance + self.eps)
        along = (1, self.num_channels) + (1,) * (x.ndim - 2)
        normalised = F.reshape(centred * scale + way * scale, x.shape)
        return F.cast(normalised * F.reshape(self.gamma, along) + F.reshape(self.beta, along), x.dtype)

    def extend_repr(self):
        """What `repr` shows."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


@typed
class _InstanceNorm(Cell):
    """Normalises each channel (axis 1) of each row over all later axes.

    Args:
      num_features: number of channels.
      eps: added to the variance.
      momentum: accepted; rows are normalised by themselves, so nothing is averaged (nor does MindSpore's CPU backend use it).
      affine: whether scale (`gamma`) and shift (`beta`) are trained.
      gamma_init, beta_init: first values: initializers, their names, tensors or numbers.

    The result has the input's shape and type.

    Raises:
      ValueError: if a number is out of range, or the input has another rank or number of channels.
    """

    rank = 1

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, gamma_init="ones", beta_init="zeros"):
        super().__init__()
        who = type(self).__name__
        if isinstance(num_features, bool) or not isinstance(num_features, int) or num_features < 1:
            raise ValueError(f"For '{who}', 'num_features' must be a positive int, but got {num_features}.")
        if not 0 <= momentum <= 1 or eps <= 0:
            raise ValueError(f"For '{who}', 'momentum' must be in [0, 1] and 'eps' above 0, but got {momentum} and {eps}.")
        self.num_features, self.eps, self.momentum = num_features, float(eps), float(momentum)
        self.gamma = Parameter(initializer(gamma_init, (num_features,)), requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_features,)), requires_grad=affine)

    def construct(self, x):
        """Compiled body."""
        if x.ndim != self.rank + 2 or x.shape[1] != self.num_features:
            raise ValueError(f"nn.InstanceNorm got an input of a rank that does not fit, or of another number of channels: {x.shape}")
        axes = ()
        for axis in range(2, x.ndim):
            axes = axes + (axis,)
        _, centred, variance, way = N.moments(F.widened(x), axes)
        scale = F.rsqrt(variance + self.eps)
        along = (1, self.num_features) + (1,) * self.rank
        normalised = centred * scale + way * scale
        return F.cast(normalised * F.reshape(self.gamma, along) + F.reshape(self.beta, along), x.dtype)

    def extend_repr(self):
        """What `repr` shows."""
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma}, beta={self.beta}"


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of (N, C, L)."""


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of (N, C, H, W)."""

    rank = 2


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of (N, C, D, H, W)."""

    rank = 3


described_by(_InstanceNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d)


class LRN(Cell):
    """Local response normalisation: x / (bias + alpha * s)^beta, s the sum of squares of the channels at most `depth_radius` away.

    Args:
      norm_region: "ACROSS_CHANNELS".

    Called with images (N, C, H, W).
    """

    def __init__(self, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
        super().__init__()
        if norm_region != "ACROSS_CHANNELS":
            raise ValueError(f"For 'LRN', 'norm_region' must be 'ACROSS_CHANNELS', but got {norm_region!r}.")
        self.depth_radius, self.bias, self.alpha, self.beta = depth_radius, float(bias), float(alpha), float(beta)

    def construct(self, input_x):
        """Compiled body."""
        return N.lrn(input_x, self.depth_radius, self.bias, self.alpha, self.beta)
