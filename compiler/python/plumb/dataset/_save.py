"""Writes a dataset's rows as MindRecord files, with a schema after the first row."""

import itertools

import numpy as np

from plumb.mindrecord.filewriter import FileWriter

_TYPES = {"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "int32": "int32", "uint32": "int64",
          "int64": "int64", "float32": "float32", "float64": "float64"}
_ROWS_AT_ONCE = 100


def save(dataset, file_name, num_files, file_type):
    """Writes one pass of a dataset; see `Dataset.save`."""
    if file_type != "mindrecord":
        raise ValueError(f"For 'save', file_type must be 'mindrecord', but got {file_type!r}.")
    names = dataset.get_col_names()
    rows = iter(next(dataset.passes()))
    first = next(rows, None)
    if first is None:
        raise ValueError("There is no valid data in dataset, please check dataset file firstly.")
    fields = {name: _field(name, value) for name, value in zip(names, first)}
    writer = FileWriter(file_name, num_files)
    writer.add_schema(fields)
    rows = itertools.chain([first], rows)
    while part := list(itertools.islice(rows, _ROWS_AT_ONCE)):
        writer.write_raw_data([{name: _stored(value, fields[name]) for name, value in zip(names, row)} for row in part])
    writer.commit()


def _field(name, value):
    """A column's entry in the schema: images and other bytes are one blob, and the first extent of arrays may change."""
    kind = getattr(getattr(value, "dtype", None), "name", type(value).__name__)
    if kind == "uint8" and value.ndim:
        return {"type": "bytes"}
    if kind.startswith("str") and not value.ndim:
        return {"type": "string"}
    if kind not in _TYPES:
        raise TypeError(f"For 'save', MindRecord files have no {'arrays of strings' if kind.startswith('str') else kind}, which "
                        f"the column '{name}' holds: convert it by map() before.")
    return {"type": _TYPES[kind], "shape": [-1, *value.shape[1:]]} if value.ndim else {"type": _TYPES[kind]}


def _stored(value, field):
    if field["type"] == "bytes":
        return np.ascontiguousarray(value).tobytes()
    if field["type"] == "string":
        return str(value)
    return value.astype(field["type"]) if "shape" in field else value[()].astype(field["type"])
