"""Values that rows of datasets may hold, and what programs do with rows beside training: results of MindSpore 2.0.0."""

import unittest

import numpy as np

import plumb
from plumb import Parameter, Tensor, _c_dataengine, dataset as ds
from plumb.dataset import text, vision
from plumb.dataset.core.datatypes import mstype_to_detype
from plumb.dataset.text.transforms import Implementation, TextTensorOperation
from plumb.dataset.transforms.transforms import PyTensorOperation, TensorOperation
from folders import Folder


def passed(dataset, **options):
    """One pass as a list of dicts."""
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True, **options))


def measured():
    """Three rows of a dict and a number."""
    for number in range(3):
        yield {"n": number, "deep": {"powers": np.power(number, [1, 2])}, "both": [number, "a"]}, number


class DictTest(unittest.TestCase):
    """Rows that hold dicts."""

    def setUp(self):
        self.data = ds.GeneratorDataset(measured, ["found", "number"])

    def test_each_value_is_an_array_where_it_is_seen(self):
        found = passed(self.data)[2]["found"]
        self.assertEqual((found["n"], found["n"].shape), (2, ()))
        self.assertEqual(found["deep"]["powers"].tolist(), [2, 4])
        self.assertIsInstance(found["both"], list)
        self.assertIsInstance(next(iter(self.data))[0]["deep"]["powers"], Tensor)

    def test_functions_get_the_dict_itself(self):
        data = self.data.map(lambda found: found["deep"], "found")
        self.assertEqual([row["found"]["powers"].tolist() for row in passed(data)], [[0, 0], [1, 1], [2, 4]])
        data = self.data.map(lambda found: tuple(found["deep"]["powers"]), "found", ["a", "b"]).project(["a", "b"])
        self.assertEqual([(int(row["a"]), int(row["b"])) for row in passed(data)], [(0, 0), (1, 1), (2, 4)])

    def test_batches_are_dicts_of_batches(self):
        data = self.data.map(lambda found: {"deep": found["deep"]}, "found").batch(2)
        self.assertEqual([row["found"]["deep"]["powers"].tolist() for row in passed(data)], [[[0, 0], [1, 1]], [[2, 4]]])

    def test_functions_of_batches_may_make_dicts(self):
        together = lambda numbers, info: ({"sum": np.sum(numbers), "batch": info.get_batch_num()},)
        data = self.data.project("number").batch(2, per_batch_map=together, input_columns=["number"])
        self.assertEqual([(int(row["number"]["sum"]), int(row["number"]["batch"])) for row in passed(data)], [(1, 0), (2, 1)])

    def test_batches_of_other_keys_are_refused(self):
        data = ds.GeneratorDataset([{"a": 1}, {"b": 1}], ["found"], shuffle=False).batch(2)
        with self.assertRaisesRegex(ValueError, "the same keys"):
            passed(data)
        data = ds.GeneratorDataset([{"a": [1]}, {"a": [1, 2]}], ["found"], shuffle=False).batch(2)
        with self.assertRaisesRegex(ValueError, "not alike"):
            passed(data)


class PlaneTest(unittest.TestCase):
    """Images without an axis of channels."""

    def setUp(self):
        self.plane = np.arange(12, dtype=np.float32).reshape(3, 4)

    def test_operations_on_images_take_planes(self):
        np.testing.assert_allclose(vision.Normalize([2.0], [4.0])(self.plane), (self.plane - 2) / 4, rtol=1e-6)
        self.assertEqual(vision.Resize((6, 2))(self.plane).shape, (6, 2))
        np.testing.assert_array_equal(vision.HWC2CHW()(self.plane), self.plane)

    def test_datasets_of_planes(self):
        data = ds.NumpySlicesDataset({"x": self.plane[np.newaxis]}, shuffle=False)
        data = data.map([vision.Rescale(0.5, 0.0), vision.Normalize([2.0], [4.0]), vision.HWC2CHW()], "x")
        np.testing.assert_allclose(passed(data)[0]["x"], (self.plane / 2 - 2) / 4, rtol=1e-6)

    def test_channels_first(self):
        image = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        found = vision.Normalize([1.0, 2.0], [2.0, 4.0], is_hwc=False)(image)
        np.testing.assert_allclose(found, [(image[0] - 1) / 2, (image[1] - 2) / 4], rtol=1e-6)
        data = ds.NumpySlicesDataset({"x": image[np.newaxis]}, shuffle=False)
        data = data.map([vision.Rescale(2.0, 0.0), vision.Normalize([1.0, 2.0], [2.0, 4.0], False)], "x")
        np.testing.assert_allclose(passed(data)[0]["x"], [(2 * image[0] - 1) / 2, (2 * image[1] - 2) / 4], rtol=1e-6)


