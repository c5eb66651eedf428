"""Rows of like lengths put together: each batch holds rows of one range of lengths, filled up at their ends."""

import bisect
import numbers

from plumb._checkparam import check_value_type
from plumb.dataset._batched import Batched, padded
from plumb.dataset._host import as_array, name_of

_WHO = "bucket_batch_by_length"


class Bucketed(Batched):
    """See `Dataset.bucket_batch_by_length`."""

    def __init__(self, child, length_columns, boundaries, sizes, length_function=None, pad_info=None, to_boundary=False, drop_remainder=False):
        super().__init__(child, {"size": max(sizes), "drop_remainder": drop_remainder}, pad_info=pad_info or {})
        names = child.get_col_names()
        self._length_columns, self._length_function = [names.index(name) for name in length_columns], length_function
        self._boundaries, self._sizes, self._to_boundary = boundaries, sizes, to_boundary

    def _find_columns(self):
        return super(Batched, self)._find_columns()

    def _size(self):
        return self._count()

    def get_batch_size(self):
        """Returns 1: the batches differ."""
        return 1

    def _length(self, row):
        """The row's length, by the function or along the first axis of the one column."""
        values = [row[column] for column in self._length_columns]
        if self._length_function is None:
            if not values[0].ndim:
                raise ValueError(f"For '{_WHO}', a row of one number has no length: give element_length_function.")
            return values[0].shape[0]
        length = self._length_function(*values)
        if not isinstance(length, numbers.Integral) and getattr(length, "ndim", None) == 0:
            length = length.item()
        if isinstance(length, bool) or not isinstance(length, numbers.Integral) or length < 0:
            raise ValueError(f"For '{_WHO}', element_length_function {name_of(self._length_function)} must return an int of at least 0, "
                             f"but it returned {length!r}.")
        return int(length)

    def _groups(self, rows, epoch):
        """Yields (rows of a batch, the boundary above their lengths): full batches as they fill, then what is left, by length."""
        waiting = [[] for _ in self._sizes]
        above = [*self._boundaries, None]
        for row in rows:
            bucket = bisect.bisect_right(self._boundaries, self._length(row))
            waiting[bucket].append(row)
            if len(waiting[bucket]) == self._sizes[bucket]:
                yield waiting[bucket], above[bucket]
                waiting[bucket] = []
        if not self._drop:
            yield from ((group, boundary) for group, boundary in zip(waiting, above) if group)

    def _together(self, group_and_boundary):
        group, boundary = group_and_boundary
        if self._to_boundary and boundary is None:
            raise ValueError(f"For '{_WHO}' with pad_to_bucket_boundary, a row is at least {self._boundaries[-1]} long, above which there is "
                             f"no boundary.")
        names = self._names()
        return tuple(self._stacked(name, self._filled(name, column, boundary)) for name, column in zip(names, zip(*group)))

    def _filled(self, name, rows, boundary):
        """The rows of a column, filled up to the boundary if `pad_to_bucket_boundary` is set."""
        if not self._to_boundary or self._pad_info and name not in self._pad_info:
            return rows
        shape, value = self._pad_info.get(name, (None, 0))
        shape = [None] * rows[0].ndim if shape is None else shape
        return padded([as_array(row, _WHO) for row in rows], [boundary - 1 if extent is None else extent for extent in shape], value)


def _positive_ints(name, values):
    check_value_type(name, values, list, _WHO)
    for value in values:
        check_value_type(f"every element of {name}", value, int, _WHO)
    if not values or min(values) < 1:
        raise ValueError(f"For '{_WHO}', {name} must be positive ints, but got {values}.")


def bucketed(dataset, column_names, boundaries, sizes, length_function, pad_info, to_boundary, drop_remainder):
    """Checks the arguments of `Dataset.bucket_batch_by_length`."""
    check_value_type("column_names", column_names, list, _WHO)
    _positive_ints("bucket_boundaries", boundaries)
    _positive_ints("bucket_batch_sizes", sizes)
    if any(before >= after for before, after in zip(boundaries, boundaries[1:])):
        raise ValueError(f"For '{_WHO}', bucket_boundaries must grow, but got {boundaries}.")
    if len(sizes) != len(boundaries) + 1:
        raise ValueError(f"For '{_WHO}', bucket_batch_sizes must be one more than bucket_boundaries, but there are {len(sizes)} and "
                         f"{len(boundaries)}.")
    if length_function is None and len(column_names) != 1:
        raise ValueError(f"For '{_WHO}', there must be one column, or element_length_function, but got {column_names}.")
    if length_function is not None and not callable(length_function):
        raise TypeError(f"For '{_WHO}', element_length_function must be a function, but got {length_function!r}.")
    check_value_type("pad_info", pad_info, (dict, type(None)), _WHO)
    check_value_type("pad_to_bucket_boundary", to_boundary, bool, _WHO)
    check_value_type("drop_remainder", drop_remainder, bool, _WHO)
    return Bucketed(dataset, column_names, boundaries, sizes, length_function, pad_info, to_boundary, drop_remainder)
