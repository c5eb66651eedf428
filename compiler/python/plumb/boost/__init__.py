"""`boost`: of it, the accumulation of gradients over several batches."""

from plumb.boost import grad_accumulation
from plumb.boost.grad_accumulation import GradientAccumulation
from plumb.common._offers import not_offered

_SKIPS = "it leaves out layers or updates for speed, which changes results: use the network, Model and optimizer themselves"
_DEVICES = "it puts the updates of several devices together, and a program runs on one: use the optimizer itself"

__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys("""AutoBoost BoostTrainOneStepCell BoostTrainOneStepWithLossScaleCell FreezeOpt GradientFreeze GroupLossScaleManager LessBN
        OptimizerProcess ParameterProcess freeze_cell""".split(), _SKIPS), **dict.fromkeys(("AdaSum", "DimReduce"), _DEVICES)})
