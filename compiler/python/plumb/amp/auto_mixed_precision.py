"""Which cells of a network compute in 16 bits.

A cell converts its inputs and trained Parameters (`Cell.to_float`) and, where its neighbours compute in another type, its
results. The network is changed in place: names of Parameters stay, and so do their element types.
"""

from plumb import nn
from plumb.amp.loss_scale_manager import DynamicLossScaleManager, LossScaleManager
from plumb.common import dtype as mstype
from plumb.nn.cell import Cell

_WHITE = [kind for name in ("Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose", "Dense",
                            "LSTMCell", "RNNCell", "GRUCell", "PReLU", "ReLU")
          for kind in [vars(nn).get(name)] if kind is not None]
_BLACK = [nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm]
_UNSET = object()


def get_white_list():
    """Returns a copy of the classes that compute in 16 bits at level O1."""
    return list(_WHITE)


def get_black_list():
    """Returns a copy of the classes that stay in float32 at level O2."""
    return list(_BLACK)


def auto_mixed_precision(network, amp_level="O0", dtype=mstype.float16):
    """Has a network compute in 16 bits; returns the network, changed in place.

    Args:
      amp_level: "O0" changes nothing; "O1" has the layers of the white list compute in 16 bits; "O2" all but the layers of
        the black list; "O3" all of it. From O2 on the network's result is converted to float32.
      dtype: float16 or bfloat16.

    MindSpore's white list has operations, too; here layers only: an operation computes in the type of its operands.
    """
    _check_cell("auto_mixed_precision", network)
    _check_type(dtype)
    if amp_level == "O1":
        return custom_mixed_precision(network, white_list=get_white_list(), dtype=dtype)
    if amp_level == "O2":
        custom_mixed_precision(network, black_list=get_black_list(), dtype=dtype)
    elif amp_level == "O3":
        network.to_float(dtype)
    elif amp_level != "O0":
        raise ValueError(f"The amp level {amp_level} is not supported; there are 'O0', 'O1', 'O2' and 'O3'.")
    if amp_level in ("O2", "O3"):
        _convert_result(network, mstype.float32)
    return network


def custom_mixed_precision(network, *, white_list=None, black_list=None, dtype=mstype.float16):
    """Has the layers of the white list, or all but those of the black list, compute in 16 bits; returns the network.

    Args:
      white_list, black_list: classes of cells, one of the two.
      dtype: float16 or bfloat16.
    """
    _check_cell("custom_mixed_precision", network)
    _check_type(dtype)
    if (white_list is None) == (black_list is None):
        raise ValueError("For 'custom_mixed_precision', give one of 'white_list' and 'black_list'.")
    chosen = tuple(white_list if black_list is None else black_list)
    for kind in chosen:
        if not isinstance(kind, type) or not issubclass(kind, Cell):
            raise TypeError(f"For 'custom_mixed_precision', the lists hold classes of cells, but got {kind}.")
    if white_list is None:
        network.to_float(dtype)
        keep_in_float32(network, chosen, dtype)
        return network
    for _, cell in network.cells_and_names():
        if isinstance(cell, chosen):
            cell.to_float(dtype)
            _convert_result(cell, mstype.float32)
    return network


def keep_in_float32(network, kinds, dtype):
    """Has cells of some classes compute in float32, with results of the network's type."""
    for _, cell in network.cells_and_names():
        if isinstance(cell, kinds):
            cell.to_float(mstype.float32)
            _convert_result(cell, dtype)


# By level: what is converted to 16 bits, whether normalisation stays, and how the loss is scaled.
_LEVELS = {"O0": (None, False, None), "O1": ("O1", False, None), "O2": ("O2", True, DynamicLossScaleManager),
           "O3": ("O3", False, None), "auto": ("O2", True, DynamicLossScaleManager)}


def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """Returns the cell of one training step in mixed precision.

    Args:
      network: the network; without `loss_fn` it returns the loss itself.
      level: see auto_mixed_precision; "O2" scales the loss dynamically. "auto" is "O2".
      boost_level: "O0" only.
      cast_model_type: float16, bfloat16 or float32 in place of what the level says.
      keep_batchnorm_fp32: whether the layers of the black list stay in float32, in place of what the level says.
      loss_scale_manager: a LossScaleManager or None, in place of what the level says.
    """
    _check_cell("build_train_network", network)
    if level not in _LEVELS:
        raise ValueError(f"The amp level {level} is not supported; there are {', '.join(_LEVELS)}.")
    if boost_level != "O0":
        raise ValueError("For 'build_train_network', only boost_level='O0' is offered.")
    unknown = [name for name in kwargs if name not in ("cast_model_type", "keep_batchnorm_fp32", "loss_scale_manager")]
    if unknown:
        raise ValueError(f"For 'build_train_network', {', '.join(unknown)} is not offered.")
    _convert(network, level, kwargs.get("cast_model_type"), kwargs.get("keep_batchnorm_fp32"))
    if loss_fn is not None:
        network = nn.WithLossCell(network, loss_fn)
    manager = kwargs.get("loss_scale_manager", _UNSET)
    if manager is _UNSET:
        manager = _LEVELS[level][2]() if _LEVELS[level][2] is not None else None
    if manager is None:
        return nn.TrainOneStepCell(network, optimizer)
    if not isinstance(manager, LossScaleManager):
        raise TypeError(f"The 'loss_scale_manager' must be a LossScaleManager, but got {type(manager).__name__}.")
    update = manager.get_update_cell()
    if update is None:
        return nn.TrainOneStepCell(network, optimizer, manager.get_loss_scale())
    return nn.TrainOneStepWithLossScaleCell(network, optimizer, update)


def _convert(network, level, cast_model_type, keep_batchnorm_fp32):
    converted, keeps, _ = _LEVELS[level]
    keeps = keeps if keep_batchnorm_fp32 is None else bool(keep_batchnorm_fp32)
    if cast_model_type is None:
        if converted is None:
            return
        cast_model_type = mstype.float16
    if cast_model_type is mstype.float32:
        return
    if converted == "O1" and keep_batchnorm_fp32 is None:
        auto_mixed_precision(network, "O1", cast_model_type)
    else:
        auto_mixed_precision(network, "O2" if keeps else "O3", cast_model_type)


def _convert_result(cell, dtype):
    cell.__dict__["_result_type"] = dtype


def _check_cell(who, network):
    if not isinstance(network, Cell):
        raise TypeError(f"For '{who}', the network must be a Cell, but got {type(network).__name__}.")


def _check_type(dtype):
    if dtype not in (mstype.float16, mstype.bfloat16, mstype.float32):
        raise ValueError(f"Mixed precision is offered in float16 and bfloat16, but got {dtype}.")
