"""`mindspore.hal` of 2.3 and later: what devices there are, and `plumb.runtime` by its first names."""

from plumb import runtime
from plumb.common._offers import not_offered
from plumb.runtime import Event, Stream, StreamCtx, communication_stream, current_stream, default_stream, set_cur_stream, synchronize

__getattr__ = not_offered(__name__, instead={
    "contiguous_tensors_handle": "it lays tensors side by side for exchanges among devices; ops.cat joins them"})
_TARGETS = ("CPU", "GPU", "Ascend")


def _is_here(device_target):
    if device_target not in (None, *_TARGETS):
        raise ValueError(f"The argument 'device_target' must be one of {', '.join(_TARGETS)}, but got {device_target!r}.")
    return device_target in (None, "CPU")


def is_available(device_target):
    """Whether there is such a device: True for the CPU."""
    return _is_here(device_target)


def is_initialized(device_target):
    """Whether programs could run there: True for the CPU."""
    return _is_here(device_target)


def device_count(device_target=None):
    """How many there are: 1 CPU."""
    return int(_is_here(device_target))


def get_device_name(device_id, device_target=None):
    """The name of a device: "CPU"."""
    _is_here(device_target)
    return "CPU"


def get_device_properties(device_id, device_target=None):
    """None: MindSpore has properties of GPUs and Ascends only."""
    _is_here(device_target)


def get_device_capability(device_id, device_target=None):
    """None, as `get_device_properties`."""
    _is_here(device_target)


def get_arch_list(device_target=None):
    """None: a GPU has one."""
    _is_here(device_target)


def _of_target(function):
    def called(device_target=None):
        _is_here(device_target)
        return function()

    called.__name__, called.__doc__ = function.__name__, function.__doc__
    return called


for _name in """empty_cache max_memory_allocated max_memory_reserved memory_allocated memory_reserved memory_stats memory_summary
        reset_max_memory_allocated reset_max_memory_reserved reset_peak_memory_stats""".split():
    globals()[_name] = _of_target(getattr(runtime, _name))
