"""`mindspore.parallel.nn` of 2.6 and later: cells that take their batch in parts, on one device one behind the other."""

from plumb.common._offers import WHOLE_GRADIENTS, not_offered
from plumb.common._refusals import refused
from plumb.nn.wrap.cell_wrapper import GradAccumulationCell, MicroBatchInterleaved, PipelineCell


class Pipeline(PipelineCell):
    """The sum of what a network gives for each of `micro_size` equal parts of its batch; one device has all stages.

    Args:
      network: a cell of Tensors whose axis 0 is the batch; usually it returns a loss.
      micro_size: the number of parts.
      stage_config: numbers of stages by names of cells: all 0.
    """

    def __init__(self, network, micro_size, stage_config=None):
        super().__init__(network, micro_size)
        if any(stage != 0 for stage in (stage_config or {}).values()):
            raise refused(ValueError, f"For 'Pipeline', the stages {stage_config} need several devices; plumb trains on one.")


class GradAccumulation(GradAccumulationCell):
    """The sum of what a network gives for each of `micro_size` equal parts of its batch; see `nn.wrap`'s GradAccumulationCell."""


__getattr__ = not_offered(__name__, instead={"PipelineGradReducer": WHOLE_GRADIENTS})
