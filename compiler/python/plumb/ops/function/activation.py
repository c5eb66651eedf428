"""Activations: elementwise functions that networks are made of, with MindSpore's signatures, in the parsable subset.

Inputs are tensors of floating point of any shape, where nothing else is said; results have their shape and element type.
Gradients at a kink are PyTorch's: 0 on the flat side.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.ops import _checks
from plumb.ops import _functions as F

relu, relu6 = F.relu, F.relu6


def sigmoid(input):
    """1 / (1 + exp(-x))."""
    return F.sigmoid(input if input.dtype in _checks.COMPLEX else _checks.floating("sigmoid", input))


@known_as(input="x")
def silu(x):
    """x * sigmoid(x)."""
    return F.silu(x if x.dtype in _checks.COMPLEX else _checks.floating("silu", x))


@known_as(input="input_x")
def gelu(input_x, approximate="none"):
    """Gaussian error linear unit; `approximate` "tanh" takes a tanh for the error function.

    The result is of the type of x; MindSpore 2.0.0 gives float32 for float16.
    """
    if approximate not in ("none", "tanh"):
        raise ValueError("For 'gelu', 'approximate' must be 'none' or 'tanh'")
    return F.gelu(_checks.floating("gelu", input_x), approximate == "tanh")


def fast_gelu(x):
    """x * sigmoid(1.702 * x), the Gaussian error linear unit with a sigmoid for the error function."""
    return _checks.floating("fast_gelu", x) * F.sigmoid(x * 1.702)


def elu(input_x, alpha=1.0):
    """x where positive, alpha * (exp(x) - 1) elsewhere; the gradient at 0 is 1."""
    return F.elu(_checks.floating("elu", input_x), alpha)


def celu(x, alpha=1.0):
    """x where positive, alpha * (exp(x / alpha) - 1) elsewhere; raises ValueError when alpha is 0."""
    if alpha == 0:
        raise ValueError("For 'celu', 'alpha' cannot be 0")
    _checks.floating("celu", x)
    below = F.expm1(F.minimum(x, 0.0) / alpha) * alpha
    return F.select(F.greater_equal(x, 0.0), x, below)


@known_as(input="input_x")
def selu(input_x):
    """scale * elu(x, alpha) with the constants of Klambauer et al., "Self-Normalizing Neural Networks", 2017.

    Its gradient below zero is scale * alpha * e^x, as PyTorch's; MindSpore 2.0.0 has another number there.
    """
    return F.elu(_checks.floating("selu", input_x), 1.6732632423543772) * 1.0507009873554805


def leaky_relu(input, alpha=0.2):
    """x where positive, alpha * x elsewhere; of float32 for integers and booleans."""
    return F.leaky_relu(_checks.real("leaky_relu", input), alpha)


@known_as(input="x")
def prelu(x, weight):
    """x where positive, weight * x elsewhere; one weight for all elements, or one for each channel on axis 1. The result is of x's type."""
    _checks.floating("prelu", x)
    channels = x.shape[1] if x.ndim > 1 else 1
    if weight.ndim > 1 or weight.size not in (1, channels):
        raise ValueError(f"For 'prelu', 'weight' must be a vector of 1 or {channels} elements, but got {weight.shape}")
    if weight.size > 1:
        weight = F.reshape(weight, (channels,) + (1,) * (x.ndim - 2))
    weight = F.reshape(weight, ()) if x.ndim == 0 else weight
    return F.select(F.greater(x, 0.0), x, x * F.cast(weight, x.dtype))


