"""Arrays cut, or filled at their ends, to given extents: numbers, strings and bytes."""

import numpy as np

#: By kind of array what may fill it, what does so by default, and what the kind is called.
_FILLS = {"U": (str, "", "string"), "S": (bytes, b"", "bytes")}


def pad_end(value, extents, fill, who):
    """An array of `extents`: its elements that fit, and `fill` behind them.

    Args:
      value: an array of as many axes.
      extents: the extents; None keeps the array's own.
      fill: a number for numbers, a string for strings, bytes for bytes; None: 0, or an empty one.
      who: the operation, for errors.

    Raises:
      ValueError: where the number of axes differs, or strings and numbers would come together.
    """
    if value.ndim != len(extents):
        raise ValueError(f"For '{who}', a row of shape {list(value.shape)} does not fit into {list(extents)}.")
    kinds, default, called = _FILLS.get(value.dtype.kind, ((bool, int, float, np.number, np.bool_), 0, str(value.dtype)))
    fill = default if fill is None else fill.item() if isinstance(fill, np.ndarray) and fill.ndim == 0 else fill
    if not isinstance(fill, kinds):
        raise ValueError(f"For '{who}', can not pad numeric and string tensors together, but got {fill!r} for a value of {called}.")
    shape = [have if wanted is None else wanted for wanted, have in zip(extents, value.shape)]
    wider = value.dtype.kind in _FILLS and any(room > have for room, have in zip(shape, value.shape))
    result = np.full(shape, fill, np.result_type(value.dtype, np.asarray(fill)) if wider else value.dtype)
    kept = tuple(slice(0, min(pair)) for pair in zip(shape, value.shape))
    result[kept] = value[kept]
    return result
