"""Converters of data sets in other forms to MindRecord files. Images become JPEG files of quality 95, as OpenCV writes them."""

import csv
import io
import itertools
import os
import pickle
import re

import numpy as np

from plumb.mindrecord.filewriter import SUCCESS, FileWriter

_JPEG_QUALITY, _CHUNK, _PAGE_SIZE = 95, 256, 1 << 26


class _Converter:
    """Base of converters: `transform` writes the files and returns SUCCESS; `run` is the same."""

    def transform(self):
        """Writes the MindRecord files; returns SUCCESS."""
        raise NotImplementedError

    def run(self):
        """The same as `transform`."""
        return self.transform()


def _path(value, name, found=None):
    """A path that exists, `found` says by which function; any where that is None."""
    from plumb import _paths
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name} must be a path, but got {value!r}.")
    if found is None:
        return value
    path = _paths.mapped(value)
    if not found(path):
        raise ValueError(f"{name}: '{value}' does not exist.")
    return path


def _written(destination, parts, schema, description, index, rows):
    """Writes rows, an iterator, into files."""
    writer = FileWriter(destination, parts)
    writer.set_page_size(_PAGE_SIZE)
    writer.add_schema(schema, description)
    if index is not None:
        writer.add_index(index)
    while chunk := list(itertools.islice(rows, _CHUNK)):
        writer.write_raw_data(chunk)
    return writer.commit()


def _jpeg(image):
    from plumb.dataset.vision.image_files import encode_jpeg
    return encode_jpeg(image, _JPEG_QUALITY).tobytes()


class CsvToMR(_Converter):
    """A CSV file whose first line names the columns.

    Args:
      source: the path of the file.
      destination: the path of the MindRecord file; no file of the name may exist.
      columns_list: the columns to take; None takes all.
      partition_number: into how many files the rows go.

    Columns of whole numbers become int64, of True and False int32, of other numbers float64 (an empty field NaN), others
    strings.
    """

    def __init__(self, source, destination, columns_list=None, partition_number=1):
        self._source, self._destination = _path(source, "source", os.path.isfile), _path(destination, "destination")
        if columns_list is not None and (not isinstance(columns_list, list) or not all(isinstance(name, str) for name in columns_list)):
            raise ValueError(f"columns_list must be a list of names, but got {columns_list!r}.")
        self._columns, self._parts = columns_list, partition_number

    def transform(self):
        with open(self._source, newline="", encoding="utf-8") as file:
            lines = [line for line in csv.reader(file) if line]
        if not lines:
            raise ValueError(f"'{self._source}' has no line that names the columns.")
        names, chosen = lines[0], self._columns or lines[0]
        for number, line in enumerate(lines[1:], 2):
            if len(line) != len(names):
                raise ValueError(f"{self._source}: row {number} has {len(line)} fields, but there are {len(names)} columns.")
        for name in chosen:
            if name not in names:
                raise ValueError(f"columns_list: there is no column '{name}'; there are {', '.join(names)}.")
        made = [_column([line[names.index(name)] for line in lines[1:]]) for name in chosen]
        schema = {name: {"type": kind} for name, (kind, _) in zip(chosen, made)}
        rows = (dict(zip(chosen, values)) for values in zip(*(values for _, values in made)))
        return _written(self._destination, self._parts, schema, "csv_schema", list(chosen), rows)


def _column(fields):
    """(type, values) of a column's fields."""
    if all(field in ("True", "False") for field in fields):
        return "int32", [int(field == "True") for field in fields]
    for kind, convert in (("int64", int), ("float64", lambda field: float(field or "nan"))):
        try:
            values = [convert(field) for field in fields]
        except ValueError:
            continue
        if kind == "float64" or all(-1 << 63 <= value < 1 << 63 for value in values):
            return kind, values
    return "string", fields


class MnistToMR(_Converter):
    """MNIST's IDX files. Fields: label (int64), data (a JPEG file's bytes).

    Args:
      source: the folder of the files, plain or gzip.
      destination: what the paths of the MindRecord files begin with, before "_train.mindrecord" and "_test.mindrecord".
      partition_number: into how many files the rows of each go.
    """

    def __init__(self, source, destination, partition_number=1):
        self._source, self._destination = _path(source, "source", os.path.isdir), _path(destination, "destination")
        self._parts = partition_number

    def transform(self):
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        for part in ("train", "test"):
            _written(f"{self._destination}_{part}.mindrecord", self._parts, schema, "mnist_schema", ["label"], self._rows(part))
        return SUCCESS

    def _rows(self, part):
        from plumb.dataset import MnistDataset
        data = MnistDataset(self._source, part, shuffle=False)
        for image, label in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            yield {"label": int(label), "data": _jpeg(image)}


