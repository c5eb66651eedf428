"""Checkpoints: parameters as safetensors files, read and written by the runtime (`runtime/checkpoint`); as MindSpore's `.ckpt`
files; and as NumPy's `.npz`."""

import os

import numpy as np

from plumb import context
from plumb.common import dtype as mstype
from plumb.common._offers import IN_PARTS, not_offered, only_defaults
from plumb.common._print_file import parse_print
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.context import warn_once
from plumb.nn.cell import Cell
from plumb.ops import _random
from plumb.train import _ckpt, _conversions, _later
from plumb.train._conversions import check_checkpoint, ckpt_to_safetensors, load_checkpoint_async, safetensors_to_ckpt
from plumb.train.mindir import export, load

# Advice for what is not offered, which `plumb` gives, too.
_HIDDEN = "a file holds its network or Parameters as they are; keep it where others cannot read it"
INSTEAD = IN_PARTS | dict.fromkeys(("load_obf_params_into_net", "obfuscate_ckpt", "obfuscate_model"), _HIDDEN) | {
    "convert_model": "export writes this package's files, and plumb.onnx.load reads ONNX files",
    **dict.fromkeys(("load_mindir", "save_mindir"), "export and load write and read a network with its Parameters"),
}

__getattr__ = not_offered(__name__, instead=INSTEAD | {
    "_update_param": "load_param_into_net copies values, and Parameter.set_data one"})


def async_ckpt_thread_status():
    """Whether a checkpoint that `save_checkpoint` with `async_save` began is still being written."""
    return _later.is_under_way()


def save_checkpoint(save_obj, ckpt_file_name, integrated_save=True, async_save=False, append_dict=None, enc_key=None, enc_mode="AES-GCM",
                    choice_func=None, crc_check=False, format="ckpt", **kwargs):
    """Writes parameters to a file, whole or not at all.

    A name that ends in ".ckpt" makes it a MindSpore checkpoint, ".npz" NumPy's, ".safetensors" a safetensors file; any other gets the
    ending of the `format`, and so does one that does not end in ".safetensors" where that is the `format`, as in MindSpore.

    Args:
      save_obj: a cell, a dict of tensors by name, or a list of {"name", "data"}.
      ckpt_file_name: the file; a folder that is missing or read-only, or anything there but a regular file, is an OSError.
      append_dict: numbers (int, float, bool), tensors or texts that are written beside the parameters, by name, or in place of the
        one of the same name. Safetensors files hold no texts.
      integrated_save: whether the parts of tensors on several devices are joined; the same for one device.
      async_save: returns at once; the file is written meanwhile, before the next is, or is read, and before Python ends, whichever is
        first. What goes wrong is raised there.
      enc_key, enc_mode: None, and what counts only beside a key: files are not encrypted.
      choice_func: a function of a parameter's name; True writes it.
      crc_check: whether a ".ckpt" ends in a checksum, which `load_checkpoint` can check.
      format: "ckpt" or "safetensors".
    """
    del integrated_save, enc_mode
    if kwargs:
        raise ValueError(f"For 'save_checkpoint', {', '.join(sorted(kwargs))} are not offered.")
    only_defaults("save_checkpoint", enc_key=(enc_key, None))
    path = _ended(os.fspath(ckpt_file_name), format)
    named = dict(_named(save_obj))
    arrays = {name: _as_array(named[name]) for name in _conversions.taken("save_checkpoint", named, choice_func)}
    for name, value in (append_dict or {}).items():
        if name in arrays:
            warn_once(f"For 'save_checkpoint', '{name}' of 'append_dict' is the name of a parameter, too, and stands in its place.")
        arrays[name] = _appended(path, name, value)
    if async_save:
        copies = {name: array.copy() for name, array in arrays.items()}
        _later.start(lambda: _write(path, copies, crc_check))
    else:
        _later.finish()
        _write(path, arrays, crc_check)


