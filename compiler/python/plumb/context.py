"""`set_context`: settings of a process.

Keys that change what Plumb does: `mode` (both modes compile; but Python runs a cell that the program calls and that cannot be
compiled since its results' sizes depend on values, operation by operation; in PYNATIVE_MODE, the default, also a cell or a function to
differentiate whose own text asks for values, changes what Python holds, prints, or draws random numbers by Python, in GRAPH_MODE with a
warning;
and in PYNATIVE_MODE Parameters of several networks may have one name), `device_target`
(what is not on the machine warns once and becomes the CPU), `save_graphs`, `save_graphs_path`, `print_file_path` (a file for
what compiled code prints, which `parse_print` reads; MindSpore writes one on Ascend only), `deterministic` (always on),
`runtime_num_threads` (threads that run a step; 0: the environment's PLUMB_THREADS, else one per core; results do not depend on
it), `max_call_depth` (how deep compiled functions may call each other), `enable_compile_cache` and `compile_cache_path` (whether
and where compiled programs are kept for later processes; on by default, see `plumb._cache`). `jit_level`, alone or in `jit_config`, may
be any: the compiler optimises all of them alike; `pynative_synchronize` may be either: operations outside of compiled functions have
ended when they return. Keys that only say how another device or another compiler works (`enable_graph_kernel`,
`mempool_block_size`, `ascend_config` …) are kept for `get_context` and change nothing, of which a warning tells once where the program
could expect other numbers or less memory. Any other key is refused by name.
"""

import contextlib
import sys

from plumb._parallel import (ParallelMode, get_auto_parallel_context, reset_auto_parallel_context,
                             set_auto_parallel_context)

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT = 0
COMPATIBLE = 1
LAX = 2

_context = {
    "mode": PYNATIVE_MODE, "device_target": "CPU", "device_id": 0, "save_graphs": 0, "save_graphs_path": ".", "print_file_path": "",
    "deterministic": "ON", "max_call_depth": 1000, "op_timeout": 600,
    "enable_graph_kernel": False, "graph_kernel_flags": "", "reserve_class_name_in_scope": True, "memory_optimize_level": "O0",
    "enable_auto_mixed_precision": False, "enable_reduce_precision": True, "variable_memory_max_size": "", "max_device_memory": "1024GB",
    "mempool_block_size": "1GB", "ascend_config": {}, "gpu_config": {}, "auto_tune_mode": "NO_TUNE", "enable_sparse": False,
    "check_bprop": False, "inter_op_parallel_num": 0, "memory_offload": "OFF", "jit_syntax_level": LAX,
    "jit_level": "", "jit_config": {}, "pynative_synchronize": False, "runtime_num_threads": 0, "enable_compile_cache": True, "compile_cache_path": "",
    "enable_profiling": False, "profiling_options": "", "enable_dump": False, "save_dump_path": ".", "disable_format_transform": False,
    "support_binary": False, "enable_parallel_split": False,
}
_warned = set()
_MAX_CALL_DEPTH = 2 ** 32 - 1  # more than the compiler's largest stack holds, which stops at 3000 calls


def set_context(**kwargs):
    """Sets context values by keyword; see the module's head."""
    for key, value in kwargs.items():
        setter = _SETTERS.get(key)
        if setter is None:
            raise ValueError(f"For 'context.set_context', the keyword argument {key} is not offered by plumb; there "
                             f"are {', '.join(_SETTERS)}.")
        _context[key] = setter(value)


def get_context(attr_key):
    """Returns a context value."""
    if attr_key not in _context:
        raise ValueError(f"For 'context.get_context', the argument {attr_key} is not offered by plumb; there are "
                         f"{', '.join(_context)}.")
    return _context[attr_key]


def set_recursion_limit(recursion_limit=1000):
    """Sets how deep compiled functions may call each other, as `set_context(max_call_depth=…)`."""
    set_context(max_call_depth=recursion_limit)


_offload = {"enable_offload": False, "offload_param": "", "offload_path": "./offload", "offload_checkpoint": "", "offload_ddr_size": 0,
            "offload_disk_size": 0, "enable_aio": True, "aio_block_size": 0, "aio_queue_depth": 0, "enable_pinned_mem": False}


