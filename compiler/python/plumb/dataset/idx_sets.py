"""Sets of handwritten characters and the like in IDX files: MNIST and its kin. The runtime reads all but QMNIST, executables, too."""

import gzip
import os
import struct

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset._dataset import wants_cache
from plumb.dataset._pipeline import Column, Node
from plumb.dataset.datasets import SampledSource, NumpySlicesDataset, native_sampler
from plumb.dataset.files import folder_of
from plumb.dataset.text_sets import chosen_parts, existing

_ENDS = ("-images-idx3-ubyte", "-labels-idx1-ubyte")


class _IdxDataset(SampledSource):
    """Images and labels of bytes in the IDX files of one folder, plain or gzip. Columns: image (uint8 28x28x1), label (uint32).

    Args:
      folder: where the files are.
      sets: the names of the sets, each with a file of images and one of labels.
      where_found: whether sets without files are left out.
      classes: the number that all labels are below.
      rest: how rows are picked, and the cache, by the keywords of the public classes.
    """

    def __init__(self, folder, sets, where_found, classes, rest):
        kind, shuffle, count = type(self).__name__, rest["shuffle"], rest["num_samples"]
        columns = [Column("image", mstype.uint8, (28, 28, 1)), Column("label", mstype.uint32, ())]
        source = {"dataset": kind, "folder": os.path.abspath(folder), "sets": sets, "where_found": where_found, "height": 28,
                  "width": 28, "classes": classes}
        super().__init__("IdxSource", source, columns, shuffle is not False, rest["num_parallel_workers"],
                         native_sampler(rest["sampler"], shuffle, count, rest["num_shards"], rest["shard_id"]))
        self._cached = wants_cache(kind, rest["cache"])
        self._rows_found = None
        if count and self.native:
            self._nodes.append(Node("Take", {"count": count}))

    def _why_empty(self):
        if self._source_rows():
            return super()._why_empty()
        files = " and ".join(self._source["sets"][0] + end for end in _ENDS)
        return (f"The folder '{self._source['folder']}' holds none of the files of {type(self).__name__}, such as {files}, plain or "
                f".gz.")

    def _source_rows(self):
        if self._rows_found is None:
            paths = [os.path.join(self._source["folder"], name + _ENDS[1]) for name in self._source["sets"]]
            self._rows_found = sum(map(_idx_rows, paths))
        return self._rows_found


def _file(path):
    """The file of a path, plain or gzip; None where there is neither."""
    return next((candidate for candidate in (path, path + ".gz") if os.path.isfile(candidate)), None)


def _idx_rows(path):
    found = _file(path)
    if found is None:
        return 0
    with (gzip.open if found.endswith(".gz") else open)(found, "rb") as file:
        header = file.read(8)
    if len(header) < 8 or header[:4] != b"\0\0\x08\x01":
        raise ValueError(f"'{found}' is no IDX file of labels: wrong magic number or too short.")
    return struct.unpack(">I", header[4:])[0]


class MnistDataset(_IdxDataset):
    """MNIST's IDX files of one folder, plain or gzip. Columns: image (uint8 28x28x1), label (uint32).

    Args:
      dataset_dir: the folder.
      usage: "train", "test" or "all"; None takes all files found.
      shuffle: whether rows come in a new random order each epoch; None means yes.
      num_samples: take the first rows only.

    Of both parts without a shuffle, the training images come first, in MindSpore the others.
    """

    def __init__(self, dataset_dir, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None,
                 sampler=None, num_shards=None, shard_id=None, cache=None):
        if usage not in (None, "train", "test", "all"):
            raise ValueError(f"usage should be one of 'train', 'test', 'all', but got {usage}.")
        rest = dict(num_samples=num_samples, num_parallel_workers=num_parallel_workers, shuffle=shuffle, sampler=sampler,
                    num_shards=num_shards, shard_id=shard_id, cache=cache)
        sets = {"train": ["train"], "test": ["t10k"]}.get(usage, ["train", "t10k"])
        super().__init__(folder_of(dataset_dir), sets, usage is None, 10, rest)


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST's IDX files, which have the names and the form of MNIST's. Columns: image (uint8 28x28x1), label (uint32)."""


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST's IDX files, which have the names and the form of MNIST's. Columns: image (uint8 28x28x1), label (uint32)."""


