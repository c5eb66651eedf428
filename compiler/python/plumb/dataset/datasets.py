"""Datasets that the runtime reads by itself: sources and the nodes that its threads work on."""

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset import _pipeline, samplers
from plumb.dataset._dataset import Dataset
from plumb.dataset._made import recorded
from plumb.dataset._pipeline import Column, Node
from plumb.dataset.operations import RowOperation


class NativeDataset(Dataset):
    """A source and nodes that the runtime knows: its threads make the batches, in executables, too.

    Every method returns a new dataset; the one it was called on stays as it was.
    """

    def __init__(self, source_type, source, columns, shuffled, workers, sampler=None):
        super().__init__()
        self._sampler = sampler
        self._source_type, self._source = source_type, source
        self._source_columns = columns
        self._shuffled = shuffled
        self._nodes = []
        self._workers = max(workers or 1, 1)
        self._arrays = []
        self._cached = False

    def _with_nodes(self, nodes):
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._nodes = list(nodes)
        copy.children = [self]
        copy._used_by = None
        return copy

    @property
    def native(self):
        """Whether the runtime makes the batches; rows that a sampler picks are gathered in this process."""
        return self._sampler is None

    def in_order(self):
        """The same rows in the source's own order."""
        copy = self._with_nodes(self._nodes)
        copy._shuffled, copy._sampler = False, None
        return copy

    def _sampled(self):
        from plumb.dataset.generator import indexed
        return indexed(self, self._sampler)

    def _with_node(self, node, workers):
        if not self.native:
            return self._sampled()._with_node(node, workers)
        copy = self._with_nodes(self._nodes + [node])
        copy._workers = max(self._workers, workers or 1)
        return copy

    def _source_rows(self):
        raise NotImplementedError

    def _mapped(self, operations, names, outputs, workers, processes):
        if not self.native or len(names) != 1 or (outputs is not None and list(outputs) != names) or \
                not self._knows(operations, names[0]):
            return super()._mapped(operations, names, outputs, workers, processes)
        result = self
        for operation in operations:
            column = next(column for column in result._columns() if column.name == names[0])
            operation.check(column)
            kind, table = operation.fitted(column).table()
            result = result._with_node(
                Node("Map", {"column": column.name, "operation_type": kind, "operation": table}), workers)
        return result

    def _knows(self, operations, name):
        """Whether the runtime computes the operations on a column by itself."""
        other = next(len(column.shape) == 2 or len(column.shape) > 3 for column in self._columns() if column.name == name)  # plane or video
        return all(isinstance(operation, RowOperation) and operation.native and not (other and operation.on_images)
                   for operation in operations)

    @recorded
    def cache(self):
        """Keeps every row in memory once its operations have run: later epochs only gather rows. The same batches."""
        if not self.native:
            return super().cache()
        copy = self._with_nodes(self._nodes)
        copy._cached = True
        return copy

    def passes(self):
        """Yields passes, each an iterator over rows (or batches)."""
        from plumb import _native
        if not self.native:
            yield from self._sampled().passes()
        pipeline = _native.make_pipeline(self._with_nodes(self._nodes + [Node("Repeat", {"count": -1})]))
        while True:
            yield self._pass(pipeline)

    def _pass(self, pipeline):
        while self._endless():
            yield tuple(pipeline.next())
        left = self.get_dataset_size()
        try:
            for left in range(left - 1, -1, -1):
                yield tuple(pipeline.next())
        finally:
            for _ in range(left):
                pipeline.next()

    def _columns(self):
        columns = self._source_columns
        for node in self._nodes:
            columns = node.columns(columns)
        return columns

    def get_dataset_size(self):
        """Returns the number of batches of one pass."""
        if not self.native:
            return self._sampled().get_dataset_size()
        return self._size_and_end()[0]

    def _size_and_end(self):
        """The rows (or batches) of a pass, of one round where `repeat` has no end; and whether it has none."""
        rows, endless = self._source_rows(), False
        for node in self._nodes:
            if node.kind == "Take" and endless:
                rows, endless = node.table["count"], False
            else:
                rows, endless = node.rows(rows), endless or node.kind == "Repeat" and node.table["count"] < 0
        return rows, endless

    def _endless(self):
        return self._sampled()._endless() if not self.native else self._size_and_end()[1]

    def _why_empty(self):
        rows = self._source_rows()
        if rows:
            return (f"The source has {rows} rows, which make no whole batch of {self.get_batch_size()}: take a smaller "
                    f"batch, or drop_remainder=False.")
        return super()._why_empty()

    def get_batch_size(self):
        """Returns the batch size, 1 when there is none."""
        sizes = [node.table["size"] for node in self._nodes if node.kind == "Batch"]
        return sizes[-1] if sizes else 1

    def get_repeat_count(self):
        """Returns how often the rows are gone through."""
        counts = [node.table["count"] for node in self._nodes if node.kind == "Repeat"]
        return int(np.prod(counts)) if counts else 1

    def to_json(self):
        """Returns the pipeline for the runtime; rows held in memory are handed over beside it."""
        from plumb.common import seed
        return _pipeline.to_json(self._source_type, self._source_table(), self._shuffled, self._nodes, self._workers,
                                 seed.pipeline_seed(), self._cached)

    def _source_table(self):
        return self._source


