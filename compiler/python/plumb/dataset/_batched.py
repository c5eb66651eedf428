"""Rows put together to batches in this process: `Dataset.batch` with functions or paddings, and `Dataset.padded_batch`."""

import itertools
import math

import numpy as np

from plumb.dataset._host import HostDataset, as_array, name_of
from plumb.dataset._objects import together
from plumb.dataset._padding import pad_end
from plumb.dataset._workers import ordered_map


class BatchInfo:
    """What a function of batches hears: the number of the batch and of the pass, from 0."""

    def __init__(self, batch, epoch):
        self._batch, self._epoch = batch, epoch

    def get_batch_num(self):
        """Returns the number of the batch within its pass."""
        return self._batch

    def get_epoch_num(self):
        """Returns the number of the pass."""
        return self._epoch


class Batched(HostDataset):
    """Rows put together; see `Dataset.batch` and `Dataset.padded_batch`.

    Args:
      table: `size`, a number or a function of BatchInfo, and `drop_remainder`.
      function: takes a list of rows for each of `inputs` and BatchInfo, returns lists for `outputs`.
      pad_info: a dict from column to (shape or None, value) for rows of different extents; {} pads all columns.
    """

    def __init__(self, child, table, workers=1, function=None, inputs=(), outputs=None, pad_info=None, processes=False):
        super().__init__(child)
        self.table, self._batch_size, self._drop = table, table["size"], table["drop_remainder"]
        self._workers, self._processes, self._function, self._pad_info = workers, processes, function, pad_info
        names = child.get_col_names()
        self._inputs, self._outputs = [names.index(name) for name in inputs], list(outputs or inputs)

    def plain(self):
        """Whether rows are only put together, as many as a number says."""
        return self._function is None and self._pad_info is None and not callable(self._batch_size)

    def _names(self):
        names = self.children[0].get_col_names()
        if self._function is None or len(self._outputs) == len(self._inputs):
            for position, name in zip(self._inputs, self._outputs):
                names[position] = name
            return names
        return self._outputs + [name for i, name in enumerate(names) if i not in self._inputs]

    def _find_columns(self):
        if self.plain():
            return [column.replaced(shape=(self._batch_size, *column.shape)) for column in self.children[0]._columns()]
        return super()._find_columns()

    def _size(self):
        if callable(self._batch_size):
            return self._count()
        rows = self.children[0].get_dataset_size()
        return rows // self._batch_size if self._drop else math.ceil(rows / self._batch_size)

    def get_batch_size(self):
        """Returns the batch size; -1 where a function gives it."""
        return -1 if callable(self._batch_size) else self._batch_size

    def _why_empty(self):
        rows = self.children[0].get_dataset_size()
        return (f"The source has {rows} rows, which make no whole batch of {self._batch_size}: take a smaller batch, or "
                f"drop_remainder=False." if rows else "The source has no rows.")

    def passes(self):
        for epoch, rows in enumerate(self.children[0].passes()):
            yield ordered_map(self._together, self._groups(rows, epoch), self._workers, self._processes)

    def _groups(self, rows, epoch):
        """Yields (rows of a batch, BatchInfo)."""
        for number in itertools.count():
            info = BatchInfo(number, epoch)
            size = self._batch_size(info) if callable(self._batch_size) else self._batch_size
            if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
                raise ValueError(f"For 'batch', the function {name_of(self._batch_size)} must return a positive int, but it "
                                 f"returned {size!r}.")
            group = list(itertools.islice(rows, int(size)))
            if not group or (self._drop and len(group) < size):
                return
            yield group, info

    def _together(self, group_and_info):
        group, info = group_and_info
        columns = list(zip(*group))
        if self._function is not None:
            columns = self._called(columns, info)
        names = self._names()
        return tuple(self._stacked(name, column) for name, column in zip(names, columns))

    def _called(self, columns, info):
        where = f"For 'batch', 'per_batch_map' {name_of(self._function)}"
        made = self._function(*(list(columns[i]) for i in self._inputs), info)
        made = made if isinstance(made, tuple) else (made,)
        if len(made) != len(self._outputs):
            raise ValueError(f"{where} returned {len(made)} columns, but {len(self._outputs)} are expected: "
                             f"{', '.join(self._outputs)}.")
        made = [column if isinstance(column, dict) else [as_array(row, where) for row in column] for column in made]
        if len(made) != len(self._inputs):
            return made + [column for i, column in enumerate(columns) if i not in self._inputs]
        columns = list(columns)
        for position, column in zip(self._inputs, made):
            columns[position] = column
        return columns

    def _stacked(self, name, rows):
        if isinstance(rows, dict):
            return rows
        if isinstance(rows[0], dict):
            return together(rows, lambda items: self._stacked(name, [as_array(item, f"A dict of column '{name}'") for item in items]))
        if self._pad_info is not None and (not self._pad_info or name in self._pad_info):
            rows = padded(rows, *self._pad_info.get(name, (None, None)))
        if any(row.shape != rows[0].shape or row.dtype.kind != rows[0].dtype.kind for row in rows):
            shapes = sorted({f"{row.dtype}{list(row.shape)}" for row in rows})
            raise ValueError(f"For 'batch', the rows of column '{name}' are not alike: {', '.join(shapes)}. Use padded_batch(), "
                             f"or make them alike by map().")
        return np.stack(rows)


def padded(rows, shape, value):
    """Rows cut, or filled up with `value` at their ends, to `shape`, or (where it or an extent is None) to the largest of them."""
    shape = list(shape) if shape is not None else [None] * rows[0].ndim
    alike = all(row.ndim == len(shape) for row in rows)
    extents = [max(row.shape[i] for row in rows) if extent is None and alike else extent for i, extent in enumerate(shape)]
    return [pad_end(row, extents, value, "padded_batch") for row in rows]
