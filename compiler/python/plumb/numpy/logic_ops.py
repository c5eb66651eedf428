"""Comparison, logic, and questions about values; in the parsable subset."""

import builtins
import math

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C
from plumb.ops import _functions as F


def _named(function, name, summary):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = summary
    return function


def _compared(name, compare, summary):
    def function(x1, x2, dtype=None):
        return C.converted(compare(C.tensor(x1), C.tensor(x2)), dtype)

    return _named(function, name, summary)


equal = _compared("equal", F.equal, "Whether elements are equal.")
not_equal = _compared("not_equal", F.not_equal, "Whether elements differ.")
less = _compared("less", F.less, "Whether elements of `x1` are smaller.")
less_equal = _compared("less_equal", F.less_equal, "Whether elements of `x1` are not larger.")
greater = _compared("greater", F.greater, "Whether elements of `x1` are larger.")
greater_equal = _compared("greater_equal", F.greater_equal, "Whether elements of `x1` are not smaller.")


def _truths(x):
    """Whether elements are not zero."""
    return C.converted(C.tensor(x), mstype.bool_)


def _decided(name, decide, summary):
    def function(x1, x2, dtype=None):
        return C.converted(decide(_truths(x1), _truths(x2)), dtype)

    return _named(function, name, summary)


logical_and = _decided("logical_and", F.logical_and, "Whether both are not zero.")
logical_or = _decided("logical_or", F.logical_or, "Whether one or both are not zero.")
logical_xor = _decided("logical_xor", F.not_equal, "Whether one and only one is not zero.")


def logical_not(a, dtype=None):
    """Whether elements are zero."""
    return C.converted(F.logical_not(_truths(a)), dtype)


def _asked(name, ask, whole, summary):
    """A question about floating-point numbers, which all integers answer by `whole`."""
    def function(x, dtype=None):
        a = C.tensor(x)
        answer = ask(a) if a.dtype in C.FLOATS else F.fill(mstype.bool_, a.shape, whole)
        return C.converted(answer, dtype)

    return _named(function, name, summary)


def _is_nan(x):
    return F.not_equal(x, x)


def _is_inf(x):
    return F.equal(F.abs(x), math.inf)


def _is_finite(x):
    return F.less(F.abs(x), math.inf)


isnan = _asked("isnan", _is_nan, 0, "Whether elements are NaN.")
isinf = _asked("isinf", _is_inf, 0, "Whether elements are infinite.")
isfinite = _asked("isfinite", _is_finite, 1, "Whether elements are neither NaN nor infinite.")


def isposinf(x):
    """Whether elements are positive infinity."""
    a = C.tensor(x)
    return F.equal(a, math.inf) if a.dtype in C.FLOATS else F.fill(mstype.bool_, a.shape, 0)


def isneginf(x):
    """Whether elements are negative infinity."""
    a = C.tensor(x)
    return F.equal(a, -math.inf) if a.dtype in C.FLOATS else F.fill(mstype.bool_, a.shape, 0)


def isscalar(element):
    """Whether `element` is a number or a string."""
    return isinstance(element, (bool, int, float, str))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether |a - b| <= atol + rtol |b|; with `equal_nan`, NaN is close to NaN."""
    x, y = C.together((C.floating(a), C.floating(b)))
    near = F.less_equal(F.magnitudes(x - y), F.magnitudes(y) * rtol + atol)
    close = F.logical_or(F.logical_and(near, _is_finite(y)), F.equal(x, y))
    if equal_nan:
        close = F.logical_or(close, F.logical_and(_is_nan(x), _is_nan(y)))
    return close


def array_equal(a1, a2, equal_nan=False):
    """Whether two tensors have one shape and the same elements; with `equal_nan`, NaN equals NaN."""
    x, y = C.tensor(a1), C.tensor(a2)
    if x.shape != y.shape:
        return _Tensor(False)
    same = F.equal(x, y)
    if equal_nan and x.dtype in C.FLOATS and y.dtype in C.FLOATS:
        same = F.logical_or(same, F.logical_and(_is_nan(x), _is_nan(y)))
    return F.all(same)


def array_equiv(a1, a2):
    """Whether two tensors have equal elements when they are broadcast to one shape."""
    x, y = C.tensor(a1), C.tensor(a2)
    for place in range(1, builtins.min(x.ndim, y.ndim) + 1):
        if x.shape[-place] != y.shape[-place] and x.shape[-place] != 1 and y.shape[-place] != 1:
            return _Tensor(False)
    return F.all(F.equal(x, y))


def isin(element, test_elements, invert=False):
    """Whether each element stands among `test_elements`; with `invert`, whether it does not."""
    x, tests = C.tensor(element), F.reshape(C.tensor(test_elements), (-1,))
    found = F.any(F.equal(F.expand_dims(x, x.ndim), tests), -1)
    return F.logical_not(found) if invert else found


def in1d(ar1, ar2, invert=False):
    """`isin` of all elements in order."""
    return isin(F.reshape(C.tensor(ar1), (-1,)), ar2, invert)


def sometrue(a, axis=None, keepdims=False):
    """Whether an element over the axes is not zero."""
    return F.any(C.tensor(a), axis, keepdims)


__all__ = offered(globals())
