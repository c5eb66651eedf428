"""Public data sets in files of their forms, beside what was written into them; rows are those that MindSpore 2.0.0 gives."""

import json
import unittest

import numpy as np

from plumb import dataset
from folders import Folder, RNG

TABLES = {"AGNews": ["index", "title", "description"], "DBpedia": ["class", "title", "content"],
          "YahooAnswers": ["class", "title", "content", "answer"], "YelpReview": ["label", "text"],
          "AmazonReview": ["label", "title", "content"], "SogouNews": ["index", "title", "content"]}
ANNOTATION = """<annotation><size><width>24</width><height>20</height><depth>3</depth></size>{}</annotation>"""
OBJECT = """<object><name>{}</name><truncated>{}</truncated><difficult>{}</difficult>
<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>11</xmax><ymax>14</ymax></bndbox></object>"""


class TextsTest(Folder):
    """Sets of texts."""

    def test_tables(self):
        for name, columns in TABLES.items():
            with self.subTest(name=name):
                for part in ("train", "test"):
                    self.write(f"{part}.csv", "".join('"{}",'.format(i) + ",".join(f'"{part} {i}, ""so"" {j}"' for j in columns[1:]) + "\n"
                                                      for i in range(3)))
                kind = getattr(dataset, name + "Dataset")
                train = kind(str(self.folder), usage="train", shuffle=False)
                self.assertEqual((train.get_col_names(), train.get_dataset_size()), (columns, 3))
                self.assertEqual(self.plain(train)[1], ["1"] + [f'train 1, "so" {j}' for j in columns[1:]])
                self.assertEqual(kind(str(self.folder)).get_dataset_size(), 6)
                with self.assertRaisesRegex(ValueError, "usage"):
                    kind(str(self.folder), usage="valid")

    def test_lines(self):
        for part in ("train", "test", "valid"):
            self.write(f"ptb.{part}.txt", f" no it was n't {part} \n\n second <unk> line \n")
            self.write(f"wiki.{part}.tokens", f" \n = {part} = \n")
        rows = self.plain(dataset.PennTreebankDataset(str(self.folder), "train", shuffle=False))
        self.assertEqual(rows, [[" no it was n't train "], [" second <unk> line "]])
        self.assertEqual(self.plain(dataset.WikiTextDataset(str(self.folder), "valid", shuffle=False)), [[" "], [" = valid = "]])
        self.write("enwik9", "<a>\n text\n\n more \n")
        self.assertEqual(self.plain(dataset.EnWik9Dataset(str(self.folder), shuffle=False)), [["<a>"], [" text"], [""], [" more "]])

    def test_sst2(self):
        self.write("train.tsv", "sentence\tlabel\nhide new \t0\ngood one\t1\n")
        self.write("test.tsv", "index\tsentence\n0\tuneasy .\n")
        self.assertEqual(self.plain(dataset.SST2Dataset(str(self.folder), shuffle=False)), [["hide new ", "0"], ["good one", "1"]])
        test = dataset.SST2Dataset(str(self.folder), "test", shuffle=False)
        self.assertEqual((test.get_col_names(), self.plain(test)), (["sentence"], [["uneasy ."]]))

    def test_pairs(self):
        for language in ("en", "de"):
            self.write(f"training/train.{language}", f"{language} one\n{language} two\n")
        self.assertEqual(self.plain(dataset.Multi30kDataset(str(self.folder), "train", shuffle=False)),
                         [["en one", "de one"], ["en two", "de two"]])
        other = dataset.Multi30kDataset(str(self.folder), "train", ["de", "en"], shuffle=False)
        self.assertEqual(self.plain(other)[0], ["de one", "en one"])

    def test_tags(self):
        self.write("train.txt", "Confidence NN B-NP\nin IN B-PP\n\nIt PRP B-NP\n\n")
        self.assertEqual(self.plain(dataset.CoNLL2000Dataset(str(self.folder), "train", shuffle=False)),
                         [[["Confidence", "in"], ["NN", "IN"], ["B-NP", "B-PP"]], [["It"], ["PRP"], ["B-NP"]]])
        self.write("en-ud-tag.v2.dev.txt", "Al\tPROPN\tNNP\n\nFrom\tADP\tIN\n")
        self.assertEqual(self.plain(dataset.UDPOSDataset(str(self.folder), "valid", shuffle=False)),
                         [[["Al"], ["PROPN"], ["NNP"]], [["From"], ["ADP"], ["IN"]]])

    def test_documents(self):
        for side in ("pos", "neg"):
            self.write(f"train/{side}/0_7.txt", f"{side}<br />\n two lines")
        rows = self.rows(dataset.IMDBDataset(str(self.folder), "train", shuffle=False))
        self.assertEqual([(str(text), int(label), label.dtype) for text, label in rows],
                         [("pos<br />\n two lines", 1, np.int32), ("neg<br />\n two lines", 0, np.int32)])
        questions = [{"question": "Who?", "answers": [{"text": "The cat", "answer_start": 0}, {"text": "cat", "answer_start": 4}]},
                     {"question": "Why?", "answers": []}]
        content = {"data": [{"paragraphs": [{"context": "The cat sat.", "qas": questions}]}]}
        self.write("dev-v2.0.json", json.dumps(content))
        self.assertEqual(self.plain(dataset.SQuADDataset(str(self.folder), "dev", shuffle=False)),
                         [["The cat sat.", "Who?", ["The cat", "cat"], [0, 4]], ["The cat sat.", "Why?", [""], [2 ** 32 - 1]]])