def _ended(path, format):
    """The file's name with an ending; raises ValueError for an unknown format."""
    if format not in ("ckpt", "safetensors"):
        raise ValueError(f"For 'save_checkpoint', the 'format' must be 'ckpt' or 'safetensors', but got {format!r}.")
    wanted = (".safetensors",) if format == "safetensors" else (".ckpt", ".npz", ".safetensors")
    if os.path.exists(path) and not os.path.isfile(path):
        raise (IsADirectoryError if os.path.isdir(path) else OSError)(f"cannot write '{path}': it is no regular file")
    return path if path.endswith(wanted) else f"{path}.{format}"


def _write(path, arrays, checksum):
    """Writes the form of file that the name says."""
    if path.endswith(".ckpt"):
        _ckpt.write(path, arrays, checksum)
    elif path.endswith(".npz"):
        np.savez(path, **arrays)
    else:
        _native().write_checkpoint(path, arrays)


def _native():
    from plumb import _native
    return _native.native_runtime()


def _as_array(value):
    return value.asnumpy() if isinstance(value, Tensor) else Parameter(value).asnumpy()


def _appended(path, name, value):
    """An entry of 'append_dict' as an array; ints are of 64 bits."""
    if isinstance(value, str) and path.endswith(".safetensors"):
        raise ValueError(f"For 'save_checkpoint', '{name}' of 'append_dict' is a text, which safetensors files do not hold; save a '.ckpt'.")
    if isinstance(value, str):
        return np.array(value)
    return _as_array(Tensor(value) if type(value) is int else value)


def _named(save_obj):
    if isinstance(save_obj, Cell):
        return list(save_obj.parameters_dict().items())
    if isinstance(save_obj, dict):
        return list(save_obj.items())
    return [(entry["name"], entry["data"]) for entry in save_obj]


def load_checkpoint(ckpt_file_name, net=None, strict_load=False, filter_prefix=None, dec_key=None, dec_mode="AES-GCM", specify_prefix=None,
                    choice_func=None, crc_check=False, remove_redundancy=False, format="ckpt", *, names=None):
    """Reads a safetensors file, a MindSpore checkpoint or an `.npz` file into a dict of Parameters by name, and into `net` when given.
    Texts that `save_checkpoint` appended are strings in it.

    Files of other tools are read, too; bfloat16 tensors become float32. See `load_param_into_net` for `strict_load`.

    Args:
      filter_prefix, specify_prefix: a string, or several: parameters whose names begin so are left out, or alone are taken.
      dec_key, dec_mode: None, and what counts only beside a key: files are not encrypted.
      choice_func: a function of a parameter's name; True takes it.
      crc_check: whether a checksum that `save_checkpoint` wrote is checked.
      remove_redundancy: True or False: one device's file has all.
      format: "ckpt" or "safetensors"; the file itself tells which it is.
      names: what the file's tensors are called in the program: a dict of names or patterns with `*`, whose None drops a tensor,
        or the path of a map as `plumb-run --names` takes it (docs/checkpoints.md). A pattern that fits nothing is a ValueError.
    """
    del dec_mode, remove_redundancy
    only_defaults("load_checkpoint", dec_key=(dec_key, None))
    if format not in ("ckpt", "safetensors"):
        raise ValueError(f"For 'load_checkpoint', the 'format' must be 'ckpt' or 'safetensors', but got {format!r}.")
    _later.finish()
    path = os.fspath(ckpt_file_name)
    if not os.path.exists(path):
        raise ValueError(f"For 'load_checkpoint', the checkpoint file: {path} does not exist, please check "
                         f"whether the 'ckpt_file_name' is correct.")
    if not os.path.getsize(path):
        raise ValueError(f"For 'load_checkpoint', the checkpoint file: {path} is empty: it holds no parameters, as one saved from none.")
    arrays = _read(path, crc_check)
    arrays = {name: arrays[name] for name in _conversions.taken("load_checkpoint", arrays, choice_func, filter_prefix, specify_prefix)}
    if names is not None:
        arrays = _renamed(arrays, names)
    parameters = {name: _as_parameter(path, name, array) for name, array in arrays.items()}
    if net is not None:
        load_param_into_net(net, parameters, strict_load)
    return parameters


