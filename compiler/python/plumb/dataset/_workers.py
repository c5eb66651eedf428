"""Python functions on several workers, in order: results do not depend on the number of workers."""

import collections
import concurrent.futures
import multiprocessing


def ordered_map(function, items, workers=1, processes=False):
    """Yields `function(item)` for each item, in the items' order.

    Args:
      function: what to call; with `processes`, forked processes call it, so it need not be importable.
      items: an iterator; at most two items a worker are taken ahead of what was yielded.
      workers: how many calls run at once; with 1 or None they run here.
      processes: processes instead of threads, for functions that hold Python's lock.
    """
    if (workers or 1) <= 1:
        return map(function, items)
    return _ordered(function, items, workers, processes)


def _ordered(function, items, workers, processes):
    pool = _processes(function, workers) if processes else concurrent.futures.ThreadPoolExecutor(workers)
    call = _called if processes else function
    waiting = collections.deque()
    try:
        for item in items:
            waiting.append(pool.submit(call, item))
            if len(waiting) >= 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_function = None


def _processes(function, workers):
    return concurrent.futures.ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), _keep, (function,))


def _keep(function):
    """In a worker process: notes what to call."""
    global _function  # pylint: disable=global-statement
    _function = function


def _called(item):
    """In a worker process: one call."""
    return _function(item)
