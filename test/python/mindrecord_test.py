"""MindRecord: files that MindSpore 2.0.0 wrote (test/data/mindrecord), files of our own, and what MindDataset gives of them."""

import collections
import contextlib
import gzip
import os
import pathlib
import pickle
import sqlite3
import struct
import tarfile
import unittest

import numpy as np

from plumb import dataset, mindrecord
from plumb.common._crc import masked_crc
from plumb.common._protobuf import written
from plumb.dataset import MindDataset, vision
from plumb.mindrecord import FileReader, FileWriter, MindPage, _msgpack
import folders

FILES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../data/mindrecord/files.tar.gz")
SCHEMA = {"name": {"type": "string"}, "label": {"type": "int32"}, "big": {"type": "int64"}, "f": {"type": "float32"},
          "d": {"type": "float64"}, "data": {"type": "bytes"}, "arr": {"type": "float32", "shape": [2, -1]},
          "ids": {"type": "int32", "shape": [-1]}, "longs": {"type": "int64", "shape": [-1]}}
PICTURE = {"label": {"type": "int32"}, "note": {"type": "string"}, "data": {"type": "bytes"}}
Feature = collections.namedtuple("Feature", "shape dtype")


def mixed(i):
    """A row of tools/dev/make_mindrecord_golden.py with a field of each kind."""
    return {"name": f"naïve {i}", "label": i, "big": -10 ** 12 * i, "f": 0.25 * i, "d": 0.1 * i, "data": b"abc" * i + b"z",
            "arr": np.arange(2 * (i + 1), dtype=np.float32).reshape(2, -1), "ids": np.array([1, -2, 300, 70000, -129], np.int32)[:i + 1],
            "longs": np.array([1, -2, 300, 2 ** 40, -2 ** 31], np.int64)}


def pictures(count):
    """Its rows that fill several pages."""
    rng = np.random.RandomState(0)
    return [{"label": i, "note": "x" * 300, "data": rng.bytes(20) * rng.randint(5, 200)} for i in range(count)]


def short_rows(count=10):
    """Its rows in several files."""
    return [{"label": i, "note": "ab"[i % 2], "data": b"%d" % i} for i in range(count)]


def plain(row):
    """A row whose arrays can be compared."""
    return {name: (str(value.dtype), value.tolist()) if isinstance(value, np.ndarray) else value for name, value in row.items()}


class Records(folders.Folder):
    """Each test has a folder with the files of MindSpore."""

    def setUp(self):
        super().setUp()
        with tarfile.open(FILES) as archive:
            archive.extractall(self.folder / "theirs")

    def theirs(self, name):
        """The path of a file that MindSpore wrote."""
        return str(self.folder / "theirs" / f"{name}.mindrecord")

    def ours(self, name):
        """A path for a file."""
        return str(self.folder / f"{name}.mindrecord")

    def write(self, name, schema, rows, index=None, shards=1, pages=True, calls=1):  # pylint: disable=too-many-arguments
        """Writes a file; returns its path, of several the first."""
        writer = FileWriter(self.ours(name), shards)
        if pages:
            writer.set_header_size(1 << 14)
            writer.set_page_size(1 << 15)
        self.assertEqual(writer.add_schema(schema, "a description"), 0)
        if index:
            writer.add_index(index)
        for part in np.array_split(np.arange(len(rows)), calls):
            writer.write_raw_data([rows[i] for i in part])
        self.assertEqual(writer.commit(), mindrecord.SUCCESS)
        return self.ours(name) + ("0" if shards > 1 else "")

    def check_rows(self, path, expected):
        """Compares the rows of a file."""
        reader = FileReader(path)
        self.assertEqual(reader.len(), len(expected))
        self.assertEqual([plain(row) for row in reader.get_next()], [plain(row) for row in expected])
        reader.close()


