"""Runs over data whose last batch is smaller than the others.

A compiled step and its queue know one shape. Where a pass ends with a smaller batch, the host takes the batches from the
pipeline and hands each to the program of its shape: there is a second one, for the remainder, over the same Parameters.
Steps are launched one by one then, sunk or not, which gives the same numbers.
"""

import itertools

import numpy as np

from plumb import _capturing
from plumb._session import LaunchResult
from plumb.dataset._batched import Batched
from plumb.dataset.datasets import NativeDataset


def remainder(dataset):
    """Returns how many rows the smaller batch has with which a pass ends, 0 when all batches are equal."""
    if isinstance(dataset, Batched) and dataset.plain() and not dataset.table["drop_remainder"]:
        return dataset.children[0].get_dataset_size() % dataset.table["size"]
    if not isinstance(dataset, NativeDataset) or not dataset.native:
        return 0
    rows, left, batches = dataset._source_rows(), 0, 0
    for node in dataset._nodes:
        before, rows = rows, node.rows(rows)
        if node.kind == "Batch":
            left, batches = (0 if node.table["drop_remainder"] else before % node.table["size"]), rows
        elif node.kind == "Take" and rows < batches:
            left = 0
    return left


def check_even(dataset, what):
    """Raises before anything runs where a smaller last batch cannot be taken."""
    left = remainder(dataset)
    if left:
        raise ValueError(f"The last batch of a pass has {left} rows instead of {dataset.get_batch_size()}, but {what} has one "
                         f"batch size: use batch({dataset.get_batch_size()}, drop_remainder=True), or a size that divides "
                         f"the rows.")


class RaggedRun:
    """Stands for a Run where batches differ in size.

    Args:
      make_run: returns the Run for a number of rows per batch.
      dataset: the data.
      left: rows of the smaller batch.

    Attributes:
      launches, steps: how many launches were made and how many steps they ran.
    """

    def __init__(self, make_run, dataset, left):
        if _capturing.active():
            check_even(dataset, "an executable")
        self._runs = {rows: make_run(rows) for rows in (dataset.get_batch_size(), left)}
        self._batches = None
        self.launches = 0
        self.steps = 0

    def feed(self, dataset, passes=-1, position=0):
        """Takes batches from a dataset, behind its first `position` ones; `passes` -1 means endlessly."""
        self._batches = itertools.islice(_batches(dataset, passes), position, None)

    def launch(self, steps, keep_all=True, on_step=None):
        """Runs `steps` steps as Run.launch does; one launch each."""
        rows, done, reason = [], 0, "sink_size"
        while done < steps and reason == "sink_size":
            batch = next(self._batches, None)
            if batch is None:
                reason = "end_of_data"
                break
            run = self._runs[len(batch[0])]
            run.push(batch)
            result = run.launch(1, True, on_step and (lambda step, value, first=done: on_step(first + step, value)))
            reason = result.reason
            done += result.steps
            rows = (rows if keep_all else []) + [[report[0] for report in result.reports]] * result.steps
        self.launches += done
        self.steps += done
        return LaunchResult(done, reason, [_stacked(column) for column in zip(*rows)])


def _batches(dataset, passes):
    every = dataset.passes()
    while passes:
        passes -= 1
        yield from next(every)


def _stacked(values):
    """One array of a report's values, or a list where their shapes differ."""
    alike = len({np.shape(value) for value in values}) == 1
    return np.stack(values) if alike else list(values)
