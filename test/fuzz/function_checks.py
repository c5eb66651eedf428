"""Drawn functions compiled by plumb, and compared with what CPython gave on stand-ins."""

import linecache
import math
import os
import re

import numpy as np

import plumb
import stand_in
from function_text import NAMES, PRELUDE, TooLong, place_of, run
from plumb import Tensor, _engine, ops
from stand_in import Mode

TOLERANCE, HALF_TOLERANCE = 2e-4, 2e-2
# What the language refuses on purpose, with the way round: docs/language.md. A function that ends so is counted, not compared. Errors
# that are refusals say so by their kind; these are what ends compilation otherwise.
_ENDS = re.compile("|".join(["Type Join Failed", "may be undefined here", "under a condition that depends on a tensor",
                             "under a condition on a tensor", "cannot be changed here", "cannot keep a tensor", "which is not known while compiling",
                             "is not known while compiling", "cannot be compiled", "both branches must", "changes its type", "after one iteration",
                             "must be known while compiling", "known while compiling", "loop over a copy", "in a loop whose end depends on a tensor",
                             "iterations are unrolled", "this result cannot be used", "cannot be unrolled", "that holds itself",
                             "cannot handle what is raised", "unhashable key: a tensor"]))


def is_refused(problem):
    """Whether an error says that compiled functions cannot do what CPython can."""
    return getattr(problem, "kind", "error") != "error" or _ENDS.search(str(problem)) is not None


class Verdict:
    """What came of one function: "agrees", "refused", "unstable", "dead", "widened", "unused", "cut", or "differs" with a text."""

    def __init__(self, kind, text=""):
        self.kind, self.text = kind, text


class Case:
    """A function with what CPython gives."""

    def __init__(self, function):
        self.function = function
        self.outcome = run(function)
        self.name = function.name

    @property
    def fails(self):
        """Whether CPython raises."""
        return self.outcome.problem is not None


def literal(value, tensors):
    """The text of an argument; arrays become parameters of the program."""
    if isinstance(value, (np.ndarray, np.generic)):
        tensors.append(np.asarray(value))
        return f"t{len(tensors) - 1}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item, tensors) for item in value) + "]"
    if isinstance(value, tuple):
        return "(" + "".join(literal(item, tensors) + ", " for item in value) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {literal(item, tensors)}" for name, item in value.items()) + "}"
    return repr(value)


class Program:
    """One compiled program of several functions."""

    serial = 0

    def __init__(self, cases, folder, as_cells=False):
        self.cases, self.tensors, self.as_cells = cases, [], as_cells
        calls = [f"{case.name}({', '.join(literal(value, self.tensors) for value in case.function.values)})" for case in cases]
        parameters = ", ".join(f"t{index}" for index in range(len(self.tensors)))
        self.texts = [PRELUDE] + [case.function.before + case.function.text() for case in cases]
        if as_cells:
            calls = self._cells(calls)
        self.texts.append(f"def program({parameters}):\n    return [" + ",\n            ".join(calls) + "]\n")
        Program.serial += 1
        self.path = os.path.join(folder, f"drawn_{os.getpid()}_{Program.serial}.py")

    def _cells(self, calls):
        """Functions as the constructs of cells."""
        for place, case in enumerate(self.cases):
            name = case.name
            lines = case.function.text().replace(f"def {name}(", "def construct(self, ", 1).splitlines()
            self.texts[place + 1] = f"{case.function.before}class C{name}(nn.Cell):\n" + "".join(f"    {line}\n" for line in lines) + f"\n\n{name} = C{name}()\n"
        return calls

    def names(self):
        """The module, loaded."""
        text = "\n\n".join(self.texts)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        names = {"ops": ops, "Tensor": Tensor, "Parameter": plumb.Parameter, "ms": plumb, "nn": plumb.nn, "np": np, "math": math,
                 "functools": NAMES["functools"], "__name__": "drawn"}
        exec(compile(text, self.path, "exec"), names)  # pylint: disable=exec-used
        return names

    def first_line(self, place):
        """The line of the module on which the text at a place begins."""
        return sum(text.count("\n") + 2 for text in self.texts[:place]) + 1

    def line_of(self, file):
        """The line of the module on which the prelude, what stands before the only function, or the function begins."""
        if file == "<prelude>":
            return 1
        before = self.cases[0].function.before.count("\n") + self.as_cells if file == "<drawn>" else 0
        return self.first_line(1) + before

    def culprit(self, message):
        """The place of the function whose line a message names first, or None."""
        for line in map(int, re.findall(re.escape(self.path) + r":(\d+):", message)):
            for place in range(len(self.cases)):
                if self.first_line(place + 1) <= line < self.first_line(place + 2):
                    return place
        return None

    def run(self):
        """The results, a list."""
        try:
            return self.call(self.names()["program"], [Tensor(array) for array in self.tensors])
        finally:
            _engine._runs.clear()  # pylint: disable=protected-access
            linecache.cache.pop(self.path, None)
            os.unlink(self.path)

    def call(self, program, tensors):
        """What the program gives."""
        return plumb.jit(program)(*tensors)


