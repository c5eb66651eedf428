"""Cells around a network: with its loss, with one training step, for evaluation."""

from plumb.common._offers import only_defaults
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops.grad import value_and_grad
from plumb.ops.operations import GradOperation


class WithLossCell(Cell):
    """loss_fn(backbone(data), label)."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data, label):
        """Compiled body."""
        out = self._backbone(data)
        return self._loss_fn(out, label)

    @property
    def backbone_network(self):
        """The network without its loss."""
        return self._backbone


class WithEvalCell(Cell):
    """The network's outputs and the labels, for metrics; with the loss before them when there is a loss function."""

    def __init__(self, network, loss_fn, add_cast_fp32=False):
        only_defaults("WithEvalCell", add_cast_fp32=(add_cast_fp32, False))
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.has_loss = loss_fn is not None

    def construct(self, data, label):
        """Compiled body."""
        outputs = self._network(data)
        if self.has_loss:
            return self._loss_fn(outputs, label), outputs, label
        return outputs, label


class TrainOneStepCell(Cell):
    """One training step: loss, gradients, update; returns the loss.

    Args:
      network: a cell that returns the loss.
      optimizer: an Optimizer.
      sens: the loss is scaled by it for the gradients.
    """

    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.value_and_grad = value_and_grad(network, None, self.weights)
        self.sens = float(sens)

    def construct(self, *inputs):
        """Compiled body."""
        if self.sens == 1.0:
            loss, grads = self.value_and_grad(*inputs)
        else:
            loss = self.network(*inputs)
            sens = F.fill(loss.dtype, loss.shape, self.sens)
            grads = self.grad(self.network, self.weights)(*inputs, sens)
        return F.depend(loss, self.optimizer(grads))
