"""GeneratorDataset: rows that Python code makes; and rows in memory taken by a sampler."""

import itertools

import numpy as np

from plumb.common import dtype as mstype
from plumb.context import warn_once
from plumb.dataset import samplers
from plumb.dataset._host import HostDataset, as_row, name_of, seed_of
from plumb.dataset._workers import ordered_map


class IndexedDataset(HostDataset):
    """Rows of a source with `__getitem__` and `__len__`, in a sampler's order.

    Args:
      names: the columns' names.
      fetch: returns the row of an index, a tuple of arrays.
      rows: the number of rows.
    """

    def __init__(self, names, fetch, rows, sampler, workers=1, processes=False):
        super().__init__()
        self._column_names, self._fetch, self._rows, self.sampler = list(names), fetch, rows, sampler
        self._workers, self._processes = workers, processes

    def _names(self):
        return list(self._column_names)

    def _size(self):
        self._tell_classes()
        return self.sampler.count(self._rows)

    def _tell_classes(self):
        """Tells the classes of the rows to samplers that pick by them."""
        sampler = self.sampler
        while sampler is not None:
            if isinstance(sampler, samplers.PKSampler):
                sampler.learn(self, lambda name=sampler.class_column: self._values(name))
            sampler = sampler.get_child()

    def _values(self, name):
        """A column's value of each row, one for each index."""
        if name not in self._column_names:
            raise ValueError(f"There is no column '{name}' to pick classes by; there are {', '.join(self._column_names)}.")
        at = self._column_names.index(name)
        return np.array([self._fetch(index)[at] for index in range(self._rows)])

    def get_batch_size(self):
        """Returns 1: there is no batch yet."""
        return 1

    def get_repeat_count(self):
        """Returns 1: nothing repeats yet."""
        return 1

    def add_sampler(self, new_sampler):
        """Makes `new_sampler` pick among the rows that the present sampler gives."""
        samplers.checked(new_sampler).add_child(self.sampler)
        self.sampler, self._made = new_sampler, None

    def use_sampler(self, new_sampler):
        """Replaces the sampler."""
        self.sampler, self._made = samplers.checked(new_sampler), None

    def shuffles_all(self):
        """Whether a pass gives every row once, in random order."""
        return isinstance(self.sampler, samplers.RandomSampler) and self.sampler.num_samples is None \
            and not self.sampler.replacement and self.sampler.get_child() is None

    def passes(self):
        for number in itertools.count():
            yield ordered_map(self._fetch, self._order(number), self._workers, self._processes)

    def _order(self, number):
        self._tell_classes()
        return self.sampler.indices(self._rows, np.random.default_rng(seed_of("sampler", number)))

    def first_order(self):
        """Yields the indices of the first pass."""
        return self._order(0)

    def with_sampler(self, sampler):
        """The same rows in another sampler's order."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.sampler, copy._found_size, copy._used_by, copy._made = sampler, None, None, None
        return copy


class GeneratorDataset(IndexedDataset):
    """Rows that a Python object gives.

    Args:
      source: a function that returns an iterator (such as a generator function; called once a pass), an iterable, or an
        object with `__getitem__` and `__len__`. A row is a tuple with one value for each column, or one value.
      column_names: a name or a list of names.
      column_types: the element types that the columns must have, if given.
      num_samples: take the first rows (of the sampler's order) only.
      num_parallel_workers: how many rows of an indexable source are made at once.
      shuffle: whether rows come in random order, which only indexable sources can; None means yes for those.
      sampler: a Sampler, or a list of indices, for indexable sources.
      num_shards, shard_id: give every num_shards-th row only.
      python_multiprocessing: whether workers are processes rather than threads.
      max_rowsize: not needed: processes hand rows over without a limit.
    """

    in_memory = True

    def __init__(self, source, column_names=None, column_types=None, schema=None, num_samples=None,
                 num_parallel_workers=1, shuffle=None, sampler=None, num_shards=None, shard_id=None,
                 python_multiprocessing=True, max_rowsize=6):
        if schema is not None:
            raise ValueError("For 'GeneratorDataset', 'schema' is not offered; name the columns by 'column_names'.")
        if column_names is None:
            raise ValueError("Neither columns_names nor schema are provided.")
        names = [column_names] if isinstance(column_names, str) else list(column_names)
        self._source, self._indexed = source, hasattr(source, "__getitem__") and hasattr(source, "__len__")
        if not self._indexed and not callable(source) and not hasattr(source, "__iter__") \
                and not hasattr(source, "__next__"):
            raise TypeError("Input `source` function of GeneratorDataset should be callable, iterable or random "
                            "accessible, commonly it should implement one of the method like yield, __getitem__ or "
                            "__next__(__iter__).")
        if sampler is not None and not self._indexed:
            raise ValueError("sampler is not supported if source does not have attribute '__getitem__' and '__len__'.")
        if column_types is not None and len(column_types) != len(names):
            raise ValueError(f"column_types must name one type for each of {len(names)} columns, but got "
                             f"{len(column_types)}.")
        self._types = None if column_types is None else [mstype.as_dtype(kind).numpy for kind in column_types]
        if shuffle and not self._indexed:
            warn_once("GeneratorDataset keeps the order of a source without __getitem__ and __len__, whatever 'shuffle' says, as in "
                      "MindSpore; chain .shuffle(buffer_size).")
            shuffle = False
        order = samplers.chosen(sampler, shuffle, num_samples, num_shards, shard_id, shuffled_by_default=self._indexed, conflict=ValueError)
        super().__init__(names, self._row_at, len(source) if self._indexed else None, order, num_parallel_workers or 1,
                         python_multiprocessing)

    def _row_at(self, index):
        try:
            value = self._source[index]
        except IndexError:
            raise IndexError(f"The source of GeneratorDataset says that it has {len(self._source)} rows, but has no row "
                             f"{index}.") from None
        return self._checked(value)

    def _checked(self, value):
        row = as_row(value, len(self._column_names), f"The source {name_of(self._source)} of GeneratorDataset")
        for name, array, kind in zip(self._column_names, row, self._types or ()):
            if array.dtype != kind:
                raise TypeError(f"Column '{name}' of GeneratorDataset holds {array.dtype}, but 'column_types' says {kind}.")
        return row

    def _size(self):
        if self._indexed:
            return super()._size()
        return len(self._source) if hasattr(self._source, "__len__") and self._takes_all() else self._count()

    def _takes_all(self):
        return isinstance(self.sampler, samplers.SequentialSampler) and self.sampler.num_samples is None

    def passes(self):
        if self._indexed:
            yield from super().passes()
        while True:
            yield self._dealt(map(self._checked, self._iterator()))

    def _iterator(self):
        if hasattr(self._source, "__iter__"):
            return iter(self._source)
        return iter(self._source()) if callable(self._source) else iter(self._source.__next__, object())

    def _dealt(self, rows):
        """The rows of an iterator that this shard takes, up to the number of samples."""
        order = self.sampler
        if isinstance(order, samplers.DistributedSampler):
            rows = itertools.islice(rows, order.shard_id, None, order.num_shards)
        return itertools.islice(rows, order.num_samples)


def indexed(dataset, sampler):
    """The rows of a dataset that the runtime reads, without its own order, in a sampler's."""
    source = dataset.in_order()
    rows, whole = source.get_dataset_size(), []

    def fetch(index):
        if not whole:
            whole.append(next(next(source.batch(rows).passes())))
        return tuple(column[index] for column in whole[0])

    return IndexedDataset(dataset.get_col_names(), fetch, rows, sampler)


class PaddedDataset(GeneratorDataset):
    """Rows given as a list of dicts by column name, all with the same keys; to be concatenated with other rows."""

    in_memory = True

    def __init__(self, padded_samples):
        if not isinstance(padded_samples, list) or not padded_samples or not isinstance(padded_samples[0], dict):
            raise TypeError("padded_samples must be a list of dicts by column name.")
        names = list(padded_samples[0])
        rows = [tuple(sample[name] for name in names) for sample in padded_samples]
        super().__init__(rows, names, shuffle=False)
