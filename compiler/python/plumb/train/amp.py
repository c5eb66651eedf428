"""`mindspore.train.amp`: mixed precision under the r1.x name, with the parts of `build_train_network` that programs' own versions call."""

from plumb import nn
from plumb.amp import (DynamicLossScaleManager, LossScaleManager, auto_mixed_precision, build_train_network,
                       custom_mixed_precision, get_black_list, get_white_list)
from plumb.amp.auto_mixed_precision import keep_in_float32
from plumb.common import dtype as mstype
from plumb.nn.cell import Cell
from plumb.ops import _functions as F


def _level(element_type, keeps, manager):
    return {"keep_batchnorm_fp32": keeps, "cast_model_type": element_type, "loss_scale_manager": manager}


_config_level = {"O0": _level(mstype.float32, False, None), "O1": _level(mstype.float32, False, None),
                 "O2": _level(mstype.float16, True, DynamicLossScaleManager()), "O3": _level(mstype.float16, False, None)}


def _do_keep_batchnorm_fp32(network):
    """Has the normalisations of a network that computes in float16 compute in float32; changes it in place."""
    keep_in_float32(network, (nn.BatchNorm1d, nn.BatchNorm2d), mstype.float16)


class _OutputTo32(Cell):
    """A cell whose result is converted to float32.

    Args:
      op: the cell; its result is a Tensor.
    """

    def __init__(self, op):
        super().__init__(auto_prefix=False)
        self._op = op

    def construct(self, *inputs):
        """Compiled body."""
        return F.cast(self._op(*inputs), mstype.float32)


class _WithLossCell(nn.WithLossCell):
    """The loss in float32 of a network that computes in 16 bits."""

    def construct(self, data, label):
        """Compiled body."""
        return self._loss_fn(F.cast(self._backbone(data), mstype.float32), F.cast(label, mstype.float32))


def _add_loss_network(network, loss_fn, cast_model_type):
    """The loss of a network, computed in float32 if the network computes in float16."""
    if not isinstance(loss_fn, Cell):
        raise TypeError(f"The 'loss_fn' must be a Cell, but got {type(loss_fn).__name__}.")
    return (_WithLossCell if cast_model_type == mstype.float16 else nn.WithLossCell)(network, loss_fn)
