"""Settings of devices that are not on the machine."""

import types

from plumb.context import warn_once


def settings(kind, group, names):
    """Returns functions by the names that take a device's settings and say once that the CPU has no use for them."""

    def setting(name):
        def called(*args, **kwargs):
            warn_once(f"device_context.{kind}.{group}.{name} changes nothing: the program runs on the CPU.")

        called.__name__, called.__doc__ = name, f"Takes a setting of a device of the kind {kind}, which is not on the machine."
        return called

    return types.SimpleNamespace(**{name: setting(name) for name in names.split()})


def no_device():
    """False: the machine has no such device."""
    return False


def count_none():
    """0: the machine has no such device."""
    return 0
