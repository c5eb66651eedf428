"""Rows that Python makes, computed once and handed over to the runtime: what an executable carries.

An executable runs without Python. Where `plumbc` captures a program, Python code of its dataset runs while compiling; its
rows become a source in memory, and the nodes behind it that the runtime knows go on running there.
"""

import warnings

import numpy as np

from plumb.dataset import _batched, _nodes, samplers
from plumb.dataset._pipeline import Node
from plumb.dataset.datasets import NumpySlicesDataset
from plumb.dataset.generator import IndexedDataset

_KINDS = {node: kind for kind, node in _nodes.NODES.items()}

# The largest number of bytes of rows that are put into an executable.
LIMIT = 1 << 30


def embedded(dataset, place):
    """A dataset for the runtime with the same rows; warns at `place` (file, line) of what no longer changes."""
    nodes = []
    while type(dataset) in _KINDS and not (isinstance(dataset, _batched.Batched) and not dataset.plain()):
        nodes.append(Node(_KINDS[type(dataset)], dataset.table))
        dataset = dataset.children[0]
    shuffled = _shuffled_source(dataset)
    arrays = _rows(dataset) if shuffled is None else _rows_in_order(dataset, shuffled)
    warnings.warn_explicit(
        f"The dataset's Python code ran once, while compiling: its {len(arrays[0])} rows "
        f"({sum(array.nbytes for array in arrays) >> 20} MiB) lie in the executable, and are the same in every epoch"
        f"{', in another order each' if shuffled is not None else ''}.",
        UserWarning, *place)
    made = NumpySlicesDataset(tuple(arrays), dataset.get_col_names(), shuffle=shuffled is not None)
    for node in reversed(nodes):
        made = made._with_node(node, None)
    return made


def _shuffled_source(dataset):
    """The source below nodes that work row by row, when it shuffles all of its rows; else None."""
    while isinstance(dataset, (_nodes.Mapped, _nodes.Renamed)):
        dataset = dataset.children[0]
    if isinstance(dataset, IndexedDataset) and dataset.shuffles_all():
        return dataset
    return None


def _rows_in_order(dataset, source):
    """The rows as they come when `source`, which stands below `dataset`, does not shuffle."""
    before = source.sampler
    source.use_sampler(samplers.SequentialSampler())
    try:
        return _rows(dataset)
    finally:
        source.use_sampler(before)


def _rows(dataset):
    """One array with all rows of a pass, for each column."""
    rows, size = [], 0
    for row in next(dataset.passes()):
        rows.append(row)
        size += sum(array.nbytes for array in row)
        if size > LIMIT:
            raise ValueError(f"The dataset's rows come from Python code, which an executable has not, and are more than "
                             f"{LIMIT >> 20} MiB: take fewer rows, let operations of plumb.dataset.vision and a dataset of files do "
                             f"the work, or train in process.")
    return [np.stack(column) for column in zip(*rows)]
