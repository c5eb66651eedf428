"""`serialize` and `deserialize`: a dataset as JSON: the sources with their arguments, and the methods that were called on them.

A node is {"op_type": source's class or method, "children": [nodes], arguments by name}. Rows in memory and Python functions have no
JSON: a node names them, and cannot be read back. Not the format of MindSpore's files, but the same outer form.
"""

import enum
import importlib
import json
import logging
import os

import numpy as np

from plumb.common import dtype as mstype
from plumb.dataset._dataset import Dataset, DatasetCache, zip_datasets
from plumb.dataset._made import arguments_of
from plumb.dataset.files import text_of
from plumb.dataset.samplers import Sampler
from plumb.dataset.schema import Schema

_logger = logging.getLogger("plumb.dataset")
_MODULES = ("plumb.dataset", "plumb.dataset.transforms", "plumb.dataset.vision", "plumb.dataset.text", "plumb.dataset.audio")
_METHODS = ("map", "batch", "padded_batch", "bucket_batch_by_length", "filter", "shuffle", "repeat", "cache", "take", "skip", "project", "rename", "concat",
            "flat_map", "sync_wait")
_MAX_DEPTH = 200


def serialize(dataset, json_filepath=""):
    """Returns a dataset as a dict for JSON, and writes it where a path is given.

    Python functions and rows in memory are named by it, and warned of: `deserialize` cannot make them again. MindSpore 2.0.0 loses
    column_defaults, too.
    """
    if not isinstance(dataset, Dataset):
        raise TypeError(f"For 'serialize', dataset must be a dataset, but got {type(dataset).__name__}.")
    lost = []
    node = _node(dataset, lost)
    if lost:
        _logger.warning("serialize: %s cannot be made again from the JSON", ", ".join(name for name, _ in lost))
    if json_filepath:
        with open(json_filepath, "w", encoding="utf-8") as file:
            json.dump(node, file, indent=2, ensure_ascii=False)
    return node


def deserialize(input_dict=None, json_filepath=None):
    """Makes the dataset again that `serialize` returned as a dict, or wrote to a path; None where neither is given.

    MindSpore 2.0.0 reads columns with column_defaults as strings again.
    """
    if input_dict is None and json_filepath is None:
        return None
    place = "the dict" if input_dict is not None else f"'{json_filepath}'"
    try:
        return _dataset(input_dict if input_dict is not None else json.loads(text_of(json_filepath)), 0)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, RuntimeError) as problem:
        raise ValueError(f"For 'deserialize', {place}: {type(problem).__name__}: {problem}") from None


def compare(pipeline1, pipeline2):
    """Whether two datasets have the same sources, methods and arguments; functions and rows in memory must be the same objects."""
    lost = [], []
    nodes = [_node(dataset, found) for dataset, found in zip((pipeline1, pipeline2), lost)]
    return nodes[0] == nodes[1] and all(one is other for (_, one), (_, other) in zip(*lost))


def show(dataset, indentation=2):
    """Logs a dataset's JSON."""
    _logger.info(json.dumps(_node(dataset, []), indent=indentation, ensure_ascii=False))


# -- to JSON


def _node(dataset, lost):
    made_by = vars(dataset).get("_made_by")
    if made_by is None:
        name = type(dataset).__name__
        try:
            if getattr(importlib.import_module("plumb.dataset"), name, None) is not type(dataset):
                raise TypeError(f"{name} is no public class")
            arguments = {key: _encoded(value, lost) for key, value in arguments_of(dataset).items()}
        except TypeError:
            lost.append((name, dataset))
            arguments = {"lost": name}
        return {"op_type": name, "children": [], **arguments}
    method, first, arguments = made_by
    others = arguments.get("datasets", ())
    children = [first, *(others if isinstance(others, (list, tuple)) else [others])]
    arguments = {key: _encoded(value, lost) for key, value in arguments.items() if key != "datasets"}
    return {"op_type": method, "children": [_node(child, lost) for child in children], **arguments}


def _module_of(kind):
    """The public module that has a class; raises TypeError where there is none."""
    for name in _MODULES:
        if getattr(importlib.import_module(name), kind.__name__, None) is kind:
            return name
    raise TypeError(f"{kind.__name__} is no public class")


def _encoded(value, lost):
    """A value for JSON; what has none is named."""
    try:
        return _plain(value, lost)
    except TypeError:
        name = getattr(value, "__qualname__", type(value).__name__)
        lost.append((name, value))
        return {"lost": name}