class FormatTest(Records):
    """The format, beside MindSpore's files."""

    EXPECTED = {"mixed": (SCHEMA, [mixed(i) for i in range(5)], ["label", "name"]),
                "blob": ({"label": {"type": "int32"}, "data": {"type": "bytes"}}, [{"label": i, "data": b"%d" % i * 3} for i in range(3)], None),
                "raw": ({"label": {"type": "int32"}, "text": {"type": "string"}}, [{"label": i, "text": f"t{i}"} for i in range(3)], None),
                "bytes": ({"data": {"type": "bytes"}}, [{"data": b"%d" % i * 3} for i in range(3)], None),
                "pages": (PICTURE, pictures(30), None)}

    def test_read(self):
        for name, (schema, rows, _) in self.EXPECTED.items():
            with self.subTest(name=name):
                self.check_rows(self.theirs(name), rows)
                self.assertEqual(FileReader(self.theirs(name)).schema(), schema)

    def test_written_bytes(self):
        """Files of one row group are those that MindSpore writes, byte for byte; so are their indices' rows."""
        for name, (schema, rows, index) in self.EXPECTED.items():
            if name == "pages":
                continue
            with self.subTest(name=name):
                self.addCleanup(os.chdir, os.getcwd())
                os.chdir(self.folder)  # the header has the name
                path = self.write(name, schema, rows, index)
                self.assertEqual(pathlib.Path(path).read_bytes(), pathlib.Path(self.theirs(name)).read_bytes())
                self.assertEqual(self.index(path), self.index(self.theirs(name)))

    def index(self, path):
        """All rows of an index's tables, and the names of their columns."""
        with contextlib.closing(sqlite3.connect(path + ".db")) as base:
            found = [base.execute(f"SELECT * FROM {table}") for table in ("INDEXES", "SHARD_NAME")]
            return [([column[0] for column in cursor.description], cursor.fetchall()) for cursor in found]

    def test_pages(self):
        """Rows on several blob and raw pages; pages that rows' raw fields fill."""
        rows = pictures(200)
        self.check_rows(self.write("many", PICTURE, rows, calls=3), rows)
        rows = [{"label": i, "text": "y" * 900} for i in range(200)]
        self.check_rows(self.write("raws", {"label": {"type": "int32"}, "text": {"type": "string"}}, rows), rows)

    def test_default_sizes(self):
        rows = short_rows(3)
        path = self.write("default", PICTURE, rows, pages=False)
        self.check_rows(path, rows)
        self.assertGreater(os.path.getsize(path), (1 << 24) + (1 << 25))

    def test_shards(self):
        self.check_rows(self.theirs("shards") + "2", short_rows())
        path = self.write("parts", PICTURE, short_rows(30), shards=4, calls=5)
        labels = [row["label"] for row in FileReader(path, columns=["label"]).get_next()]
        self.assertEqual(sorted(labels), list(range(30)))
        sizes = [FileReader([self.ours("parts") + str(number)]).len() for number in range(4)]
        self.assertLessEqual(max(sizes) - min(sizes), 1)
        self.write("eleven", PICTURE, short_rows(), shards=11)
        self.assertTrue(os.path.exists(self.ours("eleven") + "00"))

    def test_append(self):
        for path in (self.theirs("pages"), self.write("own", PICTURE, pictures(30))):
            writer = FileWriter.open_for_append(path)
            writer.write_raw_data(short_rows(3))
            writer.commit()
            self.check_rows(path, pictures(30) + short_rows(3))
        writer = FileWriter.open_for_append(self.theirs("shards") + "0")
        writer.write_raw_data(short_rows(6))
        writer.commit()
        self.assertEqual(FileReader(self.theirs("shards") + "1").len(), 16)

    def test_integers(self):
        rng, schema = np.random.default_rng(1), {kind: {"type": kind, "shape": [-1]} for kind in ("int32", "int64")}
        edges = [value for width in (8, 16, 32) for value in (-2 ** (width - 1) - 1, -2 ** (width - 1), 2 ** (width - 1) - 1, 2 ** (width - 1))]
        rows = [{"int32": np.array([e for e in edges if -2 ** 31 <= e < 2 ** 31], np.int32), "int64": np.array(edges, np.int64)},
                {"int32": np.zeros(0, np.int32), "int64": np.array([-2 ** 63, 2 ** 63 - 1], np.int64)}]
        rows += [{kind: rng.integers(-2 ** shift, 2 ** shift, count).astype(kind) for kind in schema} for count, shift in ((1, 5), (5, 12), (33, 30))]
        self.check_rows(self.write("integers", schema, rows), rows)

    def test_messages(self):
        values = [None, True, False, *range(-40, 140), 255, 256, 65535, 65536, 2 ** 32, 2 ** 64 - 1, -128, -129, -2 ** 15, -2 ** 31 - 1, -2 ** 63,
                  0.5, 0.1, -1e300, "", "é" * 20, "x" * 40, "x" * 300, "x" * 70000]
        row = {f"k{at}": value for at, value in enumerate(values)}
        self.assertEqual(_msgpack.loads(_msgpack.dumps(row)), row)
        self.assertEqual(_msgpack.loads(b"\x93\x01\xc4\x02ab\x81\xa1k\xdc\x00\x00"), [1, b"ab", {"k": []}])
        for broken in (b"", b"\xc1", b"\x81\xa1k", b"\xa5abc", b"\x01\x02", b"\xa1\xff"):
            with self.assertRaisesRegex(ValueError, "MessagePack"):
                _msgpack.loads(broken)

    def test_pages_by_category(self):
        page = MindPage(self.theirs("mixed"))
        self.assertEqual(page.get_category_fields(), ["label", "name"])
        with self.assertRaisesRegex(RuntimeError, "category_field"):
            page.read_category_info()
        page.category_field = "label"
        self.assertIn('{"count":1,"id":3,"name":"3"}', page.read_category_info())
        self.assertEqual(plain(page.read_at_page_by_id(2, 0, 5)[0]), plain(mixed(2)))
        page = MindPage(self.theirs("shards") + "0")
        page.category_field = "note"
        self.assertEqual([row["label"] for row in page.read_at_page_by_name("b", 1, 2)], [5, 7])
        with self.assertRaisesRegex(ValueError, "candidate|one of"):
            page.category_field = "data"


