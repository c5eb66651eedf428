"""Classes about orders of axes and numbers, tables of `ops/function/layouts.py`; and functions that Python runs."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common._refusals import HostError
from plumb.common.tensor import Tensor
from plumb.ops.function import layouts as f
from plumb.ops._primitive import Composite, function_classes

_FORMATS = {"src_format": "NHWC", "dst_format": "NCHW"}

globals().update(function_classes({
    "DataFormatDimMap": (f.data_format_dim_map, _FORMATS),
    "DataFormatVecPermute": (f.data_format_vec_permute, _FORMATS),
    "DynamicShape": f.shape_tensor,
    "Im2Col": (f.image_to_columns, {"ksizes": ..., "strides": 1, "dilations": 1, "pads": 0}),
    "InvertPermutation": f.invert_permutation,
    "LogNormalReverse": (f.log_normal_numbers, {"mean": 1.0, "std": 2.0}),
    "MultinomialWithReplacement": (f.classes_by_weights, {"numsamples": ..., "replacement": False}),
    "NonDeterministicInts": (f.any_integers, {"dtype": mstype.int64}),
    "PadV3": (f.pad_by_tensor, {"mode": "constant", "paddings_contiguous": True}),
    "ParallelConcat": f.concat_rows,
    "Randperm": (f.padded_permutation, {"max_length": 1, "pad": -1, "dtype": mstype.int32}),
    "RandpermV2": (f.permutation, {"dtype": mstype.int64}),
    "TensorShape": f.shape_tensor,
    "UnravelIndex": f.places_of,
}))


class PyFunc(Composite):
    """Runs a Python function on arrays: `PyFunc(fn, in_types, in_shapes, out_types, out_shapes)((x, y))`, outside of compiled functions.
    A cell that calls it is run by Python, operation by operation.

    Args:
      fn: takes NumPy arrays, returns an array or a tuple of them.
      in_types, in_shapes, out_types, out_shapes: the element types and shapes that go in and must come out.
      stateful: True or False: the function is run at every call.
    """

    def __init__(self, fn, in_types, in_shapes, out_types, out_shapes, stateful=True):
        if not callable(fn):
            raise TypeError(f"For 'PyFunc', the 'fn' must be a function, but got {type(fn).__name__}.")
        if len(in_types) != len(in_shapes) or len(out_types) != len(out_shapes):
            raise ValueError("For 'PyFunc', there must be as many types as shapes.")
        super().__init__()
        self.fn, self.takes, self.gives = fn, list(zip(in_types, in_shapes)), list(zip(out_types, out_shapes))

    def __call__(self, inputs=()):
        arrays = [value.asnumpy() for value in inputs]
        self._check("input", arrays, self.takes)
        made = self.fn(*arrays)
        results = [np.asarray(value) for value in (made if isinstance(made, tuple) else (made,))]
        self._check("result", results, self.gives)
        return tuple(map(Tensor, results))

    @staticmethod
    def _check(what, arrays, expected):
        if len(arrays) != len(expected):
            raise ValueError(f"For 'PyFunc', there must be {len(expected)} {what}s, but got {len(arrays)}.")
        for array, (dtype, shape) in zip(arrays, expected):
            if array.dtype != mstype.as_dtype(dtype).numpy or tuple(array.shape) != tuple(shape):
                raise TypeError(f"For 'PyFunc', the {what} must be {dtype} of the shape {list(shape)}, but got {array.dtype} of "
                                f"{list(array.shape)}.")

    def construct(self, inputs=()):
        """Compiled bodies cannot run Python."""
        raise HostError("ops.PyFunc runs Python, which compiled functions do not: call it outside of them")


class ListDiff(Composite):
    """The elements of one list that another has not, in order, and their places; outside of compiled functions, since their number depends
    on values.

    Args:
      out_idx: the element type of the places, int32 or int64.
    """

    def __init__(self, out_idx=mstype.int32):
        if out_idx not in (mstype.int32, mstype.int64):
            raise TypeError(f"For 'ListDiff', 'out_idx' must be int32 or int64, but got {out_idx}.")
        super().__init__()
        self.out_idx = out_idx

    def __call__(self, x, y):
        first, second = x.asnumpy(), y.asnumpy()
        if first.ndim != 1 or second.ndim != 1 or first.dtype != second.dtype:
            raise ValueError(f"For 'ListDiff', both lists must have one axis and one element type, but got {first.dtype} of "
                             f"{list(first.shape)} and {second.dtype} of {list(second.shape)}.")
        places = np.flatnonzero(~np.isin(first, second))
        return Tensor(first[places]), Tensor(places.astype(self.out_idx.numpy))

    def construct(self, x, y):
        """Compiled bodies have tensors of known sizes."""
        raise HostError("the size of what ops.ListDiff gives depends on values: call it outside of compiled functions")


__all__ = [name for name in offered(globals()) if name[0].isupper() and name not in ("Composite", "Tensor")]
