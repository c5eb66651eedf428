"""Values that Python code reads while a function is compiled: what it computes of them becomes a constant of the program.

`watched` surrounds such code. It yields the tensors that were read, so that the program can be compiled again when one of
them has changed. Training changes a Parameter on the device, unseen by Python, so the value of one is an error to read, and to set.
"""

import contextlib
import threading
import weakref

from plumb.common._refusals import refused


class _Current(threading.local):
    read = None  # weak references to the tensors read, while Python code runs for the compiler


_current = _Current()


class Read(list):
    """The tensors that were read and are still there, once the block is left."""


@contextlib.contextmanager
def watched():
    """Surrounds a computation whose result the compiled program keeps; yields a `Read`."""
    outer, _current.read = _current.read, []
    found = Read()
    try:
        yield found
    finally:
        inner, _current.read = _current.read, outer
        if outer is not None:
            outer.extend(inner)
        alive = {id(tensor): tensor for tensor in (reference() for reference in inner) if tensor is not None}
        found.extend(alive.values())


def note(tensor):
    """Notes that a tensor's value is read."""
    if _current.read is not None:
        _current.read.append(weakref.ref(tensor))


def refuse(parameter):
    """Raises RuntimeError where Python reads or sets a Parameter's value for the compiler."""
    if _current.read is not None:
        raise refused(RuntimeError, f"Python needs the value of the Parameter '{parameter.name}' while compiling, and the "
                                    f"compiled function would keep what it is now; use the Parameter in operations of the "
                                    f"compiled function, or pass its value as an argument")
