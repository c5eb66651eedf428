"""The compiler's primitives as functions, and functions made of them: what layers are written in.

`plumb.ops` offers many of them as they are; where MindSpore's signature differs, `plumb.ops.function` has the public
function.

`primitive function`: an object that prints as `#net.primitive<"name">`. The `def`s below them are Python in the
parsable subset: they are compiled where a compiled function uses them and run as plain Python elsewhere.
"""

from plumb import context
from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.ops._primitive import Primitive

_NAMES = """
    neg abs exp log sqrt rsqrt square reciprocal tanh sigmoid relu relu6 gelu erf floor ceil sign sin cos
    tan asin acos atan atan2 sinh cosh asinh acosh atanh log1p expm1 erfc erfinv lgamma polygamma
    round trunc is_nan is_inf is_finite bitcast
    add sub mul div pow maximum minimum floor_div
    bitwise_and bitwise_or bitwise_xor invert
    equal not_equal less less_equal greater greater_equal logical_and logical_or logical_not
    select cast pad reshape transpose broadcast_to concat expand_dims squeeze flatten stack tile
    reduce_sum reduce_mean reduce_max reduce_min reduce_prod argmax argmin
    cumsum cumprod linear_recurrence cummax cummin sort
    cholesky lu qr geqrf svd eigh triangular_solve
    matmul conv2d conv2d_input_grad max_pool2d avg_pool2d softmax log_softmax softmax_cross_entropy sparse_softmax_cross_entropy
    complex real imag conj angle complex_abs fft
    one_hot gather from_front scatter zeros_like ones_like fill eye iota random_uniform depend stop_gradient
""".split()

for _name in _NAMES:
    globals()[_name] = Primitive(_name)

mod = Primitive("rem")
floor_mod = Primitive("mod")
bitwise_left_shift = Primitive("left_shift")
bitwise_right_shift = Primitive("right_shift")
strided_slice = Primitive("slice")
split = Primitive("split")


class Printing(Primitive):
    """Prints; called by Python, values in the words of `repr`, unless prints go elsewhere, as into a file."""

    def __init__(self):
        super().__init__("builtins.print")

    def __call__(self, *args):
        if context._takes_prints is not None:
            super().__call__(*args)
            return
        for value in args:
            print(value if isinstance(value, str) else Tensor.__repr__(value) if isinstance(value, Tensor) else repr(value))


print_ = Printing()


class Assign(Primitive):
    """Primitive `assign`: gives a Parameter a value and returns it.

    PyNative mode assigns to tensors that are no Parameters as well, in place.
    """

    __module__ = "plumb.ops"

    def __init__(self):
        super().__init__("assign")

    def __call__(self, variable, value):
        if type(variable) is not Tensor:
            return super().__call__(variable, value)
        if isinstance(value, Tensor) and value.shape != variable.shape:
            raise ValueError(f"For 'assign', the value must have the shape of what it is assigned to, {variable.shape}, but got {value.shape}.")
        variable[...] = value
        return variable


assign = Assign()


def magnitudes(x):
    """Magnitudes as real numbers, where `abs` of complex numbers gives complex ones, as MindSpore's does."""
    return complex_abs(x) if x.dtype in (mstype.complex64, mstype.complex128) else abs(x)


def widened(x):
    """x, in float32 if its elements have 16 bits."""
    if x.dtype == mstype.float16 or x.dtype == mstype.bfloat16:
        return cast(x, mstype.float32)
    return x


def digamma(x):
    """The derivative of lgamma."""
    return polygamma(x, 0)


def bias_add(input_x, bias):
    """Adds `bias` along axis 1."""
    shape = (1, -1)
    for _ in range(input_x.ndim - 2):
        shape = shape + (1,)
    return add(input_x, reshape(bias, shape))


def assign_add(variable, value):
    """Adds `value` to the parameter `variable`."""
    return assign(variable, variable + value)


def assign_sub(variable, value):
    """Subtracts `value` from the parameter `variable`."""
    return assign(variable, variable - value)


def arange(count, dtype=mstype.int32):
    """The numbers from 0 to before `count`."""
    return iota((count,), 0, dtype)


def flat_places(indices, shape, axis):
    """For places along an axis, in a tensor like one of `shape` but for that axis: places among all elements in order."""
    count = 1
    for extent in shape:
        count = count * extent
    kind = mstype.int64 if count >= 2 ** 31 else mstype.int32
    indices = cast(indices, kind)
    indices = from_front(indices, shape[axis])
    places, stride = None, 1
    for at in range(len(shape) - 1, -1, -1):
        extent = indices.shape[at]
        steps = indices if at == axis else reshape(arange(extent, kind), (extent,) + (1,) * (len(shape) - 1 - at))
        steps = steps * stride if stride != 1 else steps
        places = steps if places is None else places + steps
        stride = stride * shape[at]
    return places


def part(x, axis, start, end):
    """The elements from `start` to before `end` along an axis counted from the front."""
    begin, stop = (0,) * x.ndim, x.shape
    return strided_slice(x, begin[:axis] + (start,) + begin[axis + 1:], stop[:axis] + (end,) + stop[axis + 1:],
                         (1,) * x.ndim)


def take_along(x, indices, axis):
    """Elements of `x` at places along an axis; `indices` has x's rank, and no larger extents but along the axis."""
    return gather(reshape(x, (-1,)), flat_places(indices, x.shape, axis), 0)


def silu(x):
    """x * sigmoid(x)."""
    return x * sigmoid(x)


def softplus(x):
    """log(1 + exp(x)), without overflow."""
    return maximum(x, 0.0) + log(exp(-abs(x)) + 1.0)


def elu(x, alpha=1.0):
    """x where positive, alpha * (exp(x) - 1) elsewhere; the gradient at 0 is 1."""
    return select(greater_equal(x, 0.0), x, (exp(minimum(x, 0.0)) - 1.0) * alpha)


def leaky_relu(x, alpha=0.2):
    """x where positive, alpha * x elsewhere; the gradient at 0 is the mean of both slopes, as MindSpore's."""
    return maximum(x, x * alpha) if alpha <= 1 else minimum(x, x * alpha)


def any(x, axis=None, keep_dims=False):
    """Whether an element over the axes is not zero; over all of them when `axis` is None or empty."""
    return reduce_max(cast(x, "bool"), () if axis is None else axis, keep_dims)


def all(x, axis=None, keep_dims=False):
    """Whether no element over the axes is zero; over all of them when `axis` is None or empty."""
    return reduce_min(cast(x, "bool"), () if axis is None else axis, keep_dims)


def shape(input_x):
    """The extents."""
    return input_x.shape


def dtype(x):
    """The element type of `x`."""
    return x.dtype


def rank(input_x):
    """The number of axes."""
    return input_x.ndim


def size(input_x):
    """The number of elements."""
    return input_x.size
