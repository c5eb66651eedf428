"""Rows of different lengths: results whose sizes depend on values, so the host works out where elements stand."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._structures import on_host
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _sparse_host as host

_ADVICE = "call it outside, and pass what it gives to the function"


def _rising(who, splits, last):
    if splits.size == 0 or splits[0] != 0 or splits[-1] != last or (np.diff(splits) < 0).any():
        raise ValueError(f"For '{who}', row splits must rise from 0 to {last}, but got {splits.tolist()}.")


def _number_type(who, dtype):
    if dtype not in (mstype.int32, mstype.int64):
        raise TypeError(f"For '{who}', 'Tsplits' must be int32 or int64, but got {dtype}.")
    return dtype.numpy


@on_host(_ADVICE)
def ragged_range(starts, limits, deltas, Tsplits):
    """Numbers from each start to before its limit in steps, one sequence behind another: where each begins, and the numbers.

    Raises:
      TypeError: if one of them is no tensor.
      ValueError: if shapes differ or have more than one axis, or a step is 0.
    """
    for part in (starts, limits, deltas):
        if not isinstance(part, Tensor):
            raise TypeError(f"For 'RaggedRange', starts, limits and steps must be Tensors, but got {part!r}.")
    if not starts.shape == limits.shape == deltas.shape or starts.ndim > 1:
        raise ValueError(f"For 'RaggedRange', starts, limits and steps must be of one shape of at most one axis, but got "
                         f"{starts.shape}, {limits.shape} and {deltas.shape}.")
    rows = [np.atleast_1d(part.asnumpy()) for part in (starts, limits, deltas)]
    if (rows[2] == 0).any():
        raise ValueError("For 'RaggedRange', a step must not be 0.")
    found = [np.arange(*row, dtype=rows[0].dtype) for row in zip(*rows)]
    splits = np.cumsum([0] + [row.size for row in found]).astype(_number_type("RaggedRange", Tsplits))
    return Tensor(splits), Tensor(np.concatenate([rows[0][:0], *found]))


@on_host(_ADVICE)
def ragged_to_sparse(rt_nested_splits, rt_dense_values, Tsplits):
    """Rows of different lengths as a sparse tensor: coordinates, values, shape.

    Args:
      rt_nested_splits: where each row begins among the next ones, and where the last ends, from the outermost axis on.
      rt_dense_values: the elements.
      Tsplits: the splits' element type.
    """
    _number_type("RaggedTensorToSparse", Tsplits)
    columns, numbers, longest = [], np.arange(rt_dense_values.shape[0]), []
    for splits in reversed([part.asnumpy().astype(np.int64) for part in rt_nested_splits]):
        _rising("RaggedTensorToSparse", splits, numbers.size if not columns else splits[-1])
        rows = np.searchsorted(splits, numbers, "right") - 1
        columns.insert(0, numbers - splits[rows])
        longest.insert(0, int(np.diff(splits).max(initial=0)))
        numbers = rows
    lead = np.stack([numbers] + columns, 1)
    inner = rt_dense_values.shape[1:]
    rest = np.argwhere(np.ones(inner, bool))
    rows = np.concatenate((np.repeat(lead, len(rest), 0), np.tile(rest, (len(lead), 1))), 1)
    shape = (rt_nested_splits[0].size - 1, *longest, *inner)
    return Tensor(rows.astype(np.int64)), F.reshape(rt_dense_values, (-1,)), Tensor(np.asarray(shape, np.int64))


@on_host(_ADVICE)
def ragged_to_tensor(shape, values, default_value, row_partition_tensors, row_partition_types):
    """Rows of different lengths as a dense tensor: longer ones are cut, shorter ones filled with `default_value`.

    Args:
      shape: the result's extents; -1 for the largest there is.
      values: the elements.
      row_partition_tensors: for each axis where its rows begin ("ROW_SPLITS"), or the row of each element ("VALUE_ROWIDS", behind
        the number of rows, "FIRST_DIM_SIZE").
      row_partition_types: the names of these, in order.
    """
    kinds, who = list(row_partition_types), "RaggedTensorToTensor"
    if kinds != ["ROW_SPLITS"] * len(kinds) and (kinds[:1] != ["FIRST_DIM_SIZE"] or set(kinds[1:]) != {"VALUE_ROWIDS"}):
        raise ValueError(f"For '{who}', 'row_partition_types' must be 'ROW_SPLITS' alone, or 'FIRST_DIM_SIZE' and then "
                         f"'VALUE_ROWIDS', but got {kinds}.")
    parts = [part.asnumpy().astype(np.int64) for part in row_partition_tensors]
    count = int(parts[0]) if kinds[0] == "FIRST_DIM_SIZE" else parts[0].size - 1
    parts = parts[1:] if kinds[0] == "FIRST_DIM_SIZE" else parts
    columns, numbers = [], np.arange(values.shape[0])
    for part in reversed(parts):
        rows = part[numbers] if kinds[0] == "FIRST_DIM_SIZE" else np.searchsorted(part, numbers, "right") - 1
        starts = np.searchsorted(part, rows) if kinds[0] == "FIRST_DIM_SIZE" else part[rows]
        columns.insert(0, numbers - starts)
        numbers = rows
    columns.insert(0, numbers)
    extents = [int(extent) for extent in shape.asnumpy()]
    if len(extents) != len(columns) + values.ndim - 1 or tuple(extents[len(columns):]) != values.shape[1:]:
        raise ValueError(f"For '{who}', the shape {extents} does not fit {len(columns)} axes of rows and values of {values.shape}.")
    largest = [count] + [int(column.max(initial=-1)) + 1 for column in columns[1:]]
    extents = [most if extent < 0 else extent for extent, most in zip(extents, largest)] + extents[len(columns):]
    lead = extents[:len(columns)]
    kept = np.flatnonzero(np.all([column < extent for column, extent in zip(columns, lead)], 0))
    filled = F.reshape(F.broadcast_to(default_value, tuple(extents)), (-1, *extents[len(columns):]))
    if kept.size:
        places = np.ravel_multi_index([column[kept] for column in columns], lead)
        filled = F.scatter(filled, Tensor(places.astype(np.int32)), host.chosen(values, kept), "update")
    return F.reshape(filled, tuple(extents))