def differs(expected, got, lenient, path="result"):
    """Where two results differ, or None; a number that a tensor decides may have become a tensor."""
    if isinstance(expected, stand_in.Tensor):
        return _tensor_differs(expected, got, path, lenient)
    if lenient and type(expected) in (bool, int, float) and isinstance(got, Tensor) and got.shape == ():
        close = np.allclose(float(got.asnumpy()), float(expected), rtol=TOLERANCE, atol=TOLERANCE)
        return None if close else f"{path}: {got} instead of {expected}"
    if type(expected) is not type(got):
        return f"{path}: {type(got).__name__} {got!r} instead of {type(expected).__name__} {expected!r}"
    if isinstance(expected, (list, tuple)):
        if len(expected) != len(got):
            return f"{path}: {len(got)} items instead of {len(expected)}"
        parts = (differs(one, other, lenient, f"{path}[{index}]") for index, (one, other) in enumerate(zip(expected, got)))
        return next((part for part in parts if part), None)
    if isinstance(expected, dict):
        if list(expected) != list(got):
            return f"{path}: the keys {list(got)} instead of {list(expected)}"
        return next((part for part in (differs(expected[name], got[name], lenient, f"{path}[{name!r}]") for name in expected) if part), None)
    if isinstance(expected, set) and lenient:
        got = {item.asnumpy().item() if isinstance(item, Tensor) and item.shape == () else item for item in got}
    return None if _shown(expected) == _shown(got) or expected == got and isinstance(expected, set) else f"{path}: {got!r} instead of {expected!r}"


def _shown(value):
    """The text of a value, without the addresses of objects."""
    return re.sub(r" at 0x[0-9a-f]+", " at", repr(value))


