"""`mindspore.nn.optim.rmsprop`."""

from plumb.nn.optim.adaptive import RMSProp
