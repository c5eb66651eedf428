"""Layers."""

from plumb.nn.layer.activation import (ELU, GELU, HSigmoid, HSwish, LeakyReLU, LogSoftmax, PReLU, ReLU, ReLU6,
                                       Sigmoid, SiLU, Softmax, Softplus, Tanh, get_activation)
from plumb.nn.layer.basic import Dense, Dropout, Flatten, Identity
from plumb.nn.layer.container import CellDict, CellList, SequentialCell
from plumb.nn.layer.conv import Conv2d
from plumb.nn.layer.embedding import Embedding
from plumb.nn.layer.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, LayerNorm
from plumb.nn.layer.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