def _plain(value, lost):
    if isinstance(value, enum.Enum):
        return {"enum": type(value).__name__, "module": _module_of(type(value)), "name": value.name}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        items = [_encoded(one, lost) for one in value]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, dict):
        return {"dict": [[_encoded(key, lost), _encoded(one, lost)] for key, one in value.items()]}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufU":
        return {"array": value.tolist(), "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, mstype.DType):
        return {"dtype": value.name}
    if isinstance(value, Schema):
        return {"schema": json.loads(value.to_json())}
    if isinstance(value, DatasetCache):
        return {"cache": {}}
    if isinstance(value, Sampler):
        child = value.get_child()
        return {"sampler": type(value).__name__, "module": _module_of(type(value)), "arguments": _all(arguments_of(value), lost),
                "child": child and _plain(child, lost)}
    return {"tensor_op_name": type(value).__name__, "module": _module_of(type(value)), "tensor_op_params": _all(vars(value), lost)}


def _all(values, lost):
    """All values by name; raises TypeError where one has no JSON."""
    inner = []
    found = {name: _encoded(value, inner) for name, value in values.items()}
    if inner:
        raise TypeError(inner[0][0])
    return found


# -- from JSON


def _dataset(node, depth):
    """The dataset of a node; raises ValueError where it is none."""
    if not isinstance(node, dict) or not isinstance(node.get("children"), list) or depth > _MAX_DEPTH:
        raise ValueError(f"a node should be an object with 'op_type' and 'children', nested {_MAX_DEPTH} times at most, but is {node!r:.80}.")
    if "lost" in node:
        _lost(node)
    children = [_dataset(child, depth + 1) for child in node["children"]]
    kind = node.get("op_type")
    arguments = {name: _decoded(value) for name, value in node.items() if name not in ("op_type", "children")}
    if not children:
        return _class("plumb.dataset", kind, Dataset)(**arguments)
    if kind == "zip_datasets":
        return zip_datasets(tuple(children))
    if kind not in _METHODS:
        raise ValueError(f"there is no method '{kind}' of datasets that can be made again.")
    return getattr(children[0], kind)(**arguments, **({"datasets": children[1:]} if kind == "concat" else {}))


def _class(module, name, base):
    """A public class by its name; raises ValueError where there is none."""
    found = getattr(importlib.import_module(module), name, None) if module in _MODULES and isinstance(name, str) and name.isidentifier() else None
    if not isinstance(found, type) or not issubclass(found, base):
        raise ValueError(f"'{name}' of '{module}' is no {base.__name__.lower()} that can be made again.")
    return found


def _decoded(value):
    """The value that JSON stands for."""
    if isinstance(value, list):
        return [_decoded(one) for one in value]
    if not isinstance(value, dict):
        return value
    for key, made in _MADE.items():
        if key in value:
            return made(value)
    raise ValueError(f"{value!r:.80} stands for no value.")


def _lost(value):
    raise ValueError(f"'{value['lost']}' stood for a Python object, such as a function or rows in memory, that has no JSON.")


def _operation(value):
    made = object.__new__(_class(value.get("module"), value["tensor_op_name"], object))
    if isinstance(made, (Dataset, Sampler)) or not callable(made):
        raise ValueError(f"'{value['tensor_op_name']}' is no operation.")
    vars(made).update({name: _decoded(one) for name, one in value["tensor_op_params"].items()})
    return made


def _sampler(value):
    made = _class(value.get("module"), value["sampler"], Sampler)(**{name: _decoded(one) for name, one in value["arguments"].items()})
    if value["child"] is not None:
        made.add_child(_sampler(value["child"]))
    return made


def _schema(value):
    schema = Schema()
    schema.from_json(value["schema"])
    return schema


_MADE = {"lost": _lost, "tuple": lambda value: tuple(_decoded(value["tuple"])),
         "dict": lambda value: {_decoded(key): _decoded(one) for key, one in value["dict"]},
         "enum": lambda value: _class(value.get("module"), value["enum"], enum.Enum)[value["name"]],
         "array": lambda value: np.array(value["array"], value["dtype"]).reshape(value["shape"])[()],
         "dtype": lambda value: mstype.as_dtype(value["dtype"]), "schema": _schema, "cache": lambda value: DatasetCache(),
         "sampler": _sampler, "tensor_op_name": _operation}
