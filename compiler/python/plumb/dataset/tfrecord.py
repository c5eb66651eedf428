"""TFRecordDataset: TensorFlow's record files of `tf.train.Example`.

A file is a row of records: the length (8 bytes, little endian), its checksum (4), the content, its checksum (4). A content is
a protocol buffer: Example {features = 1}, Features {map feature = 1}, Feature {bytes_list = 1 | float_list = 2 |
int64_list = 3}. Sources: https://www.tensorflow.org/tutorials/load_data/tfrecord, tensorflow/core/example/*.proto. The
checksum of a length is checked, that of a content is not.
"""

import os
import struct

import numpy as np

from plumb.common._crc import masked_crc
from plumb.common._protobuf import content, fields, packed
from plumb.dataset._dataset import wants_cache
from plumb.dataset.files import Shuffle, files_of, order_of
from plumb.dataset.generator import IndexedDataset
from plumb.dataset.schema import schema_of


class TFRecordDataset(IndexedDataset):
    """Rows of TFRecord files. Columns: int64 and float32 arrays, and uint8 arrays for strings.

    Args:
      dataset_files: a path, or a list of them.
      schema: columns to read, with types and shapes: a Schema, or a path of its JSON file. Without it the first row tells.
      columns_list: names of the columns to take; None takes all.
      shuffle: whether rows come in a new random order each epoch: True, False or Shuffle.GLOBAL.
      num_samples, num_shards, shard_id: which rows.
    """

    def __init__(self, dataset_files, schema=None, columns_list=None, num_samples=None, num_parallel_workers=None,
                 shuffle=Shuffle.GLOBAL, num_shards=None, shard_id=None, shard_equal_rows=False, cache=None,
                 compression_type=None):
        if shard_equal_rows or compression_type:
            raise ValueError("For 'TFRecordDataset', 'shard_equal_rows' and 'compression_type' are not offered.")
        wants_cache("TFRecordDataset", cache)
        self._places = [place for path in files_of(dataset_files) for place in _records(path)]
        self._described = schema_of(schema).described() if schema is not None else {}
        names = list(columns_list or self._described or (sorted(self._example(0)) if self._places else []))
        order = order_of(shuffle, num_samples, num_shards, shard_id)
        super().__init__(names, self._row_at, len(self._places), order, num_parallel_workers or 1)

    def _example(self, index):
        path, begin, end = self._places[index]
        with open(path, "rb") as file:
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

    def _shaped(self, name, array):
        kind, shape = self._described.get(name, (None, None))
        if kind is not None:
            array = array.astype(kind)
        return array if shape is None else array.reshape(shape)


def _records(path):
    """Yields (path, begin, end) of each record's content."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        position = 0
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
    """Yields (name, array) of an Example."""
    for number, features in fields(example):
        for _, entry in fields(features) if number == 1 else ():
            parts = dict(fields(entry))
            yield content(parts[1]).decode(), _values(parts.get(2, memoryview(b"")))


def _values(feature):
    for number, values in fields(feature):
        if number == 1:
            strings = [value for _, value in fields(values)]
            if len(strings) > 1:
                raise ValueError("several strings in one column are not offered")
            return np.frombuffer(b"".join(strings), np.uint8)
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
