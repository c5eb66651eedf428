"""Cells around a network: with its loss, with one training step, for evaluation."""

import warnings

from plumb._parallel import get_auto_parallel_context
from plumb.common import dtype as mstype
from plumb.common._offers import not_offered
from plumb.common.parameter import Parameter, ParameterTuple
from plumb.nn._mixed import in_type
from plumb.nn.cell import Cell
from plumb.ops import _functions as F
from plumb.ops.grad import GradFunction, value_and_grad
from plumb.ops.operations import GradOperation
from plumb.ops.transforms import jvp, vjp

__getattr__ = not_offered(__name__)


class VirtualDatasetCellTriple(Cell):
    """backbone(a, b, c): it tells several devices how a batch is split, and one has it whole."""

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, a, b, c):
        """Compiled body."""
        return self._backbone(a, b, c)


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
        super().__init__(auto_prefix=False)
        self.add_cast_fp32 = bool(add_cast_fp32)
        self._network = network
        self._loss_fn = loss_fn
        self.has_loss = loss_fn is not None

    def construct(self, data, label):
        """Compiled body."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs, label = in_type(outputs, mstype.float32), in_type(label, mstype.float32)
        if self.has_loss:
            return self._loss_fn(outputs, label), outputs, label
        return outputs, label


def unchanged(gradients):
    """The gradients."""
    return gradients


def _warn_of_others(network, optimizer):
    """Warns where an optimizer has none of the Parameters of the network that it is to train."""
    own, given = {id(param) for param in Cell.get_parameters(network)}, list(optimizer.parameters)
    if own and given and not any(id(param) in own for param in given):
        from plumb._programs import calling_place
        warnings.warn_explicit(f"the optimizer's Parameters ({given[0].name}, …) are none of the network's: make the optimizer with "
                               f"trainable_params() of the network that it is to train", UserWarning, *calling_place())


class TrainOneStepCell(Cell):
    """One training step: loss, gradients, update; returns the loss.

    Args:
      network: a cell that returns the loss.
      optimizer: an Optimizer.
      sens: the loss is scaled by it for the gradients.
    """

    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        _warn_of_others(network, optimizer)
        self.network = network
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.value_and_grad = value_and_grad(network, None, self.weights)
        self.sens = None if sens is None else float(sens)  # subclasses that scale by other means give None
        self.reducer_flag, self.grad_reducer = False, unchanged  # one device has nothing to add up
        self.parallel_mode, self.mean, self.degree = get_auto_parallel_context("parallel_mode"), False, 1

    def construct(self, *inputs):
        """Compiled body."""
        if self.sens == 1.0:
            loss, grads = self.value_and_grad(*inputs)
        else:
            loss = self.network(*inputs)
            sens = F.fill(loss.dtype, loss.shape, self.sens)
            grads = self.grad(self.network, self.weights)(*inputs, sens)
        return F.depend(loss, self.optimizer(grads))


class WithGradCell(Cell):
    """The gradients of a network's loss by its trainable parameters.

    Args:
      network: the network; without `loss_fn` it returns the loss itself.
      sens: the adjoint of the loss; ones when None.
    """

    def __init__(self, network, loss_fn=None, sens=None):
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.sens = sens
        self.network_with_loss.set_train()
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)

    def construct(self, *inputs):
        """Compiled body."""
        if self.sens is None:
            return self.grad(self.network_with_loss, self.weights)(*inputs)
        return self.grad(self.network_with_loss, self.weights)(*inputs, self.sens)


class ForwardValueAndGrad(Cell):
    """A network's value and its gradients.

    Args:
      weights: Parameters to differentiate by, for `get_by_list`; by default the network's trainable ones.
      get_all: gradients of all inputs instead of the first.
      get_by_list: gradients of `weights`; with `get_all` those of inputs and of weights, a pair.
      sens_param: whether the adjoint of the value is the last input.
    """

    def __init__(self, network, weights=None, get_all=False, get_by_list=False, sens_param=False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, (Cell,)) and not callable(network):
            raise TypeError(f"For 'ForwardValueAndGrad', the 'network' must be a Cell or function, but got "
                            f"{type(network).__name__}.")
        for name, value in (("get_all", get_all), ("get_by_list", get_by_list)):
            if not isinstance(value, bool):
                raise TypeError(f"For 'ForwardValueAndGrad', the type of '{name}' must be bool, but got {type(value).__name__}.")
        self.network = network
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, bool(sens_param)
        if get_by_list:
            chosen = network.trainable_params() if weights is None else weights
            self.weights = ParameterTuple([chosen] if isinstance(chosen, Parameter) else chosen)
        positions = None if get_all else () if get_by_list else (0,)
        self.value_and_grad = GradFunction(network, positions, self.weights if get_by_list else (), True, sens=self.sens_param,
                                           single=not get_all)

    def construct(self, *inputs):
        """Compiled body."""
        return self.value_and_grad(*inputs)


class ParameterUpdate(Cell):
    """Sets a Parameter to what it is called with; returns that."""

    def __init__(self, param):
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise TypeError(f"For 'ParameterUpdate', 'param' must be a Parameter, but got {type(param).__name__}.")
        self._param = param

    def construct(self, x):
        """Compiled body."""
        F.assign(self._param, x)
        return x


class _VirtualDatasetCell(Cell):
    """Calls a network: on one device its whole data.

    Args:
      backbone: the network.
    """

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs):
        """Compiled body."""
        return self._backbone(*inputs)


def _micro_batches(who, inputs, count):
    """The inputs of each of `count` equal parts of a batch."""
    for value in inputs:
        if value.ndim == 0 or value.shape[0] % count != 0:
            raise ValueError(f"For '{who}', the extent of axis 0 must be a multiple of {count}, but got {value.shape}")
    parts = ()
    for number in range(count):
        part = ()
        for value in inputs:
            size = value.shape[0] // count
            part = part + (F.part(value, 0, number * size, (number + 1) * size),)
        parts = parts + (part,)
    return parts


class _ByParts(Cell):
    """Adds up what a network gives for equal parts of its batch, one behind the other."""

    def __init__(self, network, parts, name):
        super().__init__(auto_prefix=False)
        if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
            raise ValueError(f"For '{type(self).__name__}', the argument '{name}' must be an int above 0, but got {parts}.")
        self.network, self.parts = network, parts

    def construct(self, *inputs):
        """Compiled body."""
        total = 0.0
        for part in _micro_batches(self.cls_name, inputs, self.parts):
            total = total + self.network(*part)
        return total


class MicroBatchInterleaved(_ByParts):
    """The sum of what a network gives for each of `interleave_num` equal parts of its batch; on one device they run one by one.

    Args:
      network: a cell of Tensors whose axis 0 is the batch; usually it returns a loss.
      interleave_num: the number of parts.
    """

    def __init__(self, network, interleave_num=2):
        super().__init__(network, interleave_num, "interleave_num")
        self.interleave_num = interleave_num


class _ByMicroBatches(_ByParts):
    """A sum over parts whose number is `micro_size`."""

    def __init__(self, network, micro_size):
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


class PipelineCell(_ByMicroBatches):
    """The sum of what a network gives for each of `micro_size` equal parts of its batch; one device has all stages.

    Args:
      network: a cell of Tensors whose axis 0 is the batch; usually it returns a loss.
      micro_size: the number of parts.
    """


class GradAccumulationCell(_ByMicroBatches):
    """The sum of what a network gives for each of `micro_size` equal parts of its batch: its gradients add up likewise.

    Args:
      network: a cell of Tensors whose axis 0 is the batch; usually it returns a loss.
      micro_size: the number of parts.
    """


class _Product(Cell):
    """What Jvp and Vjp share: Python's calls run compiled functions, and compiled code calls `construct`."""

    def __init__(self, fn):
        super().__init__(auto_prefix=False)
        if not callable(fn):
            raise TypeError(f"For '{type(self).__name__}', the 'fn' must be a function or a Cell, but got {type(fn).__name__}.")
        self.fn = fn

    def __call__(self, *inputs):
        return self.construct(*inputs)


class Jvp(_Product):
    """A function's results, and the product of its Jacobian with a vector: `Jvp(fn)(*inputs, v)`; see `ops.jvp`.

    Args:
      fn: a function or Cell of Tensors.
    """

    def construct(self, *inputs):
        """The results and the product."""
        return jvp(self.fn, inputs[:-1], inputs[-1])


class Vjp(_Product):
    """A function's results, and the product of a vector with its Jacobian: `Vjp(fn)(*inputs, v)`; see `ops.vjp`.

    The product is a Tensor for one input, a tuple for several.

    Args:
      fn: a function or Cell of Tensors.
    """

    def construct(self, *inputs):
        """The results and the product."""
        outputs, pull = vjp(self.fn, *inputs[:-1])
        products = pull(*(inputs[-1] if isinstance(inputs[-1], tuple) else (inputs[-1],)))
        return outputs, products[0] if len(products) == 1 else products
