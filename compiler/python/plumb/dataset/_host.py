"""Datasets whose rows pass through Python: user's sources and functions, and what chains onto them.

A dataset is a node of a graph. Where all of a chain can be described to the runtime (`datasets.py`), C++ threads make the
batches. The nodes here make them in this process, row by row, from the passes of the nodes they stand on; `_feeder.py`
pushes them into the queue while the device's loop runs.

`passes()` yields one pass after another without end, each an iterator over rows (tuples of arrays, one for each column). A
pass that is left early ends there: the next one starts anew.
"""

import inspect
import itertools
import math
from collections import abc

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset import _random, samplers
from plumb.dataset._errors import of_pipeline
from plumb.dataset._objects import together
from plumb.dataset._padding import pad_end
from plumb.dataset._pipeline import Column
from plumb.dataset._rounds import repeated, unheard
from plumb.dataset._workers import ordered_map
from plumb.dataset._dataset import Dataset
from plumb.dataset.operations import chained


class HostDataset(Dataset):
    """Base of nodes: `children` are the datasets it stands on, the first of which gives what the others do not."""

    native = False

    def __init__(self, *children):
        super().__init__()
        self.children = list(children)
        self._found_columns, self._found_size = None, None

    def _names(self):
        """The columns' names."""
        return self.children[0].get_col_names()

    def passes(self):
        """Yields passes; see the head of the file."""
        raise NotImplementedError

    @of_pipeline
    def _columns(self):
        if self._found_columns is None:
            self._found_columns = self._find_columns()
        return self._found_columns

    def _find_columns(self):
        """The columns as the first row shows them."""
        with unheard():
            row = next(next(self.passes()), None)
        if row is None:
            raise ValueError(f"There is no valid data in dataset, please check dataset file firstly. {self._why_empty()}")
        return [Column(name, _device_type(value), getattr(value, "shape", ())) for name, value in zip(self._names(), row)]

    def get_col_names(self):
        """Returns the columns' names."""
        return self._names()

    @of_pipeline
    def get_dataset_size(self):
        """Returns the number of rows (or batches) of one pass; runs through one where nothing tells it."""
        if self._found_size is None:
            self._found_size = self._size()
        return self._found_size

    def _size(self):
        return self.children[0].get_dataset_size()

    def _count(self):
        with unheard():
            return sum(1 for _ in next(self.passes()))

    def get_batch_size(self):
        """Returns the batch size, 1 when there is none."""
        return self.children[0].get_batch_size()

    def get_repeat_count(self):
        """Returns how often the rows are gone through."""
        return self.children[0].get_repeat_count()

    def _why_empty(self):
        return "It gives no rows."

    def _with_node(self, node, workers):
        """A node of the runtime's pipeline as one of this process."""
        return NODES[node.kind](self, node.table, workers)


def seed_of(kind, *numbers):
    """A key for NumPy's generators: the pipelines' seed, the kind of use, and numbers that tell streams apart."""
    from plumb.common import seed
    return [seed.effective_pipeline_seed(), *kind.encode(), *numbers]


def depth_of(node):
    """The number of nodes below: two shuffles in a chain draw from different streams."""
    depth = 0
    while node.children:
        depth, node = depth + 1, node.children[0]
    return depth


def _device_type(value):
    """The element type of a column; None for strings, dicts and others that no device holds."""
    return mstype.as_dtype(value.dtype) if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" else None


def as_row(value, count, where):
    """What Python code returned as a tuple of `count` arrays; raises TypeError or ValueError that names `where`. Tuples and
    iterators are rows; where there are several columns, lists, ranges and other containers are, too, else arrays."""
    is_row = isinstance(value, (tuple, abc.Iterator)) or count != 1 and _is_container(value)
    values = tuple(value) if is_row else (value,)
    if len(values) != count:
        raise ValueError(f"{where} gave {len(values)} values, but there are {count} columns: "
                         f"return a tuple with one value for each of them.")
    return tuple(as_array(item, where) for item in values)


def _is_container(value):
    from plumb.common.tensor import Tensor
    return isinstance(value, abc.Iterable) and not isinstance(value, (str, bytes, dict, set, np.ndarray, np.generic, Tensor))


def as_array(value, where):
    """One value of a row as an array; numbers get NumPy's type for them, int64 or float64. A dict stays one."""
    from plumb.common.tensor import Tensor
    if isinstance(value, Tensor):
        return value.asnumpy()
    if isinstance(value, dict):
        return value
    if value is None or isinstance(value, set):
        raise TypeError(f"{where} gave a value of type {type(value).__name__}, but columns hold numbers, strings, dicts and "
                        f"NumPy arrays.")
    array = np.asarray(value)
    if array.dtype == object:
        raise TypeError(f"{where} gave a {type(value).__name__} that is no regular array: all its rows must have the same "
                        f"length.")
    return array


