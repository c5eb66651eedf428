"""Networks: Cell, layers, losses, optimizers, wrappers, metrics."""

import importlib

from plumb.common._offers import SECOND_ORDER, SUMMED, WHOLE_GRADIENTS, not_offered, offered
from plumb.common.tensor_array import TensorArray
from plumb.nn import dynamic_lr, layer, learning_rate_schedule, loss, metrics, optim, wrap
from plumb.nn.cell import Cell
from plumb.nn.dynamic_lr import (cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr,
                                 piecewise_constant_lr, polynomial_decay_lr, warmup_lr)
from plumb.nn.graph_cell import GraphCell
from plumb.nn.layer import *  # pylint: disable=wildcard-import
from plumb.nn.learning_rate_schedule import (CosineDecayLR, ExponentialDecayLR, InverseDecayLR, NaturalExpDecayLR,
                                             PolynomialDecayLR, WarmUpLR)
from plumb.nn.loss import *  # pylint: disable=wildcard-import
from plumb.nn.metrics import (F1, MAE, MSE, ROC, Accuracy, BleuScore, ConfusionMatrix, ConfusionMatrixMetric,
                              CosineSimilarity, Dice, Fbeta, HausdorffDistance, Loss, MeanSurfaceDistance, Metric,
                              OcclusionSensitivity, Perplexity, Precision, Recall, RootMeanSquareDistance,
                              Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy, auc,
                              get_metric_fn, names, rearrange_inputs)
from plumb.nn.sparse import SparseTensorDenseMatmul, SparseToDense
from plumb.nn.optim import *  # pylint: disable=wildcard-import
from plumb.nn.wrap import *  # pylint: disable=wildcard-import
from plumb.nn import probability

_missing = not_offered(__name__, "optim_ex", "transformer", instead={
    "OptTFTWrapper": "it tells other devices of faults; use the optimizer itself",
    "PipelineGradReducer": WHOLE_GRADIENTS,
    "thor": SECOND_ORDER,
    **dict.fromkeys(("AdaSumByDeltaWeightWrapCell", "AdaSumByGradWrapCell"), SUMMED),
    "GetNextSingleOp": "Model.train, plumb.data_sink or a loop over the dataset give its rows",
})


def __getattr__(name):
    if name == "Linear":  # of later versions; it is made of what stands here
        return importlib.import_module("plumb.mint.nn").Linear
    if name.endswith("Ext"):  # what MindSpore calls the layers of `mint` within it
        layers = vars(importlib.import_module("plumb.mint.nn"))
        if name[:-len("Ext")] in offered(layers):
            return layers[name[:-len("Ext")]]
    if name in ("LRScheduler", "LinearLR", "StepLR"):  # of 2.1
        return getattr(importlib.import_module("plumb.experimental.optim.lr_scheduler"), name)
    return _missing(name)
