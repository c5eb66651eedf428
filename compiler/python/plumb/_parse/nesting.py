"""How deeply source may be nested: its walk calls itself for each statement, operand and function inside another."""

import contextlib
import sys
import threading

from plumb._parse.diagnostics import CompileError

# Python's default of 1000 ends within a sum of 300 terms, a chain of 50 functions, or 100 `elif`. From Python 3.11 on a call from
# Python to Python takes none of the processor's stack, before that half a kilobyte of usually eight megabytes.
_FRAMES = 20000 if sys.version_info >= (3, 11) else 6000
_lock = threading.Lock()
_users, _before = 0, 0


def _enter():
    global _users, _before  # pylint: disable=global-statement
    with _lock:
        if not _users:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before, _FRAMES))
        _users += 1


def _leave():
    global _users  # pylint: disable=global-statement
    with _lock:
        _users -= 1
        if not _users:
            with contextlib.suppress(RecursionError):  # another thread is deeper: the limit stays
                sys.setrecursionlimit(_before)


@contextlib.contextmanager
def deep_source(place):
    """Inside, source nested many times as deeply as Python allows is read; raises CompileError where it is nested deeper yet.

    Args:
      place: (file, line) of the user's call that the source is read for, or None.
    """
    _enter()
    try:
        yield
    except RecursionError:
        raise CompileError("RecursionError: expressions, statements or functions are nested too deeply; build long sums in a loop "
                           "or in several statements", *(place or (None, None)), 1) from None
    finally:
        _leave()
