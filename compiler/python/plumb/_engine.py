"""Direct calls: cells, functions and operations called on tensors run as programs of one step, compiled once per signature."""

import os
import warnings
from collections import OrderedDict

from plumb import _draws, _repeats, context, log
from plumb._identity import identity
from plumb._parse.diagnostics import CompileError
from plumb._session import Run
from plumb.common import _taping
from plumb.common._refusals import refused
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor

# Runs by key, with what the key tells by identity. Of those that hold no state, the ones used longest ago are dropped.
_runs = OrderedDict()
_MAX_PURE_RUNS = 256
# Each has its own copy of the Parameters that it reads: what these may take together, in bytes, an eighth of the memory.
_MAX_PURE_BYTES = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 8


def call(target, args, kwargs, is_graph=False):
    """Calls a cell, function, gradient function or operation on tensors; compiled once per signature.

    In PyNative mode, a program in which Python has drawn random numbers serves one call, except if `is_graph` is set: the next ones
    are left to Python.
    """
    tape = _taping.current()
    if tape is not None:
        return _called_on(tape, target, args, kwargs, is_graph)
    known = _repeats.find(target, args) if not kwargs else None
    if known is not None and known.run is not None:
        return known.run.call(known.arrays)
    run, arrays = _prepared(target, args, kwargs, is_graph)
    if known is not None and run.asked is None and not _is_for_one_call(run, is_graph):
        known.remember(run, arrays)
    return _placed(target, args, run.call(arrays))


def _called_on(tape, target, args, kwargs, is_graph):
    """A call in a function that Python runs for its gradient."""
    with _taping.recording(None):
        before = _draws.state()
        run, arrays = _prepared(target, args, kwargs, is_graph, on_tape=True)
        if _is_for_one_call(run, is_graph):
            _draws.restore(before)
            raise CompileError(DRAWS)
        _refuse_constants(tape, target, run)
        return tape.call(run, target, args, kwargs, lambda: _placed(target, args, run.call(arrays)))


def _refuse_constants(tape, target, run):
    """Raises RuntimeError where a call takes for constant what the gradient leads through: its gradient would be zero."""
    kept = []
    identity(target, kept)
    kept += run.dependencies.values()
    if any(isinstance(value, Tensor) and not isinstance(value, Parameter) and tape.reaches(value) for value in kept):
        raise refused(RuntimeError, "in a function that Python runs for its gradient, what is compiled holds a tensor that leads to the "
                                    "gradient, as a name from outside, a default or an attribute; pass it as an argument")


def prepare(target, args, kwargs):
    """Compiles what `call` would run."""
    _prepared(target, args, kwargs)


def _is_for_one_call(run, is_graph):
    """Whether the random numbers in a run are those of one call."""
    return run.draws and not is_graph and context.get_context("mode") == context.PYNATIVE_MODE


def _leaves_prints(target, is_graph, on_tape):
    """Whether prints are Python's own, as in PyNative mode, in the words of `str`; compiled ones show tensors as a device does."""
    from plumb import _capturing
    if is_graph or _capturing.active() or context.get_context("mode") != context.PYNATIVE_MODE or context._takes_prints is not None:
        return False
    return getattr(target, "_can_leave_to_python", lambda on_tape: False)(on_tape)


def _leave_to_python(target):
    """Has Python run the next calls of what draws random numbers, as far as it can."""
    from plumb.nn.cell import Cell
    from plumb.ops.grad import GradFunction
    fn = target.fn if isinstance(target, GradFunction) else target
    name = getattr(fn, "__qualname__", type(fn).__name__)
    if name not in _warned:
        _warned.add(name)
        log.warning(f"'{name}' draws random numbers by Python or NumPy, so Python runs it, operation by operation, in PyNative mode; it is "
                    f"faster to pass them as tensors, or to draw them by functions of ops.")
    if isinstance(target, (GradFunction, Cell)):
        target._leave_to_python()


# The names of what draws random numbers.
_warned = set()


