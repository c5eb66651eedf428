"""Running a user's program as `__main__` under Plumb: the shim, its path, and errors in one paragraph."""

import os
import re
import sys
import traceback
import types

from plumb._parse.diagnostics import CompileError

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def run(path, arguments):
    """Runs the program at `path` as `__main__`; its exceptions pass through. As with Python itself, its file has its whole path,
    so that sources are found from another working directory, too. An ONNX file is run by a program of the package's."""
    if path.endswith(".onnx"):
        from plumb.onnx import _recipe
        _recipe.main(path, arguments)
        return
    with open(path, "rb") as file:
        source = file.read()
    module = types.ModuleType("__main__")
    module.__file__ = os.path.abspath(path)
    sys.modules["__main__"] = module
    sys.argv = [path] + list(arguments)
    sys.path.insert(0, os.path.dirname(module.__file__))
    exec(compile(source, module.__file__, "exec"), module.__dict__)  # pylint: disable=exec-used


def report(problem):
    """Prints an exception that ended a program: located and short where Plumb, a call with wrong arguments or one line of
    the program raised it, else Python's traceback from the program on."""
    if isinstance(problem, CompileError):
        print(problem, file=sys.stderr)
        return
    trace = problem.__traceback__
    while trace and _is_own(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    frames = traceback.extract_tb(trace)
    is_wrong_call = _is_wrong_call(problem)
    if not frames or not (_is_own(frames[-1].filename) or len(frames) == 1 or is_wrong_call):
        traceback.print_exception(type(problem), problem, trace or problem.__traceback__)
        return
    *callers, place = [frame for frame in frames if not _is_own(frame.filename)]
    column = (place.colno or 0) + 1
    end_column = place.end_colno + 1 if place.end_colno and place.end_lineno == place.lineno else None
    print(CompileError(f"{type(problem).__name__}: {problem}", place.filename, place.lineno, column, end_column),
          file=sys.stderr)
    for caller in reversed(callers if is_wrong_call else []):
        print(f"{caller.filename}:{caller.lineno}:{(caller.colno or 0) + 1}: note: called from here\n{caller.line}", file=sys.stderr)


def _is_wrong_call(problem):
    """Whether a function could not be called with the arguments given."""
    return isinstance(problem, TypeError) and re.search(r"\(\) (got|missing|takes) ", str(problem))


def _is_own(path):
    return os.path.abspath(path).startswith(_PACKAGE)


def install_hook():
    """Makes `report` the end of programs that import plumb without this module's `run`."""
    before = sys.excepthook

    def hook(kind, problem, trace):
        if isinstance(problem, KeyboardInterrupt) and str(problem):
            print(f"stopped by Ctrl-C: {problem}", file=sys.stderr)
        elif isinstance(problem, Exception) and before is sys.__excepthook__:
            report(problem)
        else:
            before(kind, problem, trace)

    sys.excepthook = hook


def report_syntax(problem):
    """Prints a SyntaxError of the program itself."""
    print(CompileError(problem.msg, problem.filename, problem.lineno, problem.offset or 1, problem.end_offset),
          file=sys.stderr)
