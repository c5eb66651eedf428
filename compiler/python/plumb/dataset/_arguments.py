"""The types of arguments that many kinds of datasets and their methods have, checked by their names."""

import functools
import inspect

from plumb._checkparam import check_value_type

_MAX_INT32 = 2 ** 31 - 1
#: The types of each argument; None is taken, too.
_TYPES = {"num_samples": int, "num_parallel_workers": int, "num_shards": int, "shard_id": int, "decode": bool, "python_multiprocessing": bool,
          "max_rowsize": int, "drop_remainder": bool, "buffer_size": int, "count": int, "shuffle": bool}
_LEAST = {"num_parallel_workers": 1, "max_rowsize": 1}


def _check(who, name, value):
    kinds = (_TYPES[name],)
    if name == "shuffle":
        from plumb.dataset.files import Shuffle
        kinds = (bool, Shuffle)
    check_value_type(name, value, kinds, who)
    if isinstance(value, int) and value < _LEAST.get(name, value):
        raise ValueError(f"For '{who}', {name} exceeds the boundary between {_LEAST[name]} and {_MAX_INT32}, but got {value}.")


@functools.lru_cache(None)
def _places(function):
    """Where a function's arguments of known names stand."""
    return [(name, place) for place, name in enumerate(inspect.signature(function).parameters) if name in _TYPES]


def check(who, function, args, kwargs):
    """Checks what a function is called with: the arguments that have a name of the table."""
    for name, place in _places(function):
        value = kwargs[name] if name in kwargs else args[place] if place < len(args) else None
        if value is not None:
            _check(who, name, value)
