"""Embedding."""

from plumb.common import dtype as mstype
from plumb.common._offers import only_defaults
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn._typed import typed
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops.function.scan import unsorted_segment_max, unsorted_segment_sum

import numpy as np


class Embedding(Cell):
    """Looks rows of a trained table up by number; equal numbers' gradients are added in a fixed order.

    Negative numbers count from the table's end, and their gradients are those rows'.

    Args:
      vocab_size: number of rows.
      embedding_size: extent of a row.
      use_one_hot: looks up by a product with one-hot rows instead of a gather.
      embedding_table: first values.
      padding_idx: a row that starts as zeros.
    """

    def __init__(self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=mstype.float32,
                 padding_idx=None):
        super().__init__()
        self.vocab_size, self.embedding_size, self.use_one_hot = vocab_size, embedding_size, bool(use_one_hot)
        self.padding_idx, self.dtype = padding_idx, mstype.as_dtype(dtype)
        values = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            if not 0 <= padding_idx < vocab_size:
                raise ValueError(f"For 'Embedding', 'padding_idx' must be in the range [0, {vocab_size}), but got "
                                 f"{padding_idx}.")
            array = np.array(values.asnumpy())
            array[padding_idx] = 0
            values = Tensor(array)
        self.embedding_table = Parameter(values)

    def construct(self, ids):
        """Compiled body."""
        if not self.use_one_hot:
            return F.gather(self.embedding_table, F.from_front(ids, self.vocab_size), 0)
        rows = F.one_hot(F.reshape(ids, (-1,)), self.vocab_size)
        return F.reshape(F.matmul(rows, self.embedding_table), ids.shape + (self.embedding_size,))

    def extend_repr(self):
        """What `repr` shows."""
        return f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}"


@typed
class EmbeddingLookup(Cell):
    """Looks rows of a trained table up by number; numbers beyond it give rows of zeros.

    MindSpore 2.0.0 with the target "CPU" gives gradients as numbers, rows and a shape, and with `max_norm` scales rows by norms of
    others: of [[0, 2, 0], [0.1, 0.2, 0.2]] with 0.5 it leaves the first and cuts the second one.

    Args:
      vocab_size, embedding_size: the table's extents.
      param_init: first values.
      target: "CPU" or "DEVICE", which are one here.
      slice_mode: how several devices would share the table; one has all of it.
      manual_shapes, vocab_cache_size: accepted at their defaults only: they distribute the table.
      max_norm: rows longer than it are cut to that 2-norm; None cuts none.
      sparse: True or False; gradients are dense.
    """

    BATCH_SLICE, FIELD_SLICE = "batch_slice", "field_slice"
    TABLE_ROW_SLICE, TABLE_COLUMN_SLICE = "table_row_slice", "table_column_slice"

    def __init__(self, vocab_size, embedding_size, param_init="normal", target="CPU", slice_mode="batch_slice", manual_shapes=None,
                 max_norm=None, sparse=True, vocab_cache_size=0):
        only_defaults("EmbeddingLookup", manual_shapes=(manual_shapes, None), vocab_cache_size=(vocab_cache_size, 0))
        if slice_mode not in (self.BATCH_SLICE, self.TABLE_ROW_SLICE, self.TABLE_COLUMN_SLICE):
            raise ValueError(f"For 'EmbeddingLookup', slice_mode={slice_mode!r} is not offered; choose among 'batch_slice', "
                             f"'table_row_slice' and 'table_column_slice', which are alike on one device.")
        if target not in ("CPU", "DEVICE"):
            raise ValueError(f"For 'EmbeddingLookup', the 'target' must be 'CPU' or 'DEVICE', but got {target}.")
        if not sparse and target == "CPU":
            raise ValueError("For 'EmbeddingLookup', 'sparse' must be True when 'target' is \"CPU\", but got False.")
        super().__init__()
        self.vocab_size, self.embedding_size, self.max_norm = vocab_size, embedding_size, max_norm
        self.embedding_table = Parameter(initializer(param_init, (vocab_size, embedding_size)), name="embedding_table")

    def construct(self, indices):
        """Compiled body."""
        inside = F.logical_and(F.greater_equal(indices, 0), F.less(indices, self.vocab_size))
        rows = F.gather(self.embedding_table, F.select(inside, indices, F.zeros_like(indices)), 0)
        rows = F.select(F.expand_dims(inside, -1), rows, F.zeros_like(rows))
        if self.max_norm is None:
            return rows
        total = F.reduce_sum(F.square(rows), (-1,), True)
        norm = F.sqrt(F.maximum(total, 1e-30))
        return rows * self.max_norm / F.maximum(norm, self.max_norm)


