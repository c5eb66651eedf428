"""Spans of time of this process, for the Profiler: what was compiled, launched and called, and how long it took.

Nothing is kept, and next to nothing done, while no Profiler is on.
"""

import threading
import time

_state = {"on": False}
events = []


def start():
    """Keeps the spans that begin from now on."""
    _state["on"] = True


def stop():
    """Keeps no more spans."""
    _state["on"] = False


def active():
    """Whether spans are kept."""
    return _state["on"]


def span(name, kind, **details):
    """Notes how long a block takes; the block may add to the details that it is given."""
    return _Span(name, kind, details) if _state["on"] else _UNKEPT


class _Span:
    """A block whose time is noted."""

    def __init__(self, name, kind, details):
        self._what, self._details = (name, kind), details

    def __enter__(self):
        self._began = time.perf_counter_ns()
        return self._details

    def __exit__(self, *_):
        took = time.perf_counter_ns() - self._began
        events.append((*self._what, self._began, took, threading.get_ident(), self._details))


class _Unkept:
    """A block whose time is not recorded: one object for all of them, since every eager call is such a block."""

    def __enter__(self):
        return {}

    def __exit__(self, *_):
        pass


_UNKEPT = _Unkept()
