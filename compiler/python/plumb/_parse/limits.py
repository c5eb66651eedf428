"""Limits of the computations that the live process makes for the compiler."""

import ctypes
import gc
import threading
import time

from plumb._parse.letters import Text, TokenNeeded
from plumb.common._refusals import refused

_SECONDS = 60.0  # that one computation may take


class _Watch:
    """Interrupts a computation that takes too long, from a thread of its own."""

    def __init__(self):
        self.lock = threading.Condition()
        self.deadlines = {}
        self.thread = None

    def enter(self, ident):
        """Notes that a thread has begun to compute; returns whether it had not before."""
        with self.lock:
            if ident in self.deadlines:
                return False
            self.deadlines[ident] = time.monotonic() + _SECONDS
            if self.thread is None:
                self.thread = threading.Thread(target=self._run, daemon=True)
                self.thread.start()
            return True

    def leave(self, ident):
        """Notes that it is done."""
        with self.lock:
            self.deadlines.pop(ident, None)

    def _run(self):
        while True:
            with self.lock:
                self.lock.wait(1.0)
                late = [ident for ident, deadline in self.deadlines.items() if deadline < time.monotonic()]
                for ident in late:
                    self.deadlines[ident] = time.monotonic() + _SECONDS
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(TimeoutError))


_watch = _Watch()


def value_needed(problem):
    """The error that a computation ends with which needs the value behind a token."""
    error = refused(TypeError, str(problem), "value")
    error.needs_value = True
    return error


def bounded(function, args, kwargs):
    """`function(*args, **kwargs)`, ended when it takes too long; what it needs of a token is an error."""
    ident = threading.get_ident()
    first = _watch.enter(ident)
    try:
        return _computed(function, args, kwargs)
    except TimeoutError:
        raise refused(TimeoutError, f"a computation while compiling takes more than {_SECONDS:g} seconds") from None
    except TokenNeeded as problem:
        raise value_needed(problem) from None
    finally:
        if first:
            _watch.leave(ident)


def _computed(function, args, kwargs):
    """`function(*args, **kwargs)`, where CPython's own functions would say of a text that shows tensors that it is no string."""
    try:
        return function(*args, **kwargs)
    except TypeError:
        for item in (*args, *kwargs.values()):
            if isinstance(item, Text):
                item._refuse()
        raise


def are_alive(refs):
    """Whether an object still refers to a token after its request is done."""
    if not any(ref() is not None for ref in refs):
        return False
    gc.collect()
    return any(ref() is not None for ref in refs)
