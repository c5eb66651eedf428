"""ONNX operators on elements, in the parsable subset. Formulas: https://onnx.ai/onnx/operators."""

import numpy as np

from plumb import ops
from plumb.common import dtype as mstype
from plumb.ops import _functions as F
from plumb.onnx import _proto
from plumb.onnx._registry import operator
from plumb.onnx._values import array, is_floating, is_known, one_of, only, tensor


# -- one operand

def _unary(name, known, computed):
    """Enters an operator by NumPy's function and ours."""
    def unary(x):
        return array(known(x), np.bool_ if name == "IsNaN" else x.dtype) if is_known(x) else computed(x)
    operator(name)(unary)


def _known_relu(x):
    return np.maximum(x, 0)


for _name, _known, _computed in (
        ("Abs", np.abs, ops.abs), ("Neg", np.negative, ops.neg), ("Floor", np.floor, ops.floor), ("Ceil", np.ceil, ops.ceil),
        ("Round", np.round, ops.round), ("Sqrt", np.sqrt, ops.sqrt), ("Exp", np.exp, ops.exp), ("Log", np.log, ops.log),
        ("Sin", np.sin, ops.sin), ("Cos", np.cos, ops.cos), ("Tan", np.tan, ops.tan), ("Asin", np.arcsin, ops.asin),
        ("Acos", np.arccos, ops.acos), ("Atan", np.arctan, ops.atan), ("Sinh", np.sinh, ops.sinh), ("Cosh", np.cosh, ops.cosh),
        ("Tanh", np.tanh, ops.tanh), ("Asinh", np.arcsinh, ops.asinh), ("Acosh", np.arccosh, ops.acosh),
        ("Atanh", np.arctanh, ops.atanh), ("Sign", np.sign, ops.sign), ("Reciprocal", np.reciprocal, ops.reciprocal),
        ("Relu", _known_relu, ops.relu), ("Not", np.logical_not, ops.logical_not), ("IsNaN", np.isnan, ops.isnan), ("BitwiseNot", np.invert, F.invert)):
    _unary(_name, _known, _computed)


def _of_tensor(name, computed):
    """Enters an operator that is computed by a function of a tensor."""
    def of_tensor(x):
        return computed(tensor(x))
    operator(name)(of_tensor)


for _name, _computed in (("Sigmoid", ops.sigmoid), ("Erf", ops.erf), ("Softsign", ops.softsign), ("Softplus", F.softplus),
                         ("Mish", ops.mish)):
    _of_tensor(_name, _computed)


@operator("Identity")
def identity(x):
    """The value itself, also a list or an optional one."""
    return x


@operator("IsInf")
def is_inf(x, detect_negative=1, detect_positive=1):
    """Where elements are infinite, of the signs that count."""
    x = tensor(x)
    wanted = ops.isinf(x)
    if not detect_negative:
        wanted = ops.logical_and(wanted, x > 0)
    return wanted if detect_positive else ops.logical_and(wanted, x < 0)


@operator("Gelu", since=20)
def gelu(x, approximate="none"):
    """x times the normal distribution's function at x, or its approximation by tanh."""
    return ops.gelu(tensor(x), approximate)


@operator("Swish")
def swish(x, alpha=1.0):
    """x * sigmoid(alpha * x)."""
    return x * ops.sigmoid(alpha * x)


@operator("Elu")
def elu(x, alpha=1.0):
    """x where positive, else alpha * (exp(x) - 1)."""
    return F.select(x > 0, x, alpha * F.expm1(F.minimum(x, 0.0)))


@operator("Celu")
def celu(x, alpha=1.0):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    return F.maximum(x, 0.0) + F.minimum(alpha * F.expm1(F.minimum(x, 0.0) / alpha), 0.0)


@operator("Selu")
def selu(x, alpha=1.6732632423543772, gamma=1.0507009873554805):
    """gamma times x where positive, else gamma * alpha * (exp(x) - 1)."""
    return gamma * F.select(x > 0, x, alpha * F.expm1(F.minimum(x, 0.0)))


