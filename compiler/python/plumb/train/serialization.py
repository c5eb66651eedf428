"""Checkpoints of parameters as safetensors files, written to a temporary name, synced and renamed."""

import json
import os
import struct
import tempfile

import numpy as np

from plumb.common.parameter import Parameter
from plumb.nn.cell import Cell

_NAMES = {"bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8",
          "uint16": "U16", "uint32": "U32", "uint64": "U64", "float16": "F16", "float32": "F32", "float64": "F64"}
_TYPES = {spelled: np.dtype(name) for name, spelled in _NAMES.items()}


def save_checkpoint(save_obj, ckpt_file_name, **kwargs):
    """Writes the parameters of a cell, a dict of them, or a list of {"name", "data"}."""
    if kwargs:
        raise ValueError(f"For 'save_checkpoint', {', '.join(sorted(kwargs))} are not offered.")
    arrays = {name: np.ascontiguousarray(value.asnumpy()) for name, value in _named(save_obj)}
    header, offset = {}, 0
    for name, array in arrays.items():
        end = offset + array.nbytes
        header[name] = {"dtype": _NAMES[array.dtype.name], "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    _write_atomically(ckpt_file_name, [struct.pack("<Q", len(text)), text] + [a.tobytes() for a in arrays.values()])


def _named(save_obj):
    if isinstance(save_obj, Cell):
        return list(save_obj.parameters_dict().items())
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    return [(entry["name"], entry["data"]) for entry in save_obj]


def _write_atomically(path, parts):
    folder = os.path.dirname(os.path.abspath(path))
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".checkpoint-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def load_checkpoint(ckpt_file_name, net=None, strict_load=False, **kwargs):
    """Reads a checkpoint into a dict of Parameters by name, and into `net` when given."""
    if kwargs:
        raise ValueError(f"For 'load_checkpoint', {', '.join(sorted(kwargs))} are not offered.")
    if not os.path.exists(ckpt_file_name):
        raise ValueError(f"For 'load_checkpoint', the checkpoint file: {ckpt_file_name} does not exist, please check "
                         f"whether the 'ckpt_file_name' is correct.")
    parameters = {name: Parameter(array, name=name) for name, array in _read(ckpt_file_name).items()}
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


def _read(path):
    with open(path, "rb") as file:
        content = file.read()
    try:
        size, = struct.unpack("<Q", content[:8])
        header = json.loads(content[8:8 + size])
        arrays = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            start, end = entry["data_offsets"]
            raw = content[8 + size + start:8 + size + end]
            arrays[name] = np.frombuffer(raw, _TYPES[entry["dtype"]]).reshape(entry["shape"]).copy()
        return arrays
    except (struct.error, ValueError, KeyError, TypeError) as problem:
        raise ValueError(f"'{path}' is no safetensors file, or is damaged: {problem}.") from None


def load_param_into_net(net, parameter_dict, strict_load=False):
    """Sets a cell's parameters by name; returns (names not loaded of the cell, names not used of the dict)."""
    missing = []
    own = net.parameters_dict()
    for name, parameter in own.items():
        if name not in parameter_dict:
            missing.append(name)
            continue
        parameter.set_data(parameter_dict[name])
    unused = [name for name in parameter_dict if name not in own]
    return missing, unused
