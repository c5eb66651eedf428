"""Classes of stores of what a player has seen, by handle, as programs of reinforcement learning make them.

A handle stands for Parameters: rows of tensors, how many were pushed, and for some the rows' priorities. So the classes work in
compiled functions and outside of them alike.
"""

import itertools

import numpy as np

from plumb.common import dtype as mstype
from plumb.common._offers import offered
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.ops import _functions as F
from plumb.ops import _random
from plumb.ops._primitive import Composite
from plumb.ops.function.search import searchsorted

_stores, _numbers = {}, itertools.count()
# What a priority of 0 counts as.
_LEAST = 1e-7


class _Store:
    """The Parameters of a handle."""

    def __init__(self, number, capacity, shapes, dtypes, seeds, alpha):
        def state(name, shape, dtype, value=0):
            array = np.full(shape, value, mstype.dtype_to_nptype(dtype))
            return Parameter(Tensor(array, dtype), name=f"replay_buffer_{number}.{name}", requires_grad=False)

        self.rows = tuple([state(str(place), (capacity, *shape), dtype) for place, (shape, dtype) in enumerate(zip(shapes, dtypes))])
        self.pushed = state("pushed", (), mstype.int32)
        self.priorities, self.largest = state("priorities", (capacity,), mstype.float32), state("largest", (), mstype.float32, 1)
        self.capacity, self.seeds, self.alpha = capacity, seeds, alpha


def _handle(number):
    return Tensor(np.asarray([number], np.int64))


class _Create(Composite):
    """Makes a store; its instances are called for a handle, a Tensor of one int64."""

    def take(self, capacity, shapes, dtypes, seeds, alpha=0.0):
        """Checks the arguments and keeps them."""
        for name, value, least in (("capacity", capacity, 1), ("seed0", seeds[0], 0), ("seed1", seeds[1], 0)):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"For '{self.name}', the '{name}' must be an int of at least {least}, but got {value}.")
        if not 0 <= alpha <= 1:
            raise ValueError(f"For '{self.name}', the 'alpha' must be from 0 to 1, but got {alpha}.")
        if not isinstance(shapes, (tuple, list)) or not isinstance(dtypes, (tuple, list)) or len(shapes) != len(dtypes):
            raise ValueError(f"For '{self.name}', there must be as many shapes as element types, but got {shapes} and {dtypes}.")
        self.arguments = capacity, shapes, dtypes, seeds, alpha

    def __call__(self):
        number = next(_numbers)
        _stores[number] = _Store(number, *self.arguments)
        return _handle(number)


class _OnStore(Composite):
    """What is done to the store of a handle, an int; raises ValueError when it was destroyed, or never made."""

    def __init__(self, handle):
        super().__init__()
        if handle not in _stores:
            raise ValueError(f"For '{self.name}', there is no store of the handle {handle}.")
        store = _stores[handle]
        self.handle, self.answer, self.capacity, self.seeds, self.alpha = handle, _handle(handle), store.capacity, store.seeds, store.alpha
        self.rows, self.pushed, self.priorities, self.largest = store.rows, store.pushed, store.priorities, store.largest

    def put(self, transition, place):
        """Writes the tensors of a transition, apart or as one tuple, at a place, (1,); nowhere when it is negative."""
        values = transition[0] if len(transition) == 1 and isinstance(transition[0], (tuple, list)) else transition
        if len(values) != len(self.rows):
            raise ValueError(f"For '{self.name}', a transition has {len(self.rows)} tensors, but got {len(values)}")
        for number in range(len(self.rows)):
            row, value = self.rows[number], values[number]
            if value.shape != row.shape[1:] or value.dtype != row.dtype:
                raise ValueError(f"For '{self.name}', tensor {number} must be {row.dtype} of {row.shape[1:]}, but got {value.dtype} of "
                                 f"{value.shape}")
            F.assign(row, F.scatter(row, place, F.expand_dims(value, 0), "update"))

    def held(self):
        """How many rows there are, an int32."""
        return F.minimum(self.pushed, self.capacity)


