"""From programs to running sessions: compile in process, keep parameters in step, launch.

A parameter's newest value lives either on the host or in one session (`Parameter.moved_to`). Before a launch a session
takes over what changed elsewhere since it last looked, by comparing versions; so one network can be trained by one
executable and evaluated by another. Values that the program's own initialisers give are never copied.
"""

import functools
import warnings
from collections import OrderedDict

import numpy as np

from plumb import _cache, _draws, _failures, _repeats, _trace, context, log
from plumb._identity import identity
from plumb._parse.diagnostics import CompileError
from plumb.common import _bfloat, _reads, _taping, seed as _seed
from plumb.common._refusals import refused
from plumb.common.dtype import by_name
from plumb.common.parameter import Parameter
from plumb.common.tensor import Tensor
from plumb.dataset._feeder import Feeder

REASONS = ("sink_size", "end_of_data", "stopped", "guard")


class LaunchResult:
    """What a launch gave: steps run, why it ended, and per report an array with one row per step kept."""

    def __init__(self, steps, reason, reports):
        self.steps, self.reason, self.reports = steps, reason, reports

    def last(self):
        """Returns the last step's reports as Tensors; one Tensor when there is one report, None when there is none or no step
        ran."""
        if not self.reports or not len(self.reports[0]):
            return None
        return self.step(-1)

    def step(self, number):
        """Returns the reports of one of the kept steps as Tensors; one Tensor when there is one report."""
        tensors = tuple(Tensor.from_numpy(np.asarray(report[number])) for report in self.reports)
        return tensors[0] if len(tensors) == 1 else tensors


# The entry of a program that computes one tensor while another is compiled; compiler/specialize/tensors/ConstantPrograms.cpp writes it.
EVALUATED = "plumb.value"

# The version of a Parameter that a session has taken nothing over from: older than any.
_NOTHING_SEEN = -1

