"""MindDataset: rows of MindRecord files, which `plumb.mindrecord.FileWriter` or MindSpore wrote."""

import bisect
import itertools

import numpy as np

from plumb.dataset import samplers
from plumb.dataset._dataset import wants_cache
from plumb.dataset._host import as_array
from plumb.dataset.files import Shuffle
from plumb.dataset.generator import IndexedDataset


class MindDataset(IndexedDataset):
    """Rows of MindRecord files. Columns: the fields of their schema; bytes are uint8 with one axis.

    Args:
      dataset_files: the path of a file; all files that were written together with it are read. Or a list of the files.
      columns_list: the columns to take; None takes all, by their names.
      num_parallel_workers: how many rows are read at once; no result depends on it.
      shuffle: whether rows come in a new random order each epoch: True or Shuffle.GLOBAL (None means so) mixes all rows,
        Shuffle.FILES the files, Shuffle.INFILE the rows of each file.
      num_shards, shard_id: gives one of `num_shards` parts: the shard_id-th of blocks of equally many rows, where the last
        goes on with the first rows. A DistributedSampler divides so, too.
      sampler: a Sampler.
      padded_sample, num_padded: a dict by column, and how many such rows follow the files'; with shards, they must make the
        rows divisible by num_shards.
      num_samples: takes the first rows (of the sampler's order) only.
    """

    def __init__(self, dataset_files, columns_list=None, num_parallel_workers=None, shuffle=None, num_shards=None, shard_id=None,
                 sampler=None, padded_sample=None, num_padded=None, num_samples=None, cache=None):
        from plumb.mindrecord.filereader import check_columns, open_shards
        wants_cache("MindDataset", cache)
        names = [columns_list] if isinstance(columns_list, str) else columns_list
        self._shards = open_shards(dataset_files)
        self._starts = [0, *itertools.accumulate(len(shard.places) for shard in self._shards)]
        names = check_columns(names and list(names), self._shards[0].schema)
        self._padded = _padded_row(padded_sample, num_padded, columns_list and names)
        rows = self._starts[-1] + (num_padded or 0)
        if num_padded and num_shards and rows % num_shards:
            raise RuntimeError(f"num_padded: {rows} rows, {num_padded} of them padded, are no multiple of num_shards ({num_shards}).")
        super().__init__(names, self._row_at, rows, self._order_of(sampler, shuffle, num_samples, num_shards, shard_id),
                         num_parallel_workers or 1)

    def _row_at(self, index):
        if index >= self._starts[-1]:
            return self._padded
        number = bisect.bisect_right(self._starts, index) - 1
        shard = self._shards[number]
        values = shard.row(index - self._starts[number], self._column_names)
        return tuple(shard.schema.as_array(name, values[name]) for name in self._column_names)

    def _values(self, name):
        from plumb.mindrecord.filereader import check_columns
        check_columns([name], self._shards[0].schema)
        rows = [shard.row(number, [name])[name] for shard in self._shards for number in range(len(shard.places))]
        padded = [] if self._padded is None else [self._padded[self._column_names.index(name)][()]]
        return np.array(rows + padded * (self._rows - len(rows)))

    def _order_of(self, sampler, shuffle, num_samples, num_shards, shard_id):
        """The sampler that the arguments of MindDataset describe."""
        if isinstance(sampler, samplers.DistributedSampler):
            if not sampler.equal:
                raise ValueError("For 'MindDataset', 'offset' of DistributedSampler is not offered.")
            shuffle, num_samples, num_shards, shard_id = sampler.shuffle, sampler.num_samples, sampler.num_shards, sampler.shard_id
            sampler = None
        shuffled = None if shuffle is None else bool(shuffle)
        found = samplers.chosen(sampler, shuffled, num_samples, num_shards, shard_id)
        if sampler is not None or num_shards is None and shuffle not in (Shuffle.FILES, Shuffle.INFILE):
            return found
        by_file = shuffle in (Shuffle.FILES, Shuffle.INFILE)
        order = _FileOrder(self._starts, shuffle) if by_file else samplers.chosen(None, shuffled, None, None, None)
        if num_shards is not None:
            return _Block(num_shards, shard_id, num_samples, order)
        order.num_samples = found.num_samples
        return order


def _padded_row(sample, count, names):
    """The row that `padded_sample` gives; raises where it does not fit the columns."""
    if (sample is None) != (count is None):
        raise RuntimeError("padded_sample and num_padded need to be given together.")
    if sample is None:
        return None
    if not isinstance(sample, dict) or isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(f"padded_sample must be a dict by column and num_padded an int of at least 0, but got {sample!r} and {count!r}.")
    if not names:
        raise RuntimeError("padded_sample is specified and requires columns_list as well.")
    missing = [name for name in names if name not in sample]
    if missing:
        raise ValueError(f"padded_sample has no value for the column '{missing[0]}'.")
    return tuple(np.frombuffer(sample[name], np.uint8) if isinstance(sample[name], bytes) else as_array(sample[name], "padded_sample")
                 for name in names)


class _Block(samplers.DistributedSampler):
    """One of `num_shards` blocks of the rows in the order of `inner`."""

    def __init__(self, num_shards, shard_id, num_samples, inner):
        super().__init__(num_shards, shard_id, False, num_samples)
        self._inner = inner

    def _order(self, rng):
        order = np.fromiter(self._inner.indices(self.dataset_size, rng), np.int64)
        count = self._found(self.dataset_size)
        return iter(order[np.arange(self.shard_id * count, (self.shard_id + 1) * count) % self.dataset_size])


class _FileOrder(samplers.BuiltinSampler):
    """The files in random order, or the rows of each; `starts` has the first row of each file and the number of all rows."""

    def __init__(self, starts, shuffle):
        super().__init__()
        self._starts, self._files_move = starts, shuffle is Shuffle.FILES

    def _order(self, rng):
        bounds = [*self._starts, self.dataset_size]
        files = [np.arange(begin, end) for begin, end in zip(bounds, bounds[1:])]
        files = [files[at] for at in rng.permutation(len(files))] if self._files_move else [rng.permutation(rows) for rows in files]
        return iter(np.concatenate(files))
