"""Wrappers."""

from plumb.nn.wrap.cell_wrapper import (ForwardValueAndGrad, ParameterUpdate, TrainOneStepCell, WithEvalCell, WithGradCell,
                                        WithLossCell)
from plumb.nn.wrap.loss_scale import (DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell,
                                      TrainOneStepWithLossScaleCell)
