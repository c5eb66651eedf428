"""Watch: values of Parameters while they are trained, also in the middle of a sink."""

import os

import numpy as np

from plumb import _native
from plumb.train._boundaries import StepBoundary
from plumb.train.summary._events import EventFile, histogram


class Watch(StepBoundary):
    """Looks at Parameters, the optimizer's included, and at the loss every so many steps, however many of them are sunk.

    No launch ends for it, and no result changes: the step's thread copies a value between two steps and goes on, and this one takes it
    from there. It waits when two values of a name wait already.

    Args:
      names: Parameters' names, in which `*` stands for any characters, or "loss".
      every_n_steps: how many steps of the run lie between two looks.
      function: called with the name, the step (from 1) and the value, an array (of float32 for bfloat16), while the launch goes on. What
        it raises ends training.
      summary_dir: a folder for histograms in TensorBoard's event files.
      values_dir: a folder for the values, all of a step in one file `values-STEP.safetensors` for `load_checkpoint`.
    """

    def __init__(self, *names, every_n_steps=100, function=None, summary_dir=None, values_dir=None):
        if not names or not all(isinstance(name, str) and name and "," not in name for name in names):
            raise ValueError(f"For 'Watch', 'names' are strings, at least one, but got {names!r}.")
        if isinstance(every_n_steps, bool) or not isinstance(every_n_steps, int) or every_n_steps < 1:
            raise ValueError(f"For 'Watch', 'every_n_steps' must be an int of at least 1, but got {every_n_steps!r}.")
        if function is None and summary_dir is None and values_dir is None:
            raise ValueError("For 'Watch', give a 'function', a 'summary_dir' or a 'values_dir': where values go.")
        self._names, self._every, self._function = names, every_n_steps, function
        self._summary_dir, self._values_dir = summary_dir, values_dir
        self._events, self._step, self._values = None, 0, {}

    def attach(self, run, position):
        """Tries whether files can be written, and has the runtime hand values on."""
        for folder in filter(None, (self._summary_dir, self._values_dir)):
            os.makedirs(folder, exist_ok=True)
            _native.native_runtime().probe_checkpoint(os.path.join(folder, "values"))
        self._events = EventFile(self._summary_dir) if self._summary_dir else None
        for name in self._names:
            run.add_watch(f"{name},every={self._every}", self._take)
        return position

    def _take(self, name, step, value):
        if step != self._step:
            self._flush()
        self._step, self._values[name] = step, value
        if self._function is not None:
            self._function(name, step, value)

    def _flush(self):
        """Writes what was seen of one step."""
        values, self._values = self._values, {}
        if values and self._events is not None:
            self._events.add(self._step, [histogram(name, value) for name, value in values.items()])
        if values and self._values_dir:
            path = os.path.join(self._values_dir, f"values-{self._step:012d}.safetensors")
            arrays = {name: np.ascontiguousarray(value) for name, value in values.items()}
            _native.native_runtime().write_checkpoint(path, arrays)

    def detach(self, done, is_sane, is_invalid):
        """Writes the last values."""
        self._flush()
        if self._events is not None:
            self._events.close()
