"""`set_auto_parallel_context`: settings of training on several devices, of which there is one here.

What one device does with a setting anyway is accepted (it computes the same in every mode); what would take more devices is refused
by name.
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
             "full_batch": False, "auto_parallel_search_mode": "recursive_programming", "search_mode": "recursive_programming",
             "loss_repeated_mean": True, "mirror_mean": False, "enable_alltoall": False, "parallel_optimizer_config": {},
             "communi_parallel_mode": "all_group_parallel", "comm_fusion": {}, "optimizer_weight_shard_size": -1,
             "pipeline_stages": 1, "grad_accumulation_step": 1, "dataset_strategy": "data_parallel", "auto_pipeline": False}
# What one device may be told: one of these, or anything where there is None (sums over one device are the same in all ways).
_FITS = {"parallel_mode": ParallelMode.MODE_LIST, "device_num": (1,), "global_rank": (0,), "gradients_mean": None,
         "gradient_fp32_sync": None, "parameter_broadcast": None, "all_reduce_fusion_config": None,
         "enable_parallel_optimizer": None, "strategy_ckpt_load_file": ("",), "strategy_ckpt_save_file": ("",),
         "full_batch": None, "auto_parallel_search_mode": None, "search_mode": None, "loss_repeated_mean": None, "mirror_mean": None,
         "enable_alltoall": None, "parallel_optimizer_config": None, "communi_parallel_mode": None, "comm_fusion": None,
         "optimizer_weight_shard_size": None, "pipeline_stages": (1,), "grad_accumulation_step": (1,),
         "dataset_strategy": ("data_parallel", "full_batch"), "auto_pipeline": None}
_settings = dict(_DEFAULTS)
_given = set()


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
    _given.update(kwargs)


def is_given(name):
    """Whether the program has set a value."""
    return name in _given


def get_auto_parallel_context(attr_key):
    """Returns a value."""
    if attr_key not in _settings:
        raise ValueError(f"For 'get_auto_parallel_context', there is no '{attr_key}'; there are {', '.join(_settings)}.")
    return _settings[attr_key]


def reset_auto_parallel_context():
    """Sets all values back."""
    _settings.update(_DEFAULTS)
    _given.clear()
