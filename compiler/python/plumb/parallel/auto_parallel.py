"""`mindspore.parallel.auto_parallel` of 2.5 and later: a network whose parts several devices would have."""

from plumb.common._refusals import refused
from plumb.nn.cell import Cell

_MODES = ("semi_auto", "sharding_propagation", "recursive_programming")
# They say how several devices share the work; one computes the same whatever they say.
_SETTINGS = """comm_fusion dataset_strategy disable_gradient_fp32_sync disable_loss_repeated_mean
    disable_strategy_file_only_for_trainable_params dump_local_norm enable_device_local_norm enable_fp32_communication
    enable_gradients_mean hsdp no_init_parameters_in_compile print_local_norm transformer_opt""".split()
# They read or write files of how parameters are cut.
_FILES = """load_operator_strategy_file load_param_strategy_file save_operator_strategy_file save_param_strategy_file
    set_group_ckpt_save_file""".split()


class AutoParallel(Cell):
    """The network: one device has all of it.

    Args:
      network: a cell; its Parameters keep their names.
      parallel_mode: "semi_auto", "sharding_propagation" or "recursive_programming".
    """

    def __init__(self, network, parallel_mode="semi_auto"):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell):
            raise TypeError(f"For 'AutoParallel', the 'network' must be a Cell, but got {type(network).__name__}.")
        if parallel_mode not in _MODES:
            raise ValueError(f"For 'AutoParallel', the 'parallel_mode' must be one of {', '.join(_MODES)}, but got {parallel_mode!r}.")
        self.network = network

    def construct(self, *inputs, **named):
        """Compiled body."""
        return self.network(*inputs, **named)

    def pipeline(self, stages=1, output_broadcast=False, interleave=False, scheduler="1f1b"):
        """Takes one stage."""
        if stages != 1:
            raise refused(ValueError, f"For 'AutoParallel.pipeline', {stages} stages need several devices; plumb trains on one")

    def get_pipeline_stages(self):
        """1."""
        return 1


def _setting(name):
    def method(self, *args, **kwargs):
        """Takes a setting of several devices: one computes the same."""

    method.__name__ = name
    return method


def _file(name):
    def method(self, file_path):
        """Refused."""
        raise refused(NotImplementedError, f"'AutoParallel.{name}' is not offered by plumb: one device has every parameter whole; leave it out")

    method.__name__ = name
    return method


for _name in _SETTINGS:
    setattr(AutoParallel, _name, _setting(_name))
for _name in _FILES:
    setattr(AutoParallel, _name, _file(_name))
