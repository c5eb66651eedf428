"""`python3 -m plumb.mindspore [--data FROM=TO]… PROGRAM.py [arguments]`: runs a MindSpore program on Plumb, unchanged.

`import mindspore` and its submodules come from this package. `--data` says where a folder that the program names
really is. Exit codes: 0, the program's own, 1 for its errors, 2 usage, 130 for Ctrl-C.
"""

import argparse
import sys

from plumb import _paths, _runner, _shim


def main(argv=None):
    """Runs one program; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m plumb.mindspore", description=__doc__.split(":")[1].strip(" `"))
    parser.add_argument("--data", action="append", default=[], metavar="FROM=TO", help="where a data folder really is")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(argv)
    try:
        for mapping in options.data:
            _paths.add(mapping)
    except ValueError as problem:
        parser.error(str(problem))
    _shim.install()
    _shim.serve_children()
    try:
        _runner.run(options.program, options.arguments)
    except KeyboardInterrupt as problem:
        print(f"stopped by Ctrl-C{': ' if str(problem) else ''}{problem}", file=sys.stderr)
        return 130
    except SyntaxError as problem:
        _runner.report_syntax(problem)
        return 1
    except Exception as problem:  # pylint: disable=broad-except
        _runner.report(problem)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
