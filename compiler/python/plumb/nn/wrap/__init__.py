"""Wrappers."""

from plumb.common._offers import offered
from plumb.nn.wrap.cell_wrapper import (ForwardValueAndGrad, GradAccumulationCell, Jvp, MicroBatchInterleaved, ParameterUpdate, PipelineCell,
                                        TrainOneStepCell, VirtualDatasetCellTriple, Vjp, WithEvalCell, WithGradCell, WithLossCell)
from plumb.nn.wrap.grad_reducer import DistributedGradReducer
from plumb.nn.wrap.loss_scale import (DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell,
                                      TrainOneStepWithLossScaleCell)

__all__ = offered(globals())
