"""`mindspore.device_context` of 2.5 and later: settings of devices, by their kinds."""

from plumb.device_context import ascend, cpu, gpu
