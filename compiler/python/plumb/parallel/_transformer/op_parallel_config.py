"""Settings of several devices under the name of the module that defines them in MindSpore 2.0."""

from plumb.nn.transformer import OpParallelConfig

default_dpmp_config = OpParallelConfig()
