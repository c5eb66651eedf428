"""Public data sets of images with boxes, masks, outlines, captions, or beside them the same images in less detail."""

import functools
import json
import os
import re

import numpy as np

from plumb.dataset._mat import read_mat
from plumb.dataset.class_sets import files_in, folders_in
from plumb.dataset.files import FileRows, files_of, folder_of, one_of, picture_reader, rest_of, text_of
from plumb.dataset.text_sets import existing


class KITTIDataset(FileRows):
    """KITTI's objects. Columns of "train": image, label (uint32, by the classes' names in order), truncated (float32), occluded
    (uint32), alpha (float32), bbox (float32 [n, 4]: left, top, right, bottom), dimensions, location (float32 [n, 3]), rotation_y
    (float32), those without a shape [n, 1]; of "test": image.

    Args:
      dataset_dir: the folder with data_object_image_2 and data_object_label_2.
      usage: "train" (by default) or "test".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    #: Columns behind the class: their words of a line, and their type.
    _FIELDS = {"truncated": (1, 2, np.float32), "occluded": (2, 3, np.uint32), "alpha": (3, 4, np.float32), "bbox": (4, 8, np.float32),
               "dimensions": (8, 11, np.float32), "location": (11, 14, np.float32), "rotation_y": (14, 15, np.float32)}

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        train, folder = one_of("usage", usage or "train", ["train", "test"]) == "train", folder_of(dataset_dir)
        part = "training" if train else "testing"
        pictures = files_in(folder_of(os.path.join(folder, "data_object_image_2", part, "image_2")))
        columns, rows = {"image": picture_reader(decode)}, [(path,) for path in pictures]
        if train:
            columns.update(dict.fromkeys(["label", *self._FIELDS]))
            names = [os.path.splitext(os.path.basename(path))[0] + ".txt" for path in pictures]
            lists = existing(os.path.join(folder, "data_object_label_2", part, "label_2"), names, "KITTIDataset")
            rows = self._with_objects(pictures, [list(_objects(path)) for path in lists])
        super().__init__(columns, rows, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))

    def _with_objects(self, pictures, objects):
        """Yields the rows of pictures with their objects."""
        numbers = {name: number for number, name in enumerate(sorted({name for found in objects for name, _ in found}))}
        for path, found in zip(pictures, objects):
            label = np.array([numbers[name] for name, _ in found], np.uint32).reshape(-1, 1)
            values = np.array([values for _, values in found]).reshape(-1, 15)
            yield (path, label, *((values[:, begin:end].astype(np.int64) if kind is np.uint32 else values[:, begin:end]).astype(kind)
                                  for begin, end, kind in self._FIELDS.values()))


def _objects(path):
    """Yields the class of each line and its 15 fields as numbers, of which the first is 0."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        words = line.split()
        if words:
            yield words[0], [0, *_numbers(words[1:15], 14, f"{path}:{number}")]


def _numbers(words, count, place):
    """Words as numbers below 2^31; raises ValueError that names the place."""
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if len(values) != count or not np.all(np.abs(values) < 2.0 ** 31):
        raise ValueError(f"{place}: there should be {count} numbers, but got '{' '.join(words)}'.")
    return values


class WIDERFaceDataset(FileRows):
    """WIDER FACE. Columns: image, bbox (int32 [n, 4]: left, top, width, height), blur, expression, illumination, occlusion, pose,
    invalid (int32 [n]); of "test": image.

    A line's last numbers are invalid, occlusion and pose, as the set's readme says; MindSpore 2.0.0 takes them for occlusion, pose and
    invalid.

    Args:
      dataset_dir: the folder with WIDER_train, WIDER_val, WIDER_test and wider_face_split.
      usage: "train", "test", "valid" or "all", which leaves out "test".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    #: Words of a line: those of the box come first.
    _ORDER = {"blur": 4, "expression": 5, "illumination": 6, "occlusion": 8, "pose": 9, "invalid": 7}

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        usage, folder = one_of("usage", usage or "all", ["train", "test", "valid", "all"]), folder_of(dataset_dir)
        columns, rows = {"image": picture_reader(decode)}, []
        if usage == "test":
            path = existing(folder, ["wider_face_split/wider_face_test_filelist.txt"], "WIDERFaceDataset")[0]
            names = sorted(line.strip() for line in text_of(path).split("\n") if line.strip())
            rows = [(os.path.join(folder, "WIDER_test", "images", name),) for name in names]
        else:
            columns.update(dict.fromkeys(["bbox", *self._ORDER]))
            for part in [end for end, part in (("train", "train"), ("val", "valid")) if usage in (part, "all")]:
                path = existing(folder, [f"wider_face_split/wider_face_{part}_bbx_gt.txt"], "WIDERFaceDataset")[0]
                rows += [(os.path.join(folder, f"WIDER_{part}", "images", name), faces[:, :4], *(faces[:, at] for at in self._ORDER.values()))
                         for name, faces in sorted(_faces(path).items())]
        super().__init__(columns, rows, rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


def _faces(path):
    """The faces of each picture by its name, int32 [n, 10]: a name's line is followed by their number, and a line for each."""
    found, lines = {}, [line.strip() for line in text_of(path).rstrip().split("\n")]
    at = 0
    while at < len(lines):
        place = f"{path}:{at + 2}"
        if at + 1 >= len(lines) or not lines[at + 1].isdecimal() or len(lines[at + 1]) > 9:
            raise ValueError(f"{place}: there should be the number of faces.")
        count = max(int(lines[at + 1]), 1)  # a picture without faces has a line of zeros
        rows = [_numbers(line.split(), 10, f"{path}:{at + 3 + inner}") for inner, line in enumerate(lines[at + 2:at + 2 + count])]
        if len(rows) != count:
            raise ValueError(f"{place}: there should be {count} lines of faces, but there are {len(rows)}.")
        found[lines[at]] = np.array(rows).astype(np.int32)
        at += 2 + count
    return found


