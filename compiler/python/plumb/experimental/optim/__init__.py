"""Optimizers with groups of parameters whose learning rates schedulers set: `mindspore.experimental.optim` of 2.1 and later."""

from plumb.common._offers import not_offered
from plumb.experimental.optim import lr_scheduler
from plumb.experimental.optim.adam import Adam, AdamW
from plumb.experimental.optim.adaptive import Adadelta, Adagrad, RMSprop, Rprop
from plumb.experimental.optim.moments import ASGD, Adamax, NAdam, RAdam
from plumb.experimental.optim.optimizer import Optimizer
from plumb.experimental.optim.sgd import SGD

__getattr__ = not_offered(__name__)
