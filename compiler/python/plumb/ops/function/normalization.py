"""Normalisation, with MindSpore's signatures, in the parsable subset.

Normalised values are written so that their gradient needs two reductions and no more. The mean enters the squares and
the product as a constant (`stop_gradient`): the variance does not change with the mean, its gradient there is zero,
and the product's share goes through the small term `(constant mean - mean) * scale`, whose value is zero.

Mean and variance come from one pass over the values, as sums of their distances to the first one and of the squares: a
point among them is near enough to the mean that the difference of squares loses few digits, however far zero is.

Inputs of float16 and bfloat16 are normalised in float32 and the results rounded once.
"""

from plumb.common import parameter as _parameter
from plumb.common._offers import known_as
from plumb.ops import _checks
from plumb.ops import _functions as F


def first_along(x, axes):
    """The first of `x` along `axes`, which are kept as ones."""
    ends = ()
    for axis in range(x.ndim):
        ends = ends + (1 if axis in axes else x.shape[axis],)
    return F.strided_slice(x, (0,) * x.ndim, ends, (1,) * x.ndim)


def moments(x, axes):
    """Mean and centred values over `axes` (kept as ones), the variance, and the term that carries the mean's gradient."""
    origin = F.stop_gradient(first_along(x, axes))
    moved = x - origin
    offset = F.reduce_mean(moved, axes, True)
    variance = F.reduce_mean(F.square(moved), axes, True) - F.square(offset)
    mean = origin + offset
    fixed = F.stop_gradient(mean)
    return mean, x - fixed, variance, fixed - mean


def by_batch(x, gamma, beta, eps):
    """Every channel normalised by the batch's statistics; its mean, variance, and the factor that makes that unbiased."""
    axes, count = (0,) + tuple(range(2, x.ndim)), x.shape[0]
    for axis in range(2, x.ndim):
        count = count * x.shape[axis]
    mean, centred, variance, way = moments(x, axes)
    scale = F.reshape(gamma, mean.shape) * F.rsqrt(variance + eps)
    return centred * scale + (F.reshape(beta, mean.shape) + way * scale), mean, variance, count / max(count - 1, 1)


def by_average(x, gamma, beta, mean, variance, eps):
    """Every channel normalised by given statistics."""
    shape = (1, x.shape[1]) + (1,) * (x.ndim - 2)
    scale = gamma * F.rsqrt(variance + eps)
    return x * F.reshape(scale, shape) + F.reshape(beta - mean * scale, shape)


def followed(average, value, share):
    """A running average moved towards a value by its share."""
    return average * (1.0 - share) + F.reshape(F.stop_gradient(value), average.shape) * share


def batch_norm_of(input_x, scale, bias, mean, variance, is_training=False, epsilon=1e-5, momentum=0.1):
    """Normalised input, then mean and variance by which it was, twice.

    In training the batch's statistics normalise, and the running ones, which are Parameters then, follow with the share
    `momentum`; the running variance follows the unbiased one, as on MindSpore's GPUs and Ascend; its CPU backend takes the biased one.
    """
    if input_x.ndim < 2 or scale.shape != (input_x.shape[1],):
        raise ValueError(f"For 'BatchNorm', an input of {input_x.shape} needs as many scales as channels, but got {scale.shape}")
    x = F.widened(_checks.floating("BatchNorm", input_x))
    if not is_training:
        return (F.cast(by_average(x, scale, bias, mean, variance, epsilon), input_x.dtype), mean, variance, mean, variance)
    if not isinstance(mean, _parameter.Parameter) or not isinstance(variance, _parameter.Parameter):
        raise TypeError("For 'BatchNorm', the running mean and variance must be Parameters in training")
    result, of_batch, spread, unbiased = by_batch(x, scale, bias, epsilon)
    of_batch, spread = F.reshape(of_batch, scale.shape), F.reshape(spread, scale.shape)
    F.assign(mean, followed(mean, of_batch, momentum))
    F.assign(variance, followed(variance, spread * unbiased, momentum))
    return F.cast(result, input_x.dtype), of_batch, spread, of_batch, spread


