"""Networks: Cell, layers, losses, optimizers, wrappers, metrics."""

from plumb.common._offers import not_offered
from plumb.nn import layer, loss, metrics, optim, wrap
from plumb.nn.cell import Cell
from plumb.nn.layer import *  # pylint: disable=wildcard-import
from plumb.nn.loss import *  # pylint: disable=wildcard-import
from plumb.nn.metrics import MAE, MSE, Accuracy, Loss, Metric
from plumb.nn.optim import *  # pylint: disable=wildcard-import
from plumb.nn.wrap import *  # pylint: disable=wildcard-import

__getattr__ = not_offered(__name__)
