"""Data sets in files, beside what was written into them; forms as MindSpore 2.0.0 reads them."""

import gzip
import io
import struct
import unittest
import zlib

import numpy as np

from plumb import dataset
from plumb.common._crc import masked_crc
from plumb.common.dtype import string as plumb_string
from plumb.dataset import vision
from folders import Folder

RNG = np.random.default_rng(8)


class CifarTest(Folder):
    """Binary files at their real record size."""

    def test_cifar10(self):
        records = {name: RNG.integers(0, 256, (100, 3073)).astype(np.uint8) for name in
                   [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]}
        for name, content in records.items():
            content.tofile(self.folder / f"{name}.bin")
        train = dataset.Cifar10Dataset(str(self.folder), "train", shuffle=False)
        self.assertEqual((train.get_dataset_size(), train.get_col_names()), (500, ["image", "label"]))
        self.assertEqual(dataset.Cifar10Dataset(str(self.folder)).get_dataset_size(), 600)
        image, label = self.rows(train)[250]
        expected = records["data_batch_3"][50]
        np.testing.assert_array_equal(image, expected[1:].reshape(3, 32, 32).transpose(1, 2, 0))
        self.assertEqual((label, label.dtype), (expected[0], np.uint32))
        batch = self.rows(dataset.Cifar10Dataset(str(self.folder), "test", num_samples=64).batch(32))[1][0]
        self.assertEqual((batch.shape, batch.dtype), ((32, 32, 32, 3), np.uint8))

    def test_cifar100(self):
        content = RNG.integers(0, 100, (50, 3074)).astype(np.uint8)
        content.tofile(self.folder / "train.bin")
        image, coarse, fine = self.rows(dataset.Cifar100Dataset(str(self.folder), "train", shuffle=False))[7]
        np.testing.assert_array_equal(image, content[7, 2:].reshape(3, 32, 32).transpose(1, 2, 0))
        self.assertEqual((coarse, fine), tuple(content[7, :2]))

    def test_wrong_files(self):
        with self.assertRaisesRegex(ValueError, "holds none of the files data_batch_1.bin"):
            dataset.Cifar10Dataset(str(self.folder))
        (self.folder / "test_batch.bin").write_bytes(b"x" * 3072)
        with self.assertRaisesRegex(ValueError, "no binary file of Cifar10: its 3072 bytes"):
            dataset.Cifar10Dataset(str(self.folder))
        with self.assertRaisesRegex(ValueError, "usage should be one of 'train', 'test', 'all'"):
            dataset.Cifar10Dataset(str(self.folder), "validation")
        with self.assertRaisesRegex(ValueError, "does not exist"):
            dataset.Cifar10Dataset(str(self.folder / "nowhere"))


class ImageFolderTest(Folder):
    """Folders of images."""

    def setUp(self):
        super().setUp()
        from PIL import Image
        self.images = {}
        for name in ("b/1.png", "b/2.png", "a/0.png", "c/3.png"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            self.images[name] = RNG.integers(0, 256, (9, 7, 3)).astype(np.uint8)
            Image.fromarray(self.images[name]).save(path)
        (self.folder / "a" / "notes.txt").write_text("no image")
        (self.folder / "empty").mkdir()

    def test_decoded(self):
        data = dataset.ImageFolderDataset(str(self.folder), shuffle=False, extensions=[".png"], decode=True)
        self.assertEqual((data.num_classes(), data.get_class_indexing()), (4, {"a": 0, "b": 1, "c": 2, "empty": 3}))
        rows = self.rows(data)
        self.assertEqual([int(label) for _, label in rows], [0, 1, 1, 2])
        for (image, label), name in zip(rows, ("a/0.png", "b/1.png", "b/2.png", "c/3.png")):
            np.testing.assert_array_equal(image, self.images[name])
            self.assertEqual(label.dtype, np.int32)

    def test_bytes_and_decode(self):
        data = dataset.ImageFolderDataset(str(self.folder), shuffle=False, extensions=[".png"], class_indexing={"c": 5, "b": 1})
        content, label = self.rows(data)[-1]
        self.assertEqual((content.tobytes(), int(label)), ((self.folder / "c/3.png").read_bytes(), 5))
        image, _ = self.rows(data.map([vision.Decode(), vision.CenterCrop(4)], ["image"]))[0]
        np.testing.assert_array_equal(image, self.images["b/1.png"][2:6, 1:5])

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "names the folder 'z'"):
            dataset.ImageFolderDataset(str(self.folder), class_indexing={"z": 1})
        data = dataset.ImageFolderDataset(str(self.folder), shuffle=False, decode=True)
        with self.assertRaisesRegex(ValueError, "notes.txt' is no image that can be decoded"):
            self.rows(data)


