"""Sets of values: how many elements a result has depends on values, so these run on the host and not in compiled functions."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.tensor import Tensor as _Tensor
from plumb.numpy import _common as C


def _values(x):
    """All elements, on the host: compiled code says here that it has none."""
    return C.tensor(x).asnumpy().reshape(-1)


def unique(x, return_inverse=False):
    """The different elements in rising order; with `return_inverse`, also where among them each element of `x` in order stands.

    MindSpore 2.0.0 gives them in the order in which they come first.
    """
    values = _values(x)
    if not return_inverse:
        return _Tensor(np.unique(values))
    found, places = np.unique(values, return_inverse=True)
    return _Tensor(found), _Tensor(places.reshape(-1), mstype.int32)


def argwhere(a):
    """The places of what is not 0: rows of numbers along each axis, int64."""
    return _Tensor(np.argwhere(C.tensor(a).asnumpy()), mstype.int64)


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The elements that stand in both, in rising order; with `return_indices`, also their first places in each."""
    result = np.intersect1d(_values(ar1), _values(ar2), assume_unique, return_indices)
    if not return_indices:
        return _Tensor(result)
    return _Tensor(result[0]), _Tensor(result[1], mstype.int32), _Tensor(result[2], mstype.int32)


def setdiff1d(ar1, ar2, assume_unique=False):
    """The elements of `ar1` that do not stand in `ar2`, in rising order."""
    return _Tensor(np.setdiff1d(_values(ar1), _values(ar2), assume_unique))


def union1d(ar1, ar2):
    """The elements that stand in one or both, in rising order."""
    return _Tensor(np.union1d(_values(ar1), _values(ar2)))


def setxor1d(ar1, ar2, assume_unique=False):
    """The elements that stand in one and only one of both, in rising order."""
    return _Tensor(np.setxor1d(_values(ar1), _values(ar2), assume_unique))


__all__ = offered(globals())