def _tensor_differs(expected, got, path, lenient=False):
    if not isinstance(got, Tensor):
        return f"{path}: {type(got).__name__} {got!r} instead of a tensor"
    array = got.asnumpy()
    if lenient and (array.dtype.name, expected.kind) == ("int64", "int32"):
        array = array.astype(np.int32)  # booleans times a number that a tensor decides
    if array.shape != expected.shape or array.dtype.name != expected.kind:
        return f"{path}: {array.dtype.name}{array.shape} instead of {expected.kind}{expected.shape}"
    if not expected.kind.startswith("float"):
        return None if np.array_equal(array, expected.array) else f"{path}: {array.tolist()} instead of {expected.array.tolist()}"
    finite = np.isfinite(expected.array)
    scale = max(1.0, float(np.abs(expected.array[finite]).max(initial=0.0)))
    tolerance = TOLERANCE if expected.kind != "float16" else HALF_TOLERANCE
    close = np.allclose(array, expected.array, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
    return None if close else f"{path}: {array.tolist()} instead of {expected.array.tolist()}"


def is_unstable(case):
    """Whether rounding decides what the function gives, or the address in an object's text."""
    ways = [{"wide": True}, *({"nudge": steps} for steps in (1, -1, 4, -4))] + 3 * [{"elsewhere": True}]
    for other in (run(case.function, **way) for way in ways):
        if (other.problem is None) == case.fails:
            return True
        if case.fails:
            continue
        with Mode.use():
            narrow = _as_plain(other.result)
        if differs(case.outcome.result, narrow, True):
            return True
    return False


def _as_plain(value):
    """A result on stand-ins as one of plumb's."""
    if isinstance(value, stand_in.Tensor):
        return Tensor(value.array.astype(value.kind))
    if isinstance(value, (list, tuple)):
        return type(value)(_as_plain(item) for item in value)
    if isinstance(value, dict):
        return {name: _as_plain(item) for name, item in value.items()}
    return value


def other_problems(case, rng, count=3000):
    """Yields exceptions that the function raises on ways that its tensors do not take now, or where its handlers catch none: under a
    condition on a tensor they do not. A way that many conditions lead to is found late."""
    for number in range(count if case.outcome.asked else 0):
        problem = run(case.function, forced=(lambda: rng.random() < 0.5) if number else None, catches=number % 2 == 1).problem
        while problem is not None and not isinstance(problem, TooLong):
            yield problem
            problem = problem.__context__  # which a last block may have replaced


def check_one(case, folder, rng, as_cells=False):
    """The verdict on one function, compiled alone."""
    if isinstance(case.outcome.problem, (TooLong, RecursionError)):
        return Verdict("unstable")
    program = Program([case], folder, as_cells)
    try:
        result = program.run()
    except Exception as problem:  # pylint: disable=broad-except
        return _failed(case, problem, rng, program)
    if case.fails and case.outcome.asked and isinstance(case.outcome.problem, ArithmeticError):
        return Verdict("widened")  # a number that a tensor decides is a tensor, whose arithmetic raises nothing
    if case.fails:
        return Verdict("differs", f"no error instead of {case.outcome.problem!r}")
    text = differs(case.outcome.result, result[0], case.outcome.asked > 0)
    converts_nan = case.outcome.singular and case.outcome.cuts  # which each processor does in its own way
    if text and (converts_nan or is_unstable(case)):
        return Verdict("unstable")
    if text and case.outcome.outside:
        return Verdict("unused")  # a handler has caught the IndexError; what nothing uses is not computed, nor its index looked at
    return Verdict("differs", text) if text else Verdict("agrees")


def _line_differs(expected, problem, program):
    """A text on where plumb sees another line than CPython does at the end of the exception `expected`, or None."""
    place = place_of(expected)
    found = re.search("^" + re.escape(program.path) + r":(\d+):", str(problem), re.MULTILINE)
    if place is None:
        return None
    wanted = place[1] + (program.line_of(place[0]) - 1)
    if found and int(found[1]) == wanted:
        return None
    return f"line {found[1] if found else 'unknown'} instead of {wanted} of {expected!r}: {problem}"


def _failed(case, problem, rng, program):
    message = str(problem)
    if is_refused(problem):
        return Verdict("refused", message)
    if case.fails and isinstance(problem, type(case.outcome.problem)):
        text = _line_differs(case.outcome.problem, problem, program)
        if text is None:
            return Verdict("agrees")
        others = (other for other in other_problems(case, rng) if isinstance(problem, type(other)))
        there = any(_line_differs(other, problem, program) is None for other in others)
        return Verdict("dead") if there else Verdict("differs", text)
    # Both sides of a branch are compiled: the first error may stand on the side that CPython does not take.
    if any(isinstance(problem, type(other)) for other in other_problems(case, rng)):
        return Verdict("dead")
    wanted = repr(case.outcome.problem) if case.fails else "a result"
    return Verdict("differs", f"{type(problem).__mro__[1].__name__ if case.fails else type(problem).__name__}: {message} instead of {wanted}")


def check_all(cases, folder, rng, as_cells=False):
    """The verdicts on functions: those that CPython runs to their end are compiled together, less each that an error stands in."""
    verdicts = {case.name: None for case in cases}
    together = [case for case in cases if not case.fails]
    while len(together) > 1:
        program = Program(together, folder, as_cells)
        try:
            for case, result in zip(together, program.run()):
                if not differs(case.outcome.result, result, case.outcome.asked > 0):
                    verdicts[case.name] = Verdict("agrees")
            break
        except Exception as problem:  # pylint: disable=broad-except
            place = program.culprit(str(problem))
            if place is None:
                break
            case = together.pop(place)
            verdicts[case.name] = Verdict("refused", str(problem)) if is_refused(problem) else None
    for case in cases:
        if verdicts[case.name] is None:
            verdicts[case.name] = check_one(case, folder, rng, as_cells)
    return verdicts
