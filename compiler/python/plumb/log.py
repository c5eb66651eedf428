"""`mindspore.log`: messages of programs, by level, on the error stream.

GLOG_v says which are shown: 0 all, 1 those of `info` and above, 2 warnings (by default), 3 errors, 4 critical ones.
"""

import functools
import logging
import os
import sys

_NUMBERS = {"0": logging.DEBUG, "1": logging.INFO, "2": logging.WARNING, "3": logging.ERROR, "4": logging.CRITICAL}
_FORMAT = "[%(levelname)s] ME(%(process)d:%(thread)d,%(processName)s):%(asctime)s.%(msecs)03d [%(pathname)s:%(lineno)d] %(message)s"
_DEFAULT = "2"


class _CurrentErrors(logging.StreamHandler):
    """Writes where sys.stderr leads now, not where it led when this module was imported."""

    @property
    def stream(self):
        return sys.stderr

    @stream.setter
    def stream(self, _):
        pass


def _made():
    logger = logging.getLogger("ME")
    if not logger.handlers:
        handler = _CurrentErrors()
        handler.setFormatter(logging.Formatter(_FORMAT, "%Y-%m-%d-%H:%M:%S"))
        logger.addHandler(handler)
        logger.propagate = False
    logger.setLevel(_NUMBERS.get(os.environ.get("GLOG_v", _DEFAULT), logging.WARNING))
    return logger


def debug(msg, *args, **kwargs):
    """Writes a message of level 0."""
    _made().debug(msg, *args, stacklevel=2, **kwargs)


def info(msg, *args, **kwargs):
    """Writes a message of level 1."""
    _made().info(msg, *args, stacklevel=2, **kwargs)


def warning(msg, *args, **kwargs):
    """Writes a message of level 2."""
    _made().warning(msg, *args, stacklevel=2, **kwargs)


def error(msg, *args, **kwargs):
    """Writes a message of level 3."""
    _made().error(msg, *args, stacklevel=2, **kwargs)


def critical(msg, *args, **kwargs):
    """Writes a message of level 4."""
    _made().critical(msg, *args, stacklevel=2, **kwargs)


def get_level():
    """Returns the least level that is shown, "0" to "4"."""
    level = os.environ.get("GLOG_v", _DEFAULT)
    return level if level in _NUMBERS else _DEFAULT


def get_log_config():
    """Returns where messages go, a dict of environment variables."""
    return {"GLOG_v": get_level(), "GLOG_logtostderr": "1"}


class _LogActionOnce:
    """A decorator of functions that warns once that its class is used.

    Args:
      logger: what has `warning`.
      key: the class's name.
      no_warning: whether to be silent.
    """

    is_logged = set()

    def __init__(self, logger, key, no_warning=False):
        self._logger, self._key, self._silent = logger, key, no_warning

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if not self._silent and self._key not in self.is_logged:
                self.is_logged.add(self._key)
                self._logger.warning("The '%s' is a temporary interface, which may be removed; do not rely on it.", self._key)
            return function(*args, **kwargs)

        return wrapper