def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above `threshold`."""
    _checks.floating("softplus", input)
    scaled = input if beta == 1 else input * beta
    smooth = F.softplus(scaled)
    return F.select(F.greater(scaled, threshold), input, smooth if beta == 1 else smooth / beta)


@known_as(input="x")
def logsigmoid(x):
    """log(sigmoid(x)), without overflow."""
    return -F.softplus(-_checks.floating("logsigmoid", x))


@known_as(input="x")
def mish(x):
    """x * tanh(log(1 + exp(x)))."""
    return _checks.floating("mish", x) * F.tanh(F.softplus(x))


def _hold_to_six(x):
    """relu6, whose gradient at 6 is 0 here, as at 0; that of relu6 itself is 1."""
    return F.select(x >= 6.0, 6.0, F.relu(x))


def hardsigmoid(input):
    """x / 6 + 1 / 2 held between 0 and 1."""
    return _hold_to_six(_checks.floating("hardsigmoid", input) + 3.0) / 6.0


@known_as(input="x")
def hardswish(x):
    """x * hardsigmoid(x)."""
    return _checks.floating("hardswish", x) * (_hold_to_six(x + 3.0) / 6.0)


def hardtanh(input, min_val=-1.0, max_val=1.0):
    """x held between `min_val` and `max_val`, of any numeric type; raises ValueError unless the first is smaller.

    At a limit half of the gradient passes, as in MindSpore. A limit below zero is zero for types without a sign.
    """
    if min_val >= max_val:
        raise ValueError("For 'hardtanh', 'min_val' must be smaller than 'max_val'")
    if input.dtype in _checks.UNSIGNED or input.dtype == mstype.bool_:
        min_val = max(min_val, 0)
    return F.minimum(F.maximum(input, F.fill(input.dtype, (), min_val)), F.fill(input.dtype, (), max_val))


def threshold(input, thr, value):
    """x where above `thr`, `value` elsewhere; of any numeric type, which `value` takes."""
    return F.select(F.greater(input, thr), input, F.fill(input.dtype, input.shape, value))


@known_as(input="x")
def hardshrink(x, lambd=0.5):
    """x where |x| is above `lambd`, 0 elsewhere."""
    _checks.floating("hardshrink", x)
    return F.select(F.greater(F.abs(x), lambd), x, F.zeros_like(x))


@known_as(input="x")
def softshrink(x, lambd=0.5):
    """x moved towards 0 by `lambd`, at most to 0."""
    _checks.floating("softshrink", x)
    return F.relu(x - lambd) - F.relu(-x - lambd)


def soft_shrink(input, lambd=0.5):
    """`softshrink` with the input by another name."""
    return softshrink(input, lambd)


def swiglu(input, dim=-1):
    """x * sigmoid(x) of the first half along `dim`, times the second; raises ValueError where the axis cannot be halved."""
    axis = _checks.one_axis("swiglu", dim, input.ndim)
    half = input.shape[axis] // 2
    if 2 * half != input.shape[axis]:
        raise ValueError(f"For 'swiglu', the axis {dim} of {input.shape} cannot be halved")
    return silu(F.part(input, axis, 0, half)) * F.part(input, axis, half, 2 * half)


def tanhshrink(input):
    """x - tanh(x)."""
    return _checks.inexact("tanhshrink", input) - F.tanh(input)


def softsign(x):
    """x / (1 + |x|)."""
    return _checks.inexact("softsign", x) / (F.abs(x) + 1.0)


def logit(input, eps=None):
    """log(x / (1 - x)), of x held between `eps` and 1 - `eps` when that is given (MindSpore's class takes -1 for None)."""
    _checks.floating("logit", input)
    if eps is not None and eps >= 0:
        input = F.select(F.less(input, eps), F.fill(input.dtype, input.shape, eps), input)
        input = F.select(F.greater(input, 1.0 - eps), F.fill(input.dtype, input.shape, 1.0 - eps), input)
    return F.log(input / (1.0 - input))


@known_as(input="x")
def softmax(x, axis=-1, *, dtype=None):
    """exp(x) over its sum along `axis`, an int or a tuple of one; of elements converted to `dtype` when that is given."""
    return F.softmax(x if dtype is None else F.cast(x, dtype), _single(axis))


def softmin(x, axis=-1, *, dtype=None):
    """softmax(-x) along `axis`; of elements converted to `dtype` when that is given."""
    return F.softmax(-x if dtype is None else -F.cast(x, dtype), _single(axis))


def log_softmax(logits, axis=-1):
    """Logarithm of the softmax along `axis`."""
    return F.log_softmax(logits, axis)


def _single(axis):
    """The one axis of a tuple."""
    if isinstance(axis, (tuple, list)):
        if len(axis) != 1:
            raise ValueError("For 'softmax', 'axis' must be one axis")
        return axis[0]
    return axis


def glu(x, axis=-1):
    """The first half of x along `axis` times the sigmoid of the second; raises ValueError when the extent is odd."""
    place = _checks.one_axis("glu", axis, _checks.floating("glu", x).ndim)
    if x.shape[place] % 2 != 0:
        raise ValueError(f"For 'glu', the extent of axis {axis} must be even, but got {x.shape}")
    first, second = F.split(x, place, 2)
    return first * F.sigmoid(second)


__all__ = offered(globals())
