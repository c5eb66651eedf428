"""Callbacks."""

from plumb.common._offers import not_offered
from plumb.train.callback._callback import Callback, CallbackManager, RunContext, callbacks_of
from plumb.train.callback._checkpoint import CheckpointConfig, ModelCheckpoint
from plumb.train.callback._monitors import LossMonitor, TimeMonitor

__getattr__ = not_offered(__name__)
