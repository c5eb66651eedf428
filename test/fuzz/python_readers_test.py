"""Damaged files before the readers that are written in Python: MindSpore's checkpoints, TFRecord, CSV and NumPy archives.

Each is read, or refused by a ValueError that names it; nothing else, and no memory beyond what its size allows. Sound files are
changed in one to four places: bytes, ranges that go or come twice, numbers of any size. The same seed gives the same files.

    python_readers_test.py [--count=N] [--seed=S]
"""

import io
import os
import random
import resource
import struct
import sys
import tempfile
import unittest

import numpy as np

from plumb import dataset, train
from plumb.common._crc import masked_crc

COUNT, SEED = 1500, 18
NUMBERS = [b"\x00", b"\x7f", b"\xff", b"\x80\x01", b"\xff" * 4, b"\xff" * 9 + b"\x01", b"\x80\x80\x80\x80\x20", b"\xff\xff\xff\xff\x7f"]


def field(number, content):
    """A field of a protocol buffer message: bytes, or an int."""
    if isinstance(content, int):
        return bytes([number << 3]) + bytes([content])
    return bytes([number << 3 | 2, len(content)]) + content


def checkpoint():
    """Two tensors as MindSpore writes them."""
    def value(name, dims, kind, content):
        tensor = b"".join(field(1, extent) for extent in dims) + field(2, kind) + field(3, content)
        return field(1, field(1, name) + field(2, tensor))
    return value(b"w", [2, 3], b"Float32", bytes(24)) + value(b"b", [3], b"BFloat16", bytes(6)) + value(b"s", [0], b"Int64", bytes(8))


def example():
    """A tf.train.Example with one column of each kind."""
    def column(name, kind, values):
        return field(1, field(1, name) + field(2, field(kind, values)))
    return field(1, column(b"a", 1, field(1, b"text")) + column(b"f", 2, field(1, struct.pack("<2f", 1, 2))) +
                 column(b"i", 3, field(1, b"\x01\x7f\x05")))


def record(content):
    """A record of a TFRecord file, with right checksums."""
    head = struct.pack("<Q", len(content))
    return head + struct.pack("<I", masked_crc(head)) + content + struct.pack("<I", 0)


def archive():
    """A NumPy archive."""
    file = io.BytesIO()
    np.savez(file, w=np.zeros((2, 3), np.float32), s=np.int64(7))
    return file.getvalue()


def changed(sound, rng):
    """The bytes with one to four changes."""
    data = bytearray(sound)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 1, 2, 8, 30]))
        data[at:end] = rng.choice([b"", bytes(data[at:end]) * 2, bytes([rng.randrange(256)]), rng.choice(NUMBERS), bytes(end - at)])
    return bytes(data)


def rows_of(path, make):
    """All rows of a dataset over the file."""
    return list(make(path).create_tuple_iterator(num_epochs=1, output_numpy=True))


READERS = {
    "ckpt": (checkpoint(), train.load_checkpoint, lambda data: data),
    "npz": (archive(), train.load_checkpoint, lambda data: data),
    "tfrecord": (record(example()), lambda path: rows_of(path, dataset.TFRecordDataset), lambda data: data),
    # The record's own bytes are changed, behind checksums that are right.
    "example": (example(), lambda path: rows_of(path, dataset.TFRecordDataset), record),
    "csv": (b"a,b\n1,2.5\n3,x\n", lambda path: rows_of(path, dataset.CSVDataset), lambda data: data),
}


class PythonReadersTest(unittest.TestCase):
    """One test for each reader."""

    @classmethod
    def setUpClass(cls):
        limit = 8 << 30
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def check(self, kind):
        sound, read, wrap = READERS[kind]
        rng, read_well = random.Random(f"{SEED} {kind}"), 0
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file.ckpt" if kind == "ckpt" else "file")
            self.assertIsNone(self.problem(path, wrap(sound), read))
            for number in range(COUNT):
                data = wrap(changed(sound, rng))
                problem = self.problem(path, data, read)
                read_well += problem is None
                self.assertTrue(problem is None or isinstance(problem, (ValueError, RuntimeError)),
                                f"{kind} {number}: {type(problem).__name__}: {problem}; the file is {data!r}")
        self.assertLess(read_well, COUNT)

    def problem(self, path, data, read):
        """What reading the bytes raises."""
        with open(path, "wb") as file:
            file.write(data)
        try:
            read(path)
        except Exception as problem:  # pylint: disable=broad-except
            return problem
        return None

    def test_checkpoints(self):
        self.check("ckpt")

    def test_numpy_archives(self):
        self.check("npz")

    def test_records(self):
        self.check("tfrecord")

    def test_examples(self):
        self.check("example")

    def test_tables(self):
        self.check("csv")


if __name__ == "__main__":
    for argument in [each for each in sys.argv[1:] if each.startswith(("--count=", "--seed="))]:
        globals()[argument[2:argument.index("=")].upper()] = int(argument[argument.index("=") + 1:])
        sys.argv.remove(argument)
    unittest.main()