class _Sample(_OnStore):
    """Made with the `batch_size` and the store's shapes and element types."""

    def __init__(self, handle, batch_size, shapes, dtypes):
        super().__init__(handle)
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise ValueError(f"For '{self.name}', the 'batch_size' must be an int above 0, but got {batch_size}.")
        if [(tuple(shape), dtype) for shape, dtype in zip(shapes, dtypes)] != [(row.shape[1:], row.dtype) for row in self.rows]:
            raise ValueError(f"For '{self.name}', the shapes and element types must be the store's, but got {shapes} and {dtypes}.")
        self.batch_size = batch_size

    def taken(self, places):
        """The tensors of the rows at places."""
        return tuple([F.gather(row, places, 0) for row in self.rows])


class _Destroy(_OnStore):
    """Drops the store: nothing more is made with its handle."""

    def __call__(self):
        del _stores[self.handle]
        return self.answer


class PriorityReplayBufferCreate(_Create):
    """Makes a store of transitions that are drawn the oftener the higher their priority (Schaul et al. 2016).

    Args:
      capacity: how many there is room for.
      alpha: 0 to 1, the power of the priorities that the chances follow.
      shapes, dtypes: those of a transition's tensors.
      seed0, seed1: those of the draws; 0 and 0 draw from the program's stream.
    """

    def __init__(self, capacity, alpha, shapes, dtypes, seed0, seed1):
        super().__init__()
        self.take(capacity, shapes, dtypes, (seed0, seed1), alpha)


class PriorityReplayBufferPush(_OnStore):
    """Stores a transition, a tuple of tensors, with the highest priority so far, at first 1; where there is no room, over the oldest."""

    def construct(self, *transition):
        """Compiled body."""
        place = F.reshape(F.floor_mod(self.pushed, self.capacity), (1,))
        self.put(transition, place)
        chance = F.reshape(F.pow(self.largest, self.alpha), (1,))
        F.assign(self.priorities, F.scatter(self.priorities, place, chance, "update"))
        F.assign(self.pushed, self.pushed + 1)
        return self.answer


class PriorityReplayBufferSample(_Sample):
    """Draws one transition of each of `batch_size` equal shares of the sum of all chances: `sample(beta)`.

    Returns:
      their places, int64; their weights, float32: (chance / smallest chance)^-beta, what makes up for the uneven draws; and their
      tensors. The store must not be empty.
    """

    def construct(self, beta):
        """Compiled body."""
        sums = F.cumsum(self.priorities, 0)
        share = (_random.even((self.batch_size,), *self.seeds) + F.cast(F.arange(self.batch_size), mstype.float32)) / self.batch_size
        places = F.cast(searchsorted(sums, share * sums[self.capacity - 1]), mstype.int32)
        places = F.minimum(places, self.held() - 1)
        known = F.less(F.arange(self.capacity), self.held())
        smallest = F.reduce_min(F.select(known, self.priorities, F.fill(mstype.float32, (), float("inf"))))
        weights = F.pow(F.gather(self.priorities, places, 0) / smallest, -F.cast(beta, mstype.float32))
        return (F.cast(places, mstype.int64), weights) + self.taken(places)


class PriorityReplayBufferUpdate(_OnStore):
    """Sets the priorities, (N,), of the transitions at places, (N,)."""

    def construct(self, indices, priorities):
        """Compiled body."""
        given = F.cast(priorities, mstype.float32)
        chances = F.pow(given, self.alpha)
        chances = F.select(F.greater(chances, 0.0), chances, F.fill(mstype.float32, (), _LEAST))
        F.assign(self.priorities, F.scatter(self.priorities, F.cast(indices, mstype.int32), chances, "update"))
        F.assign(self.largest, F.maximum(self.largest, F.reduce_max(given)))
        return self.answer


class PriorityReplayBufferDestroy(_Destroy):
    __doc__ = _Destroy.__doc__


class ReservoirReplayBufferCreate(_Create):
    """Makes a store in which each of all transitions so far stands with the same chance (Vitter 1985).

    Args:
      capacity: how many there is room for.
      shapes, dtypes: those of a transition's tensors.
      seed0, seed1: those of the draws; 0 and 0 draw from the program's stream.
    """

    def __init__(self, capacity, shapes, dtypes, seed0, seed1):
        super().__init__()
        self.take(capacity, shapes, dtypes, (seed0, seed1))


