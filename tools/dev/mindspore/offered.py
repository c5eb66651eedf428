"""The public names of the package by space, the documentation of each, and which names are one object.

Run by `tools/python`, it prints them as JSON: `compare_mindspore` runs under another interpreter.
"""

import importlib
import inspect
import json
import sys
import types

import cases


def spaces():
    """The objects that have the names: modules of the package, the class of cells, methods and attributes of tensors."""
    nn = importlib.import_module("plumb.nn")
    methods = importlib.import_module("plumb.common.tensor_methods").METHODS
    tensor = importlib.import_module("plumb.common.tensor").Tensor
    modules = {space: importlib.import_module(name.replace("mindspore", "plumb", 1)) for space, name in cases.MODULES.items()}
    attributes = {name: getattr(tensor, name) for name in dir(tensor) if name[0] != "_"}
    return {**modules, "Cell": nn.Cell, "Tensor": types.SimpleNamespace(**{**attributes, **methods})}


def is_public(space, name, value):
    """Whether a name of a space is offered: no module, nothing of Python's library, and in `numpy` and `mindspore` no constant."""
    if name[0] == "_" or inspect.ismodule(value) or getattr(value, "__module__", "").split(".")[0] in ("typing", "functools", "enum", "abc"):
        return False
    return space != "numpy" or callable(value) or name.endswith("grid")


def offered():
    """(names by space, documentation by "space.name", the first "space.name" of the same object by each later one)."""
    names, documents, same, first = {}, {}, {}, {}
    for space, owner in sorted(spaces().items(), key=lambda pair: pair[0] not in ("ops", "nn")):
        names[space] = sorted(name for name in dir(owner) if is_public(space, name, getattr(owner, name, None)))
        for name in names[space]:
            value = getattr(owner, name)
            documents[f"{space}.{name}"] = inspect.getdoc(value) or ""
            if callable(value) and first.setdefault(id(value), f"{space}.{name}") != f"{space}.{name}":
                same[f"{space}.{name}"] = first[id(value)]
    return names, documents, same


if __name__ == "__main__":
    json.dump(offered(), sys.stdout)
