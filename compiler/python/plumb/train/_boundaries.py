"""Launches in parts. Whoever wants to act between two steps of a run (checkpoints, limits) splits a launch there, which changes
no result, and which callbacks do not see."""

import contextlib
import threading
import warnings

import numpy as np

from plumb._session import LaunchResult, Run
from plumb.train.callback._callback import Callback


class StepBoundary(Callback):
    """A callback that acts between two steps of training, however many of them are sunk. `done` counts the steps of the run."""

    def attach(self, run, position):
        """Before the data are fed, where the run stands at step `position`; returns where it begins."""
        return position

    def steps_to_next(self, done):
        """Returns after how many steps, at least 1, it wants to act; None: does not matter."""
        return None

    def seconds_to_next(self):
        """Returns after how many seconds it wants to act; None: does not matter."""
        return None

    def at_boundary(self, run_context, done):
        """After a step, when all callbacks have heard of it."""

    def at_stop(self, done):
        """Where training ends inside of an epoch, before callbacks hear what a run that goes on would not have told them there."""

    def is_over(self, done):
        """Whether no further step may run."""
        return False

    def detach(self, done, is_sane, is_invalid):
        """After training, however it ended. Without `is_sane` the state is not worth keeping; with `is_invalid` because a number
        in it is NaN or infinite."""


class Parts:
    """Makes the launches of one training.

    Args:
      run: the Run.
      callbacks: those of training, some of which may be boundaries.
      position: the step at which it begins unless a boundary takes over the state of another run.

    Attributes:
      done: steps of the run that are done, those before it included.
    """

    def __init__(self, run, callbacks, position):
        self._run = run
        self._boundaries = [callback for callback in callbacks if isinstance(callback, StepBoundary)]
        if self._boundaries and not isinstance(run, Run):
            names = ", ".join(type(boundary).__name__ for boundary in self._boundaries)
            raise ValueError(f"{names}: the last batch of a pass is smaller than the others, and its steps run in an executable of "
                             f"their own; use batch(…, drop_remainder=True).")
        self._is_sane, self._is_invalid = True, False
        self.done = position
        try:
            for boundary in self._boundaries:
                self.done = boundary.attach(run, self.done)
        except BaseException:
            run.clear_rules()
            raise

    def is_over(self):
        """Whether a boundary forbids further steps."""
        return any(boundary.is_over(self.done) for boundary in self._boundaries)

    def launch(self, steps, run_context, reporter):
        """Runs `steps` steps, or fewer where training ends.

        Args:
          reporter: called with the steps that this launch has done; returns what hears of each step of a part, or None.
        """
        results, left = [], steps
        while True:
            result = self._launch(min([left, *self._wanted()]), reporter(steps - left))
            results.append(result)
            left -= result.steps
            if left == 0 or result.reason not in ("sink_size", "stopped") or not self._boundaries:
                return _joined(results)
            self.at_boundary(run_context)
            if run_context.get_stop_requested():
                return _joined(results)

    def at_boundary(self, run_context):
        """Lets boundaries act; `launch` does so between its parts, the caller after its last one, when callbacks have heard of it."""
        for boundary in self._boundaries:
            boundary.at_boundary(run_context, self.done)

    def at_stop(self):
        """Tells boundaries that training ends inside of an epoch."""
        for boundary in self._boundaries:
            boundary.at_stop(self.done)

    def check(self, result, params):
        """Ends training after a step that left NaN or infinity behind."""
        strike = self._run.session.guard_strike() if self._boundaries and result.reason == "guard" else None
        if strike is None:
            return
        _, text, self._is_invalid = strike
        if self._is_invalid:
            self._is_sane = False
            step = (params.cur_step_num - 1) % params.batch_num + 1
            raise ValueError(f"epoch: {params.cur_epoch_num} step: {step}. Invalid loss, terminating training."
                             if text.startswith("'loss' ") else f"epoch: {params.cur_epoch_num} step: {step}. {text}")
        print(f"{text}; training ends", flush=True)

    @contextlib.contextmanager
    def after_epoch(self):
        """Around what comes after an epoch's steps, evaluation and callbacks: a run that fails there goes on from before it, and not
        from a state which says that it is done."""
        sane, self._is_sane = self._is_sane, False
        yield
        self._is_sane = sane

    def finish(self, is_failed):
        """Tells boundaries that training is over; where it failed, problems of theirs are warnings."""
        if self._boundaries:
            self._run.clear_rules()
        for boundary in self._boundaries:
            try:
                boundary.detach(self.done, self._is_sane, self._is_invalid)
            except Exception as problem:  # pylint: disable=broad-except
                if not is_failed:
                    raise
                warnings.warn(str(problem))

    def _wanted(self):
        wanted = (boundary.steps_to_next(self.done) for boundary in self._boundaries)
        return [steps for steps in wanted if steps is not None]

    def _launch(self, steps, on_step):
        before = self._run.launches, self._run.steps
        self._is_sane = False
        try:
            with _Alarm(self._run, steps, [boundary.seconds_to_next() for boundary in self._boundaries]):
                return self._run.launch(steps, on_step=on_step)
        finally:
            # A launch that came back counts, whatever is raised for it: Ctrl-C, or an error of the data.
            self._is_sane = self._run.launches > before[0]
            self.done += self._run.steps - before[1]


class _Alarm:
    """Ends the launch inside it at the next step, when the first of some spans of seconds is over."""

    def __init__(self, run, steps, spans):
        spans = [seconds for seconds in spans if seconds is not None] if steps > 1 else []
        self._run, self._active, self._lock = run, True, threading.Lock()
        self._timer = threading.Timer(max(min(spans), 0.0), self._ring) if spans else None

    def __enter__(self):
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()

    def __exit__(self, *problem):
        if self._timer is not None:
            with self._lock:  # none that comes too late ends the next launch
                self._active = False
            self._timer.cancel()

    def _ring(self):
        with self._lock:
            if self._active:
                self._run.session.request_pause()


def _joined(results):
    """One result of several parts."""
    results = [result for result in results if result.steps] or results[-1:]
    if len(results) == 1:
        return results[0]
    reports = [np.concatenate(parts) for parts in zip(*(result.reports for result in results))]
    return LaunchResult(sum(result.steps for result in results), results[-1].reason, reports)
