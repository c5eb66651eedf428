"""`mindspore.runtime` of 2.5 and later: streams, events and memory of the device.

A CPU runs one operation after the other, and each has ended when its call returns: there is one stream, and nothing to wait for. Its
memory is the process's own, so that the sizes of a device's pool are 0, as MindSpore gives them for a CPU.
"""

import contextlib
import gc
import time

from plumb.common._offers import not_offered
from plumb.context import set_context

_POOLS = "a CPU's memory is the process's own: leave it out"
_GRAPHS = "a sunk loop is one launch already: Model.train(..., dataset_sink_mode=True)"

__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys(("MemPool", "PluggableAllocator", "use_mem_pool", "memory_replay"), _POOLS),
    **dict.fromkeys(("set_kernel_launch_capture", "set_kernel_launch_group"), _GRAPHS),
    **dict.fromkeys(("StreamLimitCtx", "set_stream_limit", "reset_stream_limit", "get_stream_limit", "set_device_limit",
                     "get_device_limit"), "a CPU has no cube and vector cores: set_context(runtime_num_threads=n) limits its threads"),
})


class Event:
    """A moment between operations; each has ended when its call returns, so that nothing is waited for.

    Args:
      enable_timing: whether the moment is noted, for `elapsed_time`.
      blocking: True or False; `synchronize` returns at once.
    """

    def __init__(self, enable_timing=False, blocking=False):
        for name, value in (("enable_timing", enable_timing), ("blocking", blocking)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'Event', the argument '{name}' must be a bool, but got {type(value).__name__}.")
        self._is_timed, self._time = enable_timing, None

    def record(self, stream=None):
        """Takes this moment."""
        self._time = time.perf_counter()

    def wait(self, stream=None):
        """Returns at once: what was begun before has ended."""

    def synchronize(self):
        """Returns at once: what was begun before has ended."""

    def query(self):
        """True: what was begun before has ended."""
        return True

    def elapsed_time(self, end_event):
        """The milliseconds from this moment to that of another event; raises RuntimeError where either has none, or was not to note it."""
        if not (self._is_timed and end_event._is_timed) or self._time is None or end_event._time is None:
            raise RuntimeError("For 'elapsed_time', both events must be made with enable_timing=True and recorded before.")
        return 1000 * (end_event._time - self._time)


class Stream:
    """The CPU's one stream, in which everything runs in the program's order.

    Args:
      priority: 0, which changes nothing.
    """

    id, device_name = 0, "CPU"

    def __init__(self, priority=0):
        del priority

    def synchronize(self):
        """Returns at once: nothing is left to do."""

    def query(self):
        """True: all that was begun has ended."""
        return True

    def wait_stream(self, stream):
        """Returns at once."""

    def wait_event(self, event):
        """Returns at once."""

    def record_event(self, event=None):
        """Records an event, a new one by default; returns it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return hash(Stream)

    def __repr__(self):
        return "Stream(device_name=CPU, device_id:0, stream id:0)"


def ms_memory_recycle():
    """Frees what Python's objects held that nothing refers to; a CPU has no pool of memory beside the process's own."""
    gc.collect()


class StreamCtx(contextlib.nullcontext):
    """Surrounds operations of a stream.

    Args:
      ctx_stream: a Stream, or None for the one that there is.
    """

    def __init__(self, ctx_stream):
        if ctx_stream is not None and not isinstance(ctx_stream, Stream):
            raise TypeError(f"For 'StreamCtx', the argument 'ctx_stream' must be a Stream, but got {type(ctx_stream).__name__}.")
        super().__init__()


def current_stream():
    """Returns the one stream."""
    return Stream()


default_stream = communication_stream = current_stream


def set_cur_stream(stream):
    """Takes the one stream."""
    StreamCtx(stream)


def synchronize():
    """Returns at once: operations have ended when their calls return."""


def launch_blocking():
    """Returns at once: every call waits for what it has begun."""


def empty_cache():
    """Returns at once: what is unused is the operating system's."""


def memory_allocated():
    """Returns 0, the bytes of a device's pool."""
    return 0


memory_reserved = max_memory_allocated = max_memory_reserved = memory_allocated


def reset_peak_memory_stats():
    """Returns at once: there is no pool."""


reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


def memory_stats():
    """Returns sizes in bytes of a device's pool, all 0, by MindSpore's names."""
    sizes = {f"total_{kind}_memory": 0 for kind in ("reserved", "allocated", "idle", "eager_free")}
    pools = {name: {"block_unit_size": 0, "block_counts": 0, "blocks_info": {}}
             for name in ("common_mem_pool_stats", "persistent_mem_pool_stats")}
    return {**sizes, "max_reserved_memory": 0, "max_allocated_memory": 0, **pools}


def memory_summary():
    """Returns `memory_stats`, a line for each size, as text."""
    rows = [f"| {name.replace('_', ' '):24}| {size:>8} B |" for name, size in memory_stats().items() if isinstance(size, int)]
    return "\n".join(["|-- Memory summary " + "-" * 20 + "|", *rows]) + "\n"


def set_memory(init_size="2GB", increase_size="2GB", max_size="1024GB", optimize_level="O0", huge_page_reserve_size="0GB"):
    """Takes settings of another device's pool: a program's whole memory is planned when it is compiled."""
    for name, size in (("init_size", init_size), ("increase_size", increase_size), ("max_size", max_size)):
        if not isinstance(size, str) or not size.endswith("GB"):
            raise ValueError(f"For 'set_memory', the argument '{name}' must be a str such as '2GB', but got {size!r}.")
    del optimize_level, huge_page_reserve_size


def dispatch_threads_num(threads_num):
    """Has a step run with as many threads, as `set_context(runtime_num_threads=…)`; results do not depend on it."""
    if isinstance(threads_num, bool) or not isinstance(threads_num, int) or threads_num < 1:
        raise ValueError(f"For 'dispatch_threads_num', the argument must be an int of at least 1, but got {threads_num!r}.")
    set_context(runtime_num_threads=threads_num)


def set_cpu_affinity(enable_affinity, affinity_cpu_list=None, module_to_cpu_dict=None, bind_file=None):
    """Leaves threads where the operating system puts them; `taskset` and os.sched_setaffinity bind a process to cores."""
    if not isinstance(enable_affinity, bool):
        raise TypeError(f"For 'set_cpu_affinity', the argument 'enable_affinity' must be a bool, but got {enable_affinity!r}.")
    del affinity_cpu_list, module_to_cpu_dict, bind_file
