"""`python3 -m plumb._capture [-o FILE | --fd N] [--resources FILE] [--data FROM=TO] PROGRAM.py [arguments]`: see _capturing.

Exit codes: 0 written, 1 the program has an error (on stderr), 2 usage.
"""

import argparse
import os
import sys

from plumb import _capturing, _paths, _resources, _runner, _shim


def main(argv=None):
    """Captures one program; returns the exit code."""
    options = _parser().parse_args(argv)
    try:
        for mapping in options.data:
            _paths.add(mapping)
    except ValueError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    if options.output:
        os.dup2(2, 1)  # what the program prints must not mix with what the compiler writes to standard output
    _shim.install()
    _capturing.start(lambda module, resources: _write(options, module, resources))
    return _run(options)


def _run(options):
    """Runs the program up to its first training call; returns the exit code."""
    try:
        _runner.run(options.program, options.arguments)
    except _capturing.Captured as captured:
        if options.live:
            _serve(captured.live, *[int(number) for number in options.live.split(",")])
        return 0
    except SystemExit as leaving:
        if options.program.endswith(".onnx"):  # what was wrong has been said
            return leaving.code
        return _fail(f"{options.program} ended by sys.exit({leaving.code}) before it trained")
    except OSError as problem:
        if problem.filename == options.program:
            return _fail(f"cannot read {options.program}: {problem.strerror}")
        _runner.report(problem)
    except SyntaxError as problem:
        _runner.report_syntax(problem)
    except Exception as problem:  # pylint: disable=broad-except
        _runner.report(problem)
    else:
        return _fail(f"{options.program} ended without Model.train, Model.build, data_sink or a call of a compiled function; there is "
                     f"nothing to compile")
    return 1


def _fail(message):
    print(f"error: {message}", file=sys.stderr)
    return 1


def _parser():
    parser = argparse.ArgumentParser(prog="python3 -m plumb._capture", description=__doc__.split(":")[0])
    parser.add_argument("-o", "--output", dest="output", help="file to write the module to")
    parser.add_argument("--fd", type=int, default=1, help="descriptor to write the module to without -o")
    parser.add_argument("--resources", help="file to write large arrays to; by default they stand in the module's text")
    parser.add_argument("--live", metavar="IN,OUT", help="descriptors: answer the compiler's questions until the first ends")
    parser.add_argument("--data", action="append", default=[], metavar="FROM=TO", help="where a data folder really is")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser


def _serve(live, requests, replies):
    """Says that the module is written, then answers a line for each line."""
    with os.fdopen(requests, encoding="utf-8") as source, os.fdopen(replies, "w", encoding="utf-8") as sink:
        print("ready", file=sink, flush=True)
        for line in source:
            print(live.answer(line), file=sink, flush=True)


def _write(options, module, resources):
    if options.resources:
        _resources.write_file(options.resources, resources)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            _write_module(options, file, module, resources)
    else:
        sys.stdout.flush()
        with os.fdopen(options.fd, "w", encoding="utf-8", closefd=False) as file:
            _write_module(options, file, module, resources)


def _write_module(options, file, module, resources):
    file.write(module)
    if not options.resources:
        _resources.write_text(file, resources)


if __name__ == "__main__":
    sys.exit(main())
