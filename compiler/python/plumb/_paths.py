"""Where a program's data folders really are: `--data FROM=TO` of `python3 -m plumb.mindspore`.

A program names the folder its author had. A mapping lets it run unchanged: paths under FROM are looked up under TO by
datasets and by `os.path.exists`, `isdir` and `isfile`, so that a program that downloads what is missing finds it.
A plain IDX file's name also stands for its gzip.
"""

import os

_mappings = []
_originals = {}


def add(mapping):
    """Adds a mapping "FROM=TO"; raises ValueError for anything else or when TO is no folder."""
    source, separator, target = mapping.partition("=")
    if not separator or not source or not target:
        raise ValueError(f"--data takes FROM=TO, but got '{mapping}'.")
    if not os.path.isdir(target):
        raise ValueError(f"--data {mapping}: the folder {target} does not exist.")
    _mappings.append((os.path.abspath(source), os.path.abspath(target)))
    _wrap_lookups()


def mapped(path):
    """Returns where `path` really is."""
    absolute = os.path.abspath(path)
    for source, target in _mappings:
        if absolute == source or absolute.startswith(source + os.sep):
            return target + absolute[len(source):]
    return path


def _wrap_lookups():
    for name in ("exists", "isdir", "isfile"):
        if name not in _originals:
            _originals[name] = getattr(os.path, name)
            setattr(os.path, name, _lookup(_originals[name]))


def _lookup(original):
    def look(path):
        if not isinstance(path, (str, os.PathLike)):
            return original(path)
        found = mapped(os.fspath(path))
        return original(found) or (found is not path and original(str(found) + ".gz"))
    return look