class SampledSource(NativeDataset):
    """A source whose rows are found by their number, so that samplers pick them."""

    def use_sampler(self, new_sampler):
        """Replaces what picks the rows: sampler, shuffling and number; AttributeError behind `batch`, `map` and the like."""
        self._refuse_behind_nodes("use_sampler")
        self._sampler, self._nodes = samplers.checked(new_sampler), []

    def add_sampler(self, new_sampler):
        """Makes `new_sampler` pick among the rows that the present sampler gives; AttributeError as of `use_sampler`."""
        self._refuse_behind_nodes("add_sampler")
        samplers.checked(new_sampler)
        if self._sampler is None:
            number = len(self) if self._nodes else None
            self._sampler = (samplers.RandomSampler if self._shuffled else samplers.SequentialSampler)(num_samples=number)
        new_sampler.add_child(self._sampler)
        self._sampler, self._nodes = new_sampler, []

    def _refuse_behind_nodes(self, name):
        """MindSpore's datasets that `batch`, `map` and the like return pick no rows."""
        if self.children:
            raise AttributeError(f"a dataset that another was made of has no attribute '{name}': call it on the '{type(self).__name__}' first")


class NumpySlicesDataset(SampledSource):
    """Rows of NumPy arrays. Columns of strings are gathered in this process: operations make numbers of them before a network takes them.

    Args:
      data: an array or list, a tuple of them (columns), or a dict by column name.
      column_names: names of the columns; by default column_0, … or the dict's keys.
      shuffle: whether rows come in a new random order each epoch; None means yes.
    """

    in_memory = True

    def __init__(self, data, column_names=None, num_samples=None, num_parallel_workers=1, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None):
        arrays = data.values() if isinstance(data, dict) else data if isinstance(data, tuple) else (data,)
        arrays = [np.ascontiguousarray(_narrow(np.asarray(array))) for array in arrays]
        names = column_names or (data if isinstance(data, dict) else [f"column_{i}" for i in range(len(arrays))])
        names = [names] if isinstance(names, str) else list(names)
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"For 'NumpySlicesDataset', each column needs a name of its own, but '{twice[0]}' stands for "
                             f"several: {names}.")
        if len(names) != len(arrays) or len({len(array) for array in arrays}) != 1:
            raise ValueError(f"For 'NumpySlicesDataset', all columns need one name and equally many rows, but got the "
                             f"names {names} and {[len(array) for array in arrays]} rows.")
        kinds = [None if array.dtype.kind in "US" else mstype.as_dtype(array.dtype) for array in arrays]
        columns = [Column(name, kind, array.shape[1:]) for name, kind, array in zip(names, kinds, arrays)]
        choose = samplers.chosen if None in kinds else native_sampler
        super().__init__("ArraySource", None, columns, shuffle is not False, num_parallel_workers,
                         choose(sampler, shuffle, num_samples, num_shards, shard_id))
        self._arrays = list(zip(names, arrays))
        if num_samples and self.native:
            self._nodes.append(Node("Take", {"count": num_samples}))

    def _source_rows(self):
        return len(self._arrays[0][1])

    def _sampled(self):
        if all(column.dtype for column in self._source_columns):
            return super()._sampled()
        from plumb.dataset.generator import IndexedDataset
        row = lambda index: tuple(np.asarray(array[index]) for _, array in self._arrays)
        return IndexedDataset(self.get_col_names(), row, self._source_rows(), self._sampler)

    def _source_table(self):
        return {"columns": [{"name": column.name, "element": _pipeline.element_name(column.dtype),
                             "shape": list(column.shape)} for column in self._source_columns]}


def native_sampler(sampler, shuffle, num_samples, num_shards, shard_id):
    """The sampler that the arguments of a dataset describe; None where the runtime's own order serves."""
    found = samplers.chosen(sampler, shuffle, num_samples, num_shards, shard_id)
    return None if sampler is None and num_shards is None else found


def _narrow(array):
    if array.dtype == object:
        raise ValueError("For 'NumpySlicesDataset', a column holds Python objects, or lists of unequal lengths: give arrays.")
    return array
