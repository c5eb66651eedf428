"""Public data sets of images with classes, read from folders and lists: flowers, objects, faces, scenes, house numbers, patches."""

import os

import numpy as np

from plumb.dataset._dataset import wants_cache
from plumb.dataset._flowers import FLOWERS
from plumb.dataset._mat import read_mat
from plumb.dataset.datasets import NumpySlicesDataset
from plumb.dataset._file_order import FileOrder
from plumb.dataset.files import FileRows, folder_of, one_of, picture_reader, rest_of, Shuffle, text_of
from plumb.dataset.text_sets import existing

_PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".JPG", ".JPEG", ".PNG", ".BMP")


def files_in(folder, extensions=_PICTURES):
    """Paths of the files in a folder with one of the extensions, in the order of their names."""
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if os.path.splitext(name)[1] in extensions]


def folders_in(folder):
    """Names of the folders in a folder, in order."""
    return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())


def _number(word, place, limit=2 ** 32):
    """The number below the limit that a word of a list is; raises ValueError that names the place."""
    if not word.isdecimal() or len(word) > 10 or int(word) >= limit:
        raise ValueError(f"{place}: '{word}' is no number below {limit}.")
    return int(word)


def _integers(array, place):
    """An array of whole numbers as int64; raises ValueError that names the place for others."""
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf" or not np.all(np.abs(array) < 2.0 ** 32):
        raise ValueError(f"{place} should be numbers below {2 ** 32}.")
    return array.astype(np.int64)


class _Classes(FileRows):
    """Base of sets of images with a class."""

    label = np.uint32

    def __init__(self, rows, decode, rest, name="label"):
        kept = [(path, np.asarray(label, self.label)) for path, label in rows]
        super().__init__({"image": picture_reader(decode), name: None}, kept, rest)


class Flowers102Dataset(FileRows):
    """Oxford's 102 flowers. Columns: image, with the task "Segmentation" segmentation (an image), label (uint32).

    Args:
      dataset_dir: the folder with jpg, segmim, imagelabels.mat and setid.mat.
      task: "Classification" or "Segmentation".
      usage: "train", "valid", "test" or "all".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _PARTS = {"train": "trnid", "test": "tstid", "valid": "valid"}

    def __init__(self, dataset_dir, task="Classification", usage="all", num_samples=None, num_parallel_workers=1, shuffle=None,
                 decode=False, sampler=None, num_shards=None, shard_id=None):
        folder = folder_of(dataset_dir)
        one_of("task", task, ["Classification", "Segmentation"])
        one_of("usage", usage, ["train", "valid", "test", "all"])
        paths = existing(folder, ["imagelabels.mat", "setid.mat"], "Flowers102Dataset")
        labels = _integers(*read_mat(paths[0], "labels"), f"'{paths[0]}': 'labels'")
        names = self._PARTS.values()
        lists = [_integers(found, f"'{paths[1]}': '{name}'") for name, found in zip(names, read_mat(paths[1], *names))]
        numbers = [int(number) for part, found in zip(self._PARTS, lists) if usage in (part, "all") for number in found.flat]
        columns, read = {"image": picture_reader(decode), "segmentation": picture_reader(decode), "label": None}, []
        for number in numbers:
            if not 1 <= number <= labels.size or not 1 <= int(labels.flat[number - 1]) <= len(FLOWERS):
                raise ValueError(f"'{paths[1]}' names the image {number}, for which '{paths[0]}' has no label of 1 to {len(FLOWERS)}.")
            pictures = [os.path.join(folder, where, f"{kind}_{number:05}.jpg") for where, kind in (("jpg", "image"), ("segmim", "segmim"))]
            read.append((*pictures, np.asarray(int(labels.flat[number - 1]) - 1, np.uint32)))
        if task == "Classification":
            del columns["segmentation"]
            read = [(row[0], row[2]) for row in read]
        super().__init__(columns, read, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id))

    def get_class_indexing(self):
        """Returns the flowers' numbers by name."""
        return {name: number for number, name in enumerate(FLOWERS)}