def _as_parameter(path, name, array):
    if array.dtype.kind == "U" and array.ndim == 0:
        return array.item()
    try:
        return Parameter(array, name=name)
    except TypeError as problem:  # strings, dates, objects
        raise ValueError(f"cannot read '{path}': '{name}' is no tensor ({problem})") from None


def _renamed(arrays, names):
    """The arrays under the program's names, without those that the map drops."""
    if isinstance(names, dict):
        for name in [*names, *names.values()]:
            if name is not None and (not isinstance(name, str) or not name or set(name) & set(" \t\r\n#")):
                raise ValueError(f"For 'load_checkpoint', 'names' holds strings without spaces and '#', but got {name!r}.")
        text = "".join(f"{theirs} {'-' if ours is None else ours}\n" for theirs, ours in names.items())
    else:
        with open(names, encoding="utf-8") as file:
            text = file.read()
    ours = _native().map_names(text, list(arrays))
    return {name: array for name, array in zip(ours, arrays.values()) if name is not None}


def _read(path, check=False):
    """The arrays of a file by name; which format it is tells its beginning."""
    if not os.path.isfile(path):
        return _native().read_checkpoint(path)
    with open(path, "rb") as file:
        head = file.read(4)
    if head == b"PK\x03\x04":
        try:
            with np.load(path, allow_pickle=False) as arrays:
                found = dict(arrays)
            # NumPy gives a member that does not begin as an array as its bytes.
            if others := [name for name, array in found.items() if not isinstance(array, np.ndarray)]:
                raise ValueError(f"'{others[0]}' is no array")
            return found
        except Exception as problem:  # zipfile, zlib and NumPy have many of their own
            raise ValueError(f"cannot read '{path}': it is no sound NumPy archive ({problem})") from None
    return _ckpt.read(path, check) if _ckpt.looks_like(head) and path.endswith(".ckpt") else _native().read_checkpoint(path)


def _parse_ckpt_proto(ckpt_file_name, dec_key=None, dec_mode=None):
    """A checkpoint as its Protocol Buffers message, for programs that put its tensors together themselves; see `load_checkpoint`."""
    only_defaults("_parse_ckpt_proto", dec_key=(dec_key, None))
    del dec_mode
    return _ckpt.message(os.fspath(ckpt_file_name))


def _load_map_parameter(element, parameter_dict):
    """Refuses a parameter that is a table by keys; no message that `_parse_ckpt_proto` returns holds one."""
    del parameter_dict
    raise ValueError(f"For 'load_checkpoint', '{element.tag}' is no tensor; parameters that are tables by keys are not offered.")


_load_mapparameter = _load_map_parameter
#: Element types by how a checkpoint spells them.
tensor_to_ms_type = {spelling: kind for spelling, kind in _ckpt.TYPES.items() if kind is not mstype.bfloat16}
tensor_to_np_type = {spelling: kind.numpy.type for spelling, kind in tensor_to_ms_type.items()} | {"str": "U"}


