"""`mindspore.nn.optim_ex` of 2.1: optimizers whose rates the program sets, `plumb.experimental.optim` by its first name."""

from plumb.common._offers import not_offered
from plumb.experimental.optim import SGD, Adam, AdamW, Optimizer
from plumb.experimental.optim.lr_scheduler import LinearLR, LRScheduler, StepLR

__getattr__ = not_offered(__name__)