def name_of(function):
    """What messages call a Python function, with the place of its definition."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__name__)
    return f"'{name}' ({code.co_filename}:{code.co_firstlineno})" if code else f"'{name}'"


class Mapped(HostDataset):
    """Operations on some columns of each row; see `Dataset.map`."""

    def __init__(self, child, operations, inputs, outputs=None, workers=1, processes=False):
        super().__init__(child)
        self._operations, self._workers, self._processes = chained(operations), workers, processes
        names = child.get_col_names()
        self._inputs = [names.index(name) for name in inputs]
        self._outputs = list(outputs or inputs)
        self._kept = [i for i in range(len(names)) if i not in self._inputs]
        for name in self._outputs:
            if [names[i] for i in self._kept].count(name) or self._outputs.count(name) > 1:
                raise ValueError(f"For 'map', two columns would be called '{name}'.")

    def _names(self):
        names = self.children[0].get_col_names()
        if len(self._outputs) == len(self._inputs):
            for position, name in zip(self._inputs, self._outputs):
                names[position] = name
            return names
        return self._outputs + [names[i] for i in self._kept]

    def passes(self):
        for number, rows in enumerate(self.children[0].passes()):
            yield self._pass(number, rows)

    def _pass(self, number, rows):
        seeds = _random.seeds(self._operations, seed_of("map", depth_of(self), number))
        return ordered_map(self._apply, zip(rows, seeds), self._workers, self._processes)

    def _apply(self, row_and_seeds):
        row, seeds = row_and_seeds
        values = tuple(row[i] for i in self._inputs)
        for operation, seed in zip(self._operations[:-1], seeds):
            values = _random.apply(operation, seed, values)
            values = values if isinstance(values, tuple) else (values,)
        last = self._operations[-1]
        values = as_row(_random.apply(last, seeds[-1], values), len(self._outputs), f"The operation {name_of(last)}")
        if len(self._outputs) != len(self._inputs):
            return values + tuple(row[i] for i in self._kept)
        changed = list(row)
        for position, value in zip(self._inputs, values):
            changed[position] = value
        return tuple(changed)


class Filtered(HostDataset):
    """The rows for which a function of some columns holds."""

    def __init__(self, child, predicate, inputs):
        super().__init__(child)
        names = child.get_col_names()
        self._predicate, self._inputs = predicate, [names.index(name) for name in inputs]

    def _size(self):
        return self._count()

    def passes(self):
        for rows in self.children[0].passes():
            yield (row for row in rows if self._holds(row))

    def _holds(self, row):
        answer = np.asarray(self._predicate(*(row[i] for i in self._inputs)))
        if answer.size != 1 or answer.dtype.kind not in "biu":
            raise TypeError(f"For 'filter', the predicate {name_of(self._predicate)} must return a bool, but it returned "
                            f"{answer!r}.")
        return bool(answer)


class Shuffled(HostDataset):
    """Rows through a buffer from which a random one is taken; in another order each pass, or always in the same one."""

    def __init__(self, child, table, workers=None, fixed=False):
        super().__init__(child)
        self.table, self._buffer_size, self._fixed = table, table["buffer_size"], fixed

    def passes(self):
        for number, rows in enumerate(self.children[0].passes()):
            key = seed_of("shuffle", depth_of(self), 0 if self._fixed else number)
            yield self._shuffled(rows, np.random.default_rng(key))

    def _shuffled(self, rows, rng):
        buffer = []
        for row in rows:
            buffer.append(row)
            if len(buffer) == self._buffer_size:
                yield buffer.pop(_to_end(buffer, int(rng.integers(len(buffer)))))
        while buffer:
            yield buffer.pop(_to_end(buffer, int(rng.integers(len(buffer)))))


def _to_end(items, position):
    """Swaps an item with the last one; returns the last one's position, so that taking it is cheap."""
    items[position], items[-1] = items[-1], items[position]
    return len(items) - 1


class Repeated(HostDataset):
    """Several passes as one; without end for -1."""

    def __init__(self, child, table, workers=None):
        super().__init__(child)
        self.table = table
        self._times = table["count"]

    def _size(self):
        return self.children[0].get_dataset_size() * max(self._times, 1)

    def _endless(self):
        return self._times < 0 or super()._endless()

    def get_repeat_count(self):
        """Returns how often the rows are gone through."""
        return self._times * max(self.children[0].get_repeat_count(), 1)

    def passes(self):
        passes = repeated(self.children[0].passes(), self._times)
        while True:
            yield itertools.chain.from_iterable(
                passes if self._times < 0 else itertools.islice(passes, self._times))


class Taken(HostDataset):
    """The first rows."""

    def __init__(self, child, table, workers=None):
        super().__init__(child)
        self.table = table
        self._limit = table["count"]

    def _size(self):
        child = self.children[0]
        return self._limit if child._endless() else min(child.get_dataset_size(), self._limit)

    def _endless(self):
        return False

    def passes(self):
        for rows in self.children[0].passes():
            yield itertools.islice(rows, self._limit)