@known_as(input="input_x")
def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    """Every channel (axis 1) normalised over the batch and all other axes, times `weight`, plus `bias`.

    Args:
      running_mean, running_var: statistics; in training Parameters that follow those of the batch, by which it is normalised then.
      momentum: the share of the batch's statistics in them.
    """
    return batch_norm_of(input_x, weight, bias, running_mean, running_var, training, eps, momentum)[0]


def layer_norm_of(input_x, gamma, beta, begin_norm_axis=1, begin_params_axis=1, epsilon=1e-7):
    """The input normalised over its axes from `begin_norm_axis` on, its mean and its variance, with those axes as ones.

    Scale and shift have the extents from `begin_params_axis` on.
    """
    begin = _checks.one_axis("LayerNorm", begin_norm_axis, input_x.ndim)
    if gamma.shape != input_x.shape[_checks.one_axis("LayerNorm", begin_params_axis, input_x.ndim):] or beta.shape != gamma.shape:
        raise ValueError(f"For 'LayerNorm', 'gamma' of {gamma.shape} and 'beta' of {beta.shape} do not fit the input of {input_x.shape}")
    mean, centred, variance, way = moments(F.widened(_checks.floating("LayerNorm", input_x)), tuple(range(begin, input_x.ndim)))
    scale = F.rsqrt(variance + epsilon)
    return F.cast((centred * scale + way * scale) * gamma + beta, input_x.dtype), mean, variance


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """The elements less their mean over the last axes, of the extents `normalized_shape`, by their deviation; times `weight`, plus `bias`."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    first = input.ndim - len(shape)
    gamma = F.fill(input.dtype, shape, 1) if weight is None else weight
    beta = F.fill(input.dtype, shape, 0) if bias is None else bias
    return layer_norm_of(input, gamma, beta, first, first, eps)[0]


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Groups of channels (axis 1) normalised over themselves and all later axes, for each row by itself.

    Args:
      num_groups: divides the number of channels.
      weight, bias: a scale and a shift for each channel.
    """
    channels = input.shape[1]
    if num_groups < 1 or channels % num_groups != 0:
        raise ValueError(f"For 'group_norm', {channels} channels are no {num_groups} groups of equal size")
    x = F.reshape(F.widened(_checks.floating("group_norm", input)), (input.shape[0], num_groups, -1))
    _, centred, variance, way = moments(x, (2,))
    scale = F.rsqrt(variance + eps)
    normalised, along = F.reshape(centred * scale + way * scale, input.shape), (1, channels) + (1,) * (input.ndim - 2)
    normalised = normalised if weight is None else normalised * F.reshape(weight, along)
    return F.cast(normalised if bias is None else normalised + F.reshape(bias, along), input.dtype)


def rms_norm(x, gamma, epsilon=1e-6):
    """(x / r * gamma, 1 / r), r the root of the mean of squares over the last axes, those of `gamma`, plus `epsilon` (Zhang and Sennrich 2019).

    The reciprocal is float32, with those axes as ones.
    """
    wide, axes = F.widened(_checks.floating("rms_norm", x)), tuple(range(x.ndim - gamma.ndim, x.ndim))
    reciprocal = F.rsqrt(F.reduce_mean(F.square(wide), axes, True) + epsilon)
    return F.cast(wide * reciprocal * gamma, x.dtype), reciprocal


def lrn(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
    """x / (bias + alpha * s)^beta, s the sum of squares of the channels (axis 1 of 4) at most `depth_radius` away."""
    if norm_region != "ACROSS_CHANNELS":
        raise ValueError(f"For 'lrn', 'norm_region' must be 'ACROSS_CHANNELS', but got {norm_region}")
    count, reach = x.shape[1], min(depth_radius, x.shape[1] - 1)
    squares = F.pad(F.square(F.widened(_checks.floating("lrn", x))), (0, reach, 0, 0), (0, reach, 0, 0))
    total = F.part(squares, 1, 0, count)
    for offset in range(1, 2 * reach + 1):
        total = total + F.part(squares, 1, offset, offset + count)
    return F.cast(F.widened(x) / F.pow(total * alpha + bias, beta), x.dtype)


__all__ = ["batch_norm", "group_norm", "layer_norm", "lrn", "rms_norm"]
