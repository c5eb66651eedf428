"""Samplers: in which order, and how often, the rows of a dataset that can be indexed come.

A sampler may have a child: it then picks among the rows that the child gives, by their positions.
"""

import itertools

import numpy as np

from plumb.dataset._made import Made


class Sampler(Made):
    """Base of samplers, and of users' own: a subclass defines `__iter__`, which yields indices of one pass.

    Args:
      num_samples: how many rows of a pass to give; None gives all.

    A subclass finds the number of rows in `self.dataset_size` when `__iter__` is called.
    """

    def __init__(self, num_samples=None):
        if num_samples is not None and (isinstance(num_samples, bool) or not isinstance(num_samples, int)
                                        or num_samples < 0):
            raise ValueError(f"num_samples exceeds the boundary between 0 and 9223372036854775807(INT64_MAX)!, "
                             f"but got {num_samples}.")
        self.num_samples = num_samples or None
        self.dataset_size = 0
        self._children = []

    def add_child(self, sampler):
        """Makes `sampler` the one whose rows this one picks from."""
        if self._children:
            raise RuntimeError("Cannot add child sampler, this sampler already has a child.")
        self._children.append(sampler)

    def get_child(self):
        """Returns the child, or None."""
        return self._children[0] if self._children else None

    def __iter__(self):
        raise NotImplementedError(f"{type(self).__name__} defines no __iter__, which yields the indices of a pass.")

    def _order(self, rng):
        """The indices of a pass among `dataset_size` rows; `rng` is the pass's own."""
        return iter(self)

    def indices(self, rows, rng):
        """Yields the indices of one pass over `rows` rows; raises IndexError for one outside."""
        child = self.get_child()
        below = list(child.indices(rows, rng)) if child is not None else None
        self.dataset_size = rows if below is None else len(below)
        for index in itertools.islice(self._order(rng), self.num_samples):
            index = int(index)
            if not -self.dataset_size <= index < self.dataset_size:
                raise IndexError(f"The sampler {type(self).__name__} gave the index {index}, but there are "
                                 f"{self.dataset_size} rows.")
            yield index % self.dataset_size if below is None else below[index]

    def count(self, rows):
        """The number of rows of a pass over `rows` rows."""
        child = self.get_child()
        rows = rows if child is None else child.count(rows)
        return self._found(rows) if self.num_samples is None else min(self._found(rows), self.num_samples)

    def _found(self, rows):
        """How many of `rows` rows it would give without a limit."""
        self.dataset_size = rows
        return sum(1 for _ in self)


class BuiltinSampler(Sampler):
    """Base of the samplers below."""

    def __iter__(self):
        return iter(self._order(np.random.default_rng(0)))

    def _found(self, rows):
        return rows


class SequentialSampler(BuiltinSampler):
    """Rows in their order, from `start_index` on."""

    def __init__(self, start_index=None, num_samples=None):
        super().__init__(num_samples)
        if start_index is not None and (not isinstance(start_index, int) or start_index < 0):
            raise ValueError(f"start_index should be a positive integer or 0, but got {start_index}.")
        self.start_index = start_index or 0

    def _order(self, rng):
        return iter(range(self.start_index, self.dataset_size))

    def _found(self, rows):
        return max(rows - self.start_index, 0)


class RandomSampler(BuiltinSampler):
    """Rows in random order, another one each pass; with `replacement` each row is drawn from all of them.

    Of more samples than rows, MindSpore gives as many as there are rows.
    """

    def __init__(self, replacement=False, num_samples=None):
        super().__init__(num_samples)
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement must be a boolean value, but got {replacement}.")
        self.replacement = replacement

    def _order(self, rng):
        if self.replacement:
            return iter(rng.integers(0, self.dataset_size, self.num_samples or self.dataset_size))
        return iter(rng.permutation(self.dataset_size))

    def _found(self, rows):
        return max(rows, self.num_samples or 0) if self.replacement and rows else rows


class SubsetSampler(BuiltinSampler):
    """The rows of the given indices, in that order."""

    def __init__(self, indices, num_samples=None):
        super().__init__(num_samples)
        self.indices_ = [int(index) for index in (indices if np.iterable(indices) else [indices])]

    def _order(self, rng):
        return iter(self.indices_)

    def _found(self, rows):
        return len(self.indices_)


class SubsetRandomSampler(SubsetSampler):
    """The rows of the given indices, in another random order each pass."""

    def _order(self, rng):
        return iter(rng.permutation(self.indices_))


class WeightedRandomSampler(BuiltinSampler):
    """Rows drawn with probabilities in proportion to `weights`, one for each row.

    Of more samples than rows, MindSpore gives as many as there are rows.
    """

    def __init__(self, weights, num_samples=None, replacement=True):
        super().__init__(num_samples)
        self.weights = np.asarray(weights, np.float64)
        if self.weights.ndim != 1 or not self.weights.size or np.any(self.weights < 0) or not self.weights.sum() > 0:
            raise ValueError("weights should be a list of numbers of at least 0, of which one is greater.")
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement must be a boolean value, but got {replacement}.")
        self.replacement = replacement

    def _order(self, rng):
        shares = np.zeros(self.dataset_size)
        shares[:len(self.weights)] = self.weights[:self.dataset_size]
        return iter(rng.choice(self.dataset_size, self._found(self.dataset_size), self.replacement, shares / shares.sum()))

    def _found(self, rows):
        limit = self.num_samples or len(self.weights)
        return limit if self.replacement else min(limit, int(np.count_nonzero(self.weights)))


