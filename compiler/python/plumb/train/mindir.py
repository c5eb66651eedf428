"""Networks in files: `export` writes a compiled call of a cell with its Parameters, `load` reads it in any other process.

A file is a zip archive of
* `network.mlir`: the call as the compiler's stage `optimize` leaves it (see docs/pipeline.md): operations of the `net` dialect on
  typed tensors, which no Python is needed for;
* `form.json`: the version of this form, the inputs' shapes and element types, the structure of the result, the Parameters by symbol;
* `parameters/SYMBOL.npy`: the Parameters' values.
It has MindSpore's name for such files and is not MindSpore's form, which neither reads nor is read by this one.
"""

import io
import json
import os
import tempfile
import zipfile

import numpy as np

from plumb.common import dtype as mstype
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.nn.cell import Cell

VERSION = 1
STAGE = "optimize"


class Graph:
    """A network as `load` reads it; `nn.GraphCell` makes a cell of it.

    Attributes:
      module: the network as MLIR text.
      inputs: (shape, DType) of each input.
      result: the structure of what it returns, over the numbers of its outputs.
      parameters: by symbol, Parameters with their values.
    """

    def __init__(self, module, inputs, result, parameters):
        self.module, self.inputs, self.result, self.parameters = module, inputs, result, parameters

    def __repr__(self):
        shown = ", ".join(f"{dtype}{list(shape)}" for shape, dtype in self.inputs)
        return f"Graph of {shown} with {len(self.parameters)} parameters"


def export(net, *inputs, file_name, file_format, **kwargs):
    """Writes a cell, compiled for inference on inputs like these, to a file.

    Args:
      net: a Cell.
      inputs: Tensors; the file's network takes inputs of their shapes and element types.
      file_name: the file; ".mindir" is put behind it where it does not end so.
      file_format: "MINDIR"; "AIR" and "ONNX" are not offered.
    """
    if kwargs:
        raise ValueError(f"For 'export', {', '.join(sorted(kwargs))} are not offered.")
    if file_format not in ("MINDIR", "AIR", "ONNX"):
        raise ValueError(f"For 'export', 'file_format' must be one of ['AIR', 'ONNX', 'MINDIR'], but got {file_format}.")
    if file_format != "MINDIR":
        raise ValueError(f"For 'export', file_format='{file_format}' is not offered; use 'MINDIR'.")
    if not isinstance(net, Cell):
        raise TypeError(f"For 'export', the 'net' must be a Cell, but got {type(net).__name__}.")
    for value in inputs:
        if not isinstance(value, Tensor):
            raise TypeError(f"For 'export', the inputs must be Tensors, but got {type(value).__name__}.")
    path = os.fspath(file_name)
    _write(path if path.endswith(".mindir") else path + ".mindir", *_compiled(net, inputs))


def _compiled(net, inputs):
    """The module, the description and the Parameters' arrays of a call for inference."""
    from plumb import _native, _programs
    training = [(cell, cell.training) for _, cell in net.cells_and_names()]
    net.set_train(False)
    try:
        program = _programs.DirectCall(net, inputs, {}).program()
        module, parameters = program.render()
        text = _native.native_compiler().compile(module, program.hint, [f"--compile-to={STAGE}"], program.live.answer)
    except RuntimeError as problem:
        raise _native.RenderedError(str(problem)) from None
    finally:
        for cell, mode in training:
            cell.__dict__["training"] = mode
    if program.live.complex_results or any(value.dtype.name.startswith("complex") for value in inputs):
        raise ValueError("For 'export', complex inputs and results are not offered; split them by 'ops.view_as_real'.")
    parameters = program.live.printer.parameters_by_symbol() or parameters
    form = {"version": VERSION, "stage": STAGE, "inputs": [[list(value.shape), value.dtype.name] for value in inputs],
            "result": _checked_result(program.live.result), "parameters": {
                symbol: {"name": value.name, "requires_grad": value.requires_grad} for symbol, value in parameters.items()}}
    return text.decode(), form, {symbol: value.asnumpy() for symbol, value in parameters.items()}


def _checked_result(template):
    """What a call returns: tensors in tuples and lists; raises ValueError for anything else."""
    if template is None:
        return {"x": 0}
    if template.attributes:
        raise ValueError("For 'export', a network that sets attributes is not offered.")
    return _plain(template.result)


def _plain(item):
    if "x" in item:
        return {"x": item["x"]}
    for kind in ("t", "list"):
        if kind in item:
            return {kind: [_plain(part) for part in item[kind]]}
    raise ValueError("For 'export', a network must return tensors, alone or in tuples and lists.")


def _write(path, module, form, arrays):
    """Writes the archive, whole or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w") as archive:
            archive.writestr("form.json", json.dumps(form, indent=1))
            archive.writestr("network.mlir", module, zipfile.ZIP_DEFLATED)
            for symbol, array in arrays.items():
                content = io.BytesIO()
                np.save(content, array, allow_pickle=False)
                archive.writestr(f"parameters/{symbol}.npy", content.getvalue())
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise


def load(file_name, **kwargs):
    """Reads a file that `export` has written; returns a Graph for `nn.GraphCell`."""
    if kwargs:
        raise ValueError(f"For 'load', {', '.join(sorted(kwargs))} are not offered.")
    path = os.fspath(file_name)
    if not path.endswith(".mindir"):
        instead = "; plumb.onnx.load reads ONNX files" if path.endswith(".onnx") else ""
        raise ValueError(f"For 'load', the argument 'file_name' must end with '.mindir', but got {path}{instead}.")
    if not os.path.exists(path):
        raise ValueError(f"For 'load', the file {path} does not exist.")
    try:
        with zipfile.ZipFile(path) as archive:
            form = json.loads(archive.read("form.json"))
            if form["version"] != VERSION:
                raise ValueError(f"its version is {form['version']}, but {VERSION} is read")
            module = archive.read("network.mlir").decode()
            parameters = {symbol: _parameter(archive, symbol, entry) for symbol, entry in form["parameters"].items()}
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as problem:
        raise ValueError(f"For 'load', {path} is no file that this version's 'export' has written: {problem}") from None
    return Graph(module, [(tuple(shape), mstype.as_dtype(kind)) for shape, kind in form["inputs"]], form["result"], parameters)


def _parameter(archive, symbol, entry):
    array = np.load(io.BytesIO(archive.read(f"parameters/{symbol}.npy")), allow_pickle=False)
    return Parameter(array, name=entry["name"], requires_grad=entry["requires_grad"])
