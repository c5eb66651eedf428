"""`boost`: of it, the accumulation of gradients over several batches."""

from plumb.boost import grad_accumulation
from plumb.boost.grad_accumulation import GradientAccumulation
from plumb.common._offers import SUMMED, not_offered

_SKIPS = "it leaves out layers or updates for speed, which changes results: use the network, Model and optimizer themselves"
_GROUPS = "an optimizer takes groups itself: dicts with 'params' and their 'lr', 'weight_decay' and 'grad_centralization'"

__getattr__ = not_offered(__name__, instead={
    **dict.fromkeys("""AutoBoost BoostTrainOneStepCell BoostTrainOneStepWithLossScaleCell FreezeOpt GradientFreeze LessBN
        freeze_cell""".split(), _SKIPS),
    **dict.fromkeys(("OptimizerProcess", "ParameterProcess"), _GROUPS), **dict.fromkeys(("AdaSum", "DimReduce"), SUMMED),
    "GroupLossScaleManager": "one scale for all layers is offered: DynamicLossScaleManager"})
