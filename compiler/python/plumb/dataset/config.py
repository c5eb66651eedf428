"""`mindspore.dataset.config`: settings of the data pipeline.

Most of MindSpore's are about how its threads and processes share their work; here they are checked and remembered, and change
nothing: rows, their order and their random numbers never depend on that.
"""

import enum
import json

from plumb.common import seed as _seed
from plumb.common._offers import not_offered
from plumb.common._refusals import refused
from plumb.dataset.debug import DebugHook

_MAX_INT32 = 2 ** 31 - 1
_MAX_QUEUE = 128
_settings = {"num_parallel_workers": 1, "prefetch_size": None, "enable_shared_mem": True, "numa_enable": False,
             "auto_num_workers": False, "auto_offload": False, "enable_watchdog": True, "fast_recovery": True,
             "dynamic_shape": False, "monitor_sampling_interval": 1000, "autotune_interval": 0,
             "multiprocessing_timeout_interval": 300, "callback_timeout": 60, "debug_mode": False, "debug_hooks": [], "enable_autotune": False}


class ErrorSamplesMode(enum.IntEnum):
    """What becomes of a row for which an operation of `map` raises: the error is raised, another row takes its place, it is left out."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


def _whole(who, value, least=1, most=_MAX_INT32):
    """An int between two numbers."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{who}', the argument must be an int, but got {type(value).__name__}.")
    if not least <= value <= most:
        raise ValueError(f"For '{who}', the argument must be between {least} and {most}, but got {value}.")
    return value


def _flag(who, value):
    if not isinstance(value, bool):
        raise TypeError(f"For '{who}', the argument must be a bool, but got {type(value).__name__}.")
    return value


def _getter(name):
    """The function that tells a setting."""
    def get():
        """Returns what was set."""
        return _settings[name]

    get.__name__ = get.__qualname__ = f"get_{name}"
    return get


def set_seed(seed):
    """Sets the seed of shuffles."""
    _seed.set_pipeline_seed(_whole("set_seed", seed, 0, 2 ** 32 - 1))


def get_seed():
    """Returns the seed of shuffles."""
    return _seed.effective_pipeline_seed()


def set_num_parallel_workers(num):
    """Sets the default number of workers."""
    _settings["num_parallel_workers"] = _whole("set_num_parallel_workers", num)


def get_num_parallel_workers():
    """Returns the default number of workers."""
    return _settings["num_parallel_workers"]


def set_prefetch_size(size):
    """Sets how many batches wait in the queue; it holds 128 at most."""
    _settings["prefetch_size"] = _whole("set_prefetch_size", size)


def get_prefetch_size():
    """Returns how many batches wait in the queue; fewer large ones do where nothing was set."""
    return _settings["prefetch_size"] or 16


def set_callback_timeout(timeout):
    """Sets how many seconds rows wait for a step of training that a WaitedDSCallback waits for."""
    _settings["callback_timeout"] = _whole("set_callback_timeout", timeout)


def set_debug_mode(debug_mode_flag, debug_hook_list=None):
    """Whether rows pass the operations of the `map`s that follow one after another, in this process: results are the same either way.

    Args:
      debug_hook_list: DebugHooks, copies of which are called with each row before the first operation of a `map` and behind each.
    """
    _flag("set_debug_mode", debug_mode_flag)
    if not isinstance(debug_hook_list or [], list):
        raise TypeError(f"For 'set_debug_mode', debug_hook_list must be a list, but got {type(debug_hook_list).__name__}.")
    for hook in debug_hook_list or ():
        if not isinstance(hook, DebugHook):
            raise TypeError(f"For 'set_debug_mode', debug_hook_list must hold DebugHooks, but got {type(hook).__name__}.")
    _settings["debug_mode"], _settings["debug_hooks"] = debug_mode_flag, list(debug_hook_list or ()) if debug_mode_flag else []


def debug_hooks():
    """The hooks that rows pass in debug mode, as a list."""
    return _settings["debug_hooks"]


def set_multiprocessing_start_method(start_method):
    """How processes that run Python operations begin: "fork" is offered alone, others are a ValueError."""
    if not isinstance(start_method, str):
        raise TypeError(f"For 'set_multiprocessing_start_method', the argument must be a string, but got {type(start_method).__name__}.")
    if start_method != "fork":
        raise refused(ValueError, f"For 'set_multiprocessing_start_method', {start_method!r} is not offered; processes begin by 'fork'.")


def get_multiprocessing_start_method():
    """Returns "fork"."""
    return "fork"


def set_error_samples_mode(error_samples_mode):
    """What becomes of rows that operations of `map` raise for; only RETURN, which raises the error, is offered."""
    if not isinstance(error_samples_mode, ErrorSamplesMode):
        raise TypeError(f"For 'set_error_samples_mode', the argument must be an ErrorSamplesMode, but got "
                        f"{type(error_samples_mode).__name__}.")
    if error_samples_mode is not ErrorSamplesMode.RETURN:
        raise refused(ValueError, f"For 'set_error_samples_mode', {error_samples_mode.name} is not offered: let the function of `map` catch "
                                  f"its errors and mark such rows, for `filter` to leave them out.")


