"""Methods of tensors, as functions in the parsable subset.

Compiled code finds them in the namespace `plumb.Tensor`; plain Python through `Tensor.__getattr__`. The tensor is the
first argument.
"""

from plumb.ops import _array as A
from plumb.ops import _functions as F
from plumb.ops import _math as M


def reshape(self, *shape):
    """The same elements in another shape."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        return F.reshape(self, shape[0])
    return F.reshape(self, shape)


def transpose(self, *axes):
    """The axes in another order; reversed when none is given."""
    if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
        return F.transpose(self, axes[0])
    if len(axes) == 0:
        return F.transpose(self, tuple(range(self.ndim - 1, -1, -1)))
    return F.transpose(self, axes)


def astype(self, dtype, copy=True):
    """The elements converted to `dtype`."""
    return F.cast(self, dtype)


def sum(self, axis=None, dtype=None, keepdims=False, initial=None):
    """Sum over the axes, and of `initial`; of elements converted to `dtype` when that is given."""
    if dtype is not None:
        self = F.cast(self, dtype)
    total = F.reduce_sum(self, () if axis is None else axis, keepdims)
    return total if initial is None else total + initial


def mean(self, axis=None, keep_dims=False):
    """Mean over the axes."""
    return F.reduce_mean(self, () if axis is None else axis, keep_dims)


def max(self, axis=None, keepdims=False):
    """Largest over the axes."""
    return F.reduce_max(self, () if axis is None else axis, keepdims)


def min(self, axis=None, keepdims=False):
    """Smallest over the axes."""
    return F.reduce_min(self, () if axis is None else axis, keepdims)


def prod(self, axis=None, keep_dims=False):
    """Product over the axes."""
    return F.reduce_prod(self, () if axis is None else axis, keep_dims)


def any(self, axis=(), keep_dims=False):
    """Whether an element over the axes is not zero."""
    return F.any(self, axis, keep_dims)


def all(self, axis=(), keep_dims=False):
    """Whether no element over the axes is zero."""
    return F.all(self, axis, keep_dims)


def argmax(self, axis=None, keepdims=False):
    """Place of the first largest element along an axis, as int64; among all in order when `axis` is None."""
    return M.argmax(self, axis, keepdims)


def flatten(self, order="C", *, start_dim=0, end_dim=-1):
    """The axes from `start_dim` to `end_dim` on one axis."""
    return A.flatten(self, order, start_dim=start_dim, end_dim=end_dim)


def expand_dims(self, axis):
    """A new axis of extent 1."""
    return F.expand_dims(self, axis)


def squeeze(self, axis=None):
    """Without axes of extent 1."""
    return F.squeeze(self, () if axis is None else axis)


def broadcast_to(self, shape):
    """Repeated to `shape`."""
    return F.broadcast_to(self, shape)


def matmul(self, tensor2):
    """Matrix product."""
    return M.matmul(self, tensor2)


def abs(self):
    """Absolute values."""
    return F.abs(self)


def exp(self):
    """Exponentials."""
    return F.exp(self)


def log(self):
    """Natural logarithms."""
    return F.log(self)


def sqrt(self):
    """Square roots."""
    return F.sqrt(self)


def tanh(self):
    """Hyperbolic tangents."""
    return F.tanh(self)


def pow(self, exponent):
    """Powers."""
    return F.pow(self, exponent)


def add(self, other):
    """Sum of two."""
    return F.add(self, other)


def sub(self, other):
    """Difference of two."""
    return F.sub(self, other)


def mul(self, other):
    """Product of two."""
    return F.mul(self, other)


def div(self, value, *, rounding_mode=None):
    """Quotient of two, rounded down ("floor") or towards zero ("trunc") by `rounding_mode`."""
    return M.div(self, value, rounding_mode=rounding_mode)


def neg(self):
    """Opposite numbers."""
    return F.neg(self)


def square(self):
    """Squares."""
    return F.square(self)


def rsqrt(self):
    """Inverses of square roots."""
    return F.rsqrt(self)


def reciprocal(self):
    """Inverses."""
    return F.reciprocal(self)


def sigmoid(self):
    """1 / (1 + exp(-x))."""
    return F.sigmoid(self)


def erf(self):
    """Error function."""
    return F.erf(self)


def sin(self):
    """Sines."""
    return F.sin(self)


def cos(self):
    """Cosines."""
    return F.cos(self)


def floor(self):
    """Rounded down."""
    return F.floor(self)


def ceil(self):
    """Rounded up."""
    return F.ceil(self)


def sign(self):
    """-1, 0 or 1."""
    return F.sign(self)


def maximum(self, other):
    """The larger of two."""
    return F.maximum(self, other)


def minimum(self, other):
    """The smaller of two."""
    return F.minimum(self, other)


def equal(self, other):
    """Whether two are equal."""
    return F.equal(self, other)


def greater(self, other):
    """Whether self is larger."""
    return F.greater(self, other)


def less(self, other):
    """Whether self is smaller."""
    return F.less(self, other)


def permute(self, *axis):
    """The axes in another order."""
    return transpose(self, *axis)


def swapaxes(self, axis0, axis1):
    """Two axes exchanged."""
    first, second = axis0 % self.ndim, axis1 % self.ndim
    return F.transpose(self, tuple(second if axis == first else first if axis == second else axis
                                   for axis in range(self.ndim)))


def unsqueeze(self, dim):
    """A new axis of extent 1."""
    return F.expand_dims(self, dim)


def tile(self, reps):
    """Repeated along the axes."""
    return F.tile(self, reps)


METHODS = {name: function for name, function in list(globals().items())
           if callable(function) and getattr(function, "__module__", None) == __name__}
METHODS["view"] = reshape
METHODS["to"] = astype
