"""Sets of texts in several languages, schemas and random rows, callbacks of rows; results are those of MindSpore 2.0.0."""

import json
import unittest

import numpy as np

import plumb
from plumb import dataset
from plumb.dataset import transforms, vision
from folders import Folder

SEGMENTS = """<?xml version="1.0" encoding="UTF-8"?>
<mteval><refset><doc docid="1"><title>T</title><hl><seg id="1"> {0} one &amp; so </seg></hl>
<seg id="2">{0} two</seg></doc></refset></mteval>
"""


class LanguagesTest(Folder):
    """CLUE and IWSLT."""

    def test_clue(self):
        line = {"target": {"span2_index": 28, "span1_index": 3, "span1_text": "傅", "span2_text": "他"}, "idx": 4, "label": "true",
                "text": "x y", "keyword": ["k", "l m"], "id": 2, "abst": "ab"}
        self.write("b.json", json.dumps(line) + "\n\n" + json.dumps(dict(line, text="z"), ensure_ascii=False) + "\n")
        path = str(self.folder / "b.json")
        data = dataset.CLUEDataset(path, "WSC", shuffle=False)
        self.assertEqual(data.get_col_names(), ["idx", "label", "span1_index", "span1_text", "span2_index", "span2_text", "text"])
        self.assertEqual(self.plain(data), [[4, "true", 3, "傅", 28, "他", text] for text in ("x y", "z")])
        data = dataset.CLUEDataset([path], "CSL", "test", shuffle=False)
        self.assertEqual((data.get_col_names(), self.plain(data)[0]), (["abst", "id", "keyword"], ["ab", 2, ["k", "l m"]]))
        self.assertEqual(self.rows(data)[0][1].dtype, np.uint32)
        for text, message in (("{", "no JSON"), ("5", "failed to find key: id"), ('{"target": 5}', "key: id"), ('{"id": -1, "sentence": "x"}', "'id' should be a string")):
            self.write("b.json", text)
            with self.assertRaisesRegex(ValueError, f"b.json:1.*{message}"):
                dataset.CLUEDataset(path, "TNEWS" if text == "{" else "IFLYTEK", "test")
        with self.assertRaisesRegex(ValueError, "task should be"):
            dataset.CLUEDataset(path, "X")

    def test_translations(self):
        folder = "texts/de/en/de-en/"
        for language in ("de", "en"):
            self.write(f"{folder}train.tags.de-en.{language}", f"<url>u</url>\n<title>T</title>\n {language} one &amp; \n<b> {language}\n")
            for name in ("tst2013", "tst2014"):
                self.write(f"{folder}IWSLT16.TED.{name}.de-en.{language}.xml", SEGMENTS.format(f"{name} {language}"))
        train = [["de one &amp;", "en one &amp;"], ["<b> de", "<b> en"]]
        valid = [["tst2013 de one & so", "tst2013 en one & so"], ["tst2013 de two", "tst2013 en two"]]
        for usage, expected in (("train", train), ("valid", valid)):
            self.assertEqual(self.plain(dataset.IWSLT2016Dataset(str(self.folder), usage, shuffle=False)), expected)
        self.assertEqual(dataset.IWSLT2016Dataset(str(self.folder)).get_dataset_size(), 6)
        self.assertEqual(self.plain(dataset.IWSLT2016Dataset(str(self.folder), "test", test_set="tst2013", shuffle=False)), valid)
        self.write(folder + "IWSLT16.TED.tst2013.de-en.en.xml", "<mteval><seg>one</seg></mteval>")
        with self.assertRaisesRegex(ValueError, "de-en.de.xml' has 2 lines of text, but .*de-en.en.xml' has 1"):
            dataset.IWSLT2016Dataset(str(self.folder), "valid")
        self.write(folder + "IWSLT16.TED.tst2013.de-en.en.xml", "<mteval><seg>")
        with self.assertRaisesRegex(ValueError, "de-en.en.xml' is no XML"):
            dataset.IWSLT2016Dataset(str(self.folder), "valid")
        with self.assertRaisesRegex(ValueError, "Input language_pair"):
            dataset.IWSLT2016Dataset(str(self.folder), "valid", ("de", "fr"))

    def test_translations_of_2017(self):
        folder = "texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo/"
        for language in ("nl", "it"):
            self.write(f"{folder}IWSLT17.TED.dev2010.nl-it.{language}.xml", SEGMENTS.format(language))
        rows = self.plain(dataset.IWSLT2017Dataset(str(self.folder), "valid", ("nl", "it"), shuffle=False))
        self.assertEqual(rows, [["nl one & so", "it one & so"], ["nl two", "it two"]])