class Run:
    """A program compiled and loaded: one session, its parameters, its counters.

    With `leaves_prints`, a program that prints is left to Python.

    Attributes:
      draws: whether Python drew random numbers while it was compiled, which are constants in it.
      asked: where it depends on which of its arguments are one tensor, the ids of the constants that they may be; else None.
      launches, steps: how many launches were made and how many steps they ran.
      exceptions: the classes of what the program raises, by the text that names them.
    """

    exceptions = {}

    def __init__(self, program, leaves_prints=False):
        before = _draws.state()
        module, _ = program.render()
        program.live.leaves_prints = leaves_prints
        executable = load(compile_module(module, program.hint, program.live), program.hint)
        live = program.live
        self.draws = live.draws or _draws.state() != before
        self.asked = live.asked
        self.template = live.result
        self.dependencies = live.printer.dependencies
        self.exceptions = live.printer.exceptions
        self.complex_results = live.complex_results
        # Those that only compiling has found are among the Parameters.
        self._open(program, executable, live.printer.parameters_by_symbol(),
                   writes=program.mode == "train" or live.writes)
        self._seen = {name: parameter.version for name, parameter in self.parameters.items()}
        for parameter in self.parameters.values():
            self.dependencies.note_type(parameter)
        self.is_pure = not self._writes

    def _open(self, program, executable, parameters, writes):
        """Opens the session of an executable with those of the Parameters, by symbol, that it has variables for."""
        self.program, self.executable = program, executable
        self.session = native_runtime().Session(executable, _seed.session_seed(),
                                                float(context.get_context("op_timeout")),
                                                int(context.get_context("runtime_num_threads")))
        present = set(executable.variables())
        self.parameters = {name: value for name, value in parameters.items() if name in present}
        self._symbols = {id(parameter): name for name, parameter in self.parameters.items()}
        self._seen = dict.fromkeys(self.parameters, _NOTHING_SEEN)
        self._writes = writes
        self.launches = self.steps = 0
        self._feeder = None
        self._is_watched = False

    def feed(self, dataset, passes=-1, position=0):
        """Feeds the queue from a dataset, behind its first `position` batches; `passes` -1 means endlessly."""
        if self._feeder is not None:
            self._feeder.stop()
            self._feeder = None
            self.session.rewind(self.program.mode)
        if dataset.native:
            self.session.feed(self.program.mode, make_pipeline(dataset), passes)
        if position:
            self.session.seek(self.program.mode, position)
        if not dataset.native:
            self._feeder = Feeder(self.session, self.program.mode, dataset, passes, position)

    def save(self, path):
        """Writes the session's whole state: values of Parameters, seed, steps, position in the data."""
        self._take_over()
        self.session.save(path)

    def resume(self, path, entries):
        """Takes over the state of a run from its checkpoint, a file of this program's with these entries; returns how many batches
        of the data it has taken, behind which `feed` is to go on."""
        position = entries.get(f"plumb.queue.{self.program.mode}.batches")
        if position is None:
            raise ValueError(f"{path}: it holds no run, but Parameters alone; load it with load_checkpoint.")
        if self._feeder is not None:
            self._feeder.stop()
            self._feeder = None
        self.session.load(path)
        self._moved()
        return int(position)

    def add_guard(self, rule, or_none=False):
        """Has every launch end right after the step that breaks the rule; with `or_none`, only where the rule can be broken."""
        try:
            self.session.add_guard(self.program.mode, rule)
        except (ValueError, FileNotFoundError):
            if not or_none:
                raise

    def add_watch(self, rule, function):
        """Has launches call function(name, step, array) every so many steps while they run."""
        def take(name, step, array):
            parameter = self.parameters.get(name)
            is_complex = parameter is not None and "complex" in parameter.dtype.name
            function(name, step, joined(array) if is_complex else array)

        self._is_watched = True
        self.session.add_watch(self.program.mode, rule, take)

    def clear_rules(self):
        """Ends what add_guard and add_watch began."""
        self.session.clear_guards()
        if self._is_watched:
            self.session.clear_watches()
        self._is_watched = False

    def push(self, arrays):
        """Puts one batch into the queue."""
        if not self.session.push(self.program.mode, [np.ascontiguousarray(array) for array in arrays], 60.0):
            raise RuntimeError(f"the queue '{self.program.mode}' had no room for a batch within 60 seconds")

    def launch(self, steps, keep_all=True, on_step=None):
        """Runs `steps` steps; reports of all of them are kept, or of the last one only.

        `on_step(number, value)` hears every step's first report while the launch runs.

        Ctrl-C ends the launch before its next step and raises KeyboardInterrupt with all state intact.
        """
        self._take_over()
        try:
            with _trace.span(self.program.hint, "launch", asked=steps) as details:
                ran, reason, interrupted, reports = self.session.launch(self.program.mode, steps, keep_all, on_step)
                details["steps"] = ran
        except Exception as problem:  # pylint: disable=broad-except
            raise _failures.as_raised(problem, self.exceptions) from None
        finally:
            self._moved()
        for number in self.complex_results:
            reports[number] = joined(reports[number])
        self.launches += 1
        self.steps += ran
        if self._feeder is not None:
            self._feeder.check()
        if interrupted:
            raise KeyboardInterrupt(f"after step {self.steps}")
        return LaunchResult(ran, REASONS[reason], reports)

    def call(self, arrays):
        """Runs one step of a direct call on contiguous arrays; returns what the callable returns."""
        if self.parameters:
            self._take_over()
        try:
            with _trace.span(self.program.hint, "call"):
                reports = self.session.call(self.program.mode, arrays, 60.0)
        except Exception as problem:  # pylint: disable=broad-except
            raise _failures.as_raised(problem, self.exceptions) from None
        finally:
            if self.parameters:
                self._moved()
        self.launches += 1
        self.steps += 1
        for number in self.complex_results:
            reports[number] = joined(reports[number])
        outputs = [Tensor.from_numpy(report) for report in reports]
        if self.template is None or self.template.is_one_tensor:
            return outputs[0] if len(outputs) == 1 else tuple(outputs) if outputs else None
        return self.template.fill(outputs)

    def _take_over(self):
        for name, parameter in self.parameters.items():
            _reads.refuse(parameter)
            if parameter.version != self._seen[name] and parameter._home is not self:
                self.session.set_variable(name, np.ascontiguousarray(parameter._elements()))
            self._seen[name] = parameter.version

    def _moved(self):
        if self._writes:
            for name, parameter in self.parameters.items():
                parameter.moved_to(self)
                self._seen[name] = parameter.version

    def written(self):
        """The Parameters with their values, if the program may change any."""
        return [(parameter, parameter.asnumpy()) for parameter in self.parameters.values()] if self._writes else []

    def fetch(self, parameter):
        """Returns the value of a parameter that the session holds."""
        array = np.empty(parameter.shape, parameter.dtype.numpy)
        self.session.get_variable(self._symbols[id(parameter)], array)
        return array


