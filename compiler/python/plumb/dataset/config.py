"""`mindspore.dataset.config`: settings of the data pipeline."""

from plumb.common import seed as _seed
from plumb.common._offers import not_offered

_settings = {"num_parallel_workers": 1, "prefetch_size": None, "enable_shared_mem": True, "numa_enable": False}


def set_seed(seed):
    """Sets the seed of shuffles."""
    _seed.set_pipeline_seed(seed)


def get_seed():
    """Returns the seed of shuffles."""
    return _seed.effective_pipeline_seed()


def set_num_parallel_workers(num):
    """Sets the default number of workers."""
    if not isinstance(num, int) or num < 1:
        raise ValueError(f"num must be a positive int, but got {num}.")
    _settings["num_parallel_workers"] = num


def get_num_parallel_workers():
    """Returns the default number of workers."""
    return _settings["num_parallel_workers"]


def set_prefetch_size(size):
    """Sets how many batches wait in the queue."""
    if not isinstance(size, int) or not 1 <= size <= 128:
        raise ValueError(f"size must be an int between 1 and 128, but got {size}.")
    _settings["prefetch_size"] = size


def get_prefetch_size():
    """Returns how many batches wait in the queue; fewer large ones do where nothing was set."""
    return _settings["prefetch_size"] or 16


def set_enable_shared_mem(enable):
    """Whether workers hand arrays over in shared memory: they do what is fastest, whatever is set."""
    _settings["enable_shared_mem"] = _flag("set_enable_shared_mem", enable)


def get_enable_shared_mem():
    """Returns what was set."""
    return _settings["enable_shared_mem"]


def set_numa_enable(numa_enable):
    """Whether workers stay near one processor's memory: the operating system decides, whatever is set."""
    _settings["numa_enable"] = _flag("set_numa_enable", numa_enable)


def get_numa_enable():
    """Returns what was set."""
    return _settings["numa_enable"]


def _flag(who, value):
    if not isinstance(value, bool):
        raise TypeError(f"For '{who}', the argument must be a bool, but got {type(value).__name__}.")
    return value


def _chosen_prefetch_size():
    """Returns the number that was set, or None."""
    return _settings["prefetch_size"]


__getattr__ = not_offered(__name__)
