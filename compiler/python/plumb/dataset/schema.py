"""Schema: the columns of a data set, with types and shapes; and RandomDataset, rows of random numbers for one."""

import json
import os

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset import samplers
from plumb.dataset._dataset import wants_cache
from plumb.dataset._host import seed_of
from plumb.dataset.files import text_of
from plumb.dataset.generator import IndexedDataset
from plumb.dataset.scene_sets import json_of

_KINDS = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "string")


class Schema:
    """The columns of a data set. A "rank" without a shape says that rows tell it; MindSpore 2.0.0 takes it for a rank of 0.

    Args:
      schema_file: a path of a JSON file: {"columns": {name: {"type": "int64", "rank": 1, "shape": [4]}}}, or with a list of columns
        that have a "name".
    """

    def __init__(self, schema_file=None):
        self._columns, self._rest = [], {}
        if schema_file is not None:
            if not isinstance(schema_file, (str, os.PathLike)):
                raise TypeError(f"path: {schema_file} is not string")
            if not os.path.isfile(schema_file):
                raise ValueError(f"The file {schema_file} does not exist or permission denied!")
            try:
                self.from_json(json_of(text_of(schema_file), f"'{schema_file}'"))
            except (RuntimeError, TypeError) as problem:
                raise type(problem)(f"'{schema_file}': {problem}") from None

    def add_column(self, name, de_type, shape=None):
        """Adds a column, which takes the place of one of its name; MindSpore 2.0.0 keeps both.

        Args:
          name: its name.
          de_type: the type, or its name.
          shape: a list of extents; None means that rows tell it.
        """
        if not isinstance(name, str):
            raise TypeError(f"Argument name with value {name} is not of type [{str}], but got {type(name)}.")
        if shape is not None and not isinstance(shape, list):
            raise TypeError(f"Argument shape with value {shape} is not of type [{list}], but got {type(shape)}.")
        if shape and not all(isinstance(extent, int) and not isinstance(extent, bool) and extent >= -1 for extent in shape):
            raise RuntimeError(f"The column '{name}': the shape {shape} should have ints of at least 0, or -1 for any.")
        kind = de_type if isinstance(de_type, str) else getattr(mstype.as_dtype(de_type), "name", "") if _is_type(de_type) else ""
        kind = {"bool_": "bool", "bytes": "string"}.get(kind, kind).lower()
        if kind not in _KINDS:
            raise TypeError("Unknown column type.")
        column = {"name": name, "rank": 1 if shape is None else len(shape), "type": kind}
        if shape is not None:
            column["shape"] = list(shape)
        self._columns = [known for known in self._columns if known["name"] != name] + [dict(sorted(column.items()))]

    def parse_columns(self, columns):
        """Adds columns: a list of dicts with "name" and "type", perhaps "shape"; or a dict of dicts by name."""
        if isinstance(columns, dict):
            listed = [{"name": name, **column} if isinstance(column, dict) else {} for name, column in columns.items()]
        elif isinstance(columns, list):
            listed = columns
        else:
            raise RuntimeError("columns must be dict or list, columns contain name, type, shape(optional).")
        for column in listed:
            for key in ("name", "type"):
                if not isinstance(column, dict) or key not in column:
                    raise RuntimeError(f"Column's {key} is missing.")
            # Without a shape, a rank says that rows tell it.
            self.add_column(column["name"], column["type"], column.get("shape", None if "rank" in column else []))

    def from_json(self, json_obj):
        """Adds what a dict describes: "columns", perhaps "datasetType" and "numRows"."""
        if not isinstance(json_obj, dict):
            raise TypeError(f"Argument json_obj should be a dict, but got {type(json_obj).__name__}.")
        if not json_obj.get("columns"):
            raise RuntimeError("Columns are missing.")
        rows = json_obj.get("numRows", 0)
        if isinstance(rows, bool) or not isinstance(rows, int) or rows < 0:
            raise RuntimeError(f"numRows must be greater than or equal to 0, but got {rows}.")
        found = json_obj["columns"]
        self.parse_columns(dict(sorted(found.items())) if isinstance(found, dict) else found)
        self._rest = {key: json_obj[key] for key in ("datasetType", "numRows") if key in json_obj}

    def to_json(self):
        """Returns the columns as JSON."""
        return json.dumps(dict(sorted({"columns": self._columns, **self._rest}.items())), indent=2)

    def get_num_rows(self):
        """Returns the number of rows that a file told, or 0."""
        return self._rest.get("numRows", 0)

    def names(self):
        """Returns the columns' names."""
        return [column["name"] for column in self._columns]

    def described(self):
        """Returns by name (NumPy type, None for strings; shape, None where rows tell it)."""
        return {column["name"]: (None if column["type"] == "string" else np.dtype(column["type"]).type, column.get("shape"))
                for column in self._columns}

    def __str__(self):
        return self.to_json()


def _is_type(value):
    try:
        return mstype.as_dtype(value) is not None
    except (TypeError, ValueError):
        return False


def schema_of(schema):
    """The Schema that a program means: itself, or a path."""
    return schema if isinstance(schema, Schema) else Schema(schema)


class RandomDataset(IndexedDataset):
    """Rows of random numbers: all integers of a type equally often, floats between 0 and 1. An index has the same row in every pass.

    Of MindSpore 2.0.0's rows, all bytes are the same one, and num_samples and num_shards leave out none.

    Args:
      total_rows: how many; None takes what the schema tells.
      schema: a Schema, or a path of a JSON file; random columns are not offered.
      columns_list: names of the columns to take; None takes all.
      shuffle, num_samples, num_shards, shard_id: which rows.
    """

    def __init__(self, total_rows=None, schema=None, columns_list=None, num_samples=None, num_parallel_workers=None, cache=None,
                 shuffle=None, num_shards=None, shard_id=None):
        wants_cache("RandomDataset", cache)
        for name, value, kind in (("total_rows", total_rows, int), ("columns_list", columns_list, list), ("shuffle", shuffle, bool)):
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool) and kind is int):
                raise TypeError(f"Argument {name} with value {value} is not of type [{kind}], but got {type(value)}.")
        if schema is None:
            raise ValueError("For 'RandomDataset', random columns are not offered; give a 'schema'.")
        described, told = schema_of(schema).described(), schema_of(schema).get_num_rows()
        rows = told if total_rows is None else total_rows
        if rows < 1:
            raise ValueError(f"RandomDataset: 'total_rows' must be at least 1, got: {rows}.")
        unknown = [name for name in columns_list or () if name not in described]
        if unknown:
            raise ValueError(f"There is no column '{unknown[0]}'; there are {', '.join(described)}.")
        self._kinds = [described[name] for name in columns_list or described]
        if any(kind is None or -1 in (shape or ()) for kind, shape in self._kinds):
            raise ValueError("For 'RandomDataset', columns of strings and of any extent are not offered.")
        order = samplers.chosen(None, bool(shuffle), num_samples, num_shards, shard_id)
        super().__init__(columns_list or list(described), self._row_at, rows, order, num_parallel_workers or 1)

    def _row_at(self, index):
        rng = np.random.default_rng(seed_of("random", index))
        return tuple(_random(rng, kind, shape or ()) for kind, shape in self._kinds)


def _random(rng, kind, shape):
    if np.issubdtype(kind, np.floating):
        return rng.random(shape).astype(kind) if shape else np.asarray(rng.random(), kind)
    if kind is np.bool_:
        return np.asarray(rng.integers(0, 2, shape), kind)
    limits = np.iinfo(kind)
    return np.asarray(rng.integers(limits.min, limits.max, shape, kind, endpoint=True), kind)
