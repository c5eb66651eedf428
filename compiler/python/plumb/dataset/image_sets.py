"""Public data sets of images, read from their files: handwritten characters, objects with boxes, faces with attributes, and others."""

import functools
import json
import os
import xml.etree.ElementTree

import numpy as np

from plumb.dataset import samplers
from plumb.dataset._dataset import wants_cache
from plumb.dataset.datasets import NumpySlicesDataset
from plumb.dataset.files import FileRows, files_of, folder_of, picture_reader, rest_of
from plumb.dataset.generator import IndexedDataset
from plumb.dataset.text_sets import chosen_parts, existing


class STL10Dataset(NumpySlicesDataset):
    """STL-10's binary files. Columns: image (uint8 96x96x3), label (int32; -1 of unlabelled images).

    Args:
      dataset_dir: the folder with train_X.bin, train_y.bin, test_X.bin, test_y.bin and unlabeled_X.bin.
      usage: "train", "test", "unlabeled", "train+unlabeled" or "all".
      shuffle, num_samples, sampler, num_shards, shard_id: as of Cifar10Dataset.
    """

    _PARTS = {"train": ["train"], "test": ["test"], "unlabeled": ["unlabeled"], "train+unlabeled": ["train", "unlabeled"],
              "all": ["train", "test", "unlabeled"]}

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        if (usage or "all") not in self._PARTS:
            raise ValueError(f"For 'STL10Dataset', usage should be one of {', '.join(self._PARTS)}, but got {usage}.")
        cached, folder, images, labels = wants_cache("STL10Dataset", cache), folder_of(dataset_dir), [], []
        for part in self._PARTS[usage or "all"]:
            path = existing(folder, [part + "_X.bin"], "STL10Dataset")[0]
            content = np.fromfile(path, np.uint8)
            if content.size == 0 or content.size % 27648:
                raise ValueError(f"'{path}' is no file of STL-10: its {content.size} bytes are no multiple of 27648.")
            images.append(content.reshape(-1, 3, 96, 96).transpose(0, 3, 2, 1))  # columns first in the file
            unlabelled = part == "unlabeled"
            labels.append(np.full(len(images[-1]), -1, np.int32) if unlabelled else
                          np.fromfile(existing(folder, [part + "_y.bin"], "STL10Dataset")[0], np.uint8).astype(np.int32) - 1)
        columns = {"image": np.concatenate(images), "label": np.concatenate(labels)}
        super().__init__(columns, None, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self._cached = cached


class SemeionDataset(NumpySlicesDataset):
    """Semeion's handwritten digits: semeion.data. Columns: image (uint8 16x16), label (uint32)."""

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        cached = wants_cache("SemeionDataset", cache)
        numbers = np.loadtxt(existing(folder_of(dataset_dir), ["semeion.data"], "SemeionDataset")[0], ndmin=2)
        if numbers.shape[1] != 266:
            raise ValueError(f"For 'SemeionDataset', a line must have 266 numbers, but has {numbers.shape[1]}.")
        columns = {"image": numbers[:, :256].reshape(-1, 16, 16).astype(np.uint8), "label": numbers[:, 256:].argmax(1).astype(np.uint32)}
        super().__init__(columns, None, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self._cached = cached


class FakeImageDataset(IndexedDataset):
    """Random images. Columns: image (uint8), label (uint32).

    All bytes are equally frequent; of MindSpore 2.0.0's every second one is 0, of the others one in eight 63.

    Args:
      num_images: how many.
      image_size: (height, width, channels).
      num_classes: the number of labels.
      base_seed: with an image's number, the seed of its pixels.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, num_images=1000, image_size=(224, 224, 3), num_classes=10, base_seed=0, num_samples=None,
                 num_parallel_workers=None, shuffle=None, sampler=None, num_shards=None, shard_id=None, cache=None):
        cached = wants_cache("FakeImageDataset", cache)
        self._shape, self._classes, self._seed = tuple(image_size), num_classes, base_seed
        order = samplers.chosen(sampler, shuffle, num_samples, num_shards, shard_id)
        fetch = functools.lru_cache(maxsize=None)(self._row_at) if cached else self._row_at
        super().__init__(["image", "label"], fetch, num_images, order, num_parallel_workers or 1)

    def _row_at(self, index):
        rng = np.random.default_rng([self._seed, index])
        return rng.integers(0, 256, self._shape, dtype=np.uint8), np.asarray(rng.integers(self._classes), np.uint32)


# -- image files


class _Pictures(FileRows):
    """Base of sets of image files with further columns.

    Args:
      names: the columns' names; the first `pictures` are of images.
      rows: for each row the images' paths and the other columns' arrays.
      decode: whether images are decoded to uint8 [height, width, 3]; otherwise they are files' bytes.
      rest: the arguments that every data set has.
    """

    def __init__(self, names, rows, decode, rest, pictures=1):
        read = picture_reader(decode)
        super().__init__({name: read if at < pictures else None for at, name in enumerate(names)}, rows, rest)


class CelebADataset(_Pictures):
    """CelebA: images and list_attr_celeba.txt in one folder. Columns: image, attr (uint32 [40]: 0 or 1).

    Args:
      dataset_dir: the folder.
      usage: "train", "valid", "test" or "all"; the parts stand in list_eval_partition.txt.
      decode: whether images are decoded.
      extensions: endings of the files to take.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, num_parallel_workers=None, shuffle=None, usage="all", sampler=None, decode=False, extensions=None,
                 num_samples=None, num_shards=None, shard_id=None, cache=None, decrypt=None):
        if decrypt is not None:
            raise ValueError("For 'CelebADataset', 'decrypt' is not offered.")
        if usage not in ("all", "train", "valid", "test"):
            raise ValueError(f"For 'CelebADataset', usage should be one of all, train, valid, test, but got {usage}.")
        folder = folder_of(dataset_dir)
        with open(existing(folder, ["list_attr_celeba.txt"], "CelebADataset")[0], encoding="utf-8") as file:
            lines = [line.split() for line in file.read().split("\n")[2:] if line.strip()]
        if usage != "all":
            with open(existing(folder, ["list_eval_partition.txt"], "CelebADataset")[0], encoding="utf-8") as file:
                part = {name: number for name, number in (line.split() for line in file if line.strip())}
            lines = [line for line in lines if part[line[0]] == str(("train", "valid", "test").index(usage))]
        rows = [(os.path.join(folder, line[0]), np.asarray([word == "1" for word in line[1:]], np.uint32)) for line in lines
                if extensions is None or os.path.splitext(line[0])[1] in extensions]
        super().__init__(["image", "attr"], rows, decode,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class VOCDataset(_Pictures):
    """Pascal VOC. Columns of "Segmentation": image, target (an image); of "Detection": image, bbox (float32 [n, 4]: left, top, width,
    height), label, difficult, truncate (uint32 [n, 1]).

    Args:
      dataset_dir: the folder with JPEGImages, ImageSets, Annotations and SegmentationClass.
      task: "Segmentation" or "Detection".
      usage: the name of a list in ImageSets.
      class_indexing: numbers by class, for "Detection"; without it by the classes' names in order.
      decode: whether images are decoded.
      extra_metadata: False; a column of file names is not offered.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, task="Segmentation", usage="train", class_indexing=None, num_samples=None, num_parallel_workers=None,
                 shuffle=None, decode=False, sampler=None, num_shards=None, shard_id=None, cache=None, extra_metadata=False, decrypt=None):
        if extra_metadata or decrypt is not None:
            raise ValueError("For 'VOCDataset', 'extra_metadata' and 'decrypt' are not offered.")
        if task not in ("Segmentation", "Detection") or task == "Segmentation" and class_indexing is not None:
            raise ValueError(f"For 'VOCDataset', task must be 'Segmentation' or 'Detection', and class_indexing is for the latter, but "
                             f"got {task}.")
        folder = folder_of(dataset_dir)
        lists = "Segmentation" if task == "Segmentation" else "Main"
        with open(existing(folder, [f"ImageSets/{lists}/{usage}.txt"], "VOCDataset")[0], encoding="utf-8") as file:
            names = [line.split()[0] for line in file if line.strip()]
        rest = rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        pictures = [os.path.join(folder, "JPEGImages", name + ".jpg") for name in names]
        self._classes = None
        if task == "Segmentation":
            targets = [os.path.join(folder, "SegmentationClass", name + ".png") for name in names]
            super().__init__(["image", "target"], zip(pictures, targets), decode, rest, pictures=2)
            return
        objects = [_objects(existing(folder, [f"Annotations/{name}.xml"], "VOCDataset")[0]) for name in names]
        self._classes = class_indexing or {name: number for number, name in enumerate(sorted({one[0] for row in objects for one in row}))}
        rows = [(path, *_boxes([one for one in row if one[0] in self._classes], self._classes)) for path, row in zip(pictures, objects)]
        super().__init__(["image", "bbox", "label", "difficult", "truncate"], [row for row in rows if len(row[1])], decode, rest)

    def get_class_indexing(self):
        """Returns the classes' numbers by name, of "Detection"."""
        if self._classes is None:
            raise NotImplementedError("Only 'Detection' support get_class_indexing.")
        return dict(self._classes)


def _objects(path):
    """(class, box, difficult, truncated) of each object of an annotation."""
    found = []
    for one in xml.etree.ElementTree.parse(path).getroot().iter("object"):
        left, top, right, bottom = (float(one.find("bndbox").findtext(name)) for name in ("xmin", "ymin", "xmax", "ymax"))
        found.append((one.findtext("name"), [left, top, right - left, bottom - top], int(one.findtext("difficult") or 0),
                      int(one.findtext("truncated") or 0)))
    return found


def _boxes(objects, classes):
    """The columns of a picture's objects."""
    boxes = np.asarray([one[1] for one in objects], np.float32).reshape(-1, 4)
    columns = ([classes[one[0]] for one in objects], [one[2] for one in objects], [one[3] for one in objects])
    return (boxes, *(np.asarray(column, np.uint32).reshape(-1, 1) for column in columns))


class CocoDataset(_Pictures):
    """COCO's annotations. Columns of "Detection": image, bbox (float32 [n, 4]), category_id, iscrowd (uint32 [n, 1]); of "Captioning":
    image, captions (strings [n, 1]).

    Args:
      dataset_dir: the folder of images.
      annotation_file: a path of JSON.
      task: "Detection" or "Captioning"; "Stuff", "Keypoint" and "Panoptic" are not offered.
      decode: whether images are decoded.
      extra_metadata: False; a column of file names is not offered.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, annotation_file, task="Detection", num_samples=None, num_parallel_workers=None, shuffle=None,
                 decode=False, sampler=None, num_shards=None, shard_id=None, cache=None, extra_metadata=False, decrypt=None):
        if extra_metadata or decrypt is not None:
            raise ValueError("For 'CocoDataset', 'extra_metadata' and 'decrypt' are not offered.")
        if task not in ("Detection", "Captioning"):
            raise ValueError(f"For 'CocoDataset', task must be 'Detection' or 'Captioning', others are not offered, but got {task}.")
        folder = folder_of(dataset_dir)
        with open(files_of(annotation_file)[0], encoding="utf-8") as file:
            content = json.load(file)
        files = {image["id"]: os.path.join(folder, image["file_name"]) for image in content["images"]}
        by_image = {}
        for one in content["annotations"]:
            by_image.setdefault(one["image_id"], []).append(one)
        self._classes = {one["name"]: [one["id"]] for one in content.get("categories", [])}
        make = self._boxes if task == "Detection" else lambda found: (np.asarray([[one["caption"]] for one in found]),)
        rows = [(files[number], *make(by_image[number])) for number in files if number in by_image]
        names = ["image", "bbox", "category_id", "iscrowd"] if task == "Detection" else ["image", "captions"]
        super().__init__(names, rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    @staticmethod
    def _boxes(found):
        numbers = ([one["category_id"] for one in found], [one.get("iscrowd", 0) for one in found])
        return (np.asarray([one["bbox"] for one in found], np.float32).reshape(-1, 4),
                *(np.asarray(column, np.uint32).reshape(-1, 1) for column in numbers))

    def get_class_indexing(self):
        """Returns the categories' numbers by name, each a list."""
        return {name: list(numbers) for name, numbers in self._classes.items()}


class ManifestDataset(_Pictures):
    """Images that a manifest of JSON lines names. Columns: image, label (int32).

    Args:
      dataset_file: a path; a line is {"source": path, "usage": part, "annotation": [{"name": class}]}.
      usage: "train", "eval" or "inference".
      class_indexing: numbers by class; without it by the classes' names in order.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_file, usage="train", num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 class_indexing=None, decode=False, num_shards=None, shard_id=None, cache=None):
        with open(files_of(dataset_file)[0], encoding="utf-8") as file:
            entries = [json.loads(line) for line in file if line.strip()]
        entries = [(entry["source"], entry["annotation"][0]["name"]) for entry in entries if entry["usage"] == usage]
        self._classes = class_indexing or {name: number for number, name in enumerate(sorted({name for _, name in entries}))}
        rows = [(path, np.asarray(self._classes[name], np.int32)) for path, name in entries if name in self._classes]
        super().__init__(["image", "label"], rows, decode,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def get_class_indexing(self):
        """Returns the classes' numbers by name."""
        return dict(self._classes)


class Food101Dataset(_Pictures):
    """Food-101: images by class, lists in meta. Columns: image, label (a string).

    Args:
      dataset_dir: the folder with images and meta.
      usage: "train", "test" or "all".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        folder, names = folder_of(dataset_dir), []
        parts = chosen_parts({"train": "meta/train.txt", "test": "meta/test.txt"}, usage, "Food101Dataset")
        for path in existing(folder, parts, "Food101Dataset"):
            with open(path, encoding="utf-8") as file:
                names += file.read().split()
        rows = [(os.path.join(folder, "images", name + ".jpg"), np.asarray(name.split("/")[0])) for name in names]
        super().__init__(["image", "label"], rows, decode,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))