class SyncTest(unittest.TestCase):
    """Rows that wait for what the program learns from those before."""

    def test_updates_reach_the_next_row(self):
        added = [0]
        data = ds.NumpySlicesDataset([10, 20, 30], "x", shuffle=False)
        data = data.sync_wait("step", callback=lambda found: added.append(found["step"]))
        data = data.map(lambda x: x + added[-1], "x")
        seen, iterator = [], data.create_tuple_iterator(num_epochs=2, output_numpy=True)
        for _ in range(2):
            for row in iterator:
                seen.append(int(row[0]))
                data.sync_update("step", data={"step": len(seen)})
        self.assertEqual(seen, [10, 21, 32, 13, 24, 35])

    def test_other_names_are_refused(self):
        data = ds.NumpySlicesDataset([1], "x").sync_wait("step")
        with self.assertRaisesRegex(RuntimeError, "condition_name 'epoch'"):
            data.sync_update("epoch")
        with self.assertRaisesRegex(ValueError, "num_batch"):
            data.sync_wait("other", 0)


class SaveTest(Folder):
    """Rows as MindRecord files."""

    def saved(self, columns):
        """The rows of columns, read from a file of theirs."""
        ds.NumpySlicesDataset(columns, shuffle=False).save(str(self.folder / "rows.mindrecord"))
        return passed(ds.MindDataset(str(self.folder / "rows.mindrecord"), shuffle=False))

    def test_elements_are_widened_and_images_are_bytes(self):
        shape = np.arange(12).reshape(2, 2, 3)
        rows = self.saved({"i": shape.astype(np.int16), "u": np.arange(2, dtype=np.uint32), "f": shape.astype(np.float64),
                           "image": shape.astype(np.uint8), "s": ["one", "two"]})
        self.assertEqual({name: (value.dtype.str[1:2], value.shape) for name, value in rows[1].items()},
                         {"i": ("i", (2, 3)), "u": ("i", ()), "f": ("f", (2, 3)), "image": ("u", (6,)), "s": ("U", ())})
        self.assertEqual((rows[1]["i"].dtype, rows[1]["u"].dtype, rows[1]["f"].dtype), (np.int32, np.int64, np.float64))
        self.assertEqual((rows[1]["image"].tolist(), str(rows[1]["s"])), (list(range(6, 12)), "two"))

    def test_several_files_of_rows_of_any_length(self):
        source = ds.GeneratorDataset([(np.arange(number + 1), number) for number in range(5)], ["v", "n"], shuffle=False)
        source.save(str(self.folder / "rows"), 2)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["rows0", "rows0.db", "rows1", "rows1.db"])
        rows = passed(ds.MindDataset(str(self.folder / "rows0"), shuffle=False))
        self.assertEqual(sorted(row["v"].tolist() for row in rows), [list(range(number + 1)) for number in range(5)])

    def test_what_files_cannot_hold(self):
        with self.assertRaisesRegex(TypeError, "no float16"):
            self.saved({"x": np.ones(2, np.float16)})
        with self.assertRaisesRegex(ValueError, "file_type"):
            ds.NumpySlicesDataset([1]).save(str(self.folder / "x"), file_type="tfrecord")


class Shorter(TextTensorOperation):
    """Keeps the first words."""

    def __init__(self, count):
        super().__init__()
        self.count, self.implementation = count, Implementation.PY

    def _execute_py(self, words):
        return words[:self.count]


