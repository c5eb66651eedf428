"""Compiled programs on disk: a program that an earlier process has compiled is loaded instead of compiled.

An entry's name is a digest of all that decides what the compiler makes of a module: its text, the flags, the compiler's own
file, the processor. Where an executable names no line of the program (it has nothing to report), lines do not count: the
program may move in its file. What the compiler asked Python while it compiled stands in the entry with the answers. They are given
again before the entry is used, so the program's objects see the same computations, and an answer that differs (an attribute
has another value today) makes the program compile.

The folder is `compile_cache_path` of the context, else PLUMB_CACHE, else `plumb` in XDG_CACHE_HOME or ~/.cache; the context's
`enable_compile_cache` or PLUMB_CACHE=off turn the cache off. A folder that others may write is not used: what lies there is
run. Entries appear by renaming, so processes share a folder; a damaged entry counts as absent. Beyond 512 MB the entries
used longest ago go.

An entry: 32 bytes of SHA-256 over the rest; the length of the transcript, 8 bytes, little endian; the transcript, JSON pairs
of request and reply; the executable.
"""

import functools
import hashlib
import importlib.util
import json
import os
import re
import shutil
import stat
import struct
import tempfile

from plumb import context

_MAX_BYTES = 512 << 20
_SUFFIX = ".cached"
_DIGEST = hashlib.sha256().digest_size


def compiled(compile_module, module, name, flags, live):
    """Returns the executable of a module, from the folder if it lies there.

    Args:
      compile_module: compiles (module, name, flags, answer).
      module, name, flags: what is compiled.
      live: answers the compiler's questions; None where it has none.
    """
    folder = cache_folder()
    if folder is None or context.get_context("save_graphs"):
        return compile_module(module, name, flags, live.answer if live else None)
    setting = (name, flags, _compiler(), _c_compilers(), _processor())
    anywhere, here = [_paths(folder, text, setting) for text in (_PLACE.sub("", module), module)]
    conversation = _Conversation(live)
    for path in anywhere + here:
        entry = _read(path)
        if entry is not None and conversation.repeats(entry[0]):
            _mark_used(path)
            return entry[1]
    code = compile_module(module, name, flags, conversation.answer if live else None)
    names_places = any(file.encode() in code for file in set(_PLACE.findall(module)))
    _write(folder, min(here if names_places else anywhere, key=_age), conversation.held, code)
    return code


class _Conversation:
    """What the compiler asks and Python answers; nothing is computed twice."""

    def __init__(self, live):
        self.live = live
        self.held = []
        self._again = []

    def repeats(self, transcript):
        """Whether today's answers to the requests of a transcript are those that it holds."""
        self._again, self.held = self.held + self._again, []
        for request, reply in transcript:
            if self.answer(request) != reply:
                self._again, self.held = self.held + self._again, []
                return False
        return True

    def answer(self, request):
        """Answers the compiler, which asks again what `repeats` has computed."""
        if self._again and self._again[0][0] == request:
            self.held.append(self._again.pop(0))
        else:
            self.held.append((request, self.live.answer(request)))
        return self.held[-1][1]


# A place in the program, as modules spell it.
_PLACE = re.compile(r' loc\("([^"]*)":\d+:\d+\)')


_VARIANTS = 4  # of one text: objects behind it had other values


def _paths(folder, text, setting):
    digest = hashlib.sha256(text.encode())
    digest.update(repr(setting).encode())
    return [os.path.join(folder, f"{digest.hexdigest()}-{variant}{_SUFFIX}") for variant in range(_VARIANTS)]


def _age(path):
    """When an entry was used last, so that the smallest is the one to give up; of an absent one, 0."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0


@functools.lru_cache(maxsize=None)
def _compiler():
    """Tells one build of the compiler from another; it is not loaded for that."""
    place = importlib.util.find_spec("plumb._compiler")
    if place is None:
        return None
    found = os.stat(place.origin)
    return found.st_size, found.st_mtime_ns, found.st_ino


@functools.lru_cache(maxsize=None)
def _c_compilers():
    """Tells one build of the compilers that compile custom operators from another."""
    found = [shutil.which(name) for name in ("cc", "c++")]
    return [(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in found if path]


_DECISIVE = ("vendor_id", "cpu family", "model", "model name", "stepping", "cache size", "flags", "Features",
             "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision")


@functools.lru_cache(maxsize=None)
def _processor():
    """What the kernel says of the first processor, without what changes from moment to moment."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n\n")[0].split("\n")
    except OSError:
        return ()
    return tuple(line for line in lines if line.partition(":")[0].strip() in _DECISIVE)


def cache_folder():
    """The folder to use, made if it is missing; None where there is none that is safe to use."""
    if not context.get_context("enable_compile_cache"):
        return None
    return _prepared(context.get_context("compile_cache_path") or _default_folder())


def _default_folder():
    chosen = os.environ.get("PLUMB_CACHE")
    if chosen:
        return None if chosen == "off" else chosen
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "plumb") if os.path.isabs(base) else None


@functools.lru_cache(maxsize=None)
def _prepared(folder):
    if folder is None:
        return None
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.stat(folder)
    except OSError:
        return None
    if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        context.warn_once(f"compiled programs are not kept in '{folder}': others may write there.")
        return None
    _drop_old(folder)
    return folder


def _read(path):
    """Returns (transcript, executable), or None where there is no whole entry."""
    try:
        with open(path, "rb") as file:
            entry = file.read()
        body = memoryview(entry)[_DIGEST:]
        if hashlib.sha256(body).digest() != entry[:_DIGEST]:
            return None
        length, = struct.unpack_from("<Q", body)
        return json.loads(bytes(body[8:8 + length])), bytes(body[8 + length:])
    except (OSError, ValueError, struct.error):
        return None


def _write(folder, path, transcript, code):
    """Writes an entry; a folder that takes no more only costs time."""
    encoded = json.dumps(transcript).encode()
    body = struct.pack("<Q", len(encoded)) + encoded + code
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(body).digest() + body)
        os.replace(temporary, path)
    except OSError:
        if temporary:
            _remove(temporary)


def _mark_used(path):
    try:
        os.utime(path)
    except OSError:
        pass


def _remove(path):
    try:
        os.remove(path)
    except OSError:
        pass


def _drop_old(folder):
    """Makes room, once in a process: entries used longest ago go first, and parts that writers left behind."""
    with os.scandir(folder) as found:
        entries = sorted(filter(None, map(_described, found)))
    total = sum(size for _, size, _ in entries)
    for _, size, path in entries:
        if total <= _MAX_BYTES:
            return
        _remove(path)
        total -= size


def _described(entry):
    """(last use, bytes, path) of one of the cache's files; None for others, and for what another process removes just now."""
    if not entry.name.endswith((_SUFFIX, ".part")):
        return None
    try:
        found = entry.stat()
    except OSError:
        return None
    return found.st_mtime, found.st_size, entry.path