class ErrorsTest(Records):
    """What is refused, and how."""

    def test_schemas(self):
        writer = FileWriter(self.ours("x"))
        for schema, message in (({}, "at least one"), ({"a b": {"type": "int32"}}, "letters"), ({"a": {"type": "int8"}}, "int32"),
                                ({"a": {"type": "string", "shape": [2]}}, "float64, but got 'string'"), ({"a": {"type": "int32", "x": 1}}, "must be"),
                                ({"a": {"type": "bytes", "shape": [2]}}, "with a shape"), ({"a": {"type": "int32", "shape": [-1, -1]}}, "one may be -1")):
            with self.assertRaisesRegex(ValueError, message):
                writer.add_schema(schema)
        with self.assertRaisesRegex(RuntimeError, "add_schema"):
            writer.write_raw_data([])
        writer.add_schema(PICTURE)
        for index, kind in ((["data"], ValueError), (["nope"], ValueError), (["label", "label"], ValueError), ("label", TypeError)):
            with self.assertRaises(kind):
                writer.add_index(index)
        for size in (1 << 13, (1 << 14) + 1, 1 << 28):
            with self.assertRaisesRegex(ValueError, "power of 2"):
                writer.set_header_size(size)
        with self.assertRaisesRegex(ValueError, "1 … 1000"):
            FileWriter("x", 0)

    def test_rows(self):
        writer = FileWriter(self.ours("rows"))
        writer.set_page_size(1 << 15)
        writer.add_schema(SCHEMA)
        for change, kind, message in (({"label": 1.5}, TypeError, "'label' is of type int32"), ({"label": True}, TypeError, "label"),
                                      ({"label": 2 ** 31}, ValueError, "cannot hold"), ({"name": b"x"}, TypeError, "strings"),
                                      ({"data": "x"}, TypeError, "bytes"), ({"arr": np.zeros((3, 2), np.float32)}, ValueError, r"\[2, -1\]"),
                                      ({"ids": np.arange(3)}, TypeError, "int32, but got an array of int64"), ({"data": bytes(40000)}, ValueError, "set_page_size")):
            with self.subTest(change=list(change)), self.assertRaisesRegex(kind, message):
                writer.write_raw_data([{**mixed(1), **change}])
        row = mixed(1)
        del row["d"]
        with self.assertRaisesRegex(ValueError, "no field 'd'"):
            writer.write_raw_data([row])
        with self.assertRaisesRegex(TypeError, "list of dicts"):
            writer.write_raw_data(row)
        writer.write_raw_data([{**mixed(1), "label": np.int64(7), "f": 3, "more": 1}])
        writer.commit()
        found = next(FileReader(self.ours("rows")).get_next())
        self.assertEqual((found["label"], found["f"], "more" in found), (7, 3.0, False))

    def test_files(self):
        path = self.write("there", PICTURE, short_rows())
        with self.assertRaisesRegex(RuntimeError, "overwrite=True"):
            self.write("there", PICTURE, short_rows())
        writer = FileWriter(path, overwrite=True)
        writer.add_schema(PICTURE)
        writer.write_raw_data(short_rows(2))
        with self.assertRaisesRegex(ValueError, "not committed"):
            FileReader(path)
        writer.commit()
        self.assertEqual(FileReader(path).len(), 2)
        os.remove(path + ".db")
        with self.assertRaisesRegex(ValueError, "index"):
            MindDataset(path)
        for path, message in ((self.ours("none"), "does not exist"), (FILES, "no MindRecord file")):
            with self.assertRaisesRegex(ValueError, message):
                MindDataset(path)
        with self.assertRaisesRegex(ValueError, "no field 'nope'"):
            MindDataset(self.theirs("raw"), ["nope"])
        with self.assertRaisesRegex(ValueError, "other fields"):
            FileReader([self.theirs("raw"), self.theirs("blob")])

    def test_damage(self):
        path = self.theirs("blob")
        content = bytearray(pathlib.Path(path).read_bytes())
        content[1 << 14] ^= 1
        pathlib.Path(path).write_bytes(content)
        with self.assertRaisesRegex(ValueError, "row 0 cannot be read"):
            list(FileReader(path).get_next())