class LinesTest(Folder):
    """Text and CSV."""

    def test_text(self):
        (self.folder / "t.txt").write_text("first line\n\nsecond, line \n  third\nlast", encoding="utf-8")
        rows = self.rows(dataset.TextFileDataset(str(self.folder / "t.txt"), shuffle=False))
        self.assertEqual([str(row[0]) for row in rows], ["first line", "second, line ", "  third", "last"])

    def test_several_files(self):
        """The order, shards and shuffles of lines of several files; shards as MindSpore 2.0.0 reads them with one worker."""
        for name, count in (("c", 4), ("a", 5), ("b", 2)):
            (self.folder / f"{name}.txt").write_text("".join(f"{name}{number}\n" for number in range(count)))

        def lines(**options):
            data = dataset.TextFileDataset(str(self.folder / "*.txt"), **options)
            found = [str(row) for row, in self.rows(data)]
            self.assertEqual(data.get_dataset_size(), len(found))
            return found

        whole = lines(shuffle=False)
        self.assertEqual(" ".join(whole), "a0 a1 a2 a3 a4 b0 b1 c0 c1 c2 c3")
        for shards, expected in ((2, ["a0 a1 a2 a3 a4 b0", "b1 c0 c1 c2 c3 a0"]), (4, ["a0 a1 a2", "a3 a4 b0", "b1 c0 c1", "c2 c3 a0"])):
            found = [" ".join(lines(shuffle=False, num_shards=shards, shard_id=shard)) for shard in range(shards)]
            self.assertEqual(found, expected)
        self.assertEqual(lines(shuffle=False, num_shards=2, shard_id=1, num_samples=3), ["b1", "c0", "c1"])
        self.assertEqual(sorted(lines(num_shards=2, shard_id=1)), ["a0", "b1", "c0", "c1", "c2", "c3"])
        for _ in range(5):
            found = lines(shuffle=dataset.Shuffle.FILES)
            files = sorted(set(line[0] for line in found), key=[line[0] for line in found].index)
            self.assertEqual(found, [line for file in files for line in whole if line[0] == file])
        with self.assertRaisesRegex(TypeError, "shuffle must be"):
            lines(shuffle=dataset.Shuffle.INFILE)
        with self.assertRaisesRegex(ValueError, "did not match any files"):
            dataset.TextFileDataset(str(self.folder / "*.nothing"))

    def test_csv(self):
        path = self.folder / "a.csv"
        path.write_text('x,y,z\n1,2.5,hello\n3,,"a,b"\n')
        plain = self.rows(dataset.CSVDataset([str(path)], shuffle=False))
        self.assertEqual([[str(item) for item in row] for row in plain], [["1", "2.5", "hello"], ["3", "", "a,b"]])
        typed = self.rows(dataset.CSVDataset(str(path), column_defaults=[7, 1.5, "d"], shuffle=False))
        self.assertEqual([[item.tolist() for item in row] for row in typed], [[1, 2.5, "hello"], [3, 1.5, "a,b"]])
        self.assertEqual([item.dtype for item in typed[0][:2]], [np.int32, np.float32])

    def test_wrong_csv(self):
        path = self.folder / "a.csv"
        path.write_text("x,y\n1,2\n3\n")
        with self.assertRaisesRegex(ValueError, "a.csv:3: 1 fields, but there are 2 columns"):
            dataset.CSVDataset(str(path))
        path.write_text("x\nten\n")
        with self.assertRaisesRegex(ValueError, "a.csv:2: column 'x': 'ten' is no int"):
            dataset.CSVDataset(str(path), column_defaults=[0])
        with self.assertRaisesRegex(ValueError, "did not match any files"):
            dataset.CSVDataset(str(self.folder / "none.csv"))

    def test_trains(self):
        """A table becomes batches of numbers."""
        path = self.folder / "a.csv"
        path.write_text("".join(f"{i},{i * 0.5}\n" for i in range(1000)))
        data = dataset.CSVDataset(str(path), column_names=["n", "half"], column_defaults=[0, 0.0], shuffle=True).batch(100)
        batches = self.rows(data)
        self.assertEqual(sorted(np.concatenate([n for n, _ in batches]).tolist()), list(range(1000)))
        for n, half in batches:
            np.testing.assert_array_equal(half, n * np.float32(0.5))


