"""Errors of launches: what a program raises while it runs is an exception of its own class."""

import builtins
import linecache
import re

_RAISED = re.compile(r"loop '.*': step (\d+): ([A-Za-z_][\w.]*): (.*) at ([^\n]*):(\d+):(\d+)", re.DOTALL)


def as_raised(problem, exceptions):
    """Returns the exception that an error of a launch tells of, with the line that raises it; else the error as it is.

    Args:
      problem: the RuntimeError of the launch.
      exceptions: the classes that the program raises, by the text that names them.
    """
    found = _RAISED.fullmatch(str(problem))
    kind = found and exceptions.get(found[2], getattr(builtins, found[2], None))
    if not (isinstance(kind, type) and issubclass(kind, BaseException)) or kind is RuntimeError:
        return problem
    step, _, text, path, line, column = found.groups()
    message = f"{text}\n{path}:{line}:{column}: raised in step {step}"
    source = linecache.getline(path, int(line)).rstrip("\n")
    if source:
        message += f"\n{source}\n{' ' * (int(column) - 1)}^"
    raised = kind.__new__(kind, message)  # a constructor of its own may want other arguments
    raised.args = (message,)
    return raised
