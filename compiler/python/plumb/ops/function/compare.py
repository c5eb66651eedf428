"""Comparison and logic, with MindSpore's signatures, in the parsable subset. Results are tensors of bool.

Two tensors' element types meet as operators' do; shapes broadcast.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import known_as, offered
from plumb.common.tensor import Tensor
from plumb.ops import _checks
from plumb.ops import _functions as F

equal, not_equal, less, less_equal, greater, greater_equal = (F.equal, F.not_equal, F.less, F.less_equal, F.greater,
                                                              F.greater_equal)
eq, ne, lt, le, gt, ge = equal, not_equal, less, less_equal, greater, greater_equal
tensor_lt, tensor_le, tensor_gt, tensor_ge = less, less_equal, greater, greater_equal


def _truth(x):
    """A number or tensor as truth values: whether it is not 0."""
    return F.cast(x, mstype.bool_) if isinstance(x, Tensor) else F.fill(mstype.bool_, (), 1 if x else 0)


def logical_and(input, other):
    """Whether both are not 0."""
    return F.logical_and(_truth(input), _truth(other))


def logical_or(input, other):
    """Whether one is not 0."""
    return F.logical_or(_truth(input), _truth(other))


def logical_xor(input, other):
    """Whether just one is not 0."""
    return F.not_equal(_truth(input), _truth(other))


def logical_not(input):
    """Whether each is 0."""
    return F.logical_not(_truth(input))


@known_as(input="x")
def isnan(x):
    """Whether each is NaN."""
    return F.not_equal(x, x)


@known_as(input="x")
def isfinite(x):
    """Whether each is neither infinite nor NaN."""
    if x.dtype in _checks.COMPLEX:
        return F.is_finite(x)
    # x - x is NaN of both.
    return F.equal(F.sub(x, x), 0) if x.dtype in _checks.FLOATS else F.equal(x, x)


def isinf(input):
    """Whether each is infinite."""
    if input.dtype in _checks.COMPLEX:
        return F.is_inf(input)
    return F.logical_not(F.logical_or(isfinite(input), isnan(input)))


def isposinf(input):
    """Whether each is plus infinity."""
    return F.logical_and(isinf(input), F.greater(input, 0))


def isneginf(input):
    """Whether each is minus infinity."""
    return F.logical_and(isinf(input), F.less(input, 0))


@known_as(input="x1", other="x2")
def isclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether |x1 - x2| <= atol + rtol * |x2|; equal infinities are close, and NaN to NaN with `equal_nan`."""
    if rtol < 0 or atol < 0:
        raise ValueError("For 'isclose', 'rtol' and 'atol' must not be negative")
    near = F.less_equal(F.magnitudes(F.sub(x1, x2)), F.magnitudes(x2) * rtol + atol)
    finite = F.logical_and(isfinite(x1), isfinite(x2))
    close = F.logical_or(F.logical_and(near, finite), F.equal(x1, x2))
    return F.logical_or(close, F.logical_and(isnan(x1), isnan(x2))) if equal_nan else close


def approximate_equal(x, y, tolerance=1e-5):
    """Whether |x - y| < tolerance, of tensors of one shape; raises ValueError for two shapes."""
    if x.shape != y.shape:
        raise ValueError(f"For 'approximate_equal', the shapes must be equal, but got {x.shape} and {y.shape}")
    return F.less(F.abs(F.sub(x, y)), tolerance)


def signbit(input):
    """Whether each is below zero, or minus zero."""
    if input.dtype not in _checks.FLOATS:
        return F.less(input, 0)
    return F.logical_or(F.less(input, 0), F.logical_and(F.equal(input, 0), F.less(F.reciprocal(input), 0)))



# -- questions answered by types and shapes, with a bool


def is_tensor(obj):
    """Whether `obj` is a tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input):
    """Whether the elements are of floating point."""
    return input.dtype in _checks.FLOATS


def is_nonzero(input):
    """Whether a tensor of one element is not 0; raises ValueError for more elements."""
    if input.size != 1:
        raise ValueError(f"For 'is_nonzero', the input must have one element, but got {input.shape}")
    return F.reshape(F.not_equal(input, 0), ())


__all__ = [name for name in offered(globals()) if name != "Tensor"]
