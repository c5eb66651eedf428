"""Datasets written as JSON and made again: `serialize`, `deserialize`, `compare`, `show`."""

import copy
import json
import logging
import unittest

import plumb
from plumb import dataset
from plumb.dataset import text, transforms, vision
from folders import Folder


def paths(node):
    """Yields (container, key) of each value of JSON."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield node, key
        if isinstance(value, (dict, list)):
            yield from paths(value)


class JsonTest(Folder):
    """What is made again gives the same rows."""

    def setUp(self):
        super().setUp()
        for i in range(6):
            self.picture(f"pictures/class{i % 2}/{i}.png")
        self.write("a.csv", "\n".join(f"{i},{i / 2},t {i}" for i in range(9)))
        logging.getLogger("plumb.dataset").setLevel(logging.ERROR)
        self.addCleanup(logging.getLogger("plumb.dataset").setLevel, logging.NOTSET)

    def table(self, **more):
        """Rows of three columns."""
        return dataset.CSVDataset(str(self.folder / "a.csv"), column_defaults=[1, 1.5, ""], column_names=["i", "f", "t"], shuffle=False, **more)

    def pictures(self, **more):
        """Images with labels."""
        return dataset.ImageFolderDataset(str(self.folder / "pictures"), **more)

    def same(self, data):
        """Makes a dataset again, by a dict and by a file, and compares rows; returns it."""
        plumb.set_seed(5)
        first, path = self.plain(data), str(self.folder / "p.json")
        for made in (dataset.deserialize(json.loads(json.dumps(dataset.serialize(data, path)))), dataset.deserialize(json_filepath=path)):
            self.assertEqual((made.get_col_names(), made.get_dataset_size()), (data.get_col_names(), data.get_dataset_size()))
            self.assertEqual(self.plain(made), first)
            self.assertTrue(dataset.compare(data, made))
        return made

    def test_methods(self):
        table = self.table()
        self.same(table.take(7).skip(1).shuffle(3).rename(["i"], ["n"]).project(["t", "n"]).repeat(2))
        self.same(table.project("f").batch(4, drop_remainder=True))
        self.same(table.project("f").concat(self.table().project("f")) + table.project("f"))
        self.same(dataset.zip((table.project("f"), self.table().project("i"), table.project("t"))))
        self.same(table.project("f").cache())
        self.same(self.pictures(decode=True).padded_batch(2, pad_info={"image": ([22, 24, 3], 0)}))

    def test_operations(self):
        made = self.same(self.pictures(shuffle=False).map(
            [vision.Decode(), vision.Resize((9, 8), vision.Inter.NEAREST), vision.RandomCrop(6), vision.Normalize([1.0] * 3, [2.0] * 3),
             vision.HWC2CHW()], "image").map(transforms.TypeCast(plumb.float32), "label").batch(2))
        self.assertFalse(dataset.compare(made, self.pictures(shuffle=False).batch(2)))
        self.same(self.table().map([text.WhitespaceTokenizer(), text.SlidingWindow(2)], "t"))
        self.same(self.table().map(transforms.RandomChoice([transforms.Fill(3), transforms.TypeCast("int64")]), "i").project("i"))

    def test_samplers(self):
        for sampler in (dataset.SubsetSampler([4, 1]), dataset.DistributedSampler(2, 1, shuffle=False), dataset.PKSampler(2),
                        dataset.WeightedRandomSampler([1.0, 2, 3], 2)):
            self.same(self.pictures(sampler=sampler, decode=True))
        outer = dataset.SequentialSampler(1, 2)
        outer.add_child(dataset.SubsetSampler([5, 3, 1]))
        self.same(self.pictures(sampler=outer))
        replaced = self.pictures()
        replaced.use_sampler(dataset.SubsetSampler([0]))
        for data in (replaced, self.pictures().split([2, 4])[0]):
            with self.assertRaisesRegex(ValueError, "stood for a Python object"):
                dataset.deserialize(dataset.serialize(data))

    def test_python_objects(self):
        data = dataset.NumpySlicesDataset([1, 2, 3], shuffle=False)
        double, halve = data.map(lambda x: x * 2), data.map(lambda x: x / 2)
        with self.assertLogs("plumb.dataset", "WARNING") as logged:
            node = dataset.serialize(double)
        self.assertIn("NumpySlicesDataset", logged.output[0])
        with self.assertRaisesRegex(ValueError, "stood for a Python object"):
            dataset.deserialize(node)
        self.assertTrue(dataset.compare(double, double))
        self.assertFalse(dataset.compare(double, halve))
        self.assertFalse(dataset.compare(data, dataset.NumpySlicesDataset([4], shuffle=False)))
        with self.assertLogs("plumb.dataset", "INFO") as logged:
            dataset.show(data.batch(2))
        self.assertIn('"op_type": "batch"', logged.output[0])

    def test_hostile_json(self):
        path = self.folder / "p.json"
        node = dataset.serialize(self.pictures(sampler=dataset.SubsetSampler([0])).map(
            [vision.Decode(), vision.Resize((4, 4)), transforms.TypeCast(plumb.float32)], "image"))
        count = 0
        for number in range(sum(1 for _ in paths(node))):
            for value in ("x", 5, None, [], {}, {"lost": "f"}, {"tensor_op_name": "Decode"}):
                hostile = copy.deepcopy(node)
                container, key = list(paths(hostile))[number]
                container[key] = value
                path.write_text(json.dumps(hostile))
                try:
                    dataset.deserialize(json_filepath=str(path))
                except ValueError as problem:
                    count += 1
                    self.assertIn(str(path), str(problem))
        self.assertGreater(count, 100)
        for content in ("", "{", "[]", '{"op_type": "eval", "children": []}', '{"op_type": "__class__", "children": [{}]}', "[" * 9999):
            path.write_text(content)
            with self.assertRaisesRegex(ValueError, "p.json"):
                dataset.deserialize(json_filepath=str(path))
        self.assertIsNone(dataset.deserialize())


if __name__ == "__main__":
    unittest.main()