def varint(number):
    """A number in the encoding of protocol buffers."""
    number &= (1 << 64) - 1
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def field(number, content):
    """A field of bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def example(number):
    """A tf.train.Example of three columns."""
    features = {"id": field(3, field(1, varint(number) + varint(-number))),
                "weights": field(2, field(1, struct.pack("<3f", number, 0.5, -1))), "name": field(1, field(1, b"row %d" % number))}
    return field(1, b"".join(field(1, field(1, name.encode()) + field(2, value)) for name, value in features.items()))


def record(content):
    """A record with its checksums."""
    head = struct.pack("<Q", len(content))
    return head + struct.pack("<I", masked_crc(head)) + content + struct.pack("<I", masked_crc(content))


class TFRecordTest(Folder):
    """Records as TensorFlow writes them."""

    def setUp(self):
        super().setUp()
        self.path = self.folder / "rows.tfrecord"
        self.path.write_bytes(b"".join(record(example(number)) for number in range(20)))

    def test_checksum(self):
        """CRC-32C of the standard's example, masked."""
        crc = 0xE3069283  # of "123456789": RFC 3720, B.4
        self.assertEqual(masked_crc(b"123456789"), ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)

    def test_rows(self):
        data = dataset.TFRecordDataset(str(self.path), shuffle=False)
        self.assertEqual((data.get_dataset_size(), data.get_col_names()), (20, ["id", "name", "weights"]))
        numbers, name, weights = self.rows(data)[11]
        self.assertEqual((numbers.tolist(), name.tobytes(), weights.tolist()), ([11, -11], b"row 11", [11, 0.5, -1]))
        self.assertEqual((numbers.dtype, name.dtype, weights.dtype), (np.int64, np.uint8, np.float32))

    def test_columns_and_schema(self):
        only = self.rows(dataset.TFRecordDataset([str(self.path)] * 2, columns_list=["weights"], shuffle=False))
        self.assertEqual((len(only), only[20][0].tolist()), (40, [0, 0.5, -1]))
        schema = self.folder / "schema.json"
        schema.write_text('{"columns": {"id": {"type": "int32", "rank": 2, "shape": [2, 1]}}}')
        numbers, = self.rows(dataset.TFRecordDataset(str(self.path), str(schema), shuffle=False))[3]
        self.assertEqual((numbers.dtype, numbers.tolist()), (np.int32, [[3], [-3]]))

    def test_strings(self):
        """Several strings in a column: as strings where the schema says so, or as bytes filled up with zeros."""
        words = field(2, field(1, field(1, "é".encode()) + field(1, b"") + field(1, b"abc")))
        self.path.write_bytes(record(field(1, field(1, field(1, b"words") + words))))
        filled = b"\xc3\xa9\0\0\0\0abc"
        for described, expected in ((None, np.frombuffer(filled, np.uint8)), (("string", [-1]), np.array(["é", "", "abc"])),
                                    (("string", [3, 1]), np.array([["é"], [""], ["abc"]])),
                                    (("uint8", [-1, 4]), np.frombuffer(b"\xc3\xa9\0\0\0\0\0\0abc\0", np.uint8).reshape(3, 4))):
            schema = dataset.Schema() if described else None
            if described:
                schema.add_column("words", plumb_string if described[0] == "string" else described[0], described[1])
            found, = self.rows(dataset.TFRecordDataset(str(self.path), schema))[0]
            np.testing.assert_array_equal(found, expected)
            self.assertEqual(found.dtype.kind, expected.dtype.kind)

    def test_shards_and_compression(self):
        """Shards are files, or runs of rows; files may be compressed as a whole."""
        paths = []
        for number, count in enumerate((5, 2, 4)):
            content = b"".join(record(example(10 * number + row)) for row in range(count))
            for kind, packed in (("", content), ("GZIP", gzip.compress(content)), ("ZLIB", zlib.compress(content))):
                paths.append((kind, self.folder / f"{number}.{kind}"))
                paths[-1][1].write_bytes(packed)
        for kind in ("", "GZIP", "ZLIB"):
            def ids(**options):
                data = dataset.TFRecordDataset([str(path) for name, path in paths if name == kind], columns_list=["id"], shuffle=False,
                                               compression_type=kind, **options)
                found = [int(row[0]) for row, in self.rows(data)]
                self.assertEqual(data.get_dataset_size(), len(found))
                return found

            self.assertEqual(ids(), [0, 1, 2, 3, 4, 10, 11, 20, 21, 22, 23])
            self.assertEqual([ids(num_shards=2, shard_id=shard) for shard in range(2)], [[0, 1, 2, 3, 4, 20, 21, 22, 23], [10, 11]])
            self.assertEqual([ids(num_shards=2, shard_id=shard, shard_equal_rows=True) for shard in range(2)],
                             [[0, 1, 2, 3, 4, 10], [11, 20, 21, 22, 23, 0]])
        with self.assertRaisesRegex(ValueError, "no file that GZIP has compressed"):
            dataset.TFRecordDataset(str(self.path), compression_type="GZIP")

    def test_hostile(self):
        """Whatever a file holds, reading it ends with a ValueError or with rows."""
        content = self.path.read_bytes()
        for position in RNG.integers(0, len(content), 300):
            broken = bytearray(content)
            broken[position] ^= 1 << int(RNG.integers(8))
            self.path.write_bytes(bytes(broken[:int(RNG.integers(len(broken) // 2, len(broken) + 1))]))
            try:
                self.rows(dataset.TFRecordDataset(str(self.path), shuffle=False))
            except (ValueError, RuntimeError):
                pass


class DecodeTest(unittest.TestCase):
    """Pictures in their usual forms."""

    def test_forms(self):
        from PIL import Image
        image = RNG.integers(0, 256, (16, 24, 3)).astype(np.uint8)
        for form, exact in (("PNG", True), ("BMP", True), ("JPEG", False)):
            file = io.BytesIO()
            Image.fromarray(np.repeat(np.repeat(image[:4, :6], 4, 0), 4, 1)).save(file, form, quality=95)
            found = vision.Decode()(np.frombuffer(file.getvalue(), np.uint8))
            self.assertEqual((found.shape, found.dtype), ((16, 24, 3), np.uint8))
            if exact:
                np.testing.assert_array_equal(found[::4, ::4], image[:4, :6])
        with self.assertRaisesRegex(ValueError, "no image that can be decoded"):
            vision.Decode()(np.zeros(100, np.uint8))


if __name__ == "__main__":
    unittest.main()
