"""Profiling: what a run spends its time on, as a trace for Chrome's viewer."""

from plumb.common._offers import not_offered
from plumb.profiler.profiler import Profiler
from plumb.profiler.schedule import schedule
from plumb.profiler.settings import (AicoreMetrics, ExportType, HostSystem, ProfilerActivity, ProfilerLevel,
                                     _ExperimentalConfig)
from plumb.profiler.windows import mstx, profile, tensorboard_trace_handler

tensor_board_trace_handler = tensorboard_trace_handler  # as 2.5 spells it

__getattr__ = not_offered(__name__, instead={
    "DynamicProfilerMonitor": "profile takes a schedule, which says which steps it notes",
    "EnvProfiler": "call Profiler or profile in the program"})
