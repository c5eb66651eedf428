"""Training: Model, callbacks, metrics, checkpoints, loops over datasets."""

from plumb.amp import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network
from plumb.common._offers import SECOND_ORDER, not_offered
from plumb.train.metrics import *  # pylint: disable=wildcard-import
from plumb.train import amp, callback, loss_scale_manager, metrics, serialization
from plumb.train.callback import (BackupAndRestore, Callback, CheckpointConfig, EarlyStopping, Guard, History, LambdaCallback,
                                  LearningRateScheduler, LossMonitor, ModelCheckpoint, OnRequestExit, ReduceLROnPlateau, RunCheckpoint, RunContext,
                                  SummaryCollector, TimeMonitor, Watch)
from plumb.train.data_sink import data_sink
from plumb.train.dataset_helper import DatasetHelper, connect_network_with_dataset
from plumb.train.mindir import export, load
from plumb.train.model import Model
from plumb.train.serialization import (async_ckpt_thread_status, check_checkpoint, ckpt_to_safetensors, load_checkpoint, load_checkpoint_async,
                                       load_param_into_net, merge_sliced_parameter, parse_print, safetensors_to_ckpt, save_checkpoint)
from plumb.train.summary import SummaryRecord

_FAULTS = ("training that goes on without a device that failed is not offered: ModelCheckpoint and OnRequestExit keep what a run needs to "
           "go on")

__getattr__ = not_offered(__name__, instead={
    **serialization.INSTEAD,
    "SummaryLandscape": "give the network weights along two directions by load_param_into_net, and call Model.eval at each of them",
    **dict.fromkeys(("MindIOTTPAdapter", "TFTRegister", "TrainFaultTolerance"), _FAULTS),
    "FlopsUtilizationCollector": "TimeMonitor measures steps, and Profiler what they spend their time on",
    **dict.fromkeys(("ConvertModelUtils", "ConvertNetUtils"), SECOND_ORDER),
})
