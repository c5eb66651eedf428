"""Data sets in files of known forms, read by this process: CIFAR, folders of images, CSV, lines of text.

All but folders of images are read into memory once; the runtime gathers rows of numbers.
"""

import csv
import functools
import glob
import os

import numpy as np

from plumb.dataset import samplers
from plumb.dataset._dataset import wants_cache
from plumb.dataset._file_order import FileOrder, Shuffle
from plumb.dataset.datasets import NumpySlicesDataset
from plumb.dataset.generator import IndexedDataset


class _Cifar(NumpySlicesDataset):
    """CIFAR's binary files: records of some labels, a byte each, and 3072 bytes of an image by channels.

    Source: https://www.cs.toronto.edu/~kriz/cifar.html, "binary version".
    """

    _FILES = {}
    _LABELS = ()

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        kind = type(self).__name__
        folder = folder_of(dataset_dir)
        if usage not in (None, "all", *self._FILES):
            raise ValueError(f"usage should be one of {', '.join(map(repr, [*self._FILES, 'all']))}, but got {usage}.")
        cached = wants_cache(kind, cache)
        names = [name for part, files in self._FILES.items() if usage in (part, "all", None) for name in files]
        paths = [os.path.join(folder, name) for name in names if os.path.exists(os.path.join(folder, name))]
        if not paths:
            raise ValueError(f"The folder '{folder}' holds none of the files {', '.join(names)}.")
        records = np.concatenate([self._records(path) for path in paths])
        columns = {"image": records[:, len(self._LABELS):].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)}
        columns.update((name, records[:, i].astype(np.uint32)) for i, name in enumerate(self._LABELS))
        super().__init__(columns, None, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self._cached = cached

    def _records(self, path):
        content, width = np.fromfile(path, np.uint8), len(self._LABELS) + 3072
        if content.size == 0 or content.size % width:
            raise ValueError(f"'{path}' is no binary file of {type(self).__name__[:-len('Dataset')]}: its {content.size} bytes are "
                             f"no multiple of {width}.")
        return content.reshape(-1, width)


class Cifar10Dataset(_Cifar):
    """CIFAR-10's binary files. Columns: image (uint8 32x32x3), label (uint32).

    Args:
      dataset_dir: the folder with data_batch_1.bin … data_batch_5.bin and test_batch.bin.
      usage: "train", "test" or "all"; None takes all files found.
      shuffle: whether rows come in a new random order each epoch; None means yes.
      num_samples, sampler, num_shards, shard_id: which rows, as for every data set.
    """

    _FILES = {"train": [f"data_batch_{number}.bin" for number in range(1, 6)], "test": ["test_batch.bin"]}
    _LABELS = ("label",)


class Cifar100Dataset(_Cifar):
    """CIFAR-100's binary files. Columns: image (uint8 32x32x3), coarse_label and fine_label (uint32).

    Args:
      dataset_dir: the folder with train.bin and test.bin.
      usage, shuffle, num_samples, sampler, num_shards, shard_id: as of Cifar10Dataset.
    """

    _FILES = {"train": ["train.bin"], "test": ["test.bin"]}
    _LABELS = ("coarse_label", "fine_label")


class ImageFolderDataset(IndexedDataset):
    """Images in folders that are their classes. Columns: image (the file's bytes, or uint8 [height, width, 3]), label (int32).

    Args:
      dataset_dir: the folder of folders, whose names in order are the classes 0, 1, …
      extensions: endings of the files to take (['.jpg']); None takes all.
      class_indexing: numbers by folder's name, instead; folders without one are left out.
      decode: whether images are decoded; otherwise `vision.Decode` may follow.
      shuffle: whether rows come in a new random order each epoch; None means yes.
    """

    def __init__(self, dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None, extensions=None,
                 class_indexing=None, decode=False, num_shards=None, shard_id=None, cache=None, decrypt=None):
        if decrypt is not None:
            raise ValueError("For 'ImageFolderDataset', 'decrypt' is not offered.")
        cached = wants_cache("ImageFolderDataset", cache)
        folder = folder_of(dataset_dir)
        self._classes = _class_numbers(folder, class_indexing)
        self._files = list(_labelled_files(folder, self._classes, extensions))
        if not self._files:
            raise ValueError(f"The folder '{dataset_dir}' holds no folders with images.")
        self._decode = decode
        order = samplers.chosen(sampler, shuffle, num_samples, num_shards, shard_id)
        fetch = functools.lru_cache(maxsize=None)(self._row_at) if cached else self._row_at
        super().__init__(["image", "label"], fetch, len(self._files), order, num_parallel_workers or 1)

    def _row_at(self, index):
        from plumb.dataset.vision.images import decoded
        path, label = self._files[index]
        content = np.fromfile(path, np.uint8)
        return decoded(content, f"'{path}'") if self._decode else content, np.asarray(label, np.int32)

    def get_class_indexing(self):
        """Returns the classes' numbers by name."""
        return dict(self._classes)

    def num_classes(self):
        """Returns the number of classes."""
        return len(self._classes)


def _class_numbers(folder, class_indexing):
    """The number of each folder inside that is a class, in the order of their names."""
    classes = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    numbers = {name: number for number, name in enumerate(classes)} if class_indexing is None else class_indexing
    unknown = sorted(set(numbers) - set(classes))
    if unknown:
        raise ValueError(f"'class_indexing' names the folder '{unknown[0]}', but there are {', '.join(classes) or 'none'}.")
    return {name: numbers[name] for name in classes if name in numbers}


def _labelled_files(folder, numbers, extensions):
    """Yields (path, class) of each image."""
    for name in numbers:
        for file in sorted(os.listdir(os.path.join(folder, name))):
            if extensions is None or os.path.splitext(file)[1] in extensions:
                yield os.path.join(folder, name, file), numbers[name]


class FileRows(IndexedDataset):
    """Base of sets whose columns are read from files row by row.

    Args:
      columns: by name a function that makes the column of what a row holds, or None where the row holds it.
      rows: for each row what it holds, in the columns' order.
      rest: the arguments that every data set has; see `rest_of`.
    """

    def __init__(self, columns, rows, rest):
        who = type(self).__name__
        self._readers, self._found = list(columns.values()), list(rows)
        if not self._found:
            raise ValueError(f"There is no valid data for '{who}'.")
        order = samplers.chosen(rest["sampler"], rest["shuffle"], rest["num_samples"], rest["num_shards"], rest["shard_id"])
        fetch = functools.lru_cache(maxsize=None)(self._row_at) if wants_cache(who, rest["cache"]) else self._row_at
        super().__init__(columns, fetch, len(self._found), order, rest["num_parallel_workers"] or 1)

    def _row_at(self, index):
        return tuple(held if read is None else read(held) for held, read in zip(self._found[index], self._readers))


def rest_of(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache=None):
    """The arguments that every data set has, for FileRows."""
    return {"num_samples": num_samples, "num_parallel_workers": num_parallel_workers, "shuffle": shuffle, "sampler": sampler,
            "num_shards": num_shards, "shard_id": shard_id, "cache": cache}


def picture_reader(decode):
    """A function that reads an image file: its bytes, or decoded as uint8 [height, width, 3]."""

    def read(path):
        from plumb.dataset.vision.images import decoded
        content = np.fromfile(files_of(path)[0], np.uint8)
        return decoded(content, f"'{path}'") if decode else content

    return read


def one_of(name, value, choices):
    """`value`, which must be one of `choices`; raises TypeError or ValueError that names the argument."""
    kind = type(choices[0])
    if not isinstance(value, kind) or isinstance(value, bool) and kind is int:
        raise TypeError(f"Argument {name} with value {value} is not of type [{kind}], but got {type(value)}.")
    if value not in choices:
        raise ValueError(f"Input {name} is not within the valid set of {list(choices)}.")
    return value


def text_of(path):
    """The text of a UTF-8 file; raises ValueError that names it where it is none."""
    with open(files_of(path)[0], encoding="utf-8") as file:
        try:
            return file.read()
        except UnicodeDecodeError as problem:
            raise ValueError(f"'{path}' is no text in UTF-8: {problem}") from None


class Lines(IndexedDataset):
    """Rows that stand in the lines of text files: a list of them for each file."""

    def __init__(self, names, files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id):
        order = FileOrder([len(rows) for rows in files], shuffle, num_samples, num_shards, shard_id)
        rows = [row for file in files for row in file]
        super().__init__(names, rows.__getitem__, len(rows), order, num_parallel_workers or 1)


class TextFileDataset(Lines):
    """Lines of text files that are not empty. Column: text (a string).

    Args:
      dataset_files: a path, or a list of them, which is sorted.
      shuffle: whether lines come in a new random order each epoch: True or Shuffle.GLOBAL; Shuffle.FILES: the files; or False.
      num_shards, shard_id: which part of the lines: a run of them, as long as the other parts' by wrapping round.

    Without a shuffle one file comes after the other; MindSpore takes a line of each in turn.
    """

    def __init__(self, dataset_files, num_samples=None, num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None,
                 shard_id=None, cache=None):
        wants_cache("TextFileDataset", cache)
        files = []
        for path in sorted(files_of(dataset_files)):
            with open(path, encoding="utf-8") as file:
                files.append([(np.asarray(line),) for line in file.read().split("\n") if line])
        super().__init__(["text"], files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)


class CSVDataset(Lines):
    """Rows of CSV files. Columns: strings, or what the defaults are: float32, int32, strings.

    Args:
      dataset_files: a path, or a list of them, which is sorted.
      field_delim: the character between fields.
      column_defaults: for each column a value for fields that are empty; its type is the column's.
      column_names: the columns' names; without them the first line of each file has them.
      shuffle, num_shards, shard_id: as of TextFileDataset.
    """

    def __init__(self, dataset_files, field_delim=",", column_defaults=None, column_names=None, num_samples=None,
                 num_parallel_workers=None, shuffle=Shuffle.GLOBAL, num_shards=None, shard_id=None, cache=None):
        wants_cache("CSVDataset", cache)
        names, files = list(column_names or []), []
        for path in sorted(files_of(dataset_files)):
            with open(path, newline="", encoding="utf-8") as file:
                lines = csv.reader(file, delimiter=field_delim)
                found = names if column_names else next(lines, [])
                names = names or found
                if found != names:
                    raise ValueError(f"'{path}': its columns are {found}, but those of the first file are {names}.")
                files.append([_fields(line, names, column_defaults, f"{path}:{lines.line_num}") for line in lines if line])
        super().__init__(names, files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id)


def _fields(line, names, defaults, place):
    """The fields of a line as arrays."""
    if len(line) != len(names):
        raise ValueError(f"{place}: {len(line)} fields, but there are {len(names)} columns.")
    if defaults is None:
        return tuple(np.asarray(field) for field in line)
    if len(defaults) != len(names):
        raise ValueError(f"column_defaults must give one value for each of {len(names)} columns, but got {len(defaults)}.")
    return tuple(_field(field, default, f"{place}: column '{name}'") for field, default, name in zip(line, defaults, names))


def _field(field, default, place):
    kinds = {float: np.float32, int: np.int32, str: np.str_}
    if type(default) not in kinds:
        raise TypeError(f"column_defaults must be ints, floats or strings, but got {type(default).__name__}.")
    try:
        return np.asarray(type(default)(field) if field else default, kinds[type(default)])
    except (ValueError, OverflowError):
        raise ValueError(f"{place}: '{field}' is no {type(default).__name__}.") from None


def folder_of(path):
    """The folder that a program means by `path`; raises ValueError where there is none."""
    from plumb import _paths
    folder = _paths.mapped(os.fspath(path))
    if not os.path.isdir(folder):
        raise ValueError(f"The folder {path} does not exist or is not a directory or permission denied!")
    return os.path.abspath(folder)


def files_of(paths):
    """The files that a program means by paths or patterns ("part-*.csv"); raises ValueError where one is missing."""
    from plumb import _paths
    found, missing = [], []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = _paths.mapped(os.fspath(path))
        matches = [path] if os.path.isfile(path) else [match for match in glob.glob(path, recursive=True) if os.path.isfile(match)]
        found += matches
        missing += [] if matches else [path]
    if missing or not found:
        raise ValueError(f"The following patterns did not match any files: {missing}.")
    return found
