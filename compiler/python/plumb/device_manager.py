"""`mindspore.device_manager` of 2.5 and later: which device a program runs on."""

import collections

from plumb.context import get_context, set_context

_Device = collections.namedtuple("Device", "device_target device_id")


def set_device(device_target, device_id=None):
    """Chooses a device: what is not on the machine warns once and becomes the CPU, as by `set_context`.

    Args:
      device_target: "CPU", "GPU" or "Ascend".
      device_id: its number, 0 by default; a CPU has none other.
    """
    if device_id is not None and (isinstance(device_id, bool) or not isinstance(device_id, int) or device_id < 0):
        raise ValueError(f"For 'set_device', the argument 'device_id' must be an int of at least 0, but got {device_id}.")
    set_context(device_target=device_target)
    if device_id is not None:
        set_context(device_id=device_id)


def get_current_device():
    """Returns the device: a tuple (device_target, device_id) with these names."""
    return _Device(get_context("device_target"), get_context("device_id"))


def set_deterministic(deterministic):
    """Takes True or False: equal runs give equal bits in either case."""
    if not isinstance(deterministic, bool):
        raise TypeError(f"For 'set_deterministic', the argument must be a bool, but got {type(deterministic).__name__}.")
    set_context(deterministic="ON" if deterministic else "OFF")
