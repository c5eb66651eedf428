"""Spans of time of this process, for the Profiler: what was compiled, launched and called, and how long it took.

Nothing is kept, and next to nothing done, while no Profiler is on.
"""

import contextlib
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


@contextlib.contextmanager
def span(name, kind, **details):
    """Notes how long a block takes; the block may add to the details that it is given."""
    if not _state["on"]:
        yield details
        return
    began = time.perf_counter_ns()
    try:
        yield details
    finally:
        events.append((name, kind, began, time.perf_counter_ns() - began, threading.get_ident(), details))