class PKSampler(BuiltinSampler):
    """`num_val` rows of each class, drawn with replacement, class by class.

    Args:
      num_val: how many rows of each class, at least 1.
      num_class: None takes all classes; nothing else is offered, nor in MindSpore 2.0.0.
      shuffle: whether the classes come in a random order, another one each pass, instead of that of their values.
      class_column: the column that has the classes.
    """

    def __init__(self, num_val, num_class=None, shuffle=False, class_column="label", num_samples=None):
        super().__init__(num_samples)
        if isinstance(num_val, bool) or not isinstance(num_val, int) or num_val < 1:
            raise ValueError(f"num_val should be a positive integer, but got {num_val}.")
        if num_class is not None:
            raise NotImplementedError("For 'PKSampler', 'num_class' is not offered.")
        if not isinstance(shuffle, bool):
            raise TypeError(f"shuffle must be a boolean value, but got {shuffle}.")
        self.num_val, self.shuffle, self.class_column = num_val, shuffle, class_column
        self._dataset = self._groups = None

    def learn(self, dataset, classes):
        """Takes the class of each row of a dataset, from a function that is called once."""
        if self._dataset is not dataset:
            found = classes()
            self._dataset, self._groups = dataset, [np.flatnonzero(found == one) for one in np.unique(found)]

    def add_child(self, sampler):
        """Raises RuntimeError: the classes of the rows that another sampler gives are not known."""
        raise RuntimeError("Cannot add child sampler, PKSampler picks among all rows.")

    def _order(self, rng):
        groups = [self._groups[at] for at in rng.permutation(len(self._groups))] if self.shuffle else self._groups
        return iter(np.concatenate([rng.choice(group, self.num_val) for group in groups]))

    def _found(self, rows):
        if self._groups is None:
            raise RuntimeError("PKSampler needs a dataset whose rows have a class.")
        return len(self._groups) * self.num_val


class DistributedSampler(BuiltinSampler):
    """The rows of one of `num_shards` parts: every num_shards-th, wrapping round so that all parts are equally long.

    Args:
      shuffle: whether the rows are shuffled, equally in all parts, before they are dealt out.
      offset: the part that gets the first row, and then none wraps round: parts are one row longer or shorter; -1 means part 0.
    """

    def __init__(self, num_shards, shard_id, shuffle=True, num_samples=None, offset=-1):
        super().__init__(num_samples)
        if not isinstance(num_shards, int) or num_shards < 1:
            raise ValueError(f"num_shards should be a positive integer, but got {num_shards}.")
        if not isinstance(shard_id, int) or not 0 <= shard_id < num_shards:
            raise ValueError(f"shard_id should be an integer of at least 0 and less than {num_shards}, but got {shard_id}.")
        if offset >= num_shards:
            raise ValueError(f"offset should be less than num_shards ({num_shards}), but got {offset}.")
        self.num_shards, self.shard_id, self.shuffle, self.offset = num_shards, shard_id, shuffle, max(offset, 0)
        self.equal = offset < 0

    def _order(self, rng):
        order = rng.permutation(self.dataset_size) if self.shuffle else np.arange(self.dataset_size)
        first = (self.shard_id - self.offset) % self.num_shards
        positions = first + self.num_shards * np.arange(self._found(self.dataset_size))
        return iter(order[positions % self.dataset_size])

    def _found(self, rows):
        if self.equal:
            return -(-rows // self.num_shards)
        first = (self.shard_id - self.offset) % self.num_shards
        return max(0, -(-(rows - first) // self.num_shards))


class IterSampler(Sampler):
    """A sampler of what is no Sampler: a list of indices, or an object that yields them.

    Args:
      sampler: the list or object; it is gone through once for each pass.
      num_samples: how many of them a pass takes; None means all.
    """

    def __init__(self, sampler, num_samples=None):
        super().__init__(num_samples)
        self._indices = sampler

    def __iter__(self):
        return iter(self._indices)


def checked(sampler):
    """The sampler; raises TypeError for anything else."""
    if not isinstance(sampler, Sampler):
        raise TypeError(f"sampler must be a Sampler, but got {type(sampler).__name__}.")
    return sampler


def chosen(sampler, shuffle, num_samples, num_shards, shard_id, shuffled_by_default=True, conflict=RuntimeError):
    """The sampler that a dataset's arguments describe; raises `conflict` where they contradict each other."""
    if (num_shards is None) != (shard_id is None):
        raise conflict("num_shards is specified and currently requires shard_id as well." if shard_id is None
                       else "shard_id is specified but num_shards is not.")
    if isinstance(num_shards, int) and num_shards > 0 and isinstance(shard_id, int) and not 0 <= shard_id < num_shards:
        raise ValueError(f"Input shard_id is not within the required interval of [0, {num_shards - 1}]. It is {shard_id}.")
    if sampler is not None:
        if num_shards is not None:
            raise conflict("sampler and sharding cannot be specified at the same time.")
        if not isinstance(sampler, BuiltinSampler):  # The program's own sampler is the order, whatever `shuffle` says.
            return sampler if isinstance(sampler, Sampler) and not num_samples else IterSampler(sampler, num_samples or None)
        if shuffle is not None:
            raise conflict("sampler and shuffle cannot be specified at the same time.")
        if num_samples:
            raise conflict("sampler and num_samples cannot be specified at the same time; give the sampler num_samples.")
        return sampler
    shuffled = shuffled_by_default if shuffle is None else shuffle
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, shuffled, num_samples)
    return (RandomSampler if shuffled else SequentialSampler)(num_samples=num_samples)
