"""Row operations that draw random numbers: each row has a generator of its own, whatever worker it comes to."""

import numpy as np

from plumb.common import seed as _seed
from plumb.dataset._errors import Operation


class RandomOperation(Operation):
    """Base of row operations whose result is random.

    A pipeline gives each row a generator that the seed, the pass and the row's number decide. A call by itself draws from one
    stream of the process.
    """

    def transform(self, rng, *values):
        """Returns what becomes of a row's values; `rng` is the row's own NumPy generator."""
        raise NotImplementedError

    def __call__(self, *values):
        return self.transform(_next_generator(), *values)


_calls = {"count": 0, "seed": None}


def _next_generator():
    seed = _seed.effective_pipeline_seed()
    if _calls["seed"] != seed:
        _calls.update(count=0, seed=seed)
    _calls["count"] += 1
    return np.random.default_rng([seed, *b"call", _calls["count"]])


def seeds(operations, key):
    """Yields for each row of a pass a tuple of seeds, one for each operation; None for those that need none."""
    rng = np.random.default_rng(key)
    draws = [isinstance(operation, RandomOperation) for operation in operations]
    while True:
        yield tuple(int(rng.integers(2 ** 63)) if random else None for random in draws)


def apply(operation, seed, values):
    """Applies an operation to a row's values, a tuple; a random one by the row's seed."""
    if isinstance(operation, RandomOperation):
        return operation.transform(np.random.default_rng(seed), *values)
    return operation(*values)
