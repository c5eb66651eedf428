"""Tensors, parameters, element types, initializers, seeds, `jit`."""

from plumb.common import dtype
from plumb.common.tensor import Tensor
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.common._marks import jit_class, ms_class, mutable
from plumb.common._offers import not_offered
from plumb.common.api import JitConfig, jit, ms_function
from plumb.common.dtype import *  # pylint: disable=wildcard-import
from plumb.common.seed import get_seed, set_seed

# They are made of operations, which are made of what stands above.
_SPARSE = ("COOTensor", "CSRTensor", "RowTensor", "RowTensorInner", "SparseTensor")


_missing = not_offered(__name__, "_stub_tensor", instead={
    "np_dtype": "NumPy has no bfloat16: asnumpy gives float32, and Tensor(array, mindspore.bfloat16) takes it"})


def __getattr__(name):
    if name not in _SPARSE:
        return _missing(name)
    from plumb.common import sparse_tensor
    return getattr(sparse_tensor, name)
