"""Datasets: sources and the stages chained onto them.

Every method returns a new dataset; the one it was called on stays as it was.
"""

import gzip
import os
import struct

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor
from plumb.dataset import _pipeline
from plumb.dataset._pipeline import Column, Stage
from plumb.dataset.operations import RowOperation

_EMPTY = "There is no valid data in dataset, please check dataset file firstly."


class Dataset:
    """Base of datasets: a source and a list of stages."""

    def __init__(self, source_type, source, columns, shuffled, workers):
        self._source_type, self._source = source_type, source
        self._source_columns = columns
        self._shuffled = shuffled
        self._stages = []
        self._workers = max(workers or 1, 1)
        self._arrays = []
        self._cached = False
        self._used_by = None

    def _with_stages(self, stages):
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._stages = list(stages)
        copy._used_by = None
        return copy

    def _with(self, stage, workers=None):
        copy = self._with_stages(self._stages + [stage])
        copy._workers = max(self._workers, workers or 1)
        return copy

    def _source_rows(self):
        raise NotImplementedError

    # -- stages

    def map(self, operations, input_columns=None, output_columns=None, column_order=None, num_parallel_workers=None,
            python_multiprocessing=False, cache=None, callbacks=None, max_rowsize=16, offload=None):
        """Applies row operations to a column, one after another."""
        if output_columns is not None or column_order is not None:
            raise ValueError("For 'map', 'output_columns' and 'column_order' are not offered; use project().")
        names = [input_columns] if isinstance(input_columns, str) else list(input_columns or ())
        if not names:
            names = [self._columns()[0].name]
        if len(names) != 1:
            raise ValueError(f"For 'map', one input column at a time is offered, but got {names}.")
        result = self
        for operation in operations if isinstance(operations, (list, tuple)) else [operations]:
            result = result._mapped(names[0], operation, num_parallel_workers)
        return result.cache() if _wants_cache("map", cache) else result

    def _mapped(self, name, operation, workers):
        column = self._column(name)
        if not isinstance(operation, RowOperation):
            raise TypeError(f"For 'map', the operations must be of plumb.dataset.vision or plumb.dataset.transforms "
                            f"(Python functions are not offered), but got {type(operation).__name__}.")
        operation.check(column)
        kind, table = operation.table()
        return self._with(Stage("Map", {"column": name, "operation_type": kind, "operation": table}), workers)

    def shuffle(self, buffer_size):
        """Shuffles rows through a buffer of `buffer_size`, another order each epoch."""
        if not isinstance(buffer_size, int) or buffer_size < 2:
            raise ValueError(f"Input buffer_size is not within the required interval of [2, 2147483647], "
                             f"but got {buffer_size}.")
        return self._with(Stage("Shuffle", {"buffer_size": buffer_size}))

    def batch(self, batch_size, drop_remainder=False, num_parallel_workers=None, **kwargs):
        """Puts `batch_size` rows together."""
        if kwargs:
            raise ValueError(f"For 'batch', {', '.join(sorted(kwargs))} are not offered.")
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ValueError(f"Input batch_size is not within the required interval of [1, 2147483647], "
                             f"but got {batch_size}.")
        stage = Stage("Batch", {"size": batch_size, "drop_remainder": bool(drop_remainder)})
        return self._with(stage, num_parallel_workers)

    def repeat(self, count=None):
        """Goes through the rows `count` times; without end for None or -1."""
        count = -1 if count is None else count
        if not isinstance(count, int) or (count != -1 and count < 1):
            raise ValueError(f"count should be either -1 or positive integer, but got {count}.")
        return self if count == 1 else self._with(Stage("Repeat", {"count": count}))

    def cache(self):
        """Keeps every row in memory once its operations have run: later epochs only gather rows. The same batches."""
        copy = self._with_stages(self._stages)
        copy._cached = True
        return copy

    def take(self, count=-1):
        """Keeps the first `count` rows (or batches); all for -1."""
        if count != -1 and count < 1:
            raise ValueError(f"count should be either -1 or positive integer, but got {count}.")
        return self if count == -1 else self._with(Stage("Take", {"count": count}))

    def project(self, columns):
        """Keeps the named columns, in that order."""
        names = [columns] if isinstance(columns, str) else list(columns)
        for name in names:
            self._column(name)
        return self._with(Stage("Project", {"columns": names}))

    # -- what it gives

    def _columns(self):
        columns = self._source_columns
        for stage in self._stages:
            columns = stage.columns(columns)
        return columns

    def _column(self, name):
        for column in self._columns():
            if column.name == name:
                return column
        raise ValueError(f"There is no column '{name}'; there are "
                         f"{', '.join(column.name for column in self._columns())}.")

    def get_dataset_size(self):
        """Returns the number of batches of one pass."""
        rows = self._source_rows()
        for stage in self._stages:
            rows = stage.rows(rows)
        return rows

    def checked_size(self):
        """Returns the number of batches of one pass; raises when there is none."""
        size = self.get_dataset_size()
        if size == 0:
            raise ValueError(f"{_EMPTY} {self._why_empty()}")
        return size

    def _why_empty(self):
        rows = self._source_rows()
        if rows:
            return (f"The source has {rows} rows, which make no whole batch of {self.get_batch_size()}: take a smaller "
                    f"batch, or drop_remainder=False.")
        return "The source has no rows."

    def get_batch_size(self):
        """Returns the batch size, 1 when there is none."""
        sizes = [stage.table["size"] for stage in self._stages if stage.kind == "Batch"]
        return sizes[-1] if sizes else 1

    def get_repeat_count(self):
        """Returns how often the rows are gone through."""
        counts = [stage.table["count"] for stage in self._stages if stage.kind == "Repeat"]
        return int(np.prod(counts)) if counts else 1

    def get_col_names(self):
        """Returns the columns' names."""
        return [column.name for column in self._columns()]

    def output_shapes(self):
        """Returns the columns' shapes."""
        return [list(column.shape) for column in self._columns()]

    def output_types(self):
        """Returns the columns' NumPy types."""
        return [column.dtype.numpy for column in self._columns()]

    def to_json(self):
        """Returns the pipeline for the runtime; rows held in memory are handed over beside it."""
        from plumb.common import seed
        return _pipeline.to_json(self._source_type, self._source_table(), self._shuffled, self._stages, self._workers,
                                 seed.pipeline_seed(), self._cached)

    def _source_table(self):
        return self._source

    def __len__(self):
        return self.get_dataset_size()

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=True):
        """Iterates over one pass, giving dicts by column name."""
        names = self.get_col_names()
        return (dict(zip(names, row)) for row in self.create_tuple_iterator(num_epochs=num_epochs,
                                                                            output_numpy=output_numpy))

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=True):
        """Iterates over one pass, giving lists of Tensors."""
        from plumb import _engine
        chosen = self.project(columns) if columns else self
        wrap = (lambda array: array) if output_numpy else Tensor
        return ([wrap(array) for array in row] for row in _engine.iterate(chosen))


