"""RunCheckpoint and Guard: what makes a training fit to be left alone."""

import os
import re
import time
import warnings

from plumb.common import seed as _seed
from plumb.train._boundaries import StepBoundary

_NAME = re.compile(r"step-(\d{12})\.safetensors")


class RunCheckpoint(StepBoundary):
    """Writes the whole state of a run while it goes on, at any step, sunk or not, and goes on from it bit for bit.

    Given to `Model.train` or `fit` of the same program, it begins a run, and after whatever ended it goes on with it: Parameters,
    optimizer state, random numbers, position and order of the data, counts of steps and epochs are those of a run that was left
    alone. The files are those of `plumb-run --checkpoint`, which can go on with them, too. A launch is split where a file is
    due, which changes no result. It ends training with a ValueError when the loss is NaN or infinite; the state of that step goes
    to `invalid.safetensors`. Not kept are the attributes of other callbacks, and the state of Python's and NumPy's own random
    generators: data that Python code draws from them go on in another order.

    Args:
      directory: the folder; it is made if need be.
      every_n_steps: after so many steps of the run, …
      every_n_seconds: … or so many seconds; 60 if neither is given.
      keep: so many of the newest files stay, at least 1.
      resume: False begins anew, in a folder without checkpoints.
    """

    def __init__(self, directory, every_n_steps=None, every_n_seconds=None, keep=3, resume=True):
        if every_n_steps is not None and every_n_seconds is not None:
            raise ValueError("For 'RunCheckpoint', give one of 'every_n_steps' and 'every_n_seconds'.")
        _check_count("RunCheckpoint", "every_n_steps", every_n_steps)
        _check_count("RunCheckpoint", "keep", keep)
        self._directory, self._keep, self._resume = os.fspath(directory), keep, resume
        self._steps, self._seconds = every_n_steps, every_n_seconds
        if every_n_steps is None:
            self._seconds = 60.0 if every_n_seconds is None else _positive("RunCheckpoint", "every_n_seconds", every_n_seconds)
        self._run, self._last_step, self._last_time = None, 0, 0.0

    def attach(self, run, position):
        """Tries whether files can be written, and takes over the newest sound state."""
        from plumb import _native
        os.makedirs(self._directory, exist_ok=True)
        _native.native_runtime().probe_checkpoint(self._path(0))
        self._run = run
        run.add_guard("finite:loss", or_none=True)
        found = self._newest_first()
        if found and not self._resume:
            raise ValueError(f"For 'RunCheckpoint', '{self._directory}' holds checkpoints of a run: go on with it (resume=True), "
                             f"or choose another folder.")
        if found and position:
            raise ValueError(f"For 'RunCheckpoint', '{self._directory}' holds checkpoints, and 'initial_epoch' says where to "
                             f"begin, too; give one of them.")
        position = self._take_over(found, position)
        self._last_step, self._last_time = position, time.monotonic()
        return position

    def _take_over(self, found, position):
        from plumb import _native
        for path in found:
            try:
                entries = _native.native_runtime().read_checkpoint_entries(path)
            except ValueError as problem:
                warnings.warn(f"{problem}; an older checkpoint is taken")
                continue
            self._check_seed(path, entries)
            position = self._run.resume(path, entries)
            print(f"goes on after step {position}, from {path}", flush=True)
            break
        return position

    def _check_seed(self, path, entries):
        if int(entries.get("plumb.seed", -1)) != _seed.session_seed():
            raise ValueError(f"{path}: it is of a run with the seed {entries.get('plumb.seed', 'none')}, and this program's is "
                             f"{_seed.session_seed()}; give it the same one, or choose another folder.")

    def steps_to_next(self, done):
        """Returns the steps to the next file."""
        return self._steps and self._steps - done % self._steps

    def seconds_to_next(self):
        """Returns the seconds to the next file."""
        return self._seconds and self._seconds - (time.monotonic() - self._last_time)

    def at_boundary(self, run_context, done):
        """Writes a file if one is due. What cannot be written is a warning: training goes on, and older files stay."""
        due = done % self._steps == 0 if self._steps else self.seconds_to_next() <= 0
        if not due or done == self._last_step:
            return
        try:
            self._save(done)
        except OSError as problem:
            warnings.warn(f"a checkpoint is missing: {problem}")
            self._last_time = time.monotonic()

    def at_stop(self, done):
        """Writes the state with which the run can go on."""
        if done != self._last_step:
            self._save(done)

    def detach(self, done, is_sane, is_invalid):
        """Writes the last state."""
        run, self._run = self._run, None
        if is_invalid:
            run.save(os.path.join(self._directory, "invalid.safetensors"))
        elif is_sane and done != self._last_step:
            self._run = run
            self._save(done)
            self._run = None

    def _save(self, done):
        self._run.save(self._path(done))
        self._last_step, self._last_time = done, time.monotonic()
        for old in self._newest_first()[self._keep:]:
            os.remove(old)

    def _path(self, done):
        return os.path.join(self._directory, f"step-{done:012d}.safetensors")

    def _newest_first(self):
        names = sorted(filter(_NAME.fullmatch, os.listdir(self._directory)), reverse=True)
        return [os.path.join(self._directory, name) for name in names]


class Guard(StepBoundary):
    """Ends training right after a certain step, inside of a sink, too; the Parameters are those of that step.

    Args:
      rules: "finite:NAME" (ends it, with a ValueError, when an element of the loss or of a Parameter is NaN or infinite),
        "NAME<LIMIT", "NAME>LIMIT" (a target is reached), each perhaps with ",every=STEPS". NAME is "loss" or a Parameter's name.
      max_seconds, max_steps: ends it at the next step after that time, or when the run has done so many steps.
    """

    def __init__(self, *rules, max_seconds=None, max_steps=None):
        if not all(isinstance(rule, str) for rule in rules):
            raise TypeError("For 'Guard', rules are strings.")
        _check_count("Guard", "max_steps", max_steps)
        self._rules, self._max_steps = rules, max_steps
        self._max_seconds = None if max_seconds is None else _positive("Guard", "max_seconds", max_seconds)
        self._begin = 0.0

    def attach(self, run, position):
        """Has the runtime check the rules."""
        for rule in self._rules:
            run.add_guard(rule)
        self._begin = time.monotonic()
        return position

    def steps_to_next(self, done):
        """Returns the steps that may run."""
        return self._max_steps and max(self._max_steps - done, 1)

    def seconds_to_next(self):
        """Returns the seconds that are left."""
        return self._max_seconds and self._max_seconds - (time.monotonic() - self._begin)

    def is_over(self, done):
        """Whether a limit is reached."""
        return bool(self._max_steps and done >= self._max_steps or self._max_seconds and self.seconds_to_next() <= 0)

    def at_boundary(self, run_context, done):
        """Ends training at a limit."""
        if self.is_over(done):
            run_context.request_stop()


def _check_count(who, name, value):
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise ValueError(f"For '{who}', '{name}' must be an int of at least 1, but got {value!r}.")


def _positive(who, name, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise ValueError(f"For '{who}', '{name}' must be a positive number, but got {value!r}.")
    return float(value)
