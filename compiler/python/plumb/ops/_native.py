"""C and C++ sources of custom operators, as one text each."""

import os
import re
from typing import NamedTuple

_LANGUAGES = {".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++"}
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"[^\n]*$', re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[ \t]*$", re.MULTILINE)


class CFunction:
    """A function of C or C++ for `ops.Custom(..., func_type="aot")`.

    Args:
      name: the function's name.
      source: the text of the source that defines it.
      language: "c" or "c++"; a function of C++ must be `extern "C"`.
      file: what messages call the source; by default the function's name.

    Raises:
      TypeError: if `name` or `source` is no string.
      ValueError: if there is no such language.
    """

    def __init__(self, name, source, language="c", file=None):
        for what, value in (("name", name), ("source", source)):
            if not isinstance(value, str):
                raise TypeError(f"For 'CFunction', the '{what}' must be str, but got {type(value).__name__}.")
        if language not in _LANGUAGES.values():
            raise ValueError(f"For 'CFunction', the 'language' must be 'c' or 'c++', but got {language!r}.")
        self.name, self.source, self.language = name, source, language
        self.file = file or name + (".c" if language == "c" else ".cc")


class Library(NamedTuple):
    """A function of a compiled library, which no executable can hold."""

    name: str
    refusal: str  # why, and what to give instead


def read_function(path_and_name):
    """The function that "path/of/source.cc:name" says, with the headers that the source includes by `"..."` in its text.

    A library, which MindSpore opens when it calls the function, is none: programs name those of other devices without calling them.

    Raises:
      ValueError: if the string has another form, or the file is no source of C or C++.
      FileNotFoundError: if there is no such file.
    """
    path, colon, name = path_and_name.rpartition(":")
    if not colon or not path or not name:
        raise ValueError(f"For 'Custom', 'func' should be like 'file_name:func_name', but got '{path_and_name}'.")
    stem, suffix = os.path.splitext(path)
    if suffix == ".so":
        return Library(name, f"For 'Custom', '{path}' is a library; custom operators are linked into the executable, so give the "
                             f"source: '{stem}.cc:{name}'.")
    if suffix not in _LANGUAGES:
        raise ValueError(f"For 'Custom', '{path}' must be a source of C or C++ ({', '.join(_LANGUAGES)}); other languages are "
                         f"not offered.")
    return CFunction(name, _read(os.path.abspath(path), set()), _LANGUAGES[suffix], path)


def _read(path, seen):
    """A source with its own headers in the places of their `#include`s; a header with `#pragma once` comes once."""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    if _ONCE.search(text):
        if path in seen:
            return ""
        seen.add(path)
    return _INCLUDE.sub(lambda found: _included(found, text, path, seen), _ONCE.sub("", text))


def _included(found, text, path, seen):
    header = os.path.join(os.path.dirname(path), found[1])
    if not os.path.isfile(header):
        return found[0]  # of the system, or the C compiler says that it is missing
    line = text.count("\n", 0, found.start()) + 2
    return f'#line 1 "{found[1]}"\n{_read(header, seen)}\n#line {line} "{os.path.basename(path)}"'
