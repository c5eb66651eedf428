"""The pipeline a dataset object stands for: a source and nodes, as JSON for the runtime.

Nothing is read or computed here but sizes, shapes and element types; rows are decoded, mapped, shuffled and batched by
the runtime's threads, in process and in the executable alike. The JSON is that of `runtime/abi/pipeline.fbs`.
"""

import json

import numpy as np

from plumb.common import dtype as mstype


class Column:
    """A column's name, element type and the shape of one row (or batch)."""

    def __init__(self, name, dtype, shape):
        self.name, self.dtype, self.shape = name, dtype, tuple(shape)

    def numpy_type(self):
        """Returns NumPy's type of the elements; strings for columns that no device holds."""
        return self.dtype.numpy if self.dtype is not None else np.dtype(np.str_)

    def replaced(self, dtype=None, shape=None):
        """Returns the column with another type or shape."""
        return Column(self.name, dtype or self.dtype, self.shape if shape is None else shape)


class Node:
    """One step of a pipeline: a JSON table and its effect on columns and row count."""

    def __init__(self, kind, table):
        self.kind, self.table = kind, table

    def entry(self):
        """Returns the node as the schema's NodeEntry."""
        return {"node_type": self.kind, "node": self.table}

    def rows(self, count):
        """Returns how many rows one pass gives after this node."""
        if self.kind == "Batch":
            size = self.table["size"]
            return count // size if self.table["drop_remainder"] else -(-count // size)
        if self.kind == "Repeat":
            return count * max(self.table["count"], 1)
        if self.kind == "Take":
            return min(count, self.table["count"])
        return count

    def columns(self, columns):
        """Returns the columns after this node."""
        if self.kind == "Map":
            return [self._mapped(column) if column.name == self.table["column"] else column for column in columns]
        if self.kind == "Batch":
            return [column.replaced(shape=(self.table["size"],) + column.shape) for column in columns]
        if self.kind == "Project":
            by_name = {column.name: column for column in columns}
            return [by_name[name] for name in self.table["columns"]]
        return columns

    def _mapped(self, column):
        kind, table = self.table["operation_type"], self.table["operation"]
        if kind == "Resize":
            return column.replaced(shape=(table["height"], table["width"]) + column.shape[2:])
        if kind in ("Rescale", "Normalize"):
            return column.replaced(dtype=mstype.float32)
        if kind == "HwcToChw":
            height, width, channels = column.shape
            return column.replaced(shape=(channels, height, width))
        if kind == "TypeCast":
            return column.replaced(dtype=mstype.by_mlir(table["element"]))
        return column.replaced(dtype=mstype.int32, shape=column.shape + (table["classes"],))


def element_name(dtype):
    """Returns the schema's spelling of an element type ("u8" where MLIR has "ui8")."""
    return dtype.mlir.replace("ui", "u")


def to_json(source_type, source, shuffled, nodes, workers, seed=-1, cache=False):
    """Returns a pipeline's JSON text."""
    table = {"source_type": source_type, "source": source, "sampler_shuffle": shuffled,
             "nodes": [node.entry() for node in nodes], "workers": workers}
    if seed >= 0:
        table["seed"] = seed
    if cache:
        table["cache"] = True
    return json.dumps(table)
