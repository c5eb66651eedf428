"""Random numbers that the program draws by Python or NumPy, while its functions are compiled."""

import random

import numpy as np

# What holds the state of random numbers.
GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)


def state():
    """The states of the generators that `random` and `numpy.random` have for all; drawing changes them."""
    name, keys, *rest = np.random.get_state()
    return random.getstate(), (name, tuple(keys.tolist()), *rest)


def restore(before):
    """Has these generators go on from a state."""
    random.setstate(before[0])
    np.random.set_state(before[1])
