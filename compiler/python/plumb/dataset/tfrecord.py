"""TFRecordDataset: TensorFlow's record files of `tf.train.Example`.

A file is a row of records: the length (8 bytes, little endian), its checksum (4), the content, its checksum (4). A content is
a protocol buffer: Example {features = 1}, Features {map feature = 1}, Feature {bytes_list = 1 | float_list = 2 |
int64_list = 3}. Sources: https://www.tensorflow.org/tutorials/load_data/tfrecord, tensorflow/core/example/*.proto. The
checksum of a length is checked, that of a content is not.
"""

import functools
import gzip
import io
import struct
import zlib

import numpy as np

from plumb.common._crc import masked_crc
from plumb.common._protobuf import content, fields, packed
from plumb.dataset._dataset import wants_cache
from plumb.dataset._file_order import FileOrder, Shuffle
from plumb.dataset.files import files_of
from plumb.dataset.generator import IndexedDataset
from plumb.dataset.schema import schema_of


class TFRecordDataset(IndexedDataset):
    """Rows of TFRecord files. Columns: int64 and float32 arrays, and uint8 arrays for strings, or strings where the schema says so.

    Several strings as bytes are filled up with zeros to the longest, or to what the schema's shape [-1, extent, …] says.

    Args:
      dataset_files: a path, or a list of them, which is sorted.
      schema: columns to read, with types and shapes: a Schema, or a path of its JSON file. Without it the first row tells.
      columns_list: names of the columns to take; None takes all.
      shuffle: whether rows come in a new random order each epoch: True or Shuffle.GLOBAL; Shuffle.FILES: the files; or False.
      num_samples, num_shards, shard_id: which rows. A shard is every num_shards-th file; or,
      shard_equal_rows: if set, a run of rows, as long as the other shards' by wrapping round.
      compression_type: "GZIP" or "ZLIB" for files that are compressed as a whole; None or "" for others.

    Raises:
      ValueError: for a file that is missing or no TFRecord file, and another `compression_type`.
    """

    def __init__(self, dataset_files, schema=None, columns_list=None, num_samples=None, num_parallel_workers=None,
                 shuffle=Shuffle.GLOBAL, num_shards=None, shard_id=None, shard_equal_rows=False, cache=None,
                 compression_type=None):
        if compression_type not in (None, "", "GZIP", "ZLIB"):
            raise ValueError(f"For 'TFRecordDataset', 'compression_type' must be '', 'GZIP' or 'ZLIB', but got {compression_type!r}.")
        wants_cache("TFRecordDataset", cache)
        self._compression = compression_type or ""
        files = [list(_records(path, self._compression)) for path in sorted(files_of(dataset_files))]
        self._places = [place for file in files for place in file]
        self._described = schema_of(schema).described() if schema is not None else {}
        names = list(columns_list or self._described or (sorted(self._example(0)) if self._places else []))
        order = FileOrder([len(file) for file in files], shuffle, num_samples, num_shards, shard_id, not shard_equal_rows)
        super().__init__(names, self._row_at, len(self._places), order, num_parallel_workers or 1)

    def _example(self, index):
        path, begin, end = self._places[index]
        with _opened(path, self._compression) as file:
            file.seek(begin)
            content = file.read(end - begin)
        try:
            return dict(_features(memoryview(content)))
        except (ValueError, IndexError, KeyError, TypeError) as problem:
            raise ValueError(f"'{path}': the record at byte {begin} is no tf.train.Example: {problem}") from None

    def _row_at(self, index):
        example = self._example(index)
        missing = [name for name in self._column_names if name not in example]
        if missing:
            raise ValueError(f"'{self._places[index][0]}': row {index} has no column '{missing[0]}', but "
                             f"{', '.join(sorted(example))}.")
        return tuple(self._shaped(name, example[name]) for name in self._column_names)

    def _shaped(self, name, value):
        kind, shape = self._described.get(name, (np.uint8 if isinstance(value, list) else value.dtype, None))
        if isinstance(value, list):
            value = np.asarray([one.decode() for one in value]) if kind is None else _filled(value, name, kind, shape)
        elif kind is None:
            raise ValueError(f"The column '{name}' should hold strings, as the schema says, but holds numbers.")
        else:
            value = value.astype(kind)
        return value if shape is None else value.reshape(shape)


def _filled(strings, name, kind, shape):
    """The bytes of strings one after the other, each filled up with zeros."""
    width = max((len(one) for one in strings), default=0)
    if shape is not None and len(shape) >= 2 and shape[0] == -1:
        width = int(np.prod(shape[1:]))
    if max((len(one) for one in strings), default=0) > width:
        raise ValueError(f"The column '{name}': a string of {max(map(len, strings))} bytes does not fit into {shape}.")
    return np.frombuffer(b"".join(one.ljust(width, b"\0") for one in strings), np.uint8).astype(kind)


def _opened(path, compression):
    """A file to read from; a compressed one is unpacked in memory."""
    return io.BytesIO(_unpacked(path, compression)) if compression else open(path, "rb")


@functools.lru_cache(maxsize=4)
def _unpacked(path, compression):
    with open(path, "rb") as file:
        packed_bytes = file.read()
    try:
        return gzip.decompress(packed_bytes) if compression == "GZIP" else zlib.decompress(packed_bytes)
    except (OSError, EOFError, zlib.error) as problem:
        raise ValueError(f"'{path}' is no file that {compression} has compressed: {problem}") from None


def _records(path, compression):
    """Yields (path, begin, end) of each record's content."""
    with _opened(path, compression) as file:
        size = file.seek(0, io.SEEK_END)
        position = file.seek(0)
        while position < size:
            head = file.read(12)
            if len(head) < 12:
                raise ValueError(f"'{path}' ends within a record.")
            length, check = struct.unpack("<QI", head)
            if check != masked_crc(head[:8]):
                raise ValueError(f"'{path}': the checksum at byte {position} is wrong; is it a TFRecord file without compression?")
            if position + 16 + length > size:
                raise ValueError(f"'{path}' ends within a record.")
            yield path, position + 12, position + 12 + length
            position += 16 + length
            file.seek(position)


def _features(example):
    """Yields (name, value) of an Example: an array, or a list of bytes."""
    for number, features in fields(example):
        for _, entry in fields(features) if number == 1 else ():
            parts = dict(fields(entry))
            yield content(parts[1]).decode(), _values(parts.get(2, memoryview(b"")))


def _values(feature):
    for number, values in fields(feature):
        if number == 1:
            return [bytes(value) for _, value in fields(values)]
        if number == 2:
            return np.concatenate([np.zeros(0, np.float32)] + [np.frombuffer(value, "<f4") for _, value in fields(values)])
        if number == 3:
            return np.asarray([_signed(one) for _, value in fields(values) for one in _integers(value)], np.int64)
    return np.zeros(0, np.float32)


def _integers(value):
    """The numbers of a field: one, or many packed together."""
    return [value] if isinstance(value, int) else packed(value)


def _signed(number):
    return number - (1 << 64) if number >= 1 << 63 else number
