"""FileWriter: rows into MindRecord files."""

import enum
import os

from plumb.mindrecord import _msgpack, _pages
from plumb.mindrecord._schema import Schema


class MSRStatus(enum.IntEnum):
    """What methods that succeed return; those that fail raise."""

    SUCCESS = 0
    FAILED = 1


SUCCESS, FAILED = MSRStatus.SUCCESS, MSRStatus.FAILED


class FileWriter:
    """Writes rows into MindRecord files, which MindSpore reads, too.

    Args:
      file_name: the path of the file; of several files, what their paths begin with, before a number from 0.
      shard_num: into how many files the rows go, 1 … 1000.
      overwrite: whether files that exist are replaced; otherwise they raise RuntimeError.

    Methods raise TypeError and ValueError for arguments and rows that do not fit; MindSpore leaves out rows whose types do not
    fit the schema, with a warning.

    Example:
      writer = FileWriter("/tmp/cats.mindrecord")
      writer.add_schema({"name": {"type": "string"}, "size": {"type": "float32", "shape": [2]}, "image": {"type": "bytes"}})
      writer.add_index(["name"])
      writer.write_raw_data([{"name": "Tom", "size": np.array([0.3, 0.5], np.float32), "image": b"..."}])
      writer.commit()
    """

    def __init__(self, file_name, shard_num=1, overwrite=False):
        if not isinstance(file_name, str) or not os.path.basename(file_name):
            raise ValueError(f"file_name must be the path of a file, but got {file_name!r}.")
        if isinstance(shard_num, bool) or not isinstance(shard_num, int) or not 1 <= shard_num <= 1000:
            raise ValueError(f"shard_num must be an int of 1 … 1000, but got {shard_num!r}.")
        if not isinstance(overwrite, bool):
            raise TypeError(f"overwrite must be a bool, but got {overwrite!r}.")
        digits = len(str(shard_num - 1))
        self._paths = [file_name] if shard_num == 1 else [f"{file_name}{number:0{digits}}" for number in range(shard_num)]
        self._overwrite, self._schema, self._shards = overwrite, None, None
        self._header = {"header_size": _pages.HEADER_SIZE, "index_fields": None, "page": [], "page_size": _pages.PAGE_SIZE,
                        "compression_size": 0, "schema": [], "shard_addresses": [os.path.basename(path) for path in self._paths],
                        "shard_id": 0, "statistics": None, "version": _pages.VERSION}
        self._chosen_index = None

    @classmethod
    def open_for_append(cls, file_name):
        """Returns a writer that appends to files that were committed; of several files, `file_name` is one of them."""
        paths = _pages.family(file_name)
        writer = cls(file_name)
        writer._paths = paths
        writer._header = _pages.read_header(paths[0])
        writer._schema = Schema(writer._header["schema"][0]["schema"])
        writer._chosen_index = [entry["index_field"] for entry in writer._header["index_fields"] or []]
        writer._shards = [_pages.WrittenShard(path, number, _pages.read_header(path)) for number, path in enumerate(paths)]
        return writer

    def add_schema(self, content, desc=None):
        """Sets what fields rows have; returns 0, the schema's number.

        Args:
          content: {name: {"type": T}} with T of "int32", "int64", "float32", "float64", "string", "bytes"; numbers may have a
            "shape", a list of ints of which one may be -1. Names have letters, digits and "_" only.
          desc: a description, which the file keeps.
        """
        if self._schema is not None:
            raise RuntimeError("A MindRecord file has one schema, and this writer has got one.")
        self._schema = Schema(content)
        self._header["schema"] = [{"blob_fields": self._schema.blobs, "desc": "" if desc is None else desc,
                                   "schema": self._schema.fields}]
        return 0

    def add_index(self, index_fields):
        """Chooses the fields to search by: of numbers or strings, without a shape. Without a choice, all of those."""
        if not isinstance(index_fields, list):
            raise TypeError(f"index_fields must be a list of names, but got {type(index_fields).__name__}.")
        self._needs_schema()
        for name in index_fields:
            if name not in self._schema.raws:
                raise ValueError(f"A field to search by must be of a number or a string, without a shape, but got {name!r}; there are "
                                 f"{', '.join(self._schema.raws) or 'none'}.")
        if len(set(index_fields)) != len(index_fields):
            raise ValueError(f"index_fields names a field twice: {index_fields}.")
        self._chosen_index = list(index_fields)
        return SUCCESS

    def set_header_size(self, header_size):
        """Sets the bytes of the header: a power of 2 of 16 KiB … 128 MiB (default: 16 MiB)."""
        self._header["header_size"] = _size("header_size", header_size, _pages.HEADER_SIZES)
        return SUCCESS

    def set_page_size(self, page_size):
        """Sets the bytes of a page, which no row may exceed: a power of 2 of 32 KiB … 256 MiB (default: 32 MiB)."""
        self._header["page_size"] = _size("page_size", page_size, _pages.PAGE_SIZES)
        return SUCCESS

    def open_and_set_header(self):
        """Creates the files; the first `write_raw_data` does so otherwise."""
        self._open()
        return SUCCESS

    def write_raw_data(self, raw_data, parallel_writer=False):
        """Writes rows, divided among the files.

        Args:
          raw_data: a list of dicts by field: strings, numbers, bytes, NumPy arrays of the schema's type. What is no field of
            the schema is left out.
          parallel_writer: not needed: one thread writes, as fast as the disk. True gives the same file.
        """
        if not isinstance(raw_data, list) or not all(isinstance(row, dict) for row in raw_data):
            raise TypeError("raw_data must be a list of dicts by field.")
        if not isinstance(parallel_writer, bool):
            raise TypeError(f"parallel_writer must be a bool, but got {parallel_writer!r}.")
        self._open()
        # All rows are checked before the first is written.
        made = [(_msgpack.dumps(raw), blob, saved, raw) for raw, (blob, saved) in
                ((self._schema.raw_of(row), self._schema.blob_of(row)) for row in raw_data)]
        rows = iter(made)
        for shard, count in zip(self._emptiest(), _shares(len(made), len(self._shards))):
            for raw, blob, saved, values in (next(rows) for _ in range(count)):
                shard.add(raw, blob, [values[name] for name in self._chosen_index])
                shard.header["compression_size"] += saved
        return SUCCESS

    def commit(self):
        """Writes the headers and the indices; the files can be read from then on."""
        self._open()
        for shard in self._shards:
            shard.finish()
        return SUCCESS

    def _emptiest(self):
        """The files, those with the fewest rows first."""
        return sorted(self._shards, key=lambda shard: shard.rows)

    def _needs_schema(self):
        if self._schema is None:
            raise RuntimeError("The writer has no schema yet; call add_schema() first.")

    def _open(self):
        if self._shards is not None:
            return
        self._needs_schema()
        self._clear()
        if self._chosen_index is None:
            self._chosen_index = list(self._schema.raws)
        self._header["index_fields"] = [{"index_field": name, "schema_id": 0} for name in self._chosen_index] or None
        self._shards = [_pages.WrittenShard(path, number, {**self._header, "page": [], "shard_id": number})
                        for number, path in enumerate(self._paths)]

    def _clear(self):
        """Removes files of an earlier run where they may be replaced."""
        for path in (name for path in self._paths for name in (path, path + ".db")):
            if os.path.exists(path):
                if not self._overwrite:
                    raise RuntimeError(f"The file '{path}' exists; remove it, or pass overwrite=True.")
                os.remove(path)


def _shares(count, parts):
    """How many of `count` rows each of `parts` files gets."""
    return [count // parts + (at < count % parts) for at in range(parts)]


def _size(name, value, limits):
    if isinstance(value, bool) or not isinstance(value, int) or not limits[0] <= value <= limits[1] or value & (value - 1):
        raise ValueError(f"{name} must be a power of 2 of {limits[0]} … {limits[1]}, but got {value!r}.")
    return value
