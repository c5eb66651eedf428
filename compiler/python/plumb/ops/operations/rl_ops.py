"""Classes of a ring of rows in several Parameters, what a player has seen: `buffer` is a tuple of them, (capacity, …) each.

`count` says how many rows are held and `head` where the oldest one stands: Parameters of one int32 each.
"""

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops._primitive import Composite


class _Ring(Composite):
    """What the classes of a ring share.

    Args:
      capacity: how many rows there is room for.
      buffer_shape, buffer_dtype: a row's shape and element type in each Parameter.
    """

    def __init__(self, capacity, buffer_shape, buffer_dtype):
        super().__init__()
        if not isinstance(capacity, int) or capacity < 1 or len(buffer_shape) != len(buffer_dtype):
            raise ValueError(f"For '{type(self).__name__}', 'capacity' must be above 0, and there must be as many shapes as element types.")
        self.capacity = capacity
        self.rows = tuple([(capacity,) + tuple(shape) for shape in buffer_shape])
        self.kinds = tuple(buffer_dtype)

    def check(self, buffer):
        """Raises ValueError or TypeError unless the Parameters are of the shapes and types."""
        if len(buffer) != len(self.rows):
            raise ValueError(f"For '{self.name}', there must be {len(self.rows)} Parameters, but got {len(buffer)}")
        for place in range(len(buffer)):
            if buffer[place].shape != self.rows[place]:
                raise ValueError(f"For '{self.name}', Parameter {place} must be of {self.rows[place]}, but got {buffer[place].shape}")
            if buffer[place].dtype != self.kinds[place]:
                raise TypeError(f"For '{self.name}', Parameter {place} must be of {self.kinds[place]}, but got {buffer[place].dtype}")


def _rows_at(buffer, places):
    return tuple([F.gather(part, places, 0) for part in buffer])


class BufferGetItem(_Ring):
    """The row behind a number of older ones, a tuple; a negative number counts from the newest one, -1."""

    def construct(self, buffer, count, head, index):
        """Compiled body."""
        self.check(buffer)
        number = _number(index)
        number = F.select(F.less(number, 0), number + count, number)
        place = F.reshape(F.cast(head, mstype.int32), (1,)) + number
        return tuple([F.reshape(row, row.shape[1:]) for row in _rows_at(buffer, F.floor_mod(place, self.capacity))])


def _number(index):
    return F.fill(mstype.int32, (1,), index) if isinstance(index, int) else F.reshape(F.cast(index, mstype.int32), (1,))


class BufferAppend(_Ring):
    """Writes one row, or as many as `exp` has, behind the newest; where there is no room, over the oldest. Returns the Parameters."""

    def construct(self, data, exp, count, head):
        """Compiled body."""
        self.check(data)
        several = exp[0].ndim == data[0].ndim
        added = exp[0].shape[0] if several else 1
        if added > self.capacity:
            raise ValueError(f"For 'BufferAppend', there is room for {self.capacity} rows, but got {added}")
        start = F.reshape(head + count, (1,)) + F.arange(added)
        places = F.floor_mod(start, self.capacity)
        for place in range(len(data)):
            rows = F.reshape(exp[place], (added,) + data[place].shape[1:])
            F.assign(data[place], F.scatter(data[place], places, F.cast(rows, data[place].dtype), "update"))
        held = F.minimum(count + added, self.capacity)
        F.assign(head, F.floor_mod(head + (count + added - held), self.capacity))
        F.assign(count, held)
        return data


class BufferSample(_Ring):
    """Rows drawn at random from those that are held, a tuple.

    Args:
      batch_size: how many.
      seed: that of a stream of the object's own; 0 draws from the program's.
      unique: whether no row is drawn twice, by the order of random numbers; there must be as many.
    """

    def __init__(self, capacity, batch_size, buffer_shape, buffer_dtype, seed=0, unique=False):
        super().__init__(capacity, buffer_shape, buffer_dtype)
        if not 1 <= batch_size <= capacity:
            raise ValueError(f"For 'BufferSample', 'batch_size' must be in [1, {capacity}], but got {batch_size}.")
        self.batch_size, self.seed, self.unique = batch_size, seed, bool(unique)

    def construct(self, buffer, count, head):
        """Compiled body."""
        self.check(buffer)
        if self.unique:
            ranks = F.select(F.less(F.arange(self.capacity), count), _random.even((self.capacity,), self.seed), 2.0)
            numbers = F.part(F.sort(ranks, 0)[1], 0, 0, self.batch_size)
        else:
            numbers = F.cast(F.floor(_random.even((self.batch_size,), self.seed) * F.cast(count, mstype.float32)), mstype.int32)
            numbers = F.minimum(numbers, F.cast(count, mstype.int32) - 1)
        return _rows_at(buffer, F.floor_mod(numbers + F.cast(head, mstype.int32), self.capacity))


__all__ = [name for name in offered(globals()) if name.startswith("Buffer")]