class DataTest(Records):
    """MindDataset: what MindSpore 2.0.0 gives of the same files."""

    def labels(self, *args, **options):
        """The labels of a pass over the four files of ten rows."""
        data = MindDataset(self.theirs("shards") + "0", *args, **options)
        found = [int(row["label"]) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
        self.assertEqual(data.get_dataset_size(), len(found))
        return found

    def test_columns(self):
        data = MindDataset(self.theirs("mixed"), shuffle=False)
        self.assertEqual(data.get_col_names(), sorted(SCHEMA))
        self.assertEqual([str(kind) for kind in data.output_types()],
                         ["float32", "int64", "float64", "uint8", "float32", "int32", "int32", "int64", "<U0"])
        row = list(data.create_dict_iterator(num_epochs=1, output_numpy=True))[3]
        self.assertEqual((row["data"].tolist(), row["arr"].shape, float(row["f"]), str(row["name"])), (list(b"abcabcabcz"), (2, 4), 0.75, "naïve 3"))
        data = MindDataset([self.theirs("mixed")], ["name", "ids"], shuffle=False)
        self.assertEqual([len(row) for row in data], [2] * 5)
        batch = next(iter(MindDataset(self.theirs("mixed"), "longs", shuffle=False).batch(5)))
        self.assertEqual((batch[0].shape, str(batch[0].dtype)), ((5, 5), "Int64"))

    def test_parts(self):
        self.assertEqual(self.labels(shuffle=False), list(range(10)))
        self.assertEqual(self.labels(shuffle=False, num_samples=4), [0, 1, 2, 3])
        three = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 0, 1]]
        self.assertEqual([self.labels(shuffle=False, num_shards=3, shard_id=i) for i in range(3)], three)
        self.assertEqual(self.labels(shuffle=False, num_shards=3, shard_id=1, num_samples=2), [4, 5])
        self.assertEqual(self.labels(sampler=dataset.DistributedSampler(4, 1, shuffle=False)), [3, 4, 5])
        self.assertEqual(self.labels(sampler=dataset.SequentialSampler(2, 3)), [2, 3, 4])
        self.assertEqual(self.labels(sampler=dataset.SubsetSampler([5, 1, 7])), [5, 1, 7])
        data = MindDataset([self.theirs("shards") + "0", self.theirs("shards") + "2"], shuffle=False)
        self.assertEqual([int(row["label"]) for row in data.create_dict_iterator(num_epochs=1)], [0, 1, 2, 5, 6])

    def test_padded(self):
        padded = {"label": -1, "note": "pad", "data": b"p"}
        options = {"columns_list": ["label", "note", "data"], "shuffle": False, "padded_sample": padded}
        four = [self.labels(num_padded=6, num_shards=4, shard_id=i, **options) for i in range(4)]
        self.assertEqual(four, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, -1, -1], [-1] * 4])
        self.assertEqual(self.labels(num_padded=3, **options), [*range(10), -1, -1, -1])
        with self.assertRaisesRegex(RuntimeError, "no multiple"):
            self.labels(num_padded=3, num_shards=4, shard_id=0, **options)
        with self.assertRaisesRegex(RuntimeError, "columns_list"):
            self.labels(padded_sample=padded, num_padded=2)
        with self.assertRaisesRegex(RuntimeError, "together"):
            self.labels(num_padded=2)

    def test_shuffles(self):
        starts = [0, 3, 5, 7, 10]
        seen = set()
        for shuffle in (None, True, dataset.Shuffle.GLOBAL, dataset.Shuffle.FILES, dataset.Shuffle.INFILE):
            data = MindDataset(self.theirs("shards") + "0", ["label"], shuffle=shuffle)
            for _ in range(6):
                order = [int(label) for label, in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
                self.assertEqual(sorted(order), list(range(10)))
            passes = data.create_tuple_iterator(num_epochs=6, output_numpy=True)
            orders = {tuple(int(label) for label, in passes) for _ in range(6)}
            self.assertGreater(len(orders), 2, shuffle)
            for order in orders:
                if shuffle is dataset.Shuffle.FILES:
                    self.assertIn((0, 1, 2), [order[i:i + 3] for i in range(8)])
                    seen.add(order.index(0))
                if shuffle is dataset.Shuffle.INFILE:
                    self.assertEqual([sorted(order[b:e]) for b, e in zip(starts, starts[1:])], [list(range(b, e)) for b, e in zip(starts, starts[1:])])
        self.assertGreater(len(seen), 1)
        shards = [self.labels(num_shards=2, shard_id=i) for i in range(2)]
        self.assertEqual(sorted(sum(shards, [])), list(range(10)))

    def test_classes(self):
        drawn = self.labels(sampler=dataset.PKSampler(3, class_column="note"))
        self.assertEqual([label % 2 for label in drawn], [0, 0, 0, 1, 1, 1])
        data = MindDataset(self.theirs("shards") + "0", sampler=dataset.PKSampler(2, shuffle=True, class_column="note"))
        passes = data.create_dict_iterator(num_epochs=8, output_numpy=True)
        self.assertEqual({"".join(str(row["note"]) for row in passes) for _ in range(8)}, {"aabb", "bbaa"})
        with self.assertRaises(NotImplementedError):
            dataset.PKSampler(2, 3)
        with self.assertRaisesRegex(ValueError, "nope"):
            self.labels(sampler=dataset.PKSampler(3, class_column="nope"))

    def test_workers(self):
        """The same rows for any number of workers; operations on columns."""
        def rows(workers):
            data = MindDataset(self.theirs("pages"), ["label", "data"], workers).map(lambda data: data[:20], "data", num_parallel_workers=workers)
            return [(int(label), data.tobytes()) for label, data in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        self.assertEqual(rows(1), rows(3))
        self.assertEqual(dict(rows(1)), {row["label"]: row["data"][:20] for row in pictures(30)})


class ConvertersTest(Records):
    """Data sets in other forms."""

    def rows(self, path):
        """All rows of a file."""
        return list(FileReader(path).get_next())

    def test_csv(self):
        source = self.folder / "table.csv"
        source.write_text('n,size,"the name",ok,gap\n1,2.5,"a, b",True,1\n-3,7,é,False,\n', encoding="utf-8")
        with self.assertRaisesRegex(ValueError, "letters"):
            mindrecord.CsvToMR(str(source), self.ours("csv")).transform()
        source.write_text('n,size,name,ok,gap\n1,2.5,"a, b",True,1\n-3,7,é,False,\n', encoding="utf-8")
        self.assertEqual(mindrecord.CsvToMR(str(source), self.ours("csv"), ["name", "n", "size", "ok", "gap"]).transform(), mindrecord.SUCCESS)
        reader = FileReader(self.ours("csv"))
        self.assertEqual({name: field["type"] for name, field in reader.schema().items()},
                         {"n": "int64", "size": "float64", "name": "string", "ok": "int32", "gap": "float64"})
        first, second = self.rows(self.ours("csv"))
        self.assertEqual(first, {"n": 1, "size": 2.5, "name": "a, b", "ok": 1, "gap": 1.0})
        self.assertTrue(np.isnan(second["gap"]) and second["n"] == -3)

    def test_mnist(self):
        rng = np.random.default_rng(2)
        images, folder = {}, self.folder / "mnist"
        folder.mkdir()
        for part, count in (("train", 5), ("t10k", 3)):
            images[part] = np.kron(rng.integers(0, 256, (count, 7, 7)), np.ones((4, 4))).astype(np.uint8)
            for kind, array in (("images-idx3", images[part]), ("labels-idx1", np.arange(count, dtype=np.uint8))):
                head = b"\0\0\x08" + bytes([array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
                (folder / f"{part}-{kind}-ubyte.gz").write_bytes(gzip.compress(head + array.tobytes()))
        mindrecord.MnistToMR(str(folder), str(self.folder / "digits")).transform()
        self.assertEqual([row["label"] for row in self.rows(str(self.folder / "digits_test.mindrecord"))], [0, 1, 2])
        data = MindDataset(str(self.folder / "digits_train.mindrecord"), shuffle=False).map(vision.Decode(), "data")
        found = np.stack([row["data"] for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)])
        self.assertEqual(found.shape, (5, 28, 28, 3))
        self.assertLess(np.abs(found[..., 0].astype(int) - images["train"]).mean(), 8)

    def test_cifar(self):
        rng = np.random.default_rng(3)
        for name, keys, kind in (("cifar10", {"label": b"labels"}, mindrecord.Cifar10ToMR),
                                 ("cifar100", {"fine_label": b"fine_labels", "coarse_label": b"coarse_labels"}, mindrecord.Cifar100ToMR)):
            folder = self.folder / name
            folder.mkdir()
            files = ["data_batch_1", "data_batch_2", "test_batch"] if name == "cifar10" else ["train", "test"]
            for number, file in enumerate(files):
                content = {b"data": rng.integers(0, 256, (2, 3072)).astype(np.uint8), **{key: [number, 7] for key in keys.values()}}
                (folder / file).write_bytes(pickle.dumps(content, protocol=2))
            kind(str(folder), self.ours(name)).transform(list(keys))
            rows = self.rows(self.ours(name))
            self.assertEqual([(row["id"], *(row[key] for key in keys)) for row in rows][-1], (len(rows) - 1, *[7] * len(keys)))
            self.assertEqual(len(self.rows(self.ours(name) + "_test")), 2)
            self.assertEqual(rows[0]["data"][:2], b"\xff\xd8")
        (self.folder / "cifar10/test_batch").write_bytes(pickle.dumps(os.system, protocol=2))
        with self.assertRaisesRegex(ValueError, "it calls posix.system"):
            mindrecord.Cifar10ToMR(str(self.folder / "cifar10"), self.ours("evil")).transform()

    def test_imagenet(self):
        for name in ("n01", "n02"):
            (self.folder / "images" / name).mkdir(parents=True)
            for number in range(2):
                (self.folder / "images" / name / f"{number}.JPEG").write_bytes(f"{name} {number}".encode())
        (self.folder / "map.txt").write_text("n02 0\nn01 7\n")
        mindrecord.ImageNetToMR(str(self.folder / "map.txt"), str(self.folder / "images"), self.ours("net"), 2).transform()
        rows = {(row["label"], row["file_name"], row["image"]) for row in self.rows(self.ours("net") + "0")}
        self.assertEqual(rows, {(label, f"{i}.JPEG", f"{name} {i}".encode()) for name, label in (("n02", 0), ("n01", 7)) for i in range(2)})
        (self.folder / "map.txt").write_text("n03 0\n")
        with self.assertRaisesRegex(ValueError, r"map.txt:1: there is no folder"):
            mindrecord.ImageNetToMR(str(self.folder / "map.txt"), str(self.folder / "images"), self.ours("no")).transform()

    def test_tfrecord(self):
        def example(i):
            values = {"image/data": written(1, written(1, bytes([i, 255]))), "name": written(1, written(1, f"é{i}")),
                      "label": written(3, written(1, i)), "box": written(2, written(1, np.array([i, 0.5], "<f4").tobytes()))}
            return written(1, b"".join(written(1, written(1, name) + written(2, value)) for name, value in values.items()))
        with open(self.folder / "x.tfrecord", "wb") as file:
            for content in map(example, range(3)):
                length = struct.pack("<Q", len(content))
                file.write(length + struct.pack("<I", masked_crc(length)) + content + struct.pack("<I", masked_crc(content)))
        features = {"image/data": Feature([], "string"), "name": Feature([], "string"), "label": Feature([], "int64"),
                    "box": Feature([2], np.dtype("float32"))}
        mindrecord.TFRecordToMR(str(self.folder / "x.tfrecord"), self.ours("tf"), features, ["image/data"]).transform()
        rows = self.rows(self.ours("tf"))
        self.assertEqual(plain(rows[1]), {"image_data": b"\x01\xff", "name": "é1", "label": 1, "box": ("float32", [1.0, 0.5])})
        for wrong in ({"label": Feature([2, 2], "int64")}, {"name": Feature([3], "string")}, {"label": Feature([], "int8")}, {"label": "int64"}):
            with self.assertRaisesRegex(ValueError, "feature_dict"):
                mindrecord.TFRecordToMR(str(self.folder / "x.tfrecord"), self.ours("no"), wrong)


if __name__ == "__main__":
    unittest.main()
