"""Random numbers from plain Python: drawn as parameters' first values are, each call its own stream; `set_seed` starts anew.

Compiled functions draw with the operations of `plumb.ops`, which keep a counter.
"""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.initializer import Normal as _Normal
from plumb.common.initializer import Uniform as _Uniform
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C


def _drawn(rule, shape):
    return _Tensor(shape=shape, dtype=mstype.float32, init=rule).asnumpy()


def _extents(shape):
    """`rand(2, 3)` and `rand((2, 3))` alike."""
    return C.extents(shape[0]) if len(shape) == 1 else shape


def _real(who, dtype):
    kind = C.known_type(dtype)
    if kind not in C.FLOATS:
        raise ValueError(f"For '{who}', 'dtype' must be of floating point, but got {kind}")
    return kind


def rand(*shape, dtype=mstype.float32):
    """Even between 0 and 1."""
    return _Tensor((_drawn(_Uniform(1.0), _extents(shape)) + 1) / 2, _real("rand", dtype))


def randn(*shape, dtype=mstype.float32):
    """Normal, with deviation 1 around 0."""
    return _Tensor(_drawn(_Normal(1.0), _extents(shape)), _real("randn", dtype))


def randint(minval, maxval=None, shape=None, dtype=mstype.int32):
    """Whole numbers from `minval` to before `maxval`; from 0 to before `minval` when there is one bound."""
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if low >= high:
        raise ValueError(f"For 'randint', 'minval' must be smaller than 'maxval', but got {low} and {high}")
    size = (1,) if shape is None else C.extents(shape)
    share = (_drawn(_Uniform(1.0), size).astype(np.float64) + 1) / 2
    return _Tensor(np.minimum(np.floor(share * (high - low)) + low, high - 1), C.known_type(dtype))


__all__ = offered(globals())
