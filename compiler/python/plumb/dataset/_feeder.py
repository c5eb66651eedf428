"""A thread that pushes a dataset's batches into a session's queue while the device's loop runs."""

import atexit
import itertools
import threading
import weakref

import numpy as np

from plumb.dataset._errors import pipeline_error

# A push that finds no room returns after this time, to see whether anybody still wants the batch.
PATIENCE = 0.2


_running = weakref.WeakSet()


class Feeder:
    """Pushes batches until the passes are over, the session is gone, or `stop` is called.

    Args:
      session: the runtime's session; only weakly held, so that a running thread does not keep it.
      queue: the queue's name.
      dataset: what gives batches.
      passes: how often to go through it; -1 means without end.
      position: batches to leave out first.

    An exception of the dataset's Python code ends the data; `check` raises it where the launch ended.
    """

    def __init__(self, session, queue, dataset, passes, position=0):
        self._session, self._queue, self._dataset = weakref.ref(session), queue, dataset
        self._passes, self._position = passes, position
        self._stopped = threading.Event()
        self._problem = None
        self._thread = threading.Thread(target=self._run, name=f"feeds {queue}", daemon=True)
        self._thread.stopped = self._stopped  # for what waits within the dataset
        _running.add(self)
        self._thread.start()

    def stop(self, timeout=None):
        """Ends the thread, waiting so many seconds at most; what it pushed stays in the queue."""
        self._stopped.set()
        self._thread.join(timeout)

    def check(self):
        """Raises what the dataset raised."""
        if self._problem is not None:
            problem, self._problem = self._problem, None
            raise pipeline_error(problem)

    def _run(self):
        try:
            for batch in self._batches():
                if not self._push(batch):
                    return
        except BaseException as problem:  # pylint: disable=broad-except
            self._problem = problem
        session = self._session()
        if session is not None:
            session.end_data(self._queue)

    def _batches(self):
        passes = self._dataset.passes()
        batches = itertools.chain.from_iterable(passes if self._passes < 0 else itertools.islice(passes, self._passes))
        return itertools.islice(batches, self._position, None)

    def _push(self, batch):
        """Whether the batch found room before the session went away."""
        arrays = [np.ascontiguousarray(array) for array in batch]
        while not self._stopped.is_set():
            session = self._session()
            if session is None:
                return False
            if session.push(self._queue, arrays, PATIENCE):
                return True
            del session
        return False


@atexit.register
def _stop_all():
    """Python ends its threads where they take its lock again, which is no place for one that comes from C++."""
    for feeder in list(_running):
        feeder.stop(timeout=10 * PATIENCE)