class Doubled(PyTensorOperation):
    """Twice the value."""

    def _execute_py(self, value):
        return value * 2


class Numbers(TextTensorOperation):
    """Words to numbers, by an operation of the package's."""

    def __init__(self, vocab, unknown):
        super().__init__()
        self.vocab, self.unknown = vocab, unknown

    def parse(self):
        """The operation to call."""
        return _c_dataengine.LookupOperation(self.vocab.c_vocab, self.unknown, str(mstype_to_detype(plumb.int32)))


class OwnOperationTest(unittest.TestCase):
    """Operations derived from the bases."""

    def test_alone_and_in_map(self):
        self.assertEqual(Shorter(2)(["a", "b", "c"]), ["a", "b"])
        data = ds.NumpySlicesDataset({"x": [[1, 2, 3], [4, 5, 6]]}, shuffle=False).map([Shorter(2), Doubled()], "x")
        self.assertEqual([row["x"].tolist() for row in passed(data)], [[2, 4], [8, 10]])

    def test_parse_names_an_operation(self):
        numbers = Numbers(text.Vocab.from_list(["b", "a"]), "a")
        self.assertEqual(numbers(np.array(["b", "c"])).tolist(), [0, 1])
        data = ds.NumpySlicesDataset({"x": [["a", "b"]]}, shuffle=False).map(numbers, "x")
        self.assertEqual(passed(data)[0]["x"].dtype, np.int32)

    def test_what_does_not_compute(self):
        with self.assertRaisesRegex(NotImplementedError, "Implementation.PY"):
            TensorOperation()(1)
        with self.assertRaisesRegex(NotImplementedError, "_execute_py"):
            PyTensorOperation()(1)


class KindTest(unittest.TestCase):
    """Datasets by the class of what they do."""

    def test_what_methods_make(self):
        data = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
        python = ds.GeneratorDataset([1, 2, 3], "x", shuffle=False)
        for source in (data, python):
            self.assertIsInstance(source, (ds.MappableDataset, ds.TextBaseDataset))
            self.assertNotIsInstance(source.batch(2), ds.SourceDataset)
            for made, kind in ((source.batch(2), ds.BatchDataset), (source.repeat(2), ds.RepeatDataset),
                               (source.take(1), ds.TakeDataset), (source.skip(1), ds.SkipDataset),
                               (source.shuffle(2), ds.ShuffleDataset), (source + source, ds.ConcatDataset),
                               (source.map(lambda x: x), ds.MapDataset), (source.rename("x", "y"), ds.RenameDataset),
                               (source.padded_batch(2, pad_info={}), ds.PaddedBatchDataset),
                               (source.zip(source.rename("x", "y")), ds.ZipDataset)):
                self.assertIsInstance(made, kind)
                self.assertNotIsInstance(source, kind)
        self.assertIsInstance(data.create_dict_iterator(), ds.DictIterator)

    def test_nodes_by_their_class(self):
        source = ds.GeneratorDataset([1, 2, 3], "x", shuffle=False)
        data = ds.RepeatDataset(ds.BatchDataset(ds.ConcatDataset([source, source]), 2, drop_remainder=True), 2)
        self.assertEqual([row["x"].tolist() for row in passed(data)], [[1, 2], [3, 1], [2, 3]] * 2)
        with self.assertRaisesRegex(TypeError, "GeneratorDataset"):
            ds.TextBaseDataset()


class ParameterTest(unittest.TestCase):
    """Values of Parameters."""

    def test_set_data_of_a_slice(self):
        parameter = Parameter(Tensor(np.zeros(2, np.float32)), name="p")
        parameter.set_data(Tensor(np.ones(2, np.float32)), slice_shape=True)
        self.assertEqual(parameter.asnumpy().tolist(), [1, 1])
        with self.assertRaisesRegex(ValueError, "shape"):
            parameter.set_data(Tensor(np.ones(3, np.float32)))
        parameter.set_data(Tensor(np.ones(3, np.float32)), slice_shape=True)
        self.assertEqual(parameter.asnumpy().tolist(), [1, 1, 1])


if __name__ == "__main__":
    unittest.main()
