"""`mindspore.train.callback._time_monitor`."""

from plumb.train.callback._monitors import TimeMonitor