def _prepared(target, args, kwargs, is_graph=False, on_tape=False):
    from plumb import _capturing, _programs
    call = _programs.DirectCall(target, args, kwargs)
    if _capturing.active() and not _programs.is_of_package(target):
        _capturing.offer(call.program())
    kept = []
    key = (identity(target, kept), call.types, call.constants and identity(call.constants, kept))
    if _asking_sharing and key in _asking_sharing:
        key = (*key, call.sharing(_asking_sharing[key][1]))
    if _needing_values and key in _needing_values:
        return _prepared(target, _programs.with_values(args), _programs.with_values(kwargs), is_graph)
    if key in _runs and not _runs[key][1].dependencies.hold():
        del _runs[key]  # an attribute that it took for constant has changed
    if key not in _runs:
        try:
            run = _compiled(call, is_graph, _leaves_prints(target, is_graph, on_tape))
        except CompileError as problem:
            return _prepared_for_values(target, args, kwargs, key, kept, problem)
        if _is_for_one_call(run, is_graph):
            _leave_to_python(target)
            return run, call.arrays
        if run.asked is not None:
            key = _with_sharing(key[:3], call, kept, run)
        _runs[key] = (kept, run)
        _drop_old_runs()
    _runs.move_to_end(key)
    return _runs[key][1], call.arrays


def _compiled(call, is_graph, leaves_prints):
    """The Run of a call. Where graph mode changes lists or dicts from outside, it changes copies, as MindSpore does."""
    try:
        return Run(call.program(), leaves_prints)
    except CompileError as problem:
        if problem.kind != "outside" or not (is_graph or context.get_context("mode") == context.GRAPH_MODE):
            raise
        program = call.program()
        program.copies_globals = True
        try:
            run = Run(program, leaves_prints)
        except CompileError:
            raise problem from None
        context.warn_once(f"{str(problem).partition(' error: ')[0]} a list or dict from outside of the compiled function is changed in "
                          f"it alone: outside it stays what it was, as in MindSpore.")
        return run


# Calls whose programs ask which of their arguments are one tensor, by key: what the key tells by identity, and the ids of the constants
# that they have asked about.
_asking_sharing = {}


def _with_sharing(key, call, kept, run):
    """The key of a call whose program asks which of its arguments are one tensor."""
    _, constants = _asking_sharing.setdefault(key, (kept + [run.program.live.printer], set()))
    constants |= run.asked
    return (*key, call.sharing(constants))

# Calls that only compile where the values of small integer tensors are known, by key, with what the key tells by identity.
_needing_values = {}


def _prepared_for_values(target, args, kwargs, key, kept, problem):
    """What a call compiles with small integer arguments (extents, axes, paddings) as constants: a program for each of their
    values. Raises the first problem where it is of another kind, or that does not help."""
    from plumb import _capturing, _programs
    takes_all = getattr(target, "argnums", ()) is None  # gradients by every tensor: none may go
    known = _programs.with_values(args), _programs.with_values(kwargs)
    if (problem.kind not in ("value", "operation") or _capturing.active() or _programs.is_plain_primitive(target) or takes_all
            or not _programs.has_values(known) or _programs.has_values((args, kwargs))):
        raise problem
    try:
        found = _prepared(target, *known)
    except CompileError:
        raise problem from None
    _needing_values[key] = kept
    return found


# Why a call cannot be computed twice, as its gradient does.
DRAWS = "random numbers that Python draws inside of it would be others in its gradient; draw them outside, and pass them as arguments"


def needs_python(problem):
    """Whether Python runs a cell, or in PyNative mode a function to differentiate, that does not compile for this reason.

    In graph mode such reasons are operations of the package that need values or run on the host; in PyNative mode all that is refused.
    """
    from plumb import _capturing
    if _capturing.active():
        return False
    if context.get_context("mode") == context.PYNATIVE_MODE:
        return problem.unreadable or problem.kind != "error"
    return problem.kind == "operation"


def tell_of_python(cell, problem):
    """Warns in graph mode of a cell that is not compiled."""
    if context.get_context("mode") == context.GRAPH_MODE:
        warnings.warn(f"'{type(cell).__name__}' is not compiled, but runs operation by operation, as the sizes of results depend on "
                      f"values: {str(problem).splitlines()[0]}", stacklevel=3)


def forget_runs():
    """Has all calls from now on compiled anew."""
    _runs.clear()
    _repeats.forget()


def _drop_old_runs():
    pure = [(key, run) for key, (_, run) in _runs.items() if run.is_pure]
    size = sum(run.bytes for _, run in pure)
    for left, (key, run) in zip(range(len(pure), 1, -1), pure):
        if left <= _MAX_PURE_RUNS and size <= _MAX_PURE_BYTES:
            break
        del _runs[key]
        _repeats.forget()
        size -= run.bytes


def _placed(target, args, result):
    """What a call returns: gradients by sparse tensors stand where the tensors' own values do."""
    from plumb.ops.grad import GradFunction
    return target.placed(result, args) if isinstance(target, GradFunction) else result