class DIV2KDataset(FileRows):
    """DIV2K: images in full and in less detail. Columns: hr_image, lr_image.

    Args:
      dataset_dir: the folder with DIV2K_train_HR and its kin.
      usage: "train", "valid" or "all".
      downgrade: "bicubic", "unknown", "mild", "difficult" or "wild".
      scale: 2, 3, 4, or 8 of "bicubic"; 4 of "mild", "difficult" and "wild".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, usage="train", downgrade="bicubic", scale=2, num_samples=None, num_parallel_workers=None,
                 shuffle=None, decode=None, sampler=None, num_shards=None, shard_id=None, cache=None):
        folder = folder_of(dataset_dir)
        one_of("usage", usage, ["train", "valid", "all"])
        one_of("scale", scale, [2, 3, 4, 8])
        one_of("downgrade", downgrade, ["bicubic", "unknown", "mild", "difficult", "wild"])
        if scale == 8 and downgrade != "bicubic":
            raise ValueError("DIV2KNode: scale equal to 8 is allowed only in bicubic downgrade.")
        if downgrade in ("mild", "difficult", "wild") and scale != 4:
            raise ValueError(f"DIV2KNode: {downgrade} downgrade requires scale equal to 4.")
        inner, end = (f"X{scale}", f"x{scale}") if downgrade in ("bicubic", "unknown") else ("", f"x{scale}{downgrade[0]}")
        kind, inner = ("x8", "") if scale == 8 else (downgrade, inner)
        rows = []
        for part in ("train", "valid"):
            if usage in (part, "all"):
                full = files_in(folder_of(os.path.join(folder, f"DIV2K_{part}_HR")), (".png",))
                less = folder_of(os.path.join(folder, f"DIV2K_{part}_LR_{kind}", inner))
                names = [os.path.splitext(os.path.basename(path))[0] + end + ".png" for path in full]
                rows += zip(full, existing(less, names, "DIV2KDataset"))
        super().__init__(dict.fromkeys(["hr_image", "lr_image"], picture_reader(bool(decode))), rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class FlickrDataset(FileRows):
    """Flickr8k and Flickr30k. Columns: image, annotation (strings: the captions).

    Args:
      dataset_dir: the folder of images.
      annotation_file: a path; a line is an image's name, "#", a number, a tabulator and a caption.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, annotation_file, num_samples=None, num_parallel_workers=None, shuffle=None, decode=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        folder, captions = folder_of(dataset_dir), {}
        if not os.path.isfile(annotation_file):
            raise ValueError(f"The file {annotation_file} does not exist or permission denied!")
        for number, line in enumerate(text_of(annotation_file).split("\n"), 1):
            found = re.fullmatch(r"(.+?)#\d+\t(.*?)\r?", line)
            if line.strip() and not found:
                raise ValueError(f"{annotation_file}:{number}: a line should be 'image#number', a tabulator and a caption, but is '{line}'.")
            if found:
                captions.setdefault(found[1], []).append(found[2])
        rows = [(os.path.join(folder, name), np.asarray(captions[name])) for name in sorted(captions)]
        super().__init__({"image": picture_reader(bool(decode)), "annotation": None}, rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


class CityscapesDataset(FileRows):
    """Cityscapes. Columns: image, task (an image; of "polygon" a string of JSON).

    Args:
      dataset_dir: the folder with leftImg8bit and gtFine or gtCoarse.
      usage: "train", "test" (of "fine"), "train_extra" (of "coarse"), "val" or "all".
      quality_mode: "fine" or "coarse".
      task: "instance", "semantic", "polygon" or "color".
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    _ENDS = {"instance": "instanceIds.png", "semantic": "labelIds.png", "polygon": "polygons.json", "color": "color.png"}

    def __init__(self, dataset_dir, usage="train", quality_mode="fine", task="instance", num_samples=None, num_parallel_workers=None,
                 shuffle=None, decode=None, sampler=None, num_shards=None, shard_id=None, cache=None):
        folder = folder_of(dataset_dir)
        one_of("task", task, list(self._ENDS))
        truth = {"fine": "gtFine", "coarse": "gtCoarse"}[one_of("quality_mode", quality_mode, ["fine", "coarse"])]
        parts = ["train", "test", "val"] if quality_mode == "fine" else ["train", "train_extra", "val"]
        one_of("usage", usage, [*parts, "all"])
        rows = []
        for part in parts:
            if usage in (part, "all"):
                pictures = folder_of(os.path.join(folder, "leftImg8bit", part))
                for city in folders_in(pictures):
                    found = files_in(os.path.join(pictures, city), (".png",))
                    names = [f"{os.path.basename(path)[:-len('leftImg8bit.png')]}{truth}_{self._ENDS[task]}" for path in found]
                    rows += zip(found, existing(os.path.join(folder, truth, part, city), names, "CityscapesDataset"))
        read = picture_reader(bool(decode))
        super().__init__({"image": read, "task": _plain_json if task == "polygon" else read}, rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))


def json_of(text, place):
    """The value that JSON describes; raises ValueError that names the place."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"{place} is no JSON: {problem}") from None


def _plain_json(path):
    """The JSON of a file without spaces, by keys in order."""
    content = json_of(text_of(path), f"'{path}'")
    return np.asarray(json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


class SBDataset(FileRows):
    """Semantic Boundaries. Columns: image, task (uint8 [20, height, width] of "Boundaries", [height, width] of "Segmentation").

    Args:
      dataset_dir: the folder with img, cls and the lists.
      task: "Boundaries" or "Segmentation".
      usage: "train", "val", "train_noval" or "all", which is the first two.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, task="Boundaries", usage="all", num_samples=None, num_parallel_workers=1, shuffle=None, decode=None,
                 sampler=None, num_shards=None, shard_id=None):
        folder = folder_of(dataset_dir)
        one_of("task", task, ["Boundaries", "Segmentation"])
        one_of("usage", usage, ["train", "val", "train_noval", "all"])
        lists = existing(folder, [f"{part}.txt" for part in (("train", "val") if usage == "all" else (usage,))], "SBDataset")
        rows = [(os.path.join(folder, "img", name + ".jpg"), os.path.join(folder, "cls", name + ".mat"))
                for path in lists for name in text_of(path).split()]
        super().__init__({"image": picture_reader(bool(decode)), "task": functools.partial(_truth, task)}, rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id))


def _truth(task, path):
    """What a file of Semantic Boundaries says of an image."""
    content, = read_mat(files_of(path)[0], "GTcls")
    if not isinstance(content, dict) or task not in content:
        raise ValueError(f"'{path}': 'GTcls' is no struct with '{task}'.")
    found = content[task]
    if not isinstance(found, np.ndarray) or task == "Segmentation" and found.dtype.kind not in "iufb":
        raise ValueError(f"'{path}': '{task}' should be {'a matrix' if task == 'Segmentation' else '20 matrices'}.")
    if task == "Segmentation":
        return found.astype(np.uint8)
    shapes = {one.shape if isinstance(one, np.ndarray) and one.dtype.kind in "iufb" else None for one in found.flat}
    if found.size != 20 or len(shapes) != 1 or None in shapes:
        raise ValueError(f"'{path}': 'Boundaries' should be 20 matrices of one shape.")
    return np.stack([np.asarray(one, np.uint8) for one in found.flat])


class SBUDataset(FileRows):
    """SBU's captioned photos. Columns: image, caption (a string). Images that are not in sbu_images are left out.

    Args:
      dataset_dir: the folder with sbu_images, SBU_captioned_photo_dataset_captions.txt and …_urls.txt.
      decode: whether images are decoded.
      shuffle, num_samples, sampler, num_shards, shard_id: as of ImageFolderDataset.
    """

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None, num_shards=None,
                 shard_id=None, cache=None):
        folder = folder_of(dataset_dir)
        paths = existing(folder, [f"SBU_captioned_photo_dataset_{what}.txt" for what in ("urls", "captions")], "SBUDataset")
        urls, captions = (text_of(path).rstrip("\n").split("\n") for path in paths)
        if len(urls) != len(captions):
            raise ValueError(f"'{paths[0]}' has {len(urls)} lines, but '{paths[1]}' has {len(captions)}.")
        pictures, rows = folder_of(os.path.join(folder, "sbu_images")), []
        for url, caption in zip(urls, captions):
            name = url.strip()[len("http://static.flickr.co"):].replace("/", "_")  # from the "m" of ".com" on
            path = os.path.join(pictures, name)
            rows += [(path, np.asarray(caption.rstrip()))] if name and os.path.isfile(path) else []
        super().__init__({"image": picture_reader(decode), "caption": None}, rows,
                         rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache))
