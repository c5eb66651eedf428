"""Running sessions of programs: a Run compiles one, keeps its Parameters in step, and launches.

A parameter's newest value lives either on the host or in one session (`Parameter.moved_to`). Before a launch a session
takes over what changed elsewhere since it last looked, by comparing versions; so one network can be trained by one
executable and evaluated by another. Values that the program's own initialisers give are never copied; all others are: none is
part of a program that runs here, which is small, quickly compiled, and the same whatever the values are.
"""

import numpy as np

from plumb import _draws, _failures, _native, _trace, context
from plumb.common import _reads, seed as _seed
from plumb.common.tensor import Tensor
from plumb.dataset._feeder import Feeder

REASONS = ("sink_size", "end_of_data", "stopped", "guard")

# The version of a Parameter that a session has taken nothing over from: older than any.
_NOTHING_SEEN = -1


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


class Run:
    """A program compiled and loaded: one session, its parameters, its counters.

    With `leaves_prints`, a program that prints is left to Python.

    Attributes:
      draws: whether Python drew random numbers while it was compiled, which are constants in it.
      asked: where it depends on which of its arguments are one tensor, the ids of the constants that they may be; else None.
      bytes: what its copies of the Parameters take.
      launches, steps: how many launches were made and how many steps they ran.
      exceptions: the classes of what the program raises, by the text that names them.
    """

    exceptions = {}

    def __init__(self, program, leaves_prints=False):
        before = _draws.state()
        module, _ = program.render(leaves_values=True)
        program.live.leaves_prints = leaves_prints
        executable = _native.load(_native.compile_module(module, program.hint, program.live), program.hint)
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
        self._seen.update({name: parameter.version for name, parameter in self.parameters.items() if name not in live.printer.left})
        for parameter in self.parameters.values():
            self.dependencies.note_type(parameter)
        self.is_pure = not self._writes

    def _open(self, program, executable, parameters, writes):
        """Opens the session of an executable with those of the Parameters, by symbol, that it has variables for."""
        self.program, self.executable = program, executable
        self.session = _native.native_runtime().Session(executable, _seed.session_seed(),
                                                float(context.get_context("op_timeout")),
                                                int(context.get_context("runtime_num_threads")))
        present = set(executable.variables())
        self.parameters = {name: value for name, value in parameters.items() if name in present}
        self.bytes = sum(parameter.nbytes for parameter in self.parameters.values())
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
            self.session.feed(self.program.mode, _native.make_pipeline(dataset), passes)
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
