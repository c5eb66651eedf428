"""Errors of pipelines: of the class that tells what is wrong, and RuntimeErrors, as all of MindSpore's that come with a row are."""

import functools

_classes = {}


def pipeline_error(problem):
    """Returns an exception as one that is a RuntimeError, too."""
    kind = type(problem)
    if not isinstance(problem, Exception) or isinstance(problem, (RuntimeError, StopIteration)):
        return problem
    if kind not in _classes:
        bases = (RuntimeError,) if issubclass(RuntimeError, kind) else (kind, RuntimeError)  # an Exception is no more than that
        _classes[kind] = type(kind.__name__, bases, {"__module__": kind.__module__})
    made = _classes[kind].__new__(_classes[kind], *problem.args)  # a constructor of a program's class may want other arguments
    made.args = problem.args
    made.__dict__.update(vars(problem))
    made.__cause__, made.__suppress_context__ = problem.__cause__, True
    return made.with_traceback(problem.__traceback__)


def of_pipeline(function):
    """The function, whose errors are those of pipelines."""
    @functools.wraps(function)
    def called(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (RuntimeError, StopIteration):
            raise
        except Exception as problem:
            raise pipeline_error(problem)
    return called


class Operation:
    """Base of operations on values of rows: their calls raise errors of pipelines."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "__call__" in vars(cls):
            cls.__call__ = of_pipeline(vars(cls)["__call__"])