class CharactersTest(Folder):
    """Sets of small images in binary files."""

    def test_emnist(self):
        images, labels = RNG.integers(0, 256, (5, 28, 28)).astype(np.uint8), RNG.integers(0, 26, 5).astype(np.uint8)
        self.idx("emnist-letters-train-images-idx3-ubyte", images)
        self.idx("emnist-letters-train-labels-idx1-ubyte", labels)
        rows = self.rows(dataset.EMnistDataset(str(self.folder), "letters", "train", shuffle=False))
        np.testing.assert_array_equal(np.stack([row[0] for row in rows])[..., 0], images)
        self.assertEqual([int(row[1]) for row in rows], labels.tolist())
        self.assertTrue(dataset.EMnistDataset(str(self.folder), "letters", "train").batch(2).native)
        with self.assertRaisesRegex(ValueError, "emnist-letters-test"):
            dataset.EMnistDataset(str(self.folder), "letters")

    def test_qmnist(self):
        images, labels = RNG.integers(0, 256, (4, 28, 28)).astype(np.uint8), RNG.integers(0, 60000, (4, 8)).astype(np.int32)
        self.idx("qmnist-train-images-idx3-ubyte", images)
        self.idx("qmnist-train-labels-idx2-int", labels)
        rows = self.rows(dataset.QMnistDataset(str(self.folder), "train", False, shuffle=False))
        np.testing.assert_array_equal([row[1] for row in rows], labels)
        compact = self.rows(dataset.QMnistDataset(str(self.folder), "train", shuffle=False))
        self.assertEqual([int(row[1]) for row in compact], labels[:, 0].tolist())

    def test_kmnist(self):
        images = RNG.integers(0, 256, (3, 28, 28)).astype(np.uint8)
        self.idx("t10k-images-idx3-ubyte", images)
        self.idx("t10k-labels-idx1-ubyte", np.arange(3, dtype=np.uint8))
        data = dataset.KMnistDataset(str(self.folder), "test", shuffle=False)
        self.assertEqual(data.get_dataset_size(), 3)

    def test_samplers(self):
        """Samplers that replace, or pick among the rows of, the present one: which rows come, with those of MindSpore 2.0.0."""
        self.idx("train-images-idx3-ubyte", np.arange(20, dtype=np.uint8).repeat(784).reshape(20, 28, 28))
        self.idx("train-labels-idx1-ubyte", np.arange(20, dtype=np.uint8) % 10)
        chosen, every_other = dataset.SubsetSampler([9, 8, 7, 6]), list(range(1, 20, 2))
        for options, method, sampler, rows in (
                ({}, "use", dataset.SequentialSampler(2, 3), [2, 3, 4]), ({}, "add", dataset.SubsetSampler([3, 1, 2]), [3, 1, 2]),
                ({"num_samples": 6}, "use", dataset.DistributedSampler(2, 1, False), every_other),
                ({"num_samples": 6}, "add", dataset.DistributedSampler(2, 1, False), [1, 3, 5]),
                ({"sampler": chosen}, "use", dataset.SequentialSampler(2, 3), [2, 3, 4]),
                ({"sampler": chosen}, "add", dataset.SubsetSampler([3, 1, 2]), [6, 8, 7])):
            data = dataset.FashionMnistDataset(str(self.folder), "train", shuffle=None if "sampler" in options else False, **options)
            getattr(data, method + "_sampler")(sampler)
            with self.subTest(options=options, method=method):
                self.assertEqual(([int(image[0, 0, 0]) for image, _ in self.rows(data)], data.get_dataset_size()), (rows, len(rows)))
        with self.assertRaisesRegex(AttributeError, "has no attribute 'use_sampler': call it on the 'MnistDataset' first"):
            dataset.MnistDataset(str(self.folder), "train").batch(2).use_sampler(chosen)

    def test_stl10(self):
        content = RNG.integers(0, 256, (2, 3, 96, 96)).astype(np.uint8)
        self.write("train_X.bin", content.tobytes())
        self.write("train_y.bin", bytes([3, 10]))
        self.write("unlabeled_X.bin", content[:1].tobytes())
        rows = self.rows(dataset.STL10Dataset(str(self.folder), "train+unlabeled", shuffle=False))
        self.assertEqual([int(row[1]) for row in rows], [2, 9, -1])
        np.testing.assert_array_equal(rows[1][0], content[1].transpose(2, 1, 0))
        self.write("train_X.bin", b"123")
        with self.assertRaisesRegex(ValueError, "no multiple"):
            dataset.STL10Dataset(str(self.folder), "train")

    def test_semeion(self):
        pixels = RNG.integers(0, 2, (3, 256))
        lines = [" ".join(f"{value:.4f}" for value in row) + " " + " ".join("1" if j == 2 * i else "0" for j in range(10)) + " "
                 for i, row in enumerate(pixels)]
        self.write("semeion.data", "\n".join(lines) + "\n")
        rows = self.rows(dataset.SemeionDataset(str(self.folder), shuffle=False))
        self.assertEqual([int(row[1]) for row in rows], [0, 2, 4])
        np.testing.assert_array_equal(rows[1][0], pixels[1].reshape(16, 16))

    def test_fake(self):
        data = dataset.FakeImageDataset(20, (8, 9, 3), 4, shuffle=False)
        first, again = self.rows(data), self.rows(data)
        self.assertEqual((len(first), first[0][0].shape), (20, (8, 9, 3)))
        np.testing.assert_array_equal(first[7][0], again[7][0])
        self.assertEqual({int(row[1]) for row in first} - set(range(4)), set())


