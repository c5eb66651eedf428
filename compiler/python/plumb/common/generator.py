"""Generators: where `mint`'s random functions draw from, as MindSpore 2.4 and later have them.

All random operations of a program draw from one stream (`plumb.ops._random`), which goes on inside of compiled steps. The default
generator is this stream. Another generator has a stream of its own, on which Python goes while it calls an operation with it.
"""

import contextlib
import secrets

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.tensor import Tensor


def _stream():
    from plumb.ops import _random  # it is made of operations, which are made of what stands here
    return _random


class Generator:
    """A stream of random numbers: a seed, 0 at first, and how many draws were made since."""

    def __init__(self):
        self._seed, self._draws = 0, 0

    def manual_seed(self, seed):
        """Begins anew with a seed, an int; returns the generator."""
        if not isinstance(seed, int):
            raise TypeError(f"For 'manual_seed', the 'seed' must be an int, but got {type(seed).__name__}.")
        self._set(seed, 0)
        return self

    def seed(self):
        """Begins anew with a seed that nobody knows before; returns it."""
        seed = secrets.randbits(31)
        self._set(seed, 0)
        return seed

    def initial_seed(self):
        """The seed."""
        return self._seed

    def get_state(self):
        """The seed and the number of draws, each in 8 bytes: a uint8 Tensor of 16 elements."""
        return Tensor(np.frombuffer(np.array([self._seed, self._count()], np.int64).tobytes(), np.uint8).copy())

    def set_state(self, state):
        """Goes on from what `get_state` gave."""
        if not isinstance(state, Tensor) or state.dtype != mstype.uint8 or state.shape != (16,):
            raise RuntimeError("For 'set_state', the 'state' must be what 'get_state' gives: a Tensor of 16 elements of uint8.")
        self._set(*(int(number) for number in np.frombuffer(state.asnumpy().tobytes(), np.int64)))

    def _count(self):
        return self._draws

    def _set(self, seed, draws):
        self._seed, self._draws = seed, draws

    @contextlib.contextmanager
    def drawing(self):
        """Has the program's stream be this one meanwhile."""
        stream = _stream()
        before = stream.position()
        stream.go_to(stream.mixed(self._seed), self._draws)
        try:
            yield
        finally:
            self._draws = stream.position()[1]
            stream.go_to(*before)


class _Default(Generator):
    """The stream of the whole program."""

    def _count(self):
        return _stream().position()[1]

    def _set(self, seed, draws):
        self._seed = seed
        _stream().go_to(_stream().mixed(seed), draws)

    @contextlib.contextmanager
    def drawing(self):
        yield


default_generator = _Default()


def manual_seed(seed):
    """Begins the program's stream anew with a seed; returns the default generator."""
    return default_generator.manual_seed(seed)


def seed():
    """Begins the program's stream anew with a seed that nobody knows before; returns it."""
    return default_generator.seed()


def initial_seed():
    """The seed of the default generator, 0 at first; `set_seed` is another."""
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the default generator, a uint8 Tensor of 16 elements."""
    return default_generator.get_state()


def set_rng_state(state):
    """Has the default generator go on from what `get_rng_state` gave."""
    default_generator.set_state(state)
