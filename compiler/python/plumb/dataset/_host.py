"""Datasets whose rows pass through Python: user's sources and functions, and what chains onto them.

A dataset is a node of a graph. Where all of a chain can be described to the runtime (`datasets.py`), C++ threads make the
batches. Other nodes (`_nodes.py`, `_batched.py`) make them in this process, row by row, from the passes of the nodes they stand on;
`_feeder.py` pushes them into the queue while the device's loop runs.

`passes()` yields one pass after another without end, each an iterator over rows (tuples of arrays, one for each column). A
pass that is left early ends there: the next one starts anew.
"""

import inspect
from collections import abc

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset._dataset import Dataset
from plumb.dataset._errors import of_pipeline
from plumb.dataset._pipeline import Column
from plumb.dataset._rounds import unheard


class HostDataset(Dataset):
    """Base of nodes: `children` are the datasets it stands on, the first of which gives what the others do not."""

    native = False

    def __init__(self, *children):
        super().__init__()
        self.children = list(children)
        self._found_columns, self._found_size = None, None

    def _names(self):
        """The columns' names."""
        return self.children[0].get_col_names()

    def passes(self):
        """Yields passes; see the head of the file."""
        raise NotImplementedError

    @of_pipeline
    def _columns(self):
        if self._found_columns is None:
            self._found_columns = self._find_columns()
        return self._found_columns

    def _find_columns(self):
        """The columns as the first row shows them."""
        with unheard():
            row = next(next(self.passes()), None)
        if row is None:
            raise ValueError(f"There is no valid data in dataset, please check dataset file firstly. {self._why_empty()}")
        return [Column(name, _device_type(value), getattr(value, "shape", ())) for name, value in zip(self._names(), row)]

    def get_col_names(self):
        """Returns the columns' names."""
        return self._names()

    @of_pipeline
    def get_dataset_size(self):
        """Returns the number of rows (or batches) of one pass; runs through one where nothing tells it."""
        if self._found_size is None:
            self._found_size = self._size()
        return self._found_size

    def _size(self):
        return self.children[0].get_dataset_size()

    def _count(self):
        with unheard():
            return sum(1 for _ in next(self.passes()))

    def get_batch_size(self):
        """Returns the batch size, 1 when there is none."""
        return self.children[0].get_batch_size()

    def get_repeat_count(self):
        """Returns how often the rows are gone through."""
        return self.children[0].get_repeat_count()

    def _why_empty(self):
        return "It gives no rows."

    def _with_node(self, node, workers):
        """A node of the runtime's pipeline as one of this process."""
        from plumb.dataset._nodes import NODES
        return NODES[node.kind](self, node.table, workers)


def seed_of(kind, *numbers):
    """A key for NumPy's generators: the pipelines' seed, the kind of use, and numbers that tell streams apart."""
    from plumb.common import seed
    return [seed.effective_pipeline_seed(), *kind.encode(), *numbers]


def depth_of(node):
    """The number of nodes below: two shuffles in a chain draw from different streams."""
    depth = 0
    while node.children:
        depth, node = depth + 1, node.children[0]
    return depth


def _device_type(value):
    """The element type of a column; None for strings, dicts and others that no device holds."""
    return mstype.as_dtype(value.dtype) if isinstance(value, np.ndarray) and value.dtype.kind in "biuf" else None


def as_row(value, count, where):
    """What Python code returned as a tuple of `count` arrays; raises TypeError or ValueError that names `where`. Tuples and
    iterators are rows; where there are several columns, lists, ranges and other containers are, too, else arrays."""
    is_row = isinstance(value, (tuple, abc.Iterator)) or count != 1 and _is_container(value)
    values = tuple(value) if is_row else (value,)
    if len(values) != count:
        raise ValueError(f"{where} gave {len(values)} values, but there are {count} columns: "
                         f"return a tuple with one value for each of them.")
    return tuple(as_array(item, where) for item in values)


def _is_container(value):
    from plumb.common.tensor import Tensor
    return isinstance(value, abc.Iterable) and not isinstance(value, (str, bytes, dict, set, np.ndarray, np.generic, Tensor))


def as_array(value, where):
    """One value of a row as an array; numbers get NumPy's type for them, int64 or float64. A dict stays one."""
    from plumb.common.tensor import Tensor
    if isinstance(value, Tensor):
        return value.asnumpy()
    if isinstance(value, dict):
        return value
    if value is None or isinstance(value, set):
        raise TypeError(f"{where} gave a value of type {type(value).__name__}, but columns hold numbers, strings, dicts and "
                        f"NumPy arrays.")
    array = np.asarray(value)
    if array.dtype == object:
        raise TypeError(f"{where} gave a {type(value).__name__} that is no regular array: all its rows must have the same "
                        f"length.")
    return array


def name_of(function):
    """What messages call a Python function, with the place of its definition."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__qualname__", type(function).__name__)
    return f"'{name}' ({code.co_filename}:{code.co_firstlineno})" if code else f"'{name}'"


def accepts(function, count):
    """Whether a Python callable can take `count` arguments; True where its signature is not known."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True
    return True