class ReservoirReplayBufferPush(_OnStore):
    """Stores a transition, a tuple of tensors; when there is no room, the n-th one with the chance capacity / n, in place of any.

    MindSpore 2.0.0 counts those alone that it has stored, so that later ones stand with a higher chance than earlier ones.
    """

    def construct(self, *transition):
        """Compiled body."""
        drawn = _random.even((1,), *self.seeds) * F.cast(self.pushed + 1, mstype.float32)
        place = F.select(F.less(self.pushed, self.capacity), F.reshape(self.pushed, (1,)), F.cast(F.floor(drawn), mstype.int32))
        self.put(transition, F.select(F.less(place, self.capacity), place, -1))
        F.assign(self.pushed, self.pushed + 1)
        return self.answer


class ReservoirReplayBufferSample(_Sample):
    """Draws `batch_size` of the transitions, each with the same chance, and again; the tensors. The store must not be empty."""

    def construct(self):
        """Compiled body."""
        held = self.held()
        places = F.floor(_random.even((self.batch_size,), *self.seeds) * F.cast(held, mstype.float32))
        return self.taken(F.minimum(F.cast(places, mstype.int32), held - 1))


class ReservoirReplayBufferDestroy(_Destroy):
    __doc__ = _Destroy.__doc__


class BatchAssign(Composite):
    """Sets Parameters to tensors, one to one: `assign(parameters, tensors)`.

    Args:
      lock: about other threads, of which compiled code has none.
    """

    def __init__(self, lock=True):
        super().__init__()
        if not isinstance(lock, bool):
            raise TypeError(f"For 'BatchAssign', the 'lock' must be a bool, but got {type(lock).__name__}.")

    def construct(self, dst_model, source_model):
        """Compiled body."""
        if len(dst_model) != len(source_model):
            raise ValueError(f"For 'BatchAssign', there must be a tensor for each Parameter, but got {len(source_model)} for {len(dst_model)}")
        for number in range(len(dst_model)):
            target, source = dst_model[number], source_model[number]
            if target.shape != source.shape or target.dtype != source.dtype:
                raise ValueError(f"For 'BatchAssign', tensor {number} must be {target.dtype} of {target.shape}, but got {source.dtype} of "
                                 f"{source.shape}")
            F.assign(target, source)


class DiscountedReturn(Composite):
    """What is still to come at each step: G[t] = reward[t] + gamma * G[t + 1], and gamma * 0 behind the end of an episode.

    Args:
      gamma: above 0, at most 1.

    Called with rewards (T, N, …), float16 or float32; `done` (T, N), boolean, whether a step ends an episode; and G behind the last step, (N, …).
    Returns G, of the shape of the rewards.
    """

    def __init__(self, gamma):
        super().__init__()
        if not 0 < gamma <= 1:
            raise ValueError(f"For 'DiscountedReturn', the 'gamma' must be above 0 and at most 1, but got {gamma}.")
        self.gamma = gamma

    def construct(self, reward, done, last_state_value):
        """Compiled body."""
        rank, steps = done.ndim, reward.shape[0]
        if reward.shape[1:] != last_state_value.shape or rank > reward.ndim or done.shape != reward.shape[:rank]:
            raise ValueError(f"For 'DiscountedReturn', the shapes {reward.shape}, {done.shape} and {last_state_value.shape} do not fit")
        ends = F.broadcast_to(F.reshape(done, done.shape + (1,) * (reward.ndim - rank)), reward.shape)
        kept = F.select(ends, F.fill(reward.dtype, (), 0.0), F.fill(reward.dtype, (), self.gamma))
        last = F.part(reward, 0, steps - 1, steps) + F.part(kept, 0, steps - 1, steps) * last_state_value
        return F.linear_recurrence(kept, F.concat((F.part(reward, 0, 0, steps - 1), last), 0), 0, True)


__all__ = [name for name in offered(globals()) if name.startswith(("Priority", "Reservoir")) or name in ("BatchAssign", "DiscountedReturn")]
