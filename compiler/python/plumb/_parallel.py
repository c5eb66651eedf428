"""`set_auto_parallel_context`: settings of training on several devices, of which there is one here.

What one device does with a setting anyway is accepted; what would take more devices is refused by name.
"""


class ParallelMode:
    """Names of the ways to spread training."""

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]


_DEFAULTS = {"parallel_mode": "stand_alone", "device_num": 1, "global_rank": 0, "gradients_mean": False,
             "gradient_fp32_sync": True, "parameter_broadcast": False, "all_reduce_fusion_config": [],
             "enable_parallel_optimizer": False, "strategy_ckpt_load_file": "", "strategy_ckpt_save_file": "",
             "full_batch": False}
# What one device may be told: one of these, or anything where there is None (sums over one device are the same in all ways).
_FITS = {"parallel_mode": ("stand_alone", "data_parallel"), "device_num": (1,), "global_rank": (0,), "gradients_mean": None,
         "gradient_fp32_sync": None, "parameter_broadcast": None, "all_reduce_fusion_config": None,
         "enable_parallel_optimizer": (False,), "strategy_ckpt_load_file": ("",), "strategy_ckpt_save_file": ("",),
         "full_batch": (False,)}
_settings = dict(_DEFAULTS)


def set_auto_parallel_context(**kwargs):
    """Sets values by keyword; see the module's head."""
    for name, value in kwargs.items():
        if name not in _FITS:
            raise ValueError(f"For 'set_auto_parallel_context', '{name}' is not offered by plumb, which trains on one device; "
                             f"there are {', '.join(_FITS)}.")
        if _FITS[name] is not None and value not in _FITS[name]:
            raise ValueError(f"For 'set_auto_parallel_context', {name}={value!r} needs several devices; plumb trains on one "
                             f"({name} may be {' or '.join(map(repr, _FITS[name]))}).")
    _settings.update(kwargs)


def get_auto_parallel_context(attr_key):
    """Returns a value."""
    if attr_key not in _settings:
        raise ValueError(f"For 'get_auto_parallel_context', there is no '{attr_key}'; there are {', '.join(_settings)}.")
    return _settings[attr_key]


def reset_auto_parallel_context():
    """Sets all values back."""
    _settings.update(_DEFAULTS)
