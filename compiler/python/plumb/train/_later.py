"""Files that are written while the program goes on: one at a time, in the order in which they were asked for."""

import atexit
import threading


class _Writing(threading.Thread):
    """One file under way; Python waits for it before it ends."""

    def __init__(self, write):
        super().__init__(name="asyn_save_ckpt")  # MindSpore's name, by which programs find it
        self._write, self.problem = write, None

    def run(self):
        """Writes; what goes wrong is kept for who asks next."""
        try:
            self._write()
        except Exception as problem:  # pylint: disable=broad-except
            self.problem = problem


_under_way = None


def start(write):
    """Calls `write` in a thread, when what was asked for before is written."""
    global _under_way
    finish()
    _under_way = _Writing(write)
    _under_way.start()


def is_under_way():
    """Whether a file is being written."""
    return _under_way is not None and _under_way.is_alive()


def finish():
    """Returns when all is written; raises what went wrong."""
    global _under_way
    last, _under_way = _under_way, None
    if last is not None:
        last.join()
        if last.problem is not None:
            raise last.problem


atexit.register(finish)  # an error is not lost where nobody asks
