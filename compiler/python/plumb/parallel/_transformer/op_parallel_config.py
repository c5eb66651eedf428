"""Settings of several devices under the name of the module that defines them in MindSpore 2.0."""

from plumb.common._offers import only_defaults
from plumb.nn.transformer import EmbeddingOpParallelConfig, OpParallelConfig, TransformerOpParallelConfig

default_dpmp_config = OpParallelConfig()


class MoEParallelConfig(OpParallelConfig):
    """OpParallelConfig of a mixture of experts."""

    def __init__(self, data_parallel=1, model_parallel=1, expert_parallel=1):
        super().__init__(data_parallel, model_parallel)
        only_defaults("MoEParallelConfig", expert_parallel=(expert_parallel, 1))
        self.expert_parallel = expert_parallel


def _check_config(config):
    """TypeError unless settings are of a class that there is: their values were checked when they were made."""
    if not isinstance(config, (OpParallelConfig, EmbeddingOpParallelConfig, TransformerOpParallelConfig)):
        raise TypeError(f"The 'parallel_config' must be an OpParallelConfig or another of these settings, but got {type(config).__name__}.")