class EMnistDataset(_IdxDataset):
    """EMNIST's IDX files: emnist-NAME-train-images-idx3-ubyte and its kin. Columns: image (uint8 28x28x1), label (uint32).

    Args:
      dataset_dir: the folder.
      name: "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
      usage: "train", "test" or "all".
      shuffle, num_samples, sampler, num_shards, shard_id: as of MnistDataset.
    """

    #: Letters count from 1. Source: Cohen et al., EMNIST: an extension of MNIST to handwritten letters (2017), table II.
    _CLASSES = {"byclass": 62, "bymerge": 47, "balanced": 47, "letters": 27, "digits": 10, "mnist": 10}

    def __init__(self, dataset_dir, name, usage=None, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        if name not in self._CLASSES:
            raise ValueError(f"For 'EMnistDataset', name is not known: {name}.")
        rest = dict(num_samples=num_samples, num_parallel_workers=num_parallel_workers, shuffle=shuffle, sampler=sampler,
                    num_shards=num_shards, shard_id=shard_id, cache=cache)
        sets = chosen_parts({"train": f"emnist-{name}-train", "test": f"emnist-{name}-test"}, usage, "EMnistDataset")
        folder = folder_of(dataset_dir)
        for path in [os.path.join(folder, name + end) for name in sets for end in _ENDS]:
            if _file(path) is None:
                raise ValueError(f"For 'EMnistDataset', the file {path} does not exist.")
        super().__init__(folder, sets, False, self._CLASSES[name], rest)


def idx_array(path):
    """The array in an IDX file: uint8, or big-endian int32."""
    with open(path, "rb") as file:
        content = file.read()
    kinds = {8: np.uint8, 12: np.dtype(">i4")}
    if len(content) < 4 or content[:2] != b"\0\0" or content[2] not in kinds:
        raise ValueError(f"'{path}' is no IDX file of uint8 or int32.")
    shape = struct.unpack(f">{content[3]}I", content[4:4 + 4 * content[3]])
    array = np.frombuffer(content, kinds[content[2]], offset=4 + 4 * content[3])
    if array.size != int(np.prod(shape)):
        raise ValueError(f"'{path}': {array.size} elements, but its head says {list(shape)}.")
    return array.reshape(shape)


class QMnistDataset(NumpySlicesDataset):
    """QMNIST's IDX files. Columns: image (uint8 28x28x1), label (uint32, or with `compat` False all eight numbers of it).

    Args:
      dataset_dir: the folder.
      usage: "train", "test", "test10k", "test50k", "nist" or "all".
      compat: whether a label is the class alone.
      shuffle, num_samples, sampler, num_shards, shard_id: as of MnistDataset.
    """

    _PARTS = {"train": ("qmnist-train", None), "test": ("qmnist-test", None), "test10k": ("qmnist-test", slice(0, 10000)),
              "test50k": ("qmnist-test", slice(10000, None)), "nist": ("xnist", None)}

    def __init__(self, dataset_dir, usage=None, compat=True, num_samples=None, num_parallel_workers=None, shuffle=None, sampler=None,
                 num_shards=None, shard_id=None, cache=None):
        if usage not in (None, "all", *self._PARTS):
            raise ValueError(f"For 'QMnistDataset', usage should be one of {', '.join(self._PARTS)} or all, but got {usage}.")
        cached, folder, found = wants_cache("QMnistDataset", cache), folder_of(dataset_dir), []
        for part in ("train", "test", "nist") if usage in (None, "all") else (usage,):
            name, rows = self._PARTS[part]
            paths = existing(folder, [f"{name}-images-idx3-ubyte", f"{name}-labels-idx2-int"], "QMnistDataset")
            found.append([idx_array(path)[rows or slice(None)] for path in paths])
        images, labels = (np.concatenate(arrays) for arrays in zip(*found))
        labels = (labels[:, 0] if compat else labels).astype(np.uint32)
        super().__init__({"image": images[..., np.newaxis], "label": labels}, None, num_samples, num_parallel_workers, shuffle, sampler,
                         num_shards, shard_id)
        self._cached = cached
