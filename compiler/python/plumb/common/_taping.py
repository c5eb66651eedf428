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


class _no_grad(contextlib.ContextDecorator):  # pylint: disable=invalid-name
    """Surrounds what Python runs that no gradient goes through, or marks a function of such; compiled functions use ops.stop_gradient."""

    def __enter__(self):
        self._outer, _current.tape = _current.tape, None
        return self

    def __exit__(self, *failure):
        _current.tape = self._outer
