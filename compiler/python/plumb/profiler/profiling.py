"""`mindspore.profiler.profiling`."""

from plumb.profiler.profiler import Profiler
