"""`profile`: traces of some steps of a loop, as MindSpore 2.5 and later make them; `mstx`: marks of the program's own in them."""

import itertools
import os
import threading
import time

from plumb import _trace
from plumb.context import warn_once
from plumb.profiler.profiler import write_trace
from plumb.profiler.schedule import ProfilerAction

_FOLDER = "./data"
_ELSEWHERE = ("with_stack", "profile_memory", "data_process", "parallel_strategy", "hbm_ddr", "pcie", "record_shapes")
_NOTED = (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class profile:  # pylint: disable=invalid-name
    """Notes the spans of a process, as Profiler does, in the steps that a schedule names.

    Called in a `with` statement, or between `start` and `stop`; `step` tells of the end of each step.

    Args:
      schedule: a `schedule`; without one, all steps are noted until `stop`.
      on_trace_ready: what is called with the profile when a trace is complete: `tensorboard_trace_handler(folder)`, or a function. Without
        one, traces are written to ./data/profiler.
      activities, experimental_config, sync_enable: of other devices, without effect.
      start_profile: False has `start` wait for the program.
      with_stack, profile_memory and others: what other devices note besides; a warning says that the CPU's trace has none of it.
    """

    def __init__(self, activities=None, with_stack=False, profile_memory=False, data_process=False, parallel_strategy=False,
                 start_profile=True, hbm_ddr=False, pcie=False, sync_enable=True, record_shapes=False, schedule=None, on_trace_ready=None,
                 experimental_config=None):
        del activities, sync_enable, experimental_config
        given = (with_stack, profile_memory, data_process, parallel_strategy, hbm_ddr, pcie, record_shapes)
        for name, value in zip(_ELSEWHERE, given):
            if value:
                warn_once(f"profiler.profile: {name} changes nothing: the trace has compilations, launches and calls.")
        for name, function in (("schedule", schedule), ("on_trace_ready", on_trace_ready)):
            if function is not None and not callable(function):
                raise TypeError(f"For 'profile', '{name}' must be a function, but got {type(function).__name__}.")
        self._action = schedule or (lambda step: ProfilerAction.RECORD)
        self._ready = on_trace_ready or tensorboard_trace_handler(_FOLDER)
        self._steps, self._traces, self._is_on, self._metadata = 0, 0, False, {}
        if start_profile:
            self.start()

    def start(self):
        """Begins with the next step."""
        if self._is_on:
            return
        if _trace.active():
            raise RuntimeError("Do not start twice in the profiler: another one is on.")
        self._is_on = True
        _trace.events.clear()
        self._turn(self._action(self._steps))

    def step(self):
        """Ends a step: writes the trace where the schedule says so, and begins or pauses for the next one."""
        if not self._is_on:
            raise RuntimeError("For 'profile.step', the profile has not started.")
        if self._action(self._steps) == ProfilerAction.RECORD_AND_SAVE:
            self._finish()
        self._steps += 1
        self._turn(self._action(self._steps))

    def stop(self):
        """Ends; writes what has not been written."""
        if self._is_on:
            self._is_on = False
            self._turn(ProfilerAction.NONE)
            if _trace.events:
                self._finish()

    def _turn(self, action):
        if action in _NOTED:
            _trace.start()
        else:
            _trace.stop()

    def _finish(self):
        self._traces += 1
        self._ready(self)
        _trace.events.clear()

    def write(self, folder):
        """Writes the trace of the steps so far to `folder`/profiler: timeline.json, then timeline_2.json and so on."""
        number = "" if self._traces < 2 else f"_{self._traces}"
        write_trace(os.path.join(os.path.abspath(folder), "profiler"), _trace.events, number, self._metadata)

    def add_metadata(self, key, value):
        """Adds a text to the traces."""
        self._metadata[str(key)] = str(value)

    add_metadata_json = add_metadata

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()


def tensorboard_trace_handler(dir_name=None, worker_name=None, analyse_flag=True, async_mode=False):
    """Returns what writes a profile's traces to a folder.

    Args:
      dir_name: the folder, ./data by default.
      worker_name, analyse_flag, async_mode: without effect.
    """
    del worker_name, analyse_flag, async_mode
    return lambda profiled: profiled.write(dir_name or _FOLDER)


class mstx:  # pylint: disable=invalid-name
    """Marks in a trace; nothing is kept while none is made."""

    enable = False
    _numbers, _begun = itertools.count(1), {}

    @staticmethod
    def mark(message, stream=None, domain="default"):
        """A moment."""
        if _trace.active():
            _trace.events.append((message, "mark", time.perf_counter_ns(), 1, threading.get_ident(), {"domain": domain}))

    @classmethod
    def range_start(cls, message, stream=None, domain="default"):
        """Begins a span; returns its number, 0 while no trace is made."""
        if not _trace.active():
            return 0
        number = next(cls._numbers)
        cls._begun[number] = message, domain, time.perf_counter_ns()
        return number

    @classmethod
    def range_end(cls, range_id, domain="default"):
        """Ends the span of a number."""
        if range_id in cls._begun:
            message, domain, began = cls._begun.pop(range_id)
            _trace.events.append((message, "mark", began, time.perf_counter_ns() - began, threading.get_ident(), {"domain": domain}))
