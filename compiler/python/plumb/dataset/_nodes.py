"""Nodes whose rows pass through this process: see `_host.py`."""

import itertools

import numpy as np

from plumb.dataset import _random, samplers
from plumb.dataset._batched import Batched
from plumb.dataset._dataset import Dataset
from plumb.dataset._host import HostDataset, as_row, depth_of, name_of, seed_of
from plumb.dataset._rounds import repeated
from plumb.dataset._workers import ordered_map
from plumb.dataset.operations import chained


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
