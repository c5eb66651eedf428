"""Columns whose rows are dicts of Python's: what Python functions hand to each other, before a network needs arrays."""

import numpy as np

from plumb.common.tensor import Tensor


def shown(value, output_numpy):
    """A row's value as iterators give it: each number or array in a dict by itself, too. Strings have no Tensor."""
    if isinstance(value, dict):
        return {key: shown(item, output_numpy) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(shown(item, output_numpy) for item in value)
    array = np.asarray(value)
    return array if output_numpy or array.dtype.kind in "USO" else Tensor(array)


def together(rows, stack):
    """Dicts of equal keys as one dict, by key; `stack(rows)` puts what they hold together."""
    if not isinstance(rows[0], dict):
        return stack(rows)
    for row in rows:
        if not isinstance(row, dict) or list(row) != list(rows[0]):
            raise ValueError(f"For 'batch', the dicts of a column must have the same keys, but one has {list(rows[0])} and "
                             f"another {list(row) if isinstance(row, dict) else type(row).__name__}.")
    return {key: together([row[key] for row in rows], stack) for key in rows[0]}
