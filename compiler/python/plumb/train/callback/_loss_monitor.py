"""`mindspore.train.callback._loss_monitor`."""

from plumb.train.callback._monitors import LossMonitor
