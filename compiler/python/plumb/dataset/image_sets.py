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


_COCO = {"Detection": ["bbox", "category_id", "iscrowd"], "Stuff": ["segmentation", "iscrowd"], "Keypoint": ["keypoints", "num_keypoints"],
         "Panoptic": ["bbox", "category_id", "iscrowd", "area"], "Captioning": ["captions"]}


class CocoDataset(_Pictures):
    """COCO's annotations. Each row is an image and what is annotated in it, all with one line for each annotation.

    Columns by task, beside image: "Detection": bbox (float32 [n, 4]), category_id, iscrowd (uint32 [n, 1]); "Stuff": segmentation
    (float32, a line for each polygon, filled up with -1), iscrowd; "Keypoint": keypoints (float32, filled up with -1), num_keypoints
    (uint32 [n, 1]); "Panoptic": bbox, category_id, iscrowd, area (uint32 [n, 1]); "Captioning": captions (strings [n, 1]).

    Args:
      dataset_dir: the folder of images.
      annotation_file: a path of JSON.
      task: one of these.
      decode: whether images are decoded.
      extra_metadata: whether there is a last column "_meta-filename", the file's name without its ending. Iterators leave it out until
        `rename` gives it another name.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, annotation_file, task="Detection", num_samples=None, num_parallel_workers=None, shuffle=None,
                 decode=False, sampler=None, num_shards=None, shard_id=None, cache=None, extra_metadata=False, decrypt=None):
        if decrypt is not None:
            raise ValueError("For 'CocoDataset', 'decrypt' is not offered.")
        if task not in _COCO:
            raise ValueError(f"For 'CocoDataset', task must be one of {', '.join(_COCO)}, but got {task}.")
        folder = folder_of(dataset_dir)
        with open(files_of(annotation_file)[0], encoding="utf-8") as file:
            content = json.load(file)
        by_image = {}
        for one in content["annotations"]:
            by_image.setdefault(one["image_id"], []).extend(one["segments_info"] if task == "Panoptic" else [one])
        self._task = task
        self._classes = {one["name"]: [one["id"], *([one["isthing"]] if task == "Panoptic" else [])] for one in content.get("categories", [])}
        rows = []
        for image in content["images"]:
            if by_image.get(image["id"]):
                name = [np.asarray(os.path.splitext(os.path.basename(image["file_name"]))[0])] if extra_metadata else []
                columns = [_coco_column(name, by_image[image["id"]]) for name in _COCO[task]]
                rows.append((os.path.join(folder, image["file_name"]), *columns, *name))
        names = ["image", *_COCO[task], *(["_meta-filename"] if extra_metadata else [])]
        super().__init__(names, rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def get_class_indexing(self):
        """Returns the categories' numbers by name, each a list; of "Panoptic", whether they are things follows."""
        if self._task not in ("Detection", "Panoptic"):
            raise NotImplementedError("Only 'Detection' and 'Panoptic' support get_class_indexing.")
        return {name: list(numbers) for name, numbers in self._classes.items()}


def _coco_column(name, found):
    """A column of one image's annotations."""
    if name == "captions":
        return np.asarray([[one["caption"]] for one in found])
    if name in ("segmentation", "keypoints"):
        lines = [line for one in found for line in _coco_lines(one[name])]
        longest = max(map(len, lines), default=0)
        return np.asarray([[*line, *[-1] * (longest - len(line))] for line in lines], np.float32)
    if name == "bbox":
        return np.asarray([one["bbox"] for one in found], np.float32).reshape(len(found), -1)
    return np.asarray([one.get("iscrowd", 0) if name == "iscrowd" else one[name] for one in found], np.uint32).reshape(-1, 1)


def _coco_lines(value):
    """The lines of a segmentation or of keypoints: polygons, the lengths of runs, or one list."""
    value = value["counts"] if isinstance(value, dict) else value
    return value if value and isinstance(value[0], list) else [value]


class ManifestDataset(_Pictures):
    """Images that a manifest of JSON lines names. Columns: image, label (int32; a vector of several annotations' numbers).

    Args:
      dataset_file: a path; a line is {"source": path, "usage": part, "annotation": [{"name": class}, …]}.
      usage: "train", "eval" or "inference"; in the file upper case will do.
      class_indexing: numbers by class, others are left out; without it by the classes' names in order.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_file, usage="train", num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 class_indexing=None, decode=False, num_shards=None, shard_id=None, cache=None):
        path = files_of(dataset_file)[0]
        entries = [(source, names) for source, part, names in _manifest(path) if part == usage]
        found = sorted({name for _, names in entries for name in names})
        self._classes = class_indexing or {name: number for number, name in enumerate(found)}
        entries = [(source, [self._classes[name] for name in names if name in self._classes]) for source, names in entries]
        rows = [(source, np.asarray(numbers if len(numbers) > 1 else numbers[0], np.int32)) for source, numbers in entries if numbers]
        super().__init__(["image", "label"], rows, decode,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def get_class_indexing(self):
        """Returns the classes' numbers by name."""
        return dict(self._classes)

    def num_classes(self):
        """Returns the number of classes."""
        return len(self._classes)


def _manifest(path):
    """Yields (the image's path, the part, the annotations' names) of each line of a manifest."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                entry = json.loads(line)
                try:
                    yield entry["source"], entry["usage"].lower(), [one["name"] for one in entry["annotation"]]
                except KeyError as problem:
                    raise RuntimeError(f"Invalid manifest file, {problem} is missing in file: {path} at line {number}.") from None


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
