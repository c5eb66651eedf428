"""Layers."""

from plumb.nn.layer.activation import (CELU, ELU, GELU, GLU, FastGelu, Hardtanh, HShrink, HSigmoid, HSwish, LeakyReLU,
                                       LogSigmoid, LogSoftmax, Mish, PReLU, ReLU, ReLU6, RReLU, SeLU, Sigmoid, SiLU,
                                       Softmax, Softmax2d, Softmin, Softplus, SoftShrink, Softsign, Tanh, Tanhshrink,
                                       Threshold, get_activation)
from plumb.nn.layer.basic import Dense, Dropout, Flatten, Identity
from plumb.nn.layer.container import CellDict, CellList, SequentialCell
from plumb.nn.layer.conv import Conv2d
from plumb.nn.layer.embedding import Embedding
from plumb.nn.layer.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, LayerNorm
from plumb.nn.layer.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from plumb.nn.layer.rnn_cells import GRUCell, LSTMCell, RNNCell
from plumb.nn.layer.rnns import GRU, LSTM, RNN