class SVHNDataset(NumpySlicesDataset):
    """House numbers in MAT-files: train_32x32.mat and its kin. Columns: image (uint8 32x32x3), label (uint32; the digit).

    Args:
      dataset_dir: the folder.
      usage: "train", "test", "extra" or "all".
      shuffle, num_samples, sampler, num_shards, shard_id: as of Cifar10Dataset.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=1, shuffle=None, sampler=None, num_shards=None,
                 shard_id=None):
        folder, parts = folder_of(dataset_dir), ["train", "test", "extra"]
        one_of("usage", usage or "all", [*parts, "all"])
        found = []
        for path in existing(folder, [f"{part}_32x32.mat" for part in parts if usage in (None, "all", part)], "SVHNDataset"):
            images, labels = read_mat(path, "X", "y")
            labels = _integers(labels, f"'{path}': 'y'")
            if not isinstance(images, np.ndarray) or images.dtype != np.uint8 or images.shape != (32, 32, 3, labels.size):
                raise ValueError(f"'{path}': X is {getattr(images, 'dtype', 'no array')} of the shape {np.shape(images)}, but should be uint8 [32, 32, 3, "
                                 f"{labels.size}], as there are {labels.size} labels.")
            found.append((images.transpose(3, 0, 1, 2), labels.reshape(-1).astype(np.uint32) % 10))  # 10 stands for the digit 0
        columns = {name: np.concatenate(arrays) for name, arrays in zip(("image", "label"), zip(*found))}
        super().__init__(columns, None, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)


class Caltech101Dataset(FileRows):
    """Caltech 101. Columns: image; with the target "category" or "all" category (int64), with "annotation" or "all" annotation
    (float64 [2, points]: the object's outline).

    Args:
      dataset_dir: the folder with 101_ObjectCategories and Annotations.
      target_type: "category", "annotation" or "all".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    #: Folders of annotations that are called otherwise than those of the images.
    _OTHER = {"Faces": "Faces_2", "Faces_easy": "Faces_3", "Motorbikes": "Motorbikes_16", "airplanes": "Airplanes_Side_2"}

    def __init__(self, dataset_dir, target_type=None, num_samples=None, num_parallel_workers=1, shuffle=None, decode=False, sampler=None,
                 num_shards=None, shard_id=None):
        target = one_of("target_type", target_type or "category", ["category", "annotation", "all"])
        folder = folder_of(dataset_dir)
        pictures = folder_of(os.path.join(folder, "101_ObjectCategories"))
        self._classes = [name for name in folders_in(pictures) if name != "BACKGROUND_Google"]
        outlines = folder_of(os.path.join(folder, "Annotations")) if target != "category" else ""
        rows = [(path, np.asarray(number), os.path.join(outlines, self._OTHER.get(name, name),
                                                        os.path.basename(path).replace("image", "annotation")[:-4] + ".mat"))
                for number, name in enumerate(self._classes) for path in files_in(os.path.join(pictures, name), (".jpg",))]
        columns = [("image", picture_reader(decode)), ("category", None), ("annotation", _outline)]
        kept = {"category": (0, 1), "annotation": (0, 2), "all": (0, 1, 2)}[target]
        super().__init__(dict(columns[at] for at in kept), [tuple(row[at] for at in kept) for row in rows],
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id))

    def get_class_indexing(self):
        """Returns the categories' numbers by name."""
        return {name: number for number, name in enumerate(self._classes)}


def _outline(path):
    found, = read_mat(existing("", [path], "Caltech101Dataset")[0], "obj_contour")
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "iuf":
        raise ValueError(f"'{path}': 'obj_contour' should be numbers.")
    return found


