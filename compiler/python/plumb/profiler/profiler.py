"""Profiler: spans of time of this process in Chrome's trace format.

Source of the format: Trace Event Format, "complete events" (ph: X), times in microseconds.
"""

import collections
import json
import os

from plumb import _trace
from plumb.common._offers import not_offered, only_defaults

_DEFAULTS = {"profile_communication": False, "profile_memory": False, "parallel_strategy": True, "aicore_metrics": 0,
             "l2_cache": False, "sync_enable": True, "data_process": True, "timeline_limit": 500}


__getattr__ = not_offered(__name__, instead={"analyse": "Profiler.analyse writes the trace, and `profile` when it ends"})


class Profiler:
    """Notes how long compilations, launches of sunk steps and calls of compiled functions take.

    `analyse` writes `timeline.json`, for chrome://tracing or Perfetto, and `summary.json`, by name how often and how long, to
    `output_path`/profiler. A launch is one span however many steps it runs: operations within it are not told apart.

    Args:
      output_path: the folder.
      start_profile: whether it begins at once; otherwise `start` begins.
      op_time: False keeps calls of single functions out of the trace.
    """

    def __init__(self, output_path="./data", start_profile=True, op_time=True, **kwargs):
        unknown = sorted(set(kwargs) - set(_DEFAULTS))
        if unknown:
            raise TypeError(f"For 'Profiler', {', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not known.")
        only_defaults("Profiler", **{name: (value, _DEFAULTS[name]) for name, value in kwargs.items()})
        for name, value in (("start_profile", start_profile), ("op_time", op_time)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'Profiler', the parameter '{name}' must be bool, but got {type(value).__name__}.")
        if _trace.active():
            raise RuntimeError("Do not init twice in the profiler: another Profiler is on.")
        self._folder, self._op_time = os.path.join(os.path.abspath(output_path), "profiler"), op_time
        _trace.events.clear()
        if start_profile:
            _trace.start()

    def start(self):
        """Begins, or goes on."""
        if _trace.active():
            raise RuntimeError("The profiler has already started.")
        _trace.start()

    def stop(self):
        """Pauses."""
        if not _trace.active():
            raise RuntimeError("The profiler has not started, so can not stop.")
        _trace.stop()

    def analyse(self):
        """Ends and writes what was noted."""
        _trace.stop()
        kept = [event for event in _trace.events if self._op_time or event[1] != "call"]
        write_trace(self._folder, kept)
        _trace.events.clear()

    def op_analyse(self, op_name, device_id=None):
        """Times by operation are not offered."""
        raise NotImplementedError("'Profiler.op_analyse' is not offered by plumb: a launch is compiled as one, and its operations are "
                                  "not told apart.")


def write_trace(folder, events, number="", metadata=None):
    """Writes spans as timeline.json and summary.json, with a number in their names; metadata is a dict of texts."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"timeline{number}.json"), "w", encoding="utf-8") as file:
        json.dump({"traceEvents": [_traced(*event) for event in events], "displayTimeUnit": "ms", "otherData": metadata or {}}, file)
    with open(os.path.join(folder, f"summary{number}.json"), "w", encoding="utf-8") as file:
        json.dump(_summed(events), file, indent=1)


def _traced(name, kind, began, took, thread, details):
    """An event of Chrome's format."""
    return {"name": name, "cat": kind, "ph": "X", "ts": began / 1000, "dur": took / 1000, "pid": os.getpid(), "tid": thread,
            "args": details}


def _summed(events):
    """By kind and name: how often, and milliseconds in all."""
    totals = collections.defaultdict(lambda: [0, 0])
    for name, kind, _, took, _, _ in events:
        totals[f"{kind} {name}"][0] += 1
        totals[f"{kind} {name}"][1] += took
    return {name: {"count": count, "milliseconds": took / 1e6} for name, (count, took) in sorted(totals.items())}
