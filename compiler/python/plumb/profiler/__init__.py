"""Profiling: what a run spends its time on, as a trace for Chrome's viewer."""

from plumb.common._offers import not_offered
from plumb.profiler.profiler import Profiler

__getattr__ = not_offered(__name__)
