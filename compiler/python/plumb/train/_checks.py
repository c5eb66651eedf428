"""Checks of what training is called with, in MindSpore's words."""


def check_epoch(epoch, initial_epoch):
    """Raises unless the epochs make sense."""
    for name, value, least in (("epoch", epoch, 1), ("initial_epoch", initial_epoch, 0)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For 'Model.train', the argument '{name}' must be int, but got {type(value).__name__}.")
        if value < least:
            raise ValueError(f"For 'Model.train', the argument '{name}' must be at least {least}, but got {value}.")
    if initial_epoch >= epoch:
        raise ValueError(f"For 'Model.train', the parameter 'epoch' {epoch} should be greater than parameter "
                         f"'initial_epoch' {initial_epoch}.")


def check_sink_size(sink_size):
    """Raises unless the sink size is -1 or positive."""
    if isinstance(sink_size, bool) or not isinstance(sink_size, int):
        raise TypeError(f"The 'sink_size' must be int, but got {type(sink_size).__name__}.")
    if sink_size < -1 or sink_size == 0:
        raise ValueError(f"The 'sink_size' must be -1 or positive, but got sink_size {sink_size}.")


def claim(dataset, owner):
    """Binds a dataset to the object that feeds from it; raises when another one does."""
    if dataset._used_by is not None and dataset._used_by is not owner:
        raise RuntimeError("The dataset has been connected to other network, please check the code.")
    dataset._used_by = owner
