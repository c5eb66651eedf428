"""Where exceptions of functions that CPython runs while compiling have arisen, and of which kind of error they are."""

import os
import traceback

from plumb._parse.definitions import is_foreign_module
from plumb.common._refusals import Refusal


def place_of(problem):
    """Where in the program's own functions, which CPython ran, an exception arose; nothing where none of them ran."""
    frames = [frame for frame, _ in traceback.walk_tb(problem.__traceback__)]
    for frame, found in reversed(list(zip(frames, traceback.extract_tb(problem.__traceback__)))):
        module = frame.f_globals.get("__name__", "")
        if not is_foreign_module(module) and module.partition(".")[0] != "plumb" and os.path.exists(found.filename):
            return {"file": found.filename, "line": found.lineno, "column": (found.colno or 0) + 1}
    return {}


def kind_of(problem):
    """The kind of error that an exception is: what the package has no code for is a refusal."""
    frames = [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(problem.__traceback__)]
    is_missing = isinstance(problem, NotImplementedError) and frames[-1:] != [] and frames[-1].partition(".")[0] == "plumb"
    return problem.kind if isinstance(problem, Refusal) else "refusal" if is_missing else "error"