@operator("LeakyRelu")
def leaky_relu(x, alpha=0.01):
    """x where not negative, else alpha * x."""
    return F.select(x >= 0, x, alpha * x)


@operator("ThresholdedRelu")
def thresholded_relu(x, alpha=1.0):
    """x where it is above alpha, else 0."""
    return F.select(x > alpha, x, F.zeros_like(x))


@operator("HardSigmoid")
def hard_sigmoid(x, alpha=0.2, beta=0.5):
    """max(0, min(1, alpha * x + beta))."""
    return F.maximum(F.minimum(alpha * x + beta, 1.0), 0.0)


@operator("HardSwish")
def hard_swish(x):
    """x * max(0, min(1, x / 6 + 1 / 2))."""
    return x * hard_sigmoid(x, 1.0 / 6.0, 0.5)


@operator("Shrink")
def shrink(x, bias=0.0, lambd=0.5):
    """x + bias below -lambd, x - bias above lambd, else 0."""
    shifted = F.select(x > 0, x - bias, x + bias)
    return F.select(F.abs(x) > lambd, F.cast(shifted, x.dtype), F.zeros_like(x))


@operator("PRelu", since=7)
def prelu(x, slope):
    """x where not negative, else slope * x; the slope broadcasts to x."""
    return F.select(x >= 0, x, tensor(slope) * x)


@operator("PRelu")
def prelu_of_channels(x, slope):
    """x where not negative, else slope * x, with one slope or one of each channel."""
    return prelu(x, F.reshape(tensor(slope), (-1,) + (1,) * (x.ndim - 2)))


# -- two operands

def _aligned(x, y, axis):
    """Two operands for NumPy's rule of broadcasting; `axis` is where y's first axis stands in x (operator sets before 7)."""
    if axis is None or y.ndim == 0:
        return x, y
    first = axis if axis >= 0 else axis + x.ndim
    return x, y.reshape(y.shape + (1,) * (x.ndim - first - y.ndim))


def _binary(name, known, computed):
    """Enters an operator of two operands by NumPy's function and ours."""
    def binary(x, y, axis=None, broadcast=0):
        x, y = _aligned(x, y, axis if broadcast else None)
        if is_known(x, y):
            return array(known(x, y), np.bool_ if name in _COMPARISONS else x.dtype)
        return computed(tensor(x), tensor(y))
    operator(name)(binary)


_COMPARISONS = ("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")


def _quotient(x, y):
    """x / y; of integers rounded towards zero."""
    return x / y if is_floating(x) or x.dtype in (mstype.complex64, mstype.complex128) else ops.div(x, y, rounding_mode="trunc").astype(x.dtype)


def _known_quotient(x, y):
    if x.dtype.kind in "fc":
        return np.divide(x, y)
    down = np.floor_divide(x, y)
    return down + ((np.mod(x, y) != 0) & ((x < 0) != (y < 0)))


for _name, _known, _computed in (
        ("Add", np.add, F.add), ("Sub", np.subtract, F.sub), ("Mul", np.multiply, F.mul), ("Div", _known_quotient, _quotient),
        ("And", np.logical_and, F.logical_and), ("Or", np.logical_or, F.logical_or), ("Xor", np.logical_xor, ops.logical_xor),
        ("Equal", np.equal, F.equal), ("Less", np.less, F.less), ("Greater", np.greater, F.greater),
        ("LessOrEqual", np.less_equal, F.less_equal), ("GreaterOrEqual", np.greater_equal, F.greater_equal),
        ("BitwiseAnd", np.bitwise_and, F.bitwise_and), ("BitwiseOr", np.bitwise_or, F.bitwise_or),
        ("BitwiseXor", np.bitwise_xor, F.bitwise_xor)):
    _binary(_name, _known, _computed)


