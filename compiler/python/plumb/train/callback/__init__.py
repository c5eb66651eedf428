"""Callbacks."""

from plumb.common._offers import not_offered
from plumb.train.callback._callback import Callback, CallbackManager, CallbackParams, InternalCallbackParam, RunContext, callbacks_of
from plumb.train.callback._checkpoint import CheckpointConfig, ModelCheckpoint
from plumb.train.callback._interruptions import BackupAndRestore, OnRequestExit
from plumb.train.callback._lambda import LambdaCallback
from plumb.train.callback._monitors import LossMonitor, TimeMonitor
from plumb.train.callback._run_checkpoint import Guard, RunCheckpoint
from plumb.train.callback._summary_collector import SummaryCollector
from plumb.train.callback._watch import Watch
from plumb.train.callback._watchers import EarlyStopping, History, LearningRateScheduler, ReduceLROnPlateau

_InternalCallbackParam, _CallbackManager = InternalCallbackParam, CallbackManager

__getattr__ = not_offered(__name__)
