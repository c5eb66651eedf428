"""Classes of datasets by what they do, for programs that ask with `isinstance` or make a node by its class."""

from plumb.dataset import _batched, _buckets, _nodes, _sync
from plumb.dataset._dataset import Dataset, zip_datasets
from plumb.dataset.audio_sets import Sounds
from plumb.dataset.datasets import NativeDataset
from plumb.dataset.files import Lines
from plumb.dataset.generator import IndexedDataset
from plumb.dataset.text_sets import IMDBDataset

_NODES = {"batch": _batched.Batched, "map": _nodes.Mapped, "filter": _nodes.Filtered, "shuffle": _nodes.Shuffled, "repeat": _nodes.Repeated,
          "take": _nodes.Taken, "skip": _nodes.Skipped, "project": _nodes.Projected, "rename": _nodes.Renamed,
          "sync_wait": _sync.Synced, "concat": _nodes.Concatenated, "zip": _nodes.Zipped}
_TABLES = {"CSVDataset", "GeneratorDataset", "MindDataset", "NumpySlicesDataset", "PaddedDataset", "TFRecordDataset"}


def method_of(dataset):
    """The method that made a dataset, or None for a source."""
    if isinstance(dataset, NativeDataset):
        return dataset._nodes[-1].kind.lower() if dataset._nodes else None
    if isinstance(dataset, _buckets.Bucketed):
        return "bucket_batch_by_length"
    if isinstance(dataset, _batched.Batched) and dataset._pad_info is not None:
        return "padded_batch"
    return next((name for name, node in _NODES.items() if isinstance(dataset, node)), None)


class _Kind(type):
    """Classes whose instances are found by what they do."""

    def __instancecheck__(cls, value):
        return isinstance(value, Dataset) and cls.holds(value)

    def __call__(cls, *args, **kwargs):
        return cls.make(*args, **kwargs)


def _made_by(method):
    """The class of what a method of datasets makes; called, it takes the dataset before the method's arguments."""
    name = "".join(word.capitalize() for word in method.split("_")) + "Dataset"
    return _Kind(name, (), {"__doc__": f"What `Dataset.{method}` makes.", "holds": staticmethod(lambda value: method_of(value) == method),
                            "make": staticmethod(getattr(Dataset, method))})


def _source(name, summary, holds):
    def make(*args, **kwargs):
        raise TypeError(f"'{name}' is a kind of datasets; make one of {summary}, such as GeneratorDataset.")
    return _Kind(name, (), {"__doc__": f"Datasets of {summary}.", "holds": staticmethod(holds), "make": staticmethod(make)})


_text = lambda value: isinstance(value, (Lines, IMDBDataset))
_sound = lambda value: isinstance(value, Sounds)
_any = lambda value: method_of(value) is not None or type(value).__name__ in _TABLES
_source_only = lambda value: method_of(value) is None

BatchDataset, MapDataset, FilterDataset, ShuffleDataset, RepeatDataset, TakeDataset, SkipDataset, ProjectDataset, RenameDataset, \
    SyncWaitDataset, PaddedBatchDataset = map(_made_by, (
        "batch", "map", "filter", "shuffle", "repeat", "take", "skip", "project", "rename", "sync_wait", "padded_batch"))
ConcatDataset, ZipDataset = _made_by("concat"), _made_by("zip")
ConcatDataset.make = staticmethod(lambda datasets: list(datasets)[0].concat(list(datasets)[1:]))
ZipDataset.make = staticmethod(lambda datasets: zip_datasets(tuple(datasets)))
SourceDataset = _source("SourceDataset", "rows that no other dataset gives", _source_only)
MappableDataset = _source("MappableDataset", "rows that are found by their number", lambda value: _source_only(value) and (
    isinstance(value, IndexedDataset) or isinstance(value, NativeDataset) and not _text(value)))
TextBaseDataset = _source("TextBaseDataset", "texts", lambda value: _any(value) or _text(value))
VisionBaseDataset = _source("VisionBaseDataset", "images", lambda value: _any(value) or not _text(value) and not _sound(value))
AudioBaseDataset = _source("AudioBaseDataset", "sounds", lambda value: _any(value) or _sound(value))
UnionBaseDataset = _source("UnionBaseDataset", "texts, images and sounds", _any)