@operator("Pow")
def power(x, y, axis=None, broadcast=0):
    """x to the power of y, in x's element type."""
    x, y = _aligned(x, y, axis if broadcast else None)
    if is_known(x, y):
        return array(np.power(x, y), x.dtype)
    x = tensor(x)
    if is_known(y) and y.size == 1 and float(only(y)) == 2.0 and y.ndim <= x.ndim:
        return F.square(x)
    y = tensor(y)
    if is_floating(x):
        return F.pow(x, F.cast(y, x.dtype))
    if is_floating(y):
        return F.cast(F.pow(F.cast(x, y.dtype), y), x.dtype)
    return F.pow(x, F.cast(y, x.dtype))


@operator("Mod")
def mod(x, y, fmod=0):
    """The remainder, with the sign of y, or of x where `fmod` is set."""
    if is_known(x, y):
        return array(np.fmod(x, y) if fmod else np.mod(x, y), x.dtype)
    return F.mod(tensor(x), tensor(y)) if fmod else F.floor_mod(tensor(x), tensor(y))


@operator("BitShift")
def bit_shift(x, y, direction):
    """Bits moved to the "LEFT" or to the "RIGHT"."""
    one_of(direction, ("LEFT", "RIGHT"), "BitShift in direction")
    if is_known(x, y):
        return array(np.left_shift(x, y) if direction == "LEFT" else np.right_shift(x, y), x.dtype)
    return F.bitwise_left_shift(tensor(x), tensor(y)) if direction == "LEFT" else F.bitwise_right_shift(tensor(x), tensor(y))


# -- any number of operands

def _all_of(name, known, computed):
    """Enters an operator that joins any number of operands, two at a time."""
    def all_of(first, *others):
        total = first
        for one in others:
            total = array(known(total, one), first.dtype) if is_known(total, one) else computed(tensor(total), tensor(one))
        return total
    operator(name)(all_of)


for _name, _known, _computed in (("Sum", np.add, F.add), ("Max", np.maximum, F.maximum), ("Min", np.minimum, F.minimum)):
    _all_of(_name, _known, _computed)


@operator("Mean")
def mean(first, *others):
    """The mean of all operands, element by element."""
    if is_known(first, *others):
        return array(sum([first, *others]) / (1.0 * (len(others) + 1)), first.dtype)
    total = tensor(first)
    for one in others:
        total = total + tensor(one)
    return total / (1.0 * (len(others) + 1))


# -- choices, conversions

@operator("Where")
def where(condition, x, y):
    """x where the condition holds, else y."""
    if is_known(condition, x, y):
        return array(np.where(condition, x, y), x.dtype)
    return ops.where(tensor(condition), tensor(x), tensor(y))


@operator("Clip")
def clip(x, minimum=None, maximum=None, min=None, max=None):  # pylint: disable=redefined-builtin
    """x within limits, which are inputs, or attributes before operator set 11."""
    low, high = min if minimum is None else minimum, max if maximum is None else maximum
    if is_known(x, low, high):
        x = x if low is None else array(np.maximum(x, low), x.dtype)
        return x if high is None else array(np.minimum(x, high), x.dtype)
    x = tensor(x)
    if low is not None:
        x = F.maximum(x, F.cast(tensor(low), x.dtype) if not isinstance(low, float) else low)
    if high is not None:
        x = F.minimum(x, F.cast(tensor(high), x.dtype) if not isinstance(high, float) else high)
    return x


def type_of(number):
    """The element type of a number of TensorProto.DataType."""
    return getattr(mstype, _proto.element_type(number).replace("bool", "bool_"))


@operator("Cast")
def cast(x, to, saturate=1, round_mode="up"):  # pylint: disable=unused-argument
    """x in another element type; floats become integers towards zero. `saturate` and `round_mode` are of types of eight bits only."""
    name = _proto.element_type(to)
    if is_known(x) and name != "bfloat16":
        return x.astype(name)
    return F.cast(tensor(x), type_of(to))


@operator("CastLike")
def cast_like(x, target, saturate=1, round_mode="up"):  # pylint: disable=unused-argument
    """x in the element type of another value, as by Cast."""
    if is_known(x, target):
        return x.astype(target.dtype)
    return F.cast(tensor(x), tensor(target).dtype)
