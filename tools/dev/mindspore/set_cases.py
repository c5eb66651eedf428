"""Cases of public data sets, and small files of the form of each; as cases.py says."""

import json
import os
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "test" / "python"))
from dataset_files import Files  # noqa: E402  (beside the tests)

_TABLES = {"AGNews": 3, "AmazonReview": 3, "DBpedia": 3, "SogouNews": 3, "YahooAnswers": 4, "YelpReview": 2}
_ANNOTATION = """<annotation><size><width>5</width><height>4</height><depth>3</depth></size>{}</annotation>"""
_OBJECT = """<object><name>{}</name><truncated>{}</truncated><difficult>{}</difficult>
<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>4</xmax><ymax>3</ymax></bndbox></object>"""


def made(name, *arguments, where=""):
    """One data set, read from the folder of its name."""
    return [f"ds.{name}Dataset(folder + '/sets/{name}{where}', {text + ', ' if text else ''}shuffle=False)" for text in arguments]


def whole(name, *arguments):
    """Data sets of several files, whose rows are sorted."""
    return [f"in_any_order({text})" for text in made(name, *arguments)]


DATASETS = {f"{name}Dataset": texts for name, texts in {
    **{name: made(name, "'train'", "'test', 2") + whole(name, "") for name in _TABLES},
    "CelebA": made("CelebA", "", "usage='valid'", "decode=True, num_samples=2"),
    "CoNLL2000": made("CoNLL2000", "'train'", "'test'") + whole("CoNLL2000", "'all'"),
    "UDPOS": made("UDPOS", "'train'", "'valid'") + whole("UDPOS", "'all'"),
    "Coco": made("Coco", "folder + '/sets/Coco/boxes.json'", "folder + '/sets/Coco/boxes.json', decode=True",
                  "folder + '/sets/Coco/captions.json', 'Captioning'"),
    "EMnist": made("EMnist", "'letters', 'train'") + whole("EMnist", "'mnist', 'all'"), "KMnist": made("KMnist", "'test'", "'train'") + whole("KMnist", ""),
    "QMnist": made("QMnist", "'train'", "'train', False", "'test'"),
    "EnWik9": made("EnWik9", "", "2"), "IMDB": made("IMDB", "'train'", "'test'", "'all'"),
    "Food101": made("Food101", "'train', decode=True", "'test'", ""),
    "Manifest": [f"ds.ManifestDataset(folder + '/sets/Manifest/rows.manifest', {text}shuffle=False)" for text in (
        "", "'eval', decode=True, ", "class_indexing={'cat': 3, 'dog': 1}, ")],
    "Multi30k": made("Multi30k", "'train'", "'train', ['de', 'en']", "'test'"),
    "PennTreebank": made("PennTreebank", "'train'", "'valid'") + whole("PennTreebank", "'all'"),
    "WikiText": made("WikiText", "'train'", "'valid'", "'test', 2"),
    "SQuAD": made("SQuAD", "'train'", "'dev'"), "SST2": made("SST2", "", "'dev'", "'test'"),
    "STL10": made("STL10", "'train'", "'test'", "'unlabeled'", "'train+unlabeled'"), "Semeion": made("Semeion", "", "2"),
    "VOC": made("VOC", "", "'Segmentation', 'train', decode=True", "'Detection'", "'Detection', class_indexing={'cat': 5}"),
}.items()}


class Folder(Files):
    """Writes files below a folder."""

    def __init__(self, folder, png):
        self.folder, self.png, self.rng = folder, png, np.random.default_rng(8)

    def picture(self, name):
        """A picture of 4 by 5 pixels."""
        self.write(name, self.png(self.rng.integers(0, 256, (4, 5, 3)).astype(np.uint8)))


def _write_texts(to):
    """Tables, lines, pairs, tags and documents."""
    for name, width in _TABLES.items():
        for part in ("train", "test"):
            rows = ("\"{}\",".format(i + 1) + ",".join(f'"{part} {i}, ""so"" {j}\\n"' for j in range(width - 1)) for i in range(3))
            to.write(f"{name}/{part}.csv", "\n".join(rows) + "\n")
    for part in ("train", "test", "valid"):
        to.write(f"PennTreebank/ptb.{part}.txt", f" no it was n't {part} \n\n second <unk> line \n")
        to.write(f"WikiText/wiki.{part}.tokens", f" \n = {part} = \n\n and more\n")
    to.write("EnWik9/enwik9", "<a>\n text\n\n more \n")
    to.write("SST2/train.tsv", "sentence\tlabel\nhide new \t0\ngood one\t1\n")
    to.write("SST2/dev.tsv", "sentence\tlabel\nbad , really\t0\n")
    to.write("SST2/test.tsv", "index\tsentence\n0\tuneasy .\n1\tfine\n")
    for folder, part in (("training", "train"), ("mmt16_task1_test", "test"), ("validation", "val")):
        for language in ("en", "de"):
            to.write(f"Multi30k/{folder}/{part}.{language}", f"{language} one {part}\n{language} two\n")
    for part in ("train", "test"):
        to.write(f"CoNLL2000/{part}.txt", f"Confidence NN B-NP\nin IN B-PP\n\n{part} PRP B-NP\n\n")
    for part in ("train", "test", "dev"):
        to.write(f"UDPOS/en-ud-tag.v2.{part}.txt", f"Al\tPROPN\tNNP\n\nFrom\tADP\tIN\n{part}\tX\tY\n\n")
    for part in ("train", "test"):
        for side in ("pos", "neg"):
            for number in range(2):
                to.write(f"IMDB/{part}/{side}/{number}_7.txt", f"{part} {side}<br />\n two lines {number}")
    questions = [{"question": "Who?", "answers": [{"text": "The cat", "answer_start": 0}, {"text": "cat", "answer_start": 4}]},
                 {"question": "Why?", "answers": []}]
    for part in ("train", "dev"):
        to.write(f"SQuAD/{part}-v2.0.json", json.dumps({"data": [{"title": part, "paragraphs": [{"context": f"The cat sat, {part}.", "qas": questions}]}]}))


