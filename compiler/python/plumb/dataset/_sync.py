"""Rows that wait until the program has said what it learned from those before: `sync_wait` and `sync_update`."""

import threading

from plumb.dataset._host import HostDataset

PATIENCE = 60.0  # seconds


class Synced(HostDataset):
    """The rows of a dataset, of which each pass gives `ahead` at first, and others once `release` allows them."""

    def __init__(self, child, condition, ahead, callback):
        super().__init__(child)
        self.condition, self._ahead, self._callback = condition, ahead, callback
        self._released, self._changed = 0, threading.Condition()

    def release(self, count, data):
        """Calls the callback with `data`, then lets `count` more rows go."""
        if self._callback is not None:
            self._callback(data)
        with self._changed:
            self._released += self._ahead if count is None else count
            self._changed.notify_all()

    def passes(self):
        for rows in self.children[0].passes():
            yield self._paced(rows)

    def _paced(self, rows):
        before = self._released
        for number, row in enumerate(rows):
            with self._changed:
                if not self._changed.wait_for(lambda: number < self._ahead + self._released - before, PATIENCE):
                    raise RuntimeError(f"For 'sync_wait', row {number} has waited {PATIENCE:g} s for a call of "
                                       f"sync_update('{self.condition}').")
            yield row


def update(dataset, condition, count, data):
    """Releases the rows that wait for `condition` in a dataset or below it."""
    found, pending = [], [dataset]
    while pending:
        node = pending.pop()
        found += [node] if isinstance(node, Synced) and node.condition == condition else []
        pending += node.children
    if not found:
        raise RuntimeError(f"For 'sync_update', no sync_wait() of this dataset has the condition_name '{condition}'.")
    for node in found:
        node.release(count, data)