def set_offload_context(offload_config):
    """Notes where tensors would go that have no room on another device: a CPU's memory holds them all."""
    unknown = sorted(set(offload_config) - set(_offload))
    if unknown:
        raise ValueError(f"For 'set_offload_context', there is no {unknown}; there are {', '.join(_offload)}.")
    _offload.update(offload_config)


def get_offload_context():
    """Returns what `set_offload_context` has noted, and defaults."""
    return dict(_offload)


def set_ps_context(**kwargs):
    """Takes settings of parameter servers, which take more than one process: only `enable_ps=False`."""
    for key, value in kwargs.items():
        if (key, value) != ("enable_ps", False):
            raise ValueError(f"For 'set_ps_context', {key}={value!r} is about several processes; plumb trains in one.")


def get_ps_context(attr_key):
    """Returns False for "enable_ps"."""
    if attr_key != "enable_ps":
        raise ValueError(f"For 'get_ps_context', there is no '{attr_key}': plumb trains in one process, without parameter servers.")
    return False


def reset_ps_context():
    """Leaves everything as it is: no parameter servers."""


def warn_once(message):
    """Prints a warning the first time it is called with `message`."""
    if message not in _warned:
        _warned.add(message)
        print(f"WARNING: {message}", file=sys.stderr)


def _mode(value):
    if value not in (GRAPH_MODE, PYNATIVE_MODE):
        raise ValueError(f"For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
                         f"context.PYNATIVE_MODE (1), but got {value}.")
    return value


def _device_target(value):
    if value not in ("CPU", "GPU", "Ascend"):
        raise ValueError(f"For 'context.set_context', the argument 'device_target' must be one of ['CPU', 'GPU', "
                         f"'Ascend'], but got {value}.")
    if value != "CPU":
        warn_once(f"device_target '{value}' is not on this machine; using the CPU.")
    return "CPU"


def _save_graphs(value):
    level = {False: 0, True: 2}.get(value, value) if isinstance(value, bool) else value
    if level not in (0, 1, 2, 3):
        raise ValueError(f"For 'context.set_context', the argument 'save_graphs' must be a bool or 0 to 3, "
                         f"but got {value}.")
    return level


def _max_call_depth(value):
    if not isinstance(value, int) or not 0 < value <= _MAX_CALL_DEPTH:
        raise ValueError(f"For 'context.set_context', the argument 'max_call_depth' must be between 1 and {_MAX_CALL_DEPTH}, but "
                         f"got {value}.")
    return value


def _deterministic(value):
    if value not in ("ON", "OFF"):
        raise ValueError(f"For 'context.set_context', the argument 'deterministic' must be 'ON' or 'OFF', but got "
                         f"{value}.")
    return "ON"


def _timeout(value):
    if not isinstance(value, (int, float)) or value < 0:
        raise ValueError(f"For 'context.set_context', the argument 'op_timeout' must be at least 0, but got {value}.")
    return value


def _runtime_num_threads(value):
    if not isinstance(value, int) or not 0 <= value <= 256:
        raise ValueError(f"For 'context.set_context', the argument 'runtime_num_threads' must be between 0 and 256, but "
                         f"got {value}.")
    return value


def _enable_compile_cache(value):
    if not isinstance(value, bool):
        raise TypeError(f"For 'context.set_context', the argument 'enable_compile_cache' must be True or False, but got {value!r}.")
    return value


def _print_file_path(value):
    """Has what programs print written into a file from now on; "" has it shown again."""
    if not isinstance(value, str):
        raise TypeError(f"For 'context.set_context', the argument 'print_file_path' must be a string, but got {value!r}.")
    from plumb.common._print_file import PrintFile
    _print_to(PrintFile(value) if value else None)
    return value


def _print_to(function):
    """Has a function take what compiled code prints, as a list of texts and arrays; with None it is shown."""
    from plumb import _runtime
    global _takes_prints
    _takes_prints = function
    _runtime.set_print_function(function)


_takes_prints = None


