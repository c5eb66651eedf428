"""Objects that only Python knows, which a computation has changed: where a tensor decides whether it runs, that is refused."""

import array
import collections

from plumb._parse import made_objects

_SEQUENCES = (collections.deque, bytearray, array.array)
_LOOKING = (isinstance, issubclass, type, callable, id, iter, len, hasattr)


def _state(value):
    """What tells whether an object has changed; None of those that are not watched. Whoever is given an iterator takes items."""
    if isinstance(value, _SEQUENCES):
        return list(value)
    if isinstance(value, collections.abc.Iterator):
        return [object()]
    return [part for entry in vars(value).items() for part in entry] if made_objects.is_object(value) else None


def _are_same(before, now):
    return len(before) == len(now) and all(one is other for one, other in zip(before, now))


class Touches:
    """The objects that computations have made and changed.

    Attributes:
      made: (number of the question, object) by the object's id.
      oldest: the number of the question that made the oldest object which the present one has changed, 0 for one that was there before
        the program; None if it has changed none.
    """

    def __init__(self):
        self.made, self.oldest = {}, None

    def call(self, number, callee, args, kwargs):
        """Returns `callee(*args, **kwargs)`, computed for the question of that number."""
        found = [] if callee in _LOOKING else [(value, _state(value)) for value in (getattr(callee, "__self__", None), *args, *kwargs.values())]
        watched = [(value, before) for value, before in found if before is not None]
        try:
            made = callee(*args, **kwargs)
            if _state(made) is not None:
                self.made.setdefault(id(made), (number, made))
            return made
        finally:
            ages = [self.made.get(id(value), (0,))[0] for value, before in watched if not _are_same(before, _state(value))]
            self.oldest = min([*ages, *([] if self.oldest is None else [self.oldest])], default=None)

    def take(self):
        """What the answer says about the present question."""
        oldest, self.oldest = self.oldest, None
        return {} if oldest is None else {"touched": oldest}