def get_error_samples_mode():
    """Returns ErrorSamplesMode.RETURN."""
    return ErrorSamplesMode.RETURN


def set_enable_autotune(enable, filepath_prefix=None):
    """Whether MindSpore looks for the best numbers of workers: here all cores work. No file is written."""
    if filepath_prefix is not None and not isinstance(filepath_prefix, str):
        raise TypeError(f"For 'set_enable_autotune', filepath_prefix must be a str, but got {type(filepath_prefix).__name__}.")
    _settings["enable_autotune"] = _flag("set_enable_autotune", enable)


def set_enable_shared_mem(enable):
    """Whether workers hand arrays over in shared memory: they do what is fastest, whatever is set."""
    _settings["enable_shared_mem"] = _flag("set_enable_shared_mem", enable)


def set_numa_enable(numa_enable):
    """Whether workers stay near one processor's memory: the operating system decides, whatever is set."""
    _settings["numa_enable"] = _flag("set_numa_enable", numa_enable)


def set_auto_num_workers(enable):
    """Whether the numbers of workers are chosen by themselves: all cores work, whatever is set."""
    _settings["auto_num_workers"] = _flag("set_auto_num_workers", enable)


def set_auto_offload(offload):
    """Whether operations move to the device: where they run is chosen anyway."""
    _settings["auto_offload"] = _flag("set_auto_offload", offload)


def set_enable_watchdog(enable):
    """Whether a thread looks after worker processes: their end is always noticed."""
    _settings["enable_watchdog"] = _flag("set_enable_watchdog", enable)


def set_fast_recovery(fast_recovery):
    """Whether a pipeline that goes on after a fault finds its place at once: it always does."""
    _settings["fast_recovery"] = _flag("set_fast_recovery", fast_recovery)


def set_dynamic_shape(is_dynamic):
    """Whether batches may differ in shape: they always may."""
    _settings["dynamic_shape"] = _flag("set_dynamic_shape", is_dynamic)


def set_monitor_sampling_interval(interval):
    """How many milliseconds lie between two looks at the queues: nothing is sampled."""
    _settings["monitor_sampling_interval"] = _whole("set_monitor_sampling_interval", interval)


def set_autotune_interval(interval):
    """How many steps lie between two adjustments: nothing is adjusted."""
    _settings["autotune_interval"] = _whole("set_autotune_interval", interval, 0)


def set_multiprocessing_timeout_interval(interval):
    """After how many seconds without rows from processes a warning is printed: none is."""
    _settings["multiprocessing_timeout_interval"] = _whole("set_multiprocessing_timeout_interval", interval)


def set_sending_batches(batch_num):
    """How many batches are sent to a device ahead of it: `set_prefetch_size` says so here."""
    _whole("set_sending_batches", batch_num, -_MAX_INT32)


get_callback_timeout = _getter("callback_timeout")
get_debug_mode = _getter("debug_mode")
get_enable_autotune = _getter("enable_autotune")
get_enable_shared_mem = _getter("enable_shared_mem")
get_numa_enable = _getter("numa_enable")
get_auto_num_workers = _getter("auto_num_workers")
get_auto_offload = _getter("auto_offload")
get_enable_watchdog = _getter("enable_watchdog")
get_fast_recovery = _getter("fast_recovery")
get_dynamic_shape = _getter("dynamic_shape")
get_monitor_sampling_interval = _getter("monitor_sampling_interval")
get_autotune_interval = _getter("autotune_interval")
get_multiprocessing_timeout_interval = _getter("multiprocessing_timeout_interval")

# The settings that a file may have, by its names for them.
_IN_FILES = {
    "numParallelWorkers": set_num_parallel_workers, "opConnectorSize": set_prefetch_size, "seed": set_seed,
    "monitorSamplingInterval": set_monitor_sampling_interval, "callbackTimeout": set_callback_timeout, "fast_recovery": set_fast_recovery,
    "debug_mode_flag": set_debug_mode, "error_samples_mode": lambda mode: set_error_samples_mode(ErrorSamplesMode(mode)),
}


def load(file):
    """Takes the settings of a JSON file; those that this package does not know are about MindSpore's own threads."""
    try:
        with open(file, encoding="utf-8") as opened:
            found = json.load(opened)
    except (OSError, ValueError) as problem:
        raise RuntimeError(f"For 'config.load', the file '{file}' cannot be read: {problem}") from None
    for name, setter in _IN_FILES.items():
        if name in found:
            setter(found[name])


def _chosen_prefetch_size():
    """Returns the number that was set, as far as a queue holds it, or None."""
    return min(_settings["prefetch_size"] or 0, _MAX_QUEUE) or None


__getattr__ = not_offered(__name__, instead=dict.fromkeys(
    ("get_video_backend", "set_video_backend"), "videos are not offered; frames are rows of GeneratorDataset"))