def merge_sliced_parameter(sliced_parameters, strategy=None):
    """Returns the Parameter whose rows are those of the Parameters in a list, which has their name.

    Args:
      strategy: of shards by several devices; only None is offered.
    """
    only_defaults("merge_sliced_parameter", strategy=(strategy, None))
    if not sliced_parameters or not all(isinstance(part, Parameter) for part in sliced_parameters):
        raise TypeError("For 'merge_sliced_parameter', 'sliced_parameters' must be a list of Parameters.")
    first, arrays = sliced_parameters[0], [part.asnumpy() for part in sliced_parameters]
    if any(part.name != first.name or part.shape[1:] != first.shape[1:] for part in sliced_parameters):
        raise ValueError("For 'merge_sliced_parameter', the Parameters must have one name and rows of one shape.")
    return Parameter(Tensor(np.concatenate(arrays), first.dtype), first.name, first.requires_grad, first.layerwise_parallel)


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Sets a cell's parameters by name; returns (names not loaded of the cell, names not used of the dict).

    Every parameter whose shape differs is named in one ValueError, and then nothing has changed. Without `strict_load`,
    float types are converted into each other, and ints whose values the other type has, and where the dict's names have a prefix that the
    cell's lack, it is removed; cells that were appended to a list are found by the names that MindSpore gives them. Parameters that the dict
    does not have keep their values, which is said; a dict without any of them is a
    ValueError. Random functions (`ops.randn`) and dropouts go on drawing where ModelCheckpoint's file left them. `remove_redundancy` is True or
    False: one device has all parameters.
    """
    own = net.parameters_dict()
    own.update((name, param) for name, param in net._internal_parameters().items() if name in parameter_dict)
    sources = {name: name for name in own if name in parameter_dict}
    sources.update({name: param.other_name for name, param in own.items()
                    if name not in sources and param.other_name in parameter_dict and param.other_name not in own})
    if not strict_load:
        sources.update(_under_prefix([name for name in own if name not in sources], parameter_dict))
    missing = [name for name in own if name not in sources]
    used = set(sources.values()) | {_random.DRAWS.name}
    unused = [name for name in parameter_dict if name not in used]
    if own and not sources:
        raise ValueError(f"For 'load_param_into_net', nothing was loaded: no name of the checkpoint is one of the "
                         f"network's. The network has {_listed(missing)}; the checkpoint has {_listed(unused)}.")
    _check_types(own, parameter_dict, sources, strict_load)
    if missing:
        warn_once(f"For 'load_param_into_net', {len(missing)} parameters of the network are not in the checkpoint and "
                  f"keep their values: {_listed(missing)}." +
                  (f" The checkpoint's {_listed(unused)} are not used." if unused else ""))
    for name, source in sources.items():
        own[name].set_data(parameter_dict[source])
    _random.resume(parameter_dict)
    return missing, unused


def _under_prefix(names, parameter_dict):
    """Returns where the dict has `names` under one common prefix, the one that finds most of them."""
    prefixes = {}
    for name in names:
        for candidate in parameter_dict:
            if candidate.endswith("." + name):
                prefixes.setdefault(candidate[:-len(name)], []).append(name)
    if not prefixes:
        return {}
    prefix = max(prefixes, key=lambda each: len(prefixes[each]))
    warn_once(f"For 'load_param_into_net', the prefix '{prefix}' of the checkpoint's names is removed.")
    return {name: prefix + name for name in prefixes[prefix]}


def _check_types(own, parameter_dict, sources, strict_load):
    problems = []
    for name, source in sources.items():
        given, wanted = parameter_dict[source], own[name]
        if isinstance(given, str):
            problems.append(f"'{name}' is a text in the checkpoint")
            continue
        converted = not strict_load and _may_convert(given, wanted.dtype)
        if tuple(given.shape) != wanted.shape:
            problems.append(f"'{name}' has the shape {wanted.shape} in the network and {tuple(given.shape)} in the "
                            f"checkpoint")
        elif given.dtype is not wanted.dtype and not converted:
            problems.append(f"'{name}' is {wanted.dtype.name} in the network and {given.dtype.name} in the checkpoint")
    if problems:
        raise ValueError(f"For 'load_param_into_net', nothing was loaded: {'; '.join(problems)}.")


def _may_convert(given, dtype):
    """Whether a parameter may be loaded into one of another type: a float, or an int that has all its values."""
    if {given.dtype, dtype} <= set(mstype.float_type):
        return True
    if not {given.dtype, dtype} <= {*mstype.int_type, *mstype.uint_type}:
        return False
    limits, values = np.iinfo(dtype.numpy), given.asnumpy()
    return bool(((values >= limits.min) & (values <= limits.max)).all())


def _listed(names, shown=5):
    text = ", ".join(f"'{name}'" for name in names[:shown]) or "none"
    return text + (f" and {len(names) - shown} more" if len(names) > shown else "")
