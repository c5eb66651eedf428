"""Where a tape is on, on which a function that Python runs for its gradient leaves what it computes: see `plumb._tape`."""

import contextlib
import threading


class _Current(threading.local):
    tape = None


_current = _Current()


def current():
    """The tape that is on; None where there is none."""
    return _current.tape


@contextlib.contextmanager
def recording(tape):
    """Surrounds what `tape` takes; None surrounds what no tape takes."""
    outer, _current.tape = _current.tape, tape
    try:
        yield
    finally:
        _current.tape = outer
