"""Optimizers."""

from plumb.common._offers import SECOND_ORDER, not_offered, offered
from plumb.nn.optim.adafactor import AdaFactor
from plumb.nn.optim.adam import AdaMax, Adam, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
from plumb.nn.optim.adaptive import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
from plumb.nn.optim.averaged import ASGD, LARS, Rprop
from plumb.nn.optim.momentum import SGD, Momentum
from plumb.nn.optim.optimizer import Optimizer

__getattr__ = not_offered(__name__, instead={"thor": SECOND_ORDER})

__all__ = offered(globals())
