"""`mindspore.nn.optim.sgd`."""

from plumb.nn.optim.momentum import SGD