class SchemaTest(Folder):
    """Schemas, and rows of random numbers."""

    def test_columns(self):
        schema = dataset.Schema()
        schema.add_column("b", plumb.uint8, [2])
        schema.add_column("a", "float32")
        expected = [{"name": "b", "rank": 1, "shape": [2], "type": "uint8"}, {"name": "a", "rank": 1, "type": "float32"}]
        self.assertEqual(json.loads(schema.to_json()), {"columns": expected})
        schema = dataset.Schema()
        schema.parse_columns({"x": {"type": "int8", "shape": [3, 3]}, "y": {"type": "int8"}})
        self.assertEqual(json.loads(schema.to_json())["columns"], [{"name": "x", "rank": 2, "shape": [3, 3], "type": "int8"},
                                                                   {"name": "y", "rank": 0, "shape": [], "type": "int8"}])
        for arguments, problem in ((("z", "foo"), TypeError), ((5, plumb.int32), TypeError), (("z", plumb.int32, 5), TypeError),
                                   (("z", plumb.int32, ["a"]), RuntimeError)):
            with self.assertRaises(problem):
                schema.add_column(*arguments)
        schema.add_column("x", plumb.int32)  # takes the place of the other x
        self.assertEqual(json.loads(schema.to_json())["columns"][1:], [{"name": "x", "rank": 1, "type": "int32"}])
        for columns in (5, [{"name": "x"}], [{"type": "int8"}], [3]):
            with self.assertRaises(RuntimeError):
                schema.parse_columns(columns)

    def test_files(self):
        path = str(self.folder / "schema.json")
        self.write("schema.json", '{"datasetType": "TF", "numRows": 7, "columns": {"i": {"type": "uint8", "rank": 1}}}')
        schema = dataset.Schema(path)
        self.assertEqual((schema.get_num_rows(), schema.names()), (7, ["i"]))
        for text in ("{", "{}", '{"columns": 5}', '{"numRows": -1, "columns": []}', '{"columns": {"a": 5}}', '{"columns": {"a": {"type": "x"}}}'):
            self.write("schema.json", text)
            with self.assertRaisesRegex((ValueError, TypeError, RuntimeError), "schema.json"):
                dataset.Schema(path)

    def test_random_rows(self):
        schema = dataset.Schema()
        for name in ("uint8", "int64", "float32", "bool"):
            schema.add_column(name, name, [40, 50])
        data = dataset.RandomDataset(6, schema)
        rows = self.rows(data)
        self.assertEqual([(value.dtype, value.shape) for value in rows[0]], [(np.dtype(name), (40, 50)) for name in schema.names()])
        self.assertEqual([value.tolist() for value in rows[3]], [value.tolist() for value in self.rows(data)[3]])
        self.assertGreater(len(np.unique(rows[0][0])), 240)
        self.assertTrue(0 < rows[0][2].min() < 0.01 and 0.99 < rows[0][2].max() < 1)
        self.assertEqual(dataset.RandomDataset(6, schema, ["bool"], num_samples=2).get_dataset_size(), 2)
        self.assertEqual(dataset.RandomDataset(6, schema, num_shards=4, shard_id=3).get_dataset_size(), 2)
        for arguments, problem in (((6,), ValueError), (("x", schema), TypeError), ((0, schema), ValueError), ((6, schema, ["z"]), ValueError)):
            with self.assertRaises(problem):
                dataset.RandomDataset(*arguments)


class MarkTest(unittest.TestCase):
    """Functions that are marked."""

    def test_not_random(self):
        for mark in (transforms.not_random, vision.not_random):
            function = mark(lambda x: x)
            self.assertIs(function.random, False)
            self.assertEqual(function(3), 3)


if __name__ == "__main__":
    unittest.main()