def _write_characters(to):
    """Binary files of small images."""
    for name, prefixes in (("EMnist", [f"emnist-{kind}-{part}" for kind in ("letters", "mnist") for part in ("train", "test")]), ("KMnist", ["train", "t10k"])):
        for prefix in prefixes:
            to.idx(f"{name}/{prefix}-images-idx3-ubyte", to.rng.integers(0, 256, (4, 28, 28)).astype(np.uint8))
            to.idx(f"{name}/{prefix}-labels-idx1-ubyte", to.rng.integers(0, 10, 4).astype(np.uint8))
    for part in ("train", "test"):
        to.idx(f"QMnist/qmnist-{part}-images-idx3-ubyte", to.rng.integers(0, 256, (4, 28, 28)).astype(np.uint8))
        to.idx(f"QMnist/qmnist-{part}-labels-idx2-int", to.rng.integers(0, 60000, (4, 8)).astype(np.int32))
    for part, count in (("train", 2), ("test", 2), ("unlabeled", 1)):
        to.write(f"STL10/{part}_X.bin", to.rng.integers(0, 256, (count, 3, 96, 96)).astype(np.uint8).tobytes())
        to.write(f"STL10/{part}_y.bin", bytes([3, 10]))
    rows = to.rng.integers(0, 2, (3, 256))
    to.write("Semeion/semeion.data", "".join(" ".join(f"{value:.4f}" for value in row) + " " + " ".join("1" if j == 2 * i else "0" for j in range(10)) + " \n"
                                             for i, row in enumerate(rows)))


def _write_pictures(to):
    """Image files with what is said of them."""
    for number in range(3):
        to.picture(f"CelebA/{number}.png")
    to.write("CelebA/list_attr_celeba.txt", "3\nnames\n" + "".join(
        f"{number}.png " + " ".join(str(2 * bit - 1) for bit in to.rng.integers(0, 2, 40)) + "\n" for number in range(3)))
    to.write("CelebA/list_eval_partition.txt", "0.png 0\n1.png 1\n2.png 2\n")
    to.picture("VOC/JPEGImages/a.jpg")
    to.picture("VOC/SegmentationClass/a.png")
    for lists in ("Segmentation", "Main"):
        to.write(f"VOC/ImageSets/{lists}/train.txt", "a\n")
    to.write("VOC/Annotations/a.xml", _ANNOTATION.format(_OBJECT.format("dog", 0, 1) + _OBJECT.format("cat", 1, 0)))
    images = [{"id": 7, "file_name": "0.png"}, {"id": 8, "file_name": "1.png"}]
    boxes = [{"id": i, "image_id": image, "category_id": kind, "bbox": box, "iscrowd": crowd, "area": 4} for i, (image, kind, box, crowd) in enumerate((
        (7, 3, [1, 2, 3, 2.5], 0), (8, 1, [0, 0, 4, 3], 1), (7, 1, [0, 1, 2, 2], 0)))]
    names = [{"id": 1, "name": "person"}, {"id": 3, "name": "car"}]
    captions = [{"id": i, "image_id": image, "caption": text} for i, (image, text) in enumerate(((7, "A cat"), (8, "Dogs"), (7, "One cat")))]
    for number in range(2):
        to.picture(f"Coco/{number}.png")
    to.write("Coco/boxes.json", json.dumps({"images": images, "annotations": boxes, "categories": names}))
    to.write("Coco/captions.json", json.dumps({"images": images, "annotations": captions}))
    to.picture("Manifest/x.png")
    entries = [{"source": os.path.join(to.folder, "Manifest/x.png"), "usage": usage, "annotation": [{"name": name}]}
               for usage, name in (("train", "dog"), ("train", "cat"), ("eval", "dog"))]
    to.write("Manifest/rows.manifest", "\n".join(map(json.dumps, entries)) + "\n")
    for name in ("apple_pie/1", "waffles/2", "waffles/3"):
        to.picture(f"Food101/images/{name}.jpg")
    to.write("Food101/meta/train.txt", "apple_pie/1\nwaffles/2\n")
    to.write("Food101/meta/test.txt", "waffles/3\n")


def write_files(folder, png):
    """Writes all files below `folder`/sets; `png` makes the bytes of a picture's file."""
    to = Folder(os.path.join(folder, "sets"), png)
    for part in (_write_texts, _write_characters, _write_pictures):
        part(to)
