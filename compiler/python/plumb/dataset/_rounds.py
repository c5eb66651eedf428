"""What the nodes of a dataset tell those below them when an iteration starts: whether callbacks hear of it, and the passes of an epoch.

A node's `passes()` starts with the first pass that is taken from it, within that of the node above, in one thread.
"""

import contextlib
import threading


class _State(threading.local):
    heard, rounds = True, 1


_state = _State()


@contextlib.contextmanager
def unheard():
    """Within it, iterations start that callbacks do not hear of: they find shapes, or count rows."""
    before, _state.heard = _state.heard, False
    try:
        yield
    finally:
        _state.heard = before


def is_heard():
    """Whether callbacks hear of the iteration that starts."""
    return _state.heard


def rounds():
    """How many passes of the node that starts are an epoch; 0 where it has no end."""
    return _state.rounds


def repeated(passes, times):
    """The passes of a node that is repeated so often, without end where negative."""
    before, _state.rounds = _state.rounds, _state.rounds * max(times, 0)
    try:
        first = next(passes)
    finally:
        _state.rounds = before
    yield first
    yield from passes
