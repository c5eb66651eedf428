"""`mindspore.parallel`: ways to spread a network over devices, of which there is one here."""

from plumb._sharing import Layout, shard
from plumb.common._offers import IN_PARTS, not_offered

_DEFAULTS = {"fully_use_devices": False, "elementwise_op_strategy_follow": False, "enable_algo_approxi": False,
             "algo_approxi_epsilon": 0.1, "tensor_slice_align_enable": False, "tensor_slice_align_size": 16}
_settings = dict(_DEFAULTS)


def set_algo_parameters(**kwargs):
    """Sets values by keyword, which `get_algo_parameters` returns; on one device nothing is searched."""
    for name in kwargs:
        _check("set_algo_parameters", name)
    _settings.update(kwargs)


def get_algo_parameters(attr_key):
    """Returns a value."""
    _check("get_algo_parameters", attr_key)
    return _settings[attr_key]


def reset_algo_parameters():
    """Sets all values back."""
    _settings.update(_DEFAULTS)


def _check(who, name):
    if name not in _DEFAULTS:
        raise ValueError(f"For '{who}', there is no '{name}'; there are {', '.join(_DEFAULTS)}.")


__getattr__ = not_offered(__name__, "function", "nn", instead=IN_PARTS)