class _CifarToMR(_Converter):
    """CIFAR's pickled files: dicts of rows of bytes and lists of labels.

    Args:
      source: the folder of the files ("python version" of https://www.cs.toronto.edu/~kriz/cifar.html).
      destination: the path of the MindRecord file of the training part; that of the other has "_test" behind it.
    """

    _FILES = {}
    _LABELS = {}

    def __init__(self, source, destination):
        self._source, self._destination = _path(source, "source", os.path.isdir), _path(destination, "destination")

    def transform(self, fields=None):  # pylint: disable=arguments-differ
        """Writes the MindRecord files; returns SUCCESS.

        Args:
          fields: the fields to search by; None takes all but the images.
        """
        if fields is not None and not isinstance(fields, list):
            raise ValueError(f"fields must be a list of names, but got {fields!r}.")
        schema = {"id": {"type": "int64"}, **{name: {"type": "int64"} for name in self._LABELS}, "data": {"type": "bytes"}}
        for part, end in (("train", ""), ("test", "_test")):
            _written(self._destination + end, 1, schema, f"img_{part}", fields or None, self._rows(self._FILES[part]))
        return SUCCESS

    def run(self, fields=None):  # pylint: disable=arguments-differ
        """The same as `transform`."""
        return self.transform(fields)

    def _rows(self, pattern):
        paths = sorted(name for name in os.listdir(self._source) if re.fullmatch(pattern, name))
        if not paths:
            raise ValueError(f"The folder '{self._source}' has no file {pattern}.")
        number = itertools.count()
        for path in (os.path.join(self._source, name) for name in paths):
            content = _unpickled(path)
            try:
                images = np.asarray(content[b"data"], np.uint8).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
                labels = [content[key] for key in self._LABELS.values()]
            except (KeyError, TypeError, ValueError) as problem:
                raise ValueError(f"'{path}' is no file of CIFAR: {problem}") from None
            for image, *values in zip(images, *labels):
                yield {"id": next(number), **dict(zip(self._LABELS, map(int, values))), "data": _jpeg(image)}


class Cifar10ToMR(_CifarToMR):
    __doc__ = _CifarToMR.__doc__ + "\n    Fields: id (int64, from 0), label (int64), data (a JPEG file's bytes).\n    "

    _FILES = {"train": "data_batch_.*", "test": "test_batch"}
    _LABELS = {"label": b"labels"}


class Cifar100ToMR(_CifarToMR):
    __doc__ = _CifarToMR.__doc__ + "\n    Fields: id (int64, from 0), fine_label, coarse_label (int64), data (a JPEG file's bytes).\n    "

    _FILES = {"train": "train", "test": "test"}
    _LABELS = {"fine_label": b"fine_labels", "coarse_label": b"coarse_labels"}


class _Unpickler(pickle.Unpickler):
    """Reads NumPy arrays and Python's own values: a file cannot call anything else."""

    _KNOWN = {("numpy.core.multiarray", "_reconstruct"), ("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode")}

    def find_class(self, module, name):
        """Returns one of the known functions."""
        if (module, name) not in self._KNOWN:
            raise pickle.UnpicklingError(f"it calls {module}.{name}")
        return super().find_class(module, name)


def _unpickled(path):
    with open(path, "rb") as file:
        content = file.read()
    try:
        return _Unpickler(io.BytesIO(content), encoding="bytes").load()
    except Exception as problem:  # pylint: disable=broad-except
        raise ValueError(f"'{path}' is no pickled file of CIFAR: {problem}") from None


