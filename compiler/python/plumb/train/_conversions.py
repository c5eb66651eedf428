"""Checkpoints from one format into the other, which names of a file are taken, and files that are checked or read meanwhile."""

import concurrent.futures
import json
import os
import re

from plumb.common import _bfloat
from plumb.context import warn_once
from plumb.train import _ckpt, _later


def taken(who, names, choice_func=None, filter_prefix=None, specify_prefix=None):
    """The names of a checkpoint that a program wants, in their order.

    Args:
      who: the function that messages name.
      choice_func: a function of a name; True takes it. It is called for names of the prefixes alone.
      filter_prefix, specify_prefix: a string, or a list or tuple of them: names that begin so are left out, or alone are taken.

    Raises:
      TypeError: if a prefix is no string.
      ValueError: if no name is left.
    """
    wanted = list(names)
    if filter_prefix is not None or specify_prefix is not None:
        wanted = [name for name in wanted if not name.startswith(_prefixes(who, "filter_prefix", filter_prefix))
                  and (specify_prefix is None or name.startswith(_prefixes(who, "specify_prefix", specify_prefix)))]
    if choice_func is not None:
        wanted = [name for name in wanted if choice_func(name)]
    if names and not wanted:
        given = {"choice_func": choice_func, "filter_prefix": filter_prefix, "specify_prefix": specify_prefix}
        asked = " and ".join(f"'{name}'" for name, value in given.items() if value is not None)
        raise ValueError(f"For '{who}', no parameter is left: check {asked}.")
    return wanted


def _prefixes(who, argument, given):
    given = () if given is None else (given,) if isinstance(given, str) else tuple(given)
    if not all(isinstance(prefix, str) for prefix in given):
        raise TypeError(f"For '{who}', the '{argument}' must be a string, or a list or tuple of strings, but got {given!r}.")
    return given


def check_checkpoint(ckpt_file_name):
    """Whether a file is a sound MindSpore checkpoint, whose name ends in ".ckpt"."""
    path = os.fspath(ckpt_file_name)
    if not path.endswith(".ckpt"):
        return False
    _later.finish()
    try:
        _ckpt.message(path, check=True)
    except ValueError:
        return False
    return True


class ParamDictFuture:
    """What `load_checkpoint_async` returns."""

    def __init__(self, future):
        self._future = future

    def result(self):
        """Waits for the file; returns its Parameters by name, or raises what went wrong."""
        return self._future.result()


_READER = concurrent.futures.ThreadPoolExecutor(1)


def load_checkpoint_async(ckpt_file_name, net=None, strict_load=False, filter_prefix=None, dec_key=None, dec_mode="AES-GCM",
                          specify_prefix=None, choice_func=None):
    """`load_checkpoint` beside the program: returns at once an object whose `result()` waits for the Parameters by name."""
    from plumb.train.serialization import load_checkpoint
    return ParamDictFuture(_READER.submit(load_checkpoint, ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode,
                                          specify_prefix, choice_func))


def ckpt_to_safetensors(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Writes MindSpore checkpoints as safetensors files.

    Args:
      file_path: a file that ends in ".ckpt", or a folder: all such files in it and below.
      save_path: the folder to write to, beside the sources by default; folders below `file_path` are made there, too.
      name_map: new names of parameters by their old ones.
      file_name_regex: files alone whose path it is found in.
      processes_num: accepted; one process converts file after file.

    Raises:
      ValueError: if there is no such file or folder, or `save_path` is no folder.
    """
    _convert("ckpt_to_safetensors", file_path, save_path, name_map, file_name_regex, ".ckpt", ".safetensors")


def safetensors_to_ckpt(file_path, save_path=None, name_map=None, file_name_regex=None, processes_num=1):
    """Writes safetensors files as MindSpore checkpoints; arguments and errors as of `ckpt_to_safetensors`."""
    _convert("safetensors_to_ckpt", file_path, save_path, name_map, file_name_regex, ".safetensors", ".ckpt")


def _convert(who, source, folder, names, pattern, before, after):
    from plumb.train.serialization import _write as write, load_checkpoint
    source, folder = os.fspath(source), folder and os.fspath(folder)
    _later.finish()
    if folder and os.path.splitext(folder)[1]:
        raise ValueError(f"For '{who}', the 'save_path' must be a folder, but got '{folder}'.")
    for path in _sources(who, source, pattern, before):
        below = os.path.relpath(os.path.dirname(path), source) if os.path.isdir(source) else "."
        target = os.path.normpath(os.path.join(folder, below)) if folder else os.path.dirname(path)
        os.makedirs(target or ".", exist_ok=True)
        loaded = load_checkpoint(path)
        if texts := [name for name, value in loaded.items() if isinstance(value, str)]:
            warn_once(f"For '{who}', the texts of '{path}' ({', '.join(texts)}) are left out: safetensors files hold none.")
        parameters = {name: value.asnumpy() for name, value in loaded.items() if name not in texts}
        parameters.update((name, _bfloat.stored(parameters[name], _bfloat.BITS)) for name in _of_bfloat16(path))
        write(os.path.join(target, os.path.basename(path)[:-len(before)] + after), _under_new_names(who, parameters, names or {}), False)


def _of_bfloat16(path):
    """The names of a file's parameters that are read as float32, but are of another type in it."""
    if path.endswith(".ckpt"):
        kinds = {entry.tag: entry.tensor.tensor_type for entry in _ckpt.message(path).value}
    else:
        with open(path, "rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        kinds = {name: entry["dtype"] for name, entry in header.items() if name != "__metadata__"}
    return [name for name, kind in kinds.items() if kind in ("BFloat16", "BF16")]


def _under_new_names(who, parameters, names):
    """The parameters by their new names; raises ValueError where two get one name."""
    renamed = {}
    for name, value in parameters.items():
        new = names.get(name, name)
        if new in renamed:
            raise ValueError(f"For '{who}', two parameters would be called '{new}': check 'name_map'.")
        renamed[new] = value
    return renamed


def _sources(who, source, pattern, suffix):
    """The files to convert; raises ValueError where there are none."""
    if os.path.isdir(source):
        paths = [os.path.join(folder, name) for folder, _, names in os.walk(source) for name in sorted(names)]
    else:
        paths = [source]
    found = [path for path in paths if os.path.isfile(path) and path.endswith(suffix) and (pattern is None or re.search(pattern, path))]
    if not found:
        raise ValueError(f"For '{who}', '{source}' is no file that ends in '{suffix}', nor a folder that has one.")
    return found