@typed
class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Rows of a trained table, multiplied by values and put together by field: (N, field_size, embedding_size).

    MindSpore 2.0.0 with the target "CPU" gives gradients as numbers, rows and a shape, and with `max_norm` scales rows by norms of
    others, see EmbeddingLookup.

    Args:
      field_size: the number of fields.
      operator: "SUM"; "MEAN", the sum divided by that of the magnitudes of the values; or "MAX", of the rows whose value is not 0. A
        field without rows is 0.
      feature_num_list: accepted at its default only: it distributes the table. The others are those of EmbeddingLookup.

    Inputs:
      input_indices, input_values, field_ids: (N, S): row, factor and field of each feature; a field beyond the last counts nothing.
    """

    OPERATOR_SUM, OPERATOR_MEAN, OPERATOR_MAX = "SUM", "MEAN", "MAX"

    def __init__(self, vocab_size, embedding_size, field_size, param_init="normal", target="CPU", slice_mode="batch_slice",
                 feature_num_list=None, max_norm=None, sparse=True, operator="SUM"):
        only_defaults("MultiFieldEmbeddingLookup", feature_num_list=(feature_num_list, None))
        super().__init__(vocab_size, embedding_size, param_init, target, slice_mode, None, max_norm, sparse)
        if operator not in ("SUM", "MAX", "MEAN"):
            raise ValueError(f"For 'MultiFieldEmbeddingLookup', the 'operator' must be 'SUM', 'MAX' or 'MEAN', but got {operator!r}.")
        if isinstance(field_size, bool) or not isinstance(field_size, int) or field_size < 1:
            raise ValueError(f"For 'MultiFieldEmbeddingLookup', the 'field_size' must be an int above 0, but got {field_size}.")
        self.field_size, self.operator = field_size, operator

    def construct(self, input_indices, input_values, field_ids):
        """Compiled body."""
        shapes = (input_indices.shape, input_values.shape, field_ids.shape)
        if input_indices.ndim != 2 or shapes[1] != shapes[0] or shapes[2] != shapes[0]:
            raise ValueError(f"For 'MultiFieldEmbeddingLookup', rows, values and fields must be of one shape (N, S), but got {shapes}")
        batch, count = input_indices.shape[0], input_indices.shape[0] * self.field_size
        rows = EmbeddingLookup.construct(self, input_indices) * F.expand_dims(input_values, -1)
        known = F.logical_and(F.greater_equal(field_ids, 0), F.less(field_ids, self.field_size))
        if self.operator == "MAX":
            known = F.logical_and(known, F.not_equal(input_values, 0.0))
        places = F.cast(field_ids, mstype.int32) + F.reshape(F.arange(batch) * self.field_size, (-1, 1))
        places = F.reshape(F.select(known, places, count), (-1,))  # What counts nothing has a segment of its own.
        rows = F.reshape(rows, (-1, self.embedding_size))
        if self.operator == "MAX":
            found = unsorted_segment_max(rows, places, count + 1)
            sizes = unsorted_segment_sum(F.ones_like(rows), places, count + 1)
            found = F.select(F.greater(sizes, 0.0), found, 0.0)
        else:
            found = unsorted_segment_sum(rows, places, count + 1)
        if self.operator == "MEAN":
            sizes = F.expand_dims(unsorted_segment_sum(F.reshape(F.abs(input_values), (-1,)), places, count + 1), -1)
            found = found / F.select(F.greater(sizes, 0.0), sizes, 1.0)
        return F.reshape(F.part(found, 0, 0, count), (batch, self.field_size, self.embedding_size))