class ImageNetToMR(_Converter):
    """Folders of images by class. Fields: label (int32), image (the file's bytes), file_name (string).

    Args:
      map_file: the path of a text with a line "FOLDER LABEL" for each class.
      image_dir: the folder of the folders.
      destination: the path of the MindRecord file.
      partition_number: into how many files the rows go.

    Folders that do not exist are an error; MindSpore warns.
    """

    def __init__(self, map_file, image_dir, destination, partition_number=1):
        self._map, self._folder = _path(map_file, "map_file", os.path.isfile), _path(image_dir, "image_dir", os.path.isdir)
        self._destination, self._parts = _path(destination, "destination"), partition_number

    def transform(self):
        schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
        return _written(self._destination, self._parts, schema, "imagenet_schema", ["label", "file_name"], self._rows())

    def _rows(self):
        for folder, label in self._classes():
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), "rb") as file:
                    yield {"label": label, "image": file.read(), "file_name": name}

    def _classes(self):
        """Yields (path of a folder, label)."""
        with open(self._map, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                parts = line.split()
                if parts and (len(parts) != 2 or not re.fullmatch("[0-9]+", parts[1])):
                    raise ValueError(f"{self._map}:{number}: a line must be 'FOLDER LABEL', but it is {line.rstrip()!r}.")
                if parts and not os.path.isdir(os.path.join(self._folder, parts[0])):
                    raise ValueError(f"{self._map}:{number}: there is no folder '{os.path.join(self._folder, parts[0])}'.")
                if parts:
                    yield os.path.join(self._folder, parts[0]), int(parts[1])


class TFRecordToMR(_Converter):
    """A TFRecord file of `tf.train.Example`.

    Args:
      source: the path of the file.
      destination: the path of the MindRecord file.
      feature_dict: by feature, an object with `dtype` (int64, int32, float32, float64 or string) and `shape` ([] or one extent),
        as TensorFlow's `tf.io.FixedLenFeature`; TensorFlow itself is not needed.
      bytes_fields: features of strings that become bytes, such as images.

    A field is called as its feature, with "_" for each character that is no letter and no digit.
    """

    def __init__(self, source, destination, feature_dict, bytes_fields=None):
        self._source, self._destination = _path(source, "source", os.path.isfile), _path(destination, "destination")
        if not isinstance(feature_dict, dict) or not all(hasattr(one, "dtype") and hasattr(one, "shape") for one in feature_dict.values()):
            raise ValueError(f"feature_dict must give an object with dtype and shape for each feature, but got {feature_dict!r}.")
        if bytes_fields is not None and not isinstance(bytes_fields, list):
            raise ValueError(f"bytes_fields must be a list of names, but got {bytes_fields!r}.")
        for name in bytes_fields or ():
            if name not in feature_dict or _type_of(feature_dict[name]) != "string":
                raise ValueError(f"bytes_fields: '{name}' is no feature of strings in feature_dict.")
        self._features = {name: _field(name, feature, name in (bytes_fields or ())) for name, feature in feature_dict.items()}

    def transform(self):
        schema = {re.sub("[^0-9a-zA-Z_]", "_", name): field for name, field in self._features.items()}
        return _written(self._destination, 1, schema, "TFRecord to MindRecord", None, self._rows(list(schema)))

    def _rows(self, fields):
        from plumb.dataset.tfrecord import TFRecordDataset
        data = TFRecordDataset(self._source, columns_list=list(self._features), shuffle=False)
        for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            yield {field: _feature_value(name, kind, value) for field, (name, kind), value in
                   zip(fields, self._features.items(), row)}


def _type_of(feature):
    return getattr(feature.dtype, "name", None) or str(feature.dtype)


def _field(name, feature, as_bytes):
    """The field of a feature."""
    kind, shape = _type_of(feature), list(feature.shape)
    if shape and (kind == "string" or len(shape) > 1 or not isinstance(shape[0], int) or shape[0] < 1):
        raise ValueError(f"feature_dict: '{name}' must be of shape [] or, if of numbers, of one extent, but has {shape} of {kind}.")
    if kind not in ("int32", "int64", "float32", "float64", "string"):
        raise ValueError(f"feature_dict: '{name}' is of type {kind}, but int32, int64, float32, float64 and string are offered.")
    return {"type": kind, "shape": shape} if shape else {"type": "bytes" if as_bytes else kind}


def _feature_value(name, field, value):
    """A feature's value as its field needs it."""
    if field["type"] in ("bytes", "string"):
        return value.tobytes() if field["type"] == "bytes" else value.tobytes().decode()
    shape = field.get("shape", [])
    if value.size != (shape[0] if shape else 1):
        raise ValueError(f"The feature '{name}' has {value.size} values, but feature_dict says {shape or 1}.")
    value = value.astype(field["type"])
    return value if shape else value.reshape(()).item()
