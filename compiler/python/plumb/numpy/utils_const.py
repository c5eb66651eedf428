"""`mindspore.numpy.utils_const`: errors that compiled functions raise by a call; programs import it, too."""


def _raise_value_error(info, param=None):
    """Raises ValueError with a text, and with what was given where that is not None."""
    raise ValueError(info if param is None else f"{info}{param}")


def _raise_type_error(info, param=None):
    """Raises TypeError with a text, and with what was given where that is not None."""
    raise TypeError(info if param is None else f"{info}{param}")


def _raise_runtime_error(info, param=None):
    """Raises RuntimeError with a text, and with what was given where that is not None."""
    raise RuntimeError(info if param is None else f"{info}{param}")


def _raise_unimplemented_error(info):
    """Raises NotImplementedError with a text."""
    raise NotImplementedError(info)
