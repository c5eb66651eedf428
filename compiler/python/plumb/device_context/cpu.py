"""Settings of the CPU."""

import types

from plumb.runtime import dispatch_threads_num


def is_available():
    """True."""
    return True


def device_count():
    """1: all cores are one device."""
    return 1


def threads_num(num):
    """Has a step run with as many threads; results do not depend on it."""
    dispatch_threads_num(num)


op_tuning = types.SimpleNamespace(threads_num=threads_num)
