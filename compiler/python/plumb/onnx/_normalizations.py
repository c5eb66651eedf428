"""ONNX normalisations, in the parsable subset."""

from plumb import ops
from plumb.common.parameter import Parameter
from plumb.ops import _functions as F
from plumb.ops.function import normalization
from plumb.ops._sparse import product
from plumb.onnx._registry import operator
from plumb.onnx._values import positive, positive_all, tensor


@operator("BatchNormalization", fixed=(3, 4))
def batch_normalization(x, scale, bias, mean, variance, epsilon=1e-5, momentum=0.9, training_mode=0, is_test=0, spatial=1, outputs=1,
                        training=False):
    """Channels normalised by running averages, or by the batch, which they follow then.

    The batch's statistics are taken in a node of `training_mode`, which returns the averages, and in a network in training, whose
    averages are Parameters.
    """
    if not spatial:
        raise NotImplementedError("BatchNormalization with spatial=0 is not offered")
    x = tensor(x)
    if outputs > 3:
        raise NotImplementedError("BatchNormalization with the batch's statistics as results is not offered; export the network for inference, or "
                                  "as it is (PyTorch: TrainingMode.PRESERVE), not for training")
    if training_mode or outputs > 1:
        made, centre, spread, _ = normalization.by_batch(F.widened(x), tensor(scale), tensor(bias), epsilon)
        return F.cast(made, x.dtype), normalization.followed(tensor(mean), centre, 1.0 - momentum), normalization.followed(
            tensor(variance), spread, 1.0 - momentum)
    learns = training and not is_test and isinstance(mean, Parameter) and isinstance(variance, Parameter)
    return normalization.batch_norm_of(x, tensor(scale), tensor(bias), mean if learns else tensor(mean), variance if learns else tensor(variance),
                                       learns, epsilon, 1.0 - momentum)[0]


@operator("InstanceNormalization")
def instance_normalization(x, scale, bias, epsilon=1e-5):
    """Each channel of each image normalised by itself."""
    _, centred, variance, way = normalization.moments(x, tuple(range(2, x.ndim)))
    factor = F.rsqrt(variance + epsilon)
    shape = (1, -1) + (1,) * (x.ndim - 2)
    return (centred * factor + way * factor) * F.reshape(tensor(scale), shape) + F.reshape(tensor(bias), shape)


@operator("LayerNormalization")
def layer_normalization(x, scale, bias=None, axis=-1, epsilon=1e-5, stash_type=1, outputs=1):
    """Elements normalised over the axes from `axis` on; also their mean and the inverse of their deviation."""
    wide = F.widened(tensor(x))
    mean, centred, variance, way = normalization.moments(wide, tuple(range(positive(axis, x.ndim), x.ndim)))
    factor = F.rsqrt(variance + epsilon)
    if stash_type != 1:
        raise NotImplementedError("LayerNormalization is offered with stash_type 1, statistics in float32")
    made = F.cast(centred * factor + way * factor, x.dtype) * tensor(scale)
    made = made if bias is None else made + tensor(bias)
    return made if outputs == 1 else (made, mean, factor)[:outputs]


@operator("RMSNormalization")
def rms_normalization(x, scale, axis=-1, epsilon=1e-5, stash_type=1):
    """Elements by the root of their mean square over the axes from `axis` on."""
    if stash_type != 1:
        raise NotImplementedError("RMSNormalization is offered with stash_type 1, statistics in float32")
    wide = F.widened(tensor(x))
    squares = F.reduce_mean(F.square(wide), tuple(range(positive(axis, x.ndim), x.ndim)), True)
    return F.cast(wide * F.rsqrt(squares + epsilon), x.dtype) * tensor(scale)


@operator("GroupNormalization", since=21)
def group_normalization(x, scale, bias, num_groups=1, epsilon=1e-5, stash_type=1):
    """Groups of channels normalised by themselves, with a scale and a shift for each channel."""
    if stash_type != 1:
        raise NotImplementedError("GroupNormalization is offered with stash_type 1, statistics in float32")
    return ops.group_norm(tensor(x), num_groups, tensor(scale), tensor(bias), epsilon)


@operator("GroupNormalization", since=18)
def group_normalization_by_group(x, scale, bias, num_groups=1, epsilon=1e-5):
    """Groups of channels normalised by themselves, with a scale and a shift for each group."""
    count = x.shape[1] // num_groups
    return ops.group_norm(tensor(x), num_groups, ops.repeat_elements(tensor(scale), count, 0), ops.repeat_elements(tensor(bias), count, 0), epsilon)


@operator("LRN")
def local_response_normalization(x, size=1, alpha=1e-4, beta=0.75, bias=1.0):
    """x / (bias + alpha / size * the sum of squares of the channels around)^beta."""
    before = (size - 1) // 2
    squares, total = F.pad(F.square(x), (0, before) + (0,) * (x.ndim - 2), (0, size - 1 - before) + (0,) * (x.ndim - 2), 0.0), None
    for place in range(size):
        own = F.part(squares, 1, place, place + x.shape[1])
        total = own if total is None else total + own
    return x / F.pow(bias + (alpha / size) * total, beta)


@operator("LpNormalization")
def lp_normalization(x, axis=-1, p=2):
    """Elements by the p-norm along an axis; zeros stay zeros."""
    axis, x = positive(axis, x.ndim), tensor(x)
    norm = F.reduce_sum(F.abs(x), (axis,), True) if p == 1 else F.sqrt(F.reduce_sum(F.square(x), (axis,), True))
    return x / F.select(norm == 0, F.ones_like(norm), norm)


@operator("MeanVarianceNormalization")
def mean_variance_normalization(x, axes=(0, 2, 3)):
    """Elements less their mean, by their deviation and 1e-9."""
    mean = F.reduce_mean(x, positive_all(axes, x.ndim), True)
    return (x - mean) / (F.sqrt(F.reduce_mean(F.square(x - mean), positive_all(axes, x.ndim), True)) + 1e-9)


# -- shares

def _flat(function):
    """A function of rows: all axes from `axis` on are one, as before operator set 13."""
    def flat(x, axis=1):
        rows = product(x.shape[:axis if axis >= 0 else axis + x.ndim])
        return F.reshape(function(F.reshape(tensor(x), (rows, -1)), -1), x.shape)
    return flat


def _along(function):
    """A function along one axis."""
    def along(x, axis=-1):
        return function(tensor(x), positive(axis, x.ndim))
    return along


def _hardmax(x, axis):
    axis = positive(axis, x.ndim)
    place = F.expand_dims(F.argmax(x, axis), axis)
    numbers = F.reshape(F.arange(x.shape[axis]), (-1,) + (1,) * (x.ndim - axis - 1))
    return F.cast(F.equal(F.cast(place, numbers.dtype), numbers), x.dtype)


for _name, _function in (("Softmax", F.softmax), ("LogSoftmax", F.log_softmax), ("Hardmax", _hardmax)):
    operator(_name)(_flat(_function))
    operator(_name, since=13)(_along(_function))