class Caltech256Dataset(_Classes):
    """Caltech 256: folders that are classes, such as 001.ak47. Columns: image, label (int32).

    Args:
      dataset_dir: the folder of folders.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    label = np.int32

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        folder = folder_of(dataset_dir)
        self._classes = folders_in(folder)
        rows = [(path, number) for number, name in enumerate(self._classes) for path in files_in(os.path.join(folder, name))]
        super().__init__(rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def num_classes(self):
        """Returns the number of classes."""
        return len(self._classes)


class OmniglotDataset(_Classes):
    """Omniglot: folders of alphabets with folders of characters, which are the classes. Columns: image, label (int32).

    Args:
      dataset_dir: the folder with images_background and images_evaluation.
      background: which of the two.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    label = np.int32

    def __init__(self, dataset_dir, background=None, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        one_of("background", True if background is None else background, [True, False])
        folder = folder_of(os.path.join(folder_of(dataset_dir), "images_evaluation" if background is False else "images_background"))
        self._classes = [os.path.join(folder, one, inner) for one in folders_in(folder) for inner in folders_in(os.path.join(folder, one))]
        rows = [(path, number) for number, one in enumerate(self._classes) for path in files_in(one)]
        super().__init__(rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def num_classes(self):
        """Returns the number of characters."""
        return len(self._classes)


class LFWDataset(FileRows):
    """Labeled Faces in the Wild. Columns of "people": image, label (uint32: the name's line); of "pairs": image1, image2, label
    (uint32: whether both show one person).

    Args:
      dataset_dir: the folder with lfw, lfw_funneled, lfw-deepfunneled and the lists.
      task: "people" (by default) or "pairs".
      usage: "10fold", "train", "test" or "all".
      image_set: "original", "funneled" (by default) or "deepfunneled".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _FOLDERS = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
    _LISTS = {"10fold": [""], "train": ["DevTrain"], "test": ["DevTest"], "all": ["DevTrain", "DevTest"]}

    def __init__(self, dataset_dir, task=None, usage=None, image_set=None, num_samples=None, num_parallel_workers=None, shuffle=None,
                 decode=False, sampler=None, num_shards=None, shard_id=None, cache=None):
        task = one_of("task", task or "people", ["people", "pairs"])
        usage = one_of("usage", usage or "all", list(self._LISTS))
        folder = folder_of(dataset_dir)
        self._pictures = folder_of(os.path.join(folder, self._FOLDERS[one_of("image_set", image_set or "funneled", list(self._FOLDERS))]))
        people = task == "people"
        if people:
            names = text_of(existing(folder, ["lfw-names.txt"], "LFWDataset")[0])
            self._numbers = {line.split()[0]: at for at, line in enumerate(line for line in names.split("\n") if line.strip())}
        rows = [row for path in existing(folder, [f"{task}{part}.txt" for part in self._LISTS[usage]], "LFWDataset")
                for row in (self._people(path) if people else self._pairs(path))]
        read = picture_reader(decode)
        columns = {"image": read, "label": None} if people else {"image1": read, "image2": read, "label": None}
        super().__init__(columns, rows, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def _picture(self, name, number, place):
        return os.path.join(self._pictures, name, f"{name}_{_number(number, place, 10000):04}.jpg")

    @staticmethod
    def _lines(path):
        """(place, words) of each line with names; others have counts."""
        for number, line in enumerate(text_of(path).split("\n"), 1):
            words = line.split()
            if words and not words[0].isdecimal():
                yield f"{path}:{number}", words

    def _people(self, path):
        for place, words in self._lines(path):
            if len(words) != 2 or words[0] not in self._numbers:
                raise ValueError(f"{place}: a line should be a name of lfw-names.txt and a number, but is {words}.")
            label = np.asarray(self._numbers[words[0]], np.uint32)
            yield from ((self._picture(words[0], str(one), place), label) for one in range(1, _number(words[1], place, 10000) + 1))

    def _pairs(self, path):
        for place, words in self._lines(path):
            if len(words) not in (3, 4):
                raise ValueError(f"{place}: a line should be a name with two numbers, or two names with a number each, but is {words}.")
            same = len(words) == 3
            first, second = (words[0], words[1]), (words[0] if same else words[2], words[-1])
            yield self._picture(*first, place), self._picture(*second, place), np.asarray(int(same), np.uint32)


class Places365Dataset(_Classes):
    """Places365, with lists of files and their classes. Columns: image, label (uint32).

    Args:
      dataset_dir: the folder.
      usage: "train-standard" (by default), "train-challenge" or "val".
      small: whether to take images of 256x256, or large ones.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, usage=None, small=True, decode=False, num_samples=None, num_parallel_workers=None, shuffle=None,
                 sampler=None, num_shards=None, shard_id=None, cache=None):
        usage = one_of("usage", usage or "train-standard", ["train-standard", "train-challenge", "val"])
        folder, size = folder_of(dataset_dir), "256" if small else "large"
        path = existing(folder, [f"places365_{usage.replace('-', '_')}.txt"], "Places365Dataset")[0]
        pictures = os.path.join(folder, f"val_{size}" if usage == "val" else f"data_{size}_{usage.split('-')[1]}")
        rows = []
        for number, line in enumerate(text_of(path).split("\n"), 1):
            words = line.split()
            if words and len(words) != 2:
                raise ValueError(f"{path}:{number}: a line should be a file and its class, but is '{line}'.")
            rows += [(os.path.join(pictures, words[0].lstrip("/")), _number(words[1], f"{path}:{number}"))] if words else []
        super().__init__(rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class SUN397Dataset(_Classes):
    """SUN397: folders that ClassName.txt names, of images sun_*.jpg. Columns: image, label (uint32).

    Args:
      dataset_dir: the folder.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        folder = folder_of(dataset_dir)
        names = text_of(existing(folder, ["ClassName.txt"], "SUN397Dataset")[0]).split()
        rows = [(path, number) for number, name in enumerate(names)
                for path in files_in(folder_of(os.path.join(folder, name.lstrip("/"))), (".jpg",))
                if os.path.basename(path).startswith("sun_")]
        super().__init__(rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class RenderedSST2Dataset(_Classes):
    """Sentences of SST-2 as images, in folders negative (0) and positive (1). Columns: image, label (uint32).

    Args:
      dataset_dir: the folder with train, valid and test.
      usage: "train", "val", "test" or "all".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _PARTS = {"test": "test", "train": "train", "val": "valid"}

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        usage, folder = one_of("usage", usage or "all", [*self._PARTS, "all"]), folder_of(dataset_dir)
        rows = [(path, label) for part in self._PARTS if usage in (part, "all") for label, side in enumerate(("negative", "positive"))
                for path in files_in(folder_of(os.path.join(folder, self._PARTS[part], side)), (".png", ".jpg"))]
        super().__init__(rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def num_classes(self):
        """Returns 2."""
        return 2


class LSUNDataset(_Classes):
    """LSUN: folders such as bedroom_train and bedroom_val. Columns: image, label (uint32).

    Each folder is a class, in the order of the scenes' names: of "all", the two folders of a scene are two classes, as in MindSpore
    2.0.0. Images of "test" have the label 0.

    Args:
      dataset_dir: the folder.
      usage: "train", "test", "valid" or "all", which leaves out "test".
      classes: a list of scenes; None takes all that have folders.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _SCENES = ["bedroom", "bridge", "church_outdoor", "classroom", "conference_room", "dining_room", "kitchen", "living_room",
               "restaurant", "tower"]

    def __init__(self, dataset_dir, usage=None, classes=None, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False,
                 sampler=None, num_shards=None, shard_id=None, cache=None):
        usage, folder = one_of("usage", usage or "all", ["train", "test", "valid", "all"]), folder_of(dataset_dir)
        if classes is not None and not isinstance(classes, list):
            raise TypeError(f"Argument classes with value {classes} is not of type [{list}], but got {type(classes)}.")
        scenes = [one_of("classes", scene, self._SCENES) for scene in classes or ()]
        parts = [end for end, part in (("train", "train"), ("val", "valid")) if usage in (part, "all")]
        wanted = [f"{scene}_{part}" for scene in self._SCENES if not scenes or scene in scenes for part in parts]
        found = ["test"] if usage == "test" else [name for name in wanted if os.path.isdir(os.path.join(folder, name))]
        rows = [(path, number) for number, name in enumerate(found) for path in files_in(folder_of(os.path.join(folder, name)))]
        super().__init__(rows, decode, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class PhotoTourDataset(FileRows):
    """Photo Tourism's patches, 256 in each bitmap of 1024x1024. Columns of "train": image (uint8 64x64x1); of "test": image1, image2,
    matches (uint32: whether both show one point).

    Args:
      dataset_dir: the folder with a folder of each name.
      name: "notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris" or "liberty_harris".
      usage: "train" (by default) or "test", the pairs of m50_100000_100000_0.txt.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _NAMES = ["notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris", "liberty_harris"]

    def __init__(self, dataset_dir, name, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        usage = one_of("usage", usage or "train", ["train", "test"])
        self._folder, self._held = folder_of(os.path.join(folder_of(dataset_dir), one_of("name", name, self._NAMES))), (None, None)
        patches = sum(bool(line.strip()) for line in text_of(existing(self._folder, ["info.txt"], "PhotoTourDataset")[0]).split("\n"))
        if usage == "train":
            columns, rows = {"image": self._patch}, [(number,) for number in range(patches)]
        else:
            columns, rows = {"image1": self._patch, "image2": self._patch, "matches": None}, list(self._pairs(patches))
        super().__init__(columns, rows, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def _pairs(self, patches):
        path = existing(self._folder, ["m50_100000_100000_0.txt"], "PhotoTourDataset")[0]
        for number, line in enumerate(text_of(path).split("\n"), 1):
            words = [_number(word, f"{path}:{number}") for word in line.split()]
            if words and (len(words) < 5 or max(words[0], words[3]) >= patches):
                raise ValueError(f"{path}:{number}: a line should have 7 numbers with two of the {patches} patches, but is '{line}'.")
            if words:
                yield words[0], words[3], np.asarray(int(words[1] == words[4]), np.uint32)

    def _patch(self, number):
        at, inner = divmod(number, 256)
        image = self._bitmap(at)
        top, left = inner // 16 * 64, inner % 16 * 64
        return image[top:top + 64, left:left + 64, np.newaxis]

    def _bitmap(self, number):
        """The pixels of a bitmap; the last one is held."""
        from plumb.dataset.vision.images import opened
        held, image = self._held
        if held != number:
            path = existing(self._folder, [f"patches{number:04}.bmp"], "PhotoTourDataset")[0]
            image = opened(np.fromfile(path, np.uint8), f"'{path}'", "L")
            if image.shape != (1024, 1024):
                raise ValueError(f"'{path}' has {image.shape[0]}x{image.shape[1]} pixels, but should have 1024x1024.")
            self._held = number, image
        return image


class USPSDataset(NumpySlicesDataset):
    """USPS's digits in LIBSVM's form: usps and usps.t. Columns: image (uint8 16x16x1), label (uint32).

    Args:
      dataset_dir: the folder.
      usage: "train", "test" or "all".
      shuffle: whether rows come in a new random order each epoch: True, False or Shuffle.GLOBAL; or, with Shuffle.FILES, files.
      num_samples, num_shards, shard_id: which rows.

    Without a shuffle one file comes after the other; MindSpore takes a line of each in turn.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None,
                 shard_id=None, cache=None):
        usage, cached = one_of("usage", usage or "all", ["train", "test", "all"]), wants_cache("USPSDataset", cache)
        names = [name for name, part in (("usps", "train"), ("usps.t", "test")) if usage in (part, "all")]
        files = [list(_digits(path)) for path in existing(folder_of(dataset_dir), names, "USPSDataset")]
        rows = [row for file in files for row in file]
        if not rows:
            raise ValueError("There is no valid data for 'USPSDataset'.")
        columns = {name: np.stack(arrays) for name, arrays in zip(("image", "label"), zip(*rows))}
        order = FileOrder([len(file) for file in files], shuffle, num_samples, num_shards, shard_id)
        super().__init__(columns, None, None, num_parallel_workers, None, order)
        self._cached = cached


def _digits(path):
    """(image, label) of each line: a label of 1 to 10, and 256 times "number:value" with values of -1 to 1."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        words = line.split()
        if not words:
            continue
        try:
            values = np.array([float(word.split(":")[1]) for word in words[1:]])
            label = int(words[0]) - 1
        except (IndexError, ValueError):
            values, label = np.zeros(0), -1
        if values.size != 256 or not 0 <= label < 10 or not np.all(np.abs(values) <= 1):
            raise ValueError(f"{path}:{number}: a line should have a label of 1 to 10 and 256 values of -1 to 1, each as 'number:value'.")
        yield ((values + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1), np.asarray(label, np.uint32)