class MnistDataset(Dataset):
    """MNIST's IDX files of one folder, plain or gzip. Columns: image (uint8 28x28x1), label (uint32).

    Args:
      dataset_dir: the folder.
      usage: "train", "test" or "all"; None takes all files found.
      shuffle: whether rows come in a new random order each epoch; None means yes.
      num_samples: take the first rows only.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None,
                 sampler=None, num_shards=None, shard_id=None, cache=None):
        if sampler is not None or num_shards is not None:
            raise ValueError("For 'MnistDataset', 'sampler' and 'num_shards' are not offered.")
        if usage not in (None, "train", "test", "all"):
            raise ValueError(f"usage should be one of 'train', 'test', 'all', but got {usage}.")
        from plumb import _paths
        folder = _paths.mapped(os.fspath(dataset_dir))
        if not os.path.isdir(folder):
            raise ValueError(f"The folder {dataset_dir} does not exist or is not a directory or permission denied!")
        columns = [Column("image", mstype.uint8, (28, 28, 1)), Column("label", mstype.uint32, ())]
        source = {"folder": os.path.abspath(folder), "usage": usage or ""}
        super().__init__("MnistSource", source, columns, shuffle is not False, num_parallel_workers)
        self._folder, self._usage = folder, usage
        self._cached = _wants_cache("MnistDataset", cache)
        self._rows_found = None
        if num_samples:
            self._stages.append(Stage("Take", {"count": num_samples}))

    def _why_empty(self):
        if self._source_rows():
            return super()._why_empty()
        part = "t10k" if self._usage == "test" else "train"
        return (f"The folder '{self._folder}' holds none of MNIST's IDX files, such as {part}-images-idx3-ubyte and "
                f"{part}-labels-idx1-ubyte, plain or .gz.")

    def _source_rows(self):
        if self._rows_found is None:
            parts = {"train": ["train"], "test": ["t10k"]}.get(self._usage, ["train", "t10k"])
            self._rows_found = sum(_idx_rows(os.path.join(self._folder, part + "-labels-idx1-ubyte"))
                                   for part in parts)
        return self._rows_found


def _idx_rows(path):
    for candidate, opener in ((path, open), (path + ".gz", gzip.open)):
        if os.path.exists(candidate):
            with opener(candidate, "rb") as file:
                header = file.read(8)
            if len(header) < 8 or header[:4] != b"\0\0\x08\x01":
                raise ValueError(f"'{candidate}' is no IDX file of labels: wrong magic number or too short.")
            return struct.unpack(">I", header[4:])[0]
    return 0


class NumpySlicesDataset(Dataset):
    """Rows of NumPy arrays.

    Args:
      data: an array or list, a tuple of them (columns), or a dict by column name.
      column_names: names of the columns; by default column_0, … or the dict's keys.
      shuffle: whether rows come in a new random order each epoch; None means yes.
    """

    def __init__(self, data, column_names=None, num_samples=None, num_parallel_workers=1, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None):
        if sampler is not None or num_shards is not None:
            raise ValueError("For 'NumpySlicesDataset', 'sampler' and 'num_shards' are not offered.")
        arrays = data.values() if isinstance(data, dict) else data if isinstance(data, tuple) else (data,)
        arrays = [np.ascontiguousarray(_narrow(np.asarray(array))) for array in arrays]
        names = list(data) if isinstance(data, dict) else column_names or [f"column_{i}" for i in range(len(arrays))]
        names = [names] if isinstance(names, str) else list(names)
        if len(names) != len(arrays) or len({len(array) for array in arrays}) != 1:
            raise ValueError(f"For 'NumpySlicesDataset', all columns need one name and equally many rows, but got the "
                             f"names {names} and {[len(array) for array in arrays]} rows.")
        columns = [Column(name, mstype.as_dtype(array.dtype), array.shape[1:]) for name, array in zip(names, arrays)]
        super().__init__("ArraySource", None, columns, shuffle is not False, num_parallel_workers)
        self._arrays = list(zip(names, arrays))
        if num_samples:
            self._stages.append(Stage("Take", {"count": num_samples}))

    def _source_rows(self):
        return len(self._arrays[0][1])

    def _source_table(self):
        return {"columns": [{"name": column.name, "element": _pipeline.element_name(column.dtype),
                             "shape": list(column.shape)} for column in self._source_columns]}


class DatasetCache:
    """What `cache=` of a dataset or of `map` takes: rows are kept in this process's memory, as by `Dataset.cache()`.

    Args:
      session_id, hostname, port, num_connections, prefetch_size: of MindSpore's cache server; there is none here, nor need
        of one.
      size: the most megabytes to use; 0 means no limit. Only 0 is offered.
      spilling: whether to write to disk what has no room. Only False is offered.
    """

    def __init__(self, session_id=0, size=0, spilling=False, hostname=None, port=None, num_connections=None,
                 prefetch_size=None):
        if size or spilling:
            raise ValueError("For 'DatasetCache', 'size' and 'spilling' are not offered: all rows are kept in memory.")
        self.session_id = session_id


def _wants_cache(where, cache):
    if cache is not None and not isinstance(cache, DatasetCache):
        raise TypeError(f"For '{where}', 'cache' must be a DatasetCache, but got {type(cache).__name__}.")
    return cache is not None


def _narrow(array):
    if array.dtype == object or array.dtype.kind in "USO":
        raise ValueError("Invalid datatype, cannot send string, or Python dict to device.")
    return array
