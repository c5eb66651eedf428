"""The order of rows that stand in several files which are read from front to back: text, CSV, TFRecord."""

import enum

import numpy as np

from plumb.dataset import samplers


class Shuffle(enum.Enum):
    """How rows of several files are shuffled: GLOBAL mixes all rows, FILES changes the order of the files alone, and INFILE, for
    MindDataset, that of the rows in each file alone."""

    GLOBAL = "global"
    FILES = "files"
    INFILE = "infile"


class FileOrder(samplers.BuiltinSampler):
    """The rows of files one after the other, or a shard of them, in a random order if `shuffle` says so.

    Args:
      counts: the number of rows of each file.
      shuffle: True or Shuffle.GLOBAL: the rows of the shard in a new random order each pass; Shuffle.FILES: the files; or False.
      num_samples, num_shards, shard_id: which rows. A shard is a run of rows that wraps round, so that all are equally long; or,
        with `whole_files`, every num_shards-th file.

    Raises:
      TypeError: for another `shuffle`.
      RuntimeError: where one of num_shards and shard_id is missing.
    """

    def __init__(self, counts, shuffle, num_samples, num_shards, shard_id, whole_files=False):
        super().__init__(num_samples)
        if not isinstance(shuffle, (bool, Shuffle)) or shuffle is Shuffle.INFILE:
            raise TypeError("shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.GLOBAL' or 'Shuffle.FILES' here, but "
                            f"got {shuffle}.")
        self._whole = samplers.chosen(None, False, num_samples, num_shards, shard_id)
        ends = np.cumsum(counts, dtype=np.int64)
        self._files = [np.arange(end - count, end) for end, count in zip(ends, counts)]
        self._shuffle, self._shards, self._shard, self._whole_files = shuffle, num_shards, shard_id, whole_files

    def _order(self, rng):
        files = [self._files[at] for at in rng.permutation(len(self._files))] if self._shuffle is Shuffle.FILES else self._files
        if self._shards is not None and self._whole_files:
            files = files[self._shard::self._shards]
        rows = np.concatenate(files) if files else np.zeros(0, np.int64)
        if self._shards is not None and not self._whole_files and rows.size:
            length = -(-rows.size // self._shards)
            rows = rows[np.arange(self._shard * length, (self._shard + 1) * length) % rows.size]
        return iter(rng.permutation(rows) if self._shuffle in (True, Shuffle.GLOBAL) else rows)

    def _found(self, rows):
        if self._shards is None:
            return rows
        if self._whole_files:
            return sum(file.size for file in self._files[self._shard::self._shards])
        return -(-rows // self._shards)
