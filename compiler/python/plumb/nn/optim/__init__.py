"""Optimizers."""

from plumb.nn.optim.adam import Adam, AdamWeightDecay
from plumb.nn.optim.adaptive import Adagrad, RMSProp
from plumb.nn.optim.momentum import SGD, Momentum
from plumb.nn.optim.optimizer import Optimizer
