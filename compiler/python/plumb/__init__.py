"""Plumb: compiles training programs into executables that hold the step, the loop and the queue.

The package mirrors MindSpore's public names for what it offers, so programs run after one changed import, or unchanged
under `python3 -m plumb.mindspore PROGRAM.py`. What is not offered fails by name where it is used.
"""

import os

# Where the extension modules are when they do not lie beside these sources: in a checkout, Bazel's output folder.
if os.environ.get("PLUMB_NATIVE"):
    __path__.append(os.environ["PLUMB_NATIVE"])

from plumb import (_runner, common, communication, context, dataset, log, nn, numpy, ops, amp, boost, parallel, profiler, scipy,
                   train, utils)
from plumb.common import (JitConfig, Parameter, ParameterTuple, Tensor, get_seed, jit, jit_class, ms_class, ms_function, mutable,
                          set_seed)
from plumb.common._offers import SECOND_ORDER as _SECOND_ORDER, not_offered
from plumb.common.sparse_tensor import COOTensor, CSRTensor, RowTensor, RowTensorInner, SparseTensor
from plumb.common.dtype import *  # pylint: disable=wildcard-import
from plumb.common.dtype import QuantDtype, dtype_to_nptype, dtype_to_pytype, get_py_obj_dtype, pytype_to_dtype
from plumb.common import dtype
from plumb.common.initializer import initializer
from plumb._parallel import (ParallelMode, get_auto_parallel_context, reset_auto_parallel_context, set_auto_parallel_context)
from plumb.context import (GRAPH_MODE, PYNATIVE_MODE, get_context, get_offload_context, get_ps_context, reset_ps_context, set_context,
                           set_offload_context, set_ps_context)
from plumb._installed import run_check
from plumb.common._marks import constexpr, lazy_inline, no_inline, recompute
from plumb.common._taping import _no_grad
from plumb.common.generator import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from plumb.context import set_recursion_limit
from plumb.log import get_level, get_log_config
from plumb.device_manager import get_current_device, set_deterministic, set_device
from plumb.parallel import Layout, get_algo_parameters, reset_algo_parameters, set_algo_parameters, shard
from plumb.ops import is_tensor
from plumb.runtime import ms_memory_recycle
from plumb.ops.grad import grad, value_and_grad
from plumb.amp import (DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, build_train_network)
from plumb.ops.transforms import get_grad, jacfwd, jacrev, jvp, vjp, vmap
from plumb.profiler import Profiler
from plumb.train import (BackupAndRestore, DatasetHelper, Model, SummaryRecord, async_ckpt_thread_status, check_checkpoint, ckpt_to_safetensors,
                         connect_network_with_dataset, data_sink, export, load, load_checkpoint, load_checkpoint_async, load_param_into_net,
                         merge_sliced_parameter, parse_print, safetensors_to_ckpt, save_checkpoint)
from plumb.train.callback import (Callback, CheckpointConfig, EarlyStopping, History, LambdaCallback, LearningRateScheduler, LossMonitor,
                                  ModelCheckpoint, OnRequestExit, ReduceLROnPlateau, RunContext, SummaryCollector, TimeMonitor)
from plumb.train import serialization
from plumb.train.metrics import *  # pylint: disable=wildcard-import

__version__ = "0.1.0"

tensor = Tensor  # a function in MindSpore, which makes Tensors
from_numpy = Tensor.from_numpy

_runner.install_hook()

__getattr__ = not_offered(__name__, "mindrecord", "mint", "runtime", "hal", "device_context", also={
    "float": float32, "int": int32, "bool": bool_,  # of later versions; `from mindspore import *` leaves Python's own
}, instead={
    "SummaryLandscape": "give the network weights along two directions by load_param_into_net, and call Model.eval at each of them",
    **dict.fromkeys(("ConvertModelUtils", "ConvertNetUtils"), _SECOND_ORDER),
    **dict.fromkeys("Node NodeType ScopedValue SymbolTree TreeNodeHelper".split(), "networks are changed as Python objects: set a cell's attributes"),
    "Symbol": "None stands for an open extent: Cell.set_inputs(Tensor(shape=(None, 3), dtype=...))",
    "set_dump": "print() in compiled code, a hook (Cell.register_forward_hook) or a callback's Watch shows what is computed",
    **serialization.INSTEAD,
})