@contextlib.contextmanager
def _silent_prints():
    """Surrounds what compiled code computes a second time."""
    before = _takes_prints
    _print_to(lambda parts: None)
    try:
        yield
    finally:
        _print_to(before)


def _device_id(value):
    if value != 0:
        warn_once(f"device_id {value} is not on this machine; using 0.")
    return 0


def _jit_level(value):
    if value not in ("", "O0", "O1", "O2"):
        raise ValueError(f"For 'context.set_context', the argument 'jit_level' must be one of ['O0', 'O1', 'O2'], but got {value!r}.")
    return value


def _jit_config(value):
    unknown = sorted(set(value) - {"jit_level"}) if isinstance(value, dict) else [repr(value)]
    if unknown:
        raise ValueError(f"For 'context.set_context', the argument 'jit_config' may hold 'jit_level', but got {', '.join(unknown)}.")
    return {name: _jit_level(level) for name, level in value.items()}


def _kept(*kinds):
    """A setter of a key that changes nothing here."""

    def kept(value):
        if not isinstance(value, kinds):
            raise TypeError(f"For 'context.set_context', a value must be {' or '.join(kind.__name__ for kind in kinds)}, but got {value!r}.")
        return value

    return kept


def _without_effect(key, default, *kinds, advice="is about other devices; ignored"):
    """A setter of a key whose effect a program could wait for: values other than the default are told about."""
    kept = _kept(*kinds)

    def warned(value):
        if value != default:
            warn_once(f"For 'context.set_context', {key}={value!r} {advice}.")
        return kept(value)

    return warned


def _jit_syntax_level(value):
    if value not in (STRICT, COMPATIBLE, LAX):
        raise ValueError(f"For 'context.set_context', the argument 'jit_syntax_level' must be context.STRICT, context.COMPATIBLE or "
                         f"context.LAX, which compile alike, but got {value!r}.")
    return value


def _pynative_synchronize(value):
    if not isinstance(value, bool):
        raise TypeError(f"For 'context.set_context', the argument 'pynative_synchronize' must be True or False, but got {value!r}.")
    return value


_SETTERS = {
    "mode": _mode, "device_target": _device_target, "device_id": _device_id, "save_graphs": _save_graphs,
    "save_graphs_path": str, "print_file_path": _print_file_path, "deterministic": _deterministic, "max_call_depth": _max_call_depth,
    "op_timeout": _timeout, "runtime_num_threads": _runtime_num_threads, "enable_compile_cache": _enable_compile_cache,
    "compile_cache_path": str, "jit_level": _jit_level, "jit_config": _jit_config, "pynative_synchronize": _pynative_synchronize,
    "enable_graph_kernel": _kept(bool), "graph_kernel_flags": _kept(str), "reserve_class_name_in_scope": _kept(bool),
    "memory_optimize_level": _kept(str), "auto_tune_mode": _kept(str), "check_bprop": _kept(bool), "inter_op_parallel_num": _kept(int),
    "ascend_config": _kept(dict), "gpu_config": _kept(dict), "mempool_block_size": _kept(str), "enable_sparse": _kept(bool),
    "jit_syntax_level": _jit_syntax_level,
    "enable_auto_mixed_precision": _without_effect("enable_auto_mixed_precision", False, bool),
    "enable_reduce_precision": _without_effect("enable_reduce_precision", True, bool),
    "variable_memory_max_size": _without_effect("variable_memory_max_size", "", str),
    "max_device_memory": _without_effect("max_device_memory", "1024GB", str),
    "memory_offload": _without_effect("memory_offload", "OFF", str),
    "enable_profiling": _without_effect("enable_profiling", False, bool, advice="has no effect: plumb.Profiler notes how long what takes"),
    "profiling_options": _without_effect("profiling_options", "", str, advice="has no effect: plumb.Profiler takes its options itself"),
    "enable_dump": _without_effect("enable_dump", False, bool, advice="has no effect: print() in compiled code, or a hook, shows values"),
    "save_dump_path": _kept(str), "disable_format_transform": _kept(bool), "support_binary": _kept(bool), "enable_parallel_split": _kept(bool),
}
