"""Methods of tensors, as functions in the parsable subset.

Compiled code finds them in the namespace `plumb.Tensor`; plain Python through `Tensor.__getattr__`. The tensor is the
first argument.
"""

from plumb.ops import _functions as F


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


def sum(self, axis=(), keepdims=False):
    """Sum over the axes."""
    return F.reduce_sum(self, () if axis is None else axis, keepdims)


def mean(self, axis=(), keep_dims=False):
    """Mean over the axes."""
    return F.reduce_mean(self, () if axis is None else axis, keep_dims)


def max(self, axis=(), keepdims=False):
    """Largest over the axes."""
    return F.reduce_max(self, () if axis is None else axis, keepdims)


def min(self, axis=(), keepdims=False):
    """Smallest over the axes."""
    return F.reduce_min(self, () if axis is None else axis, keepdims)


def prod(self, axis=(), keep_dims=False):
    """Product over the axes."""
    return F.reduce_prod(self, () if axis is None else axis, keep_dims)


def any(self, axis=(), keep_dims=False):
    """Whether an element over the axes is not zero."""
    return F.any(self, axis, keep_dims)


def all(self, axis=(), keep_dims=False):
    """Whether no element over the axes is zero."""
    return F.all(self, axis, keep_dims)


def argmax(self, axis=-1):
    """Index of the largest along an axis."""
    return F.argmax(self, axis)


def flatten(self):
    """All elements on one axis."""
    return F.reshape(self, (-1,))


def expand_dims(self, axis):
    """A new axis of extent 1."""
    return F.expand_dims(self, axis)


def squeeze(self, axis=()):
    """Without axes of extent 1."""
    return F.squeeze(self, () if axis is None else axis)


def broadcast_to(self, shape):
    """Repeated to `shape`."""
    return F.broadcast_to(self, shape)


def matmul(self, other):
    """Matrix product."""
    return F.matmul(self, other)


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


def div(self, other):
    """Quotient of two."""
    return F.div(self, other)


METHODS = {name: function for name, function in list(globals().items())
           if callable(function) and getattr(function, "__module__", None) == __name__}
METHODS["view"] = reshape
METHODS["to"] = astype
