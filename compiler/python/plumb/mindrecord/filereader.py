"""FileReader: the rows of MindRecord files, one after another."""

import os

from plumb.mindrecord import _pages


def open_shards(file_name):
    """The files that a program means, open: for a path, all that were written with it; for a list, those it names."""
    from plumb import _paths
    names = [file_name] if isinstance(file_name, str) else file_name
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"file_name must be a path or a list of paths, but got {file_name!r}.")
    paths = [_paths.mapped(name) for name in names]
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(f"The file {path} does not exist or permission denied!")
    shards = [_pages.ReadShard(path) for path in (_pages.family(paths[0]) if isinstance(file_name, str) else paths)]
    for shard in shards[1:]:
        if shard.schema.fields != shards[0].schema.fields:
            raise ValueError(f"'{shard.path}' has other fields than '{shards[0].path}'.")
    return shards


def check_columns(columns, schema):
    """Returns the fields that `columns` names, all where it is None."""
    if columns is None:
        return list(schema.fields)
    if not isinstance(columns, list) or not columns:
        raise TypeError(f"columns must be a list of names, but got {columns!r}.")
    for name in columns:
        if name not in schema.fields:
            raise ValueError(f"There is no field '{name}'; there are {', '.join(schema.fields)}.")
    return columns


class FileReader:
    """Reads the rows of MindRecord files as Python's values.

    Args:
      file_name: the path of a file; all files written together with it are read. Or a list of the files to read.
      num_consumer: without effect: the caller's thread reads rows when it takes them.
      columns: a list of the fields to read; None takes all.
      operator: reserved; None only.

    Raises ValueError where a file is missing or none of the format, and where there is no such field.
    """

    def __init__(self, file_name, num_consumer=4, columns=None, operator=None):
        if operator is not None:
            raise ValueError("For 'FileReader', operator must be None.")
        if isinstance(num_consumer, bool) or not isinstance(num_consumer, int) or num_consumer < 1:
            raise ValueError(f"num_consumer must be a positive int, but got {num_consumer!r}.")
        self._shards = open_shards(file_name)
        self._columns = check_columns(columns, self._shards[0].schema)

    def get_next(self):
        """Yields each row, a dict by field: ints, floats, strings, bytes, NumPy arrays."""
        for shard in self._shards:
            for number in range(len(shard.places)):
                yield shard.row(number, self._columns)

    def len(self):
        """Returns the number of rows."""
        return sum(len(shard.places) for shard in self._shards)

    def schema(self):
        """Returns the fields: {name: {"type": …, "shape": …}}."""
        return self._shards[0].schema.fields

    def close(self):
        """Closes the files."""
        for shard in self._shards:
            shard.close()
