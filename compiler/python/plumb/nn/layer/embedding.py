"""Embedding."""

from plumb.common import dtype as mstype
from plumb.common.initializer import initializer
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell
from plumb.ops import _functions as F

import numpy as np


class Embedding(Cell):
    """Looks rows of a trained table up by number; equal numbers' gradients are added in a fixed order.

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
            return F.gather(self.embedding_table, ids, 0)
        rows = F.one_hot(F.reshape(ids, (-1,)), self.vocab_size)
        return F.reshape(F.matmul(rows, self.embedding_table), ids.shape + (self.embedding_size,))

    def extend_repr(self):
        """What `repr` shows."""
        return f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}"