class Skipped(HostDataset):
    """All but the first rows."""

    def __init__(self, child, count):
        super().__init__(child)
        self._skipped = count

    def _size(self):
        return max(self.children[0].get_dataset_size() - self._skipped, 0)

    def passes(self):
        for rows in self.children[0].passes():
            yield itertools.islice(rows, self._skipped, None)


class Projected(HostDataset):
    """Some columns, in the order given."""

    def __init__(self, child, table, workers=None):
        super().__init__(child)
        self.table = table
        self._chosen = table["columns"]

    def _names(self):
        return list(self._chosen)

    def passes(self):
        positions = [self.children[0].get_col_names().index(name) for name in self._chosen]
        for rows in self.children[0].passes():
            yield (tuple(row[i] for i in positions) for row in rows)


class Renamed(HostDataset):
    """The same rows under other names."""

    def __init__(self, child, names):
        super().__init__(child)
        self._new = names

    def _names(self):
        return list(self._new)

    def passes(self):
        return self.children[0].passes()


class Zipped(HostDataset):
    """Rows of several datasets side by side, as many as the shortest has."""

    def __init__(self, *children):
        super().__init__(*children)
        names = self._names()
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"For 'zip', two columns would be called '{name}'; rename() one of them.")

    def _names(self):
        return [name for child in self.children for name in child.get_col_names()]

    def _size(self):
        ending = [child for child in self.children if not child._endless()]
        return min(child.get_dataset_size() for child in ending or self.children)

    def _endless(self):
        return all(child._endless() for child in self.children)

    def passes(self):
        for parts in zip(*(child.passes() for child in self.children)):
            yield (sum(rows, ()) for rows in zip(*parts))


class Concatenated(HostDataset):
    """Rows of several datasets one after another."""

    def __init__(self, *children):
        super().__init__(*children)
        first = children[0].get_col_names()
        for child in children[1:]:
            if child.get_col_names() != first:
                raise ValueError(f"For 'concat', the datasets must have the same columns, but one has {first} and another "
                                 f"{child.get_col_names()}.")
        self._shards, self._shard = 1, 0

    def use_sampler(self, new_sampler):
        """Takes every num_shards-th row from the shard's number on, through all the datasets; later passes do.

        Args:
          new_sampler: a DistributedSampler that does not shuffle, without a number of samples.

        Raises:
          TypeError: for another sampler.
          ValueError: for one that shuffles or limits the rows.
        """
        if not isinstance(new_sampler, samplers.DistributedSampler):
            raise TypeError(f"The parameter {new_sampler} of concat must be DistributedSampler!")
        if new_sampler.shuffle:
            raise ValueError("The parameter shuffle of DistributedSampler must be False!")
        if new_sampler.num_samples is not None:
            raise ValueError("The parameter num_samples of DistributedSampler is not support to be set!")
        self._shards, self._shard = new_sampler.num_shards, new_sampler.shard_id

    def _size(self):
        rows = sum(child.get_dataset_size() for child in self.children)
        return len(range(self._shard, rows, self._shards))

    def passes(self):
        for parts in zip(*(child.passes() for child in self.children)):
            yield itertools.islice(itertools.chain.from_iterable(parts), self._shard, None, self._shards)


class FlatMapped(HostDataset):
    """The rows of the datasets that a function makes of each row."""

    def __init__(self, child, function):
        super().__init__(child)
        self._function = function

    def _names(self):
        row = next(next(self.children[0].passes()))
        return self._dataset(row).get_col_names()

    def _size(self):
        return self._count()

    def _dataset(self, row):
        made = self._function(*row)
        if not isinstance(made, Dataset):
            raise TypeError(f"For 'flat_map', {name_of(self._function)} must return a dataset, but it returned "
                            f"{type(made).__name__}.")
        return made

    def passes(self):
        for rows in self.children[0].passes():
            yield (inner for row in rows for inner in next(self._dataset(row).passes()))


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


class FirstPass(HostDataset):
    """The rows in the order of the first pass, in all passes."""

    def passes(self):
        while True:
            yield next(self.children[0].passes())


class Kept(HostDataset):
    """Rows kept in memory in the first pass that is gone through; later ones take them from there."""

    def __init__(self, child):
        super().__init__(child)
        self._rows = None

    def passes(self):
        for rows in self.children[0].passes() if self._rows is None else itertools.repeat(None):
            yield iter(self._rows) if self._rows is not None else self._keep(rows)

    def _keep(self, rows):
        kept = []
        for row in rows:
            kept.append(row)
            yield row
        self._rows = kept


NODES = {"Shuffle": Shuffled, "Batch": Batched, "Repeat": Repeated, "Take": Taken, "Project": Projected}


def accepts(function, count):
    """Whether a Python callable can take `count` arguments; True where its signature is not known."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True
    return True