class PicturesTest(Folder):
    """Sets of image files."""

    def test_celeba(self):
        pictures = [self.picture(f"{i}.png") for i in range(3)]
        attributes = RNG.integers(0, 2, (3, 40))
        lines = [f"{i}.png " + " ".join(str(2 * bit - 1) for bit in row) for i, row in enumerate(attributes)]
        self.write("list_attr_celeba.txt", "3\nnames\n" + "\n".join(lines) + "\n")
        self.write("list_eval_partition.txt", "0.png 0\n1.png 1\n2.png 2\n")
        rows = self.rows(dataset.CelebADataset(str(self.folder), shuffle=False, decode=True))
        np.testing.assert_array_equal([row[1] for row in rows], attributes)
        np.testing.assert_array_equal(rows[2][0], pictures[2])
        self.assertEqual(len(self.rows(dataset.CelebADataset(str(self.folder), usage="valid"))), 1)

    def test_voc(self):
        self.picture("JPEGImages/a.jpg", "JPEG")
        mask = self.picture("SegmentationClass/a.png")
        for lists in ("Segmentation", "Main"):
            self.write(f"ImageSets/{lists}/train.txt", "a\n")
        self.write("Annotations/a.xml", ANNOTATION.format(OBJECT.format("dog", 0, 1) + OBJECT.format("cat", 1, 0)))
        image, target = self.rows(dataset.VOCDataset(str(self.folder), decode=True))[0]
        np.testing.assert_array_equal(target, mask)
        self.assertEqual(image.shape, (20, 24, 3))
        data = dataset.VOCDataset(str(self.folder), "Detection")
        self.assertEqual(data.get_col_names(), ["image", "bbox", "label", "difficult", "truncate"])
        self.assertEqual([value.tolist() for value in self.rows(data)[0][1:]],
                         [[[1, 2, 10, 12]] * 2, [[1], [0]], [[1], [0]], [[0], [1]]])
        self.assertEqual(data.get_class_indexing(), {"cat": 0, "dog": 1})
        one = dataset.VOCDataset(str(self.folder), "Detection", class_indexing={"cat": 5})
        self.assertEqual(self.rows(one)[0][2].tolist(), [[5]])

    def test_coco(self):
        for i in range(2):
            self.picture(f"{i}.jpg", "JPEG")
        images = [{"id": 7, "file_name": "0.jpg"}, {"id": 8, "file_name": "1.jpg"}]
        boxes = [{"image_id": 7, "category_id": 3, "bbox": [1, 2, 3, 4.5], "iscrowd": 0},
                 {"image_id": 8, "category_id": 1, "bbox": [0, 0, 5, 5], "iscrowd": 1},
                 {"image_id": 7, "category_id": 1, "bbox": [0, 1, 5, 5], "iscrowd": 0}]
        names = [{"id": 1, "name": "person"}, {"id": 3, "name": "car"}]
        self.write("a.json", json.dumps({"images": images, "annotations": boxes, "categories": names}))
        data = dataset.CocoDataset(str(self.folder), str(self.folder / "a.json"), shuffle=False)
        self.assertEqual([value.tolist() for value in self.rows(data)[0][1:]],
                         [[[1, 2, 3, 4.5], [0, 1, 5, 5]], [[3], [1]], [[0], [0]]])
        self.assertEqual(data.get_class_indexing(), {"person": [1], "car": [3]})
        captions = [{"image_id": 7, "caption": "A cat"}, {"image_id": 8, "caption": "Dogs"}, {"image_id": 7, "caption": "One cat"}]
        self.write("c.json", json.dumps({"images": images, "annotations": captions}))
        data = dataset.CocoDataset(str(self.folder), str(self.folder / "c.json"), "Captioning", shuffle=False)
        self.assertEqual([row[1].tolist() for row in self.rows(data)], [[["A cat"], ["One cat"]], [["Dogs"]]])
        with self.assertRaisesRegex(ValueError, "one of Detection, Stuff, Keypoint"):
            dataset.CocoDataset(str(self.folder), str(self.folder / "c.json"), "Points")

    def test_coco_lines(self):
        """Annotations of different lengths are filled up; of whole pictures, their parts are the annotations; files' names on demand."""
        self.picture("0.jpg", "JPEG")
        part = {"category_id": 3, "bbox": [1, 2, 3, 4], "area": 12, "iscrowd": 1}
        given = {"Stuff": [{"segmentation": [[1, 2, 3, 4], [5, 6]], "iscrowd": 0}, {"segmentation": {"counts": [7], "size": [1, 7]}, "iscrowd": 1}],
                 "Keypoint": [{"keypoints": [1, 2, 3], "num_keypoints": 1}, {"keypoints": [4, 5, 6, 7, 8, 9], "num_keypoints": 2}],
                 "Panoptic": [{"segments_info": [part, {**part, "area": 9}]}]}
        expected = {"Stuff": [[[1, 2, 3, 4], [5, 6, -1, -1], [7, -1, -1, -1]], [[0], [1]]],
                    "Keypoint": [[[1, 2, 3, -1, -1, -1], [4, 5, 6, 7, 8, 9]], [[1], [2]]],
                    "Panoptic": [[[1, 2, 3, 4]] * 2, [[3]] * 2, [[1]] * 2, [[12], [9]]]}
        for task, annotations in given.items():
            content = {"images": [{"id": 7, "file_name": "0.jpg"}], "annotations": [{"image_id": 7, **one} for one in annotations],
                       "categories": [{"id": 3, "name": "car", "isthing": 1}]}
            self.write("a.json", json.dumps(content))
            data = dataset.CocoDataset(str(self.folder), str(self.folder / "a.json"), task, extra_metadata=True)
            self.assertEqual([value.tolist() for value in self.rows(data)[0][1:]], expected[task])
            named = data.rename("_meta-filename", "name").project(["name"])
            self.assertEqual([str(row[0]) for row in self.rows(named)], ["0"])
        self.assertEqual(data.take(1).get_class_indexing(), {"car": [3, 1]})

    def test_manifest(self):
        self.picture("x.png")
        entries = [{"source": str(self.folder / "x.png"), "usage": usage, "annotation": [{"name": name}]}
                   for usage, name in (("train", "dog"), ("train", "cat"), ("eval", "dog"))]
        self.write("m.manifest", "\n".join(map(json.dumps, entries)))
        data = dataset.ManifestDataset(str(self.folder / "m.manifest"), shuffle=False)
        self.assertEqual([int(row[1]) for row in self.rows(data)], [1, 0])
        self.assertEqual(data.get_class_indexing(), {"cat": 0, "dog": 1})
        lines = [{**entries[0], "usage": "TRAIN"}, {**entries[1], "annotation": [{"name": "cat"}, {"name": "dog"}]}, {**entries[0], "annotation": []}]
        self.write("m.manifest", "\n".join(map(json.dumps, lines)))
        data = dataset.ManifestDataset(str(self.folder / "m.manifest"), shuffle=False)
        self.assertEqual([row[1].tolist() for row in self.rows(data)], [1, [0, 1]])
        self.assertEqual(((data + data).num_classes(), data.shuffle(2).get_class_indexing()), (2, {"cat": 0, "dog": 1}))
        chosen = dataset.ManifestDataset(str(self.folder / "m.manifest"), class_indexing={"cat": 5}, shuffle=False)
        self.assertEqual([row[1].tolist() for row in self.rows(chosen)], [5])
        self.write("m.manifest", json.dumps({"source": "x.png", "annotation": []}))
        with self.assertRaisesRegex(RuntimeError, "'usage' is missing in file: .*m.manifest at line 1"):
            dataset.ManifestDataset(str(self.folder / "m.manifest"))

    def test_food101(self):
        picture = self.picture("images/apple_pie/1.jpg", "JPEG")
        self.write("meta/train.txt", "apple_pie/1\n")
        image, label = self.rows(dataset.Food101Dataset(str(self.folder), "train", decode=True))[0]
        self.assertEqual((image.shape, str(label)), (picture.shape, "apple_pie"))


if __name__ == "__main__":
    unittest.main()
