"""`mindspore.nn.utils` of 2.6 and later."""

import contextlib

from plumb.common._offers import not_offered

__getattr__ = not_offered(__name__)


@contextlib.contextmanager
def no_init_parameters():
    """Surrounds the making of a network whose values a checkpoint gives.

    Parameters that follow a rule draw their values where they are first read, so nothing is drawn that a checkpoint replaces.
    """
    yield