def joined(array):
    """The complex numbers whose real and imaginary parts lie along the last axis of an array, in the same memory."""
    return array.view(np.complex64 if array.dtype == np.float32 else np.complex128).reshape(array.shape[:-1])


def native_runtime():
    """Returns the runtime's extension module."""
    try:
        from plumb import _runtime
    except ImportError as problem:
        raise ImportError(f"plumb's runtime is not built: {problem}. From a checkout, start programs with "
                          f"tools/python, which builds it.") from None
    return _runtime


def native_compiler():
    """Returns the compiler's extension module."""
    try:
        from plumb import _compiler
    except ImportError as problem:
        raise ImportError(f"plumb's compiler is not built: {problem}. From a checkout, start programs with "
                          f"tools/python, which builds it.") from None
    return _compiler


def compile_module(module, name, live=None):
    """Compiles MLIR text to an executable's bytes; raises CompileError with the compiler's diagnostics.

    `live` computes what the compiler leaves to Python.
    """
    flags = ["--emit=plumb"]
    if context.get_context("save_graphs"):
        flags += [f"--save-graphs={context.get_context('save_graphs')}",
                  f"--save-graphs-path={context.get_context('save_graphs_path')}"]
    try:
        with _trace.span(name, "compile"):
            return _cache.compiled(lambda *request: native_compiler().compile(*request), module, name, flags, live)
    except RuntimeError as problem:
        located = RenderedError(str(problem), exceptions=live.exceptions() if live else {})
        located.kind = getattr(problem, "kind", "error")
        raise located from (live.raised if live else None)


@functools.lru_cache(maxsize=256)
def evaluated(module):
    """The Tensor that a program without inputs computes, which the compiler asks for while it compiles another; None where it cannot
    be run, as in a process that has no compiler."""
    try:
        executable = load(_cache.compiled(lambda *request: native_compiler().compile(*request), module, "value", ["--emit=plumb"], None),
                          "value")
        array, = native_runtime().Session(executable, 0, 60.0, 1).call(EVALUATED, [], 60.0)
    except (ImportError, RuntimeError, ValueError):
        return None
    return Tensor.from_numpy(array)


class RenderedError(CompileError):
    """An error that the compiler has located and rendered itself."""

    def render(self):
        """Returns the compiler's text."""
        return self.message


def load(code, name):
    """Loads an executable from memory."""
    return native_runtime().Executable(code, name)


def make_pipeline(dataset):
    """Builds the runtime's pipeline for a dataset."""
    return native_runtime().Pipeline(dataset.to_json(), dict(dataset._arrays), _seed.session_seed())


def run_pipeline(json, arrays):
    """Returns the first row (or batch) of a pipeline over rows in memory, a list of arrays."""
    return native_runtime().Pipeline(json, arrays, _seed.session_seed()).next()


def initialise(kind, numbers, shape, dtype, stream):
    """Draws the values a rule gives, as a session would; of complex numbers the real parts."""
    if "complex" in dtype.name:
        part = by_name("float32" if dtype.name == "complex64" else "float64")
        return initialise(kind, numbers, shape, part, stream).astype(dtype.numpy)
    if dtype.name == "bfloat16":
        return _bfloat.stored(initialise(kind, numbers, shape, by_name("float32"), stream), dtype.numpy)
    array = np.empty(shape, dtype.numpy)
    native_runtime().initialize(kind, [float(number) for number in numbers], _seed.session_seed(), stream, array)
    return array


# -- direct calls

# Runs by key, with what the key tells by identity. Of those that hold no state, the ones used longest ago are dropped.
_runs = OrderedDict()
_MOST_PURE_RUNS = 256


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
    pure = [key for key, (_, run) in _runs.items() if run.is_pure]
    for key in pure[:max(0, len(pure) - _MOST_PURE_RUNS)]:
        del _runs[key]
        _repeats.forget()


def _placed(target, args, result):
    """What a call returns: gradients by sparse tensors stand where the tensors' own values do."""
    from plumb.ops.grad import GradFunction
    return target.placed(result, args) if isinstance(target, GradFunction) else result
